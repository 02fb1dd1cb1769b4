"""How much an audit runs: as many draws as a fixed amount of work allows, and what they would see."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import ndtr
from scipy.stats import poisson

from oubli.checks.audit.counts import Counts, epsilon_lower
from oubli.errors import InputError
from oubli.sim.laws import gaussian_sigma
from oubli.sim.require import Array

# Numbers that the rule moves in one audit with planned runs, and the ends of the planned runs.
WORK, MOST_RUNS, LEAST_RUNS = 2.5e8, 1_000_000, 500
# Draws a side, in units of `runs`, over the whole of the search and the counts.
ROUNDS = 6
# Chains of one problem when risks are measured, and numbers that all of that may move.
CHAINS, LEAST_CHAINS, RISK_WORK = 2000, 20, 1.2e8
# A run that moves more numbers than this is long: fewer of them make the first looks.
LONG = 2000
# Numbers in one array of outputs: what the audit itself holds stays far below the limit on memory.
NUMBERS = 4_000_000
# Arrays of one batch alive at once in one of the two processes, of each side: counted by hand, with room.
ALIVE = 24
POWER = 0.8


def planned_runs(d: int, T: int) -> int:
    """Fresh draws a side that the work allows.

    >>> planned_runs(1, 10), planned_runs(20, 200), planned_runs(7850, 20)
    (1000000, 10416, 500)
    """
    return int(min(MOST_RUNS, max(LEAST_RUNS, WORK / (ROUNDS * max(d, 1) * max(T, 1)))))


def long_runs(d: int, T: int) -> bool:
    """Whether one run moves so many numbers that the first looks should take few of them."""
    return d * T > LONG


def planned_chains(d: int, steps: int, problems: int, runs: int) -> int:
    """Chains of each of so many problems, over so many steps in all.

    >>> planned_chains(1, 66, 27, 10**6), planned_chains(7850, 40, 27, 1000)
    (2000, 20)
    """
    work = RISK_WORK / (problems * max(steps, 1) * d)
    return int(min(CHAINS, runs, max(LEAST_CHAINS, work)))


def planned_work(d: int, T: int, runs: int) -> float:
    """Roughly how many numbers the rule will move in the whole audit; it serves the clock alone."""
    few = long_runs(d, T)
    second, steps = max(min(500, runs // 2), runs // 10), 2.5 * T if few else 6.5 * T
    look, choose, other = 28 * max(40 if few else 120, runs // 40), (8 if few else 12) * second, 8 * second
    risks = 27 * planned_chains(d, int(steps), 27, runs) * steps + 64 * planned_chains(d, T, 64, runs) * T
    return float(d * (((900 if few else 3000) + look + choose + other + 2.5 * runs) * (T + 2) + risks))


def check_memory(d: int, gigabytes: float) -> None:
    """Refuse an audit whose own arrays do not fit.

    >>> check_memory(20, 4.0)
    >>> check_memory(10**7, 0.5)
    Traceback (most recent call last):
    oubli.errors.InputError: --dim 10000000 needs about 1.8 GB in one process, --memory-gb allows 0.5
    """
    needed = 8 * ALIVE * max(d, min(NUMBERS, 20_000 * d)) / 2**30
    if needed > gigabytes:
        raise InputError(
            f"--dim {d} needs about {needed:.1f} GB in one process, --memory-gb allows {gigabytes:g}"
        )


@lru_cache(maxsize=256)
def noise_seen(eps: float, delta: float, runs: int, level: float) -> float | None:
    """The largest share of the needed Gaussian noise that is flagged with probability 4/5 or more.

    It is for a Gaussian output, the best pair and the best event: what the count itself can do with so many
    draws. None where no share is.

    >>> 0.6 < noise_seen(1.0, 1e-5, 10**6, 0.0225) < 0.8
    True
    """
    if delta == 0:
        return None
    least = float(gaussian_sigma(eps, delta))
    shares = np.linspace(0.99, 0.01, 99)
    return next((float(s) for s in shares if _flagged(s * least, eps, delta, runs, level)), None)


def _flagged(sigma: float, eps: float, delta: float, runs: int, level: float) -> bool:
    apart = 1 / sigma
    return any(_counted(p, q, eps, delta, runs, level) for p, q in _events(apart))


def _events(apart: float) -> Array:
    """Probabilities of the half-lines beyond some thresholds under N(apart, 1) and N(0, 1)."""
    cuts = apart / 2 + np.linspace(-3, 6, 37)
    return np.stack([ndtr(apart - cuts), ndtr(-cuts)], axis=1)


def _counted(p: float, q: float, eps: float, delta: float, runs: int, level: float) -> bool:
    # Both half-lines are pooled, and each count is at its unlucky end with half of what may go wrong.
    miss = (1 - POWER) / 2
    x, y = poisson.ppf(miss, 2 * runs * p), poisson.isf(miss, 2 * runs * q)
    if x <= y or math.log(max(x, 1) / max(y, 1)) <= 0.9 * eps:
        return False
    return epsilon_lower(Counts(int(x), int(y), runs, 2), delta, level) > eps
