"""How many gradients a kink at theta* forces by the exact Bayes risk of its two problems.

x >= p G^2 - S, G <= r (1 + m), q = Q G, m' = m - (1 + Q) G and S the sum over k of
(p A_k G - (1-p) C_k q)_+^2/(p A_k + (1-p) C_k). Which (m, Q, p) are best was searched once: with m near 1 it
is Q = (1 - r)/(r (T + 1)), p as where one sign -1 tells the problems apart; with many signs Q falls as
(r T)^-0.44. The largest T that one of these refuses is found by bisection; more signs never force less.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, lgamma

import numpy as np

from oubli.theory.regimes.chain import NOTHING, TRIES, by_blocks
from oubli.theory.regimes.decide import Ball
from oubli.theory.regimes.safe import Floats, down, single
from oubli.theory.search.ball import exact

MOST = 63
LEAST = 0.25
NEAR_ONE, MEANS = 0.999, np.array([0.95, 0.88, 0.8, 0.65, 0.5])
_K = np.arange(MOST + 1.0)
_LOG_FACTORIAL = np.array([lgamma(k + 1) for k in _K])


def bayes_steps(x: Floats, r: Floats) -> Floats:
    """The least T that a kink at theta* allows, as far as it is below 64; 0 where it forces nothing.

    >>> [float(bayes_steps(np.array([v]), np.array([0.01]))[0]) for v in (2e-4, 3.9e-4, 4e-4)]
    [62.0, 1.0, 0.0]
    """
    steps = np.zeros(x.shape)
    live = np.flatnonzero(x < 4 * r**2)
    # A smaller target is no easier, and two points without a kink force more there.
    steps[live] = by_blocks(_bisected, np.maximum(x, LEAST * r**2)[live], r[live])
    return steps


def proposed(r: float, T: int) -> list[tuple[float, ...]]:
    """The mean, slope, weight and width that seem to force most at T gradients."""
    found = _choices(single(r), single(float(T)))
    order = np.argsort(-_risks(*found, single(float(T))))[:TRIES]
    return [tuple(float(column[i]) for column in found) for i in order]


def gain(T: int, m: Fraction, other: Fraction, p: Fraction, G: Fraction, q: Fraction) -> Ball:
    """S for signs of mean m and of another mean, as a ball.

    >>> float(gain(1, Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(0)))
    0.3333333333333333
    """
    heads = [exact((1 + mean) / 2) for mean in (m, other)]
    tails = [exact((1 - mean) / 2) for mean in (m, other)]
    total = exact(0)
    for k in range(T + 1):
        a, c = (comb(T, k) * up**k * low ** (T - k) for up, low in zip(heads, tails, strict=True))
        a, c = a * exact(p), c * exact(1 - p)
        step = a * exact(G) - c * exact(q)
        if not step <= 0:
            total += step.max(exact(0)) ** 2 / (a + c)
    return total


def _bisected(x: Floats, r: Floats) -> Floats:
    """One more than the largest T that bisection finds refused."""
    allowed, refused = np.full(x.shape, MOST + 1.0), np.full(x.shape, -1.0)
    while np.any(allowed - refused > 1):
        middle = np.maximum(np.floor((allowed + refused) / 2), 0.0)
        found = _choices(r, middle)
        forced = (_risks(*found, middle) > x).any(axis=1, keepdims=True)
        allowed, refused = np.where(forced, allowed, middle), np.where(forced, middle, refused)
    return np.asarray(allowed[:, 0])


def _choices(r: Floats, T: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """m, Q, p and G for each row and each candidate: one near 1, the others in the middle."""
    scaled = np.maximum(r, NOTHING) * (T + 1)
    m = np.append(NEAR_ONE, MEANS) + 0 * scaled
    many = 2.3 * scaled**-0.44 / (1 + 12 * r)
    Q = np.where(m == NEAR_ONE, (1 - r) / scaled, many)
    G = np.minimum(down(r * (1 + m)), (1 - 1e-9) * (1 + m) / (1 + Q))
    same = np.maximum(1 - (1 + Q) * G / (1 + m), 0.0) ** T
    p = np.where(m == NEAR_ONE, Q * same / (1 + Q * same), 0.5 + 0.32 * Q / (Q + 1.5))
    return m, Q, p, G


def _risks(m: Floats, Q: Floats, p: Floats, G: Floats, T: Floats) -> Floats:
    """p G^2 - S, rounded down by more than all roundings together."""
    k = _K[: int(np.max(T)) + 1]
    count = np.broadcast_to(T, m.shape)[..., None]
    rest = np.maximum(count - k, 0.0)
    ways = _LOG_FACTORIAL[count.astype(int)] - _LOG_FACTORIAL[: len(k)] - _LOG_FACTORIAL[rest.astype(int)]
    a, c = (
        weight[..., None] * _law(ways, mean[..., None], k, rest)
        for weight, mean in ((p, m), (1 - p, m - (1 + Q) * G))
    )
    step = np.maximum(a - c * Q[..., None], 0.0) ** 2 / np.maximum(a + c, NOTHING)
    total = np.where(k <= count, step, 0.0).sum(axis=-1)
    return np.asarray(np.maximum(p * (1 - 1e-9) - total * (1 + 1e-9), 0.0) * G**2)


def _law(ways: Floats, mean: Floats, k: Floats, rest: Floats) -> Floats:
    up, low = (np.log(np.maximum((1 + side * mean) / 2, NOTHING)) for side in (1, -1))
    return np.asarray(np.exp(ways + k * up + rest * low))
