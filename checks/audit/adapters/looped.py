"""A rule written for one model at a time: the audit's chains are run one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from oubli.checks.audit.guard import missing
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


class LoopedRule:
    """Subclass it and write `step_one`, and if needed `start_one` and `release_one`, for theta of shape (d,).

    >>> class Halve(LoopedRule):
    ...     def step_one(self, t, theta, grad, memory, setup, rng):
    ...         return theta / 2, memory
    >>> Halve().step(0, np.ones((2, 1)), np.zeros((2, 1)), [None, None], None, None)[0].tolist()
    [[0.5], [0.5]]
    """

    def step_one(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Any]:
        """One step of one model; grad has shape (d,)."""
        raise missing(self, "step_one(t, theta, grad, memory, setup, rng)")

    def start_one(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        """theta_0 and the memory of one model."""
        return theta_star, None

    def release_one(self, theta: Array, memory: Any, setup: Setup, rng: np.random.Generator) -> Array:
        """The output of one model."""
        return theta

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, list[Any]]:
        return _apart([self.start_one(row, setup, rng) for row in theta_star], theta_star)

    def step(
        self, t: int, theta: Array, grad: Array, memory: list[Any], setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, list[Any]]:
        rows = zip(theta, grad, memory or [None] * len(theta), strict=True)
        return _apart([self.step_one(t, *row, setup, rng) for row in rows], theta)

    def release(self, theta: Array, memory: list[Any], setup: Setup, rng: np.random.Generator) -> Array:
        rows = zip(theta, memory or [None] * len(theta), strict=True)
        return np.array([self.release_one(*row, setup, rng) for row in rows]).reshape(theta.shape)


class LoopedTraining:
    """The same for a rule that trains: `learn_one(problem, setup, rng)`, `step_one`, `release_one`."""

    def learn_one(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        """One trained model of shape (d,), and what its training keeps."""
        raise missing(self, "learn_one(problem, setup, rng)")

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, list[Any]]:
        one = replace(setup, chains=1)
        like = np.zeros((setup.chains, setup.d))
        return _apart([self.learn_one(problem, one, rng) for _ in range(setup.chains)], like)

    step_one, step = LoopedRule.step_one, LoopedRule.step
    release_one, release = LoopedRule.release_one, LoopedRule.release


def _apart(pairs: list[tuple[Array, Any]], like: Array) -> tuple[Array, list[Any]]:
    return np.array([theta for theta, _ in pairs]).reshape(like.shape), [kept for _, kept in pairs]
