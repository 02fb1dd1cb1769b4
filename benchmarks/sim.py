"""How fast the simulator is: ratios against what a user would otherwise write, measured in one run.

Run with `python benchmarks/sim.py`; exits with 1 when a ratio that the project promises is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

# Run as a script, this file's own name would hide the package that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np
from numpy.typing import NDArray

from oubli.sim.algorithms import NoiseAndFineTuneCharitable, NoiseAndFineTuneConstantStep, ScratchSGD
from oubli.sim.problems.problem import Problem, hard_problem, synthetic_problem
from oubli.sim.runs.expected import HasRecipe, expected
from oubli.sim.runs.run import run

CHAINS, D, T = 3_000, 4, 20_000
L = MU = 1.0
GAMMA, R_F = 0.1, 0.1
EPS, DELTA = 1.0, 1e-5
WANTED_RATIO, WANTED_SECONDS = 3.0, 1.0


def hard_loop(seed: int) -> NDArray[np.float64]:
    """A straightforward loop on the hard family: one vectorised update per step, fresh arrays."""
    rng = np.random.default_rng(seed)
    theta = np.zeros((CHAINS, D))
    m = theta
    for t in range(T):
        g = np.where(rng.random(CHAINS) < (1 + GAMMA) / 2, 1.0, -1.0)
        grad = MU * theta
        grad[:, 0] -= L / 2 * g
        theta = theta - 2 / (MU * (t + 2)) * grad
        m = m + (t + 2) * theta
    return 2 * m / ((T + 1) * (T + 2))


def synthetic_loop(seed: int) -> NDArray[np.float64]:
    """The same on the synthetic family."""
    rng = np.random.default_rng(seed)
    theta = np.zeros((CHAINS, D))
    m = theta
    for t in range(T):
        g = np.where(rng.random(CHAINS) < (1 + GAMMA) / 2, 1.0, -1.0)
        grad = MU * theta
        grad[:, : D // 2] -= L / 4 * g[:, None]
        grad[:, D // 2 :] += L / 4 * np.sign(theta[:, D // 2 :])
        theta = theta - 2 / (MU * (t + 2)) * grad
        m = m + (t + 2) * theta
    return 2 * m / ((T + 1) * (T + 2))


def seconds(action: Callable[[], object]) -> float:
    """Wall clock of one call; the ratios compare calls of the same run."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def compare(name: str, loop: Callable[[int], NDArray[np.float64]], problem: Problem) -> float:
    """Print chain-steps per second of loop and simulator; return the ratio, the worst of three."""
    setup = problem.setup(EPS, DELTA, T)
    rule = ScratchSGD()
    run(rule, problem, problem.setup(EPS, DELTA, 1), 1, seed=0)
    pairs = [
        (seconds(lambda: loop(1)), seconds(lambda: run(rule, problem, setup, CHAINS, seed=1)))
        for _ in range(3)
    ]
    ratios = [plain / ours for plain, ours in pairs]
    plain, ours = pairs[int(np.argmin(ratios))]
    work = CHAINS * T
    print(f"{name:10s} loop {work / plain:10.3g}/s  sim {work / ours:10.3g}/s  ratio {min(ratios):5.2f}")
    print(f"| simulator, {name}: chain-steps a second | {work / ours:.3g} | NumPy loop, {work / plain:.3g} "
          f"| {min(ratios):.1f}× |")  # fmt: skip
    return min(ratios)


def grid_seconds(problem: Problem) -> float:
    """Expected risk on a log grid of T up to 10⁶, three algorithms; returns the slowest."""
    grid = np.unique(np.round(np.logspace(0, 6, 400)).astype(int))
    setup = problem.setup(EPS, DELTA, 0)
    fine_tuned = (NoiseAndFineTuneCharitable(), NoiseAndFineTuneConstantStep())
    rules: tuple[HasRecipe, ...] = (ScratchSGD(), *fine_tuned)
    slowest = 0.0
    for rule in rules:
        taken = seconds(partial(expected, rule, problem, setup, grid))
        print(f"expected   {type(rule).__name__:30s} {len(grid)} times up to 1e6: {taken:6.3f} s")
        slowest = max(slowest, taken)
    return slowest


def main() -> int:
    hard, synthetic = hard_problem(GAMMA, R_F, D, L, MU), synthetic_problem(GAMMA, R_F, D, L, MU)
    ratios = [compare("hard", hard_loop, hard), compare("synthetic", synthetic_loop, synthetic)]
    slowest = max(grid_seconds(hard), grid_seconds(synthetic))
    met = min(ratios) >= WANTED_RATIO and slowest < WANTED_SECONDS
    print(f"{'met' if met else 'MISSED'}: ratio >= {WANTED_RATIO} and expected risk < {WANTED_SECONDS} s")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
