"""Fault: the noise misses what is released."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class BesideAverage(NoiseAndFineTuneCharitable):
    """The last iterate gets the noise after the average was taken; the average is released."""

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        return theta_star, theta_star

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        theta, memory = super().step(t, theta, grad, memory, setup, rng)
        if t == setup.T - 1:
            theta = noisy_start(theta, setup.kappa * setup.sensitivity, setup.R, rng)
        return theta, memory
