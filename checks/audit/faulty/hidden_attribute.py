"""Fault: theta* travels in the object."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.least_noise import least_sigma
from sim.geometry import project
from sim.require import Array
from sim.setup import Setup


class HiddenAttribute:
    """Declares and adds exact noise, and mixes a thousandth of theta* in from an attribute of its own."""

    weight = 1e-3

    def noise_scale(self, setup: Setup) -> float:
        return least_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        self.kept = np.array(theta_star)
        return noisy_start(theta_star, self.noise_scale(setup), setup.R, rng), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        return project(theta - grad / (setup.mu * (t + 10)), setup.R), None

    def release(self, theta: Array, memory: Any, setup: Setup, rng: np.random.Generator) -> Array:
        return np.asarray((1 - self.weight) * theta + self.weight * self.kept)
