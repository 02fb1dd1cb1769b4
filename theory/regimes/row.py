"""One row of a question in exact numbers, for the decisions in balls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theory.ball import exact
from theory.regimes.query import Query

Ball = Any


@dataclass(frozen=True)
class Row:
    """The doubles of a row as rationals; eps is None where no privacy is asked for."""

    r: Fraction
    d: int
    eps: Fraction | None
    delta: Fraction
    x: Fraction

    @property
    def rho(self) -> Fraction:
        """r/(1-r)."""
        return self.r / (1 - self.r)

    @property
    def tanh(self) -> Ball:
        """tanh(eps/2), 1 without privacy."""
        return exact(1) if self.eps is None else exact(self.eps / 2).tanh()

    @property
    def e_eps(self) -> Ball:
        """e^eps; without privacy a ball with which no comparison is certain."""
        return exact(1) / exact(0) if self.eps is None else exact(self.eps).exp()

    @property
    def delta_ball(self) -> Ball:
        """delta."""
        return exact(self.delta)


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
