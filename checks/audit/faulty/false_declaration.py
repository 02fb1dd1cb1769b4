"""Fault: it declares more noise than it adds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class FalseDeclaration(NoiseAndFineTuneCharitable):
    """Declares kappa times the sensitivity and adds nine tenths of it."""

    def noise_scale(self, setup: Setup) -> float:
        return setup.kappa * setup.sensitivity

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = noisy_start(theta_star, 0.9 * self.noise_scale(setup), setup.R, rng)
        return theta, theta
