"""Rounding that cannot flip a certificate: every float bound is moved by a margin in its safe direction.

A formula here is a few dozen sums, products, roots and elementary functions of doubles; its relative
error stays below 1e-13 as long as terms of one sign are added. `up` and `down` move a nonnegative value
by 2^-40 = 9e-13 of itself, `more` and `less` compare with that margin; a difference is taken between a
lowered and a raised term. What the libraries promise of exp, tanh and arcsin is tested, not proved; the
tests compare the moved bounds with exact rationals and balls.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

MARGIN = 2.0**-40


def up(value: Floats) -> Floats:
    """A number at least as large as the nonnegative real that the float stands for.

    >>> bool(up(np.float64(0.1) * 3) > 0.3)
    True
    """
    return np.asarray(value * (1 + MARGIN), dtype=np.float64)


def down(value: Floats) -> Floats:
    """A number at most as large as the nonnegative real that the float stands for."""
    return np.asarray(value * (1 - MARGIN), dtype=np.float64)


def ceil_up(value: Floats) -> Floats:
    """An integer that is at least the value, certainly; infinity stays.

    >>> float(ceil_up(np.float64(2.5))), float(ceil_up(np.float64(3.0)))
    (3.0, 4.0)
    """
    return np.ceil(up(value))


def ceil_quotient(number: int, x: Floats) -> Floats:
    """The least integer n with n x >= number, exactly: near an integer quotient fractions decide.

    >>> [int(n) for n in ceil_quotient(16, np.array([0.05, 0.5, 0.3]))]
    [320, 32, 54]
    """
    quotient = number / x
    nearest = np.rint(quotient)
    found = np.ceil(quotient)
    for row in np.flatnonzero(np.abs(quotient - nearest) <= 4e-16 * quotient):
        n, exact = int(nearest[row]), Fraction(float(x[row]))
        found[row] = n if n * exact >= number else n + 1
    return found


def ceil_down(value: Floats) -> Floats:
    """The least integer that a T >= value can have, certainly not too large; 0 for what is not positive."""
    return np.ceil(down(np.maximum(value, 0.0)))
