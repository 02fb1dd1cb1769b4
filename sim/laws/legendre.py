"""Gauss-Legendre rules on [0, 1] in doubles, rounded from balls: numpy's own cost up to two digits."""

from functools import cache

import numpy as np
from flint import arb, ctx

from oubli.sim.laws.doubled import Floats


@cache
def legendre(nodes: int) -> tuple[Floats, Floats]:
    """Places and weights, exact for polynomials of degree 2·nodes − 1 up to the last rounding.

    >>> places, weights = legendre(2)
    >>> round(float(weights @ places**3), 15)
    0.25
    """
    with ctx.workprec(96):
        pairs = [arb.legendre_p_root(nodes, k, weight=True) for k in range(nodes)]
        places = np.array([float((1 + place) / 2) for place, _ in pairs])
        return places, np.array([float(weight / 2) for _, weight in pairs])
