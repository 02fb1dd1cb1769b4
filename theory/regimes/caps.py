"""Means over caps of a sphere, for the cone test: in balls, and as tables of floats rounded to the safe side.

omega is the angle of two independent directions in n dimensions, of density sin^(n-2)/I on [0, pi]. Over
omega <= w the mean of cos is sin^(n-1)(w)/((n-1) I); those of 1 and sin are incomplete beta functions of
sin^2(w) = 1/(1 + cot^2 w). On the line (n = 1) omega is 0 or pi.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from oubli.theory.regimes.decide import Ball
from oubli.theory.regimes.safe import Floats
from oubli.theory.search.ball import exact

# Probabilities of the caps, and how much narrower the cone is, in units in which the density falls by 1/e.
_CHANCES = np.append(0.5 * 3.0 ** -np.arange(0.0, 18.0), [0.2, 0.01, 1e-9])
_BEYOND = 3  # the last ones are probabilities of what lies outside
_NARROWER = np.array([0.0, 0.4, 1.0, 2.0, 3.6, 6.5, 12.0, 24.0])
# Incomplete beta functions are good to about 1e-13; X is a difference of which up to 1/n is left.
_MARGIN = 1e-9


@dataclass(frozen=True)
class Cones:
    """Cones and caps by their cotangents; means rounded up, the probability down."""

    cone: Floats
    cap: Floats
    X: Floats
    N: Floats
    C: Floats
    P: Floats


def cap_means(n: int, cone: Fraction, cap: Fraction) -> dict[str, Ball]:
    """The letters of the records on caps, for directions in n dimensions.

    Args:
        n: The dimension, at least 1.
        cone: cot(w0), at least 0.
        cap: cot(w1); on the line a negative one stands for w1 = pi.

    Returns:
        E(cos - cot(w0) sin)_+, E[cot(w0) sin - cos; omega <= w1], E[cos; omega <= w1] and P(omega > w1).

    >>> {name: round(float(ball), 6) for name, ball in cap_means(3, Fraction(0), Fraction(0)).items()}
    {'X_cone': 0.25, 'N_cap': -0.25, 'C_cap': 0.25, 'Q_cap': 0.5}
    """
    if n == 1:
        half = exact(Fraction(1, 2))
        ahead = half if cap >= 0 else exact(0)
        return {"X_cone": half, "N_cap": -ahead, "C_cap": ahead, "Q_cap": ahead}
    (_, c0, s0), (p1, c1, s1) = _means(n, cone), _means(n, cap)
    k = exact(cone)
    return {"X_cone": c0 - k * s0, "N_cap": k * s1 - c1, "C_cap": c1, "Q_cap": 1 - p1}


@cache
def _means(n: int, cotangent: Fraction) -> tuple[Ball, Ball, Ball]:
    """The means of 1, cos and sin over a cap."""
    square, half = 1 / exact(1 + cotangent**2), exact(Fraction(1, 2))
    low, high = exact(Fraction(n - 1, 2)), exact(Fraction(n, 2))
    # I = B((n-1)/2, 1/2) = sqrt(pi) Gamma((n-1)/2)/Gamma(n/2)
    whole = half.gamma() * low.gamma() / high.gamma()
    longer = half.gamma() * high.gamma() / (high + half).gamma()
    p, s = (_beta(a, square, abs(cotangent)) / 2 for a in (low, high))
    if cotangent < 0:
        p, s = 1 - p, 1 - s
    return p, square.sqrt() ** (n - 1) / ((n - 1) * whole), s * longer / whole


def _beta(a: Ball, square: Ball, cotangent: Fraction) -> Ball:
    """The regularised incomplete beta function at (a, 1/2), from the end of [0, 1] that is nearer."""
    half = exact(Fraction(1, 2))
    if cotangent < 1:
        return 1 - (exact(cotangent**2) * square).beta_lower(half, a, True)
    return square.beta_lower(a, half, True)


@cache
def cones(n: int) -> Cones:
    """The cones that are tried in n dimensions.

    >>> found = cones(9)
    >>> bool((found.X > 0).all()), bool((found.P < 1).all())
    (True, True)
    """
    if n == 1:
        ahead = np.array([0.5, 0.0])
        return Cones(0 * ahead, np.array([0.0, -1.0]), 0.5 + 0 * ahead, -ahead, ahead, 1 - ahead)
    angles = np.arcsin(np.sqrt(betaincinv((n - 1) / 2, 0.5, 2 * _CHANCES)))
    angles[-_BEYOND:] = np.pi - angles[-_BEYOND:]
    widest = np.minimum(angles, 1.57)
    unit = 1 / (n / np.tan(widest) + np.sqrt(n))
    inner = np.maximum(widest[:, None] - unit[:, None] * _NARROWER, 0.05 * widest[:, None])
    w1, w0 = (grid.ravel() for grid in np.broadcast_arrays(angles[:, None], inner))
    cone, cap = (np.where(np.abs(w - np.pi / 2) > 1e-9, 1 / np.tan(w), 0.0) for w in (w0, w1))
    (_, c0, s0), (p1, c1, s1) = _floats(n, cone), _floats(n, cap)
    left = c0 - cone * s0
    # About 1/n of the difference is left; if less, it is not trusted, and X <= E[cos; omega <= w0].
    X = np.where(left > c0 / (5 * n), left, c0 + 1e-300) * (1 + _MARGIN)
    N = cone * s1 - c1 + (cone * s1 + c1) * _MARGIN / 1000
    return Cones(cone, cap, X, N, c1 * (1 + _MARGIN), p1 * (1 - _MARGIN))


def _floats(n: int, cotangent: Floats) -> tuple[Floats, Floats, Floats]:
    """The means of 1, cos and sin over caps, in floats."""
    square = 1 / (1 + cotangent**2)
    whole, longer = betaln((n - 1) / 2, 0.5), betaln(n / 2, 0.5)
    p, s = (betainc(a, 0.5, square) / 2 for a in ((n - 1) / 2, n / 2))
    p, s = (np.where(cotangent < 0, 1 - mean, mean) for mean in (p, s))
    return p, np.exp((n - 1) / 2 * np.log(square) - whole) / (n - 1), s * np.exp(longer - whole)
