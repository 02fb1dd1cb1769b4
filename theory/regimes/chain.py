"""How many gradients `sharp.lower` forces: the best half width gamma on a fixed grid.

For gamma <= (K+1) rho: gamma <= y (1 + sqrt(T) arcsin gamma + K t) + K gamma delta (1 - t), where y = sqrt(x)
and t = tanh(eps/2). The grid does not depend on the row, so the answer is monotone in x, rho, eps and delta.
"""

from __future__ import annotations

import numpy as np

from theory.regimes.safe import Floats, ceil_down, down, up

HALF_WIDTHS = np.geomspace(1e-6, 1.0, 600)
_ARCS = np.arcsin(HALF_WIDTHS)
_BLOCK = 512


def chain_steps(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    """The least T that the chain of means allows; 0 where it forces nothing.

    >>> [float(chain_steps(np.array([v]), np.array([0.1]), np.array([1.0]), np.array([1e-5]))[0])
    ...  for v in (1e-4, 1e-2)]
    [8479.0, 17.0]
    """
    steps = np.zeros(x.shape)
    for begin in range(0, len(x), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        steps[rows] = _block(*(a[rows, None] for a in (x, rho, eps, delta)))
    return steps


def _block(x: Floats, rho: Floats, eps: Floats, delta: Floats) -> Floats:
    t = np.tanh(eps / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        K = np.maximum(np.ceil(up(HALF_WIDTHS / rho)) - 1, 0.0)
        lost = np.where(K > 0, up(K * delta * (1 - t)), 0.0)
        free = down(HALF_WIDTHS * np.maximum(1 - lost, 0.0) / np.sqrt(x))
        root = (free - up(1 + np.where(K > 0, K * t, 0.0))) / _ARCS
    return ceil_down(np.nanmax(np.maximum(root, 0.0), axis=1) ** 2)
