"""Error-free sums and products, exactly."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.laws.doubled import two_product, two_sum

normal = st.floats(-1e100, 1e100).filter(lambda x: x == 0 or abs(x) > 1e-100)


@settings(deadline=None)
@given(normal, normal)
def test_nothing_is_lost(a, b):
    x, y = np.float64(a), np.float64(b)
    assert sum(Fraction(float(part)) for part in two_sum(x, y)) == Fraction(a) + Fraction(b)
    assert sum(Fraction(float(part)) for part in two_product(x, y)) == Fraction(a) * Fraction(b)
