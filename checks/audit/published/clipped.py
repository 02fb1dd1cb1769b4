"""Noisy fine-tuning with clipped gradients: no assumption on the loss."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np

from oubli.checks.audit.accountant import certify
from oubli.checks.audit.accountant_steps import Contraction
from oubli.checks.audit.published.common import Record, least_multiplier
from oubli.sim.geometry import project
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

LENGTH = 0.3


def clip(gradient: Array, most: float) -> Array:
    """The rows, cut to this length.

    >>> clip(np.array([[3.0, 4.0]]), 1.0).round(12).tolist()
    [[0.6, 0.8]]
    """
    size = np.linalg.norm(gradient, axis=1, keepdims=True)
    return np.asarray(gradient * np.minimum(1.0, most / np.maximum(size, 1e-300)))


class ClippedFineTuning:
    """theta − length·(clip(g, C_1) + lam·theta) + sigma·N(0, I), T times, from theta* in B(0, C_0).

    g is the gradient without the regulariser, here lam = mu: clipping before adding it keeps the
    contraction 1 − length·lam, whatever the loss; clipping the sum would not. Two runs start within 2 C_0
    and move apart by at most 2·length·C_1 in a step: sigma is the least for which our accountant proves the
    budget.
    """

    record: ClassVar[Record] = Record(
        "clipped noisy fine-tuning",
        "A. Koloskova, Y. Allouah, A. Jha, R. Guerraoui, S. Koyejo, Certified Unlearning for Neural "
        "Networks, ICML 2025",
        "(eps, delta)-close to the same fine-tuning from any other start, without assumptions on the loss",
        ("none on the loss", "clipped model and gradients"),
        "pair",
    )

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def noise_schedule(self, setup: Setup) -> list[dict[str, float]]:
        """One entry per step, for the accountant of `oubli audit`."""
        step = _step(_sigma(setup), setup)
        entry = {"sigma": step.sigma, "contraction": step.contraction, "displacement": step.displacement}
        return [dict(entry) for _ in range(setup.T)]

    def gdp(self, setup: Setup) -> float | None:
        found = certify([_step(_sigma(setup), setup)] * setup.T, setup.L / setup.mu, math.inf)
        return None if found is None else found.mu

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, None]:
        return project(np.tile(problem.full_optimum.point, (setup.chains, 1)), setup.R), None

    def step(
        self, t: int, theta: Array, grad: Array, memory: None, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, None]:
        regulariser = setup.mu * theta
        moved = clip(grad - regulariser, setup.L / 2) + regulariser
        return theta - LENGTH / setup.mu * moved + _sigma(setup) * rng.standard_normal(theta.shape), None

    def release(self, theta: Array, memory: None, setup: Setup, rng: np.random.Generator) -> Array:
        return theta


def _step(sigma: float, setup: Setup) -> Contraction:
    length = LENGTH / setup.mu
    return Contraction(sigma, 1 - length * setup.mu, 2 * length * setup.L / 2)


@lru_cache(maxsize=64)
def _sigma(setup: Setup) -> float:
    """The least noise of a step for which the accountant proves the budget."""
    unit = certify([_step(1.0, setup)] * setup.T, setup.L / setup.mu, math.inf)
    # mu scales with one over sigma: the noise for mu = 1/sigma* follows from that of sigma = 1.
    return 0.0 if unit is None else unit.mu * least_multiplier(setup)
