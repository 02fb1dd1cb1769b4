"""The algorithm that outputs zero."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.algorithm import GradientFree
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.schedules import Idle


@dataclass(frozen=True)
class OutputZero(GradientFree):
    """Always zero: excess risk at most e0 = L²/(8 mu) (l.505). Claims (0, 0): it looks at nothing.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> OutputZero().claimed(hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(1.0, 1e-5, 0))
    (0.0, 0.0)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (0.0, 0.0)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return np.zeros_like(theta_star), None

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        return Recipe(centre=0.0, sigma=0.0, projected=True, schedule=Idle())
