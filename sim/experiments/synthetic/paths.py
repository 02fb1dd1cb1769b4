"""Averaged SGD on a sign family, chunk by chunk: every output is w·theta_0 + S·slope/mu off the kinks.

All coordinates of the slope see the same signs, so one scalar a chain carries them: the signed distance from
the optimum along the slope, which two cumulative sums advance. A kinked coordinate follows a path that its
start determines, in closed form: where that path alone keeps the excess above the pending level, a whole
chunk of signs is added up at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments.walk import Pending
from oubli.sim.require import Array, Counts
from oubli.sim.runs.schedules import Decreasing, DecreasingPrinted

Rows = NDArray[np.intp]


class Bends(NamedTuple):
    """What chains bring from their start besides its part along the slope; one row or column per chain.

    An output that gives the start the weight w has the excess miss² + across·w², where miss is its signed
    distance along the slope in these units, and mu/2·y² + kink·y for every kinked coordinate of size y.
    """

    across: Array
    sizes: Array
    kinks: Array
    mu: float

    def of(self, rows: Rows) -> Bends:
        return Bends(self.across[rows], self.sizes[:, rows], self.kinks, self.mu)


class Path(Protocol):
    """One schedule and what is judged of it; `move` opens a chunk that the other methods then speak of.

    Signs are centred, and in units in which the squared distance along the slope is an excess.
    """

    def move(self, steps: int) -> None: ...

    def advance(self, g: Array, rows: Rows) -> Array:
        """Take the chunk's steps with signs g, shape (steps, rows), for these chains: miss after each."""
        ...

    def skip(self, g: Array, rows: Rows) -> None:
        """The same without looking at what lies between."""
        ...

    def floor(self) -> Array:
        """A lower bound over the chunk of what the kinks of every chain add to its excess."""
        ...

    def excess(self, square: Array, rows: Rows, pending: Pending) -> Array:
        """The excess of these chains, from the squares of their misses.

        A value may stand for any other with which every chain passes every level at the same step.
        """
        ...

    def keep(self, rows: Rows) -> Path: ...


@dataclass(eq=False)
class DecreasingPath:
    """Steps 2/(mu(t+2)): the iterate is 2c_t/(t(t+1)), c_t = Σ_{s<t}(s+1)g_s, and A_t = A_0 + Σ 2c_k/k.

    A_0 is the start's own miss; A_t·2/((t+1)(t+2)) is the average's.
    """

    bends: Bends
    A: Array
    c: Array
    t: Counts = field(default_factory=lambda: np.zeros(1))

    def move(self, steps: int) -> None:
        self.t = self.t[-1] + 1.0 + np.arange(steps)

    def weight(self) -> Array:
        """The weight of the start in what is judged, after each step of the chunk."""
        return Decreasing().start_weight(self.t)

    def _sums(self, g: Array, rows: Rows) -> tuple[Array, Array]:
        """c_k and A_k for the chunk, with A_0 of the chunk in front; moves the state."""
        k = self.t[:, None]
        c = np.cumsum(k * g, axis=0)
        c += self.c[rows]
        A = np.empty((len(g) + 1, len(rows)))
        A[0] = self.A[rows]
        np.multiply(c, 2 / k, out=A[1:])
        np.cumsum(A, axis=0, out=A)
        self.c[rows], self.A[rows] = c[-1], A[-1]
        return c, A

    def advance(self, g: Array, rows: Rows) -> Array:
        return np.asarray(self._sums(g, rows)[1][1:] * self.weight()[:, None])

    def skip(self, g: Array, rows: Rows) -> None:
        self._sums(g, rows)

    def floor(self) -> Array:
        return np.zeros(len(self.c))

    def excess(self, square: Array, rows: Rows, pending: Pending) -> Array:
        mine = self.bends.of(rows)
        total = square + self.weight()[:, None] ** 2 * mine.across
        for x0, kink in zip(mine.sizes, mine.kinks.tolist(), strict=True):
            y = self.kinked(x0, kink / mine.mu)
            total += y * (mine.mu / 2 * y + kink)
        return total

    def kinked(self, x0: Array, q: float) -> Array:
        """|y| after every step of the chunk, for chains started at size x0."""
        return np.abs(Decreasing().kinked(x0, q, self.t[:, None]))

    def keep(self, rows: Rows) -> Path:
        return type(self)(self.bends.of(rows), self.A[rows], self.c[rows], self.t)


@dataclass(eq=False)
class PrintedPath(DecreasingPath):
    """The same iterates, averaged as printed: the newest one is left out, and the weights sum to t/(t+2).

    `short` is E g in the units of the signs: so much of it 2/(t+2) is missed.
    """

    short: float = 0.0

    def advance(self, g: Array, rows: Rows) -> Array:
        miss = self._sums(g, rows)[1][:-1] * self.weight()[:, None]
        miss -= (2 * self.short / (self.t + 2))[:, None]
        return np.asarray(miss)

    def kinked(self, x0: Array, q: float) -> Array:
        return np.abs(DecreasingPrinted().kinked(x0, q, self.t[:, None]))

    def keep(self, rows: Rows) -> Path:
        return PrintedPath(self.bends.of(rows), self.A[rows], self.c[rows], self.t, self.short)


class DecreasingIterate(DecreasingPath):
    """The raw iterate: its first step has length 1/mu, and nothing of the start is left."""

    def weight(self) -> Array:
        return np.zeros(len(self.t))

    def advance(self, g: Array, rows: Rows) -> Array:
        k = self.t[:, None]
        return np.asarray(self._sums(g, rows)[0] * (2 / (k * (k + 1))))

    def kinked(self, x0: Array, q: float) -> Array:
        size = q / (2 * np.floor(self.t / 2) + 1)
        return np.where(x0 == 0, 0.0, size[:, None])
