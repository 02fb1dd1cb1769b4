"""The law of a noisy start theta* + sigma·z, projected on B(0, R) or not, as exact quadrature nodes.

Seen from the coordinate v ~ N(shift, sigma²) along theta*, the rest of the vector enters the projection
through its length alone, a chi variable independent of v. Panels end where the projection begins to act.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, ive
from scipy.stats import ncx2

from oubli.sim.require import Array

# Gaussian mass beyond 9 standard deviations is 2e-19.
TAIL = 9.0
NODES = 14


class Nodes(NamedTuple):
    """Values of the start's coordinate and of the length of the rest, with probabilities."""

    coordinate: Array
    rest: Array
    weight: Array


class Moments(NamedTuple):
    """Mean and variance along theta*, and variance of each coordinate across it."""

    mean: float
    variance: float
    across: float


@dataclass(frozen=True)
class StartLaw:
    """theta* has the length `shift` along one direction; radius is infinite when nothing is projected.

    >>> law = StartLaw(shift=0.0, sigma=1.0, d=3, radius=float("inf"))
    >>> law.moments()
    Moments(mean=0.0, variance=1.0, across=1.0)
    """

    shift: float
    sigma: float
    d: int
    radius: float

    def moments(self) -> Moments:
        """Exact without projection, by quadrature to about 1e-9 with it."""
        if self.sigma == 0 or np.isinf(self.radius):
            return Moments(self.shift, self.sigma**2, self.sigma**2)
        nodes = self.along()
        mean = float(nodes.weight @ nodes.coordinate)
        variance = float(nodes.weight @ (nodes.coordinate - mean) ** 2)
        return Moments(mean, variance, float(nodes.weight @ nodes.rest**2) / max(self.d - 1, 1))

    def along(self) -> Nodes:
        """The coordinate in the direction of theta*, with the length of the rest."""
        v, v_weight = self._coordinate_nodes(self.shift)
        if self.d == 1:
            return self._projected(v, np.zeros_like(v), v_weight)
        q, q_weight = self._rest_nodes(v)
        return self._projected(np.broadcast_to(v[:, None], q.shape), q, v_weight[:, None] * q_weight)

    def _coordinate_nodes(self, mean: float) -> tuple[Array, Array]:
        ends = mean + self.sigma * np.linspace(-TAIL, TAIL, 7)
        # The chord through v has a square root at the sphere: panels shrink towards it from inside.
        sphere = self.radius * np.array([1.0, 1 - 1e-4, 1 - 1e-3, 1 - 1e-2, 1 - 1e-1])
        cuts = np.concatenate([-sphere, sphere])
        cuts = cuts[(cuts > ends[0]) & (cuts < ends[-1])]
        v, width = panels(np.unique(np.concatenate([ends, cuts])))
        z = (v - mean) / self.sigma
        return v, width * np.exp(-(z**2) / 2) / (self.sigma * np.sqrt(2 * np.pi))

    def _rest_nodes(self, v: Array) -> tuple[Array, Array]:
        centre = self.sigma * np.sqrt(self.d - 1)
        low, high = max(centre - TAIL * self.sigma - self.sigma, 0.0), centre + TAIL * self.sigma
        edge = np.clip(np.sqrt(np.maximum(self.radius**2 - v**2, 0.0)), low, high)
        stretch = np.linspace(0, 1, 8)
        inner = low + (edge - low)[:, None] * stretch
        outer = edge[:, None] + (high - edge)[:, None] * stretch
        q, width = panels(np.concatenate([inner, outer[:, 1:]], axis=1))
        return q, width * length_density(q / self.sigma, self.d - 1, 0.0) / self.sigma

    def _projected(self, v: Array, q: Array, weight: Array) -> Nodes:
        length = np.hypot(v, q)
        scale = np.minimum(1.0, self.radius / np.maximum(length, np.finfo(float).tiny))
        total = float(weight.sum())
        if abs(total - 1) > 1e-9:
            raise ArithmeticError(f"the start's quadrature lost mass, got total {total!r} for {self!r}")
        return Nodes((v * scale).ravel(), (q * scale).ravel(), weight.ravel() / total)


@lru_cache(maxsize=1)
def _legendre() -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return np.asarray((nodes + 1) / 2), np.asarray(weights / 2)


def panels(ends: Array) -> tuple[Array, Array]:
    """Gauss–Legendre nodes and weights on the panels between consecutive ends, along the last axis.

    >>> float(panels(np.array([0.0, 1.0, 3.0]))[1].sum().round(12))
    3.0
    """
    nodes, weights = _legendre()
    width = np.diff(ends, axis=-1)[..., None]
    places = ends[..., :-1, None] + width * nodes
    shape = (*ends.shape[:-1], -1)
    return places.reshape(shape), np.broadcast_to(width * weights, places.shape).reshape(shape)


def length_density(q: Array, k: int, shift: float) -> Array:
    """Density at q of the length of a standard Gaussian vector in R^k moved by `shift`.

    >>> length_density(np.array([1.0]), 2, 0.0).round(9).tolist()
    [0.60653066]
    """
    q = np.maximum(q, np.finfo(float).tiny)
    if shift == 0:
        return np.asarray(np.exp((k - 1) * np.log(q) - q**2 / 2 - (k / 2 - 1) * np.log(2) - gammaln(k / 2)))
    if k > 40:
        # The Bessel function of this order underflows; scipy's own density is slower but does not.
        return np.asarray(2 * q * ncx2.pdf(q**2, k, shift**2))
    if k == 3:  # the Bessel function of order 1/2 is a hyperbolic sine
        bell = np.exp(-((q - shift) ** 2) / 2) / np.sqrt(2 * np.pi)
        return np.asarray(q / shift * bell * -np.expm1(-2 * shift * q))
    power = np.exp((k / 2) * np.log(q / shift))
    return np.asarray(power * shift * np.exp(-((q - shift) ** 2) / 2) * ive(k / 2 - 1, shift * q))
