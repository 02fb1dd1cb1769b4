"""Two independent ways to one number: the record's expression, the simulator, the exact law, enumeration."""

from __future__ import annotations

import numpy as np

from checks.confidence import mean_interval
from checks.measure.algorithms import ZOO
from checks.measure.chains import enumerated
from checks.measure.losses import FAMILY, hard_square, synthetic_square
from checks.measure.privacy import leaked
from checks.measure.registry import ledger
from checks.measure.relation import ROUNDING, Letters, numeric, side
from sim.algorithms import FullBatchDescent, NoisyProjectedSGD, ScratchSGD
from sim.expected import expected
from sim.problem import hard_problem
from sim.run import BLOCK, run

CHAINS = 20_000
PAIRS = ((0.5, 0.1, 4), (1.0, 0.25, 2), (0.3, 0.05, 8))


def small_side(key: str, letters: Letters) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The left side of a claim at some letters, from its record."""
    statement = ledger().claims[key].statement
    assert statement is not None
    return numeric(statement.says).at(letters).small


def families_agree(cases: int = 200) -> int:
    """The records' squared gradients of both families are the simulator's; the number of points."""
    rng = np.random.default_rng(0)
    batch = {name: axis.draw(rng, cases) for name, axis in FAMILY.space.items()}
    batch["d"] = np.clip(batch["d"], 1, 20)
    for k in range(cases):
        row = {n: float(v[k]) for n, v in batch.items()}
        near(float(small_side("setup.hard_family", FAMILY.letters(row))[0]), hard_square(row))
        # At 0 the kinks have no sign: the record speaks of points off the axes.
        inside = {**row, "radius": max(row["radius"], 0.01)}
        aligned = {**inside, "turn": 0.0, "d": 2 * row["d"]}
        near(float(small_side("setup.synthetic", FAMILY.letters(aligned))[0]), synthetic_square(inside))
    return cases


def gauss_agrees(cases: int = 2000) -> int:
    """The record's delta of the classical noise is the exact law's, where floats can evaluate the record."""
    rng = np.random.default_rng(1)
    eps, delta = 10 ** rng.uniform(-1, 1, cases), 10 ** rng.uniform(-6, -0.1, cases)
    record = small_side("gauss.kappa", Letters({"epsilon": eps, "delta": delta}))
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


def simulated_zoo_respects_two_points() -> int:
    """The rules without closed forms, run on the hard pair: worst risk at least the repaired lower bound."""
    statement = ledger().claims["inefficient.step1.repaired"].statement
    assert statement is not None
    comparisons = 4 * len(PAIRS)
    for gamma, r, T in PAIRS:
        for maker in (lambda p: NoisyProjectedSGD(), FullBatchDescent):
            highs = []
            for sign in (1, -1):
                problem = hard_problem(sign * gamma, r, 1, 1.0, 1.0)
                setup = problem.setup(0.5, 1e-5, T)
                outputs = run(maker(problem), problem, setup, CHAINS, seed=T).outputs[0]
                risks = np.clip(problem.excess_risk(outputs), 0.0, 1.0)
                highs.append(mean_interval(risks, 0.0, 1.0, comparisons).high)
            hops = np.ceil(max((1 - r) * gamma - r, 0.0) / (2 * r))
            values = {
                "L": 1.0,
                "mu": 1.0,
                "r": r,
                "gamma": gamma,
                "T": T,
                "epsilon": 0.5,
                "delta": 1e-5,
                "K": hops,
            }
            bound = side(statement.says, "M", Letters({n: np.array([float(v)]) for n, v in values.items()}))
            if max(highs) < bound[0]:
                raise AssertionError(f"{maker(problem)}: risk {max(highs)} below {bound[0]} at {values}")
    return comparisons


def claims_of_the_zoo() -> list[tuple[str, tuple[float, float] | None]]:
    """What each rule claims at eps = 1, delta = 1e-5 on the line."""
    setup = hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 4)
    return [(type(rule).__name__, rule.claimed(setup)) for rule in ZOO]


def near(found: float, wanted: float, scale: float = 0.0) -> None:
    """Raise unless two floats agree up to rounding."""
    if abs(found - wanted) > 100 * ROUNDING * max(abs(found), abs(wanted), scale):
        raise AssertionError(f"{found!r} is not {wanted!r}")
