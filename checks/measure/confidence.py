"""The only statistical slack in the project: levels, chosen so that a whole run is wrong once in a million.

The mathematics is in sim/runs/intervals.py; here the family-wise error is split (Bonferroni).
"""

from oubli.sim.require import Array, is_count, require
from oubli.sim.runs.intervals import Interval, clopper_pearson, empirical_bernstein, hoeffding

# The probability that a whole run, checks and tests together, reports a failure by chance alone.
FAMILY_WISE = 1e-6

# How many equal shares the families of intervals take together; a family may not be larger than its share.
FAMILIES = 64


def share(comparisons: int) -> float:
    """The level of each interval in one family of `comparisons` intervals.

    >>> share(10) == FAMILY_WISE / FAMILIES / 10
    True
    """
    require(is_count(comparisons, 1), "comparisons must be an integer >= 1", comparisons)
    return FAMILY_WISE / FAMILIES / comparisons


def mean_interval(samples: Array, low: float, high: float, comparisons: int) -> Interval:
    """For the mean of samples in [low, high]: the shorter of two intervals that split the level."""
    alpha = share(comparisons) / 2
    first = hoeffding(samples, low, high, alpha)
    second = empirical_bernstein(samples, low, high, alpha)
    return min(first, second, key=lambda interval: interval.high - interval.low)


def proportion_interval(successes: int, trials: int, comparisons: int) -> Interval:
    """For a probability, exact at every sample size."""
    return clopper_pearson(successes, trials, share(comparisons))
