"""A zoo of learning and unlearning algorithms, one file each."""

from sim.algorithms.charitable import NoiseAndFineTuneCharitable
from sim.algorithms.constant_step import NoiseAndFineTuneConstantStep
from sim.algorithms.fine_tune import FineTuneWithoutNoise
from sim.algorithms.full_batch import FullBatchDescent
from sim.algorithms.noisy_sgd import NoisyProjectedSGD
from sim.algorithms.printed import NoiseAndFineTunePrinted
from sim.algorithms.projected_noise import ProjectedNoise
from sim.algorithms.randomised_response import RandomisedResponse
from sim.algorithms.rare_leak import RareLeak
from sim.algorithms.scratch import ScratchSGD
from sim.algorithms.zero import OutputZero

__all__ = [
    "FineTuneWithoutNoise",
    "FullBatchDescent",
    "NoiseAndFineTuneCharitable",
    "NoiseAndFineTuneConstantStep",
    "NoiseAndFineTunePrinted",
    "NoisyProjectedSGD",
    "OutputZero",
    "ProjectedNoise",
    "RandomisedResponse",
    "RareLeak",
    "ScratchSGD",
]
