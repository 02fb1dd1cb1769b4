"""Released models of whole runs: training, unlearning on samples, batches or full gradients, release.

Two laws of them are compared: with D_f and with D_f' in its place, or with D_f and retrained without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from oubli.checks.audit.compared_problems import Place
from oubli.checks.audit.draws import Gradients, batch_rows, chain
from oubli.checks.audit.generators import stream
from oubli.checks.audit.subject import Subject
from oubli.sim.problems.draws import CHUNK
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

# The value of `--batch all`: steps see the gradient of the whole retain law.
ALL = 0


def batched(retain: Mixture, size: int, batch: int, seed: tuple[int, ...]) -> Gradients:
    """Mean gradients over fresh batches of retain samples, one batch per chain and step; all of it for ALL.

    >>> from oubli.sim.losses.families import hard
    >>> law = Mixture((hard(1.0, 1, 1.0, 1.0), hard(-1.0, 1, 1.0, 1.0)), [0.5, 0.5])
    >>> batched(law, 2, ALL, (0,))(0, np.zeros((2, 1))).tolist()
    [[0.0], [0.0]]
    """
    if batch == ALL or len(retain.losses) == 1:
        return lambda t, theta: np.asarray(retain.gradient(theta))
    rng, length = stream(*seed), max(1, CHUNK // batch)
    drawn: list[Any] = [None]

    def gradients(t: int, theta: Array) -> Array:
        if t % length == 0:
            drawn[0] = retain.sampler.draw(rng, (length, size, batch))
        return retain.sampled_gradient(theta, drawn[0][t % length])

    return gradients


def released(
    subject: Subject, problem: Problem, setup: Setup, batch: int, chains: int, key: tuple[int, ...]
) -> Array:
    """Independent released models on this problem, one row each."""
    parts, most = [np.zeros((0, problem.d))], batch_rows(problem.d, setup.T)
    rule = subject.on(problem)
    for number, first in enumerate(range(0, chains, most)):
        size = min(most, chains - first)
        rows = np.tile(problem.full_optimum.point, (size, 1))
        gradients = batched(problem.retain, size, batch, (*key, number, 0))
        parts.append(chain(rule, rows, gradients, setup, stream(*key, number, 1)).outputs)
    return np.concatenate(parts)


def reference(
    subject: Subject, place: Place, setup: Setup, batch: int, chains: int, key: tuple[int, ...]
) -> Array:
    """Models of the reference: the rule's own `retrain`, or the same procedure where D_f never was."""
    problem = place.problem
    rule = subject.on(problem)
    if not rule.has("retrain"):
        return released(subject, place.retrained, setup, batch, chains, key)
    parts, most = [np.zeros((0, problem.d))], batch_rows(problem.d, setup.T)
    for number, first in enumerate(range(0, chains, most)):
        size = min(most, chains - first)
        given = problem, replace(setup, chains=size), stream(*key, number)
        parts.append(rule.numbers("retrain", (size, problem.d), *given))
    return np.concatenate(parts)
