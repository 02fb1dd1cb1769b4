"""Radial staircase noise: pure eps, in shells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

_FAR = 800.0  # e^-800 is less than any positive float


@dataclass(frozen=True)
class StaircaseNoise:
    """theta* plus noise whose density falls by e^−eps per shell of the proved sensitivity s; projected.

    Source: the staircase mechanism (Geng and Viswanath 2014) with balls in the place of intervals. A shift by
    s changes the shell of a point by at most one. The noise is uniform on a ball of radius (q + K) s, where
    P(K = k) is proportional to e^(−k eps) (q + k)^d, q = e^(−eps/(d+2)). Claims (eps, 0).

    >>> from oubli.sim.problems.problem import hard_problem
    >>> StaircaseNoise().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 0))
    (1.0, 0.0)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, 0.0)

    def radii(self, setup: Setup) -> tuple[Array, Array]:
        """The radii of the balls in units of the sensitivity, and their probabilities."""
        shells = int((3 * setup.d + _FAR) / setup.eps) + 2
        radius = np.exp(-setup.eps / (setup.d + 2)) + np.arange(shells)
        weight = setup.d * np.log(radius) - setup.eps * np.arange(shells)
        chance = np.exp(weight - weight.max())
        return radius, chance / chance.sum()

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        n, d = theta_star.shape
        radius, chance = self.radii(setup)
        direction = rng.standard_normal((n, d))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        # The length in a ball of radius 1 is U^(1/d).
        length = rng.choice(radius, size=(n, 1), p=chance) * rng.random((n, 1)) ** (1 / d)
        return project(theta_star + setup.sensitivity * length * direction, setup.R), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: None, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        return theta, None
