"""The Mills ratio and its remainders against mpmath, relatively."""

import mpmath
import numpy as np
import pytest

from oubli.sim.laws.mills import mills, mills_remainder, mills_slope


def peer_mills(x):
    return mpmath.sqrt(mpmath.pi / 2) * mpmath.erfc(x / mpmath.sqrt(2)) * mpmath.exp(x * x / 2)


@pytest.mark.parametrize("x", [-1.0, -0.25, 0.0, 0.5, 2.0, 2.999, 3.0, 3.001, 7.0, 40.0, 200.0])
def test_ratio_and_slope(x):
    with mpmath.workdps(60):
        ratio = peer_mills(mpmath.mpf(x))
        slope = 1 - mpmath.mpf(x) * ratio
    assert float(mills(np.array(x))) == pytest.approx(float(ratio), rel=1e-15)
    assert float(mills_slope(np.array(x))) == pytest.approx(float(slope), rel=4e-15)


@pytest.mark.parametrize("x", [3.0, 3.5, 10.0, 180.0, 1e6])
def test_remainder(x):
    with mpmath.workdps(60):
        remainder = 1 / peer_mills(mpmath.mpf(x)) - mpmath.mpf(x)
    assert float(mills_remainder(np.array(x))) == pytest.approx(float(remainder), rel=5e-16)
