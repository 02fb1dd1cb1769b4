"""The correct algorithms of the zoo: none may be flagged at the budget that it claims."""

from __future__ import annotations

from typing import Any

from checks.audit.promised_response import PromisedResponse
from sim.algorithms import (
    FullBatchDescent,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoisyProjectedSGD,
    OutputZero,
    ProjectedNoise,
    RandomisedResponse,
    RareLeak,
    ScratchSGD,
)
from sim.algorithms.exact_noise import ExactNoise
from sim.algorithms.last_iterate import LastIterate
from sim.algorithms.radial_noise import RadialNoise
from sim.algorithms.shrunk_noise import ShrunkNoise

CORRECT: tuple[Any, ...] = (
    ExactNoise,
    FullBatchDescent,
    LastIterate,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoisyProjectedSGD,
    OutputZero,
    ProjectedNoise,
    PromisedResponse,
    RadialNoise,
    RandomisedResponse,
    RareLeak,
    ScratchSGD,
    ShrunkNoise,
)
