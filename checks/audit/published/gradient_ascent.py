"""Gradient ascent on the forget data: the common baseline, which claims nothing."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from oubli.checks.audit.published.common import Record
from oubli.sim.geometry import project
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

LENGTH = 0.05


class GradientAscent:
    """T projected ascent steps on the forget loss from theta*: a function of the forget data."""

    record: ClassVar[Record] = Record(
        "gradient ascent",
        "a common baseline, e.g. J. Jang et al., Knowledge Unlearning for Mitigating Privacy Risks in "
        "Language Models, ACL 2023",
        "none",
        (),
        None,
    )

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def assumes_smooth(self, setup: Setup) -> bool:
        """The claim is about smooth losses."""
        return True

    def gdp(self, setup: Setup) -> float | None:
        return None

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return np.tile(problem.full_optimum.point, (setup.chains, 1)), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: None, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        return project(theta + LENGTH / setup.mu * self.problem.forget.gradient(theta), setup.R), None

    def release(self, theta: Array, memory: None, setup: Setup, rng: np.random.Generator) -> Array:
        return theta
