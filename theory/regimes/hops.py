"""Families of starts with rare kinks: what the sphere and the ball share, on grids that no row changes.

A family has radii A; per row and radius a hop lets a test of the output grow by a factor E' and delta' more.
Without gradients these are e^eps and delta, with T of them coins add eps1 and delta1. The share
of kinks is a = 1/(T + 1), and the largest T that is refused is found by bisection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes.caps import Cones
from oubli.theory.regimes.chain import NOTHING, TRIES, by_blocks
from oubli.theory.regimes.safe import Floats, single

MOST = 127
TYPICAL = 8.0  # the number of gradients for which the cone is chosen
DIMENSIONS = (2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500)
RADII = np.array([0.04, 0.06, 0.09, 0.13, 0.19, 0.27, 0.37, 0.48, 0.58, 0.68, 0.78, 0.86, 0.92, 0.97])
# With coins sqrt(d) A/(1 - r) stays below 1.
MEANS = np.array([0.1, 0.16, 0.24, 0.34, 0.45, 0.57, 0.69, 0.8, 0.9])
SHARES = (1.0, 0.3, 0.06)  # of the dimension: with many coins the radius is small
# The coins may fail with probability RARE delta e^-eps/n^1.5, at most one half.
RARE = 10.0
WIDEST = 40.0  # no hop of a larger eps forces anything that doubles resolve
DOWN = 1 - 1e-8
FARTHEST = 80.0
Index = NDArray[np.intp]


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
    def unseen(self) -> Floats:
        """The probability that no kink is seen."""
        return np.where(self.T > 0, 1 - np.minimum(self.a, 0.9), 1.0) ** self.T


@dataclass(frozen=True)
class Family:
    """A family of starts: its table of cones, how good each is, and what is forced by the one chosen.

    `quality` gets columns of a hop with one axis more, for the cones. `forced` gives the risk per row and
    radius, 0 where a radius is too small, and the numbers of the record that are its own.
    """

    cones: Callable[[int], Cones]
    quality: Callable[[Hop, Cones], Floats]
    forced: Callable[[Hop, Cones, Index], tuple[Floats, tuple[Floats, ...]]]
    most: int


def steps(family: Family, x: Floats, r: Floats, eps: Floats, delta: Floats, d: Floats) -> Floats:
    """The least T that a family allows, as far as it is below 128; 0 where it forces nothing."""
    found = np.zeros(x.shape)
    rows = np.flatnonzero((x < 1) & (eps < WIDEST) & (d >= 2) & (r > 0))
    rows = rows[x[rows] < 8 * r[rows] * d[rows] / np.expm1(eps[rows])]
    for block, share in ((_none, 1.0), *((_bisected, share) for share in SHARES)):
        for used, some in _by_dimension(np.minimum(d[rows], family.most), share):
            here = rows[some]
            columns = [column[here] for column in (x, r, eps, delta)]
            found[here] = np.maximum(found[here], by_blocks(block(family, used), *columns))
        rows = rows[found[rows] > 0]
    return found


def proposed(family: Family, r: float, eps: float, delta: float, d: int, T: int) -> list[tuple[float, ...]]:
    """The dimension and the numbers of the record that seem to force most at T gradients."""
    if not 0 < eps < WIDEST or d < 2:
        return []
    found, used = [], [_by_dimension(single(min(d, family.most))[None], share) for share in SHARES]
    for ((number, _),) in used:
        at = [single(v)[None, None] for v in (r, eps, delta, float(T), min(T, 1) * TYPICAL)]
        hop, typical = _hop(number, *at[:4]), _hop(number, at[0], at[1], at[2], at[4])
        table = family.cones(number)
        cone = _chosen(family, typical, table)
        risk, own = family.forced(hop, table, cone)
        shared = (number + 0 * risk, hop.A, hop.a, table.cone[cone], table.cap[cone], hop.eps1, hop.chernoff)
        numbers = np.array([np.broadcast_to(v, risk.shape)[0] for v in (risk, *shared, *own)])
        found += [tuple(map(float, column)) for column in numbers.T]
    return [numbers[1:] for numbers in sorted(found, reverse=True)[:TRIES]]


def _by_dimension(d: Floats, share: float) -> list[tuple[int, Index]]:
    """The dimensions of the table that are used for some rows, and these rows."""
    used = np.array(DIMENSIONS)[np.maximum(np.searchsorted(DIMENSIONS, d * share, side="right") - 1, 0)]
    return [(int(n), np.flatnonzero(used == n)) for n in np.unique(used)]


def _none(family: Family, used: int) -> Callable[..., Floats]:
    """1 where T = 0 is refused."""

    def block(x: Floats, r: Floats, eps: Floats, delta: Floats) -> Floats:
        hop, table = _hop(used, r, eps, delta, np.zeros_like(x)), family.cones(used)
        risk, _ = family.forced(hop, table, _chosen(family, hop, table))
        return np.asarray(1.0 * (risk.max(axis=1) > x[:, 0]))

    return block


def _bisected(family: Family, used: int) -> Callable[..., Floats]:
    """One more than the largest T found refused with the cone for TYPICAL; 1 if T = 1 is not."""

    def block(x: Floats, r: Floats, eps: Floats, delta: Floats) -> Floats:
        table = family.cones(used)
        cone = _chosen(family, _hop(used, r, eps, delta, np.full_like(x, TYPICAL)), table)

        def refuses(rows: Index, T: Floats) -> NDArray[np.bool_]:
            risk, _ = family.forced(_hop(used, r[rows], eps[rows], delta[rows], T), table, cone[rows])
            return np.asarray(risk.max(axis=1, keepdims=True) > x[rows])

        found = np.ones(len(x))
        rows = np.flatnonzero(refuses(np.arange(len(x)), np.ones_like(x)))
        refused, allowed = np.ones((len(rows), 1)), np.full((len(rows), 1), MOST + 1.0)
        while np.any(allowed - refused > 1):
            middle = np.floor((refused + allowed) / 2)
            good = refuses(rows, middle)
            allowed, refused = np.where(good, allowed, middle), np.where(good, middle, refused)
        found[rows] = allowed[:, 0]
        return found

    return block


def _chosen(family: Family, hop: Hop, table: Cones) -> Index:
    """The best cone of the table for each row and radius; every third radius is looked at."""
    columns = np.broadcast_arrays(hop.r, hop.T, hop.A, hop.a, hop.growth, hop.loss, hop.eps1, hop.chernoff)
    third = Hop(hop.used, *(column[:, 1::3, None] for column in columns))
    found = np.argmax(family.quality(third, table), axis=-1)
    return np.asarray(np.repeat(found, 3, axis=1)[:, : columns[0].shape[1]])


def _hop(used: int, r: Floats, eps: Floats, delta: Floats, T: Floats) -> Hop:
    """The hops over all radii: without a gradient, or with T >= 1."""
    none = bool(np.all(T == 0))
    A = np.minimum(RADII, (1 - r) * DOWN) if none else (1 - r) * MEANS / np.sqrt(used)
    a = np.ones_like(T) if none else np.maximum(1 / (T + 1), r * (1 + 1e-9))
    likely = np.minimum(RARE * used**-1.5 * delta * np.exp(-eps), 0.5)
    eps1, chernoff, rare = _coins(used, r, likely, T, A)
    growth = np.exp(np.minimum(eps + 2 * eps1, FARTHEST)) * (1 + 1e-11)
    loss = (np.exp(np.minimum(eps1, FARTHEST)) * delta + rare * (1 + growth)) * (1 + 1e-11)
    return Hop(used, r, T, A, a, growth, loss, eps1, chernoff)


def _coins(d: int, r: Floats, delta1: Floats, T: Floats, A: Floats) -> tuple[Floats, Floats, Floats]:
    """eps1, the multiplier s and delta1: how far T coins can tell the two ends of a hop apart."""
    room = np.maximum(1 - d * (A / (1 - r)) ** 2, NOTHING) * DOWN
    mean = T * d * (r / (1 - r)) ** 2 / room
    spread = mean / room
    tail = -np.log(delta1)
    eps1 = (mean + np.sqrt(2 * spread * tail)) * (1 + 1e-8)
    return eps1, np.sqrt(2 * tail / np.maximum(spread, NOTHING)) * (T > 0), delta1 * (T > 0) + 0 * eps1
