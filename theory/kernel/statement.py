"""Statements: for all quantities in their domains, if the given relations hold, then `says` holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import sympy as sp

from oubli.theory.kernel.symbols import Quantity, declared, mentioned

Relation: TypeAlias = sp.core.relational.Relational


@dataclass(frozen=True)
class Hypothesis:
    """A relation under which a statement says what it says."""

    relation: Relation


@dataclass(frozen=True)
class Statement:
    """For all quantities, if the hypotheses hold, then `says` holds; or, if `exists`, both do for some."""

    given: tuple[Hypothesis, ...]
    says: Relation
    also: tuple[sp.Symbol, ...] = ()
    exists: bool = False

    def __post_init__(self) -> None:
        if not getattr(self.says, "is_Relational", False):
            raise ValueError(f"a statement says a relation, not {self.says!r} ({type(self.says).__name__})")
        _ = self.quantities

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities that occur, by name; an undeclared symbol is an error."""
        symbols = set(self.also) | self.says.free_symbols
        for item in self.given:
            symbols |= item.relation.free_symbols
        names = set[str]().union(*(mentioned(s.name) or {s.name} for s in symbols))
        return tuple(declared(sp.Symbol(name, real=True)) for name in sorted(names))
