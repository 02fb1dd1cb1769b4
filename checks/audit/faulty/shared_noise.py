"""Fault: all chains add one noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.geometry import project
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class SharedNoise(NoiseAndFineTuneCharitable):
    """One Gaussian vector for a whole batch: one release that is known gives away all others."""

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        noise = setup.kappa * setup.sensitivity * rng.standard_normal(setup.d)
        theta = project(theta_star + noise, setup.R)
        return theta, theta
