"""Fault: the same noise in every run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class SeedReuse(NoiseAndFineTuneCharitable):
    """The noise comes from a seed of its own: whoever sees two releases subtracts it."""

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        own = np.random.default_rng(2024)
        theta = noisy_start(theta_star, setup.kappa * setup.sensitivity, setup.R, own)
        return theta, theta
