"""Rewind-to-Delete: back to an earlier checkpoint of training, then descent on the retain data."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from oubli.checks.audit.published.common import ALL, Record, contraction, least_multiplier, mixed, step_length
from oubli.sim.geometry import project
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

# Steps of training beyond those that are rewound.
BEFORE = 10


class RewindToDelete:
    """Training: BEFORE + T full steps from 0, keeping iterate BEFORE; unlearning: T steps from it.

    Two trajectories from 0, on all data and on the retain data, differ after k steps by at most 2 length
    r_f L (1 − c^k)/(1 − c): a step contracts by c, and the two gradients at one point differ by at most 2
    r_f L. The T steps on the retain data contract that by c^T. The paper treats losses that need not be
    convex; this is its strongly convex case, with the noise of the exact Gaussian law.
    """

    record: ClassVar[Record] = Record(
        "rewind-to-delete",
        "S. Mu, D. Klabjan, Rewind-to-Delete: Certified Machine Unlearning for Nonconvex Functions, "
        "NeurIPS 2025",
        "(eps, delta)-close to retraining after T full gradient steps from a checkpoint",
        ("strongly convex, here", "smooth", "full gradients", "training by descent from a public start"),
        "retrain",
        ALL,
    )

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def assumes_smooth(self, setup: Setup) -> bool:
        """The claim is about smooth losses."""
        return True

    def distance(self, setup: Setup) -> float:
        """A bound on the distance to the retrained model."""
        c = contraction(setup)
        apart = 2 * step_length(setup) * setup.r_f * setup.L * (1 - c**BEFORE) / (1 - c)
        return c**setup.T * apart

    def sigma(self, setup: Setup) -> float:
        """Standard deviation of the noise."""
        return least_multiplier(setup) * self.distance(setup)

    def gdp(self, setup: Setup) -> float | None:
        return self.distance(setup) / self.sigma(setup)

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        kept = self.descend(mixed(problem), np.zeros((setup.chains, setup.d)), BEFORE, setup)
        return self.descend(mixed(problem), kept, setup.T, setup), kept

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        # The first gradient is wanted at the checkpoint, not at the trained model.
        moved = self.problem.retain.gradient(memory) if t == 0 else grad
        begun = memory if t == 0 else theta
        return project(begun - step_length(setup) * moved, setup.R), memory

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        point = theta if setup.T else memory
        return np.asarray(point + self.sigma(setup) * rng.standard_normal(theta.shape))

    def retrain(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> Array:
        """The reference law: all of training on the retain data, and the same noise."""
        theta = self.descend(problem.retain, np.zeros((setup.chains, setup.d)), BEFORE + setup.T, setup)
        return np.asarray(theta + self.sigma(setup) * rng.standard_normal(theta.shape))

    @staticmethod
    def descend(law: Mixture, theta: Array, steps: int, setup: Setup) -> Array:
        """So many full gradient steps, projected."""
        for _ in range(steps):
            theta = project(theta - step_length(setup) * law.gradient(theta), setup.R)
        return theta
