"""The rule that looks at where it starts, on the line: what it releases on hard problems of one sign."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import sympy as sp

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.lecam import variation
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Instance as Row
from oubli.checks.measure.source import Source, linear, row_by_row
from oubli.sim.losses.families import quadratic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.theory.paper.two_starts import by_its_start
from oubli.theory.records.claim import Instance

Pair = tuple[float, float]


class Released(NamedTuple):
    """Where the rule is before and after projecting, its risk, its square distance from the optimum."""

    before: float
    after: float
    risk: float
    off: float


def released(m: float, f: float, r: float, L: float, mu: float) -> Released:
    """What the rule releases where all retain data have the sign m, and the forget data f in the mean."""
    R = L / (2 * mu)
    retain, forget = (Mixture((quadratic(np.array([R * mean]), mu),), [1.0]) for mean in (m, f))
    problem = Problem(retain, forget, r, L, mu, alternative=forget)
    start, best = np.array([[-R]]), problem.retain_optimum
    stepped = np.clip(start - retain.gradient(start) / mu, -R, R)
    before = stepped - 2 * problem.full_optimum.point
    after = np.clip(before, -R, R)
    risk = float(retain.value(after)[0]) - best.value
    return Released(float(before[0, 0]), float(after[0, 0]), risk, float(((after - best.point) ** 2).sum()))


def looks_at_its_start(instance: Instance) -> bool:
    """Whether a stored witness has this rule."""
    return by_its_start in instance.objects.values()


def measured_starts(instance: Instance) -> Letters:
    """The letters of a witness with this rule: risks, distances and total variation."""
    values = {str(symbol): float(sp.sympify(value)) for symbol, value in instance.values.items()}
    size = (values[name] for name in ("r", "L", "mu"))
    r, L, mu = size
    one, two, three = (
        released(values[m], values[f], r, L, mu) for m, f in (("m_1", "f_1"), ("m_2", "f_2"), ("m_2", "f_3"))
    )
    found = {"M_1": one.risk, "M_2_printed": three.risk}
    found |= {"W_first": one.off, "W_second": two.off, "W_third": three.off, "tau_12": apart(one, two)}
    return Letters({name: np.array([value]) for name, value in {**values, **found}.items()})


def apart(one: Released, other: Released) -> float:
    """The total variation of two releases that are certain, where a rounding is no difference."""
    return variation({round(one.after, 9): 1.0}, {round(other.after, 9): 1.0})


def start_letters(row: Row) -> dict[str, Pair | float]:
    """Two problems of opposite signs where the rule releases one point, and what it releases there."""
    r, L, mu = (row[name] for name in ("r_large", "L", "mu"))
    m = 1.0 if row["sign"] > 0 else -1.0
    star, other = m * row["place"], m * (row["place"] - 1)
    f, f_also = (float(np.clip((s - (1 - r) * sign) / r, -1, 1)) for s, sign in ((star, m), (other, -m)))
    one, two = released(m, f, r, L, mu), released(-m, f_also, r, L, mu)
    y, error = m - 2 * star, 1e-12 * (L / mu) ** 2
    found = {"E_off": (one.after - L / (2 * mu) * y) ** 2, "E_far": one.off, "E_along": one.before}
    chosen = {"r": r, "m_sure": m, "f_sure": f, "m_also": -m, "f_also": f_also, "L": L, "mu": mu}
    signs: dict[str, Pair | float] = {"y_sure": (y, 1e-12), "tau_sure": apart(one, two)}
    signs["E_risk"] = one.risk, mu * error
    return {**chosen, **signs, **{name: (value, error) for name, value in found.items()}}


_AXES = {**axes_of("L mu"), "r_large": linear(0.5, 0.99), "sign": linear(-1, 1)}
STARTS = Source("hard problems of one sign", {**_AXES, "place": linear(0, 1)}, row_by_row(start_letters))
AT_ZERO = Source(
    "hard problems of one sign with theta* = 0",
    _AXES,
    row_by_row(lambda row: start_letters({**row, "place": 0.0})),
)
