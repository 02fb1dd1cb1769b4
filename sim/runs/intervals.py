"""Confidence intervals that hold at every sample size; the level is always the caller's.

Each function returns an interval that contains the true value with probability at least 1 − alpha.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv

from oubli.sim.require import Array, require


class Interval(NamedTuple):
    """A closed interval."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether the value lies inside."""
        return self.low <= value <= self.high


def _check_level(alpha: float) -> None:
    require(0 < alpha < 1, "alpha must lie in (0, 1)", alpha)


def clopper_pearson(successes: int, trials: int, alpha: float) -> Interval:
    """The exact two-sided interval for a probability.

    >>> [round(end, 10) for end in clopper_pearson(0, 100, 0.1)]
    [0.0, 0.0295130496]
    """
    _check_level(alpha)
    require(0 <= successes <= trials > 0, "0 <= successes <= trials > 0", (successes, trials))
    failures = trials - successes
    low = float(betaincinv(successes, failures + 1, alpha / 2)) if successes else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - alpha / 2)) if failures else 1.0
    return Interval(low, high)


def hoeffding(samples: Array, low: float, high: float, alpha: float) -> Interval:
    """For the mean of independent samples in [low, high], by Hoeffding's inequality.

    >>> hoeffding(np.zeros(50), 0.0, 1.0, 2 * math.exp(-1)).high
    0.1
    """
    _check_bounded(samples, low, high, alpha)
    half = (high - low) * math.sqrt(math.log(2 / alpha) / (2 * len(samples)))
    return _around(samples, half)


def empirical_bernstein(samples: Array, low: float, high: float, alpha: float) -> Interval:
    """For the mean of independent samples in [low, high], by Maurer and Pontil (2009, theorem 4).

    >>> interval = empirical_bernstein(np.full(10001, 0.5), 0.0, 1.0, 4 * math.exp(-3))
    >>> round(interval.high - 0.5, 9)
    0.0007
    """
    _check_bounded(samples, low, high, alpha)
    n, cost = len(samples), math.log(4 / alpha)
    require(n >= 2, "an empirical variance needs at least 2 samples", n)
    half = math.sqrt(2 * float(np.var(samples, ddof=1)) * cost / n) + 7 * (high - low) * cost / (3 * (n - 1))
    return _around(samples, half)


def _check_bounded(samples: Array, low: float, high: float, alpha: float) -> None:
    _check_level(alpha)
    require(len(samples) > 0, "at least one sample is needed", len(samples))
    slack = 1e-12 * (high - low)
    least, most = float(np.min(samples)), float(np.max(samples))
    inside = low - slack <= least and most <= high + slack
    require(inside, f"samples must lie in [{low}, {high}]", (least, most))


def _around(samples: Array, half: float) -> Interval:
    mean = float(np.mean(samples))
    return Interval(mean - half, mean + half)
