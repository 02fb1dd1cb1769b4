"""Cutting planes for strongly convex functions: every subgradient gives a quadratic minorant.

F(theta) >= F(y) + <g, theta − y> + mu/2·‖theta − y‖² = mu/2·‖theta‖² + <a, theta> + c, so for weights w on
the simplex min F >= <w, c> − ‖Σ w a‖²/(2 mu), and the best weights give the next point to look at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from oubli.sim.require import Array


class Objective(Protocol):
    """Value, subgradient and dimension."""

    @property
    def d(self) -> int: ...
    def value(self, theta: Array) -> Array: ...
    def gradient(self, theta: Array) -> Array: ...


def lower_bound(slopes: Array, levels: Array, weights: Array, mu: float) -> float:
    """A lower bound of min F from any weights on the simplex."""
    mean = weights @ slopes
    return float(weights @ levels - mean @ mean / (2 * mu))


def best_weights(slopes: Array, levels: Array, mu: float, weights: Array) -> Array:
    """Weights that maximise the lower bound, by an active-set walk from the given weights.

    >>> best_weights(np.array([[1.0], [-1.0]]), np.zeros(2), 1.0, np.array([1.0, 0.0])).round(9).tolist()
    [0.5, 0.5]
    """
    active: list[int] = [int(i) for i in np.flatnonzero(weights > 0)]
    for _ in range(20 * (slopes.shape[1] + 2)):
        weights, active = _settle(slopes, levels, mu, weights, active)
        heights = levels - slopes @ (weights @ slopes) / mu
        entering = int(heights.argmax())
        if entering in active or heights[entering] <= heights[active].max():
            break
        active.append(entering)
    return weights


def _settle(
    slopes: Array, levels: Array, mu: float, weights: Array, active: list[int]
) -> tuple[Array, list[int]]:
    """Move to the optimum on the active face, dropping the weights that reach zero on the way."""
    while True:
        move, bounded = _face_move(slopes[active], levels[active], mu, weights[active])
        falling = np.flatnonzero(move < 0)
        reach = -weights[active][falling] / move[falling] if len(falling) else np.array([np.inf])
        stop = int(reach.argmin())
        weights = weights.copy()
        weights[active] += (min(reach[stop], 1.0) if bounded else reach[stop]) * move
        if bounded and reach[stop] >= 1:
            return np.maximum(weights, 0.0), active
        weights[active[falling[stop]]] = 0.0
        active = [i for i in active if i != active[falling[stop]]]


def _face_move(slopes: Array, levels: Array, mu: float, weights: Array) -> tuple[Array, bool]:
    """The move to the face's optimum; or, on a dependent face, a direction that is never worse."""
    n = len(levels)
    _, sizes, rows = np.linalg.svd(np.vstack([slopes.T, np.ones(n)]))
    if n > len(sizes) or sizes[-1] <= 1e-13 * sizes[0]:
        return np.asarray(rows[-1] if rows[-1] @ levels >= 0 else -rows[-1]), False
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = slopes @ slopes.T / mu
    system[n, n] = 0.0
    # Stationarity with one multiplier for Σ weights = 1; small moves keep their digits.
    slack = levels - slopes @ (weights @ slopes) / mu
    return np.asarray(np.linalg.lstsq(system, np.append(slack, 0.0), rcond=None)[0][:n]), True


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where the objective was looked at, and what was seen: one minorant per row."""

    points: Array
    values: Array
    gradients: Array

    def seen_from(self, centre: Array, value: float, mu: float) -> tuple[Array, Array]:
        """Slopes and levels of the minorants in the variable theta − centre, levels relative to `value`.

        Around a good centre both are small, so the certificate is a sum of small terms and keeps its digits.
        """
        offset = centre - self.points
        slopes = self.gradients + mu * offset
        along = np.einsum("ij,ij->i", self.gradients + mu / 2 * offset, offset)
        return slopes, self.values - value + along

    def with_point(self, objective: Objective, point: Array) -> Cuts:
        """One more minorant, from a look at the point."""
        value, gradient = objective.value(point[None]), objective.gradient(point[None])
        return Cuts(
            np.vstack([self.points, point[None]]),
            np.append(self.values, value),
            np.vstack([self.gradients, gradient]),
        )


def minimise_by_cuts(
    objective: Objective, start: Array, mu: float, accuracy: float, rounds: int
) -> tuple[Array, float, float]:
    """The best point found, its value, and a rigorous bound on how far that value is above the minimum.

    >>> from oubli.sim.losses.families import cone
    >>> point, value, gap = minimise_by_cuts(cone(np.array([0.1]), 0.5, mu=1.0), np.zeros(1), 1.0, 1e-12, 99)
    >>> round(value, 9), gap < 1e-9
    (0.005, True)
    """
    empty = np.empty((0, objective.d))
    cuts = Cuts(empty, np.empty(0), empty).with_point(objective, start)
    weights, gap, best = np.ones(1), np.inf, 0
    for _ in range(rounds):
        best = int(cuts.values.argmin())
        centre, value = cuts.points[best], float(cuts.values[best])
        slopes, levels = cuts.seen_from(centre, value, mu)
        weights = np.maximum(best_weights(slopes, levels, mu, weights), 0.0)
        weights /= weights.sum()
        gap = -lower_bound(slopes, levels, weights, mu)
        if gap <= accuracy:
            break
        cuts = cuts.with_point(objective, centre - (weights @ slopes) / mu)
        weights = np.append(weights, 0.0)
    return centre, value, gap
