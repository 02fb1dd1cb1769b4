"""The density whose integral over [p, q] is the total variation, in floats and without cancellation.

With n = T − 1 and x = m − 1 it is T·b(x; n, t), b the binomial probability, in the coordinate
d = n·t − x measured from its peak:  b = peak(n, x)·exp(−deviance(n, x, d)).
"""

import numpy as np
from flint import arb, ctx

from oubli.sim.laws.doubled import Floats

# Beyond a deviance of 39 the density holds less than 1e-17 of its mass.
NEGLIGIBLE_DEVIANCE = 39.0

_SMALL = 0.35  # |y| up to which y − log(1+y) is summed as a series
_TABLE = 16


def peak(n: Floats, x: Floats) -> Floats:
    """The largest value over t of the binomial probability b(x; n, t), attained at t = x/n.

    >>> float(peak(np.array([2.0]), np.array([1.0]))[0])
    0.5
    """
    inner = (x > 0) & (x < n)
    x, rest = np.where(inner, x, 1.0), np.where(inner, n - x, 1.0)
    whole, first, second = _stirling_error(np.stack([n, x, rest]))
    return np.where(inner, np.exp(whole - first - second) * np.sqrt(n / x / rest / (2 * np.pi)), 1.0)


def deviance(n: Floats, x: Floats, d: Floats) -> Floats:
    """log(peak) − log b(x; n, (x+d)/n): a sum of two nonnegative terms, each relatively accurate."""
    sides, both = np.stack([x, n - x]), np.stack([d, -d])
    terms = sides * _excess(both / np.maximum(sides, 1.0))
    # The limits at x = 0 and x = n are d and −d; there the quotient was divided by 1 and is not used.
    if not sides.all():
        terms = np.where(sides > 0, terms, both)
    total: Floats = terms[0] + terms[1]
    return total


def window(n: Floats, x: Floats, cut: float = NEGLIGIBLE_DEVIANCE) -> tuple[Floats, Floats]:
    """(l, r) such that the deviance is at least `cut` for d ≤ −l and for d ≥ r.

    Why: y − log(1+y) is at least y²/(2 + 4y/3) for y ≥ 0 and at least y²/2 for y ≤ 0.
    """
    share = cut * (1 - x / n)
    right = 2 * share / 3 + np.sqrt(4 * share**2 / 9 + 2 * share * x)
    left = np.sqrt(2 * cut * x * (1 - x / (n + 2 * x / 3)))
    return left, right


def _excess(y: Floats) -> Floats:
    """y − log(1+y) for y ≥ −1, relatively accurate near 0 too."""
    size = float(np.max(np.abs(y)))
    if size <= _SMALL:
        return _excess_series(y, size)
    with np.errstate(divide="ignore"):
        direct = y - np.log1p(np.maximum(y, -1.0))
    small = np.abs(y) <= _SMALL
    return np.where(small, _excess_series(np.where(small, y, 0.0), _SMALL), direct)


def _excess_series(y: Floats, size: float) -> Floats:
    # With r = y/(2+y): log(1+y) = 2 artanh(r) and y − 2r = r·y, so the leading terms never meet.
    r = y / (2 + y)
    square = r * r
    largest = (size / (2 - size)) ** 2
    terms = 1 if largest < 1e-17 else min(14, 2 + int(-40 / np.log(largest)))
    series = np.full_like(y, 1 / (2 * terms + 1))
    for k in range(terms - 1, 0, -1):
        series *= square
        series += 1 / (2 * k + 1)
    return r * (y - 2 * square * series)


def _stirling_error(k: Floats) -> Floats:
    """log k! − (k log k − k + ½ log 2πk) for integers k ≥ 1."""
    inverse = 1 / k
    square = inverse * inverse
    series = 1 / 1188 - square * (691 / 360360)
    for coefficient in (1 / 1680, 1 / 1260, 1 / 360, 1 / 12):
        series = coefficient - square * series
    small = np.minimum(k, _TABLE - 1).astype(np.int64)
    return np.where(k < _TABLE, _STIRLING_TABLE[small], inverse * series)


def _stirling_table() -> Floats:
    with ctx.workprec(160):
        balls = [
            arb(k + 1).lgamma() - (k * arb(k).log() - k + (2 * arb.pi() * k).log() / 2)
            for k in range(1, _TABLE)
        ]
    return np.array([0.0, *(float(ball) for ball in balls)])


_STIRLING_TABLE = _stirling_table()
