"""What a reader of the PDF sees of a claim: numbers, the printed relation, and what is wrong in plain words.

A record says what is judged; this says where it stands in print and, where it does not stand, how a person
who has never seen the record reads. Nothing here enters a proof, and a test holds it against the verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Lines = tuple[int, int]


class Severity(StrEnum):
    """How bad an error is, worst first.

    FALLS: a statement is false as printed, and no choice of a constant that it leaves open saves it.
    CONSTANT: false with the constant, scale or range that is printed or proved, true with another.
    PROOF: the statement is true, its printed proof is not.
    SLIP: a false line of a proof, an algorithm or a definition, with a local correction.
    """

    FALLS = "theorem falls"
    CONSTANT = "constant wrong"
    PROOF = "proof broken, statement true"
    SLIP = "slip"


@dataclass(frozen=True)
class Environment:
    """A numbered environment of the PDF: its lines, those of its proof, and the claims that state it."""

    number: str
    lines: Lines
    label: str = ""
    title: str = ""
    proof: Lines | None = None
    keys: tuple[str, ...] = ()
    sentence: str = ""


@dataclass(frozen=True)
class Erratum:
    """One error for its authors: how bad, what it means, what to write; both relations as TeX."""

    severity: Severity
    plain: str
    instead: str
    printed: str = ""
    repair: str = ""


@dataclass(frozen=True)
class Letter:
    """A letter that every page uses, with its meaning."""

    name: str
    tex: str
    meaning: str


@dataclass(frozen=True)
class Remark:
    """What holds of every claim that uses a claim or whose title has one of the words."""

    says: str
    uses: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Edition:
    """One version of one paper, as printed."""

    title: str
    authors: str
    version: str
    digest: str
    environments: tuple[Environment, ...] = ()
    equations: Mapping[int, Lines] = field(default_factory=dict)
    errata: Mapping[str, Erratum] = field(default_factory=dict)
    notation: tuple[Letter, ...] = ()
    remarks: tuple[Remark, ...] = ()

    def stating(self, key: str) -> Environment | None:
        """The environment that a claim states, if any."""
        return next((e for e in self.environments if key in e.keys), None)

    def around(self, line: int) -> tuple[Environment | None, bool]:
        """The environment that holds a line, and whether the line is in its proof."""
        for e in self.environments:
            if e.lines[0] <= line <= e.lines[1]:
                return e, False
            if e.proof and e.proof[0] <= line <= e.proof[1]:
                return e, True
        return None, False

    def equation(self, line: int) -> int | None:
        """The number of the equation on a line."""
        return next((n for n, (first, last) in self.equations.items() if first <= line <= last), None)

    def place(self, key: str, line: int | None) -> str:
        """Where a claim stands in the PDF, in words; empty where no number is near.

        >>> e = Environment("Theorem 1", (5, 8), proof=(20, 30), keys=("a",))
        >>> edition = Edition("", "", "", "", (e,), {17: (22, 22)})
        >>> edition.place("a", 5), edition.place("b", 22), edition.place("c", 90)
        ('Theorem 1', 'proof of Theorem 1, Eq. (17)', '')
        """
        own = self.stating(key)
        if own:
            return own.number
        if line is None:
            return ""
        found, in_proof = self.around(line)
        number = self.equation(line)
        parts = [] if found is None else [f"proof of {found.number}" if in_proof else found.number]
        return ", ".join([*parts, *([f"Eq. ({number})"] if number else [])])
