"""Descent-to-Delete: full-batch descent from the trained model, noise at the end."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from oubli.checks.audit.published.common import ALL, Record, contraction, step_length
from oubli.sim.geometry import project
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


class DescentToDelete:
    """T full gradient steps on the retain data from theta*, then Gaussian noise.

    Each step contracts towards theta_r* by c = (beta − mu)/(beta + mu), and |theta* − theta_r*| <= r_f
    L/mu, so the output lies within c^T r_f L/mu of theta_r*, which retraining releases with the same noise.
    The noise is calibrated through zero-concentrated privacy, as in the paper: sigma =
    distance/(sqrt(2)(sqrt(ln(1/delta) + eps) − sqrt(ln(1/delta)))), which suffices for every eps and is
    more than the exact law needs.
    """

    record: ClassVar[Record] = Record(
        "Descent-to-Delete",
        "S. Neel, A. Roth, S. Sharifi-Malvajerdi, Descent-to-Delete: Gradient-Based Methods for Machine "
        "Unlearning, ALT 2021",
        "(eps, delta)-close to retraining after T full gradient steps",
        ("strongly convex", "smooth", "full gradients"),
        "retrain",
        ALL,
    )

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def assumes_smooth(self, setup: Setup) -> bool:
        """The claim is about smooth losses."""
        return True

    def sigma(self, setup: Setup) -> float:
        """Standard deviation of the noise."""
        log = math.log(1 / setup.delta)
        return self.distance(setup) / (math.sqrt(2) * (math.sqrt(log + setup.eps) - math.sqrt(log)))

    def distance(self, setup: Setup) -> float:
        """A bound on the distance to theta_r* after T steps."""
        return contraction(setup) ** setup.T * setup.r_f * setup.L / setup.mu

    def gdp(self, setup: Setup) -> float | None:
        return self.distance(setup) / self.sigma(setup)

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return np.tile(problem.full_optimum.point, (setup.chains, 1)), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: None, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        return project(theta - step_length(setup) * grad, setup.R), None

    def release(self, theta: Array, memory: None, setup: Setup, rng: np.random.Generator) -> Array:
        return np.asarray(theta + self.sigma(setup) * rng.standard_normal(theta.shape))
