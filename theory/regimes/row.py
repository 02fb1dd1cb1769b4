"""One row of a question in exact numbers, for the decisions in balls.

Two edges lie outside the open domains of the records, and are answered by a harder question inside:

* r = 0: such a problem is one with any r > 0 whose forget data are the retain data; r = 2^-200 is taken.
* No privacy: let an algorithm output 0 with probability h, else what it would. Two of its laws share the mass
  h, so it is (eps, 1 - h)-unlearning for every eps, and its risk is at most e + h e0. What a record says of
  it at h = 2^-100 therefore holds for every algorithm, up to 2^-100 e0 in the target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from oubli.theory.regimes.query import Query

NEARLY_NOTHING = Fraction(1, 2**200)
SHARED = Fraction(1, 2**100)


@dataclass(frozen=True)
class Row:
    """The doubles of a row as rationals; eps is None where no privacy is asked for."""

    r: Fraction
    d: int
    eps: Fraction | None
    delta: Fraction
    x: Fraction

    @property
    def target(self) -> Fraction:
        """e = x e0 in units L = mu = 1."""
        return self.x / 8

    @property
    def hides(self) -> bool:
        """Whether there is anything to hide: forget data, and a budget."""
        return self.r > 0 and self.eps is not None

    @property
    def without_privacy(self) -> Row:
        """The question whose lower bounds hold for every algorithm."""
        return replace(self, eps=Fraction(1), delta=1 - SHARED, x=self.x + SHARED)


def question(q: Query, row: int) -> Row:
    """A row as it is asked: what the upper ends speak of."""
    return _row(q, row, float(q.eps[row]), float(q.delta[row]))


def implied(q: Query, row: int) -> Row:
    """A row with the budget of Definition 2 that it implies: what the lower ends speak of."""
    eps, delta = q.lower_budget
    return _row(q, row, float(eps[row]), float(delta[row]))


def _row(q: Query, row: int, eps: float, delta: float) -> Row:
    budget = Fraction(eps) if np.isfinite(eps) else None
    return Row(Fraction(float(q.r[row])), int(q.d[row]), budget, Fraction(delta), Fraction(float(q.x[row])))
