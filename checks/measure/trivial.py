"""Letters of the trivial regime: noise alone, and every rule that uses no gradient."""

import numpy as np

from oubli.checks.measure.axes import axes_of, named
from oubli.checks.measure.confidence import mean_interval
from oubli.checks.measure.problems import Pair, problem_of, space
from oubli.checks.measure.records import SENSITIVITY, SENSITIVITY_LINE, statement
from oubli.checks.measure.relation import Letters, NotMeasuredError, side
from oubli.checks.measure.source import (
    Axis,
    Batch,
    Instance,
    Source,
    each,
    fixed,
    linear,
    log,
    quietly,
    row_by_row,
    whole,
)
from oubli.sim.algorithms import ProjectedNoise
from oubli.sim.losses.families import kink, quadratic
from oubli.sim.problems.problem import hard_problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.expected import expected
from oubli.sim.runs.run import run

# The records ask for at least the classical kappa, which is rounded here.
ABOVE = 1 + 1e-12
# The closed forms of the simulator are used for mu <= 1 only.
MU = log(0.1, 1)
RUNS, CHAINS = 64, 4000
# The deep profile draws twenty times as many, and a barren source is asked again: the level covers them all.
COMPARISONS = 256 * RUNS


def floor_letters(batch: Batch) -> Letters:
    """A gradient-free rule that releases one of two points, on both problems that share theta*."""
    L, mu, r = batch["L"], batch["mu"], batch["r"]
    R = L / (2 * mu)
    star = R * (1 - 2 * r)
    points = [np.clip(star + 2 * (R - star) * batch[n], -R, R) for n in ("first", "second")]
    share = batch["share"]
    risks = [_both_risks(point, star, R, L, mu) for point in points]
    mean_a, mean_b = (share * risks[0][k] + (1 - share) * risks[1][k] for k in (0, 1))
    values = {
        "L": L,
        "mu": mu,
        "r": r,
        "M_free": np.maximum(mean_a, mean_b),
        "M_0": np.maximum(mean_a, mean_b),
    }
    return Letters(values, dict.fromkeys(("M_free", "M_0"), 1e-14 * L**2 / mu))


def _both_risks(at: Array, star: Array, R: Array, L: Array, mu: Array) -> tuple[Array, Array]:
    """Excess risks in problem A (centred at R) and B (kink at theta*), from the simulator's losses."""
    rows = zip(at, star, R, L, mu, strict=True)
    found = np.array([[_in_a(x, r, m), _in_b(x, s, c, m)] for x, s, r, c, m in rows])
    return found[:, 0], found[:, 1]


def _in_a(at: float, R: float, mu: float) -> float:
    values = quadratic(np.array([R]), mu).value(np.array([[at], [R]]))
    return float(values[0] - values[1])


def _in_b(at: float, star: float, L: float, mu: float) -> float:
    values = kink(star, -L / 2, L / 2, 1, mu).value(np.array([[at], [star]]))
    return float(values[0] - values[1])


def private_noise(setup: Setup, sigma: float) -> None:
    """NotMeasuredError unless the noise of a rule is at least what the record of the sensitivity asks for."""
    record = SENSITIVITY_LINE if setup.d == 1 else SENSITIVITY
    class_ = {"L": setup.L, "mu": setup.mu, "r": setup.r_f}
    apart = side(statement(record).says, "D_optima", Letters({n: np.array([v]) for n, v in class_.items()}))
    if sigma < setup.kappa * float(apart[0]) * (1 - 1e-12):
        raise NotMeasuredError(
            f"noise {sigma:.6g} is less than kappa times the sensitivity {float(apart[0]):.6g}"
        )


def noise_letters(row: Instance) -> dict[str, Pair | float]:
    """Projected noise on the hard family: its exact risk, without a gradient."""
    problem = hard_problem(row["gamma"], row["r"], int(row["d"]), row["L"], row["mu"])
    setup = problem.setup(row["epsilon"], row["delta"], 0)
    rule = ProjectedNoise()
    private_noise(setup, rule.recipe(setup, np.array([0])).sigma)
    excess = float(expected(rule, problem, setup, np.array([0])).excess[0])
    return {
        **{n: row[n] for n in ("L", "mu", "r", "d", "epsilon", "delta")},
        "kappa": setup.kappa * ABOVE,
        # One rule: the least worst risk of those that are private is at most its own.
        "M_0": (excess, 1e-8 * row["L"] ** 2 / row["mu"]),
    }


def run_letters(row: Instance) -> dict[str, Pair | float]:
    """Projected noise on any problem, by many chains, at the stated confidence."""
    problem = problem_of(row)
    setup = problem.setup(row["epsilon"], row["delta"], 0)
    rule, bound = ProjectedNoise(), 2 * problem.L * setup.R
    private_noise(setup, rule.recipe(setup, np.array([0])).sigma)
    outputs = run(rule, problem, setup, CHAINS, seed=int(row["seed"])).outputs[0]
    risks = np.clip(problem.excess_risk(outputs), 0.0, bound)
    interval = mean_interval(risks, 0.0, bound, COMPARISONS)
    return {
        **{n: row[n] for n in ("L", "mu", "r", "d", "epsilon", "delta")},
        "kappa": setup.kappa * ABOVE,
        "M_0": (float(risks.mean()), (interval.high - interval.low) / 2 + problem.retain_optimum.gap),
    }


def _noisy(dimensions: Axis) -> dict[str, Axis]:
    return {
        "L": named("L"),
        "mu": MU,
        "r": log(1e-4, 0.99, (0.25, 0.5)),
        "d": dimensions,
        "gamma": linear(-1, 1, (0.0,)),
        "epsilon": log(1e-2, 1),
        "delta": log(1e-10, 0.5),
    }


FLOOR = Source(
    "gradient-free rules",
    {**axes_of("L mu r"), **each(linear(-1, 1, (0.0,)), "first second"), "share": linear(0, 1)},
    floor_letters,
)
NOISE = Source("projected noise", _noisy(whole(2, 4)), row_by_row(noise_letters), 256)
NOISE_LINE = Source("projected noise on the line", _noisy(fixed(1)), row_by_row(noise_letters), 1024)
NOISE_RUN = Source(
    "projected noise, simulated",
    {
        **space(7, whole(2, 4)),
        "r": log(1e-3, 0.9),
        "epsilon": log(0.1, 1),
        "delta": log(1e-6, 0.5),
        "seed": whole(0, 10**6),
    },
    row_by_row(quietly(run_letters)),
    RUNS,
    confidence=1 - 1e-6,
)
