"""The problems on which whole runs are compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from oubli.checks.audit.own_data import own_problem
from oubli.checks.audit.own_loss import own_loss
from oubli.checks.audit.pairs import Pair, claimed_pairs, line_pair
from oubli.checks.audit.retraining import retrained
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
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


def places(subject: Subject, settings: Settings) -> tuple[Place, ...]:
    """The user's data; or members of the class, smooth ones for a rule that declares `assumes_smooth`."""
    if settings.data is not None:
        rule = subject.on(line_pair(0.0, settings.rf, settings.dim).problem)
        own = own_loss(rule, settings.dim) if settings.data.loss == "own" else None
        return (Place(settings.data.path, own_problem(settings.data, own)),)
    return _members(claimed_pairs(subject, settings))


@lru_cache(maxsize=16)
def _members(pairs: tuple[Pair, ...]) -> tuple[Place, ...]:
    """Kept, because the optima of both sides are computed once for each."""
    return tuple(Place(pair.name, pair.problem) for pair in pairs)
