"""The algorithm that the proof of the efficient regime analyses."""

import math
from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import claim_of_kappa, noisy_start
from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Constant


@dataclass(frozen=True)
class NoiseAndFineTuneConstantStep:
    """Noise, then constant-step projected SGD, averaged over theta_0 … theta_{T−1} (l.1085–1107).

    Step gamma = sqrt((1 + d kappa²) R_1²/(T L²)) with R_1 the sensitivity used for the noise: the proved
    one of Definition 2 (r_f L/mu in d = 1, 2 r_f L/((1 + r_f) mu) in d >= 2) in the place of the print's
    r_f L/((1 − r_f) mu). Start and steps are projected on the ball, which the proof needs. T = 0 returns
    the projected noisy start. Claims (eps, delta) for eps <= 1, none beyond.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> NoiseAndFineTuneConstantStep().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(0.5, 1e-5, 10))
    (0.5, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return claim_of_kappa(setup)

    def gamma(self, setup: Setup) -> float:
        """The step length, for T >= 1."""
        return math.sqrt((1 + setup.d * setup.kappa**2) / setup.T) * setup.sensitivity / setup.L

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = noisy_start(theta_star, setup.kappa * setup.sensitivity, setup.R, rng)
        return theta, np.zeros_like(theta)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        return project(theta - self.gamma(setup) * grad, setup.R), memory + theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return memory / setup.T if setup.T else theta

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        spread = math.sqrt(1 + setup.d * setup.kappa**2) * setup.sensitivity / setup.L
        a = setup.mu * spread / np.sqrt(np.maximum(horizon, 1))
        sigma = setup.kappa * setup.sensitivity
        return Recipe(centre=1.0, sigma=sigma, projected=True, schedule=Constant(a))
