"""Fault: noise on one coordinate only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.geometry import project
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class OneAxis(NoiseAndFineTuneCharitable):
    """The first coordinate gets all the noise it needs, the others none: only other directions show it."""

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        moved = np.array(theta_star)
        moved[:, 0] += setup.kappa * setup.sensitivity * rng.standard_normal(len(moved))
        theta = project(moved, setup.R)
        return theta, theta
