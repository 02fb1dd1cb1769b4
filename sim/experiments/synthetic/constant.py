"""Constant-step SGD on a sign family, chunk by chunk; the kinks are looked at only where they can decide.

What the kinks add is bounded over a chunk by a quadratic in w and 1/k that all chains of one kappa share: one
matrix product. Only steps between which these bounds leave a passage open need the exact value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from oubli.sim.experiments.synthetic.paths import Path, Rows
from oubli.sim.experiments.synthetic.turns import Turns
from oubli.sim.experiments.walk import Pending, columns_of, minima
from oubli.sim.require import Array, Counts

# Room for rounding where a bound is compared; far more than the arithmetic loses.
ROUNDING = 1e-11


@dataclass(eq=False)
class ConstantPath:
    """Steps a/mu, 0 < a <= 1/2, one a per kappa: s_{t+1} = b s_t + a g_t with b = 1 − a, and its average.

    `group` tells which a a chain has; s_0 is the start's own miss; `total` is Σ_{i<t} s_i.
    """

    a: Array
    group: Rows
    across: Array
    turns: Turns
    s: Array
    total: Array
    last: int
    t: Counts = field(default_factory=lambda: np.zeros(1))

    @cached_property
    def log_b(self) -> Array:
        return np.asarray(np.log1p(-self.a))

    @cached_property
    def powers(self) -> Array:
        """b^j for j = 1 … last, one column per chain."""
        return np.asarray(np.exp(np.arange(1, self.last + 1)[:, None] * self.log_b)[:, self.group])

    @cached_property
    def scaled(self) -> Array:
        """a·b^(−j): grows to at most 2^LAST, no overflow, and sums of them keep their relative accuracy."""
        return np.asarray(self.a[self.group] / self.powers)

    def move(self, steps: int) -> None:
        self.t = self.t[-1] + 1.0 + np.arange(steps)
        # G_k = (1 − b^k)/a, one column per kappa.
        self.spread = -np.expm1(self.t[:, None] * self.log_b) / self.a

    def _iterates(self, g: Array, rows: Rows) -> Array:
        """s_k for the chunk, with its first value in front; moves the state."""
        steps, s = len(g), np.empty((len(g) + 1, len(rows)))
        s[0] = self.s[rows]
        np.multiply(columns_of(self.scaled[:steps], rows), g, out=s[1:])
        np.cumsum(s, axis=0, out=s)
        s[1:] *= columns_of(self.powers[:steps], rows)
        self.s[rows] = s[-1]
        return s

    def advance(self, g: Array, rows: Rows) -> Array:
        s = self._iterates(g, rows)
        s[0] += self.total[rows]
        sums = np.cumsum(s[:-1], axis=0, out=s[:-1])
        self.total[rows] = sums[-1]
        sums *= 1 / self.t[:, None]
        return sums

    def skip(self, g: Array, rows: Rows) -> None:
        """Summing s_{k+1} − s_k = a(g_k − s_k) over the chunk gives Σ s_k = Σ g_k − (s_end − s_0)/a."""
        steps, first = len(g), self.s[rows]
        gained = np.einsum("ij,ij->j", columns_of(self.scaled[:steps], rows), g)
        self.s[rows] = self.powers[steps - 1, rows] * (first + gained)
        self.total[rows] += g.sum(axis=0) - (self.s[rows] - first) / self.a[self.group[rows]]

    def floor(self) -> Array:
        low, high = self.turns.ends(self.t[0], self.t[-1])
        least = np.maximum(np.maximum(low, -high), 0.0)
        return self.turns.added(least / self.t[-1])

    def excess(self, square: Array, rows: Rows, pending: Pending) -> Array:
        mine = self.turns if len(rows) == len(self.group) else self.turns.of(rows)
        piece = mine.piece(self.t[0], self.t[-1])
        piece.weights[0] += self.across[rows]
        total = self._spread_out(piece.weights, rows)
        total += square
        steps, columns = undecided(total, piece.width, pending)
        k, G, chosen = self.t[steps], self.spread[steps, self.group[rows[columns]]], mine.of(columns)
        exact = square[steps, columns] + self.across[rows[columns]] * (G / k) ** 2
        total[steps, columns] = exact + chosen.added(chosen.average(k, G))
        return total

    def _spread_out(self, weights: Array, rows: Rows) -> Array:
        """weights·(w², w/k, w, 1/k², 1/k, 1) at every step, one column per chain."""
        inverse = np.repeat(1 / self.t[:, None], len(self.a), axis=1)
        w = self.spread * inverse
        powers = np.stack([w * w, w * inverse, w, inverse * inverse, inverse, np.ones_like(w)])
        added = np.empty((len(self.t), len(rows)))
        # Chains of one kappa stand side by side and share the powers.
        edges = np.searchsorted(self.group[rows], np.arange(len(self.a) + 1))
        for kappa, (first, last) in enumerate(pairwise(edges.tolist())):
            np.matmul(powers[:, :, kappa].T, weights[:, first:last], out=added[:, first:last])
        return added

    def keep(self, rows: Rows) -> Path:
        mine = (self.across[rows], self.turns.of(rows), self.s[rows], self.total[rows])
        return type(self)(self.a, self.group[rows], *mine, self.last, self.t)


class ConstantIterate(ConstantPath):
    """The raw iterate of the same steps."""

    def advance(self, g: Array, rows: Rows) -> Array:
        return self._iterates(g, rows)[1:]

    def floor(self) -> Array:
        x, q = self.turns.x, self.turns.q
        last = np.exp(self.t[-1] * self.log_b)[self.group]
        return self.turns.added(np.maximum((x + q) * last - q, 0.0))

    def excess(self, square: Array, rows: Rows, pending: Pending) -> Array:
        decay = np.exp(self.t[:, None] * self.log_b)[:, self.group[rows]]
        mine, total = self.turns.of(rows), np.asarray(square + decay**2 * self.across[rows])
        for x, q, n, bn, swing in zip(mine.x, mine.q, mine.n, mine.bn, mine.swing, strict=True):
            turned = np.where(np.mod(self.t[:, None], 2) != np.mod(n, 2), -1.0, 1.0)
            late = swing + turned * decay * ((q - (x + q) * bn - swing) / bn)
            y = np.abs(np.where(self.t[:, None] < n, (x + q) * decay - q, late))
            total += np.where(x == 0, 0.0, mine.mu * y * (y / 2 + q))
        return total


def undecided(bound: Array, width: Array, pending: Pending) -> tuple[Rows, Rows]:
    """The entries whose values decide when a level is passed, all values being in bound + [0, width].

    A level is passed not before the bound is at or below it, and not after bound + width is.

    >>> bound = np.array([[9.0], [4.0], [3.0], [1.0]])
    >>> steps, _ = undecided(bound, np.ones(1), Pending(np.array([5.0, 3.5]), np.zeros(1, dtype=int)))
    >>> steps.tolist()
    [1, 2, 3]
    """
    found = minima(bound)
    passed = pending.passed(found.least / (1 + ROUNDING))
    levels = pending.levels[passed.level]
    first = found.first(passed.column, levels * (1 + ROUNDING))
    last = found.first(passed.column, levels * (1 - ROUNDING) - width[passed.column])
    opened = np.flatnonzero(first < last)
    some, column = np.unique(passed.column[opened], return_inverse=True)
    within = _covered(first[opened], last[opened] + 1, column, (len(bound) + 2, len(some)))
    steps, columns = np.nonzero(within[:-2])
    return steps, some[columns]


def _covered(first: Rows, end: Rows, column: Rows, shape: tuple[int, int]) -> Array:
    """Which entries lie in a range first <= row < end of their column."""
    size = shape[0] * shape[1]
    begun, ended = (np.bincount(at * shape[1] + column, minlength=size) for at in (first, end))
    return np.asarray(np.cumsum((begun - ended).reshape(shape), axis=0) > 0)
