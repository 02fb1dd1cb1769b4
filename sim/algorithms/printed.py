"""Algorithm 2, "noise and fine-tune", exactly as printed."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from oubli.sim.algorithms.averaging import decreasing_step
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import DecreasingPrinted


class Sums(NamedTuple):
    """m_t and m_{t+1}: the print returns the older one."""

    older: Array
    newer: Array


@dataclass(frozen=True)
class NoiseAndFineTunePrinted:
    """Algorithm 2 (l.404–421) read literally: nothing is projected, and the returned sum is m_T.

    The print leaves theta_1 and m_1 undefined. The smallest reading that runs: theta_1 := theta_0 and m_1
    := m_0 = theta_0, loop t = 1 … T, return 2 m_T/((T+1)(T+2)); T = 0 returns theta_0. The averaging
    weights then sum to T/(T+2), and the T-th gradient is never used. Noise: kappa r_f L/mu per coordinate
    (l.410), whose sensitivity r_f L/mu is proved for Definition 2 in d = 1 only. The paper claims (eps,
    delta) for every eps and d; that is proved for d = 1, eps <= 1.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> NoiseAndFineTunePrinted().claimed(hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(3.0, 1e-5, 10))
    (3.0, 1e-05)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, setup.delta)

    def sigma(self, setup: Setup) -> float:
        """Standard deviation of the noise at l.410."""
        return setup.kappa * setup.r_f * setup.L / setup.mu

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Sums]:
        theta = theta_star + self.sigma(setup) * rng.standard_normal(theta_star.shape)
        return theta, Sums(theta, theta)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Sums, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Sums]:
        theta = decreasing_step(t, theta, grad, setup)
        return theta, Sums(memory.newer, memory.newer + (t + 2) * theta)

    def release(self, theta: Array, memory: Sums, setup: Setup, rng: np.random.Generator) -> Array:
        return np.asarray(2 / ((setup.T + 1) * (setup.T + 2)) * memory.older)

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        return Recipe(centre=1.0, sigma=self.sigma(setup), projected=False, schedule=DecreasingPrinted())
