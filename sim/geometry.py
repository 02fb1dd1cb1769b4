"""The ball B(0, R): projection on it, and who is outside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oubli.sim.require import Array

# A projected point has norm R up to a few roundings; this factor separates rounding from leaving the ball.
ROUNDING = 1e-12


def norms(theta: Array) -> Array:
    """Euclidean norm of each row.

    >>> norms(np.array([[3.0, 4.0]])).tolist()
    [5.0]
    """
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", theta, theta)))


def project(theta: Array, R: float) -> Array:
    """The nearest point of B(0, R) to each row.

    >>> project(np.array([[3.0, 4.0], [0.1, 0.0]]), 1.0).tolist()
    [[0.6000000000000001, 0.8], [0.1, 0.0]]
    """
    return np.asarray(theta * (R / np.maximum(norms(theta), R))[..., None])


def outside(theta: Array, R: float) -> NDArray[np.bool_]:
    """Rows outside B(0, R) by more than rounding.

    >>> outside(np.array([[1.0], [1.1]]), 1.0).tolist()
    [False, True]
    """
    return np.asarray(norms(theta) > R * (1 + ROUNDING))
