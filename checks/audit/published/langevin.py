"""Noise in every step: Langevin unlearning with full gradients, and its mini-batch version."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from oubli.checks.audit.accountant import certify
from oubli.checks.audit.accountant_steps import SmoothStep
from oubli.checks.audit.published.common import (
    ALL,
    SMOOTHNESS,
    Record,
    contraction,
    least_multiplier,
    step_length,
)
from oubli.sim.geometry import project
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


class LangevinUnlearning:
    """Projected noisy full gradient descent on the retain data, from wherever the trained model is.

    The papers bound a Rényi divergence; here the same iteration is judged by our accountant, which is exact
    for linear maps. Two runs start within the ball's diameter L/mu and contract by c in each step, so that
    noise sigma in each of T steps gives mu = c^T (L/mu)/(sigma sqrt(Σ_{k<T} c^{2k})): sigma is the least
    for the budget. The paper writes the noise as sqrt(2·length)·s, with s the temperature.
    """

    record: ClassVar[Record] = Record(
        "Langevin unlearning",
        "E. Chien, H. Wang, Z. Chen, P. Li, Langevin Unlearning: A New Perspective of Noisy Gradient Descent "
        "for Machine Unlearning, NeurIPS 2024",
        "(alpha, eps)-Rényi close to retraining, hence (eps, delta); here also for every two starts",
        ("strongly convex", "smooth", "full gradients", "noisy training"),
        "pair",
        ALL,
    )

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def assumes_smooth(self, setup: Setup) -> bool:
        """The claim is about smooth losses."""
        return True

    def sigma(self, setup: Setup) -> float:
        """Standard deviation of the noise of each step."""
        c = contraction(setup)
        gathered = math.sqrt(sum(c ** (2 * k) for k in range(setup.T)))
        reach = c**setup.T * setup.L / setup.mu
        return least_multiplier(setup) * reach / gathered

    def noise_schedule(self, setup: Setup) -> list[dict[str, float]]:
        """One entry per step, for the accountant of `oubli audit`."""
        entry = {
            "sigma": self.sigma(setup),
            "length": step_length(setup),
            "smoothness": SMOOTHNESS * setup.mu,
        }
        return [dict(entry) for _ in range(setup.T)]

    def gdp(self, setup: Setup) -> float | None:
        step = SmoothStep(**self.noise_schedule(setup)[0], mu=setup.mu)
        found = certify([step] * setup.T, setup.L / setup.mu, setup.L / setup.mu)
        return None if found is None else found.mu

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return np.tile(problem.full_optimum.point, (setup.chains, 1)), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: None, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        noise = self.sigma(setup) * rng.standard_normal(theta.shape)
        return project(theta - step_length(setup) * grad + noise, setup.R), None

    def release(self, theta: Array, memory: None, setup: Setup, rng: np.random.Generator) -> Array:
        return theta


class NoisySGDUnlearning(LangevinUnlearning):
    """The same with mini-batches: the two runs that are compared see the same retain samples."""

    record: ClassVar[Record] = Record(
        "noisy SGD unlearning",
        "E. Chien, H. Wang, Z. Chen, P. Li, Certified Machine Unlearning via Noisy Stochastic Gradient "
        "Descent, NeurIPS 2024",
        "(eps, delta)-close to retraining with mini-batches; here also for every two starts",
        ("strongly convex", "smooth", "noisy training"),
        "pair",
    )
