"""One bound on a number of gradients, with the claims that give it; and the best of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from theory.regimes.safe import Floats

Keys = tuple[str, ...]


@dataclass(frozen=True)
class Option:
    """One way to get a quantity: its value per row (inf where it does not apply), a name, its claims."""

    values: Floats
    name: str
    claims: Keys


@dataclass(frozen=True)
class Choice:
    """The smallest of some options, row by row.

    >>> a, b = Option(np.array([3.0, 1.0]), "a", ("p",)), Option(np.array([2.0, 5.0]), "b", ("q",))
    >>> best = smallest([a, b])
    >>> best.values.tolist(), best.name(0), best.claims(1)
    ([2.0, 1.0], 'b', ('p',))
    """

    values: Floats
    which: NDArray[np.intp]
    among: tuple[Option, ...]

    def name(self, row: int) -> str:
        """The name of the option chosen for a row."""
        return self.among[int(self.which[row])].name

    def claims(self, row: int) -> Keys:
        """The claims of the option chosen for a row."""
        return self.among[int(self.which[row])].claims


def smallest(options: Sequence[Option]) -> Choice:
    """The smallest option of each row."""
    table = np.stack([option.values for option in options])
    return Choice(table.min(axis=0), table.argmin(axis=0), tuple(options))


@dataclass(frozen=True)
class Bound:
    """A bound per row (integers as floats, inf for none), how it is reached, its claims and choices."""

    steps: Floats
    how: str
    claims: Keys
    choices: tuple[Choice, ...] = ()

    def keys(self, row: int) -> Keys:
        """The claims behind a row, those of the choices included."""
        return self.claims + tuple(key for choice in self.choices for key in choice.claims(row))


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

    def choices(self, row: int) -> tuple[Choice, ...]:
        """The choices (noise, sensitivity) behind the best bound of a row; none for retraining."""
        return self.among[int(self.which[row])].choices


def least(bounds: Sequence[Bound]) -> Best:
    """The smallest of some upper bounds; of equal ones the first."""
    table = np.stack([b.steps for b in bounds])
    return Best(table.min(axis=0), table.argmin(axis=0), tuple(bounds))


def largest(bounds: Sequence[Bound]) -> Best:
    """The largest of some lower bounds; of equal ones the first."""
    table = np.stack([b.steps for b in bounds])
    return Best(table.max(axis=0), table.argmax(axis=0), tuple(bounds))
