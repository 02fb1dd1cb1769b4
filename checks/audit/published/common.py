"""What the published algorithms share: the record of a paper, what training may see, and constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from oubli.checks.audit.whole_runs import ALL
from oubli.sim.laws import gaussian_sigma
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

# Assumptions of the papers that the class F_sc(mu, L) does not make, in units of mu and of the third
# derivative: the losses of the suite satisfy both.
SMOOTHNESS = 2.0
THIRD_DERIVATIVE = 0.05


__all__ = [
    "ALL",
    "PublishedAlgorithm",
    "Record",
    "contraction",
    "hessian",
    "least_multiplier",
    "mixed",
    "sampled",
    "step_length",
]


@dataclass(frozen=True)
class Record:
    """A paper's algorithm in words; `against` is the definition of its claim, None without one.

    `batch` is that of its steps, ALL for full gradients.
    """

    name: str
    citation: str
    claim: str
    assumptions: tuple[str, ...]
    against: Literal["retrain", "pair"] | None
    batch: int = 1


class PublishedAlgorithm(Protocol):
    """An algorithm for one problem: training, unlearning and, for claims about it, retraining."""

    record: ClassVar[Record]

    def __init__(self, problem: Problem) -> None: ...
    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        """The trained models, one row for each of setup.chains, and what training keeps for unlearning."""
        ...

    def step(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Any]:
        """One step of unlearning, given a gradient at a fresh retain sample."""
        ...

    def release(self, theta: Array, memory: Any, setup: Setup, rng: np.random.Generator) -> Array:
        """The published model."""
        ...

    def gdp(self, setup: Setup) -> float | None:
        """A proved bound on the Gaussian-DP parameter against the reference; None without one."""
        ...


def least_multiplier(setup: Setup) -> float:
    """The least noise per unit of sensitivity by the exact Gaussian law, with a spare millionth.

    >>> round(least_multiplier(Setup(1.0, 1.0, 0.1, 1, 1.0, 1e-5, 3)), 4)
    3.7306
    """
    return float(gaussian_sigma(setup.eps, setup.delta)) * (1 + 1e-6)


def contraction(setup: Setup) -> float:
    """Of a full gradient step of length 2/(mu + beta) on mu-strongly convex, beta-smooth losses.

    >>> round(contraction(Setup(1.0, 1.0, 0.1, 1, 1.0, 1e-5, 3)), 6)
    0.333333
    """
    beta = SMOOTHNESS * setup.mu
    return (beta - setup.mu) / (beta + setup.mu)


def step_length(setup: Setup) -> float:
    """2/(mu + beta).

    >>> round(step_length(Setup(1.0, 1.0, 0.1, 1, 1.0, 1e-5, 3)), 6)
    0.666667
    """
    return 2 / (setup.mu + SMOOTHNESS * setup.mu)


def mixed(problem: Problem) -> Mixture:
    """The whole data law: (1 − r_f)·retain + r_f·forget."""
    weights = np.concatenate(
        [(1 - problem.r_f) * problem.retain.weights, problem.r_f * problem.forget.weights]
    )
    return Mixture(problem.retain.losses + problem.forget.losses, weights)


def sampled(law: Mixture, theta: Array, batch: int, rng: np.random.Generator) -> Array:
    """The mean gradient over a fresh mini-batch, one batch per row."""
    return law.sampled_gradient(theta, law.sampler.draw(rng, (1, len(theta), batch))[0])


def hessian(law: Mixture, theta: Array) -> Array:
    """Hessians at the rows, by central differences of the gradient: shape (rows, d, d).

    >>> from oubli.sim.losses.families import hard
    >>> hessian(Mixture((hard(1.0, 2, 1.0, 3.0),), [1.0]), np.zeros((1, 2))).round(6).tolist()
    [[[3.0, 0.0], [0.0, 3.0]]]
    """
    small = 1e-5
    columns = [
        (law.gradient(theta + small * e) - law.gradient(theta - small * e)) / (2 * small)
        for e in np.eye(theta.shape[1])
    ]
    return np.stack(columns, axis=2)
