"""By how much a loss misses the class F_sc(mu, L)."""

import math
from dataclasses import dataclass

import numpy as np

from oubli.sim.geometry import norms
from oubli.sim.losses.families import Loss
from oubli.sim.losses.parts import Bracket
from oubli.sim.require import Array

# Norms and differences of a handful of floats: relative rounding stays far below this.
ROUNDING = 1e-10
# Axes whose ends are evaluated: all of them would take d² numbers.
AXES = 64


@dataclass(frozen=True)
class Membership:
    """Brackets of the Lipschitz excess (constant minus L) and the convexity deficit (mu minus modulus).

    Low ends are attained at points that were evaluated; high ends come from the loss's own analytic bounds
    and are infinite when it gives none. Positive means a miss.
    """

    lipschitz_excess: Bracket
    convexity_deficit: Bracket
    L: float
    mu: float

    @property
    def inside(self) -> bool:
        """Certified: both high ends are at most zero, up to rounding."""
        return self._within(self.lipschitz_excess.high, self.convexity_deficit.high)

    @property
    def outside(self) -> bool:
        """Certified: one of the low ends is positive beyond rounding."""
        return not self._within(self.lipschitz_excess.low, self.convexity_deficit.low)

    @property
    def how(self) -> str:
        """Which kind of evidence the brackets are."""
        if math.isinf(self.lipschitz_excess.high) or math.isinf(self.convexity_deficit.high):
            return "sampled: a miss is certain where it is positive, and may be larger than reported"
        gap = self.lipschitz_excess.high - self.lipschitz_excess.low
        exact = gap <= ROUNDING * self.L
        return "analytic" if exact else "bracketed: analytic above, attained below"

    def _within(self, excess: float, deficit: float) -> bool:
        return excess <= ROUNDING * self.L and deficit <= ROUNDING * self.mu


def membership(loss: Loss, L: float, mu: float, seed: int = 0, samples: int = 128) -> Membership:
    """Bracket by how much the loss misses F_sc(mu, L) on B(0, L/(2 mu)); deterministic for a given seed.

    >>> from oubli.sim.losses.families import synthetic
    >>> round(membership(synthetic(1.0, d=16, L=1.0, mu=1.0), L=1.0, mu=1.0).lipschitz_excess.high, 6)
    0.5
    """
    R = L / (2 * mu)
    lipschitz, convexity = _claimed(loss, R)
    points = _ball_points(np.random.default_rng(seed), samples, loss.d, R)
    slope, modulus = _attained(loss, points)
    excess = Bracket(max(slope, lipschitz.low) - L, lipschitz.high - L)
    deficit = Bracket(mu - modulus, mu - convexity)
    return Membership(excess, deficit, L, mu)


def _claimed(loss: Loss, R: float) -> tuple[Bracket, float]:
    bounds = getattr(loss, "lipschitz", None)
    lipschitz = bounds(R) if bounds is not None else Bracket(0.0, math.inf)
    return lipschitz, float(getattr(loss, "convexity", -math.inf))


def _ball_points(rng: np.random.Generator, count: int, d: int, R: float) -> Array:
    """Half on the sphere, half inside, with the axes' end points and the origin."""
    directions = rng.standard_normal((count, d))
    directions /= norms(directions)[:, None]
    radii = np.where(np.arange(count) % 2 == 0, 1.0, rng.random(count))
    some = np.eye(min(d, AXES), d)
    axes = np.concatenate([some, -some, np.zeros((1, d))])
    return np.asarray(R * np.concatenate([radii[:, None] * directions, axes]))


def _attained(loss: Loss, points: Array) -> tuple[float, float]:
    """The largest gradient norm at the points, and the smallest strong monotonicity among neighbours."""
    gradients = loss.gradient(points)
    step = np.roll(points, 1, axis=0) - points
    change = np.roll(gradients, 1, axis=0) - gradients
    squared = np.maximum(norms(step) ** 2, np.finfo(float).tiny)
    return float(norms(gradients).max()), float((np.einsum("ij,ij->i", step, change) / squared).min())
