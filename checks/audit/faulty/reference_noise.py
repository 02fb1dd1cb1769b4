"""Fault: noise for the distance to theta_r*, claimed for two forget sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.laws import gaussian_sigma
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class ReferenceNoise(NoiseAndFineTuneCharitable):
    """Exact noise at r_f L/mu, the distance to theta_r*; in d >= 2 two optima lie further apart."""

    def noise_scale(self, setup: Setup) -> float:
        return float(gaussian_sigma(setup.eps, setup.delta)) * setup.r_f * setup.L / setup.mu

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = noisy_start(theta_star, self.noise_scale(setup), setup.R, rng)
        return theta, theta
