"""Statements as the nested lists of certificates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression, rational
from oubli.theory.kernel.objects import CLOCK, INDEX
from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.kernel.symbols import Quantity
from oubli.theory.kernel.terms import DOMAIN, GIVEN, minus


def relation(rel: sp.core.relational.Relational) -> list[Any]:
    """A relation as [sign, expression], read against 0."""
    kinds: dict[type, tuple[str, int]] = {
        sp.Ge: (">=", 1),
        sp.Gt: (">", 1),
        sp.Le: (">=", -1),
        sp.Lt: (">", -1),
        sp.Eq: ("=", 1),
    }
    sign, direction = kinds[type(rel)]
    # Side by side, not simplified: the checker, not sympy, does the algebra between the two sides.
    lhs, rhs = expression(rel.lhs), expression(rel.rhs)
    return [sign, _minus(lhs, rhs) if direction == 1 else _minus(rhs, lhs)]


def _minus(a: Any, b: Any) -> Any:
    return a if b == 0 else minus(a, b)


def hypothesis(item: Hypothesis) -> list[Any]:
    """A hypothesis as [sign, expression, "given"]."""
    return [*relation(item.relation), GIVEN]


def domain(item: Quantity) -> list[Any]:
    """A quantity's domain as [lower, open, upper, open, integer, measured]."""
    d = item.domain
    ends = [None if x is None else rational(sp.Rational(x)) for x in (d.lower, d.upper)]
    return [ends[0], d.lower_open, ends[1], d.upper_open, d.integer, item.kind or item.measured]


def kind(domain: Any) -> list[Any]:
    """What a letter is: [integer, measured], [a sort], or ["is", what it abbreviates]."""
    return domain[5] if isinstance(domain[5], list) else [domain[4], domain[5]]


def outline(item: Statement) -> dict[str, Any]:
    """A statement as the engines write it: letters with their domains apart from what is given."""
    out = {
        "quantities": {q.symbol.name: domain(q) for q in item.quantities},
        "given": [hypothesis(h) for h in item.given],
        "says": relation(item.says),
    }
    return {**out, "exists": True} if item.exists else out


def domain_relations(quantities: Mapping[str, Any]) -> list[list[Any]]:
    """The relations that the domains of letters give."""
    out: list[list[Any]] = []
    for name, (lower, lower_open, upper, upper_open, _, kind) in quantities.items():
        if isinstance(kind, list) or name in (INDEX, CLOCK):
            continue  # an object, an abbreviation, or what sums and rules bind
        out += [[">" if lower_open else ">=", minus(name, lower), DOMAIN]] if lower is not None else []
        out += [[">" if upper_open else ">=", minus(upper, name), DOMAIN]] if upper is not None else []
    return out


def sealed(outline: Mapping[str, Any]) -> dict[str, Any]:
    """An outline's statement as the checker reads it: letters by kind, their domains among what is given."""
    out: dict[str, Any] = {
        "letters": {name: kind(d) for name, d in outline["quantities"].items()},
        "given": [*outline["given"], *domain_relations(outline["quantities"])],
        "says": outline["says"],
    }
    return {**out, "exists": True} if outline.get("exists") else out


def statement(item: Statement) -> dict[str, Any]:
    """A statement as the checker reads it: letters by kind, their domains among what is given."""
    return sealed(outline(item))
