"""Times by definition."""

import math

import numpy as np
import pytest

from oubli.sim.runs.times import exact_time


def test_exact_time_scans_every_integer():
    # A curve that dips once, far out: a bisection would miss it.
    def risk(T):
        return np.where(T == 777, 0.0, 1.0)

    assert exact_time(risk, 0.5, 2000) == 777
    assert exact_time(risk, 0.5, 776) == math.inf
    assert exact_time(risk, 1.0, 0) == 0


def test_exact_time_refuses_to_skip_unknown_risks():
    with pytest.raises(ValueError, match="no value at T = 3"):
        exact_time(lambda T: np.where(T == 3, np.nan, 1.0 / (T + 1)), 0.1, 50)
