"""Fault: theta* travels in the memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.algorithms.averaging import noisy_start, repaired_average
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class HiddenMemory(NoiseAndFineTuneCharitable):
    """A thousandth of theta* itself is mixed into the release, past the noise."""

    weight = 1e-3

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        theta = noisy_start(theta_star, setup.kappa * setup.sensitivity, setup.R, rng)
        return theta, (theta, np.array(theta_star))

    def step(
        self,
        t: int,
        theta: Array,
        grad: Array,
        memory: Any,
        setup: Setup,
        rng: np.random.Generator,
    ) -> tuple[Array, Any]:
        theta, kept = super().step(t, theta, grad, memory[0], setup, rng)
        return theta, (kept, memory[1])

    def release(self, theta: Array, memory: Any, setup: Setup, rng: np.random.Generator) -> Array:
        return np.asarray((1 - self.weight) * repaired_average(memory[0], setup) + self.weight * memory[1])
