"""A kinked coordinate under constant steps, in closed form: down to zero, then changing sign at every step.

From size x it follows y_{t+1} = b·y_t − aq·sign(y_t). It changes its sign first at step n. Up to there
Σ_{i<k} y_i = (x + q)G_k − qk with G_k = (1 − b^k)/a; after it C + D·G_k, less the swing aq/(2 − a) at every
other step. Both are monotone in k, so a few values bound the sum over many steps.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from oubli.sim.experiments.synthetic.paths import Bends, Rows
from oubli.sim.require import Array


class Piece(NamedTuple):
    """What kinks add over a chunk: weights·(w², w/k, w, 1/k², 1/k, 1), and at most width more; w = G_k/k."""

    weights: Array
    width: Array


@dataclass(frozen=True, eq=False)
class Turns:
    """The kinked coordinates of some chains; arrays of shape (coordinates, chains), kinks in one column."""

    a: Array
    mu: float
    kink: Array
    x: Array
    n: Array
    bn: Array
    C: Array
    D: Array

    @property
    def q(self) -> Array:
        return np.asarray(self.kink / self.mu)

    @property
    def swing(self) -> Array:
        """The size of y once it has settled."""
        return np.asarray(self.a * self.q / (2 - self.a))

    def of(self, rows: Rows) -> Turns:
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("a", "mu", "kink")}
        return Turns(
            self.a[rows], self.mu, self.kink, **{name: np.take(x, rows, axis=1) for name, x in kept.items()}
        )

    def added(self, y: Array) -> Array:
        """What all coordinates of sizes y add to the excess."""
        return np.asarray((y * (self.mu / 2 * y + self.kink)).sum(axis=0))

    def smooth(self, k: Array | float, G: Array) -> Array:
        """Σ_{i<k} y_i without its swing."""
        return np.where(k <= self.n, (self.x + self.q) * G - self.q * k, self.C + self.D * G)

    def average(self, k: Array, G: Array) -> Array:
        """|Σ_{i<k} y_i|/k."""
        swung = (k > self.n) & (np.mod(k, 2) != np.mod(self.n, 2))
        total = np.abs(self.smooth(k, G) - np.where(swung, self.swing, 0.0))
        return np.where(self.x == 0, 0.0, total / k)

    def ends(self, first: float, last: float) -> tuple[Array, Array]:
        """Bounds of Σ_{i<k} y_i over first <= k <= last."""
        log_b, turn = np.log1p(-self.a), np.clip(self.n, first, last)
        sums = [self.smooth(k, -np.expm1(k * log_b) / self.a) for k in (first, turn, last)]
        low, high = np.minimum(np.minimum(*sums[:2]), sums[2]), np.maximum(np.maximum(*sums[:2]), sums[2])
        still = self.x == 0
        return np.where(still, 0.0, low - self.swing), np.where(still, 0.0, high)

    def piece(self, first: float, last: float) -> Piece:
        """Bounds of what is added over first <= k <= last; tight but for coordinates that turn in between."""
        low, high = self.ends(first, last)
        most = np.maximum(np.abs(low), np.abs(high))
        early, late = self.n >= last, (self.n < first) & ((low > 0) | (high < 0))
        # Below zero the size is the negated sum, and the swing adds to it.
        sign = np.where(low > 0, 1.0, -1.0)
        C = np.where(late, sign * self.C - np.where(low > 0, self.swing, 0.0), np.maximum(low, 0.0))
        C, D = np.where(early, 0.0, C), np.where(early, self.x + self.q, np.where(late, sign * self.D, 0.0))
        E = np.where(early, -self.q, 0.0)
        weights = np.stack([D * D, 2 * D * C, 2 * D * E, C * C, 2 * C * E, E * E]) * (self.mu / 2)
        weights[[2, 4, 5]] += self.kink * np.stack([D, C, E])
        apart = np.where(early, 0.0, np.where(late, self.swing, most - np.maximum(low, 0.0))) / first
        width = (apart * (self.mu * most / first + self.kink)).sum(axis=0)
        return Piece(weights.sum(axis=1), np.asarray(width))


def turns(bends: Bends, a: Array) -> Turns:
    """The coordinates of chains with steps a/mu, 0 < a < 1.

    >>> path = turns(Bends(np.zeros(1), np.ones((1, 1)), np.ones(1), 1.0), np.array([0.5]))
    >>> [path.average(np.array([k]), np.array([2 - 0.5 ** (k - 1)])).item() for k in (1.0, 2.0, 3.0)]
    [1.0, 0.5, 0.16666666666666666]
    """
    kink, x = bends.kinks[:, None], bends.sizes
    q, rate = kink / bends.mu, -np.log1p(-a)
    n = np.floor(np.log1p(x / q) / rate) + 1
    bn = np.exp(-rate * n)
    rest = q - (x + q) * bn - a * q / (2 - a)
    C = (x + q) * (1 - bn) / a - q * n - rest * (1 - 1 / bn) / a
    return Turns(a, bends.mu, kink, x, n, bn, C, -rest / bn)
