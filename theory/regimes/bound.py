"""One bound on a number of gradients, with what it rests on; and the best of several.

What rests on a record that may not certify is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes.accepted import accepted
from oubli.theory.regimes.basis import Basis, Keys, Support
from oubli.theory.regimes.safe import Floats


@dataclass(frozen=True)
class Option:
    """One choice of a quantity: its value per row (inf where it does not apply), its name and support."""

    values: Floats
    name: str
    support: Support


@dataclass(frozen=True)
class Choice:
    """The smallest of some options, row by row.

    >>> from oubli.theory.regimes.registry import GAUSSIAN, RADIAL
    >>> a, b = Option(np.array([3.0, 1.0]), "a", GAUSSIAN), Option(np.array([2.0, 5.0]), "b", RADIAL)
    >>> best = smallest([a, b])
    >>> best.values.tolist(), best.name(0), best.support(1) is GAUSSIAN
    ([2.0, 1.0], 'b', True)
    """

    values: Floats
    which: NDArray[np.intp]
    among: tuple[Option, ...]

    def name(self, row: int) -> str:
        """The name of the option chosen for a row."""
        return self.among[int(self.which[row])].name

    def support(self, row: int) -> Support:
        """What the option chosen for a row rests on."""
        return self.among[int(self.which[row])].support


def smallest(options: Sequence[Option]) -> Choice:
    """The smallest option of each row; inf where none may certify."""
    table = np.stack([_certified(option.values, option.support.claims, np.inf) for option in options])
    return Choice(table.min(axis=0), table.argmin(axis=0), tuple(options))


def _certified(values: Floats, claims: Keys, nothing: float) -> Floats:
    """The values, or nothing if a claim may not certify."""
    return values if accepted().issuperset(claims) else np.full_like(values, nothing)


@dataclass(frozen=True)
class Bound:
    """A bound per row (integers as floats, inf for none), how it is reached, its basis and choices."""

    steps: Floats
    how: str
    basis: Basis
    choices: tuple[Choice, ...] = ()

    def keys(self, row: int) -> Keys:
        """The claims behind a row, those of the choices included."""
        return self.basis.claims + tuple(k for choice in self.choices for k in choice.support(row).claims)


@dataclass(frozen=True)
class Best:
    """The best bound per row, and which of the candidates it is."""

    steps: Floats
    which: NDArray[np.intp]
    among: tuple[Bound, ...]

    def how(self, row: int) -> str:
        """How the best bound of a row is reached."""
        return self.among[int(self.which[row])].how

    def claims(self, row: int) -> Keys:
        """The claims behind the best bound of a row."""
        return self.among[int(self.which[row])].keys(row)

    def basis(self, row: int) -> Basis:
        """What the best bound of a row rests on."""
        return self.among[int(self.which[row])].basis

    def choices(self, row: int) -> tuple[Choice, ...]:
        """The choices (noise, sensitivity) behind the best bound of a row; none for retraining."""
        return self.among[int(self.which[row])].choices


def least(bounds: Sequence[Bound]) -> Best:
    """The smallest of some upper bounds; of equal ones the first, and inf where none may certify."""
    table = np.stack([_offered(b) for b in bounds])
    return Best(table.min(axis=0), table.argmin(axis=0), tuple(bounds))


def _offered(bound: Bound) -> Floats:
    """An upper bound where its claims may certify, and so may some noise and sensitivity."""
    steps = _certified(bound.steps, bound.basis.claims, np.inf)
    for choice in bound.choices:
        steps = np.where(np.isfinite(choice.values), steps, np.inf)
    return steps


def largest(bounds: Sequence[Bound]) -> Best:
    """The largest of some lower bounds; of equal ones the first, and 0 where none may certify."""
    table = np.stack([_certified(b.steps, b.basis.claims, 0.0) for b in bounds])
    return Best(table.max(axis=0), table.argmax(axis=0), tuple(bounds))
