"""Sympy expressions and relations as the nested lists of certificates.

>>> expression(sp.Symbol("x", real=True) ** 2 / 3)
['*', '1/3', ['^', 'x', 2]]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.claim import Fact, Statement
from theory.symbols import Phi, Quantity, phi1, phi2
from theory.terms import minus

NAMES: dict[type, str] = {
    sp.exp: "exp",
    sp.log: "log",
    sp.atan: "atan",
    sp.asin: "asin",
    Phi: "Phi",
    phi1: "phi1",
    phi2: "phi2",
}


class Unsupported(ValueError):
    """An expression outside the grammar of certificates."""


def rational(value: sp.Rational) -> int | str:
    """An exact number: an integer, or "p/q"."""
    return int(value) if value.is_Integer else f"{value.p}/{value.q}"


def expression(expr: sp.Expr) -> Any:
    """A sympy expression as nested lists; Unsupported for anything but the grammar."""
    if expr.is_Rational:
        return rational(expr)
    if expr is sp.pi:
        return ["pi"]
    if expr is sp.E:
        return ["exp", 1]
    if expr.is_Symbol:
        return expr.name
    if expr.is_Add or expr.is_Mul:
        return ["+" if expr.is_Add else "*", *(expression(a) for a in expr.args)]
    if expr.is_Pow and expr.exp.is_Rational and expr.exp.q in (1, 2):
        return ["^", expression(expr.base), rational(expr.exp)]
    if type(expr) in NAMES:
        return [NAMES[type(expr)], expression(expr.args[0])]
    if isinstance(expr, AppliedUndef):
        return [expr.func.__name__, *(a.name if a.is_Symbol else expression(a) for a in expr.args)]
    raise Unsupported(f"no certificate can hold {expr} ({type(expr).__name__})")


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


def fact(item: Fact) -> list[Any]:
    """A hypothesis as [sign, expression, reason]."""
    return [*relation(item.relation), item.why]


def domain(item: Quantity) -> list[Any]:
    """A quantity's domain as [lower, open, upper, open, integer, measured]."""
    d = item.domain
    ends = [None if x is None else rational(sp.Rational(x)) for x in (d.lower, d.upper)]
    return [ends[0], d.lower_open, ends[1], d.upper_open, d.integer, item.measured]


def outline(item: Statement) -> dict[str, Any]:
    """A statement as the engines write it: letters with their domains apart from what is given."""
    out = {
        "quantities": {q.symbol.name: domain(q) for q in item.quantities},
        "given": [fact(f) for f in item.given],
        "says": relation(item.says),
    }
    return {**out, "exists": True} if item.exists else out


def domain_relations(quantities: Mapping[str, Any]) -> list[list[Any]]:
    """The relations that the domains of letters give."""
    out: list[list[Any]] = []
    for name, (lower, lower_open, upper, upper_open, *_) in quantities.items():
        out += [[">" if lower_open else ">=", minus(name, lower), "domain"]] if lower is not None else []
        out += [[">" if upper_open else ">=", minus(upper, name), "domain"]] if upper is not None else []
    return out


def sealed(outline: Mapping[str, Any]) -> dict[str, Any]:
    """An outline's statement as the checker reads it: letters by kind, their domains among what is given."""
    out: dict[str, Any] = {
        "letters": {name: [d[4], d[5]] for name, d in outline["quantities"].items()},
        "given": [*outline["given"], *domain_relations(outline["quantities"])],
        "says": outline["says"],
    }
    return {**out, "exists": True} if outline.get("exists") else out


def statement(item: Statement) -> dict[str, Any]:
    """A statement as the checker reads it: letters by kind, their domains among what is given."""
    return sealed(outline(item))
