"""Members of F_sc(mu, L): the losses, built so that strong convexity holds by construction."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from oubli.sim.geometry import norms
from oubli.sim.losses.parts import Absolute, Bowl, Bracket, Huber, Logistic, MaxAffine, Norm, Part, Signed
from oubli.sim.require import Array, constant, require


class Loss(Protocol):
    """What a problem needs of a loss: dimension, value and (sub)gradient, batched over the rows of theta."""

    @property
    def d(self) -> int: ...
    def value(self, theta: Array) -> Array: ...
    def gradient(self, theta: Array) -> Array: ...


@dataclass(frozen=True, eq=False)
class Regularised:
    """mu/2·‖theta‖² + part: mu-strongly convex whatever the convex part is.

    >>> loss = hard(1.0, d=2, L=1.0, mu=1.0)
    >>> loss.gradient(np.zeros((1, 2))).tolist()
    [[-0.5, 0.0]]
    """

    mu: float
    part: Part

    @property
    def d(self) -> int:
        return self.part.d

    @property
    def convexity(self) -> float:
        """A modulus of strong convexity."""
        return self.mu + self.part.convexity

    def value(self, theta: Array) -> Array:
        return np.asarray(self.mu / 2 * norms(theta) ** 2 + self.part.value(theta))

    def gradient(self, theta: Array) -> Array:
        return np.asarray(self.mu * theta + self.part.gradient(theta))

    def lipschitz(self, R: float) -> Bracket:
        """A bracket of the smallest Lipschitz constant on B(0, R)."""
        return self.part.lipschitz(R, self.mu)


def _axis(d: int) -> Array:
    return np.asarray(np.eye(d)[0])


def hard(g: float, d: int, L: float, mu: float) -> Regularised:
    """The paper's hard loss mu/2·‖theta‖² − (L/2) g theta_1 (l.1136), exactly L-Lipschitz when |g| = 1.

    >>> hard(-1.0, d=3, L=2.0, mu=1.0).lipschitz(R=1.0)
    Bracket(low=2.0, high=2.0)
    """
    require(-1 <= g <= 1, "g must lie in [-1, 1]", g)
    return Regularised(mu, Signed(g, constant(L / 2 * _axis(d)), constant(np.zeros(d))))


def synthetic(g: float, d: int, L: float, mu: float) -> Regularised:
    """The loss of the synthetic experiment (l.735); truly L(1/2 + sqrt(d)/4)-Lipschitz at |g| = 1.

    >>> synthetic(1.0, d=16, L=1.0, mu=1.0).lipschitz(R=0.5)
    Bracket(low=1.5, high=1.5)
    """
    require(d >= 2 and d % 2 == 0, "the synthetic loss needs an even d >= 2", d)
    require(-1 <= g <= 1, "g must lie in [-1, 1]", g)
    first = np.arange(d) < d // 2
    return Regularised(mu, Signed(g, constant(L / 4 * first), constant(L / 4 * ~first)))


def quadratic(centre: Array, mu: float) -> Regularised:
    """mu/2·‖theta − centre‖² up to a constant; a member whenever ‖centre‖ <= R, extremal at ‖centre‖ = R.

    >>> quadratic(np.array([0.5]), mu=1.0).gradient(np.array([[-0.5]])).tolist()
    [[-1.0]]
    """
    slope = constant(mu * np.asarray(centre, dtype=float))
    return Regularised(mu, Signed(1.0, slope, constant(np.zeros(len(slope)))))


def curved(centre: Array, mu: float, extra: float) -> Regularised:
    """mu/2·‖theta‖² + extra/2·‖theta − centre‖²: smooth, with more curvature than asked.

    >>> curved(np.array([0.0]), mu=1.0, extra=1.0).convexity
    2.0
    """
    require(extra >= 0, "extra curvature must be >= 0", extra)
    return Regularised(mu, Bowl(extra, constant(centre)))


def cone(centre: Array, weight: float, mu: float) -> Regularised:
    """mu/2·‖theta‖² + weight·‖theta − centre‖; a member for weight <= L/2.

    >>> cone(np.zeros(2), 0.5, mu=1.0).lipschitz(R=0.5)
    Bracket(low=1.0, high=1.0)
    """
    require(weight >= 0, "weight must be >= 0", weight)
    return Regularised(mu, Norm(weight, constant(centre)))


def huber(centre: Array, weight: float, width: float, mu: float) -> Regularised:
    """mu/2·‖theta‖² + a Huber norm around the centre; a member for weight <= L/2.

    >>> huber(np.zeros(1), 0.5, 0.1, mu=1.0).lipschitz(R=0.5)
    Bracket(low=1.0, high=1.0)
    """
    require(weight >= 0, "weight must be >= 0", weight)
    require(width > 0, "width must be > 0", width)
    return Regularised(mu, Huber(weight, constant(centre), width))


def absolute(centre: Array, weights: Array, mu: float) -> Regularised:
    """mu/2·‖theta‖² + Σ weights_i |theta_i − centre_i|; a member for ‖weights‖ <= L/2.

    >>> absolute(np.zeros(2), np.array([0.3, 0.4]), mu=1.0).lipschitz(R=0.5)
    Bracket(low=1.0, high=1.0)
    """
    require(bool(np.all(np.asarray(weights) >= 0)), "weights must be >= 0", weights)
    return Regularised(mu, Absolute(constant(weights), constant(centre)))


def max_affine(slopes: Array, offsets: Array, mu: float) -> Regularised:
    """mu/2·‖theta‖² + max_i(<slopes_i, theta> + offsets_i); a member for ‖slopes_i‖ <= L/2, or wider.

    >>> max_affine(np.array([[0.5], [0.0]]), np.zeros(2), mu=1.0).value(np.array([[0.2]])).round(3).tolist()
    [0.12]
    """
    return Regularised(mu, MaxAffine(constant(slopes), constant(offsets)))


def kink(at: float, left: float, right: float, d: int, mu: float) -> Regularised:
    """mu/2·‖theta‖² plus a kink in theta_1 at `at`: slope `left` before it and `right` after it.

    >>> kink(0.2, 0.0, 0.5, d=1, mu=1.0).gradient(np.array([[0.1], [0.3]])).tolist()
    [[0.1], [0.8]]
    """
    require(left <= right, "a convex kink needs left <= right", (left, right))
    slopes = np.array([left, right])[:, None] * _axis(d)
    return max_affine(slopes, -at * np.array([left, right]), mu)


def logistic(features: Array, label: int, mu: float) -> Regularised:
    """mu/2·‖theta‖² + ln(1 + exp(−label·<features, theta>)); a member for ‖features‖ <= L/2.

    >>> logistic(np.array([1.0]), -1, mu=1.0).gradient(np.zeros((1, 1))).tolist()
    [[0.5]]
    """
    require(label in (-1, 1), "label must be -1 or 1", label)
    return Regularised(mu, Logistic(constant(label * np.asarray(features, dtype=float))))
