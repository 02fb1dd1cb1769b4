"""Two independent computations of one number: record, simulator, exact law, enumeration."""

from itertools import product

import numpy as np

from oubli.checks.measure.chains import enumerated
from oubli.checks.measure.confidence import mean_interval
from oubli.checks.measure.losses import FAMILY, hard_square, synthetic_square
from oubli.checks.measure.privacy import leaked
from oubli.checks.measure.records import CLASSICAL_NOISE, HARD_FAMILY, INEFFICIENT_STEP, SYNTHETIC, statement
from oubli.checks.measure.relation import ROUNDING, Letters, numeric, side
from oubli.sim.algorithms import NoisyProjectedSGD, ProjectedNoise, ScratchSGD
from oubli.sim.algorithms.registry import made, named_algorithms
from oubli.sim.problems.problem import hard_problem
from oubli.sim.runs.expected import expected
from oubli.sim.runs.run import BLOCK, run

CHAINS = 20_000
PAIRS = ((0.5, 0.1, 4), (1.0, 0.25, 2), (0.3, 0.05, 8))


def small_side(key: str, letters: Letters) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The left side of a claim at some letters, from its record."""
    return numeric(statement(key).says).at(letters).small


def families_agree(cases: int = 200) -> int:
    """The records' squared gradients of both families are the simulator's; the number of points."""
    rng = np.random.default_rng(0)
    batch = {name: axis.draw(rng, cases) for name, axis in FAMILY.space.items()}
    batch["d"] = np.clip(batch["d"], 1, 20)
    for k in range(cases):
        row = {n: float(v[k]) for n, v in batch.items()}
        near(float(small_side(HARD_FAMILY, FAMILY.letters(row))[0]), hard_square(row))
        # At 0 the kinks have no sign: the record speaks of points off the axes.
        inside = {**row, "radius": max(row["radius"], 0.01)}
        aligned = {**inside, "turn": 0.0, "d": 2 * row["d"]}
        near(float(small_side(SYNTHETIC, FAMILY.letters(aligned))[0]), synthetic_square(inside))
    return cases


def gauss_agrees(cases: int = 2000) -> int:
    """The record's delta of the classical noise is the exact law's, where floats can evaluate the record."""
    rng = np.random.default_rng(1)
    eps, delta = 10 ** rng.uniform(-1, 1, cases), 10 ** rng.uniform(-6, -0.1, cases)
    record = small_side(CLASSICAL_NOISE, Letters({"epsilon": eps, "delta": delta}))
    exact = leaked(eps, delta)
    worst = float(np.max(np.abs(record - exact) / exact))
    if worst > 1e-7:
        raise AssertionError(f"the record's delta and the exact law differ by {worst:.2e}")
    return cases


def closed_forms_agree() -> int:
    """Expected risks in closed form are those of every sequence of samples; the number of cases compared."""
    compared = 0
    for gamma in (-1.0, -0.3, 0.0, 0.5, 1.0):
        for T in range(7):
            problem = hard_problem(gamma, 0.2, 2, 1.0, 0.5)
            setup = problem.setup(1.0, 1e-5, T)
            runs = enumerated(ScratchSGD(), problem, setup)
            closed = expected(ScratchSGD(), problem, setup, np.array([T])).excess[0]
            near(float(closed), runs.mean(problem.excess_risk(runs.output)), scale=1.0)
            compared += 1
    return compared


def blocks_differ() -> int:
    """Chains of different blocks, and runs of different seeds, do not share their randomness."""
    problem = hard_problem(0.3, 0.1, 1, 1.0, 1.0)
    setup = problem.setup(1.0, 1e-5, 4)
    outputs = [run(NoisyProjectedSGD(), problem, setup, 2 * BLOCK, seed=s).outputs[0] for s in (1, 2)]
    if np.array_equal(outputs[0][:BLOCK], outputs[0][BLOCK:]) or np.array_equal(*outputs):
        raise AssertionError("two blocks or two seeds gave the same chains")
    if len(np.unique(outputs[0])) < BLOCK:
        raise AssertionError("chains within a block repeat")
    return 2 * BLOCK


def simulated_noise_agrees() -> int:
    """The mean risk of simulated projected noise is its closed form, at the stated confidence; the chains."""
    comparisons = 0
    for r, delta in product((0.02, 0.1), (1e-2, 0.1)):
        problem = hard_problem(0.5, r, 1, 1.0, 1.0)
        setup = problem.setup(1.0, delta, 0)
        exact = expected(ProjectedNoise(), problem, setup, np.array([0])).excess[0]
        risks = problem.excess_risk(run(ProjectedNoise(), problem, setup, CHAINS, seed=3).outputs[0])
        if not mean_interval(risks, 0.0, 1.0, 4).holds(exact):
            raise AssertionError(f"simulated risk {risks.mean()}, closed form {exact}, at r = {r}")
        comparisons += 1
    return comparisons * CHAINS


def simulated_algorithms_respect_two_points() -> dict[str, int]:
    """Every rule that claims (eps, delta), run on the hard pairs: its worst risk obeys the lower bound.

    The bound is the record's, with the repaired TV bound at what the rule claims; pairs tried, by rule.
    """
    rules, counted = [rule for rule in named_algorithms().values() if hasattr(rule, "claimed")], {}
    comparisons = 2 * len(rules) * len(PAIRS)
    for rule in rules:
        tried = [_respects(rule, pair, comparisons) for pair in PAIRS]
        if any(tried):
            counted[rule.__name__] = sum(tried)
    return counted


def _respects(rule: type, pair: tuple[float, float, int], comparisons: int) -> bool:
    """Whether the rule claims anything here; AssertionError if it then beats the bound."""
    gamma, r, T = pair
    highs = []
    for sign in (1, -1):
        problem = hard_problem(sign * gamma, r, 1, 1.0, 1.0)
        setup = problem.setup(0.5, 1e-5, T)
        promised = made(rule, problem).claimed(setup)
        if promised is None:
            return False
        outputs = run(made(rule, problem), problem, setup, CHAINS, seed=T).outputs[0]
        risks = np.clip(problem.excess_risk(outputs), 0.0, 1.0)
        highs.append(mean_interval(risks, 0.0, 1.0, comparisons).high)
    least = least_risk(gamma, r, T, promised)
    if max(highs) < least:
        raise AssertionError(f"{rule.__name__}: risk {max(highs)} below {least} at {pair}, claims {promised}")
    return True


def least_risk(gamma: float, r: float, T: int, promised: tuple[float, float]) -> float:
    """What the repaired theorem leaves to a rule of that promise, from its record."""
    eps, delta = max(promised[0], 1e-13), max(promised[1], 1e-13)
    values = {"L": 1.0, "mu": 1.0, "r": r, "gamma": gamma, "T": T, "epsilon": eps, "delta": delta}
    values["K"] = np.ceil(max((1 - r) * gamma - r, 0.0) / (2 * r))
    letters = Letters({n: np.array([float(v)]) for n, v in values.items()})
    return float(side(statement(INEFFICIENT_STEP).says, "M", letters)[0])


def starts_agree(cases: int = 1000) -> int:
    """The optimum of the hard problem is (L/2mu) ((1-r) gamma - r)_+ e_1; the number of problems."""
    rng = np.random.default_rng(2)
    rows = rng.random((cases, 2)) * [1.0, 0.99] + [0.0, 0.001]
    for gamma, r in np.minimum(rows, 1.0):
        L, mu = 10 ** rng.uniform(-1, 1, 2)
        point = hard_problem(gamma, r, 3, L, mu).full_optimum.point
        near(float(point[0]), L / (2 * mu) * max((1 - r) * gamma - r, 0.0), scale=L / mu)
        near(float(np.linalg.norm(point[1:])), 0.0, scale=L / mu)
    return cases


def near(found: float, wanted: float, scale: float = 0.0) -> None:
    """Raise unless two floats agree up to rounding."""
    if abs(found - wanted) > 100 * ROUNDING * max(abs(found), abs(wanted), scale):
        raise AssertionError(f"{found!r} is not {wanted!r}")
