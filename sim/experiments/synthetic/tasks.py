"""The synthetic experiment cut into independent pieces; a piece's numbers depend on nothing but the piece.

Every piece draws from its own children of the seed, so the same numbers come out wherever and in whatever
order the pieces run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.sim.algorithms import (
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoiseAndFineTunePrinted,
    ScratchSGD,
)
from oubli.sim.experiments.synthetic.protocol import Synthetic, descending, summed
from oubli.sim.experiments.synthetic.risk import exact_risks, measured_risk
from oubli.sim.experiments.synthetic.signs import walker_for
from oubli.sim.experiments.walk import first_passages
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import UpdateRule, check_rule

SCRATCH = "scratch"
BUILT_IN: Mapping[str, UpdateRule] = {
    "printed": NoiseAndFineTunePrinted(),
    "charitable": NoiseAndFineTuneCharitable(),
    "constant-step": NoiseAndFineTuneConstantStep(),
}
# Kappas that are walked together.
GROUP = 10
WALK, START, MEASURE = 0, 1, 2
# From about here on the start is projected, and its law needs quadrature: for the time that is left only.
PROJECTED = 2.5
Columns = dict[str, NDArray[np.generic]]


def rule_named(name: str, own: Mapping[str, UpdateRule]) -> UpdateRule:
    """The retraining rule, a built-in one, or one of the user's."""
    return ScratchSGD() if name == SCRATCH else check_rule({**BUILT_IN, **own}[name])


@dataclass(frozen=True)
class Walk:
    """First-passage times of one algorithm on the T-th problem, for one group of kappas."""

    algorithm: str
    T: int
    group: int
    iterate: bool

    @property
    def key(self) -> str:
        return f"walk-{self.algorithm}-T{self.T}-k{self.group}"

    def cost(self, protocol: Synthetic) -> float:
        """Relative work, for the time that is left."""
        quick = {SCRATCH: 0.02, "printed": 1.0, "charitable": 1.0}.get(self.algorithm)
        return quick if quick is not None else 1.0 + self.T / 8_000

    def run(self, protocol: Synthetic, own: Mapping[str, UpdateRule]) -> Columns:
        """Columns over (kappa, e): counts and sums of times."""
        problem, repetitions = protocol.problem(self.T), protocol.repetitions
        kappas = kappas_of(protocol, self.algorithm)[self.group * GROUP : (self.group + 1) * GROUP]
        setups = [protocol.setup(problem, kappa, self.T) for kappa in kappas]
        rule = rule_named(self.algorithm, own)
        streams = [protocol.stream(purpose, self.T, self.group) for purpose in (WALK, START)]
        walker = walker_for(rule, problem, setups, repetitions, streams[1], self.iterate)
        when = first_passages(
            walker,
            len(kappas) * repetitions,
            descending(protocol.levels),
            self.T,
            problem.retain.sampler,
            streams[0],
        )
        found = summed(when[:, ::-1], len(kappas))
        return {"passed": found.passed, "total": found.total, "squares": found.squares}


@dataclass(frozen=True)
class Define:
    """E[excess after T steps on the T-th problem] of one algorithm and kappa, T upwards until e is met."""

    algorithm: str
    index: int

    @property
    def key(self) -> str:
        return f"define-{self.algorithm}-k{self.index}"

    def cost(self, protocol: Synthetic) -> float:
        """Relative work, for the time that is left."""
        if self.algorithm in (SCRATCH, "printed"):
            return 2.0
        projected = kappas_of(protocol, self.algorithm)[self.index] > PROJECTED
        return (3.0 if projected else 0.2) * len(protocol.horizons)

    def run(self, protocol: Synthetic, own: Mapping[str, UpdateRule]) -> Columns:
        """Columns over T: exact risk (nan where unknown), measured risk and interval; nan after the last."""
        rule, kappa = rule_named(self.algorithm, own), kappas_of(protocol, self.algorithm)[self.index]
        rows = np.full((len(protocol.horizons), 5), np.nan)
        for i, T in enumerate(protocol.horizons):
            rows[i] = self._risks(protocol, rule, kappa, T)
            judged = rows[i, 1] if np.isfinite(rows[i, 1]) else rows[i, 4]
            if judged <= min(protocol.levels):
                break
        return dict(zip(("start", "exact", "measured", "low", "high"), rows.T, strict=True))

    def _risks(self, protocol: Synthetic, rule: UpdateRule, kappa: float, T: int) -> Array:
        problem = protocol.problem(T)
        setup = protocol.setup(problem, kappa, T)
        start, exact = exact_risks(rule, problem, setup, np.array([0, T]))
        seed = int(protocol.stream(MEASURE, T, self.index).integers(1 << 62))
        found = measured_risk(rule, problem, setup, protocol.repetitions, seed, protocol.each_alpha)
        if np.isnan(start):
            begin = protocol.setup(problem, kappa, 0)
            start = measured_risk(rule, problem, begin, protocol.repetitions, seed, protocol.each_alpha).mean
        return np.array([start, exact, found.mean, *found.interval])


Task = Walk | Define


def kappas_of(protocol: Synthetic, algorithm: str) -> tuple[float, ...]:
    """Retraining adds no noise: one kappa stands for all."""
    return (1.0,) if algorithm == SCRATCH else protocol.kappas


def tasks(protocol: Synthetic, algorithms: tuple[str, ...], iterate: bool) -> list[Task]:
    """Every piece of the experiment, the long ones first.

    >>> len(tasks(Synthetic(most_steps=10, points=2), ("printed",), False))
    19
    """
    names = (SCRATCH, *algorithms)
    walks = [
        Walk(name, T, group, iterate)
        for T in protocol.horizons
        for name in names
        for group in range(-(-len(kappas_of(protocol, name)) // GROUP))
    ]
    defines = [Define(name, i) for name in names for i in range(len(kappas_of(protocol, name)))]
    return sorted([*walks, *defines], key=lambda task: -task.cost(protocol))
