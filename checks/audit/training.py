"""A rule that trains the model itself: `learn` takes the place of theta*, and may keep a state for later."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from oubli.checks.audit.guard import FaultError, defined_at, guarded_call
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


def with_training(rule: object, problem: Problem) -> object:
    """The rule itself, or with its `learn(problem, setup, rng) -> (theta, state)` as its start.

    >>> with_training(3, None)
    3
    """
    return Trained(rule, problem) if callable(getattr(rule, "learn", None)) else rule


class Trained:
    """A rule whose start is its own training on this problem; everything else is the rule's."""

    def __init__(self, rule: Any, problem: Problem) -> None:
        if callable(getattr(rule, "start", None)):
            says = "start is there too: unlearning starts from what learn returns"
            raise FaultError("learn", "protocol", says, defined_at(rule.learn))
        self.rule, self.problem = rule, problem

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        """The trained models, one row per chain, and the state that training keeps."""
        given = replace(setup, chains=len(theta_star))
        value = guarded_call("learn", self.rule.learn, self.problem, given, rng)
        if not isinstance(value, tuple) or len(value) != 2:
            raise self._wrong(f"must return (theta, state), got {type(value).__name__}")
        if np.shape(value[0]) != theta_star.shape:
            raise self._wrong(f"theta must have shape {theta_star.shape}, got {np.shape(value[0])}")
        return value

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rule, name)

    def _wrong(self, says: str) -> FaultError:
        return FaultError("learn", "shape", says, defined_at(self.rule.learn))
