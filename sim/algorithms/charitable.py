"""Algorithm 2 in its charitable reading."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import claim_of_kappa, decreasing_step, noisy_start, repaired_average
from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Decreasing


@dataclass(frozen=True)
class NoiseAndFineTuneCharitable:
    """Algorithm 2 (l.404–421) repaired: projected, returning m_{T+1}, so the weights sum to one.

    theta_1 = theta_0 and m_1 = theta_1. Noise: kappa times the proved sensitivity of Definition 2, r_f L/mu
    in d = 1 (as at l.410) and 2 r_f L/((1 + r_f) mu) in d >= 2. Claims (eps, delta) for eps <= 1, none
    beyond. Its first step has length 1/mu: on mu/2‖theta‖² + linear it forgets theta* and is retraining.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> NoiseAndFineTuneCharitable().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(3.0, 1e-5, 10)) is None
    True
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return claim_of_kappa(setup)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = noisy_start(theta_star, setup.kappa * setup.sensitivity, setup.R, rng)
        return theta, theta

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        theta = project(decreasing_step(t, theta, grad, setup), setup.R)
        return theta, memory + (t + 2) * theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return repaired_average(memory, setup)

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        sigma = setup.kappa * setup.sensitivity
        return Recipe(centre=1.0, sigma=sigma, projected=True, schedule=Decreasing())
