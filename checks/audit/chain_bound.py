"""The lower bound on finitely many problems, so that risks measured on them can contradict it exactly.

It is the argument of `sharp.lower`, with sums in the place of integrals. Problems (m, f): signs of mean m on
the retain data, one forget loss hard(f), theta* = R((1−r)m + rf). With O the first coordinate of the output
in units R, cut to [m_0, m_n], and y² >= E(O − m)² (the excess risk in units e0) at each problem:

- at both ends of the chain |E O − m| <= y;
- between two problems with one theta* only the T signs tell, so that E O rises by at most y·sqrt(chi²), by
  Chapman and Robbins, with chi² = (1 + (m' − m)²/(1 − m²))^T − 1 seen from either problem;
- between two problems with one m privacy bounds the rise by t(y + y') + (1 − t)(m_n − m_0)·delta with
  t = tanh(eps/2), and so do the risks alone by y + y'.

The sum must be at least m_n − m_0. If it is not, with y from above, no private rule has these risks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from oubli.checks.audit.places import Place
from oubli.sim.require import Array

MOST_PLACES = 64
PIECES = (1, 2, 3, 4, 6, 8)
# The largest mean: at 1 a sign tells everything.
EDGE = 0.999


@dataclass(frozen=True, eq=False)
class Chain:
    """`segments` stretches of one theta* each, cut into `pieces`; the means run from −width to width."""

    width: float
    segments: int
    pieces: int
    rf: float

    @property
    def means(self) -> Array:
        """Means, one row per segment."""
        ends = np.linspace(-self.width, self.width, self.segments + 1)
        steps = np.linspace(0.0, 1.0, self.pieces + 1)
        return np.asarray(ends[:-1, None] + (ends[1:] - ends[:-1])[:, None] * steps)

    def places(self) -> tuple[Place, ...]:
        """All problems, segment by segment."""
        rho = self.rf / (1 - self.rf)
        side = np.linspace(1.0, -1.0, self.pieces + 1) * min(1.0, self.width / self.segments / rho)
        return tuple(Place(float(m), float(f)) for row in self.means for m, f in zip(row, side, strict=True))

    def sum(self, y: Array, T: int, eps: float, delta: float) -> float:
        """What the risks y² at the places allow; below 2·width no private rule has them."""
        table = y.reshape(self.segments, self.pieces + 1)
        m, m_next = self.means[:, :-1], self.means[:, 1:]
        forth = table[:, :-1] * _root_chi(m, m_next, T)
        back = table[:, 1:] * _root_chi(m_next, m, T)
        hops = table[:-1, -1] + table[1:, 0]
        t = math.tanh(eps / 2)
        paid = np.minimum(t * hops + (1 - t) * 2 * self.width * delta, hops)
        return float(table[0, 0] + table[-1, -1] + np.minimum(forth, back).sum() + paid.sum())

    def floor(self, T: int, eps: float, delta: float) -> float:
        """The least worst risk, in units e0, that the sum allows a private rule after T steps.

        >>> round(Chain(0.1, 1, 1, 0.1).floor(0, 1.0, 0.0), 6)  # no hop, no sign: two problems, one output
        0.01
        """
        ones = np.ones(self.segments * (self.pieces + 1))
        free = self.sum(ones, T, 0.0, 0.0)
        hops, t = 2 * (self.segments - 1), math.tanh(eps / 2)
        leaked = hops * (1 - t) * self.width * delta
        # The sum of equal y is the smaller of two linear functions of y: whichever is short forces y up.
        y = max((2 * self.width - leaked) / (free + hops * t), 2 * self.width / (free + hops))
        return max(y, 0.0) ** 2


def _root_chi(m: Array, other: Array, T: int) -> Array:
    """sqrt(chi²) of T signs of mean `other` against mean m."""
    with np.errstate(over="ignore"):
        return np.asarray(np.sqrt(np.expm1(T * np.log1p((other - m) ** 2 / (1 - m**2)))))


@lru_cache(maxsize=256)
def best_chain(rf: float, T: int, eps: float, delta: float) -> tuple[Chain, float]:
    """The chain of at most MOST_PLACES problems with the largest floor, and that floor."""
    rho = rf / (1 - rf)
    found = []
    for pieces in PIECES:
        for segments in range(1, MOST_PLACES // (pieces + 1) + 1):
            chain = Chain(min(segments * rho, EDGE), segments, pieces, rf)
            found.append((chain, chain.floor(T, eps, delta)))
            if chain.width >= EDGE:
                break
    return max(found, key=lambda pair: pair[1])
