"""The attack on two lists of outputs: direction, fold, order, thresholds, from rows that are not counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from oubli.checks.audit.events import Event, Worth, choose
from oubli.checks.audit.search import Score, best_direction
from oubli.sim.require import Array

# Beyond so many columns no covariance is taken apart: it costs their third power.
WIDE = 200


@dataclass(frozen=True, eq=False)
class Chosen:
    """A score of the outputs, whether Q lies higher, and the event of largest worth."""

    score: Score
    swapped: bool
    event: Event

    def scored(self, P: Array, Q: Array) -> tuple[Array, Array]:
        """Scores of both sides, first the one that the event bounds from above."""
        first, second = (Q, P) if self.swapped else (P, Q)
        return self.score.of(first), self.score.of(second)


def search_rows(n: int, d: int) -> int:
    """How many of n rows search: a tenth, more in many dimensions, at most half.

    >>> search_rows(10_000, 1), search_rows(10_000, 100), search_rows(1000, 1000)
    (1000, 2000, 500)
    """
    return int(min(n / 2, max(n / 10, 20 * d)))


def chosen(P: Array, Q: Array, size: float, worth: Worth) -> Chosen:
    """The attack of largest worth on these rows.

    >>> rng = np.random.default_rng(0)
    >>> P, Q = rng.normal(size=(2, 500, 2)) * [[[1.0, 1.0]], [[1.0, 9.0]]]
    >>> from oubli.checks.audit.events import delta_worth
    >>> chosen(P, Q, 1e4, delta_worth(1e4, 1.0)).score.centre is None  # equal means: only a fold tells
    False
    """
    found = []
    fit, tried = fitted_apart(P, Q)
    for score in _scores(*fit):
        for swapped in (False, True):
            first, second = (score.of(side) for side in (tried[::-1] if swapped else tried))
            found += [Chosen(score, swapped, event) for event in choose(first, second, size, worth)]
    return max(found, key=lambda attack: attack.event.worth)


def fitted_apart(P: Array, Q: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Rows that choose directions, and rows to try them on: in many dimensions not the same.

    There some direction tells any few rows apart that it was chosen on.
    """
    if P.shape[1] <= WIDE:
        return (P, Q), (P, Q)
    (p, q), (r, s) = np.array_split(P, 2), np.array_split(Q, 2)
    return (p, r), (q, s)


def _scores(P: Array, Q: Array) -> Iterator[Score]:
    """Directions in which the means or the variances differ most, and folds around the common centre."""
    middle = (np.median(P, axis=0) + np.median(Q, axis=0)) / 2
    for direction in linear_directions(P, Q):
        yield Score(direction)
        yield Score(direction, float(middle @ direction))


def linear_directions(P: Array, Q: Array) -> list[Array]:
    """Unit vectors: the best linear discriminant, then others that tell means or variances.

    In many dimensions a covariance is larger than the samples, and few rows show the directions of most
    variance of either side.
    """
    d = P.shape[1]
    if d == 1:
        return [np.ones(1)]
    gap = P.mean(axis=0) - Q.mean(axis=0)
    deviations = np.sqrt(P.var(axis=0) + Q.var(axis=0) + _ridge(P) + _ridge(Q))
    axis = np.eye(1, d, int(np.argmax(np.abs(gap) / deviations)))[0]
    if d > WIDE:
        return [_unit(v) for v in (best_direction(P, Q), gap, axis, _leading(P), _leading(Q))]
    spread_P, spread_Q = (np.cov(side.T) + _ridge(side) * np.eye(d) for side in (P, Q))
    ratios = eigh(spread_P, spread_Q)[1]
    best = np.linalg.solve(spread_P + spread_Q, gap)
    return [_unit(v) for v in (best, gap, axis, ratios[:, 0], ratios[:, -1])]


def _leading(side: Array) -> Array:
    """The direction of most variance, by few rows: of those a combination, so a system of their number."""
    few = side[:WIDE] - side[:WIDE].mean(axis=0)
    return np.asarray(few.T @ np.linalg.eigh(few @ few.T)[1][:, -1])


def _ridge(side: Array) -> float:
    """Keeps a covariance from few rows invertible: a share of the mean variance that fades with the rows."""
    n, d = side.shape
    share = 1e-9 + d / (n + d) * min(1.0, d / n)
    return float(float(side.var(axis=0).mean()) * share + 1e-300)


def _unit(vector: Array) -> Array:
    largest = float(np.abs(vector).max())
    if not 0 < largest < np.inf:
        return np.asarray(np.eye(len(vector))[0])
    scaled = vector / largest  # so that no square overflows
    return np.asarray(scaled / np.linalg.norm(scaled))
