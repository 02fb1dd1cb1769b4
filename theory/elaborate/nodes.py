"""Expressions as nested lists: their names, and the values that letters are taken at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from theory.terms import number

Ast = Any
Values = Mapping[str, Ast]


def names_of(node: Ast) -> set[str]:
    """The names of an expression, those in values of letters included."""
    if isinstance(node, dict):
        return set[str]().union(*map(names_of, node.values()))
    if isinstance(node, list):
        return set[str]().union(*map(names_of, node[1:]))
    return {node} if isinstance(node, str) and number(node) is None else set()


def closures(node: Ast) -> list[tuple[str, dict[str, Ast]]]:
    """The letters of an expression that are taken at values, with these."""
    if not isinstance(node, list):
        return []
    if node[0] == "@":
        return [(node[1], node[2]), *(c for v in node[2].values() for c in closures(v))]
    return [c for arg in node[1:] for c in closures(arg)]


def substituted(node: Ast, values: Values) -> Ast:
    """An expression with names replaced, all at once."""
    if isinstance(node, list):
        return [node[0], *(substituted(a, values) for a in node[1:])]
    return values.get(node, node) if isinstance(node, str) else node


def parts(theorem: Any) -> list[Ast]:
    """The conclusion and the hypotheses of a theorem."""
    return [theorem.expr, *(expr for _, expr in theorem.hyps)]


def readings(nodes: Iterable[Ast], letters: Mapping[str, Any]) -> dict[str, Ast]:
    """How some letters are read: at the values at which expressions have them."""
    return {a: ["@", a, at] for node in nodes for a, at in closures(node) if a in letters}
