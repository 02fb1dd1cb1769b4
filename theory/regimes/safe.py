"""Rounding that cannot flip a certificate: every float bound is moved by a margin in its safe direction.

The margin is 2^-40 = 8192 u of the value, u = 2^-53. Why that is enough, in one place:

* The inputs are doubles and taken as exact. Sums, products, quotients and roots are off by a factor 1 + u
  each (IEEE 754). exp, expm1, log, log1p, tanh, arcsin and arctanh are taken to be off by at most 1 + 16 u:
  libraries promise half of that, and a test compares. binomial_tv_gamma promises 1e-14 = 90 u.
* Terms of one sign are added, so n roundings cost at most n u and a trifle. The longest formula, `cube`, has
  25 operations and 3 functions before it is moved: 75 u. What is put into a function or subtracted from 1
  has a condition of at most 10 (1 - lambda c at c = 0.6; ln(1.25/delta) at delta = 0.9): all is below 1000 u.
* A difference is taken only between a lowered and a raised term, so it is at most the true one; rounding it
  costs u of a result that is already short by 8192 u of a larger number.
* 1 - tanh(eps/2) may be off by 16 u in absolute terms. It multiplies delta gamma/sqrt(x): where that exceeds
  1 the price of a hop is capped at 1 (a hop never costs more); elsewhere the price is at least 1/2 for
  tanh >= 1/2, and for tanh <= 1/2 the difference has all its digits.
* Counts stay below 2^53, where doubles hold every integer.

So far the functions are a library's promise, and the formulas are only proposals. `enclosed` needs neither:
it decides the ends of a bracket in balls, by the records. `oubli regime` does so for every single question,
the tests for random ones and along boundaries.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

MARGIN = 2.0**-40


def single(value: float) -> Floats:
    """One number as an array without axes, for formulas over arrays."""
    return np.asarray(value, dtype=np.float64)


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
