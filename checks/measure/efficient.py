"""Letters of the efficient regime: noise, then constant steps; and Algorithm 2 as printed."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oubli.checks.measure.axes import named
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.records import EFFICIENT_LEVEL, LEAST_SCRATCH, statement
from oubli.checks.measure.relation import Letters, side
from oubli.checks.measure.source import Instance, Source, linear, log, row_by_row, whole
from oubli.checks.measure.trivial import ABOVE, MU, private_noise
from oubli.sim.algorithms import NoiseAndFineTunePrinted
from oubli.sim.problems.problem import Problem, hard_problem, synthetic_problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Counts
from oubli.sim.runs.expected import expected
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Constant
from oubli.sim.runs.start_law import StartLaw


@dataclass(frozen=True)
class NoisyConstant:
    """theta* plus noise of scale sigma, projected, then steps a/mu: what the theorem is about."""

    sigma: float
    a: float

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        steps = np.full(np.shape(horizon), self.a)
        return Recipe(centre=1.0, sigma=self.sigma, projected=True, schedule=Constant(steps))


def _problem(row: Instance) -> Problem:
    return hard_problem(row["gamma"], row["r"], int(row["d"]), row["L"], row["mu"])


def spread_of(problem: Problem, sigma: float, radius: float) -> float:
    """E|start - theta_r*|^2 for theta* plus noise, projected on a ball of this radius."""
    star, best = problem.full_optimum.point[0], problem.retain_optimum.point[0]
    sign = -1.0 if star < 0 else 1.0
    first = StartLaw(abs(star), sigma, problem.d, radius).moments()
    return float(first.variance + (first.mean - sign * best) ** 2 + (problem.d - 1) * first.across)


def expectation_letters(row: Instance) -> dict[str, Pair | float]:
    """Unprojected noise kappa R_1 with R_1 >= D: the mean square distance from theta_r*."""
    problem = _problem(row)
    D = float(np.linalg.norm(problem.full_optimum.point - problem.retain_optimum.point))
    R_1 = max(D * (1 + row["room"]), 1e-9)
    sigma = row["kappa"] * R_1
    return {
        **{n: row[n] for n in ("L", "mu", "r", "d", "kappa")},
        "D": D,
        "R_1": R_1,
        "D_printed": spread_of(problem, sigma, math.inf),
    }


def steps_letters(row: Instance) -> dict[str, Pair | float]:
    """The projected algorithm at the step size of its record, any T: exact expected risk."""
    problem, r = _problem(row), row["r"]
    setup = problem.setup(row["epsilon"], row["delta"], int(row["T"]))
    b = math.sqrt(setup.d) * setup.kappa * ABOVE * 2 / (1 + r)
    q = math.sqrt(1 + b**2)
    sigma, size = (
        setup.kappa * 2 * r * setup.L / ((1 + r) * setup.mu),
        r * q / (setup.mu * math.sqrt(setup.T)),
    )
    private_noise(setup, sigma)
    # Closed forms need steps of at most 1/mu; a longer one is no case.
    rule = NoisyConstant(sigma, min(setup.mu * size, 1.0))
    excess = float(expected(rule, problem, setup, np.array([setup.T])).excess[0])
    e0 = row["L"] ** 2 / (8 * row["mu"])
    # The least target that T steps are promised for; a step above 1/mu is no case.
    e = 8 * r * q * e0 / math.sqrt(setup.T)
    late = excess > e + 1e-8 * e0 and setup.mu * size <= 1
    return {
        **{n: row[n] for n in ("L", "mu", "r", "d", "T", "epsilon", "delta")},
        "e": e,
        "kappa": setup.kappa * ABOVE,
        "b_noise": b,
        "q_noise": q,
        "gamma_step": size,
        # One algorithm that unlearns: the least time of those that do is at most its own.
        "T_U": float(setup.T + late),
    }


def printed_letters(row: Instance) -> dict[str, Pair | float]:
    """Algorithm 2 as printed on kinked losses in d = 2, at a target just below its starting risk.

    T^S is at most 16 e0/e, by the record of the retraining lemma.
    """
    problem = synthetic_problem(row["gamma"], row["r"], 2, row["L"], row["mu"])
    setup = problem.setup(row["epsilon"], row["delta"], 0)
    rule = NoiseAndFineTunePrinted()

    def risk(T: int) -> float:
        return float(expected(rule, problem, setup, np.array([T])).excess[0])

    e = row["below"] * risk(0)
    return {
        **{n: row[n] for n in ("L", "mu", "r", "epsilon", "delta")},
        "d": 2.0,
        "kappa": setup.kappa,
        "e": e,
        "T_U": float(first_below(risk, e, 10**12)),
        "T_S": math.floor(2 * row["L"] ** 2 / (row["mu"] * e)),
    }


def first_below(risk: Callable[[int], float], e: float, most: int) -> int:
    """The first T >= 1 with risk at most e, where the risk falls in T from 1 on.

    >>> first_below(lambda T: 1 / T, 0.1, 1000)
    10
    """
    low, high = 0, 1
    while high < most and risk(high) > e:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if risk(middle) <= e else (middle, high)
    return high


def time_letters(row: Instance) -> dict[str, Pair | float]:
    """How many gradients the explicit algorithm needs for e; T^S as small as its record allows."""
    problem, r, L, mu = _problem(row), row["r"], row["L"], row["mu"]
    setup = problem.setup(row["epsilon"], row["delta"], 0)
    e = row["share"] * L**2 / (8 * mu)
    b = math.sqrt(setup.d) * setup.kappa * 2 / (1 + r)
    N = 64 * r**2 * (1 + b**2) / row["share"] ** 2
    sigma = setup.kappa * 2 * r * L / ((1 + r) * mu)

    def reaches(T: int) -> bool:
        a = min(r * math.sqrt(1 + b**2) / math.sqrt(max(T, 1)), 1.0)
        return bool(expected(NoisyConstant(sigma, a), problem, setup, np.array([T])).excess[0] <= e)

    rounded = math.ceil(N)
    # The first of a few numbers of steps that reaches e: the theorem promises the last one.
    tried = [0, *(T for T in (rounded // 64, rounded // 8) if T >= 1), rounded]
    time = next((T for T in tried if reaches(T)), tried[-1] + 1)
    return {
        **{n: row[n] for n in ("L", "mu", "r", "d", "epsilon", "delta")},
        "kappa": setup.kappa,
        "b_noise": b,
        "q_noise": math.sqrt(1 + b**2),
        "e": e,
        "N_steps": N,
        "T_U": float(time),
        "T_S": float(max(math.ceil(least_scratch(L, mu, e)), 1)),
    }


def level_letters(row: Instance) -> dict[str, Pair | float]:
    """The same at the smallest level gamma that the corollary allows for e, or a larger one below 1."""
    found = time_letters(row)
    at_one = {n: np.array([float(np.atleast_1d(v)[0])]) for n, v in found.items()} | {
        "gamma_level": np.ones(1)
    }
    needed = float(side(statement(EFFICIENT_LEVEL).given[0].relation, "e", Letters(at_one))[0])
    level = needed / float(np.atleast_1d(found["e"])[0]) * (1 + row["room"])
    return {**found, "gamma_level": level if level < 1 else 0.5, "valid": float(level < 1)}


def least_scratch(L: float, mu: float, e: float) -> float:
    """The smallest T^S, from the record of the retraining lemma."""
    letters = Letters({"L": np.array([L]), "mu": np.array([mu]), "e": np.array([e])})
    return float(side(statement(LEAST_SCRATCH).says, "T", letters)[0])


_hard = {"L": named("L"), "mu": MU, "r": log(1e-4, 0.99, (0.25, 0.5)), "gamma": linear(-1, 1, (0.0,))}
EXPECTATION = Source(
    "noisy starts",
    {**_hard, "d": whole(1, 60), "kappa": log(1e-2, 10, (0.0,)), "room": log(1e-6, 10, (0.0,))},
    row_by_row(expectation_letters),
    1024,
)
STEPS = Source(
    "noise and constant steps",
    {**_hard, "d": whole(1, 2), "epsilon": log(1e-2, 1), "delta": log(1e-10, 0.5), "T": whole(1, 10**5)},
    row_by_row(steps_letters),
    384,
)
PRINTED = Source(
    "Algorithm 2 as printed",
    {
        "L": named("L"),
        "mu": MU,
        "r": log(1e-8, 1e-2),
        "epsilon": log(0.5, 5, (1.0,)),
        "delta": log(1e-3, 0.5),
        "below": linear(0.5, 0.9),
        "gamma": linear(0.2, 0.8, (0.5,)),
    },
    row_by_row(printed_letters),
    32,
)
TIME = Source(
    "times of the explicit algorithm",
    {**_hard, "d": whole(1, 2), "epsilon": log(1e-1, 1), "delta": log(1e-6, 0.5), "share": log(1e-2, 0.999)},
    row_by_row(time_letters),
    96,
)
LEVEL = Source(
    "times at a level gamma",
    {**TIME.space, "r": log(1e-7, 1e-3), "d": whole(1, 2), "room": log(1e-3, 10, (0.0,))},
    row_by_row(level_letters),
    64,
)
