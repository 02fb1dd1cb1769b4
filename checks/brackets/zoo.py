"""Who is judged: every algorithm of sim/algorithms stands in one of these tables."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import sim.algorithms as package
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
from sim.algorithms.last_iterate import LastIterate
from sim.algorithms.radial_noise import RadialNoise
from sim.algorithms.shrunk_noise import ShrunkNoise

# Private and in the paper's class, with outputs in the ball: judged by chains at every T below the lower end.
SAMPLED: tuple[Any, ...] = (
    ExactNoise,
    LastIterate,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoisyProjectedSGD,
    OutputZero,
    ProjectedNoise,
    RadialNoise,
    RandomisedResponse,
    RareLeak,
    ScratchSGD,
    ShrunkNoise,
)
# Never look at theta*: judged by the lower end of T^S as well.
LEARNERS: tuple[Any, ...] = (OutputZero, ScratchSGD)
# Judged otherwise, and why.
OTHERWISE: dict[Any, str] = {
    NoiseAndFineTunePrinted: "nothing is projected, so no interval holds its risk: by closed forms alone",
    FineTuneWithoutNoise: "claims no privacy: by the bounds that need none, a kink at theta*",
    FullBatchDescent: "a step costs every retain sample, and brackets count samples: where it takes no step",
}


def algorithms() -> set[Any]:
    """Every class with a step that a module of sim/algorithms defines."""
    modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
    return {
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type) and thing.__module__ == module.__name__ and hasattr(thing, "step")
    }


def closed_forms() -> list[Any]:
    """The judged rules that state their own recipe; an inherited one may be of another noise."""
    judged = [*SAMPLED, NoiseAndFineTunePrinted]
    return [rule for rule in judged if "recipe" in vars(rule)]


def unaccounted(found: set[Any]) -> set[Any]:
    """The algorithms in no table."""
    return found - set(SAMPLED) - set(OTHERWISE)
