"""Fault: a regulariser that is not squared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class PlainNorm(NoiseAndFineTuneCharitable):
    """Adds the gradient of (L/2)·‖theta‖ to each step, and still promises the rate of SGD."""

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        norm = np.maximum(np.linalg.norm(theta, axis=1, keepdims=True), 1e-12)
        return super().step(t, theta, grad + setup.L / 2 * theta / norm, memory, setup, rng)

    def risk_bound(self, setup: Setup) -> float:
        return 2 * setup.L**2 / (setup.mu * (setup.T + 2))
