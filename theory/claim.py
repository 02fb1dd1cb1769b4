"""Records: what the paper says, as data without behaviour.

A statement is: for all quantities in their domains, if the given relations hold, then `says` holds.
A claim is a statement with its place in the paper, a proof to try, instances to try it on, and the
claim that repairs it if it falls. Nobody types a verdict here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy as sp

from theory.symbols import Quantity, declared
from theory.textbook import GIVEN, REASONS, TEXTBOOK

if TYPE_CHECKING:
    from theory.proof import Step

Relation: TypeAlias = sp.core.relational.Relational
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Kind(StrEnum):
    """What sort of sentence a claim is."""

    STATEMENT = "statement"
    STEP = "step"
    REPAIR = "repair"
    DEFINITION = "definition"
    REMARK = "remark"


@dataclass(frozen=True)
class Source:
    """A place in the TeX: label of the environment and first line."""

    line: int
    label: str = ""

    def __str__(self) -> str:
        return f"l.{self.line}" + (f" ({self.label})" if self.label else "")


@dataclass(frozen=True)
class Fact:
    """A hypothesis and its reason: `given` (printed), or an entry of the class or textbook lists."""

    relation: Relation
    why: str = GIVEN

    def __post_init__(self) -> None:
        if self.why not in REASONS:
            raise ValueError(f"unknown reason {self.why!r}; accepted: {', '.join(sorted(REASONS))}")


@dataclass(frozen=True)
class Statement:
    """For all quantities, if the given facts hold, then `says` holds; or, if `exists`, both do for some."""

    given: tuple[Fact, ...]
    says: Relation
    also: tuple[sp.Symbol, ...] = ()
    exists: bool = False

    def __post_init__(self) -> None:
        if not getattr(self.says, "is_Relational", False):
            raise ValueError(f"a statement says a relation, not {self.says!r} ({type(self.says).__name__})")
        _ = self.quantities

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities that occur, by name; an undeclared symbol is an error."""
        symbols = set(self.also) | self.says.free_symbols
        for item in self.given:
            symbols |= item.relation.free_symbols
        return tuple(sorted((declared(s) for s in symbols), key=lambda q: q.symbol.name))

    @property
    def assumes(self) -> tuple[str, ...]:
        """The textbook results among the reasons."""
        return tuple(sorted({f.why for f in self.given if f.why in TEXTBOOK}))


@dataclass(frozen=True)
class Instance:
    """A concrete case: exact values, members of the class on the line, finite laws, coordinates of vectors.

    `through` names multipliers of lemmas for a quantity that no value but only a lemma bounds.
    """

    says: str
    values: Mapping[sp.Symbol, Any] = field(default_factory=lambda: NOTHING)
    members: Mapping[str, tuple[tuple[Any, Any], ...]] = field(default_factory=lambda: NOTHING)
    laws: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: NOTHING)
    vectors: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: NOTHING)
    through: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper (or a repair of one), to be judged.

    `leans` names claims that the meaning of a letter rests on (that a noise scale is private, say);
    lemmas cited inside the proof need not be named. `printed_uses` is what the paper's proof cites.
    """

    key: str
    kind: Kind
    source: Source
    title: str
    statement: Statement | None = None
    proof: tuple[Step, ...] = ()
    instances: tuple[Instance, ...] = ()
    parent: str | None = None
    leans: tuple[str, ...] = ()
    printed_uses: tuple[str, ...] = ()
    repaired_by: str | None = None
    note: str = ""
