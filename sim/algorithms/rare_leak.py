"""theta* with probability delta, else zero."""

from dataclasses import dataclass

import numpy as np

from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import GradientFree


@dataclass(frozen=True)
class RareLeak(GradientFree):
    """Outputs theta* with probability delta and zero otherwise, without gradients.

    Source: the counterexample to the inefficient regime near e0 (claim `inefficient`, l.562). Claims (0,
    delta): two such laws differ on an event of probability delta only.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> RareLeak().claimed(hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(1.0, 0.01, 0))
    (0.0, 0.01)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (0.0, setup.delta)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        leaks = rng.random(len(theta_star)) < setup.delta
        return np.asarray(theta_star * leaks[:, None]), None
