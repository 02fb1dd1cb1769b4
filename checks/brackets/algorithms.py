"""Which named algorithms are judged by which bracket: all by sampling, unless a reason is given here."""

from typing import Any

from oubli.sim.algorithms import (
    FineTuneWithoutNoise,
    FullBatchDescent,
    NoiseAndFineTunePrinted,
    OutputZero,
    ScratchSGD,
)
from oubli.sim.algorithms.registry import closed_forms, named_algorithms

# Judged otherwise, and why.
OTHERWISE: dict[Any, str] = {
    NoiseAndFineTunePrinted: "nothing is projected, so no interval holds its risk: by closed forms alone",
    FineTuneWithoutNoise: "claims no privacy: by the bounds that need none, a kink at theta*",
    FullBatchDescent: "a step costs every retain sample, and brackets count samples: where it takes no step",
}
# Private and in the paper's class, with outputs in the ball: judged by chains at every T below the lower end.
SAMPLED: tuple[Any, ...] = tuple(rule for rule in named_algorithms().values() if rule not in OTHERWISE)
# Never look at theta*: judged by the lower end of T^S as well.
LEARNERS: tuple[Any, ...] = (OutputZero, ScratchSGD)
# Private with closed forms of their own: judged exactly.
EXACT: tuple[Any, ...] = tuple(
    rule for rule in closed_forms().values() if rule in SAMPLED or rule is NoiseAndFineTunePrinted
)
