"""Sums and products of doubles together with their rounding error (Knuth, Dekker, Veltkamp)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# A float for scalar arguments, an array for arrays: numpy's own convention, which its types cannot say.
FloatOrArray = Any

_SPLITTER = 134217729.0  # 2**27 + 1


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """(s, e) with s the rounded sum and s + e = a + b exactly.

    >>> [float(part) for part in two_sum(np.float64(1.0), np.float64(1e-20))]
    [1.0, 1e-20]
    """
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def two_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """(s, e) with s the rounded product and s + e = ab exactly, barring overflow and underflow.

    >>> s, e = two_product(np.float64(2**53 - 1), np.float64(0.3))
    >>> from fractions import Fraction as F
    >>> F(float(s)) + F(float(e)) == (2**53 - 1) * F(0.3)
    True
    """
    product = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _split(a: Floats) -> tuple[Floats, Floats]:
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high
