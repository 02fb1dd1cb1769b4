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
from typing import TYPE_CHECKING, Any

import sympy as sp

from oubli.theory.kernel.statement import Statement

if TYPE_CHECKING:
    from oubli.theory.records.proof import Step

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Kind(StrEnum):
    """What sort of sentence a claim is.

    Printed: a STATEMENT, a STEP of a printed proof, a DEFINITION, a REMARK. Ours: a REPAIR, which takes the
    place of something printed that fails, and a THEOREM, which replaces nothing.
    """

    STATEMENT = "statement"
    STEP = "step"
    REPAIR = "repair"
    THEOREM = "theorem"
    DEFINITION = "definition"
    REMARK = "remark"


@dataclass(frozen=True)
class Source:
    """A place in the TeX: label of the environment and first line; no line for what is not printed.

    >>> str(Source(531, "theo:trivial")), str(OURS)
    ('l.531 (theo:trivial)', 'ours')
    """

    line: int | None
    label: str = ""

    def __str__(self) -> str:
        if self.line is None:
            return self.label
        return f"l.{self.line}" + (f" ({self.label})" if self.label else "")


OURS = Source(None, "ours")


@dataclass(frozen=True)
class Instance:
    """A concrete case: exact values, members of the class on the line, finite laws, coordinates of vectors.

    `objects` defines each object of a statement about objects by an explicit one.
    `through` names multipliers of lemmas for a quantity that no value but only a lemma bounds.
    """

    says: str
    values: Mapping[sp.Symbol, Any] = field(default_factory=lambda: NOTHING)
    members: Mapping[str, tuple[tuple[Any, Any], ...]] = field(default_factory=lambda: NOTHING)
    laws: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: NOTHING)
    vectors: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: NOTHING)
    through: tuple[Any, ...] = ()
    objects: Mapping[str, Any] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper, a repair of one, or a theorem of ours, to be judged.

    `depends` names claims that the meaning of a letter rests on (that a noise scale is private, say);
    lemmas cited inside the proof need not be named. `printed_uses` is what the paper's proof cites.
    `concerns` is the printed claim that a theorem of ours sharpens, bounds from the other side, or serves.
    """

    key: str
    kind: Kind
    source: Source
    title: str
    statement: Statement | None = None
    proof: tuple[Step, ...] = ()
    instances: tuple[Instance, ...] = ()
    parent: str | None = None
    depends: tuple[str, ...] = ()
    printed_uses: tuple[str, ...] = ()
    repaired_by: str | None = None
    concerns: str | None = None
    note: str = ""
