"""Randomised response on the sign of theta*."""

import math
from dataclasses import dataclass

import numpy as np

from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import GradientFree


@dataclass(frozen=True)
class RandomisedResponse(GradientFree):
    """R e_1 if theta*_1 > 0 and −R e_1 otherwise, flipped with probability 1/(1 + e^eps).

    Source: Warner's randomised response; the counterexample to the printed bound on the total variation
    (claim `tv_bound`, l.1170), since it separates theta*_1 = 0 from any theta*_1 > 0. Claims (eps, 0).

    >>> from oubli.sim.problems.problem import hard_problem
    >>> RandomisedResponse().claimed(hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(1.0, 0.01, 0))
    (1.0, 0.0)
    """

    def claimed(self, setup: Setup) -> tuple[float, float] | None:
        return (setup.eps, 0.0)

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        truthful = rng.random(len(theta_star)) < 1 / (1 + math.exp(-setup.eps))
        positive = theta_star[:, 0] > 0
        theta = np.zeros_like(theta_star)
        theta[:, 0] = np.where(positive == truthful, setup.R, -setup.R)
        return theta, None
