"""The regime as the paper prints it, with the constants of its proofs; nothing here is certified."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes.query import Query
from oubli.theory.regimes.safe import Floats

LEVEL = 0.5
# T^U <= rho^2 (1 + d kappa^2) (e0/e)^2 (l.1111) over T^S >= c_1^2 (1 - pi c_1/2) e0/e (l.1286), best c_1.
EFFICIENT = 27 * np.pi**2 / 16
INEFFICIENT = 1 / (3 * 32 * np.log(1.25e8))


def trivial_from(q: Query) -> Floats:
    """e/e0 from which Theorem 1 prints T^U = 0 (l.531)."""
    return q.rho * (q.rho + np.sqrt(q.d) * q.kappa)


def efficient_from(q: Query, level: float = LEVEL) -> Floats:
    """e/e0 from which the corollary prints a ratio below the level (l.645)."""
    return EFFICIENT / level * q.rho**2 * (1 + q.d * q.kappa**2)


def inefficient_below(q: Query) -> Floats:
    """e/e0 below which Theorem 2 prints a ratio of order 1 (l.562); 0 outside its delta in [1e-8, eps]."""
    inside = (q.delta >= 1e-8) & (q.delta <= q.eps)
    return np.where(inside, np.minimum(1.0, INEFFICIENT * q.rho**2 * (1 + q.kappa**2)), 0.0)


def regime(q: Query) -> NDArray[np.str_]:
    """The printed regime of each row; where two theorems speak, the stronger sentence.

    >>> from oubli.theory.regimes.query import query
    >>> rows = query(rf=0.01, eps=1, delta=1e-5, dim=2, target=[1e-7, 1e-2, 0.5, 2.0])
    >>> regime(rows).tolist()
    ['inefficient', 'uncharted', 'trivial', 'trivial']
    """
    choices = [(q.x >= trivial_from(q)) | (q.x >= 1), q.x >= efficient_from(q), q.x < inefficient_below(q)]
    return np.select(choices, ["trivial", "efficient", "inefficient"], "uncharted")
