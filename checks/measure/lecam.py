"""Letters of the lower bounds: exact output laws of named algorithms on the hard family, and times."""

import math
from collections.abc import Mapping
from itertools import product

import numpy as np
from scipy.special import ndtr

from oubli.checks.measure.axes import named
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.records import INEFFICIENT, statement
from oubli.checks.measure.relation import Letters, side
from oubli.checks.measure.source import Instance, Source, choice, fixed, linear, log, row_by_row, whole
from oubli.checks.measure.trivial import MU
from oubli.sim.algorithms import (
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    ProjectedNoise,
    ScratchSGD,
)
from oubli.sim.laws import binomial_tv_gamma
from oubli.sim.problems.problem import Problem, hard_problem
from oubli.sim.runs.expected import HasRecipe, expected
from oubli.sim.runs.schedules import Decreasing

Finite = Mapping[float, float]
RULES = ("zero", "rare leak", "randomised response", "scratch", "release theta*")


def _star(gamma: float, row: Instance) -> float:
    star = float(hard_problem(gamma, row["r"], 1, row["L"], row["mu"]).full_optimum.point[0])
    # A rounding is not a sign: rules that look at the sign of theta* must not see it.
    return star if abs(star) > 1e-12 * row["L"] / row["mu"] else 0.0


def output_law(gamma: float, row: Instance, T: int) -> Finite:
    """The law of a rule's output on the hard problem of mean gamma, on the line."""
    R, star = row["L"] / (2 * row["mu"]), _star(gamma, row)
    truth = 1 / (1 + math.exp(-row["eps"]))
    up = truth if star > 0 else 1 - truth
    laws = (
        lambda: {0.0: 1.0},
        lambda: _merged([(star, row["delta"]), (0.0, 1 - row["delta"])]),
        lambda: {R: up, -R: 1 - up},
        lambda: _scratch_law(gamma, T, R),
        lambda: {star: 1.0},
    )
    return laws[int(row["rule"])]()


def _scratch_law(gamma: float, T: int, R: float) -> Finite:
    weights = Decreasing().sign_weights(np.array(T), np.arange(T))
    chance = {1.0: (1 + gamma) / 2, -1.0: (1 - gamma) / 2}
    return _merged(
        [
            (R * float(weights @ np.array(signs)) if T else 0.0, math.prod(chance[s] for s in signs))
            for signs in product((1.0, -1.0), repeat=T)
        ]
    )


def _merged(pairs: list[tuple[float, float]]) -> Finite:
    found: dict[float, float] = {}
    for value, p in pairs:
        key = round(value, 13)
        found[key] = found.get(key, 0.0) + p
    return found


def variation(P: Finite, Q: Finite) -> float:
    """Total variation of two finite laws.

    >>> variation({0.0: 1.0}, {0.0: 0.5, 1.0: 0.5})
    0.5
    """
    return sum(max(p - Q.get(x, 0.0), 0.0) for x, p in P.items())


def shared(P: Finite, Q: Finite) -> Finite:
    """What two finite laws have in common, as a law; the first of them if they have nothing.

    >>> shared({0.0: 1.0}, {0.0: 0.5, 1.0: 0.5})
    {0.0: 1.0}
    """
    both = {x: min(p, Q.get(x, 0.0)) for x, p in P.items()}
    mass = sum(both.values())
    return {x: p / mass for x, p in both.items()} if mass > 0 else P


def _mean(law: Finite) -> float:
    return sum(x * p for x, p in law.items())


def jensen_letters(row: Instance) -> dict[str, Pair | float]:
    """The two mean square errors of a finite rule, and the mean of the output that both laws share."""
    L, mu, m_2 = row["L"], row["mu"], row["share"] * row["gamma"]
    R, means = L / (2 * mu), (row["gamma"], m_2)
    laws = [output_law(m, row, int(row["T"])) for m in means]
    centre = _mean(shared(*laws))
    far = [sum((R * m - x) ** 2 * p for x, p in law.items()) for m, law in zip(means, laws, strict=True)]
    found = {"W_first": far[0], "W_larger": max(far), "W_mean": (R * means[0] - centre) ** 2, "W_off": 0.0}
    letters: dict[str, Pair | float] = {name: (x, 1e-13 * R**2) for name, x in found.items()}
    return {"L": L, "mu": mu, "m_1": means[0], "m_2": m_2, "tau_12": (variation(*laws), 1e-13), **letters}


def _risk(law: Finite, problem: Problem) -> float:
    points = np.array([[x] for x in law])
    return float(problem.excess_risk(points) @ np.array(list(law.values())))


def claimed(row: Instance) -> tuple[float, float]:
    """(eps, delta) of a rule; releasing theta* claims nothing, and delta = 1 - 1e-12 says so."""
    table = ((0.0, 0.0), (0.0, row["delta"]), (row["eps"], 0.0), (0.0, 0.0), (0.0, 1.0))
    eps, delta = table[int(row["rule"])]
    return max(eps, 1e-13), min(max(delta, 1e-13), 1 - 1e-12)


def finite_letters(row: Instance) -> dict[str, Pair | float]:
    """Risks and total variations of a finite rule on the problems of mean gamma, -gamma and 0."""
    gamma, L, mu, T = row["gamma"], row["L"], row["mu"], int(row["T"])
    laws = {g: output_law(g, row, T) for g in (gamma, -gamma, 0.0)}
    risks = [_risk(laws[g], hard_problem(g, row["r"], 1, L, mu)) for g in (gamma, -gamma)]
    eps, delta = claimed(row)
    rounding = 1e-13 * L**2 / mu
    tau_0 = max(variation(laws[gamma], laws[0.0]), variation(laws[-gamma], laws[0.0]))
    return {
        **{n: row[n] for n in ("L", "mu", "r", "gamma", "T")},
        "epsilon": eps,
        "delta": delta,
        "m_1": gamma,
        "m_2": -gamma,
        "M_1": (risks[0], rounding),
        "M_2_own": (risks[1], rounding),
        **dict.fromkeys(("M", "M_any"), (max(risks), rounding)),
        **dict.fromkeys(("tau_12", "tau_pair"), (variation(laws[gamma], laws[-gamma]), 1e-13)),
        **dict.fromkeys(("tau_0", "tau_zero"), (tau_0, 1e-13)),
        "h_output": 0.0,
    }


def gaussian_letters(row: Instance) -> dict[str, Pair | float]:
    """Projected noise on the line without a gradient: clipped normal laws, exactly."""
    gamma, problem = row["gamma"], hard_problem(row["gamma"], row["r"], 1, row["L"], row["mu"])
    setup, rule = problem.setup(row["eps"], row["delta"], 0), ProjectedNoise()
    sigma = rule.recipe(setup, np.array([0])).sigma
    star = float(problem.full_optimum.point[0])
    risk = float(expected(rule, problem, setup, np.array([0])).excess[0])
    # Between ±star the likelihoods cross at 0, inside the ball: clipping loses nothing.
    apart, half = (float(2 * ndtr(gap / (2 * sigma)) - 1) for gap in (2 * star, star))
    error = 1e-8 * row["L"] ** 2 / row["mu"]
    return {
        **{n: row[n] for n in ("L", "mu", "r", "gamma")},
        "T": 0.0,
        "epsilon": row["eps"],
        "delta": row["delta"],
        "m_1": gamma,
        "m_2": -gamma,
        "M_1": (risk, error),
        "M_2_own": (risk, error),
        **dict.fromkeys(("M", "M_any"), (risk, error)),
        "tau_12": (apart, 1e-13),
        "tau_zero": (half, 1e-13),
        "h_output": 0.0,
    }


def lower_letters(row: Instance) -> dict[str, Pair | float]:
    """Scratch SGD on the problems of mean ±c_1/sqrt(T): its exact risk, and the TV of the sums of signs."""
    T, c = int(row["T"]), row["c_scratch"]
    gamma = c / math.sqrt(T)
    problem = hard_problem(gamma, 0.1, 1, row["L"], row["mu"])
    risk = float(expected(ScratchSGD(), problem, problem.setup(1.0, 1e-5, T), np.array([T])).excess[0])
    tau = float(binomial_tv_gamma(T, 0.0, gamma))
    both = float(binomial_tv_gamma(T, -gamma, gamma))
    return {
        **{n: row[n] for n in ("L", "mu", "T")},
        "gamma": gamma,
        "c_scratch": c,
        "M_scratch": (risk, 1e-13 * row["L"] ** 2 / row["mu"]),
        "tau": (tau, 1e-13),
        "tau_scratch": (both, 1e-13),
    }


GRID = np.unique(np.round(np.geomspace(1, 10**6, 60)).astype(int))
TIMED: tuple[HasRecipe, ...] = (ScratchSGD(), NoiseAndFineTuneConstantStep(), NoiseAndFineTuneCharitable())


def time_letters(row: Instance) -> dict[str, Pair | float]:
    """How many gradients a named rule needs on the pair of problems that the proof takes."""
    L, mu, r = row["L"], row["mu"], row["r"]
    e = row["share"] * min(L**2 / (24 * mu), _largest_target(row))
    gamma = math.sqrt(3 * e / (L**2 / (8 * mu)))
    problem = hard_problem(min(gamma, 1.0), r, 1, L, mu)
    setup = problem.setup(row["epsilon"], row["delta"], 0)
    rule = TIMED[int(row["rule"])]
    risks = expected(rule, problem, setup, GRID).excess
    # Any T that reaches e is a case; where no closed form exists the risk counts as too large.
    reached = np.flatnonzero(np.nan_to_num(risks, nan=np.inf) <= e)
    time = GRID[reached[0]] if len(reached) else GRID[-1]
    T = float(time)
    rho = r / (1 - r)
    hops = math.ceil(max((1 - r) * gamma - r, 0.0) / (2 * r))
    return {
        **{n: row[n] for n in ("L", "mu", "r", "epsilon", "delta")},
        "e": e,
        "M": e,
        "gamma": gamma,
        "y_ratio": gamma / rho,
        "K": float(hops),
        "T": T,
        "T_U": T,
        "T_S": 2 * L**2 / (mu * e),
        "valid": float(len(reached) > 0),
    }


def _largest_target(row: Instance) -> float:
    """The largest e that the repaired theorem speaks about, from its record."""
    asked = next(f.relation for f in statement(INEFFICIENT).given if str(f.relation).startswith("e <= L"))
    return float(
        side(asked, "e", Letters({n: np.array([row[n]]) for n in ("L", "mu", "r", "epsilon", "delta")}))[0]
    )


_hard = {"L": named("L"), "mu": MU, "r": log(1e-4, 0.9, (0.25, 0.5)), "gamma": linear(0, 1, (0.5,))}
_budget = {"eps": log(1e-3, 5, (1.0,)), "delta": log(1e-8, 0.9)}
FINITE = Source(
    "finite rules on the hard family",
    {**_hard, **_budget, "rule": choice(len(RULES)), "T": whole(0, 7)},
    row_by_row(finite_letters),
    1024,
)
SHARED = Source(
    "what two finite rules share",
    {**_hard, **_budget, "share": linear(-1, 1, (0.0,)), "rule": choice(len(RULES)), "T": whole(0, 7)},
    row_by_row(jensen_letters),
    1024,
)
PRIVATE = Source(
    "private finite rules",
    {**_hard, **_budget, "rule": choice(len(RULES) - 1), "T": whole(0, 7)},
    row_by_row(finite_letters),
    1024,
)
CLIPPED = Source(
    "clipped normal laws",
    {**_hard, "eps": log(1e-2, 1), "delta": log(1e-8, 0.5)},
    row_by_row(gaussian_letters),
    512,
)
LOWER = Source(
    "scratch SGD at its worst pair",
    {"L": named("L"), "mu": MU, "T": whole(1, 10**6), "c_scratch": linear(1e-3, 1, (0.42,))},
    row_by_row(lower_letters),
    1024,
)
BEST = Source(
    "scratch SGD at its worst pair, c_1 = 21/50",
    {"L": named("L"), "mu": MU, "T": whole(1, 10**6), "c_scratch": fixed(0.42)},
    row_by_row(lower_letters),
    1024,
)
TIMES = Source(
    "times on the hard pair",
    {
        "L": named("L"),
        "mu": MU,
        "r": log(0.15, 0.9),
        "epsilon": log(1e-3, 1),
        "delta": log(1e-6, 1e-3),
        "share": log(1e-2, 1),
        "rule": choice(len(TIMED)),
    },
    row_by_row(time_letters),
    1024,
)
