"""Full-batch projected descent with noise at the end."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from oubli.sim.algorithms.averaging import claim_of_kappa, noisy_start
from oubli.sim.geometry import project
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


@dataclass(frozen=True, eq=False)
class FullBatchDescent:
    """Projected descent with the exact retain gradient from theta*, then Gaussian noise, projected.

    Source: the idea of "Descent-to-Delete" (Neel, Roth, Sharifi-Malvajerdi 2021), here without smoothness:
    with D_t >= ‖theta_t − theta_r*‖², a step eta gives (1 − 2 eta mu)D_t + eta² L², least at eta = mu
    D_t/L², where D_{t+1} = D_t − mu² D_t²/L², from D_0 = (r_f L/mu)². Two runs end within 2 sqrt(D_T) (at T
    = 0: the proved sensitivity of Definition 2), and kappa times that is the noise. Claims (eps, delta) for
    eps <= 1, none beyond. Outside the paper's class: each step costs every retain sample.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> problem = hard_problem(0.5, 0.1, 1, 1.0, 1.0)
    >>> FullBatchDescent(problem).sensitivity(problem.setup(1.0, 1e-5, 0))
    0.1
    """

    problem: Problem
    outside_class: ClassVar[str] = "it evaluates the exact retain gradient, all samples at every step"

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return claim_of_kappa(setup)

    def radius(self, t: int, setup: Setup) -> float:
        """sqrt(D_t): a bound on the distance to theta_r* after t steps."""
        D = (setup.r_f * setup.L / setup.mu) ** 2
        for _ in range(t):
            D -= (setup.mu * D / setup.L) ** 2
        return math.sqrt(D)

    def sensitivity(self, setup: Setup) -> float:
        """A bound on the distance of the two runs that Definition 2 compares, after T steps."""
        return 2 * self.radius(setup.T, setup) if setup.T else setup.sensitivity

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, float]:
        return theta_star, self.radius(0, setup) ** 2

    def step(
        self, t: int, theta: Array, grad: Array, memory: float, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, float]:
        eta = setup.mu * memory / setup.L**2
        theta = project(theta - eta * self.problem.retain.gradient(theta), setup.R)
        return theta, memory - (setup.mu * memory / setup.L) ** 2

    def release(self, theta: Array, memory: float, setup: Setup, rng: np.random.Generator) -> Array:
        return noisy_start(theta, setup.kappa * self.sensitivity(setup), setup.R, rng)
