"""How many gradients two points force: exact binomial total variations, the best gamma for each T.

x >= gamma^2 (1 - B - K h) for gamma <= (K+1) rho, h = tanh(eps/2) + (1 - tanh(eps/2)) delta. Without a hop B
is one total variation, and T is found by bisection at the best gamma: T grows with gamma up to about
2 sqrt(x), a little less where T is a few coins, and gamma stops at rho. With hops only B = 0 for T = 0 and
B = gamma for T = 1 can win, near e0; gamma runs over a grid that does not depend on the row.
"""

from __future__ import annotations

import numpy as np

from oubli.sim.laws import binomial_tv_gamma
from oubli.theory.regimes.chain import NOTHING, TRIES, by_blocks
from oubli.theory.regimes.safe import Floats, down, single, up

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


def proposed(x: float, rho: float, eps: float, delta: float, T: int) -> list[tuple[float, ...]]:
    """The half width without a hop, and those with hops that seem to force most."""
    at = list(map(single, (x, rho, eps, delta)))
    risks = _risks(*at[1:])[min(T, 1)]
    return [(float(_width(*at[:2])),), *((float(HALF_WIDTHS[i]),) for i in np.argsort(-risks)[:TRIES])]


def _near_e0(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    """T = 0 and T = 1 are each refused if some gamma makes the risk larger than x."""
    none, one = ((risks > x).any(axis=1) for risks in _risks(rho, eps, delta))
    return np.asarray(none * (1.0 + one))


def _risks(rho: Floats, eps: Floats, delta: Floats) -> list[Floats]:
    """The risk for each gamma at T = 0 and at T = 1, rounded down."""
    t = np.tanh(eps / 2)
    K = np.ceil(_RAISED / np.maximum(rho, NOTHING)) - 1
    left = 1 - up(K * (t + (1 - t) * delta))
    return [down(_SQUARES * np.maximum(room, 0.0)) for room in (left, left - _RAISED)]


def _width(x: Floats, rho: Floats) -> Floats:
    """The best gamma without a hop."""
    widest = np.where(x < FEW_COINS, MANY, FEW) * np.sqrt(x)
    return np.asarray(np.minimum(np.minimum(down(rho), widest), 1.0))


def without_hops(x: Floats, rho: Floats) -> Floats:
    """The least T at which the total variation of two binomial laws allows the risk x."""
    gamma = _width(x, rho)
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
