"""Fault: an average whose weights do not sum to one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.require import Array
from sim.setup import Setup


@dataclass(frozen=True)
class ShortWeights(NoiseAndFineTuneCharitable):
    """The sum to T+1 is divided by the weights of a longer one, as in the printed average."""

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return np.asarray(2 / ((setup.T + 2) * (setup.T + 3)) * memory)
