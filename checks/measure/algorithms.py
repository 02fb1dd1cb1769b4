"""Letters of the algorithms: weights they average with, what a step keeps, exact expected risks."""

import numpy as np

from oubli.checks.measure.axes import axes_of, named
from oubli.checks.measure.chains import ConstantSteps, driven, enumerated
from oubli.checks.measure.problems import Pair, problem_of, space
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import (
    Batch,
    Instance,
    Source,
    choice,
    fixed,
    linear,
    log,
    quietly,
    row_by_row,
    whole,
)
from oubli.sim.algorithms import (
    FineTuneWithoutNoise,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoiseAndFineTunePrinted,
    NoisyProjectedSGD,
    OutputZero,
    ProjectedNoise,
    RandomisedResponse,
    RareLeak,
    ScratchSGD,
)
from oubli.sim.algorithms.printed import Sums
from oubli.sim.losses.families import hard
from oubli.sim.problems.problem import hard_problem
from oubli.sim.problems.setup import Setup
from oubli.sim.runs.expected import expected

ZOO = (
    ScratchSGD(),
    NoiseAndFineTunePrinted(),
    NoiseAndFineTuneCharitable(),
    NoiseAndFineTuneConstantStep(),
    FineTuneWithoutNoise(),
    ProjectedNoise(),
    OutputZero(),
    NoisyProjectedSGD(),
    RareLeak(),
    RandomisedResponse(),
)


def weight_letters(row: Instance) -> dict[str, Pair | float]:
    """What the averages give to iterates that are all 1: the sum of their weights, before the factor."""
    T = int(row["T"])
    setup = Setup(L=8.0, mu=1.0, r_f=0.1, d=1, eps=1.0, delta=1e-5, T=T)
    rng, one = np.random.default_rng(0), np.ones((1, 1))
    scratch, printed = ScratchSGD(), NoiseAndFineTunePrinted()
    total, both = one, Sums(one, one)
    for t in range(T):
        _, total = scratch.step(t, one, 0 * one, total, setup, rng)
        _, both = printed.step(t, one, 0 * one, both, setup, rng)
    factor = (T + 1) * (T + 2) / 2
    return {
        "T": row["T"],
        "S_next": float(scratch.release(one, total, setup, rng)[0, 0]) * factor,
        "S_T": float(printed.release(one, both, setup, rng)[0, 0]) * factor,
    }


def warm_letters(row: Instance) -> dict[str, Pair | float]:
    """How much of its start a step keeps: two starts, one step, the quotient of the distances."""
    L, mu, t = row["L"], row["mu"], int(row["t"])
    setup = Setup(L=L, mu=mu, r_f=0.1, d=1, eps=1.0, delta=1e-5, T=t + 1)
    theta = np.array([[0.5], [-0.25]]) * setup.R
    grad = hard(0.5, 1, L, mu).gradient(theta)
    rng = np.random.default_rng(0)
    rule = NoiseAndFineTunePrinted()
    moved, _ = rule.step(t - 1, theta, grad, rule.start(theta, setup, rng)[1], setup, rng)
    return {"mu": mu, "t": row["t"], "weight_t": float((moved[0] - moved[1])[0] / (theta[0] - theta[1])[0])}


def kept_letters(row: Instance) -> dict[str, Pair | float]:
    """The same for a constant step of at most 1/(2 mu)."""
    L, mu = row["L"], row["mu"]
    size = row["share"] / (2 * mu)
    theta = np.array([[0.5], [-0.25]]) * L / (2 * mu)
    moved = theta - size * hard(0.5, 1, L, mu).gradient(theta)
    return {
        "mu": mu,
        "gamma_step": size,
        "weight_t": float((moved[0] - moved[1])[0] / (theta[0] - theta[1])[0]),
    }


def noise_letters(batch: Batch) -> Letters:
    """The noise that Algorithm 2 adds, over L/mu and r: its kappa."""
    return Letters(dict(batch))


def rate_letters(row: Instance) -> dict[str, Pair | float]:
    """Scratch SGD on the hard family: the exact expected risk of the average, any T."""
    problem = hard_problem(row["gamma"], 0.1, int(row["d"]), row["L"], row["mu"])
    setup = problem.setup(1.0, 1e-5, int(row["T"]))
    excess = expected(ScratchSGD(), problem, setup, np.array([setup.T])).excess[0]
    return {"L": row["L"], "mu": row["mu"], "T": row["T"], "G_retrain": float(excess)}


def every_letters(row: Instance) -> dict[str, Pair | float]:
    """Scratch SGD on any problem: all sequences of samples, exactly."""
    problem = problem_of(row)
    setup = problem.setup(1.0, 1e-5, int(row["T"]))
    runs, best = enumerated(ScratchSGD(), problem, setup), problem.retain_optimum
    return {
        "L": row["L"],
        "mu": row["mu"],
        "T": row["T"],
        "G_retrain": (runs.mean(problem.excess_risk(runs.output)), best.gap),
    }


def constant_letters(row: Instance) -> dict[str, Pair | float]:
    """Projected constant steps from a point of the ball on any problem, exactly."""
    problem, size = problem_of(row), row["gamma_step"] / row["mu"]
    setup, best = problem.setup(1.0, 1e-5, int(row["T"])), problem.retain_optimum
    at = row["at"] * setup.R * np.eye(problem.d)[0]
    runs = enumerated(ConstantSteps(size, at), problem, setup)
    away = float(np.sum((at - best.point) ** 2))
    return {
        "L": row["L"],
        "mu": row["mu"],
        "T": row["T"],
        "gamma_step": size,
        "D_average_first": (away, 4 * setup.R * best.distance),
        "G_average": (runs.mean(problem.excess_risk(runs.output)), best.gap),
    }


def same_letters(row: Instance) -> dict[str, Pair | float]:
    """Two runs that share start, signs and seed: their laws differ no more than such runs do."""
    rule, d = ZOO[int(row["rule"])], int(row["d"])
    signs = np.sign(np.random.default_rng(int(1e6 * row["signs"])).random(int(row["T"])) - 0.5)
    setup = Setup(row["L"], row["mu"], 0.1, d, 1.0, 1e-5, len(signs))
    star = row["at"] * setup.R * np.eye(d)[0]
    first, second = (driven(rule, signs, star, setup, int(row["T"])) for _ in range(2))
    values = {"L": row["L"], "mu": row["mu"], "r": setup.r_f, "T": row["T"]}
    values |= {"m_1": 0.0, "m_2": 0.0, "f_1": row["at"], "f_2": row["at"]}
    return {**values, "tau_coins": 0.0, "tau_12": float(np.any(first != second))}


_base = axes_of("L mu")
WEIGHTS = Source("averaging weights", {"T": whole(1, 300)}, row_by_row(weight_letters), 1024)
WARM = Source("steps of Algorithm 2", {**_base, "t": whole(1, 1000)}, row_by_row(warm_letters), 1024)
KEPT = Source("short constant steps", {**_base, "share": linear(0, 1)}, row_by_row(kept_letters), 1024)
NOISE = Source("noise of Algorithm 2", {**_base, "r": named("r"), "kappa": log(0.1, 10)}, noise_letters, 1024)
RATE = Source(
    "scratch SGD on the hard family",
    {
        "L": named("L"),
        "mu": log(0.1, 1),
        "T": whole(0, 10**6),
        "gamma": linear(-1, 1, (0.0,)),
        "d": whole(1, 50),
    },
    row_by_row(rate_letters),
)
EVERY = Source(
    "scratch SGD on any problem",
    {**space(7, whole(1, 3)), "r": fixed(0.1), "T": whole(0, 6)},
    row_by_row(quietly(every_letters)),
    512,
)
CONSTANT = Source(
    "constant steps on any problem",
    {
        **space(7, whole(1, 3)),
        "r": fixed(0.1),
        "T": whole(1, 6),
        "gamma_step": log(1e-3, 10, (1.0,)),
        "at": linear(-1, 1),
    },
    row_by_row(quietly(constant_letters)),
    1024,
)
SAME = Source(
    "two runs with the same signs",
    {
        **_base,
        "rule": choice(len(ZOO)),
        "d": whole(1, 3),
        "T": whole(0, 6),
        "signs": linear(0, 1),
        "at": linear(-1, 1),
    },
    row_by_row(same_letters),
)
