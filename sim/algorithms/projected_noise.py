"""Noise only: the algorithm of the trivial regime."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import claim_of_kappa, noisy_start
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.algorithm import GradientFree
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Idle


@dataclass(frozen=True)
class ProjectedNoise(GradientFree):
    """theta* plus Gaussian noise, projected on the ball; gradients are ignored (proof at l.1065).

    Noise: kappa times the proved sensitivity of Definition 2 (r_f L/mu in d = 1, 2 r_f L/((1 + r_f) mu) in
    d >= 2) in the place of the print's r_f L/((1 − r_f) mu). Claims (eps, delta) for eps <= 1, none beyond.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> ProjectedNoise().claimed(hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(1.0, 1e-5, 0))
    (1.0, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return claim_of_kappa(setup)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return noisy_start(theta_star, setup.kappa * setup.sensitivity, setup.R, rng), None

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        sigma = setup.kappa * setup.sensitivity
        return Recipe(centre=1.0, sigma=sigma, projected=True, schedule=Idle())
