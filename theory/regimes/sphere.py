"""How many gradients a sphere of starts with rare kinks forces.

With D = E' X - X_1 + (1 - cos eta) C and sin(eta) P per cone, E' and delta' of a hop, a' = (a - r)/(1 - r):
x >= (1-a)^T (2 a a' A cos(alpha) - (a' A)^2 - a^2 + (w - delta' A)^2/(sin(eta)^2 P^2 + D^2)),
w = sin(eta) P ((1 - a') A + a cos(alpha)) + D a sin(alpha): the record at the best multiplier. A cone
with a large (sin(eta) P - delta')/D is taken, and alpha by steps of Newton from its value for large D.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes.caps import Cones, cones
from oubli.theory.regimes.chain import NOTHING
from oubli.theory.regimes.hops import DOWN, Family, Hop, Index, steps
from oubli.theory.regimes.safe import Floats


def sphere_steps(x: Floats, r: Floats, eps: Floats, delta: Floats, d: Floats) -> Floats:
    """The least T that a sphere of starts allows, as far as it is below 128; 0 where it forces nothing.

    >>> row = [np.array([v]) for v in (0.01, 1e-3, 1.5, 1e-6, 10.0)]
    >>> float(sphere_steps(*row)[0])
    1.0
    """
    return steps(SPHERE, x, r, eps, delta, d)


def _turn(hop: Hop) -> Floats:
    """tan(eta/2) for a hop of 2 r; tiny where the radius is too small for one."""
    across = np.sqrt(np.maximum(hop.A**2 - hop.r**2, NOTHING))
    return np.where(_fits(hop), hop.r / across, 1e-9) * DOWN


def _fits(hop: Hop) -> Floats:
    return np.asarray(1.01 * hop.r < hop.A)


def _across(hop: Hop, turn: Floats, X: Floats, N: Floats, C: Floats) -> Floats:
    """D: X, N and C are rounded up; it may be a small difference, but never below 1e-6 of its terms."""
    return (hop.growth * X + N + 2 * turn**2 / (1 + turn**2) * C) * (1 + 1e-8)


def _quality(hop: Hop, table: Cones) -> Floats:
    turn = _turn(hop)
    return (2 * turn / (1 + turn**2) * table.P - hop.loss) / _across(hop, turn, table.X, table.N, table.C)


def _forced(hop: Hop, table: Cones, cone: Index) -> tuple[Floats, tuple[Floats, ...]]:
    """The risk; tan(eta/2), tan(alpha/2) and the multiplier."""
    turn, a, A = _turn(hop), hop.a, hop.A
    across = _across(hop, turn, table.X[cone], table.N[cone], table.C[cone])
    along = 2 * turn / (1 + turn**2) * table.P[cone]
    size, tilt = np.hypot(along, across), (a - hop.r) / (1 - hop.r)
    offset = along * (1 - tilt) * A - hop.loss * A
    alpha = _slope(np.arctan2(across, along), offset / size, a, tilt * A)
    pull = np.maximum(offset + a * (along * np.cos(alpha) + across * np.sin(alpha)), 0.0) / size
    paid = 2 * a * tilt * A * np.cos(alpha) - (tilt * A) ** 2 - a**2 + pull**2
    risk = np.where(_fits(hop), np.maximum(paid * DOWN - 1e-12, 0.0) * hop.unseen, 0.0)
    return risk, (turn, np.tan(alpha / 2), pull / size)


def _slope(phi: Floats, offset: Floats, a: Floats, inward: Floats) -> Floats:
    """The angle at which (a cos(alpha - phi) + offset) sin(phi - alpha) = inward sin(alpha), nearly."""
    alpha = np.arctan2(a * np.sin(phi), inward + a * np.cos(phi))
    for _ in range(2):
        g, s, c = a * np.cos(phi - alpha) + offset, np.sin(phi - alpha), np.cos(phi - alpha)
        falls = np.minimum(a * s**2 - g * c - inward * np.cos(alpha), -1e-9)
        alpha = np.clip(alpha - (g * s - inward * np.sin(alpha)) / falls, 0.0, phi)
    return np.asarray(alpha)


SPHERE = Family(lambda used: cones(used - 1), _quality, _forced, 500)
