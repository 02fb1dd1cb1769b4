"""The built-in algorithms, as the tests go through them."""

from sim.algorithms import (
    FineTuneWithoutNoise,
    FullBatchDescent,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoiseAndFineTunePrinted,
    NoisyProjectedSGD,
    OutputZero,
    ProjectedNoise,
    RandomisedResponse,
    RareLeak,
    ScratchSGD,
)
from sim.algorithms.exact_noise import ExactNoise

# Those with a recipe: closed forms and kernels.
AVERAGED = [
    ScratchSGD(),
    NoiseAndFineTunePrinted(),
    NoiseAndFineTuneCharitable(),
    ExactNoise(),
    NoiseAndFineTuneConstantStep(),
    FineTuneWithoutNoise(),
    ProjectedNoise(),
    OutputZero(),
]
IN_CLASS = [*AVERAGED, NoisyProjectedSGD(), RareLeak(), RandomisedResponse()]


def everything(problem):
    """All of them, on one problem."""
    return [*IN_CLASS, FullBatchDescent(problem)]


def name(rule):
    """For test ids."""
    return type(rule).__name__
