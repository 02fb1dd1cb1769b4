"""Radial exponential noise: pure eps."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import GradientFree


@dataclass(frozen=True)
class RadialNoise(GradientFree):
    """theta* plus noise of density proportional to exp(−eps‖z‖/s), s the proved sensitivity; projected.

    Source: the exponential mechanism's noise (Laplace in d = 1). Two starts at most s apart have densities
    within a factor e^eps. The length is Gamma(d) distributed, the direction uniform. Claims (eps, 0).

    >>> from oubli.sim.problems.problem import hard_problem
    >>> RadialNoise().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 0))
    (1.0, 0.0)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, 0.0)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        direction = rng.standard_normal(theta_star.shape)
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        length = setup.sensitivity / setup.eps * rng.standard_gamma(setup.d, (len(theta_star), 1))
        return project(theta_star + length * direction, setup.R), None
