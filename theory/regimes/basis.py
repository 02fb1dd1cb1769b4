"""What a bound rests on: records at work on one row, and the decision whether they certainly give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from oubli.theory.regimes.accepted import certifying
from oubli.theory.regimes.decide import NOTHING, Ball, Known, Value, at_most, fails, settle
from oubli.theory.regimes.record import Node, UndecidedError
from oubli.theory.regimes.row import Row

Keys: TypeAlias = tuple[str, ...]
Letters: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True)
class At:
    """A row, a number of gradients, the mean square of the noise, and what the proposal chose."""

    row: Row
    steps: int
    square: Fraction = Fraction(0)
    chosen: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class Lemma:
    """A record that bounds a measured letter of another: `letter` is at most `times` its letter `bounds`.

    Letters of the same name are the same; `where` says what its other letters are, in those of the other.
    """

    key: str
    bounds: str
    letter: str
    where: Mapping[str, Node] = field(default_factory=lambda: NOTHING)
    times: Node = 1

    def bound(self, other: Known) -> Ball:
        """The upper bound at the other record's values."""
        own = certifying(self.key)
        values = {name: ends for name, ends in other.box.items() if name in own.domains}
        values |= {name: other.fixed(node) for name, node in self.where.items()}
        return at_most(settle(own, values), self.bounds) * other.fixed(self.times)


@dataclass(frozen=True)
class Use:
    """One record at work: the values of its letters, or None where it does not speak of the question."""

    key: str
    letters: Callable[[At], Letters | None]
    lemmas: tuple[Lemma, ...] = ()

    def settled(self, at: At) -> Known:
        """The record at these values; UndecidedError unless its hypotheses certainly hold."""
        record, values = certifying(self.key), self.letters(at)
        if values is None:
            raise UndecidedError(f"{self.key} does not speak of this question")
        return settle(record, values, {lemma.letter: lemma.bound for lemma in self.lemmas})

    def forces(self, at: At) -> bool:
        """Whether the record certainly contradicts that this many gradients reach the target."""
        known = self.settled(at)
        return fails(known, known.record.says)

    def suffices(self, at: At) -> bool:
        """Whether the hypotheses of the record, which promises the target, certainly hold."""
        return bool(self.settled(at))


@dataclass(frozen=True)
class Basis:
    """What a bound rests on: all of its claims are accepted, and one of the uses gives it."""

    claims: Keys
    uses: tuple[Use, ...] = ()
    proposal: str = ""

    def also(self, *keys: str) -> Basis:
        """The same bound with more claims."""
        return Basis((*self.claims, *keys), self.uses, self.proposal)

    def forces(self, at: At) -> bool:
        """Whether a record certainly contradicts that this many gradients reach the target."""
        return any(certain(partial(use.forces, at)) for use in self.uses)

    def suffices(self, at: At) -> bool:
        """Whether a record certainly promises the target."""
        return any(certain(partial(use.suffices, at)) for use in self.uses)


@dataclass(frozen=True)
class Support:
    """What a choice of noise or sensitivity rests on, and whether a value is certainly enough."""

    claims: Keys
    enough: Callable[[Row, Fraction], bool]


def certain(decision: Callable[[], bool]) -> bool:
    """A decision; what a record or balls leave open is not certain."""
    try:
        return decision()
    except UndecidedError:
        return False
