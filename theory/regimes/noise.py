"""The noise of the upper bounds: its mean square at unit sensitivity, and the sensitivity it must cover."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.laws import eps_frontier, gaussian_sigma
from theory.regimes.query import BadQuery, Noise, Query
from theory.regimes.safe import Floats, down, up

GAUSSIAN = ("sharp.noise.gaussian",)
CLASSICAL = ("gauss.kappa.small",)


@dataclass(frozen=True)
class Scale:
    """A private noise: E|z|^2 at unit sensitivity (rounded up), its law by name, and its claims."""

    square: Floats
    law: str
    claims: tuple[str, ...]


def gaussian(q: Query) -> Scale:
    """Gaussian noise of the least private scale; the classical kappa where that was asked for.

    >>> from theory.regimes.query import query
    >>> one = gaussian(query(rf=0.1, eps=1.0, delta=1e-5, dim=1, target=0.1))
    >>> round(float(one.square[0]), 6)
    13.917612
    """
    if q.noise is Noise.CLASSICAL:
        return Scale(up(q.d * classical(q) ** 2), "gaussian", CLASSICAL)
    return Scale(up(q.d * exact_scale(q) ** 2), "gaussian", GAUSSIAN)


def exact_scale(q: Query) -> Floats:
    """The least standard deviation that gives (eps, delta) at unit sensitivity, rounded up; 0 for eps = inf."""
    finite = np.isfinite(q.eps)
    scale = np.zeros_like(q.eps)
    scale[finite] = gaussian_sigma(q.eps[finite], q.delta[finite])
    return scale


def classical(q: Query) -> Floats:
    """The classical kappa, rounded up; BadQuery where it does not give (eps, delta)."""
    kappa, enough = up(q.kappa), exact_scale(q)
    short = (down(q.kappa) < enough) & np.isfinite(q.eps)
    if short.any():
        eps, delta = q.eps[short][0], q.delta[short][0]
        frontier = float(eps_frontier(str(delta), 6)[0])
        raise BadQuery(
            f"eps = {eps:g}: the classical kappa is not private at delta = {delta:g} beyond eps = "
            f"{frontier:.4g}; use exact noise"
        )
    return kappa
