"""How large the excess of averaged SGD on a sign family can be, but for a rare event of known probability.

Hoeffding bounds the weighted sum of signs and the Gaussian start by z deviations except with probability
3·exp(−z²/2); the excess is then at most B(z). Cut at B(z_0) the samples are bounded, and the mean of what is
cut is at most ∫_{z_0}^∞ 3·exp(−z²/2) dB(z).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.intervals import Interval, empirical_bernstein
from oubli.sim.runs.recipe import Recipe, never_projects
from oubli.sim.runs.schedules import Constant

# Chance per sample of an excess above the cut.
RARE = 1e-3


@dataclass(frozen=True, eq=False)
class Tail:
    """P[excess > bound(z)] <= 3 exp(−z²/2) for every z >= 0; bound is increasing."""

    bound: Callable[[float], float]

    def interval(self, excess: Array, alpha: float) -> Interval:
        """An interval for the mean excess at level 1 − alpha, from independent non-negative samples.

        >>> Tail(lambda z: 1.0).interval(np.full(10_000, 0.5), 0.01).holds(0.5)
        True
        """
        z_0 = float(np.sqrt(2 * np.log(3 * len(excess) / RARE)))
        most = self.bound(z_0)
        low, high = empirical_bernstein(np.minimum(excess, most), 0.0, most, alpha)
        return Interval(max(low, 0.0), high + self._beyond(z_0, most))

    def _beyond(self, z_0: float, most: float) -> float:
        """An upper sum of ∫ 3exp(−z²/2) dB over 12 cells of 1/2; less than 1e-16 of it lies beyond."""
        z = z_0 + np.arange(13) / 2
        B = np.maximum.accumulate([most, *(self.bound(float(place)) for place in z[1:])])
        return float(np.sum(np.diff(B) * 3 * np.exp(-(z[:-1] ** 2) / 2)))


def largest_excess(problem: Problem, radius: float) -> float:
    """An upper bound of the excess over the ball of this radius.

    >>> from oubli.sim.experiments.synthetic.protocol import Synthetic
    >>> problem = Synthetic().problem(1)
    >>> bool(largest_excess(problem, 0.0) >= problem.excess_risk(np.zeros((1, 4)))[0])
    True
    """
    family, centre = problem.retain.signs(), float(np.linalg.norm(problem.retain_optimum.point))
    if family is None:
        return problem.L * (radius + centre)
    return family.mu / 2 * (radius + centre) ** 2 + float(np.linalg.norm(family.kink)) * radius


def tail_of(recipe: Recipe, problem: Problem, setup: Setup) -> Tail:
    """The tail of the excess after setup.T steps; the whole ball where steps may be projected."""
    family, T = problem.retain.signs(), np.array(setup.T)
    if family is None or not bool(never_projects(recipe, family.reach, setup.R, T)):
        return Tail(lambda z: largest_excess(problem, setup.R))
    schedule, mu = recipe.schedule, family.mu
    slope = float(np.linalg.norm(family.slope)) / mu
    spread, kinks = float(np.sqrt(schedule.sign_square_sum(T))), family.kink[family.kink > 0]
    bias = abs(family.mean * (1 - float(schedule.sign_sum(T))))
    away = abs(recipe.centre) * float(np.linalg.norm(problem.full_optimum.point))

    def bound(z: float) -> float:
        radius = away + recipe.sigma * (float(np.sqrt(setup.d)) + z)
        radius = min(radius, setup.R) if recipe.projected else radius
        straight = slope * (bias + z * spread) + float(schedule.start_weight(T)) * radius
        alike = {kink: _largest_kinked(recipe, radius, kink / mu, setup.T) for kink in set(kinks.tolist())}
        sizes = np.array([alike[kink] for kink in kinks.tolist()])
        return mu / 2 * straight**2 + float(np.sum(sizes * (mu / 2 * sizes + kinks)))

    return Tail(bound)


def _largest_kinked(recipe: Recipe, radius: float, q: float, T: int) -> float:
    """The largest |y| from starts of size <= radius: convex in it, or growing but for swings of 2aq/T."""
    if radius == 0:
        return 0.0
    ends = np.array([radius * 1e-12, radius])
    swing = 2 * float(recipe.schedule.a) * q / max(T, 1) if isinstance(recipe.schedule, Constant) else 0.0
    return float(np.abs(recipe.schedule.kinked(ends, q, np.array(T))).max()) + swing
