"""Learning and unlearning algorithms, one file each; `registry` lists them."""

from oubli.sim.algorithms.charitable import NoiseAndFineTuneCharitable
from oubli.sim.algorithms.constant_step import NoiseAndFineTuneConstantStep
from oubli.sim.algorithms.exact_noise import ExactNoise
from oubli.sim.algorithms.fine_tune import FineTuneWithoutNoise
from oubli.sim.algorithms.full_batch import FullBatchDescent
from oubli.sim.algorithms.last_iterate import LastIterate
from oubli.sim.algorithms.noisy_sgd import NoisyProjectedSGD
from oubli.sim.algorithms.printed import NoiseAndFineTunePrinted
from oubli.sim.algorithms.projected_noise import ProjectedNoise
from oubli.sim.algorithms.radial_noise import RadialNoise
from oubli.sim.algorithms.randomised_response import RandomisedResponse
from oubli.sim.algorithms.rare_leak import RareLeak
from oubli.sim.algorithms.scratch import ScratchSGD
from oubli.sim.algorithms.shrunk_noise import ShrunkNoise
from oubli.sim.algorithms.staircase_noise import StaircaseNoise
from oubli.sim.algorithms.zero import OutputZero

__all__ = [
    "ExactNoise",
    "FineTuneWithoutNoise",
    "FullBatchDescent",
    "LastIterate",
    "NoiseAndFineTuneCharitable",
    "NoiseAndFineTuneConstantStep",
    "NoiseAndFineTunePrinted",
    "NoisyProjectedSGD",
    "OutputZero",
    "ProjectedNoise",
    "RadialNoise",
    "RandomisedResponse",
    "RareLeak",
    "ScratchSGD",
    "ShrunkNoise",
    "StaircaseNoise",
]
