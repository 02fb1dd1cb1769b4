"""The lower bound's problems: retain signs of one mean, one forget loss, and runs on many of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from oubli.checks.audit.draws import Gradients, chain, rows_at_most
from oubli.checks.audit.generators import stream
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.losses.families import hard
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array

# Rows of one call: more would leave the cache.
ROWS = 60_000


@dataclass(frozen=True)
class Place:
    """Retain signs of mean `mean`, forget loss hard(`forget`), L = mu = 1.

    >>> Place(0.5, -1.0).star(0.1)
    0.175
    """

    mean: float
    forget: float

    def star(self, rf: float) -> float:
        """The first coordinate of theta*; the others are zero."""
        return ((1 - rf) * self.mean + rf * self.forget) / 2

    @property
    def largest(self) -> float:
        """The largest excess risk on the ball, in units e0."""
        return (1 + abs(self.mean)) ** 2


@lru_cache(maxsize=1024)
def problem_at(place: Place, rf: float, d: int) -> Problem:
    """The problem itself, for rules that take it."""
    up = (1 + place.mean) / 2
    retain = Mixture((hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0)), [up, 1 - up])
    return Problem(retain, Mixture((hard(place.forget, d, 1.0, 1.0),), [1.0]), rf, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Measured:
    """Excess risks in units e0, one row per place, and how many iterates or outputs left the ball."""

    excess: Array
    outside: int


def measure(
    subject: Subject, settings: Settings, places: Sequence[Place], T: int, chains: int, key: tuple[int, ...]
) -> Measured:
    """Independent runs of T steps at every place; rules that take no problem run at many places at once."""
    many = 1 if subject.knows_problem else max(1, rows_at_most(ROWS, settings.dim) // chains)
    parts = [
        _runs(subject, settings, places[first : first + many], T, chains, (*key, first))
        for first in range(0, len(places), many)
    ]
    return Measured(np.concatenate([part.excess for part in parts]), sum(part.outside for part in parts))


def _runs(
    subject: Subject, settings: Settings, places: Sequence[Place], T: int, chains: int, key: tuple[int, ...]
) -> Measured:
    setup = settings.setup(T)
    rule = subject.on(problem_at(places[0], settings.rf, settings.dim))
    rows = np.zeros((len(places) * chains, settings.dim))
    rows[:, 0] = np.repeat([place.star(settings.rf) for place in places], chains)
    means = np.repeat([place.mean for place in places], chains)
    gradients = signs(means, stream(settings.seed, *key, 0))
    drawn = chain(rule, rows, gradients, setup, stream(settings.seed, *key, 1))
    output = drawn.outputs
    left = drawn.outside + int((np.linalg.norm(output, axis=1) > setup.R * (1 + 1e-9)).sum())
    away = output.copy()
    away[:, 0] -= means / 2
    excess = 0.5 * np.einsum("ij,ij->i", away, away) / setup.e0
    return Measured(excess.reshape(len(places), chains), left)


def signs(means: Array, rng: np.random.Generator) -> Gradients:
    """Gradients at fresh signs of these means, one per row and step.

    >>> signs(np.array([1.0, -1.0]), np.random.default_rng(0))(0, np.zeros((2, 1))).tolist()
    [[-0.5], [0.5]]
    """
    chances = (1 + means) / 2

    def gradients(t: int, theta: Array) -> Array:
        grad = np.array(theta)
        grad[:, 0] -= np.where(rng.random(len(means)) < chances, 0.5, -0.5)
        return grad

    return gradients
