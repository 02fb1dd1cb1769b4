"""The noise of the upper bounds: its mean square at unit sensitivity, and the sensitivity it must cover."""

from __future__ import annotations

import numpy as np

from oubli.sim.laws import eps_frontier, radial_rate, staircase
from oubli.theory.regimes import registry
from oubli.theory.regimes.bound import Choice, Option, smallest
from oubli.theory.regimes.query import Noise, Query, QueryError
from oubli.theory.regimes.safe import Floats, down, up

GAUSSIAN = "Gaussian"
RADIAL = "radial exponential"
STAIRCASE = "radial staircase"
WIDTH = registry.width()


def gaussian(q: Query) -> Option:
    """E|z|^2 of the least private Gaussian noise, rounded up; of the classical kappa where that is asked for.

    >>> from oubli.theory.regimes.query import query
    >>> one = gaussian(query(rf=0.1, eps=1.0, delta=1e-5, dim=1, target=0.1))
    >>> round(float(one.values[0]), 6)
    13.917612
    """
    scale = q.gaussian_scale
    if q.noise is Noise.CLASSICAL:
        scale = classical(q, scale)
    return Option(up(q.d * scale**2), GAUSSIAN, registry.GAUSSIAN)


def radial(q: Query) -> Option:
    """E|z|^2 = d (d+1)/eps^2 of noise with density proportional to exp(-eps |z|), rounded up."""
    return Option(up(q.d * (q.d + 1) / q.eps**2), RADIAL, registry.RADIAL)


def radial_with_delta(q: Query) -> Option:
    """The same at a larger rate, which uses delta; not offered where that gains little."""
    rate = radial_rate(q.eps, q.delta, q.d)
    square = np.where(rate > q.eps, q.d * (q.d + 1) / rate**2, np.inf)
    return Option(up(square), RADIAL, registry.RADIAL_EXACT)


def stairs(q: Query) -> Option:
    """E|z|^2 of the best radial staircase noise, rounded up."""
    return Option(up(staircase(q.eps, q.d)[0]), STAIRCASE, registry.STAIRCASE)


def classical(q: Query, enough: Floats) -> Floats:
    """The classical kappa, rounded up; QueryError where it does not give (eps, delta)."""
    short = (down(q.kappa) < enough) & np.isfinite(q.eps)
    if short.any():
        eps, delta = q.eps[short][0], q.delta[short][0]
        frontier = float(eps_frontier(str(delta), 6)[0])
        raise QueryError(
            f"eps = {eps:g}: the classical kappa is not private at delta = {delta:g} beyond eps = "
            f"{frontier:.4g}; use exact noise"
        )
    return up(q.kappa)


def noise(q: Query) -> Choice:
    """The private noise of least mean square; the classical Gaussian alone where that is asked for."""
    if q.noise is Noise.CLASSICAL:
        return smallest([gaussian(q)])
    return smallest([gaussian(q), radial(q), radial_with_delta(q), stairs(q)])


def chord(q: Query) -> Option:
    """The sensitivity in units r L/mu by the chord argument."""
    return Option(up(2 / (1 + q.r)), "chord", registry.CHORD)


def sensitivity(q: Query) -> Choice:
    """The least proved sensitivity in units r L/mu."""
    width = Option(np.full_like(q.r, WIDTH), "width", registry.WIDTH)
    line = Option(np.where(q.d == 1, 1.0, np.inf), "line", registry.LINE)
    return smallest([line, width, chord(q)])
