"""Averaged SGD on a sign family, chunk by chunk: every output is w·theta_0 + S·slope/mu off the kinks.

All coordinates of the slope see the same signs, so one scalar S a chain carries them; two cumulative sums
advance it. A kinked coordinate follows a path that its start determines, in closed form: where that path
alone keeps the excess above the pending level, a whole chunk of signs is added up at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.phase_walk import LAST
from sim.require import Array, Counts
from sim.schedules import Decreasing, DecreasingPrinted

Rows = NDArray[np.intp]


class Lines(NamedTuple):
    """w and S after each step of a chunk; w has one column, or one per chain."""

    weight: Array
    signs: Array


class Path(Protocol):
    """One schedule and what is judged of it; `move` opens a chunk that the other methods then speak of."""

    def move(self, steps: int) -> None: ...

    def advance(self, g: Array, rows: Rows) -> Lines:
        """Take the chunk's steps with signs g, shape (steps, rows), for these chains."""
        ...

    def skip(self, g: Array, rows: Rows) -> None:
        """The same without looking at what lies between."""
        ...

    def floor(self, x0: Array, q: float) -> Array:
        """A lower bound over the chunk of |y|, the kinked coordinate of every chain, started at size x0."""
        ...

    def kinked(self, x0: Array, q: float, rows: Rows) -> Array:
        """|y| after every step of the chunk, for these chains."""
        ...

    def keep(self, rows: Rows) -> Path: ...


@dataclass(eq=False)
class DecreasingPath:
    """Steps 2/(mu(t+2)): the iterate is 2c_t/(t(t+1)), c_t = Σ_{s<t}(s+1)g_s; A_t = Σ 2c_k/k the average."""

    c: Array
    A: Array
    t: Counts = field(default_factory=lambda: np.zeros(1))

    def move(self, steps: int) -> None:
        self.t = self.t[-1] + 1.0 + np.arange(steps)

    def _sums(self, g: Array, rows: Rows) -> tuple[Array, Array]:
        """c_k and A_k for the chunk, with A_0 of the chunk in front; moves the state."""
        k = self.t[:, None]
        c = np.cumsum(k * g, axis=0)
        c += self.c[rows]
        A = np.empty((len(g) + 1, len(rows)))
        A[0] = 0.0
        np.cumsum(c * (2 / k), axis=0, out=A[1:])
        A += self.A[rows]
        self.c[rows], self.A[rows] = c[-1], A[-1]
        return c, A

    def advance(self, g: Array, rows: Rows) -> Lines:
        weight = Decreasing().start_weight(self.t)[:, None]
        return Lines(weight, self._sums(g, rows)[1][1:] * weight)

    def skip(self, g: Array, rows: Rows) -> None:
        self._sums(g, rows)

    def floor(self, x0: Array, q: float) -> Array:
        return np.zeros_like(x0)

    def kinked(self, x0: Array, q: float, rows: Rows) -> Array:
        return np.abs(Decreasing().kinked(x0, q, self.t[:, None]))

    def keep(self, rows: Rows) -> Path:
        return type(self)(self.c[rows], self.A[rows], self.t)


class PrintedPath(DecreasingPath):
    """The same iterates, averaged as printed: the newest one is left out."""

    def advance(self, g: Array, rows: Rows) -> Lines:
        late = self._sums(g, rows)[1][:-1]
        shrunk = Decreasing().start_weight(self.t)[:, None]
        return Lines(DecreasingPrinted().start_weight(self.t)[:, None], late * shrunk)

    def kinked(self, x0: Array, q: float, rows: Rows) -> Array:
        return np.abs(DecreasingPrinted().kinked(x0, q, self.t[:, None]))


class DecreasingIterate(DecreasingPath):
    """The raw iterate: its first step has length 1/mu, and nothing of the start is left."""

    def advance(self, g: Array, rows: Rows) -> Lines:
        k = self.t[:, None]
        return Lines(np.zeros((len(g), 1)), self._sums(g, rows)[0] * (2 / (k * (k + 1))))

    def kinked(self, x0: Array, q: float, rows: Rows) -> Array:
        size = q / (2 * np.floor(self.t / 2) + 1)
        return np.where(x0 == 0, 0.0, size[:, None])


@dataclass(eq=False)
class ConstantPath:
    """Steps a/mu, 0 < a <= 1/2, one a per kappa: s_{t+1} = b s_t + a g_t with b = 1 − a, and its average.

    `group` tells which a a chain has; `total` is Σ_{i<t} s_i.
    """

    a: Array
    group: Rows
    s: Array
    total: Array
    t: Counts = field(default_factory=lambda: np.zeros(1))

    def __post_init__(self) -> None:
        # b^(−j) grows to at most 2^LAST: no overflow, and a sum of such terms keeps its relative accuracy.
        self.log_b = np.log1p(-self.a)
        self.powers = np.exp(np.arange(1, LAST + 1)[:, None] * self.log_b)[:, self.group]
        self.scaled = self.a[self.group] / self.powers

    def move(self, steps: int) -> None:
        self.t = self.t[-1] + 1.0 + np.arange(steps)
        # G_k = (1 − b^k)/a, one column per kappa.
        self.spread = -np.expm1(self.t[:, None] * self.log_b) / self.a

    def _iterates(self, g: Array, rows: Rows) -> Array:
        """s_k for the chunk, with its first value in front; moves the state."""
        steps, s = len(g), np.empty((len(g) + 1, len(rows)))
        s[0] = self.s[rows]
        np.cumsum(_columns(self.scaled[:steps], rows) * g, axis=0, out=s[1:])
        s[1:] += s[0]
        s[1:] *= _columns(self.powers[:steps], rows)
        self.s[rows] = s[-1]
        return s

    def advance(self, g: Array, rows: Rows) -> Lines:
        sums = np.cumsum(self._iterates(g, rows)[:-1], axis=0)
        sums += self.total[rows]
        self.total[rows] = sums[-1]
        k = self.t[:, None]
        return Lines((self.spread / k)[:, self.group[rows]], sums / k)

    def skip(self, g: Array, rows: Rows) -> None:
        """Summing s_{k+1} − s_k = a(g_k − s_k) over the chunk gives Σ s_k = Σ g_k − (s_end − s_0)/a."""
        steps, first = len(g), self.s[rows]
        gained = np.einsum("ij,ij->j", _columns(self.scaled[:steps], rows), g)
        self.s[rows] = self.powers[steps - 1, rows] * (first + gained)
        self.total[rows] += g.sum(axis=0) - (self.s[rows] - first) / self.a[self.group[rows]]

    def floor(self, x0: Array, q: float) -> Array:
        """Σ y grows until its first change of sign and then swings by less than aq."""
        everyone = np.arange(len(x0))
        first = self._sum(x0, q, everyone, self.t[:1, None], self.spread[:1])[0]
        return np.asarray(np.maximum(first - 2 * self.a[self.group] * q, 0.0) / self.t[-1])

    def kinked(self, x0: Array, q: float, rows: Rows) -> Array:
        k = self.t[:, None]
        size = self._sum(x0, q, rows, k, self.spread)
        np.abs(size, out=size)
        size *= 1 / k
        size[:, x0 == 0] = 0.0
        return size

    def _sum(self, x0: Array, q: float, rows: Rows, k: Array, spread: Array) -> Array:
        """Σ_{i<k} y_i: (x + q)G_k − qk up to the first change of sign at step n, then C + D·G_k − parity."""
        a, G = self.a[self.group[rows]], spread[:, self.group[rows]]
        n, bn = self._crossing(x0, q, rows)
        if np.all(n >= k[-1]):
            G *= x0 + q
            return np.asarray(np.subtract(G, q * k, out=G))
        swing = a * q / (2 - a)
        rest = q - (x0 + q) * bn - swing
        C = (x0 + q) * (1 - bn) / a - q * n - rest * (1 - 1 / bn) / a
        late = (-rest / bn) * G
        late += C
        late -= np.where(np.mod(k, 2) != np.mod(n, 2), swing, 0.0)
        return late if np.all(n < k[0]) else np.where(k <= n, (x0 + q) * G - q * k, late)

    def _crossing(self, x0: Array, q: float, rows: Rows) -> tuple[Array, Array]:
        """n, the step of the first change of sign, and b^n."""
        rate = -self.log_b[self.group[rows]]
        n = np.floor(np.log1p(x0 / q) / rate) + 1
        return n, np.exp(-rate * n)

    def keep(self, rows: Rows) -> Path:
        return type(self)(self.a, self.group[rows], self.s[rows], self.total[rows], self.t)


class ConstantIterate(ConstantPath):
    """The raw iterate of the same steps."""

    def advance(self, g: Array, rows: Rows) -> Lines:
        decay = np.exp(self.t[:, None] * self.log_b)[:, self.group[rows]]
        return Lines(decay, self._iterates(g, rows)[1:])

    def floor(self, x0: Array, q: float) -> Array:
        last = np.exp(self.t[-1] * self.log_b)[self.group]
        return np.asarray(np.maximum((x0 + q) * last - q, 0.0))

    def kinked(self, x0: Array, q: float, rows: Rows) -> Array:
        k, a = self.t[:, None], self.a[self.group[rows]]
        n, bn = self._crossing(x0, q, rows)
        decay = np.exp(k * self.log_b)[:, self.group[rows]]
        swing = a * q / (2 - a)
        late = swing + (1 - 2 * _odd(k, n)) * decay * ((q - (x0 + q) * bn - swing) / bn)
        return np.where(x0 == 0, 0.0, np.abs(np.where(k < n, (x0 + q) * decay - q, late)))


def _columns(table: Array, rows: Rows) -> Array:
    """The columns of these chains; no copy when they are all of them."""
    return table if len(rows) == table.shape[1] else np.asarray(table[:, rows])


def _odd(k: Array, n: Array) -> Array:
    """1 where k − n is odd, else 0; both whole."""
    return np.asarray((np.mod(k, 2) != np.mod(n, 2)).astype(np.float64))
