"""Convex parts h: a loss of the class is mu/2·‖theta‖² + h(theta).

Each part knows a bracket of sup ‖mu·theta + p‖ over the ball and its subgradients p: the loss's Lipschitz
constant on B(0, R). Where the supremum is attained in closed form the bracket is a single number.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import expit

from oubli.sim.geometry import norms
from oubli.sim.losses.caps import farthest_in_cap, piece_witnesses
from oubli.sim.require import Array


class Bracket(NamedTuple):
    """A number known to lie in [low, high]."""

    low: float
    high: float


class Separable(NamedTuple):
    """curvature/2·‖theta‖² + <slope, theta> + Σ weights_i·|theta_i − centre_i|, up to a constant."""

    curvature: float
    slope: Array
    weights: Array
    centre: Array


class Tip(NamedTuple):
    """A point where every vector of norm <= weight is a subgradient."""

    weight: float
    point: Array


class Part(Protocol):
    """A convex function of theta, batched over rows."""

    @property
    def d(self) -> int: ...
    @property
    def convexity(self) -> float: ...
    def value(self, theta: Array) -> Array: ...
    def gradient(self, theta: Array) -> Array: ...
    def lipschitz(self, R: float, mu: float) -> Bracket: ...
    def separable(self) -> Separable | None: ...
    def tip(self) -> Tip | None: ...


class _Plain:
    """What most parts share: no curvature of their own, no separable form, no tip."""

    @property
    def convexity(self) -> float:
        return 0.0

    def separable(self) -> Separable | None:
        return None

    def tip(self) -> Tip | None:
        return None


@dataclass(frozen=True, eq=False)
class Signed(_Plain):
    """h = −g·<slope, theta> + Σ kink_i·|theta_i|: the hard family (l.1136) and the synthetic loss (l.735).

    Its bracket is one number: sign choices align mu·theta with the largest subgradient.

    >>> from oubli.sim.require import constant
    >>> Signed(1.0, constant([0.5, 0.0]), constant([0.0, 0.0])).lipschitz(R=0.5, mu=1.0)
    Bracket(low=1.0, high=1.0)
    """

    g: float
    slope: Array
    kink: Array

    @property
    def d(self) -> int:
        return len(self.slope)

    @property
    def reach(self) -> float:
        """Largest norm of a subgradient."""
        return float(np.linalg.norm(np.abs(self.g * self.slope) + self.kink))

    def value(self, theta: Array) -> Array:
        return np.asarray(np.abs(theta) @ self.kink - self.g * (theta @ self.slope))

    def gradient(self, theta: Array) -> Array:
        return np.asarray(self.kink * np.sign(theta) - self.g * self.slope)

    def lipschitz(self, R: float, mu: float) -> Bracket:
        exact = mu * R + self.reach
        return Bracket(exact, exact)

    def separable(self) -> Separable | None:
        return Separable(0.0, -self.g * self.slope, self.kink, np.zeros(self.d))


@dataclass(frozen=True, eq=False)
class Absolute(_Plain):
    """h = Σ weights_i·|theta_i − centre_i|, weights >= 0; the supremum sits opposite the centre.

    >>> from oubli.sim.require import constant
    >>> Absolute(constant([0.3, 0.4]), constant([0.1, 0.0])).lipschitz(R=0.5, mu=1.0)
    Bracket(low=1.0, high=1.0)
    """

    weights: Array
    centre: Array

    @property
    def d(self) -> int:
        return len(self.weights)

    def value(self, theta: Array) -> Array:
        return np.asarray(np.abs(theta - self.centre) @ self.weights)

    def gradient(self, theta: Array) -> Array:
        return np.asarray(self.weights * np.sign(theta - self.centre))

    def lipschitz(self, R: float, mu: float) -> Bracket:
        exact = mu * R + float(np.linalg.norm(self.weights))
        return Bracket(exact, exact)

    def separable(self) -> Separable | None:
        return Separable(0.0, np.zeros(self.d), self.weights, self.centre)


@dataclass(frozen=True, eq=False)
class Norm(_Plain):
    """h = weight·‖theta − centre‖; the supremum sits opposite the centre.

    >>> from oubli.sim.require import constant
    >>> Norm(0.5, constant([0.0, 0.0])).lipschitz(R=0.5, mu=1.0)
    Bracket(low=1.0, high=1.0)
    """

    weight: float
    centre: Array

    @property
    def d(self) -> int:
        return len(self.centre)

    def value(self, theta: Array) -> Array:
        return self.weight * norms(theta - self.centre)

    def gradient(self, theta: Array) -> Array:
        offset = theta - self.centre
        length = norms(offset)
        return np.asarray(offset * (self.weight / np.where(length > 0, length, 1.0))[..., None])

    def lipschitz(self, R: float, mu: float) -> Bracket:
        exact = mu * R + self.weight
        return Bracket(exact, exact)

    def tip(self) -> Tip | None:
        return Tip(self.weight, self.centre)


@dataclass(frozen=True, eq=False)
class Huber(_Plain):
    """h = weight·‖theta − centre‖ rounded off quadratically within `width` of the centre.

    >>> from oubli.sim.require import constant
    >>> Huber(0.5, constant([0.0]), 2.0).lipschitz(R=0.5, mu=1.0)
    Bracket(low=0.625, high=0.625)
    """

    weight: float
    centre: Array
    width: float

    @property
    def d(self) -> int:
        return len(self.centre)

    def value(self, theta: Array) -> Array:
        length = norms(theta - self.centre)
        near = length**2 / (2 * self.width)
        return np.asarray(self.weight * np.where(length < self.width, near, length - self.width / 2))

    def gradient(self, theta: Array) -> Array:
        offset = theta - self.centre
        return np.asarray(offset * (self.weight / np.maximum(norms(offset), self.width))[..., None])

    def lipschitz(self, R: float, mu: float) -> Bracket:
        farthest = R + float(np.linalg.norm(self.centre))
        exact = mu * R + self.weight * min(1.0, farthest / self.width)
        return Bracket(exact, exact)


@dataclass(frozen=True, eq=False)
class Logistic(_Plain):
    """h = ln(1 + exp(−<features, theta>)) with the label folded into the features.

    >>> from oubli.sim.require import constant
    >>> round(Logistic(constant([0.5])).lipschitz(R=0.5, mu=1.0).high, 6)
    0.781088
    """

    features: Array

    @property
    def d(self) -> int:
        return len(self.features)

    def value(self, theta: Array) -> Array:
        return np.asarray(np.logaddexp(0.0, -(theta @ self.features)))

    def gradient(self, theta: Array) -> Array:
        return np.asarray(-expit(-(theta @ self.features))[..., None] * self.features)

    def lipschitz(self, R: float, mu: float) -> Bracket:
        size = float(np.linalg.norm(self.features))
        exact = mu * R + size * float(expit(size * R))
        return Bracket(exact, exact)


@dataclass(frozen=True, eq=False)
class Bowl(_Plain):
    """h = extra/2·‖theta − centre‖²: curvature beyond mu.

    >>> from oubli.sim.require import constant
    >>> Bowl(1.0, constant([0.0])).lipschitz(R=0.5, mu=1.0)
    Bracket(low=1.0, high=1.0)
    """

    extra: float
    centre: Array

    @property
    def convexity(self) -> float:
        return self.extra

    @property
    def d(self) -> int:
        return len(self.centre)

    def value(self, theta: Array) -> Array:
        return np.asarray(self.extra / 2 * norms(theta - self.centre) ** 2)

    def gradient(self, theta: Array) -> Array:
        return np.asarray(self.extra * (theta - self.centre))

    def lipschitz(self, R: float, mu: float) -> Bracket:
        exact = (mu + self.extra) * R + self.extra * float(np.linalg.norm(self.centre))
        return Bracket(exact, exact)

    def separable(self) -> Separable | None:
        zero = np.zeros(self.d)
        return Separable(self.extra, -self.extra * self.centre, zero, zero)


@dataclass(frozen=True, eq=False)
class MaxAffine(_Plain):
    """h = max_i (<slopes_i, theta> + offsets_i).

    The upper end of its bracket bounds each piece on the smallest cap of the ball cut by one competitor
    (exact for two pieces); the lower end is the largest gradient among witnesses on the caps' rims.

    >>> from oubli.sim.require import constant
    >>> MaxAffine(constant([[0.5], [-0.5]]), constant([0.0, 0.0])).lipschitz(R=0.5, mu=1.0)
    Bracket(low=1.0, high=1.0)
    """

    slopes: Array
    offsets: Array

    @property
    def d(self) -> int:
        return int(self.slopes.shape[1])

    def value(self, theta: Array) -> Array:
        return np.asarray((theta @ self.slopes.T + self.offsets).max(axis=-1))

    def gradient(self, theta: Array) -> Array:
        return np.asarray(self.slopes[(theta @ self.slopes.T + self.offsets).argmax(axis=-1)])

    def lipschitz(self, R: float, mu: float) -> Bracket:
        high = float(mu * np.max(farthest_in_cap(self.slopes, self.offsets, R, mu).min(axis=1)))
        points = piece_witnesses(self.slopes, self.offsets, R, mu)
        low = float(norms(mu * points + self.gradient(points)).max())
        return Bracket(min(low, high), high)
