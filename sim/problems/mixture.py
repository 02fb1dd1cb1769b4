"""A distribution over finitely many losses: the paper's D_r, D_f or D_f'."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.sim.losses.families import Loss, Regularised
from oubli.sim.losses.parts import Signed, Tip
from oubli.sim.problems.draws import Sampler
from oubli.sim.problems.optimum import Optimum, Weighted, closed_form, solved
from oubli.sim.require import Array, constant, require


@dataclass(frozen=True, eq=False)
class SignFamily:
    """Losses mu/2·‖theta‖² − g <slope, theta> + Σ kink_i|theta_i| that differ in g alone."""

    mu: float
    slope: Array
    kink: Array
    g: Array
    weights: Array

    @property
    def mean(self) -> float:
        """E g(xi)."""
        return float(self.weights @ self.g)

    @property
    def variance(self) -> float:
        """Var g(xi)."""
        return float(self.weights @ (self.g - self.mean) ** 2)

    @property
    def reach(self) -> float:
        """Largest norm of a sample's subgradient minus mu·theta."""
        return float(np.linalg.norm(np.abs(self.g).max() * np.abs(self.slope) + self.kink))


@dataclass(frozen=True, eq=False)
class Mixture:
    """Losses with weights that sum to one.

    >>> from oubli.sim.losses.families import hard
    >>> pair = Mixture((hard(1.0, 1, 1.0, 1.0), hard(-1.0, 1, 1.0, 1.0)), [0.75, 0.25])
    >>> pair.value(np.zeros((1, 1))).tolist()
    [0.0]
    """

    losses: tuple[Loss, ...]
    weights: Array

    def __init__(self, losses: Sequence[Loss], weights: Sequence[float] | Array) -> None:
        object.__setattr__(self, "losses", tuple(losses))
        object.__setattr__(self, "weights", constant(weights))
        require(len(self.losses) >= 1, "a mixture needs at least one loss", len(self.losses))
        shape = self.weights.shape
        require(shape == (len(self.losses),), "one weight per loss is needed", shape)
        require(bool(np.all(self.weights >= 0)), "weights must be >= 0", self.weights.tolist())
        total = float(self.weights.sum())
        require(abs(total - 1) <= 1e-12, "weights must sum to 1", total)
        dimensions = {loss.d for loss in self.losses}
        require(len(dimensions) == 1, "losses must share one dimension", sorted(dimensions))

    @property
    def d(self) -> int:
        return self.losses[0].d

    def value(self, theta: Array) -> Array:
        """The mean loss at each row."""
        terms = zip(self.weights, self.losses, strict=True)
        return np.asarray(sum(w * loss.value(theta) for w, loss in terms))

    def gradient(self, theta: Array) -> Array:
        """A subgradient of the mean loss at each row."""
        terms = zip(self.weights, self.losses, strict=True)
        return np.asarray(sum(w * loss.gradient(theta) for w, loss in terms))

    @cached_property
    def sampler(self) -> Sampler:
        """Draws which loss a sample is."""
        return Sampler(self.weights)

    def sampled_gradient(self, theta: Array, indices: NDArray[np.integer[Any]]) -> Array:
        """The mean gradient over each chain's samples; row i uses the losses indices[i].

        >>> from oubli.sim.losses.families import hard
        >>> pair = Mixture((hard(1.0, 1, 1.0, 1.0), hard(-1.0, 1, 1.0, 1.0)), [0.5, 0.5])
        >>> pair.sampled_gradient(np.zeros((2, 1)), np.array([[0], [1]], dtype=np.int16)).tolist()
        [[-0.5], [0.5]]
        """
        total = np.zeros_like(theta)
        # Only the losses that were drawn are evaluated: a long list costs no more than its samples.
        for k in np.flatnonzero(np.bincount(indices.ravel(), minlength=len(self.losses))):
            share = np.count_nonzero(indices == k, axis=1) / indices.shape[1]
            rows = np.flatnonzero(share)
            gradient = np.asarray(self.losses[k].gradient(theta[rows]))
            wanted = (len(rows), theta.shape[1])
            require(gradient.shape == wanted, f"the gradient must have shape {wanted}", gradient.shape)
            total[rows] += share[rows, None] * gradient
        return total

    def minimise(self, L: float, mu: float) -> Optimum:
        """The minimiser of the mean loss with a certified error; closed form where there is one."""
        terms = self._separable_terms(mu)
        if terms is not None:
            return closed_form(self, terms, L, mu)
        return solved(self, self._tips(), L, mu)

    def signs(self) -> SignFamily | None:
        """The common sign family when the losses differ in g alone, else None."""
        first = self.losses[0]
        if not isinstance(first, Regularised) or not isinstance(first.part, Signed):
            return None
        parts = [loss.part for loss in self.losses if isinstance(loss, Regularised) and loss.mu == first.mu]
        alike = [part for part in parts if isinstance(part, Signed) and _same_shape(part, first.part)]
        if len(alike) < len(self.losses):
            return None
        g = constant([part.g for part in alike])
        return SignFamily(first.mu, first.part.slope, first.part.kink, g, self.weights)

    def _tips(self) -> list[Tip]:
        """Tips of the cones, with the weights of those that share a point added up."""
        pairs = zip(self.weights, self.losses, strict=True)
        found = [(w, loss.part.tip()) for w, loss in pairs if isinstance(loss, Regularised)]
        tips = [Tip(float(w) * tip.weight, tip.point) for w, tip in found if tip is not None]
        return [
            Tip(sum(other.weight for other in tips if np.array_equal(other.point, tip.point)), tip.point)
            for tip in tips
        ]

    def _separable_terms(self, mu: float) -> list[Weighted] | None:
        terms = []
        for weight, loss in zip(self.weights, self.losses, strict=True):
            form = loss.part.separable() if isinstance(loss, Regularised) else None
            if form is None or not isinstance(loss, Regularised):
                return None
            terms.append(Weighted(float(weight), form._replace(curvature=form.curvature + loss.mu - mu)))
        return terms


def _same_shape(part: Signed, other: Signed) -> bool:
    return np.array_equal(part.slope, other.slope) and np.array_equal(part.kink, other.kink)
