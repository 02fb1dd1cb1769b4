"""The noise of the upper bounds: its mean square at unit sensitivity, and the sensitivity it must cover."""

from __future__ import annotations

import numpy as np

from sim.laws import eps_frontier
from theory.regimes.bound import Choice, Option, smallest
from theory.regimes.query import BadQuery, Noise, Query
from theory.regimes.safe import Floats, down, up

GAUSSIAN = "Gaussian"
RADIAL = "radial exponential"
DUAL = 1.44113  # the claim says 1.44112


def gaussian(q: Query) -> Option:
    """E|z|^2 of the least private Gaussian noise, rounded up; of the classical kappa where that is asked for.

    >>> from theory.regimes.query import query
    >>> one = gaussian(query(rf=0.1, eps=1.0, delta=1e-5, dim=1, target=0.1))
    >>> round(float(one.values[0]), 6)
    13.917612
    """
    scale = q.gaussian_scale
    if q.noise is Noise.CLASSICAL:
        return Option(
            up(q.d * classical(q, scale) ** 2), GAUSSIAN, ("gauss.kappa.small", "sharp.noise.gaussian")
        )
    return Option(up(q.d * scale**2), GAUSSIAN, ("sharp.noise.gaussian",))


def radial(q: Query) -> Option:
    """E|z|^2 = d (d+1)/eps^2 of noise with density proportional to exp(-eps |z|), rounded up."""
    claims = ("sharp.noise.radial", "sharp.noise.radial.moment")
    return Option(up(q.d * (q.d + 1) / q.eps**2), RADIAL, claims)


def classical(q: Query, enough: Floats) -> Floats:
    """The classical kappa, rounded up; BadQuery where it does not give (eps, delta)."""
    short = (down(q.kappa) < enough) & np.isfinite(q.eps)
    if short.any():
        eps, delta = q.eps[short][0], q.delta[short][0]
        frontier = float(eps_frontier(str(delta), 6)[0])
        raise BadQuery(
            f"eps = {eps:g}: the classical kappa is not private at delta = {delta:g} beyond eps = "
            f"{frontier:.4g}; use exact noise"
        )
    return up(q.kappa)


def noise(q: Query) -> Choice:
    """The private noise of least mean square; the classical Gaussian alone where that is asked for."""
    return smallest([gaussian(q)] if q.noise is Noise.CLASSICAL else [gaussian(q), radial(q)])


def chord(q: Query) -> Option:
    """The sensitivity in units r L/mu by the chord argument."""
    return Option(up(2 / (1 + q.r)), "chord", ("sensitivity",))


def sensitivity(q: Query) -> Choice:
    """The least proved sensitivity in units r L/mu."""
    dual = Option(np.full_like(q.r, DUAL), "24 points on a circle", ("sharp.sensitivity.dual",))
    line = Option(np.where(q.d == 1, 1.0, np.inf), "line", ("sensitivity.line",))
    return smallest([line, dual, chord(q)])
