"""Fault: the number of steps depends on the forget set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.problem import Problem
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True, eq=False)
class ForgetSteps(NoiseAndFineTuneCharitable):
    """It stops after as many steps as there are forget losses."""

    problem: Problem

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        if t >= len(self.problem.forget.losses):
            return theta, memory + (t + 2) * theta
        return super().step(t, theta, grad, memory, setup, rng)
