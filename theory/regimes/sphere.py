"""How many gradients a sphere of starts with rare kinks forces: radii, cones and coins on fixed grids.

With D = E' X - X_1 + (1 - cos eta) C and sin(eta) P per cone, E' and delta' of a hop, a' = (a - r)/(1 - r):
x >= (1-a)^T (2 a a' A cos(alpha) - (a' A)^2 - a^2 + (w - delta' A)^2/(sin(eta)^2 P^2 + D^2)),
w = sin(eta) P ((1 - a') A + a cos(alpha)) + D a sin(alpha): sharp.sphere.risk at the best multiplier. A cone
with a large (sin(eta) P - delta')/D is taken, and alpha by steps of Newton from its value for large D.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes.caps import cones
from oubli.theory.regimes.chain import NOTHING, TRIES, by_blocks
from oubli.theory.regimes.safe import Floats, single

MOST = 127
DIMENSIONS = (2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500)
RADII = np.array([0.04, 0.06, 0.09, 0.13, 0.19, 0.27, 0.37, 0.5, 0.65, 0.8, 0.92])
# With coins sqrt(d) A/(1 - r) stays below 1.
MEANS = np.array([0.1, 0.18, 0.3, 0.45, 0.62, 0.8])
_WIDEST = 40.0  # no hop of a larger eps forces anything that doubles resolve
_FARTHEST = 80.0
_DOWN = 1 - 1e-8
TYPICAL = 8.0  # the number of gradients for which the cone is chosen


@dataclass(frozen=True)
class Choice:
    """The numbers of the record for each row and radius, and the risk they force."""

    risk: Floats
    A: Floats
    a: Floats
    cone: Floats
    cap: Floats
    turn: Floats
    slope: Floats
    multiplier: Floats
    eps1: Floats
    chernoff: Floats


def sphere_steps(x: Floats, r: Floats, eps: Floats, delta: Floats, d: Floats) -> Floats:
    """The least T that a sphere of starts allows, as far as it is below 128; 0 where it forces nothing.

    >>> row = [np.array([v]) for v in (0.01, 1e-3, 1.5, 1e-6, 10.0)]
    >>> float(sphere_steps(*row)[0])
    1.0
    """
    steps = np.zeros(x.shape)
    live = np.flatnonzero((x < 1) & (eps < _WIDEST) & (d >= 2) & (r > 0) & (x < 8 * r * d / np.expm1(eps)))
    for used, rows in _by_dimension(d[live], 1.0):
        found = live[rows]
        columns = [column[found] for column in (x, r, eps, delta)]
        steps[found] = by_blocks(_none(used), *columns)
    for share in (1.0, 0.3):
        some = np.flatnonzero(steps > 0)
        for used, rows in _by_dimension(d[some], share):
            found = some[rows]
            columns = [column[found] for column in (x, r, eps, delta)]
            steps[found] = np.maximum(steps[found], by_blocks(_bisected(used), *columns))
    return steps


def proposed(r: float, eps: float, delta: float, d: int, T: int) -> list[tuple[float, ...]]:
    """The dimension and the numbers of the record that seem to force most at T gradients."""
    if not 0 < eps < _WIDEST or d < 2:
        return []
    found = []
    for used in {_largest(d * share) for share in (1.0, 0.3)}:
        hop = _hop(used, *(single(v)[None, None] for v in (r, eps, delta, float(T))))
        typical = _hop(used, *(single(v)[None, None] for v in (r, eps, delta, min(T, 1) * TYPICAL)))
        best = _forced(hop, _cone(typical))
        for i in np.argsort(-best.risk[0])[:TRIES]:
            numbers = [float(np.broadcast_to(v, best.risk.shape)[0, i]) for v in vars(best).values()]
            found.append((numbers[0], float(used), *numbers[1:]))
    return [numbers[1:] for numbers in sorted(found, reverse=True)[:TRIES]]


def _largest(d: float) -> int:
    return max([used for used in DIMENSIONS if used <= d], default=2)


def _by_dimension(d: Floats, share: float) -> list[tuple[int, NDArray[np.intp]]]:
    """The dimensions of the table that are used for some rows, and these rows."""
    used = np.array(DIMENSIONS)[np.maximum(np.searchsorted(DIMENSIONS, d * share, side="right") - 1, 0)]
    return [(int(n), np.flatnonzero(used == n)) for n in np.unique(used)]


def _none(used: int) -> Callable[..., Floats]:
    def steps(x: Floats, r: Floats, eps: Floats, delta: Floats) -> Floats:
        hop = _hop(used, r, eps, delta, np.zeros_like(x))
        return np.asarray(1.0 * (_forced(hop, _cone(hop)).risk.max(axis=1) > x[:, 0]))

    return steps


def _bisected(used: int) -> Callable[..., Floats]:
    """One more than the largest T, at least 1, that bisection finds refused with the cone for TYPICAL."""

    def steps(x: Floats, r: Floats, eps: Floats, delta: Floats) -> Floats:
        cone = _cone(_hop(used, r, eps, delta, np.full_like(x, TYPICAL)))
        refused, allowed = np.zeros_like(x), np.full_like(x, MOST + 1.0)
        while np.any(allowed - refused > 1):
            middle = np.maximum(np.floor((refused + allowed) / 2), 1.0)
            risk = _forced(_hop(used, r, eps, delta, middle), cone).risk.max(axis=1, keepdims=True)
            allowed, refused = np.where(risk > x, allowed, middle), np.where(risk > x, middle, refused)
        return np.asarray(allowed[:, 0])

    return steps


@dataclass(frozen=True)
class Hop:
    """A hop per row and radius: its numbers, the share of kinks, growth and loss of a test, and the coins."""

    used: int
    r: Floats
    T: Floats
    A: Floats
    a: Floats
    growth: Floats
    loss: Floats
    eps1: Floats
    chernoff: Floats

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Where the radius is large enough for a hop of 2 r."""
        return np.asarray(1.01 * self.r < self.A)

    @property
    def turn(self) -> Floats:
        """tan(eta/2)."""
        across = np.sqrt(np.maximum(self.A**2 - self.r**2, NOTHING))
        return np.where(self.fits, self.r / across, 1e-9) * _DOWN


def _hop(used: int, r: Floats, eps: Floats, delta: Floats, T: Floats) -> Hop:
    """The hops over all radii: without a gradient, or with T >= 1."""
    none = bool(np.all(T == 0))
    A = np.minimum(RADII, (1 - r) * _DOWN) if none else (1 - r) * MEANS / np.sqrt(used)
    a = np.ones_like(T) if none else np.maximum(1 / (T + 1), r * (1 + 1e-9))
    eps1, chernoff, rare = _coins(used, r, delta * np.exp(-eps), T, A)
    growth = np.exp(np.minimum(eps + 2 * eps1, _FARTHEST)) * (1 + 1e-11)
    loss = (np.exp(np.minimum(eps1, _FARTHEST)) * delta + rare * (1 + growth)) * (1 + 1e-11)
    return Hop(used, r, T, A, a, growth, loss, eps1, chernoff)


def _coins(d: int, r: Floats, delta1: Floats, T: Floats, A: Floats) -> tuple[Floats, Floats, Floats]:
    """eps1, the multiplier s and delta1: how far T coins can tell the two ends of a hop apart."""
    room = np.maximum(1 - d * (A / (1 - r)) ** 2, NOTHING) * _DOWN
    mean = T * d * (r / (1 - r)) ** 2 / room
    spread = mean / room
    tail = -np.log(delta1)
    eps1 = (mean + np.sqrt(2 * spread * tail)) * (1 + 1e-8)
    return eps1, np.sqrt(2 * tail / np.maximum(spread, NOTHING)) * (T > 0), delta1 * (T > 0) + 0 * eps1


def _cone(hop: Hop) -> NDArray[np.intp]:
    """The best cone of the table for each row and radius; every third radius is looked at."""
    table, shape = cones(hop.used - 1), np.broadcast_shapes(hop.A.shape, hop.r.shape)
    turn, growth, loss = (np.broadcast_to(v, shape)[:, 1::3, None] for v in (hop.turn, hop.growth, hop.loss))
    sine = 2 * turn / (1 + turn**2)
    D = growth * table.X + table.N + turn * sine * table.C
    found = np.argmax((sine * table.P - loss) / D, axis=-1)
    return np.asarray(np.repeat(found, 3, axis=1)[:, : shape[1]])


def _forced(hop: Hop, chosen: NDArray[np.intp]) -> Choice:
    """The best slope and multiplier for each row and radius; a risk of 0 where a radius is too small."""
    table, turn, a, A = cones(hop.used - 1), hop.turn, hop.a, hop.A
    sine = 2 * turn / (1 + turn**2)
    # X, N and C are rounded up, and D is at least 1e-3 of them unless eps is tiny.
    D = hop.growth * table.X[chosen] + table.N[chosen] + turn * sine * table.C[chosen]
    across, along = D * (1 + 1e-8), sine * table.P[chosen]
    size, tilt = np.hypot(along, across), (a - hop.r) / (1 - hop.r)
    offset = along * (1 - tilt) * A - hop.loss * A
    alpha = _slope(np.arctan2(across, along), offset / size, a, tilt * A)
    pull = np.maximum(offset + a * (along * np.cos(alpha) + across * np.sin(alpha)), 0.0) / size
    paid = 2 * a * tilt * A * np.cos(alpha) - (tilt * A) ** 2 - a**2 + pull**2
    unseen = np.where(hop.T > 0, 1 - np.minimum(a, 0.9), 1.0) ** hop.T
    risk = np.where(hop.fits, np.maximum(paid * _DOWN - 1e-12, 0.0) * unseen, 0.0)
    cone, cap = table.cone[chosen], table.cap[chosen]
    return Choice(risk, A, a, cone, cap, turn, np.tan(alpha / 2), pull / size, hop.eps1, hop.chernoff)


def _slope(phi: Floats, offset: Floats, a: Floats, inward: Floats) -> Floats:
    """The angle at which (a cos(alpha - phi) + offset) sin(phi - alpha) = inward sin(alpha), nearly."""
    alpha = np.arctan2(a * np.sin(phi), inward + a * np.cos(phi))
    for _ in range(2):
        g, s, c = a * np.cos(phi - alpha) + offset, np.sin(phi - alpha), np.cos(phi - alpha)
        change = (g * s - inward * np.sin(alpha)) / np.minimum(
            a * s**2 - g * c - inward * np.cos(alpha), -1e-9
        )
        alpha = np.clip(alpha - change, 0.0, phi)
    return np.asarray(alpha)
