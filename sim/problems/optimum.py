"""Minimisers of a mean loss over the ball, each with a rigorous bound on its error.

For F mu-strongly convex and g in the subdifferential at x: ‖x − x*‖ <= ‖g‖/mu and F(x) − F* <= ‖g‖²/(2 mu).
For non-smooth F a convex combination of strongly convex minorants gives a lower bound of F* instead. In the
class the minimiser over the ball is stationary, so minimising the formula over R^d is the same problem.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.optimize import minimize

from oubli.sim.losses.parts import Separable, Tip
from oubli.sim.problems.bundle import minimise_by_cuts
from oubli.sim.require import Array

# Floating-point error of one evaluation of a value, relative to L²/mu.
ROUNDING = 1e-14
# Where the search stops, relative to L²/mu; the reported gap is what was reached.
ACCURACY = 1e-12
# Beyond this dimension no step keeps a matrix.
DENSE = 1000


class Objective(Protocol):
    """A mean of losses: value and a subgradient at rows of theta."""

    @property
    def d(self) -> int: ...
    def value(self, theta: Array) -> Array: ...
    def gradient(self, theta: Array) -> Array: ...


@dataclass(frozen=True, eq=False)
class Optimum:
    """A point whose value is at most `gap` above the minimum, within `distance` of the minimiser."""

    point: Array
    value: float
    gap: float
    distance: float
    how: str


class Weighted(NamedTuple):
    """One separable term and its weight in the mean."""

    weight: float
    term: Separable


def separable_minimiser(terms: list[Weighted], mu: float) -> Array:
    """The minimiser of mu/2·‖theta‖² + Σ weight·term, coordinate by coordinate, in closed form.

    Σ_k w_k|x − c_k| + K x²/2 + s x is minimal at the median of the n centres c_k and the n + 1 stationary
    points of its affine-slope stretches.

    >>> term = Separable(0.0, np.array([-0.5]), np.array([0.2]), np.array([0.0]))
    >>> separable_minimiser([Weighted(1.0, term)], mu=1.0).round(12).tolist()
    [0.3]
    """
    curvature = mu + sum(weight * term.curvature for weight, term in terms)
    slope = sum((weight * term.slope for weight, term in terms), np.zeros_like(terms[0].term.slope))
    weights = np.array([weight * term.weights for weight, term in terms])
    centres = np.array([term.centre for _, term in terms])
    order = np.argsort(centres, axis=0)
    centres, weights = np.take_along_axis(centres, order, 0), np.take_along_axis(weights, order, 0)
    passed = np.concatenate([np.zeros((1, len(slope))), np.cumsum(weights, axis=0)])
    stationary = -(slope + 2 * passed - passed[-1]) / curvature
    return np.asarray(np.median(np.concatenate([centres, stationary]), axis=0))


def closed_form(objective: Objective, terms: list[Weighted], L: float, mu: float) -> Optimum:
    """The minimiser of a separable mean; its error is rounding alone."""
    point = separable_minimiser(terms, mu)
    gap = ROUNDING * L**2 / mu
    return Optimum(point, float(objective.value(point[None])[0]), gap, ROUNDING * L / mu, "closed form")


def smooth(objective: Objective, L: float, mu: float) -> Optimum:
    """A minimiser found by quasi-Newton steps and certified by the norm of its gradient."""
    dense = objective.d <= DENSE
    limits: dict[str, Any] = {"gtol": 1e-11 * L, "maxiter": 1000}
    found = minimize(
        lambda x: float(objective.value(x[None])[0]),
        np.zeros(objective.d),
        jac=lambda x: objective.gradient(x[None])[0],
        method="BFGS" if dense else "L-BFGS-B",
        options=limits if dense else {**limits, "ftol": 0.0},
    )
    residual = float(np.linalg.norm(objective.gradient(found.x[None])[0]))
    return _from_residual(objective, found.x, residual, L, mu)


def _from_residual(objective: Objective, point: Array, residual: float, L: float, mu: float) -> Optimum:
    """The certificate of a subgradient of norm `residual`, with the rounding of floats added."""
    residual += ROUNDING * L
    gap = residual**2 / (2 * mu) + ROUNDING * L**2 / mu
    return Optimum(point, float(objective.value(point[None])[0]), gap, residual / mu, "gradient residual")


def at_tip(objective: Objective, tip: Tip, L: float, mu: float) -> Optimum:
    """The tip of a cone as a candidate: its gradient can be shortened by the cone's weight."""
    residual = float(np.linalg.norm(objective.gradient(tip.point[None])[0])) - tip.weight
    return _from_residual(objective, tip.point, max(residual, 0.0), L, mu)


def solved(objective: Objective, tips: list[Tip], L: float, mu: float) -> Optimum:
    """The best certificate among cones' tips, the gradient at a quasi-Newton point, and cutting planes.

    >>> from oubli.sim.losses.families import cone
    >>> round(float(solved(cone(np.array([0.1]), 0.5, mu=1.0), [], 1.0, 1.0).point[0]), 5)
    0.1
    """
    quick = [at_tip(objective, tip, L, mu) for tip in tips] + [smooth(objective, L, mu)]
    best = min(quick, key=lambda optimum: optimum.gap)
    if best.gap <= ACCURACY * L**2 / mu:
        return best
    return min(best, cutting(objective, quick[-1].point, L, mu), key=lambda optimum: optimum.gap)


def cutting(objective: Objective, start: Array, L: float, mu: float) -> Optimum:
    """A minimiser of a non-smooth mean, certified by strongly convex minorants."""
    point, value, gap = minimise_by_cuts(objective, start, mu, ACCURACY * L**2 / mu, 200)
    gap = max(gap, 0.0) + ROUNDING * L**2 / mu
    return Optimum(point, value, gap, math.sqrt(2 * gap / mu), "cutting planes")
