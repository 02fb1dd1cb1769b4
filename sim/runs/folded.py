"""Partial moments of |x|, x one coordinate of a noisy start: E[|x|^k; |x| <= z] for k = 0, 1, 2.

Enough to integrate any piecewise linear or quadratic function of |x| exactly, jumps included.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.special import chndtr, erf, gammainc

from oubli.sim.require import Array
from oubli.sim.runs.start_law import TAIL, length_density, panels

CELLS = 400


class Folded(Protocol):
    """The law of |x|."""

    @property
    def most(self) -> float:
        """Beyond this |x| has probability below 1e-18."""
        ...

    def partial(self, z: Array) -> Array:
        """Row k holds E[|x|^k; |x| <= z], k = 0, 1, 2."""
        ...


@dataclass(frozen=True)
class HalfNormal:
    """x ~ N(0, sigma²), not projected: closed forms.

    >>> HalfNormal(1.0).partial(np.array([9.0])).round(9)[:, 0].tolist()
    [1.0, 0.797884561, 1.0]
    """

    sigma: float

    @property
    def most(self) -> float:
        return TAIL * self.sigma

    def partial(self, z: Array) -> Array:
        y = z / self.sigma
        mass, peak = erf(y / np.sqrt(2)), np.sqrt(2 / np.pi) * np.exp(-(y**2) / 2)
        first = -np.sqrt(2 / np.pi) * np.expm1(-(y**2) / 2)
        return np.array([mass, self.sigma * first, self.sigma**2 * (mass - y * peak)])


@dataclass(frozen=True)
class ProjectedSide:
    """x ~ N(0, sigma²) inside a vector of R^d, d >= 2, moved by `shift` across x, projected on B(0, radius).

    The density has a part from inside the ball and a part swept in along rays; both are tabulated with their
    integrals in the variable u of |x| = most·sin u, which removes the square root at the sphere.

    >>> law = ProjectedSide(sigma=0.1, shift=0.2, d=3, radius=50.0)
    >>> law.partial(np.array([0.9])).round(9)[:, 0].tolist()
    [1.0, 0.079788456, 0.01]
    """

    sigma: float
    shift: float
    d: int
    radius: float

    @property
    def most(self) -> float:
        return min(TAIL * self.sigma, self.radius)

    def partial(self, z: Array) -> Array:
        u = np.arcsin(np.clip(z / self.most, 0.0, 1.0))
        return np.asarray(self._table(u).T)

    @cached_property
    def _table(self) -> CubicHermiteSpline:
        ends = np.linspace(0, np.pi / 2, CELLS + 1)
        u, weight = panels(ends)
        pieces = (self._slopes(u) * weight).reshape(3, CELLS, -1).sum(axis=2)
        moments = np.concatenate([np.zeros((3, 1)), np.cumsum(pieces, axis=1)], axis=1)
        if abs(moments[0, -1] - 1) > 1e-8:
            raise ArithmeticError(f"the start's quadrature lost mass, got {moments[0, -1]!r} for {self!r}")
        nudged = np.clip(ends, 1e-9, np.pi / 2 - 1e-9)
        return CubicHermiteSpline(ends, moments.T, self._slopes(nudged).T)

    def _slopes(self, u: Array) -> Array:
        """d/du of the three partial moments."""
        x = self.most * np.sin(u)
        # sqrt(radius² − x²), written so that it keeps its digits next to the sphere.
        beyond = (self.radius - self.most) * (self.radius + self.most)
        depth = np.sqrt(beyond + (self.most * np.cos(u)) ** 2)
        inside = self._peak(x) * self._rest_mass(depth)
        density = (inside + self._swept(x, depth) / depth) * self.most * np.cos(u)
        return np.array([density, x * density, x**2 * density])

    def _peak(self, x: Array) -> Array:
        return np.asarray(np.sqrt(2 / np.pi) / self.sigma * np.exp(-((x / self.sigma) ** 2) / 2))

    def _rest_mass(self, depth: Array) -> Array:
        y, k = (depth / self.sigma) ** 2, self.d - 1
        if self.shift == 0:
            return np.asarray(gammainc(k / 2, y / 2))
        return np.asarray(chndtr(y, k, (self.shift / self.sigma) ** 2))

    def _swept(self, x: Array, depth: Array) -> Array:
        """∫ over the lengths r > radius of the density at (x, depth)·r/radius, times r."""
        centre = np.hypot(self.shift, self.sigma * np.sqrt(self.d))
        low = max(self.radius, centre - (TAIL + 2) * self.sigma)
        high = centre + (TAIL + 1) * self.sigma
        if high <= self.radius:
            return np.zeros_like(x)
        r, weight = panels(np.linspace(low, high, 6))
        q = depth[..., None] * r / self.radius / self.sigma
        rest = length_density(q, self.d - 1, self.shift / self.sigma) / self.sigma
        return np.asarray((self._peak(x[..., None] * r / self.radius) * rest * r) @ weight)
