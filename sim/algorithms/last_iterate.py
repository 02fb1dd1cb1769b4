"""Exact noise, then SGD whose last iterate is released."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import decreasing_step, noisy_start
from oubli.sim.algorithms.least_noise import least_sigma
from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


@dataclass(frozen=True)
class LastIterate:
    """Exact noise, projected steps 2/(mu(t+2)) and no average: needs no memory and no release map.

    Source: the textbook variant without averaging; private by post-processing. Claims (eps, delta).

    >>> from oubli.sim.problems.problem import hard_problem
    >>> LastIterate().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 10))
    (1.0, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, setup.delta)

    def noise_scale(self, setup: Setup) -> float:
        """Standard deviation of the start around theta*."""
        return least_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return noisy_start(theta_star, self.noise_scale(setup), setup.R, rng), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: None, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        return project(decreasing_step(t, theta, grad, setup), setup.R), None
