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

# Those with a recipe: closed forms and kernels.
AVERAGED = [
    ScratchSGD(),
    NoiseAndFineTunePrinted(),
    NoiseAndFineTuneCharitable(),
    NoiseAndFineTuneConstantStep(),
    FineTuneWithoutNoise(),
    ProjectedNoise(),
    OutputZero(),
]
IN_CLASS = [*AVERAGED, NoisyProjectedSGD(), RareLeak(), RandomisedResponse()]


def everything(problem):
    """All eleven, on one problem."""
    return [*IN_CLASS, FullBatchDescent(problem)]


def name(rule):
    """For test ids."""
    return type(rule).__name__
