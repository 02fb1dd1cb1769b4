"""The digest of what a claim's verdict depends on: its record, its letters, the claims it uses, the code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import sympy as sp

from oubli.theory.judging.cache import digest, sources
from oubli.theory.judging.judge import domains, uses
from oubli.theory.kernel.symbols import mentioned
from oubli.theory.records.claim import Claim

# Whose code decides what certificate a claim gets: a change of it makes every entry old.
CODE = ("theory/kernel", "theory/search", "theory/judging", "theory/records")


def entry_names(
    claims: Mapping[str, Claim], order: Iterable[str], known: Mapping[str, str]
) -> dict[str, str]:
    """A name for each claim's certificate, in an order in which each follows what it depends on."""
    spell, code, out = Spelling(), sources(*CODE), dict(known)
    ranges = domains()
    for key in order:
        claim = claims[key]
        text, letters = spell.record(
            (claim.key, claim.statement, claim.proof, claim.instances, claim.depends)
        )
        own = hashlib.sha256(text.encode()).hexdigest()
        where = {name: ranges[name] for name in sorted(letters) if name in ranges}
        out[key] = digest([code, own, where, {name: out[name] for name in uses(claim)}])
    return out


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else ()


class Spelling:
    """Records as text, with the names in them; formulas are spelled once."""

    def __init__(self) -> None:
        self.formulas: dict[sp.Basic, tuple[str, frozenset[str]]] = {}
        self.letters: set[str] = set()

    def record(self, value: Any) -> tuple[str, set[str]]:
        """A record as text that tells it from every other one, and its letters with those they abbreviate."""
        self.letters = set()
        return self.text(value), set[str]().union(*map(mentioned, self.letters))

    def text(self, value: Any) -> str:
        """Any part of a record as text."""
        if isinstance(value, sp.Basic):
            text, letters = self.formula(value)
            self.letters |= letters
            return text
        kind: Any = type(value)
        if names := _field_names(kind):
            parts = " ".join(self.text(getattr(value, name)) for name in names)
            return f"<{kind.__name__} {parts}>"
        if isinstance(value, str):
            self.letters.add(value)
        if isinstance(value, (str, int)) or value is None:  # most are, and to ask for a mapping takes longer
            return repr(value)
        if isinstance(value, (tuple, list)):
            return f"({' '.join(map(self.text, value))})"
        if isinstance(value, Mapping):
            return f"{{{' '.join(sorted(f'{self.text(k)}:{self.text(v)}' for k, v in value.items()))}}}"
        return repr(value)

    def formula(self, value: sp.Basic) -> tuple[str, frozenset[str]]:
        """A formula as text, and its letters."""
        if value not in self.formulas:
            parts = [self.formula(part) for part in value.args] or [(str(value), frozenset[str]())]
            own = frozenset({value.name}) if value.is_Symbol else frozenset[str]()
            text = f"[{type(value).__name__} {' '.join(part for part, _ in parts)}]"
            self.formulas[value] = text, own.union(*(letters for _, letters in parts))
        return self.formulas[value]
