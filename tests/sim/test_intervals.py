"""Intervals: figures from outside, and exact coverage by enumeration."""

import math

import numpy as np
import pytest
from scipy import stats

from oubli.sim.runs.intervals import clopper_pearson, empirical_bernstein, hoeffding


def test_clopper_pearson_has_the_published_limits():
    assert clopper_pearson(0, 100, 0.1).high == pytest.approx(0.0295130496, abs=5e-11)
    assert clopper_pearson(5, 100, 0.05).high == pytest.approx(0.1128349111, abs=5e-11)
    assert clopper_pearson(100, 100, 0.1) == pytest.approx((1 - 0.0295130496, 1.0), abs=5e-11)


BOUNDED = [
    lambda sample, alpha: hoeffding(sample, 0.0, 1.0, alpha),
    lambda sample, alpha: empirical_bernstein(sample, 0.0, 1.0, alpha),
    lambda sample, alpha: clopper_pearson(int(sample.sum()), len(sample), alpha),
]


@pytest.mark.parametrize("interval", BOUNDED, ids=["hoeffding", "bernstein", "exact"])
@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-4])
def test_exact_coverage_on_coins(interval, alpha):
    """All n + 1 outcomes of n coin tosses, weighted by the exact binomial law, for many biases."""
    n = 40
    intervals = [interval(np.repeat([1.0, 0.0], [k, n - k]), alpha) for k in range(n + 1)]
    for p in np.linspace(0.005, 0.995, 100):
        held = np.array([found.holds(p) for found in intervals])
        assert stats.binom.pmf(np.arange(n + 1), n, p) @ held >= 1 - alpha


def test_intervals_are_not_vacuous():
    coins = np.repeat([1.0, 0.0], [50_000, 950_000])
    for interval in BOUNDED:
        low, high = interval(coins, 1e-6)
        assert high - low < 0.01


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hoeffding(np.array([2.0]), 0.0, 1.0, 0.1), r"\[0.0, 1.0\], got \(2.0, 2.0\)"),
        (lambda: hoeffding(np.zeros(3), 0.0, 1.0, 0.0), "alpha .* got 0.0"),
        (lambda: clopper_pearson(3, 2, 0.1), r"got \(3, 2\)"),
        (lambda: empirical_bernstein(np.zeros(1), 0.0, 1.0, 0.1), "at least 2 samples, got 1"),
        (lambda: clopper_pearson(1, 2, math.nan), "alpha .* got nan"),
    ],
)
def test_bad_levels_and_samples_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
