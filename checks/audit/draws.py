"""Draws of a guarded rule's output: many chains at once, each with a stream of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oubli.checks.audit.generators import Chosen, stream
from oubli.checks.audit.guard import Guarded
from oubli.checks.audit.plan import NUMBERS, long_runs
from oubli.sim.geometry import outside
from oubli.sim.problems.draws import CHUNK
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

# Rows of one call. Runs of few rows are compared with runs of so many: where runs are long, that is costly.
BATCH, BATCH_LONG = 20_000, 1000
Gradients = Callable[[int, Array], Array]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Outputs of shape (chains, d), and how many chains left the ball."""

    outputs: Array
    outside: int


def sampled(retain: Mixture, size: int, seed: tuple[int, ...]) -> Gradients:
    """Gradients at fresh retain samples of this stream, one sample per chain and step."""
    # One loss needs no draw, and the draws are the cost of the whole audit.
    if len(retain.losses) == 1:
        return lambda t, theta: np.asarray(retain.losses[0].gradient(theta))
    rng = stream(*seed)
    drawn: list[Any] = [None]

    def gradients(t: int, theta: Array) -> Array:
        if t % CHUNK == 0:
            drawn[0] = retain.sampler.draw(rng, (CHUNK, size, 1))
        return retain.sampled_gradient(theta, drawn[0][t % CHUNK])

    return gradients


def chain(rule: Guarded, theta_star: Array, gradients: Gradients, setup: Setup, rng: Chosen) -> Drawn:
    """Run rows of theta* through start, T steps and release."""
    theta, memory = rule.start(theta_star, setup, rng)
    left = outside(theta, setup.R)
    for t in range(setup.T):
        theta, memory = rule.step(t, theta, gradients(t, theta), memory, setup, rng)
        left |= outside(theta, setup.R)
    return Drawn(rule.release(theta, memory, setup, rng), int(left.sum()))


def rows_at_most(rows: int, d: int) -> int:
    """So many rows of d numbers, or as many as one array should hold.

    >>> rows_at_most(20_000, 2), rows_at_most(20_000, 1000)
    (20000, 4000)
    """
    return max(1, min(rows, NUMBERS // d))


def batch_rows(d: int, T: int) -> int:
    """The most rows of one call.

    >>> batch_rows(1, 10), batch_rows(20, 200), batch_rows(7850, 20)
    (20000, 1000, 509)
    """
    return rows_at_most(BATCH_LONG if long_runs(d, T) else BATCH, d)


def outputs(
    rule: Guarded, retain: Mixture, theta_star: Array, setup: Setup, chains: int, seed: tuple[int, ...],
    seen: Callable[[Array], Array],
) -> Array:  # fmt: skip
    """What `seen` makes of `chains` independent outputs after T steps, batch by batch."""
    parts, batch = [seen(np.zeros((0, setup.d)))], batch_rows(setup.d, setup.T)
    for number, first in enumerate(range(0, chains, batch)):
        size = min(batch, chains - first)
        rows = np.tile(theta_star, (size, 1))
        gradients = sampled(retain, size, (*seed, number, 0))
        drawn = chain(rule, rows, gradients, setup, stream(*seed, number, 1))
        parts.append(seen(drawn.outputs))
    return np.concatenate(parts)
