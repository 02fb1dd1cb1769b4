"""Which events to count: chosen on draws that are never counted.

Scores are oriented so that the first law lies higher. The event for the first direction is a score of at
least `upper`, the one for the second a score below `lower`; either may be absent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr

from oubli.checks.audit.counts import CAP_SHARE, Counts
from oubli.sim.require import Array

GRID = 40
# Pairs of thresholds whose exact worth is computed.
LIKELY = 100
# What was chosen freely only looks better than it is: by this much it must be better than what was not.
CLEARLY = 0.8
# Thresholds close to the lowest score, as parts of the range.
CLOSE_ENDS = 10.0 ** np.arange(-9, -1)
# Value of an expected pair of counts (x, y, directions), larger is better.
Worth = Callable[[Array, Array, Array], Array]
# Of one law, per threshold: hits at or above, hits below, false hits at or above, false hits below.
Shares = tuple[Array, Array, Array, Array]


@dataclass(frozen=True)
class Event:
    """Two disjoint half-lines of the score, and the worth that chose them, by counts or a fitted law."""

    upper: float
    lower: float
    worth: float
    fitted: bool = False

    @property
    def directions(self) -> int:
        """How many of the two half-lines are in use."""
        return int(self.upper < math.inf) + int(self.lower > -math.inf)

    def count(self, first: Array, second: Array, size: float) -> Counts:
        """Hits of fresh draws of both sides, whose numbers are Poisson with mean size.

        >>> Event(1.0, -1.0, 0.0).count(np.array([2.0, 0.0]), np.array([-2.0, 3.0]), 2.0)
        Counts(x=2, y=1, size=2.0, directions=2)
        """
        x = np.count_nonzero(first >= self.upper) + np.count_nonzero(second < self.lower)
        y = np.count_nonzero(second >= self.upper) + np.count_nonzero(first < self.lower)
        return Counts(int(x), int(y), size, self.directions)


def epsilon_worth(size: float, delta: float, level: float) -> Worth:
    """The lower bound on eps that the expected counts would give."""

    def worth(x: Array, y: Array, directions: Array) -> Array:
        mean = directions * size * delta
        left = x - (mean + (2.5 * np.sqrt(mean) + 1 if delta > 0 else 0.0))
        value = np.full(left.shape, -np.inf)
        # The exact bound is expensive: only the pairs that look best by a Gaussian one get it.
        kept = _likely(left, y + 1)
        share = betaincinv(left[kept], y[kept] + 1, level * (1 - CAP_SHARE))
        with np.errstate(divide="ignore"):
            value[kept] = np.log(share) - np.log1p(-share)
        return value

    return worth


def _likely(left: Array, more: Array) -> tuple[NDArray[np.intp], ...]:
    """Places of the largest values of a Gaussian bound on ln(left/more)."""
    safe = np.maximum(left, 1e-9)
    value = np.where(left > 0, np.log(safe / more) - 1.6 * np.sqrt(1 / safe + 1 / more), -np.inf)
    number = min(LIKELY, int(np.count_nonzero(left > 0)))
    flat = np.argpartition(value.ravel(), value.size - max(number, 1))[value.size - number :]
    return tuple(index.astype(np.intp) for index in np.unravel_index(flat, left.shape))


def delta_worth(size: float, eps: float) -> Worth:
    """The lower bound on delta that the expected counts would give, with two standard deviations off."""
    factor = math.exp(min(eps, 300.0))

    def worth(x: Array, y: Array, directions: Array) -> Array:
        spread = 2 * (np.sqrt(x) + factor * np.sqrt(y + 1))
        return np.asarray((x - factor * y - spread) / (directions * size))

    return worth


def choose(first: Array, second: Array, size: float, *worths: Worth) -> list[Event]:
    """For each worth the event that has most of it, by counting these draws, or by a fit where that is fair.

    >>> rng = np.random.default_rng(0)
    >>> (event,) = choose(rng.normal(9, 1, 500), rng.normal(0, 1, 500), 1e4, epsilon_worth(1e4, 0.0, 0.05))
    >>> bool(2 < event.upper < 8 and event.lower <= event.upper)
    True
    """
    sides = np.sort(first), np.sort(second)
    grid = _grid(*sides)
    counted = _counted(sides[0], grid), _counted(sides[1], grid)
    found = [_best(grid, *counted, size, worth) for worth in worths]
    if not (_looks_normal(first) and _looks_normal(second)):
        return found
    fitted = _fitted(first, grid), _fitted(second, grid)
    smooth = [_smooth(_best(grid, *fitted, size, worth)) for worth in worths]
    return [c if discounted(c.worth) > f.worth else f for c, f in zip(found, smooth, strict=True)]


def _smooth(event: Event) -> Event:
    """The same, whose worth is that of a fitted law."""
    return replace(event, fitted=True)


def discounted(worth: float) -> float:
    """The worth of what was chosen more freely than what it is compared with.

    >>> discounted(2.0), discounted(-2.0)
    (1.6, -2.0)
    """
    return CLEARLY * worth if worth > 0 else worth


def _grid(first: Array, second: Array) -> Array:
    """Thresholds from beyond one end to beyond the other, some between ranks, some equally spaced."""
    scores = np.sort(np.concatenate([first, second]))
    low, high = float(scores[0]), float(scores[-1])
    margin = 0.25 * (high - low) + 1e-12
    ranks = np.linspace(0, len(scores) - 1, GRID)
    between = (scores[np.floor(ranks).astype(int)] + scores[np.ceil(ranks).astype(int)]) / 2
    # An atom at an end of the scores is distinguished from what lies beside it at any distance.
    close = low + (high - low) * CLOSE_ENDS
    return np.unique(np.concatenate([between, close, np.linspace(low - margin, high + margin, GRID)]))


def _counted(ordered: Array, grid: Array) -> Shares:
    """Shares at or above and below each threshold: cautious for hits, cautious for false hits."""
    below = np.searchsorted(ordered, grid, side="left")
    n = len(ordered)
    above = n - below
    # One standard error against the attack: of many thresholds the luckiest would win otherwise.
    hits = [np.maximum(k - np.sqrt(k), 0.0) / n for k in (above, below)]
    false = [np.minimum(k + 1 + np.sqrt(k + 1), n) / n for k in (above, below)]
    return hits[0], hits[1], false[0], false[1]


def _fitted(scores: Array, grid: Array) -> Shares:
    z = (grid - scores.mean()) / max(float(scores.std()), 1e-300)
    up, down = ndtr(-z), ndtr(z)
    return up, down, up, down


def _best(grid: Array, first: Shares, second: Shares, size: float, worth: Worth) -> Event:
    """The best pair of thresholds with lower <= upper; an absent half-line is an infinite threshold."""
    zero = np.zeros(1)
    up_x, up_y = (size * np.concatenate([zero, side]) for side in (first[0], second[2]))
    down_x, down_y = (size * np.concatenate([zero, side]) for side in (second[1], first[3]))
    upper, lower = np.concatenate([[np.inf], grid]), np.concatenate([[-np.inf], grid])
    used = (upper < np.inf)[:, None].astype(float) + (lower > -np.inf)[None, :]
    x, y = up_x[:, None] + down_x[None, :], up_y[:, None] + down_y[None, :]
    values = worth(x, y, np.maximum(used, 1.0))
    values = np.where((used > 0) & (lower[None, :] <= upper[:, None]), values, -np.inf)
    i, j = np.unravel_index(int(np.argmax(values)), values.shape)
    return Event(float(upper[i]), float(lower[j]), float(values[i, j]))


def _looks_normal(scores: Array) -> bool:
    """Skewness and kurtosis within four standard errors of the Gaussian ones; a guide, not a test."""
    n, spread = len(scores), float(scores.std())
    if spread == 0 or n < 50:
        return False
    z = (scores - scores.mean()) / spread
    square = z * z
    skew, kurtosis = float(square @ z) / n, float(square @ square) / n - 3
    return abs(skew) < 4 * math.sqrt(6 / n) and abs(kurtosis) < 4 * math.sqrt(24 / n)
