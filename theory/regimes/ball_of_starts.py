"""How many gradients a ball of starts with rare kinks forces, in few dimensions; in many a sphere is better.

x >= (1-a)^T (zeta^2 + 2 a (1 - A) zeta), zeta = (2 r nu P - 2 A delta')/(E' X - nu X_1), nu = (1 - 2 r/A)^d.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes.caps import Cones, cones
from oubli.theory.regimes.hops import DOWN, Family, Hop, Index, steps
from oubli.theory.regimes.safe import Floats


def ball_steps(x: Floats, r: Floats, eps: Floats, delta: Floats, d: Floats) -> Floats:
    """The least T that a ball of starts allows, as far as it is below 128; 0 where it forces nothing.

    >>> row = [np.array([v]) for v in (0.01, 1e-2, 1.5, 1e-5, 2.0)]
    >>> float(ball_steps(*row)[0])
    1.0
    """
    return steps(BALL, x, r, eps, delta, d)


def _miss(hop: Hop, X: Floats, N: Floats, P: Floats) -> Floats:
    """Zeta, rounded down; 0 where it is not positive."""
    nu = np.maximum(1 - 2 * hop.r / hop.A, 0.0) ** hop.used * DOWN
    gain = np.maximum(2 * hop.r * nu * P * DOWN - 2 * hop.A * hop.loss, 0.0)
    # N is negative where it helps, so that a smaller nu is safe; else it is raised.
    return gain / ((hop.growth * X + np.where(N < 0, nu, 1.0) * N) * (1 + 1e-8)) * DOWN


def _quality(hop: Hop, table: Cones) -> Floats:
    return _miss(hop, table.X, table.N, table.P)


def _forced(hop: Hop, table: Cones, cone: Index) -> tuple[Floats, tuple[Floats, ...]]:
    """The risk, and zeta."""
    zeta = _miss(hop, table.X[cone], table.N[cone], table.P[cone])
    risk = (zeta**2 + 2 * hop.a * (1 - hop.A) * zeta) * hop.unseen
    return np.asarray(np.where(2.01 * hop.r < hop.A, risk * DOWN, 0.0)), (zeta,)


BALL = Family(cones, _quality, _forced, 5)
