"""SISA: models on shards of the data; only the shard that held the forget data is trained again."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from oubli.checks.audit.published.common import Record, mixed, sampled
from oubli.sim.geometry import project
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

SHARDS = 4


def sgd(law: Mixture, setup: Setup, rng: np.random.Generator) -> Array:
    """T projected steps 2/(mu(t + 2)) on fresh samples from 0."""
    theta = np.zeros((setup.chains, setup.d))
    for t in range(setup.T):
        theta = project(theta - 2 / (setup.mu * (t + 2)) * sampled(law, theta, setup.batch, rng), setup.R)
    return theta


class SISA:
    """Shard models by SGD, averaged; the forget data lie in the first shard, which starts again from 0.

    The paper claims no (eps, delta): what is released is trained without the forget data, so it is exact for
    forget sets that do not decide the shards. Its price is the averaging of models that saw less data.
    """

    record: ClassVar[Record] = Record(
        "SISA",
        "L. Bourtoule et al., Machine Unlearning, IEEE Symposium on Security and Privacy 2021",
        "no (eps, delta) is claimed: the affected shard is retrained",
        ("shards chosen without regard to the data",),
        None,
    )

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def gdp(self, setup: Setup) -> float | None:
        return None

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        first = sgd(mixed(problem), setup, rng)
        others = np.mean([sgd(problem.retain, setup, rng) for _ in range(SHARDS - 1)], axis=0)
        return first, others

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        begun = np.zeros_like(theta) if t == 0 else theta
        moved = begun - 2 / (setup.mu * (t + 2)) * sampled(self.problem.retain, begun, setup.batch, rng)
        return project(moved, setup.R), memory

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        first = theta if setup.T else np.zeros_like(theta)
        return np.asarray((first + (SHARDS - 1) * memory) / SHARDS)
