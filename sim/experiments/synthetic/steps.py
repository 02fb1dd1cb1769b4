"""Any update rule on any problem, step by step, with the excess of what it would release at every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments.walk import Indices, Pending, Seen
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, require_batch
from oubli.sim.runs.algorithm import UpdateRule, release, start


@dataclass(eq=False)
class Chain:
    """The repetitions of one kappa: their setup, iterate and memory."""

    setup: Setup
    theta: Array
    memory: Any


class Stepper:
    """A walker that calls the rule; the chains of the i-th setup are rows i·repetitions onwards."""

    def __init__(
        self,
        rule: UpdateRule,
        problem: Problem,
        setups: Sequence[Setup],
        repetitions: int,
        rng: np.random.Generator,
    ) -> None:
        self.rule, self.problem, self.rng = rule, problem, rng
        self.repetitions, self.t = repetitions, 0
        star = np.tile(problem.full_optimum.point, (repetitions, 1))
        self.chains = [Chain(setup, *start(rule, star, setup, rng)) for setup in setups]

    def start(self) -> Array:
        return self._excess()

    def advance(self, drawn: Indices, pending: Pending) -> Seen:
        return Seen(np.arange(drawn.shape[1]), np.stack([self._step(row) for row in drawn]))

    def keep(self, rows: NDArray[np.intp]) -> None:
        """A rule's memory is opaque, so its chains stay together."""
        return None

    def output(self, chain: Chain) -> Array:
        """What is judged: the release as if the run had been stopped now."""
        return release(self.rule, chain.theta, chain.memory, replace(chain.setup, T=self.t), self.rng)

    def _step(self, row: Indices) -> Array:
        for number, chain in enumerate(self.chains):
            indices = row[number * self.repetitions : (number + 1) * self.repetitions]
            grad = self.problem.retain.sampled_gradient(chain.theta, indices)
            theta, chain.memory = self.rule.step(
                self.t, chain.theta, grad, chain.memory, chain.setup, self.rng
            )
            require_batch("theta from step", theta, chain.theta)
            chain.theta = theta
        self.t += 1
        return self._excess()

    def _excess(self) -> Array:
        return np.concatenate([self.problem.excess_risk(self.output(chain)) for chain in self.chains])


class IterateStepper(Stepper):
    """The same, judging the raw iterate."""

    def output(self, chain: Chain) -> Array:
        return chain.theta
