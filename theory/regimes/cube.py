"""How many gradients chains in a cube force: the best number of coins and their largest mean, on fixed grids.

With j coins of means in [-g, g], a = g/sqrt(j) and n = a/rho hops:
a <= y + l sqrt(T g artanh g) + n (t l + a delta), y = sqrt(x), t = tanh(eps/2),
l^2 = e^eps x/(j - 1 + e^eps) + 4 a^2 delta. The delta terms are a little larger than in the claim, so that
each grows with its parameters, and the grids are the same for all rows: the answer is monotone throughout.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes.chain import NOTHING, TRIES, by_blocks
from oubli.theory.regimes.safe import Floats, ceil_down, single, up

MEANS = np.concatenate([np.geomspace(1e-3, 0.9, 80), np.linspace(0.91, 0.99, 9)])
COINS = (2, 3, 5, 10, 20, 50, 100, 300, 1000)
_ARCS = up(np.sqrt(MEANS * np.arctanh(MEANS)))


def cube_steps(x: Floats, rho: Floats, eps: Floats, delta: Floats, d: Floats) -> Floats:
    """The least T that the chains in a cube of at most d coins allow; 0 where they force nothing.

    >>> from oubli.theory.regimes.chain import chain_steps
    >>> row = [np.array([v]) for v in (1e-3, 1e-3, 0.05, 1e-6, 50.0)]
    >>> bool(cube_steps(*row)[0] > chain_steps(*row[:4])[0])
    True
    """
    steps = np.zeros(x.shape)
    for coins in COINS:
        live = np.flatnonzero((d >= coins) & (x < 1 / coins))
        if len(live):
            columns = [column[live] for column in (np.full_like(x, coins), x, rho, eps, delta)]
            steps[live] = np.maximum(steps[live], by_blocks(_block, *columns))
    return steps


def proposed(x: float, rho: float, eps: float, delta: float, d: int) -> list[tuple[float, ...]]:
    """The numbers of coins and the means that seem to force most."""
    coins = np.array([[j] for j in COINS if j <= d], dtype=np.float64)
    roots = _roots(coins, *map(single, (x, rho, eps, delta)))
    order = np.argsort(-roots, axis=None)[:TRIES]
    return [
        (float(coins[i, 0]), float(MEANS[j]))
        for i, j in zip(*np.unravel_index(order, roots.shape), strict=True)
    ]


def _block(coins: Floats, x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    return ceil_down(np.maximum(_roots(coins, x, rho, eps, delta).max(axis=1), 0.0) ** 2)


def _roots(coins: Floats, x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    y, t, a = np.sqrt(x), np.tanh(eps / 2), MEANS / np.sqrt(coins)
    error = up(np.sqrt(x / (1 + (coins - 1) * np.exp(-eps)) + 4 * delta * a**2))
    spent = up(y + a / np.maximum(rho, NOTHING) * (t * error + a * delta))
    return np.asarray((a * (1 - 1e-12) - spent) / (error * _ARCS))
