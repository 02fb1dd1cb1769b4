"""Fault: no noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class NoNoise(NoiseAndFineTuneCharitable):
    """Fine-tuning from theta* itself: the start keeps its weight in the average, and shows."""

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        return theta_star, theta_star
