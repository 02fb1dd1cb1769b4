"""The family-wise error is split, and the split intervals are the right ones."""

import numpy as np
import pytest
from scipy import stats

from oubli.checks.measure.confidence import FAMILIES, FAMILY_WISE, mean_interval, proportion_interval, share


def test_a_whole_run_is_wrong_once_in_a_million():
    assert FAMILY_WISE == 1e-6
    assert sum(FAMILIES * [10 * share(10)]) <= FAMILY_WISE * (1 + 1e-12)


def test_proportion_interval_is_clopper_pearson_at_the_share():
    interval = proportion_interval(30, 200, 4)
    alpha = 1e-6 / FAMILIES / 4
    assert interval.low == pytest.approx(stats.beta.ppf(alpha / 2, 30, 171), rel=1e-9)
    assert interval.high == pytest.approx(stats.beta.isf(alpha / 2, 31, 170), rel=1e-9)


def test_mean_interval_takes_the_shorter():
    still = mean_interval(np.full(10_000, 0.5), 0.0, 1.0, 1)
    wild = mean_interval(np.tile([0.0, 1.0], 50), 0.0, 1.0, 1)
    assert still.high - still.low < 0.03
    assert wild.high - wild.low < 1.3


def test_no_comparison_is_refused():
    with pytest.raises(ValueError, match="comparisons must be an integer >= 1, got 0"):
        share(0)
