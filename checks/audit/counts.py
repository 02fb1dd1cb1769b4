"""Lower confidence bounds on eps and delta from counts, with no assumption on the laws.

Sample sizes are Poissonised: a side is seen Poisson(size) times, so the hits in disjoint events are
independent Poisson counts. With X hits where (eps, delta) bounds the rate from above and Y where it is
bounded by, the rates satisfy a <= e^eps·b + directions·size·delta, for one direction or both pooled. The part
that delta allows is a Poisson count Z of known mean, capped; given X − Z + Y, what is left is binomial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import betaincinv, gammaincinv, pdtri
from scipy.stats import poisson

# Share of the level that pays for Z to exceed its cap.
CAP_SHARE = 0.2


@dataclass(frozen=True)
class Counts:
    """Hits of both kinds, the mean number of draws a side, and how many directions were pooled."""

    x: int
    y: int
    size: float
    directions: int


def allowed_by_delta(counts: Counts, delta: float, level: float) -> int:
    """A cap that the hits allowed by delta exceed with probability at most level.

    >>> allowed_by_delta(Counts(0, 0, 1e4, 1), 1e-5, 0.005)
    1
    """
    return int(poisson.isf(level, counts.directions * counts.size * delta))


def epsilon_lower(counts: Counts, delta: float, level: float) -> float:
    """A value that is at most the true eps at this delta, with probability at least 1 − level.

    >>> round(epsilon_lower(Counts(100, 0, 1e4, 1), 0.0, 0.05), 3)
    3.493
    """
    cap = allowed_by_delta(counts, delta, CAP_SHARE * level)
    spent = CAP_SHARE * level if delta > 0 else 0.0
    x = counts.x - cap
    share = float(betaincinv(x, counts.y + 1, level - spent)) if x > 0 else 0.0
    return math.log(share) - math.log1p(-share) if share > 0 else -math.inf


def delta_lower(counts: Counts, eps: float, level: float) -> float:
    """A value that is at most the true delta at this eps, with probability at least 1 − level.

    >>> round(delta_lower(Counts(900, 0, 1000.0, 1), 1.0, 0.05), 3)
    0.832
    """
    least = float(gammaincinv(counts.x, level / 2)) if counts.x else 0.0
    most = float(gammaincinv(counts.y + 1, 1 - level / 2))
    excess = least - math.exp(min(eps, 700.0)) * most
    return max(0.0, excess / (counts.directions * counts.size))


def poisson_size(draws: int) -> float:
    """The largest mean whose Poisson count exceeds `draws` with probability at most 1e-4.

    A count beyond the draws cannot be served: the test then says nothing, which only lowers its power.

    >>> round(poisson_size(10_000))
    9633
    """
    return float(pdtri(draws, 1 - 1e-4))
