"""A witness read aloud: its values, its model, and the relation it breaks, with exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.objects import HEADS
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import Instance
from oubli.theory.records.proof import Lemma
from oubli.theory.records.render import text
from oubli.theory.search.engines.witness import encoded
from oubli.theory.search.models import settled


def number_text(node: Any) -> str:
    """A closed expression as an exact number, with its decimal value where it is not rational."""
    value = to_sympy(node)
    return str(value) if value.is_Rational else f"{value} ≈ {sp.N(value, 8)}"


def to_sympy(node: Any) -> sp.Expr:
    """The nested list of a certificate as a sympy expression; a letter taken at values is its own letter."""
    if isinstance(node, int):
        return sp.Integer(node)
    if isinstance(node, str):
        return sp.Rational(node) if node[0].isdigit() or node[0] == "-" else sp.Symbol(node, real=True)
    if node[0] == "@":
        values = ", ".join(f"{x} = {to_sympy(v)}" for x, v in node[2].items())
        return sp.Symbol(f"{node[1]}[{values}]", real=True)
    head, args = node[0], [to_sympy(a) for a in node[1:]]
    if head in HEADS:
        return sp.Symbol(f"{head}({', '.join(map(str, args))})", real=True)
    makers = {
        "+": sp.Add,
        "*": sp.Mul,
        "^": sp.Pow,
        "exp": sp.exp,
        "log": sp.log,
        "atan": sp.atan,
        "asin": sp.asin,
        "Phi": lambda x: (1 + sp.erf(x / sp.sqrt(2))) / 2,
        "ceil": sp.ceiling,
        "phi1": lambda x: (sp.exp(x) - 1) / x,
        "phi2": lambda x: (sp.exp(x) - 1 - x) / x**2,
    }
    return sp.pi if head == "pi" else makers[head](*args)


def values(instance: Instance) -> dict[str, str]:
    """Every letter of an instance with its exact value."""
    witness = encoded(instance)
    return {name: number_text(settled(node, witness)) for name, node in witness["values"].items()}


def lines(
    statement: Statement,
    instance: Instance,
    known: Mapping[str, Statement],
    said: Callable[[Any], str] = text,
) -> list[str]:
    """What the claim asks for at the instance, and what is there instead; `said` writes a relation."""
    witness = encoded(instance)
    out = []
    for item in statement.given:
        shown = _at(item.relation, witness)
        if shown:
            out.append(f"hypothesis: {said(item.relation)}: {shown}")
    out.append(f"claimed: {said(statement.says)}")
    out.append(f"there: {_at(statement.says, witness) or said(_partly(statement.says, witness))}: false")
    for _, source in instance.through:
        if isinstance(source, Lemma):
            bound = known[source.key].says.subs(dict(source.values), simultaneous=True)
            out.append(f"because {said(_partly(bound, witness))}  ({source.key})")
    return out


def _at(relation: Any, witness: Mapping[str, Any]) -> str | None:
    """Both sides of a relation as decimal numbers, or None if a letter is left open."""
    sides = [to_sympy(settled(expression(side), witness)) for side in (relation.lhs, relation.rhs)]
    if any(side.free_symbols for side in sides):
        return None
    signs = {"<=": "≤", ">=": "≥", "==": "="}
    return f" {signs.get(relation.rel_op, relation.rel_op)} ".join(_short(side) for side in sides)


def _partly(relation: Any, witness: Mapping[str, Any]) -> Any:
    """A relation with the values put in, where a letter stays open."""
    sides = [to_sympy(settled(expression(side), witness)) for side in (relation.lhs, relation.rhs)]
    return type(relation)(*sides, evaluate=False)


def _short(value: sp.Expr) -> str:
    if value.is_Rational and len(str(value)) <= 16:
        return str(value)
    return str(sp.N(value, 8))
