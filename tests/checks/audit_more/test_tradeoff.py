"""The trade-off curve: its band holds at all thresholds at once, against laws known in closed form."""

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from oubli.checks.audit.tradeoff import claimed_curve, trade_off


def test_the_band_covers_the_true_curve_at_all_thresholds():
    runs, level, missed = 300, 0.2, 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        first, second = rng.normal(1, 1, 300), rng.normal(0, 1, 300)
        curve = trade_off(first, second, level)
        thresholds = np.append(np.unique(np.concatenate([first, second])), np.inf)
        # The supremum over t of a(t) − a_n(t) is approached from the left of the thresholds.
        above = np.append(curve.type_one[1:], 0.0)
        bad_one = np.any(norm.sf(thresholds) > above + curve.margin_one)
        bad_two = np.any(norm.cdf(thresholds - 1) > curve.type_two + curve.margin_two)
        missed += bool(bad_one or bad_two)
    assert binom.sf(missed - 1, runs, level) > 1e-6
    # A band for one threshold would miss some threshold far more often than 20 times in 300.
    assert missed > 5


def test_a_band_for_one_threshold_would_be_caught():
    """The planted error: the margin of a single threshold, used for all of them."""
    runs, level, missed = 200, 0.1, 0
    for seed in range(runs):
        scores = np.sort(np.random.default_rng(seed).random(300))
        margin = norm.isf(level) * 0.5 / math.sqrt(300)
        missed += bool(np.any(scores - np.arange(300) / 300 > margin))
    assert binom.sf(missed - 1, runs, level) < 1e-6


def test_delta_of_the_curve_is_a_lower_bound():
    rng = np.random.default_rng(0)
    curve = trade_off(rng.normal(1, 1, 10**5), rng.normal(0, 1, 10**5), 0.01)
    # delta(1) = 0.12693674 for unit noise.
    assert 0.1 < curve.delta_lower(1.0) < 0.12693674
    # The same for the other order of the two laws.
    turned = trade_off(-rng.normal(0, 1, 10**5), -rng.normal(1, 1, 10**5), 0.01)
    assert 0.1 < turned.delta_lower(1.0) < 0.12693674


@pytest.mark.parametrize("eps", [0.0, 1.0, 800.0])
def test_the_claimed_curve_is_symmetric_and_convex(eps):
    grid = np.linspace(0, 1, 101)
    curve = claimed_curve(grid, eps, 0.05)
    assert np.all(np.diff(curve) <= 1e-12)
    if eps <= 1:
        inner = curve[curve > 0]
        assert np.allclose(claimed_curve(inner, eps, 0.05), grid[curve > 0], atol=1e-9) or eps == 1.0
        assert np.all(np.diff(curve, 2) >= -1e-12)
