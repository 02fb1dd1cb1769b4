"""Total variation of two binomial laws in floats: one integral of one positive density, no cancellation.

For p < q the likelihood ratio of Bin(T,q) to Bin(T,p) increases in k and crosses 1 once, at k*; with
m = ⌈k*⌉ the total variation is P_q(X ≥ m) − P_p(X ≥ m) = ∫_p^q T·b(m−1; T−1, t) dt.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oubli.sim.laws.beta_density import deviance, peak, window
from oubli.sim.laws.doubled import FloatOrArray, Floats
from oubli.sim.laws.legendre import legendre

LARGEST_T = 2**53

# Nodes of Gauss-Legendre that integrate exp(−z²/2) over a stretch of this many standard deviations with
# relative error below 1e-17 (minimum over ρ of the Bernstein-ellipse bound).
_NODES = (3, 4, 6, 8, 12, 16, 24, 32, 40, 48)
_STRETCH = np.array([0.0075, 0.046, 0.299, 0.798, 2.27, 4.05, 7.89, 11.7, 15.6])
_TINY = 1e-290
_BLOCK = 1 << 14  # doubles per temporary array: they stay in the cache


@dataclass(frozen=True)
class _Pairs:
    """0 ≤ p < q ≤ 1 with p + q ≤ 1 (reflected where needed), each entry with full relative accuracy."""

    T: Floats
    p: Floats
    above_q: Floats  # 1 − q
    gap: Floats  # q − p

    def take(self, where: NDArray[np.intp]) -> "_Pairs":
        return _Pairs(self.T[where], self.p[where], self.above_q[where], self.gap[where])


def binomial_tv(T: ArrayLike, p: ArrayLike, q: ArrayLike) -> FloatOrArray:
    """TV(Bin(T,p), Bin(T,q)) of the given doubles, relative error at most 1e-14, arrays broadcast.

    Args:
        T: Number of trials.
        p: A probability.
        q: Another.

    Returns:
        The total variation distance; a float, or an array if an argument is one.

    >>> binomial_tv(1, 0.5, 0.75)
    0.25
    >>> round(binomial_tv(10**9, 0.5, 0.50001), 10)
    0.2481703659
    """
    steps, low, high = _arrays(T, p, q, "p", 0.0)
    low, high = np.minimum(low, high), np.maximum(low, high)
    flip = (low + high > 1) | (high == 1)
    pairs = _Pairs(steps, np.where(flip, 1 - high, low), np.where(flip, low, 1 - high), high - low)
    return _shaped(_total_variation(pairs), T, p, q)


def binomial_tv_gamma(T: ArrayLike, g: ArrayLike, g2: ArrayLike) -> FloatOrArray:
    """TV(Bin(T,(1+g)/2), Bin(T,(1+g2)/2)) of the given doubles, relative error at most 1e-14.

    Means near 0 keep their digits, which the probabilities (1+g)/2 would lose.

    Args:
        T: Number of trials.
        g: The mean of a sign, in [-1, 1].
        g2: Another.

    Returns:
        The total variation distance; a float, or an array if an argument is one.

    >>> binomial_tv_gamma(1, 1e-300, 5e-300)
    2e-300
    >>> round(binomial_tv_gamma(100, 0.0, 0.1), 12)
    0.384471831001
    """
    steps, low, high = _arrays(T, g, g2, "gamma", -1.0)
    low, high = np.minimum(low, high), np.maximum(low, high)
    flip = (low + high > 0) | (high == 1)
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    pairs = _Pairs(steps, (1 + low) / 2, (1 - high) / 2, high / 2 - low / 2)
    return _shaped(_total_variation(pairs), T, g, g2)


def _arrays(
    T: ArrayLike, a: ArrayLike, b: ArrayLike, name: str, least: float
) -> tuple[Floats, Floats, Floats]:
    steps, first, second = (
        np.ravel(part).astype(np.float64) for part in np.broadcast_arrays(np.asarray(T), a, b)
    )
    wrong = ~((steps >= 0) & (steps <= LARGEST_T) & (steps == np.floor(steps)))
    if wrong.any():
        raise ValueError(f"T = {steps[wrong][0]:g}: T must be an integer from 0 to 2^53")
    for values in (first, second):
        wrong = ~((values >= least) & (values <= 1))
        if wrong.any():
            raise ValueError(f"{name} = {values[wrong][0]:g}: {name} must lie in [{least:g}, 1]")
    return steps, first, second


def _shaped(values: Floats, *arguments: ArrayLike) -> FloatOrArray:
    shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
    return values.reshape(shape) if shape else float(values[0])


def _total_variation(pairs: _Pairs) -> Floats:
    value = pairs.T * pairs.gap  # right for T ≤ 1 and for q = p
    rest = (pairs.T > 1) & (pairs.gap > 0)
    point, inner = (np.flatnonzero(rest & where) for where in (pairs.p == 0, pairs.p > 0))
    if len(point):
        value[point] = _against_zero(pairs.T[point], pairs.gap[point])
    if len(inner):
        value[inner] = _integral(pairs.take(inner))
    return np.minimum(value, 1.0)


def _against_zero(T: Floats, q: Floats) -> Floats:
    """TV(Bin(T,0), Bin(T,q)) = 1 − (1−q)^T."""
    with np.errstate(divide="ignore"):
        return -np.expm1(T * np.log1p(-q))


def _crossing(pairs: _Pairs) -> Floats:
    """m = ⌈k*⌉, k* = T·A/(A+B), A and B positive log ratios; off by one near a tie is harmless."""
    A = np.log1p(pairs.gap / pairs.above_q)
    # A quotient beyond 1e290 could overflow; there m > 1 only if Tq is so large that the answer is 1.
    B = np.log1p(pairs.gap / np.maximum(pairs.p, _TINY))
    m: Floats = np.clip(np.ceil(pairs.T * (A / (A + B))), 1, pairs.T)
    return m


def _integral(pairs: _Pairs) -> Floats:
    n, x = pairs.T - 1, _crossing(pairs) - 1
    # n·p − x loses digits, harmlessly: it shifts the interval, whose length is kept apart, and the density
    # is about equally high at both ends, since that is what the crossing means.
    start, whole = n * pairs.p - x, n * pairs.gap
    left, right = window(n, x)
    low, high = np.maximum(start, -left), np.minimum(start + whole, right)
    length = np.where((low == start) & (high == start + whole), whole, high - low)
    area = np.empty_like(n)
    saturated = (low > start) & (high < start + whole)
    scale = np.sqrt((x + 1) * (n - x + 1) / (n + 1))
    group = np.searchsorted(_STRETCH, length / scale)
    for index in set(group[~saturated].tolist()):
        chosen = np.flatnonzero((group == index) & ~saturated)
        area[chosen] = _legendre(n[chosen], x[chosen], low[chosen], length[chosen], _NODES[index])
    value = pairs.T / n * peak(n, x) * area
    return np.where(saturated, 1.0, value)


def _legendre(n: Floats, x: Floats, low: Floats, length: Floats, nodes: int) -> Floats:
    """∫ exp(−deviance) over [low, low + length], row by row."""
    places, weights = legendre(nodes)
    area = np.empty_like(n)
    rows = max(1, _BLOCK // nodes)
    for begin in range(0, len(n), rows):
        part = slice(begin, begin + rows)
        d = low[part, None] + length[part, None] * places
        area[part] = np.exp(-deviance(n[part, None], x[part, None], d)) @ weights
    return area * length
