"""The values that letters of expressions are taken at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Ast = Any


def closures(node: Ast) -> list[tuple[str, dict[str, Ast]]]:
    """The letters of an expression that are taken at values, with these."""
    if not isinstance(node, list):
        return []
    if node[0] == "@":
        return [(node[1], node[2]), *(c for v in node[2].values() for c in closures(v))]
    return [c for arg in node[1:] for c in closures(arg)]


def parts(theorem: Any) -> list[Ast]:
    """The conclusion and the hypotheses of a theorem."""
    return [theorem.expr, *(expr for _, expr in theorem.hyps)]


def readings(nodes: Iterable[Ast], letters: Mapping[str, Any]) -> dict[str, Ast]:
    """How some letters are read: at the values at which expressions have them."""
    return {a: ["@", a, at] for node in nodes for a, at in closures(node) if a in letters}
