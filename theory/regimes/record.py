"""A record as the table ships it: letters with their domains, hypotheses with their reasons, a conclusion.

Expressions are the nested lists of certificates, here as tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from oubli.theory.kernel.objects import HIDDEN
from oubli.theory.kernel.terms import number

Node = Any


class UndecidedError(ValueError):
    """The record does not speak of these values, or balls cannot tell."""


@dataclass(frozen=True)
class Domain:
    """The values that a letter may take; a measured letter is no parameter but a number of some object."""

    lower: Any
    lower_open: bool
    upper: Any
    upper_open: bool
    integer: bool
    measured: bool


@dataclass(frozen=True)
class Record:
    """For all letters in their domains: if the facts hold, then the conclusion does.

    A fact is (sign, expression, reason), a conclusion (sign, expression), both against 0.
    """

    domains: Mapping[str, Domain]
    facts: tuple[Node, ...]
    says: Node

    def measured(self, name: str) -> bool:
        """Whether a letter stands for a number of some object."""
        return name in self.domains and self.domains[name].measured


def record(outline: Mapping[str, Any]) -> Record:
    """The record that an encoded statement spells.

    >>> record({"quantities": {"x": [0, True, None, False, False, False]}, "given": [],
    ...         "says": [">=", ["^", "x", 2]]}).says
    ('>=', ('^', 'x', 2))
    """
    free = {name: values for name, values in outline["quantities"].items() if name not in HIDDEN}
    domains = {name: Domain(*values) for name, values in free.items()}
    return Record(domains, tuple(_frozen(f) for f in outline["given"]), _frozen(outline["says"]))


def _frozen(node: Node) -> Node:
    return tuple(map(_frozen, node)) if isinstance(node, list) else node


@cache
def letters(node: Node) -> frozenset[str]:
    """The letters of an expression.

    >>> sorted(letters(("+", "x", ("*", "1/2", "y"), ("pi",))))
    ['x', 'y']
    """
    if isinstance(node, tuple):
        return frozenset[str]().union(*map(letters, node[1:]))
    return frozenset([node] if isinstance(node, str) and number(node) is None else [])


@cache
def split(node: Node, atom: Node) -> tuple[Node, Node]:
    """(a, b) with node = a × atom + b, both without the atom's letter; UndecidedError if there are none.

    >>> split(("+", ("*", 3, "x", "y"), "z"), "x")
    (('*', 1, 3, 'y'), ('+', 0, 'z'))
    """
    if node == atom:
        return 1, 0
    if not letters(atom) & letters(node):
        return 0, node
    if node[0] == "+":
        pairs = [split(part, atom) for part in node[1:]]
        slopes = [a for a, _ in pairs if a != 0]
        return (slopes[0] if len(slopes) == 1 else ("+", *slopes)), ("+", *(b for _, b in pairs))
    inside = [part for part in node[1:] if letters(atom) & letters(part)]
    if node[0] != "*" or len(inside) != 1:
        raise UndecidedError(f"{node} is not affine in {atom}")
    rest = [part for part in node[1:] if part is not inside[0]]
    a, b = split(inside[0], atom)
    return ("*", a, *rest), (0 if b == 0 else ("*", b, *rest))


@cache
def power(node: Node, name: str) -> Node:
    """The power of a letter, itself or its square, in which an expression is affine.

    >>> power(("+", ("^", "y", 2), -2), "y")
    ('^', 'y', 2)
    """
    for atom in (name, ("^", name, 2)):
        try:
            split(node, atom)
        except UndecidedError:
            continue
        return atom
    raise UndecidedError(f"no power of {name} is alone in {node}")
