"""Noisy projected SGD: the noise is in the steps."""

import math
from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import claim_of_kappa, noisy_start
from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


@dataclass(frozen=True)
class NoisyProjectedSGD:
    """Constant-step projected SGD from theta* with noise in every step, averaged over theta_1 … theta_T.

    Source: noisy SGD as in differentially private optimisation, with a first-step argument. With gamma as
    in l.1100, two runs on the same first sample differ before its noise by at most s = R_1 + 2 gamma L,
    where R_1 is the proved sensitivity of Definition 2. Noise kappa·s in step 0 makes theta_1 private; all
    that follows is post-processing with fresh samples and noise gamma·L. theta_0 is never released: T = 0
    releases theta* with noise kappa·R_1. Claims (eps, delta) for eps <= 1, none beyond.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> NoisyProjectedSGD().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 10))
    (1.0, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return claim_of_kappa(setup)

    def gamma(self, setup: Setup) -> float:
        """The step length, for T >= 1."""
        return math.sqrt((1 + setup.d * setup.kappa**2) / setup.T) * setup.sensitivity / setup.L

    def sigma(self, t: int, setup: Setup) -> float:
        """Standard deviation of the noise in step t."""
        gamma = self.gamma(setup)
        return setup.kappa * (setup.sensitivity + 2 * gamma * setup.L) if t == 0 else gamma * setup.L

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        return theta_star, np.zeros_like(theta_star)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        noise = self.sigma(t, setup) * rng.standard_normal(theta.shape)
        theta = project(theta - self.gamma(setup) * grad + noise, setup.R)
        return theta, memory + theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        if setup.T == 0:
            return noisy_start(theta, setup.kappa * setup.sensitivity, setup.R, rng)
        return memory / setup.T
