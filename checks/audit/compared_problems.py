"""The problems on which whole runs are compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from oubli.checks.audit.own_data import own_problem
from oubli.checks.audit.own_loss import own_loss
from oubli.checks.audit.pairs import candidates, line_pair, noisy_pair, spot_pair, spots
from oubli.checks.audit.retraining import retrained
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.losses.families import logistic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem


@dataclass(frozen=True, eq=False)
class Place:
    """A problem with D_f and D_f', and its name."""

    name: str
    problem: Problem

    @cached_property
    def swapped(self) -> Problem:
        """The problem with D_f' in the place of D_f."""
        return self.problem.swapped()

    @cached_property
    def retrained(self) -> Problem:
        """The problem where D_f never was."""
        return retrained(self.problem)


@lru_cache(maxsize=16)
def logistic_problem(rf: float, d: int) -> Problem:
    """Logistic losses of either label, forgotten for the one or for the other: smooth, not quadratic."""
    axis = 0.5 * np.eye(d)[0]
    plus, minus = logistic(axis, 1, 1.0), logistic(axis, -1, 1.0)
    sides = [Mixture((loss,), [1.0]) for loss in (minus, plus)]
    return Problem(Mixture((plus, minus), [0.7, 0.3]), sides[0], rf, 1.0, 1.0, sides[1])


def places(subject: Subject, settings: Settings) -> tuple[Place, ...]:
    """The user's data; or members of the class, smooth ones for a rule that declares `assumes_smooth`."""
    rf, d = settings.rf, settings.dim
    first = line_pair(0.0, rf, d)
    rule = subject.on(first.problem)
    if settings.data is not None:
        own = own_loss(rule, settings.dim) if settings.data.loss == "own" else None
        return (Place(settings.data.path, own_problem(settings.data, own)),)
    return _members(rf, d, bool(rule.declared("assumes_smooth", settings.setup())))


@lru_cache(maxsize=16)
def _members(rf: float, d: int, smooth: bool) -> tuple[Place, ...]:
    """Kept, because the optima of both sides are computed once for each."""
    if smooth:
        pairs = [line_pair(g, rf, d) for g in (0.0, -1.0, 1.0)] + [noisy_pair(0.5, rf, d)]
        pairs += [spot_pair(spot, rf) for spot in spots(d)]
        found = [Place(pair.name, pair.problem) for pair in pairs]
        return (*found, Place("logistic losses", logistic_problem(rf, d)))
    return tuple(Place(pair.name, pair.problem) for pair in candidates(rf, d))
