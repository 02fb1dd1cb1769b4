"""How many gradients `sharp.two_point` forces: exact binomial total variations, the best gamma for each T.

x >= gamma^2 (1 - B - K h) for gamma <= (K+1) rho, h = tanh(eps/2) + (1 - tanh(eps/2)) delta. Without a hop B
is one total variation, and T is found by bisection at the best gamma: T grows with gamma up to about
2 sqrt(x), a little less where T is a few coins, and gamma stops at rho. With hops only B = 0 for T = 0 and
B = gamma for T = 1 can win, near e0; gamma runs over a grid that does not depend on the row.
"""

from __future__ import annotations

import numpy as np

from sim.laws import binomial_tv_gamma
from theory.regimes.chain import NOTHING, by_blocks
from theory.regimes.safe import Floats, down, up

HALF_WIDTHS = np.linspace(0.01, 1.0, 100)
# The best gamma/sqrt(x) where T is a few coins, x >= FEW_COINS, and where it is many.
FEW_COINS, FEW, MANY = 0.01, 1.7, 2.0
_RAISED = up(HALF_WIDTHS)
_SQUARES = down(HALF_WIDTHS**2)


def two_point_steps(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    """The least T that two points allow; 0 where they force nothing.

    >>> row = [np.array([v]) for v in (9e-5, 0.01, 100.0, 1e-5)]
    >>> float(two_point_steps(*row)[0])
    159.0
    """
    return np.maximum(by_blocks(_near_e0, x, rho, eps, delta), without_hops(x, rho))


def _near_e0(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    """T = 0 and T = 1 are each refused if some gamma makes the risk larger than x."""
    t = np.tanh(eps / 2)
    K = np.ceil(_RAISED / np.maximum(rho, NOTHING)) - 1
    left = 1 - up(K * (t + (1 - t) * delta))
    none, one = ((down(_SQUARES * np.maximum(room, 0.0)) > x).any(axis=1) for room in (left, left - _RAISED))
    return np.asarray(none * (1.0 + one))


def without_hops(x: Floats, rho: Floats) -> Floats:
    """The least T at which the total variation of two binomial laws allows the risk x."""
    widest = np.where(x < FEW_COINS, MANY, FEW) * np.sqrt(x)
    gamma = np.minimum(np.minimum(down(rho), widest), 1.0)
    steps = np.zeros(x.shape)
    live = np.flatnonzero(down(gamma**2) > x)
    if len(live):
        room = down(1 - up(x[live] / gamma[live] ** 2))
        steps[live] = _bisected(gamma[live], room)
    return steps


def _bisected(gamma: Floats, room: Floats) -> Floats:
    """The least T with TV(Bin(T, (1+gamma)/2), Bin(T, (1-gamma)/2)) >= room, certainly not too large."""
    refused = np.zeros(gamma.shape)
    # Beyond the root, which lies near sqrt(T) gamma = 0.95; were it not, the answer would only be too small.
    allowed = np.ceil((2 / gamma) ** 2) + 4
    while np.any(allowed - refused > 1):
        middle = np.floor((refused + allowed) / 2)
        small = up(np.asarray(binomial_tv_gamma(middle, -gamma, gamma))) < room
        refused, allowed = np.where(small, middle, refused), np.where(small, allowed, middle)
    return allowed
