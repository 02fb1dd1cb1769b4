"""Noise only, released a little nearer to zero."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import noisy_start
from oubli.sim.algorithms.least_noise import least_sigma
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import GradientFree


@dataclass(frozen=True)
class ShrunkNoise(GradientFree):
    """theta* plus exact noise, projected, and multiplied by 1/(1 + d sigma²/R²) at the release.

    Source: shrinking towards the middle of the ball lowers the worst risk of a noisy point; private by
    post-processing. It declares the factor as the weight of its release. Claims (eps, delta).

    >>> from oubli.sim.problems.problem import hard_problem
    >>> ShrunkNoise().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 0))
    (1.0, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, setup.delta)

    def noise_scale(self, setup: Setup) -> float:
        """Standard deviation of the start around theta*."""
        return least_sigma(setup.eps, setup.delta) * setup.sensitivity

    def release_weight(self, setup: Setup) -> float:
        """The factor of the release."""
        return 1 / (1 + setup.d * (self.noise_scale(setup) / setup.R) ** 2)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return noisy_start(theta_star, self.noise_scale(setup), setup.R, rng), None

    def release(self, theta: Array, memory: None, setup: Setup, rng: np.random.Generator) -> Array:
        return self.release_weight(setup) * theta
