"""Fault: a part of the classical noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class HalfNoise(NoiseAndFineTuneCharitable):
    """Half of kappa times the sensitivity."""

    share = 0.5

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = noisy_start(theta_star, self.share * setup.kappa * setup.sensitivity, setup.R, rng)
        return theta, theta


@dataclass(frozen=True)
class TenthNoise(HalfNoise):
    """A tenth of it."""

    share = 0.1
