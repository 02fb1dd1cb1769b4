"""Fault: the classical noise beyond its frontier."""

from __future__ import annotations

from dataclasses import dataclass

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.setup import Setup


@dataclass(frozen=True)
class KappaBeyond(NoiseAndFineTuneCharitable):
    """kappa for every eps, as printed; at delta = 1e-5 it is not enough from eps = 8.42 on."""

    def noise_scale(self, setup: Setup) -> float:
        return setup.kappa * setup.sensitivity
