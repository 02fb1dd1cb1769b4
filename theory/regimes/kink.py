"""How many gradients a kink at theta* forces without privacy: the best mean m and slope q = Q G on a grid.

x >= p G^2 (1 - TV), p = Q/(1 + Q), G <= r (1 + m), and the total variation of T signs of mean m and
m' = m - (1 + Q) G is at most sqrt(T)/2 (arcsin m - arcsin m'). G stops at sqrt(3 x/p),
where it is best, and at m' = 0: up to there T grows with G, so the answer is monotone in r and in x.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes.chain import TRIES, by_blocks
from oubli.theory.regimes.safe import Floats, ceil_down, down, single, up

_m, _Q = (
    g.ravel()
    for g in np.meshgrid(
        [0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.94, 0.97, 0.99],
        [0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0, 60.0],
    )
)
MEANS, SLOPES = _m, _Q
_WEIGHTS = down(SLOPES / (1 + SLOPES))
_MOST = down(MEANS / (1 + SLOPES))
_HIGH = np.arcsin(MEANS)


def kink_steps(x: Floats, r: Floats) -> Floats:
    """The least T that a kink at theta* allows; 0 where it forces nothing, as from 4 r^2 e0 on.

    >>> [float(kink_steps(np.array([v]), np.array([0.01]))[0]) for v in (2e-4, 5e-4)]
    [12.0, 0.0]
    """
    steps = np.zeros(x.shape)
    live = np.flatnonzero(x < 4 * r**2)
    steps[live] = by_blocks(_block, x[live], r[live])
    return steps


def widths(x: Floats, r: Floats) -> Floats:
    """G for each pair of the grid, certainly at most r (1 + m)."""
    return np.minimum(np.minimum(down(r * (1 + MEANS)), np.sqrt(3 * x / _WEIGHTS)), _MOST)


def proposed(x: float, r: float) -> list[tuple[float, ...]]:
    """The means, slopes and widths that seem to force most."""
    at = single(x), single(r)
    G, order = widths(*at), np.argsort(-_roots(*at))[:TRIES]
    return [(float(MEANS[i]), float(SLOPES[i]), float(G[i])) for i in order]


def _block(x: Floats, r: Floats) -> Floats:
    return ceil_down(_roots(x, r).max(axis=1) ** 2)


def _roots(x: Floats, r: Floats) -> Floats:
    G = widths(x, r)
    room = 1 - up(x / (_WEIGHTS * G**2))
    arcs = _HIGH - np.arcsin(np.maximum(MEANS - (1 + SLOPES) * G, 0.0))
    return np.asarray(np.maximum(down(2 * room), 0.0) / (arcs * (1 + 1e-9)))
