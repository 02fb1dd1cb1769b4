"""How cost grows: processor time and memory against size, fitted exponents against what theory says.

Time is taken as the best of a few rounds and fitted as c·size^p by least squares of logarithms over the upper
sizes, where set-up no longer counts. Run with `python benchmarks/scaling.py`; exits with 1 when something
grows faster than stated.
"""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

# Run as a script, this file's own folder would hide packages that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np

from oubli.checks.audit import Settings, audit
from oubli.sim.algorithms import NoiseAndFineTuneCharitable, ScratchSGD
from oubli.sim.laws import binomial_tv
from oubli.sim.problems.problem import hard_problem
from oubli.sim.runs.run import run
from oubli.theory.judging.ledger import Ledger
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.claim import Kind
from oubli.theory.regimes import classify

# What a fitted exponent may exceed the stated one by: timers and caches, not algorithms.
SLACK = 0.2
Work = Callable[[int], Any]


@dataclass(frozen=True)
class Growth:
    """Something of which the cost is stated to grow as size^exponent at most."""

    what: str
    size: str
    sizes: Sequence[int]
    exponent: float
    work: Callable[[int], Callable[[], Any]]
    memory: float | None = None


def fitted(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """The exponent p of c·size^p, by least squares of logarithms.

    >>> round(fitted([1, 10, 100], [2.0, 20.0, 200.0]), 9)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(costs, 1e-9)), 1)[0])


def processor() -> float:
    """Processor seconds of this process and of the children that have ended: an audit runs in one."""
    return sum(os.times()[:4])


def seconds(action: Callable[[], Any], rounds: int = 3, least: float = 0.02) -> float:
    """Processor seconds of one call: repeated until they can be measured, the best of a few rounds."""
    action()
    begun, calls = processor(), 0
    while (taken := processor() - begun) < least:
        action()
        calls += 1
    repeat = max(1, calls)
    times = [taken / repeat]
    for _ in range(rounds - 1):
        begun = processor()
        for _ in range(repeat):
            action()
        times.append((processor() - begun) / repeat)
    return min(times)


def peak(action: Callable[[], Any]) -> float:
    """The most bytes that a call holds at once, as Python and NumPy tell."""
    tracemalloc.start()
    try:
        action()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def rows_of(size: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        "rf": 10 ** rng.uniform(-5, -0.1, size),
        "eps": 10 ** rng.uniform(-2, 2, size),
        "delta": 10 ** rng.uniform(-9, -1, size),
        "dim": rng.integers(1, 200, size),
        "target": 10 ** rng.uniform(-4, 0, size),
    }


def classified(size: int) -> Callable[[], Any]:
    rows = rows_of(size)
    return lambda: classify(**rows).certified


def simulated(T: int, chains: int, d: int) -> Callable[[], Any]:
    problem = hard_problem(0.1, 0.1, d, 1.0, 1.0)
    setup = problem.setup(1.0, 1e-5, T)
    return lambda: run(ScratchSGD(), problem, setup, chains, seed=1)


def wide(d: int) -> Callable[[], Any]:
    return simulated(2_000, 500, d)


def tv_at(T: int) -> Callable[[], Any]:
    return lambda: binomial_tv(T, 0.5, 0.5 + T**-0.5)


def audited(runs: int, steps: int, dim: int) -> Callable[[], Any]:
    settings = Settings(eps=1.0, delta=1e-5, runs=runs, steps=steps, dim=dim)
    return lambda: audit(NoiseAndFineTuneCharitable(), settings)


def judged(number: int) -> Callable[[], Any]:
    """So many claims: ten that use no other, again and again under other keys."""
    book = ledger()
    alone = [c for c in book.claims.values() if c.kind is Kind.THEOREM and not book.uses[c.key]][:10]
    copies = [(i, c) for i in range(number // 10) for c in alone]
    many = [replace(c, key=f"{c.key}.{i}", concerns=None, printed_uses=()) for i, c in copies]
    return lambda: Ledger(many).verify()


THOUSANDS = [2_000, 8_000, 32_000]
GROWTHS = (
    Growth("TV distance, one call", "T", [10**k for k in range(2, 10)], 0.0, tv_at),
    Growth("classification", "rows", [*THOUSANDS, 128_000], 1.0, classified, 1.0),
    Growth("simulator, 500 chains, d = 4", "T", THOUSANDS, 1.0, lambda T: simulated(T, 500, 4), 0.0),
    Growth("simulator, T = 2000, d = 4", "chains", THOUSANDS, 1.0, lambda n: simulated(2_000, n, 4), 1.0),
    Growth("simulator, T = 2000, 500 chains", "d", [32, 128, 512], 1.0, wide, 1.0),
    Growth("audit, 20 steps, d = 2", "runs", [20_000, 60_000, 180_000], 1.0, lambda n: audited(n, 20, 2)),
    Growth("audit, 20,000 runs, d = 2", "T", [20, 80, 320], 1.0, lambda T: audited(20_000, T, 2)),
    Growth("audit, 20,000 runs, 20 steps", "d", [2, 8, 32], 1.0, lambda d: audited(20_000, 20, d)),
    Growth("judging", "claims", [10, 20, 40], 1.0, judged, 1.0),
)


def measured(growth: Growth) -> tuple[bool, str]:
    """Whether time and memory grow as stated, and the row of the table."""
    actions = [growth.work(size) for size in growth.sizes]
    slow = growth.what.startswith(("audit", "judging"))
    times = [seconds(action, rounds=1 if slow else 3) for action in actions]
    p = fitted(growth.sizes, times)
    q = fitted(growth.sizes, [peak(action) for action in actions]) if growth.memory is not None else None
    well = p <= growth.exponent + SLACK and (q is None or q <= (growth.memory or 0.0) + SLACK)
    kept = f", memory {q:.2f} (stated ≤ {growth.memory:g})" if q is not None else ""
    span = f"{growth.sizes[0]:,} … {growth.sizes[-1]:,}"
    said = f"| {growth.what}: time ~ {growth.size}^p, {span} | p = {p:.2f}{kept} "
    return well, f"{said}| stated p ≤ {growth.exponent:g} | {'as stated' if well else 'MISSED'} |"


def main() -> int:
    """Print what was measured; 1 if something grows faster than stated."""
    found = []
    for growth in GROWTHS:
        well, row = measured(growth)
        print(row, flush=True)
        found.append(well)
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
