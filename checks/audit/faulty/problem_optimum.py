"""Fault: theta* is read from the problem, past the noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.problem import Problem
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True, eq=False)
class ProblemOptimum(NoiseAndFineTuneCharitable):
    """A thousandth of theta* is mixed into the release, computed from the data once more."""

    problem: Problem
    weight = 1e-3

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        average = super().release(theta, memory, setup, rng)
        return np.asarray((1 - self.weight) * average + self.weight * self.problem.full_optimum.point)
