"""Faulty algorithms: each looks like a correct one and breaks one rule, and the audit must find it.

`FAULTY` says for each the budget at which it is wrong and the check that is expected to speak.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from checks.audit.faulty.beside_average import BesideAverage
from checks.audit.faulty.false_declaration import FalseDeclaration
from checks.audit.faulty.forget_gradients import ForgetGradients
from checks.audit.faulty.forget_steps import ForgetSteps
from checks.audit.faulty.hidden_attribute import HiddenAttribute
from checks.audit.faulty.hidden_memory import HiddenMemory
from checks.audit.faulty.kappa_beyond import KappaBeyond
from checks.audit.faulty.little_noise import HalfNoise, TenthNoise
from checks.audit.faulty.no_noise import NoNoise
from checks.audit.faulty.one_axis import OneAxis
from checks.audit.faulty.plain_norm import PlainNorm
from checks.audit.faulty.problem_optimum import ProblemOptimum
from checks.audit.faulty.real_distance import RealDistance
from checks.audit.faulty.reference_noise import ReferenceNoise
from checks.audit.faulty.seed_reuse import SeedReuse
from checks.audit.faulty.shared_noise import SharedNoise
from checks.audit.faulty.short_weights import ShortWeights


@dataclass(frozen=True)
class Faulty:
    """A faulty class, the check that finds it, changes of the standard budget, and who else may speak."""

    algorithm: Any
    check: str
    change: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()


FAULTY = (
    Faulty(NoNoise, "privacy"),
    Faulty(TenthNoise, "privacy"),
    Faulty(HalfNoise, "privacy"),
    Faulty(KappaBeyond, "privacy exact", {"eps": 8.5}),
    Faulty(ReferenceNoise, "privacy exact", {"dim": 2}),
    Faulty(OneAxis, "privacy", {"dim": 2}),
    Faulty(RealDistance, "structure public scale", also=("privacy",)),
    Faulty(HiddenMemory, "structure memory", also=("privacy",)),
    Faulty(HiddenAttribute, "structure memory", also=("privacy",)),
    Faulty(ProblemOptimum, "structure memory", also=("structure weights", "privacy")),
    Faulty(SeedReuse, "structure noise"),
    Faulty(SharedNoise, "structure noise"),
    Faulty(BesideAverage, "privacy"),
    Faulty(ForgetGradients, "structure retain only", also=("structure memory", "privacy")),
    Faulty(ForgetSteps, "structure retain only"),
    Faulty(ShortWeights, "structure weights"),
    Faulty(PlainNorm, "risk claim", {"steps": 200}),
    Faulty(FalseDeclaration, "declaration"),
)
