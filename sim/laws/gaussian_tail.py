"""δ(ε,σ) of the Gaussian mechanism in doubles, to nearly the last digit.

With a = 1/(2σ), c = εσ, z = c − a:  δ = φ(z)·D, D = m(z) − m(z+2a), m the Mills ratio; e^ε never appears.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from oubli.sim.laws.doubled import Floats, two_product, two_sum
from oubli.sim.laws.legendre import legendre
from oubli.sim.laws.mills import mills, mills_remainder, mills_slope

_CLOSE = 0.25  # a up to here: D is the integral of −m'
_FAR = 3.0  # z from here: D by the remainders of the continued fraction
_CERTAIN = -37.0  # z below here: δ is 1 to the last bit
_PLACES, _WEIGHTS = legendre(7)


class Tail(NamedTuple):
    """δ, its logarithm, and its logarithmic slopes d ln δ / d ln σ and d ln δ / d ln ε (both negative)."""

    delta: Floats
    log_delta: Floats
    slope_sigma: Floats
    slope_eps: Floats


def gaussian_tail(eps: Floats, sigma: Floats) -> Tail:
    """δ(ε,σ) and its slopes, rounded to nearest as far as doubles go.

    >>> tail = gaussian_tail(np.array([1.0]), np.array([1.0]))
    >>> round(float(tail.delta[0]), 8)
    0.12693674
    """
    z, z_low, a = _centre(eps, sigma)
    square, square_low = two_product(z, z)
    correction = square_low / 2 + z * z_low
    density = np.exp(-square / 2) * (1 - correction) / np.sqrt(2 * np.pi)
    # Left of 0 the Mills ratio is steep: there δ comes first, from Φ, and D = δ/φ(z) follows.
    left = z < -_CLOSE
    D = _difference(np.where(left, 0.0, z), a)
    last = mills(z + 2 * a)
    delta = np.where(left, ndtr(-z) - density * last, density * D)
    D[left] = delta[left] / density[left]
    log_delta = np.log(D) - square / 2 - correction - np.log(2 * np.pi) / 2
    return Tail(delta, log_delta, -2 * a / D, -eps * last / D)


def _centre(eps: Floats, sigma: Floats) -> tuple[Floats, Floats, Floats]:
    """z = εσ − 1/(2σ) as an unevaluated sum (its square is exponentiated), and a."""
    c, c_low = two_product(eps, sigma)
    a = 0.5 / sigma
    back, back_low = two_product(a, sigma)
    a_low = ((0.5 - back) - back_low) / sigma
    z, z_low = two_sum(c, -a)
    z, z_low = two_sum(z, z_low + (c_low - a_low))
    certain = z < _CERTAIN
    return np.where(certain, _CERTAIN, z), np.where(certain, 0.0, z_low), a


def _difference(z: Floats, a: Floats) -> Floats:
    D = np.empty_like(z)
    close = a <= _CLOSE
    far = ~close & (z > _FAR)
    near = ~close & ~far
    D[close] = _integrated(z[close], a[close])
    D[far] = _remainders(z[far], z[far] + 2 * a[far], a[far])
    D[near] = mills(z[near]) - mills(z[near] + 2 * a[near])
    return D


def _integrated(z: Floats, a: Floats) -> Floats:
    return 2 * a * (mills_slope(z[:, None] + 2 * a[:, None] * _PLACES) @ _WEIGHTS)


def _remainders(z: Floats, end: Floats, a: Floats) -> Floats:
    # m = 1/(x + r), so m(z) − m(end) = (2a − (r(z) − r(end)))·m(z)·m(end).
    r, r_end = mills_remainder(z), mills_remainder(end)
    return (2 * a - (r - r_end)) / ((z + r) * (end + r_end))
