"""The ledger's stored witnesses, measured: members become losses of the simulator, laws those of sim.laws."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from oubli.checks.measure.problems import smooth_letters
from oubli.checks.measure.records import OPTIMUM_RISK, RELEASES, SCALE, UNTIMED
from oubli.checks.measure.relation import FUNCTIONS, Letters, NotMeasuredError, side
from oubli.checks.measure.sharper.kink import TWO_PIECES
from oubli.checks.measure.unprojected import UNPROJECTED
from oubli.sim.laws import Law, hockey_stick, total_variation
from oubli.sim.losses.families import Loss, max_affine, quadratic
from oubli.sim.losses.membership import membership
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array
from oubli.theory.records.claim import Claim, Instance

# The witnesses live at L = 2, mu = 1, on [-1, 1].
CLASS = (2.0, 1.0)


@dataclass(frozen=True, eq=False)
class Sloped:
    """theta^2/2 plus the integral of a slope that is linear between its points: exact, on the line."""

    x: Array
    h: Array

    @property
    def d(self) -> int:
        return 1

    def gradient(self, theta: Array) -> Array:
        return np.asarray(theta + np.interp(theta, self.x, self.h))

    def value(self, theta: Array) -> Array:
        ends = np.concatenate([[0.0], np.cumsum(np.diff(self.x) * (self.h[1:] + self.h[:-1]) / 2)])
        at = theta[:, 0]
        k = np.clip(np.searchsorted(self.x, at, side="right") - 1, 0, len(self.x) - 2)
        part = (at - self.x[k]) * (self.h[k] + np.interp(at, self.x, self.h)) / 2
        return np.asarray(at**2 / 2 + ends[k] + part)


def member(points: tuple[tuple[Any, Any], ...]) -> Loss:
    """A loss from the graph of its slope minus theta: one of the simulator's where the graph has steps only.

    >>> float(member(((-1, -1), (1, -1))).gradient(np.array([[0.5]]))[0, 0])
    -0.5
    >>> float(member(((-1, -1), (1, 1))).value(np.array([[1.0]]))[0])
    0.5
    """
    x, h = np.array([[float(a), float(b)] for a, b in points]).T
    steps = [(x[k], h[k]) for k in range(len(x) - 1) if x[k + 1] > x[k]]
    if any(h[k] != h[k + 1] and x[k] != x[k + 1] for k in range(len(x) - 1)):
        return Sloped(x, h)
    offsets = [0.0]
    for (_, before), (at, after) in pairwise(steps):
        offsets.append(offsets[-1] + (before - after) * at)
    return max_affine(np.array([[slope] for _, slope in steps]), np.array(offsets), CLASS[1])


def in_class(loss: Loss) -> bool:
    """Whether the simulator certifies that a member lies in the class, or at least finds no miss."""
    return not membership(loss, *CLASS).outside


def measured(instance: Instance) -> Letters:
    """The instance's letters, with every observable taken from the simulator and the exact laws."""
    losses = {name: member(points) for name, points in instance.members.items()}
    laws = {name: Law({o: Fraction(p) for o, p in law.items()}) for name, law in instance.laws.items()}
    table = _observables(losses, laws)
    values = {}
    for symbol, value in instance.values.items():
        values[getattr(symbol, "name", str(symbol))] = np.array([_number(sp.sympify(value), table)])
    # Slopes are taken 1e-9 beside a kink, where a member's own slope is at most 100.
    return Letters(values, {n: np.array([1e-7]) for n in values})


def measured_objects(instance: Instance) -> Letters:
    """The letters of an instance whose problem is a pair of quadratics, or of two runs of a few steps."""
    values = {str(symbol): float(sp.sympify(value)) for symbol, value in instance.values.items()}
    if "x_first_step" in instance.objects:
        return UNPROJECTED.letters({**{name: values[name] for name in ("L", "mu")}, "up": 1.0})
    values = {"d": 1.0, "r": 0.5, **values}  # what a statement does not speak of may be anything
    (_, *losses) = next(o.node for o in instance.objects.values() if o.node[0] == "problem")
    retain, forget = (Mixture((_quadratic(loss, values),), [1.0]) for loss in losses)
    problem = Problem(retain, forget, values["r"], values["L"], values["mu"], alternative=forget)
    if "u_low" in instance.objects:
        return Letters(passage_letters(problem, instance, values))
    letters = {**smooth_letters(problem), **(noisy_letters(problem, values) if "kappa" in values else {})}
    found = {n: v if isinstance(v, tuple) else (v, 0.0) for n, v in letters.items()}
    values_and_errors = [{n: np.array([pair[i]]) for n, pair in found.items()} for i in (0, 1)]
    return Letters(values_and_errors[0], values_and_errors[1])


def passage_letters(problem: Problem, instance: Instance, values: Mapping[str, float]) -> dict[str, Array]:
    """The risks of a first step that is one of two points, of what was before and of what comes after."""
    d = problem.d
    points = {name: _coordinates(instance.objects[f"u_{name}"].node, d) for name in ("low", "high", "end")}
    points["start"] = np.zeros(d)
    best = problem.retain_optimum.value
    risks = {f"risk_{name}": problem.retain.value(x[None]) - best for name, x in points.items()}
    share = values["p_pass"]
    passing = share * risks["risk_low"] + (1 - share) * risks["risk_high"]
    numbers = {name: np.array([value]) for name, value in values.items()}
    return {**numbers, **risks, "risk_mean": passing}


def noisy_letters(problem: Problem, values: Mapping[str, float]) -> dict[str, float]:
    """What theta* with noise kappa rho L/mu costs on the line: means by Gauss-Hermite quadrature."""
    r, best = problem.r_f, problem.retain_optimum
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    scale = values["kappa"] * r / (1 - r) * problem.L / problem.mu
    points = problem.full_optimum.point + scale * nodes[:, None]
    shares = weights / weights.sum()
    risk = float(shares @ problem.retain.value(points)) - best.value
    away = float(shares @ ((points - best.point) ** 2).sum(axis=1))
    return {**values, "X_excess": risk, "G_wide": risk, "D_wide": away}


def measured_vectors(claim: Claim, instance: Instance) -> Letters:
    """The letters of an instance whose objects are vectors: inner products of their coordinates."""
    values = {str(symbol): float(sp.sympify(value)) for symbol, value in instance.values.items()}
    d, points = int(values["d"]), {name: item.node for name, item in instance.objects.items()}

    def along(node: Any) -> Array:
        head, *args = node = points[node] if isinstance(node, str) else node
        if head == "v*":
            return np.asarray(number(args[0]) * along(args[1]))
        return np.asarray(sum(map(along, args), np.zeros(d))) if head == "v+" else _coordinates(node, d)

    def number(node: Any) -> float:
        if not isinstance(node, list):
            return values[node] if node in values else float(Fraction(node))
        head, *args = node
        if head == "in":
            return float(along(args[0]) @ along(args[1]))
        if head == "^":
            return float(number(args[0]) ** float(Fraction(args[1])))
        return float((np.prod if head == "*" else np.sum)([number(arg) for arg in args]))

    assert claim.statement is not None
    terms = [q for q in claim.statement.quantities if q.kind and q.kind[0] == "is"]
    values |= {q.symbol.name: number(q.kind[1]) for q in terms}
    return Letters({name: np.array([value]) for name, value in values.items()})


def _quadratic(node: Any, values: Mapping[str, float]) -> Loss:
    """mu/2 |x|^2 - <v, x>, written as the kernel reads it."""
    _, quad, (_, minus_one, (lin, v)) = node
    if (quad, minus_one, lin) != (["quad"], -1, "lin"):
        raise NotMeasuredError(f"no simulated loss is {node}")
    return quadratic(_coordinates(v, int(values["d"])) / values["mu"], values["mu"])


def _coordinates(node: Any, d: int) -> Array:
    """A combination of unit vectors."""
    head, *args = node
    if head == "e":
        return np.asarray(np.eye(d)[args[0] - 1])
    if head == "v*":
        return np.asarray(float(Fraction(args[0])) * _coordinates(args[1], d))
    return np.asarray(sum((_coordinates(u, d) for u in args), np.zeros(d)))


def _observables(losses: Mapping[str, Loss], laws: Mapping[str, Law]) -> dict[str, Any]:
    step = 1e-9

    def at(name: Any, x: Any, shift: float) -> Any:
        return np.array([[float(x) + shift]])

    return {
        "value": lambda A, x: float(losses[str(A)].value(at(A, x, 0.0))[0]),
        "left": lambda A, x: float(losses[str(A)].gradient(at(A, x, -step))[0, 0]),
        "right": lambda A, x: float(losses[str(A)].gradient(at(A, x, step))[0, 0]),
        "tv": lambda P, Q: float(total_variation(laws[str(P)], laws[str(Q)])),
        "mass": lambda P, o: float(laws[str(P)][str(o)]),
        "hockey": lambda P, Q, f: float(hockey_stick(laws[str(P)], laws[str(Q)], Fraction(str(f)))),
    }


def _number(value: Any, table: Mapping[str, Any]) -> float:
    calls = [c for c in value.atoms(sp.Function) if type(c).__name__ in table]
    found = value.subs({c: sp.Float(table[type(c).__name__](*c.args), 17) for c in calls})
    return float(sp.lambdify([], found, modules=[FUNCTIONS, "numpy"])())


def measured_bound(claim: Claim, known: Mapping[str, Claim]) -> Letters:
    """The letters of a witness that goes through a lemma: the open letter, measured by another way.

    For a claim about every gradient-free rule it is the best such rule on the two problems of the witness;
    for a rule that releases theta* it is the largest risk that the ledger allows it; for times that are 0 it
    is the risk of the output 0 against the target; for the distance of two optima it is the simulator's.
    """
    letters = measured(claim.instances[0])
    values = dict(letters.values)
    if claim.key in RELEASES:
        values["M_0"] = np.array([_best_release(float(values["r"][0]))])
    elif claim.key == SCALE:
        row = {name: float(values[name][0]) for name in ("L", "mu", "r")}
        values["D_optima"] = TWO_PIECES.letters(row).values["D_optima"]
    elif claim.key == UNTIMED:
        # The output 0 uses no gradient and no data: it unlearns, and it retrains, in time 0.
        values |= dict.fromkeys(("T_S", "T_U"), np.where(_risk_of_zero() <= values["e"], 0.0, 1.0))
    else:
        lemma = known[OPTIMUM_RISK].statement
        assert lemma is not None
        values["M_least"] = side(lemma.says, "M_least", letters)
    return Letters(values, letters.errors)


def _risk_of_zero() -> float:
    """The largest excess risk of the output 0 on the quadratics of the class, that centred at R."""
    loss = member(((-1, -1), (1, -1)))
    return float(loss.value(np.zeros((1, 1)))[0] - loss.value(np.ones((1, 1)))[0])


def _best_release(r: float) -> float:
    """The smallest worst risk of any released point on both problems that share theta* = 1 - 2r."""
    star = 1 - 2 * r
    first = member(((-1, -1), (1, -1)))
    second = member(((-1, -1), (star, -1), (star, 1), (1, 1)))
    points = np.linspace(-1, 1, 200_001)[:, None]
    risk_a = first.value(points) - first.value(np.array([[1.0]]))
    risk_b = second.value(points) - second.value(np.array([[star]]))
    return float(np.maximum(risk_a, risk_b).min())
