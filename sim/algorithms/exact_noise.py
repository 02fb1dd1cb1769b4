"""Noise at the exact Gaussian scale, then averaged fine-tuning."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import noisy_start
from oubli.sim.algorithms.charitable import NoiseAndFineTuneCharitable
from oubli.sim.algorithms.least_noise import least_sigma
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Decreasing


@dataclass(frozen=True)
class ExactNoise(NoiseAndFineTuneCharitable):
    """The charitable Algorithm 2 with the least private Gaussian noise; claims (eps, delta) for every eps.

    Source: the exact law of the Gaussian mechanism in the place of kappa, at the proved sensitivity. It
    declares its start, so that an audit can judge it without sampling.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> ExactNoise().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(9.0, 1e-5, 10))
    (9.0, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, setup.delta)

    def noise_scale(self, setup: Setup) -> float:
        """Standard deviation of the start around theta*."""
        return least_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = noisy_start(theta_star, self.noise_scale(setup), setup.R, rng)
        return theta, theta

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        return Recipe(centre=1.0, sigma=self.noise_scale(setup), projected=True, schedule=Decreasing())
