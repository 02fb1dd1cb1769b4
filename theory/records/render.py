"""Statements as text and as TeX, rendered from the checked expression and from nothing else.

>>> from oubli.theory.paper.letters import L, mu
>>> tex(sp.Le(L / mu, 1, evaluate=False))
'\\\\frac{L}{\\\\mu} \\\\leq 1'
"""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.terms import GIVEN

_RELATIONS = {"<=": "≤", ">=": "≥", "==": "="}


def _symbol_tex(name: str) -> str:
    found = re.fullmatch(r"(E?)<(.+),(.+)>", name)
    if not found:
        return "r_f" if name == "r" else sp.latex(sp.Symbol(name))
    mean, a, b = found.groups()
    inside = ", ".join(sp.latex(sp.Symbol(x)) for x in (a, b))
    return f"{'E' if mean else ''}\\langle {inside} \\rangle"


def tex(relation: Any) -> str:
    """A relation or expression as TeX."""
    names = {s: _symbol_tex(s.name) for s in relation.free_symbols}
    return str(sp.latex(relation, symbol_names=names))


def text(relation: Any) -> str:
    """A relation as one line of plain text."""
    if not getattr(relation, "is_Relational", False):
        return str(relation)
    sides = [str(side).replace("**", "^") for side in (relation.lhs, relation.rhs)]
    return f"{sides[0]} {_RELATIONS.get(relation.rel_op, relation.rel_op)} {sides[1]}"


def statement_tex(statement: Statement) -> dict[str, Any]:
    """A statement as TeX: what is given and what it says."""
    return {
        "given": [{"tex": tex(f.relation), "why": GIVEN} for f in statement.given],
        "says": (r"\text{for some values } " if statement.exists else "") + tex(statement.says),
        "where": [
            {"symbol": _symbol_tex(q.symbol.name), "domain": str(q.domain), "meaning": q.meaning}
            for q in statement.quantities
        ],
    }
