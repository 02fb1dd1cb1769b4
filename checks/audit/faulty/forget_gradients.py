"""Fault: it climbs the forget loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.problem import Problem
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True, eq=False)
class ForgetGradients(NoiseAndFineTuneCharitable):
    """Each step also ascends the forget loss, by which the output depends on the forget data."""

    problem: Problem

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        worst = self.problem.forget.losses[0].gradient(theta)
        return super().step(t, theta, grad - setup.r_f * worst, memory, setup, rng)
