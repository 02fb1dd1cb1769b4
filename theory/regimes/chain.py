"""How many gradients a chain of means forces on the line: the best half width gamma on a fixed grid.

For gamma <= (K+1) rho: gamma <= y (1 + sqrt(T) arcsin gamma) + K (y t + gamma delta (1 - t)), y = sqrt(x)
and t = tanh(eps/2), and by the capped hop with K y in the last place. The grid does not depend on the
row, so the answer is monotone in x, rho, eps and delta.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from oubli.theory.regimes.safe import Floats, ceil_down, down, single, up

HALF_WIDTHS = np.geomspace(1e-6, 1.0, 480)
_RAISED = up(HALF_WIDTHS)
_OVER_ARCS = down(1 / np.arcsin(HALF_WIDTHS))
_BLOCK = 256
TRIES = 3  # how many proposals are decided before an end is given up
NOTHING = 1e-300  # r = 0: so many hops that nothing is forced


def chain_steps(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    """The least T that the chain of means allows; 0 where it forces nothing.

    >>> [float(chain_steps(np.array([v]), np.array([0.1]), np.array([1.0]), np.array([1e-5]))[0])
    ...  for v in (1e-4, 1e-2)]
    [8486.0, 18.0]
    """
    return by_blocks(_block, x, rho, eps, delta)


def by_blocks(block: Callable[..., Floats], *columns: Floats) -> Floats:
    """A function of columns, block by block so that temporaries stay in the cache."""
    steps = np.zeros(columns[0].shape)
    for begin in range(0, len(steps), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        steps[rows] = block(*(column[rows, None] for column in columns))
    return steps


def proposed(x: float, rho: float, eps: float, delta: float) -> list[tuple[float, ...]]:
    """The half widths that seem to force most."""
    roots = _roots(*map(single, (x, rho, eps, delta)))
    return [(float(HALF_WIDTHS[i]),) for i in np.argsort(-roots)[:TRIES]]


def _block(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    return ceil_down(np.maximum(_roots(x, rho, eps, delta).max(axis=1), 0.0) ** 2)


def _roots(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    t = np.tanh(eps / 2)
    K = np.ceil(_RAISED / np.maximum(rho, NOTHING)) - 1
    free = HALF_WIDTHS * (1 / np.sqrt(x))
    price = np.minimum(t + (1 - t) * delta * free, 1.0)
    return np.asarray((down(free) - up(1 + K * price)) * _OVER_ARCS)
