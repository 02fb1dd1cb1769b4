"""Retraining from scratch by stochastic gradient descent."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.algorithms.averaging import decreasing_step, repaired_average
from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Decreasing


@dataclass(frozen=True)
class ScratchSGD:
    """SGD from zero with steps 2/(mu(t+2)) (l.1277), each step projected, and the repaired average.

    Source: proof of the retraining lemma, l.1277–1279. Printed, the average stops at t = T−1 and its weights
    sum to T/(T+2); here it runs to t = T. Claims (0, 0): the output does not depend on the forget data.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> ScratchSGD().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 10))
    (0.0, 0.0)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (0.0, 0.0)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        zero = np.zeros_like(theta_star)
        return zero, zero

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        theta = project(decreasing_step(t, theta, grad, setup), setup.R)
        return theta, memory + (t + 2) * theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return repaired_average(memory, setup)

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        return Recipe(centre=0.0, sigma=0.0, projected=True, schedule=Decreasing())
