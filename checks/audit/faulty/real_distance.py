"""Fault: noise from the real distance of the optima."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.averaging import noisy_start
from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.problem import Problem
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True, eq=False)
class RealDistance(NoiseAndFineTuneCharitable):
    """kappa times the distance of theta* and theta_r* on these very data: the scale itself tells."""

    problem: Problem

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        away = self.problem.full_optimum.point - self.problem.retain_optimum.point
        theta = noisy_start(theta_star, setup.kappa * float(np.linalg.norm(away)), setup.R, rng)
        return theta, theta
