"""Radial exponential noise at unit sensitivity with δ used: density proportional to e^(−a‖z‖), a ≥ ε.

For a shift of length 1 the logarithm of the ratio of the densities at z is L = a (√(t² + 2tC + 1) − t),
where the length t is Gamma(d) of rate a and C, the cosine of a uniform direction with a fixed one, is
independent of it. The least δ is E max(0, 1 − e^(ε−L)). L falls in t and rises in C, so a sum over cells
of t and C with L at their worst corners bounds δ from above, without any cancellation.
`radial_rates.json` holds a fit of ln(a/ε − 1); for a larger budget than it knows, the largest that it
knows is taken.
"""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.polynomial.chebyshev import chebvander
from numpy.typing import ArrayLike, NDArray

from oubli.sim.laws.ball import as_ball, endpoints

Floats = NDArray[np.float64]

_FIT = json.loads(Path(__file__).with_name("radial_rates.json").read_text(encoding="utf-8"))
_LOW, _HIGH = (np.log(_FIT[name]) for name in ("low", "high"))
_COEFFICIENTS = np.array(_FIT["coefficients"])
# What the error of the fit and the width of the cells may cost in ln(a/ε − 1), less in high dimension. Gains
# below a hundredth are left.
_SAFE, _SAFE_LOW, _LEAST = 0.035, 0.1, 0.01
CELLS = (30, 90)  # the more, the tighter; few are tried first
_RARE = 1e-3  # share of δ that lies beyond the cells


def radial_rate(eps: ArrayLike, delta: ArrayLike, d: ArrayLike) -> Floats:
    """A rate a at which radial exponential noise is (ε, δ)-private at unit sensitivity; ε outside the fit.

    Args:
        eps: ε.
        delta: δ.
        d: The dimension.

    Returns:
        A rate for each row; `radial_delta_up` decides.

    >>> rate = radial_rate([1.0, 1.0], 1e-6, [10, 2])
    >>> bool(1.08 < rate[0] < 1.0912), float(rate[1])
    (True, 1.0)
    """
    e, p, n = (np.atleast_1d(a).astype(np.float64) for a in np.broadcast_arrays(eps, delta, d))
    rate = e.copy()
    # Private at a smaller budget is private at a larger one.
    e, p = np.minimum(e, _FIT["high"][0]), np.minimum(p, _FIT["high"][1])
    with np.errstate(divide="ignore", invalid="ignore"):
        place = (np.log(np.stack([e, p, n], axis=-1)) - _LOW) / (_HIGH - _LOW) * 2 - 1
    live = np.flatnonzero((np.abs(place) <= 1 + 1e-12).all(axis=-1))
    parts = [chebvander(place[live, k], size - 1) for k, size in enumerate(_COEFFICIENTS.shape)]
    folded = np.einsum("ni,ijk->njk", parts[0], _COEFFICIENTS)
    fitted = np.einsum("njk,nj,nk->n", folded, parts[1], parts[2])
    gain = np.exp(fitted - _SAFE - _SAFE_LOW / np.sqrt(n[live]))
    rate[live] = np.where(gain >= _LEAST, np.maximum(e[live] * (1 + gain), rate[live]), rate[live])
    return rate


def radial_fit() -> dict[str, Any]:
    """The fit behind `radial_rate`: its range, its coefficients, and what is taken off for safety."""
    return {**_FIT, "safe": [_SAFE, _SAFE_LOW, _LEAST]}


@lru_cache(maxsize=64)
def radial_delta_up(eps: Fraction, rate: Fraction, d: int, delta: Fraction) -> Fraction:
    """An upper bound on the δ of radial noise for a shift of length 1, by sums over cells of its length.

    Args:
        eps: ε, exact.
        rate: The rate a >= ε, exact.
        d: The dimension, at least 2.
        delta: The δ that is hoped for: where the cells are laid.

    Returns:
        A number that is certainly at least δ.

    >>> up = radial_delta_up(Fraction(1), Fraction(108, 100), 10, Fraction(1, 10**6))
    >>> 5e-7 < up < 1e-6
    True
    """
    for cells in CELLS[:-1]:
        found = _over_cells(eps, rate, d, delta, cells)
        if found <= delta:
            return found
    return _over_cells(eps, rate, d, delta, CELLS[-1])


def _over_cells(eps: Fraction, rate: Fraction, d: int, delta: Fraction, cells: int) -> Fraction:
    """The bound with so many cells of the length, and of the cosine beyond 0."""
    with ctx.workprec(64):
        e, a = as_ball(eps), as_ball(rate)
        lengths, cosines = _lengths(float(delta), d, cells), _cosines(float(delta), d, cells)
        mass = [arb(1), *(arb(t).gamma_upper(arb(d), 1) for t in lengths), arb(0)]
        above = cache(lambda j: _cap(d, arb(cosines[j])))  # most cosines are too small to matter
        parts = cache(lambda j: (arb(cosines[j]), above(j - 1) - above(j)))
        # Below the first length anything may leak; else the worst corner is the shortest, most aligned one.
        total = mass[0] - mass[1]
        for i, t in enumerate(lengths):
            leaks = _leaks(e, a, arb(t) / a, len(cosines) - 1, parts)
            total += (mass[i + 1] - mass[i + 2]) * leaks
        return endpoints(total)[1]


def _leaks(eps: arb, a: arb, t: arb, most: int, parts: Callable[[int], tuple[arb, arb]]) -> arb:
    """At least E max(0, 1 − e^(ε−L)) at one length, over cells of the cosine; L is larger for larger ones."""
    total, squares, double = arb(0), t**2 + 1, 2 * t
    for j in range(most, 0, -1):
        cosine, chance = parts(j)
        L = a * ((squares + double * cosine).sqrt() - t)
        if eps > L:
            break
        total += chance * (1 - (eps - L).exp())
    return total


def _lengths(delta: float, d: int, cells: int) -> list[float]:
    """Ends of cells of a‖z‖: little mass lies below the first; any ends are valid."""
    rare = math.log(delta * _RARE)
    low = math.exp((rare + math.lgamma(d + 1)) / d)
    high = d * (1 - 1 / (9 * d) + math.sqrt(-2 * rare) / (3 * math.sqrt(d))) ** 3 + 10
    return [float(t) for t in np.geomspace(low, high, cells)]


def _cosines(delta: float, d: int, cells: int) -> list[float]:
    """Ends of cells of the cosine, from −1 to 1: beyond 0 its tail falls by the same factor on each."""
    fall = -math.log(delta * _RARE) * np.arange(1, cells) / cells
    beyond = np.sqrt(-np.expm1(-2 * fall / (d - 1)))
    return [-1.0, *(float(c) for c in np.linspace(-1, 0, 40)[1:]), *(float(c) for c in beyond), 1.0]


def _cap(d: int, c: arb) -> arb:
    """The chance that the cosine of a uniform direction exceeds c, from −1 to 1."""
    inside = ((1 - c) * (1 + c)).beta_lower(arb(d - 1) / 2, arb(1) / 2, 1) / 2
    return inside if c >= 0 else 1 - inside
