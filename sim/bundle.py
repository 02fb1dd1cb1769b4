"""Cutting planes for strongly convex functions: every subgradient gives a quadratic minorant.

F(theta) >= F(y) + <g, theta − y> + mu/2·‖theta − y‖² = mu/2·‖theta‖² + <a, theta> + c, so for weights w on
the simplex min F >= <w, c> − ‖Σ w a‖²/(2 mu), and the best weights give the next point to look at.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from sim.require import Array


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
        target = np.zeros_like(weights)
        target[active] = _face_optimum(slopes[active], levels[active], mu)
        falling = [i for i in active if target[i] < 0]
        if not falling:
            return target, [i for i in active if target[i] > 0]
        reach = min(weights[i] / (weights[i] - target[i]) for i in falling)
        blocked = min(falling, key=lambda i: weights[i] / (weights[i] - target[i]))
        weights = np.maximum(weights + reach * (target - weights), 0.0)
        weights[blocked] = 0.0
        active = [i for i in active if i != blocked]


def _face_optimum(slopes: Array, levels: Array, mu: float) -> Array:
    """The affine optimum: stationarity with one multiplier for Σ weights = 1."""
    n = len(levels)
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = slopes @ slopes.T / mu
    system[n, n] = 0.0
    return np.asarray(np.linalg.lstsq(system, np.append(levels, 1.0), rcond=None)[0][:n])


def minimise_by_cuts(
    objective: Objective, L: float, mu: float, accuracy: float, rounds: int
) -> tuple[Array, float, float]:
    """The best point found, its value, and a rigorous lower bound of the minimum.

    >>> from sim.losses import cone
    >>> _, value, lower = minimise_by_cuts(cone(np.array([0.1]), 0.5, mu=1.0), 1.0, 1.0, 1e-12, 100)
    >>> round(value, 9), value - lower < 1e-9
    (0.005, True)
    """
    slopes, levels = np.empty((0, objective.d)), np.empty(0)
    weights, point, best, bound = np.empty(0), np.zeros(objective.d), np.zeros(objective.d), -np.inf
    lowest = np.inf
    for _ in range(rounds):
        value, gradient = float(objective.value(point[None])[0]), objective.gradient(point[None])[0]
        if value < lowest:
            lowest, best = value, point
        slopes = np.vstack([slopes, gradient - mu * point])
        levels = np.append(levels, value - gradient @ point + mu / 2 * (point @ point))
        weights = np.append(weights, 0.0) if len(weights) else np.ones(1)
        weights = best_weights(slopes, levels, mu, weights)
        weights = np.maximum(weights, 0.0) / np.maximum(weights, 0.0).sum()
        bound = max(bound, lower_bound(slopes, levels, weights, mu))
        if lowest - bound <= accuracy:
            break
        point = -(weights @ slopes) / mu
    return best, lowest, bound
