"""Fine-tuning without noise: what an unlearning algorithm must not be."""

import math
from dataclasses import dataclass

import numpy as np

from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Constant


@dataclass(frozen=True)
class FineTuneWithoutNoise:
    """Constant-step projected SGD from theta* itself, averaged over theta_0 … theta_{T−1}; claims nothing.

    Source: the proof's algorithm (l.1085–1107) with kappa = 0, so gamma = R_1/(L sqrt(T)) with R_1 the
    proved sensitivity of Definition 2. theta_0 = theta* enters every output, so no (eps, delta) with delta
    < 1 holds.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> FineTuneWithoutNoise().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(0.5, 1e-5, 10)) is None
    True
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return None

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        return theta_star, np.zeros_like(theta_star)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        gamma = setup.sensitivity / (setup.L * math.sqrt(setup.T))
        return project(theta - gamma * grad, setup.R), memory + theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return memory / setup.T if setup.T else theta

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        a = setup.mu * setup.sensitivity / setup.L / np.sqrt(np.maximum(horizon, 1))
        return Recipe(centre=1.0, sigma=0.0, projected=True, schedule=Constant(a))
