"""Expressions of certificates as nested lists: numbers, letters, and letters replaced.

>>> sorted(names(["+", "x", ["@", "S", {"t": ["+", "t", 1]}], ["pi"], "1/2"]))
['S', 't', 'x']
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Node = Any
NUMBER = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*)?")
# Where a row of what is given comes from: a hypothesis of the statement, or the range of a letter.
GIVEN, DOMAIN = "given", "domain"


def number(node: Node) -> Fraction | None:
    """The rational that a node spells, or None."""
    if type(node) is int or (isinstance(node, str) and NUMBER.fullmatch(node)):
        return Fraction(node)
    return None


def names(node: Node) -> set[str]:
    """The free names of an expression; those of the values at which a letter is taken, too."""
    if isinstance(node, dict):
        return set[str]().union(*map(names, node.values()))
    if isinstance(node, list):
        return set[str]().union(*map(names, node[1:]))
    return {node} if isinstance(node, str) and number(node) is None else set()


def substitute(node: Node, values: Mapping[str, Node]) -> Node:
    """The expression with names replaced, all at once."""
    if isinstance(node, list):
        return [node[0], *(substitute(a, values) for a in node[1:])]
    return values.get(node, node) if isinstance(node, str) and number(node) is None else node


def minus(a: Node, b: Node) -> Node:
    """a - b."""
    return ["+", a, ["*", -1, b]]


def inner(a: str, b: str) -> str:
    """The name of the inner product of two vectors.

    >>> inner("v", "u")
    '<u,v>'
    """
    return f"<{min(a, b)},{max(a, b)}>"
