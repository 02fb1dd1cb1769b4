"""Radial staircase noise at unit sensitivity: density proportional to e^(−kε) on the k-th shell, pure ε.

k = 0 for ‖z‖ < q and k = ⌈‖z‖ − q⌉ beyond. In other words: z is uniform on a ball of radius q + K, where
P(K = k) is proportional to e^(−kε) (q + k)^d, so E‖z‖² = d/(d+2) · S_{d+2}/S_d with
S_m = Σ e^(−kε) (q + k)^m. For each q this falls in ε. In one dimension: Geng and Viswanath 2014.
"""

from fractions import Fraction

import numpy as np
from flint import arb, ctx
from numpy.typing import ArrayLike, NDArray

from oubli.sim.laws.ball import Enclosure, as_ball, endpoints

Floats = NDArray[np.float64]

# Where the shell of most mass is beyond the fifth, other noise is better, and the sums are long.
_SHELLS, _LEAST_EPS = 5.0, 1.0
_TERMS = 48
_GRID = 1.03 ** -np.arange(0.0, 340.0)  # q, the same for every row: the best of it falls in eps
_WINDOW = np.arange(40)
_SLACK = 1 + 1e-9  # exponents up to 1e5 lose up to 1e-10
_BLOCK = 128


def staircase(eps: ArrayLike, d: ArrayLike) -> tuple[Floats, Floats]:
    """E‖z‖² of the staircase of least mean square, rounded up, and its q.

    Args:
        eps: ε.
        d: The dimension.

    Returns:
        (E‖z‖², q), an entry for each row; inf and nan where the noise is not offered: ε < 1 or ε < (d+2)/5.

    >>> square, q = staircase([2.0, 0.1], [1, 1])
    >>> round(float(square[0]), 3), float(square[1])
    (0.423, inf)
    """
    e, n = (np.atleast_1d(a).astype(np.float64) for a in np.broadcast_arrays(eps, d))
    square, q = np.full(e.shape, np.inf), np.full(e.shape, np.nan)
    live = np.flatnonzero(np.isfinite(e) & (e >= _LEAST_EPS) & (_SHELLS * e >= n + 2))
    live = live[np.argsort(e[live])]  # similar budgets need as many shells
    for begin in range(0, len(live), _BLOCK):
        rows = live[begin : begin + _BLOCK]
        square[rows], q[rows] = _block(e[rows], n[rows])
    return square, q


def _block(eps: Floats, d: Floats) -> tuple[Floats, Floats]:
    # The best q lies between 2/3 and three times e^(-eps/(d+2)); twice where the first shell holds the mass.
    far = eps >= 2 * (d + 2)
    first = np.maximum(np.log(np.where(far, 2, 3)) - eps / (d + 2), -8.5) / -np.log(1.03)
    begin, stride = np.maximum(first, 0).astype(np.intp), np.where(far, 1, 2)
    index = (begin - begin % stride)[:, None] + stride[:, None] * _WINDOW
    q = _GRID[index]
    terms = int(np.clip(7 + np.ceil(40 / eps.min()), 9, _TERMS))
    found = _squares(eps[:, None], d[:, None], q, terms)
    best = found.argmin(axis=1)
    rows = np.arange(len(eps))
    return found[rows, best], q[rows, best]


def _squares(eps: Floats, d: Floats, q: Floats, terms: int) -> Floats:
    """E‖z‖², rounded up: the sum above is closed by a geometric series, the one below is cut off."""
    k = np.arange(float(terms))
    radius = q[..., None] + k
    power = d[..., None] * np.log(radius) - eps[..., None] * k
    weight = np.exp(power - power.max(axis=-1, keepdims=True))
    weighted = weight * np.square(radius)
    # From the last shell on each term is at most this multiple of the one before.
    ratio = np.exp(np.minimum((d + 2) * np.log1p(1 / radius[..., -1]) - eps, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = np.where(ratio < 1, weighted[..., -1] * ratio / (1 - ratio), np.inf)
    return np.asarray(d / (d + 2) * (weighted.sum(axis=-1) + tail) / weight.sum(axis=-1) * _SLACK)


def staircase_square_ball(eps: Fraction, d: int, q: Fraction, terms: int = 2 * _TERMS) -> Enclosure:
    """Two rationals that enclose E‖z‖² of the staircase with this q at unit sensitivity.

    Args:
        eps: ε, exact.
        d: The dimension.
        q: The radius of the innermost ball, in (0, 1], exact.
        terms: How many shells are summed; the rest is bounded by a geometric series.

    Returns:
        (lower, upper).

    >>> low, high = staircase_square_ball(Fraction(2), 1, Fraction(33, 100))
    >>> round(float(low), 10) == round(float(high), 10) == 0.4227593513
    True
    """
    with ctx.workprec(128):
        below, above = (_sum(eps, d + more, q, terms) for more in (0, 2))
        return endpoints(arb(d) / (d + 2) * above / below)


def _sum(eps: Fraction, m: int, q: Fraction, terms: int) -> arb:
    """Σ e^(−kε) (q + k)^m."""
    step, total, term = (-as_ball(eps)).exp(), arb(0), arb(0)
    for k in range(terms):
        term = step**k * as_ball(q + k) ** m
        total += term
    # From here on each term is at most this multiple of the one before.
    ratio = step * (as_ball(q + terms) / as_ball(q + terms - 1)) ** m
    if not ratio < 1:
        raise ValueError(f"eps = {eps}, d + j = {m}: {terms} shells are not enough")
    rest = term * ratio / (1 - ratio)
    return total + rest.union(arb(0))
