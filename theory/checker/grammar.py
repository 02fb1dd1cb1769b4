"""The grammar of certificates: expressions as nested lists, their names, substitution, derivative.

An expression is an integer, a fraction "p/q", a name, or `["+", …]`, `["*", …]`,
`["^", base, exponent]`, `["pi"]`, a function of one argument (`exp log atan asin Phi phi1 phi2`)
or of a model (`value left right tv mass hockey`). A relation is `[">=" | ">" | "=", expression]`,
read against 0. Standard library only: nothing here is shared with the engines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction as Q
from typing import Any

Ast = Any

FUNCTIONS = ("exp", "log", "atan", "asin", "Phi", "phi1", "phi2")
MODEL_FUNCTIONS = ("value", "left", "right", "tv", "mass", "hockey")
# No parentheses: a name can never be taken for a function.
NAME = re.compile(r"[A-Za-z_<][A-Za-z0-9_<>,.'-]{0,59}")
MAX_DEPTH, MAX_DIGITS, MAX_POWER = 60, 2000, 64


class Rejected(Exception):
    """The certificate does not show what it says; the message says why."""


def need(condition: bool, why: str) -> None:
    """Reject, saying why, unless the condition holds."""
    if not condition:
        raise Rejected(why)



def number(node: Ast) -> Q | None:
    """The rational that a node spells, or None."""
    if isinstance(node, bool):
        raise Rejected("a truth value is no number")
    if isinstance(node, int):
        need(node.bit_length() <= 4 * MAX_DIGITS, "an integer is too long")
        return Q(node)
    if isinstance(node, str) and re.fullmatch(r"-?\d+(/\d+)?", node):
        need(len(node) <= 2 * MAX_DIGITS, "a number is too long")
        need(not re.search(r"/0+$", node), "a fraction has denominator 0")
        return Q(node)
    return None


def wellformed(node: Ast, depth: int = 0) -> None:
    """Reject anything that is not an expression of the documented grammar."""
    need(depth <= MAX_DEPTH, "an expression is nested too deeply")
    if number(node) is not None:
        return
    if isinstance(node, str):
        need(NAME.fullmatch(node) is not None and node != "pi", f"not a name: {node[:60]!r}")
        return
    need(isinstance(node, list) and len(node) > 0 and isinstance(node[0], str), "not an expression")
    head, args = node[0], node[1:]
    if head in MODEL_FUNCTIONS:
        need(all(isinstance(a, str | list | int) for a in args), f"bad arguments of {head}")
        return
    arity = {"+": None, "*": None, "^": 2, "pi": 0}
    need(head in arity or head in FUNCTIONS, f"unknown function {head}")
    wanted = arity.get(head, 1)
    need(len(args) == wanted if wanted is not None else 0 < len(args) <= 400, f"bad arity of {head}")
    for arg in args:
        wellformed(arg, depth + 1)
    if head == "^":
        exponent = number(args[1])
        need(exponent is not None and abs(exponent) <= MAX_POWER, "an exponent is not a small number")
        need(exponent is not None and exponent.denominator in (1, 2), "an exponent is no half-integer")


def names(node: Ast) -> set[str]:
    """The free names of an expression."""
    if isinstance(node, str):
        return set() if number(node) is not None else {node}
    if isinstance(node, int):
        return set()
    if node[0] in MODEL_FUNCTIONS:
        return set()
    return set().union(*(names(a) for a in node[1:])) if len(node) > 1 else set()


def models(node: Ast) -> bool:
    """Whether a model function occurs: these belong to witnesses, never to proofs."""
    return isinstance(node, list) and (node[0] in MODEL_FUNCTIONS or any(models(a) for a in node[1:]))


def substitute(node: Ast, values: Mapping[str, Ast]) -> Ast:
    """The expression with names replaced, all at once."""
    if isinstance(node, str):
        return values.get(node, node) if number(node) is None else node
    if isinstance(node, list):
        return [node[0], *(substitute(a, values) for a in node[1:])]
    return node


def derivative(node: Ast, x: str) -> Ast:
    """The derivative of an expression in the name x, by the textbook rules."""
    if x not in names(node):
        return 0
    if node == x:
        return 1
    head, args = node[0], node[1:]
    if head == "+":
        return ["+", *(derivative(a, x) for a in args)]
    if head == "*":
        return ["+", *(["*", *args[:i], derivative(a, x), *args[i + 1 :]] for i, a in enumerate(args))]
    inner = derivative(args[0], x)
    if head == "^":
        power = number(args[1])
        assert power is not None
        return ["*", str(power), ["^", args[0], str(power - 1)], inner]
    u = args[0]
    outer = {
        "exp": ["exp", u],
        "log": ["^", u, -1],
        "atan": ["^", ["+", 1, ["^", u, 2]], -1],
        "asin": ["^", ["+", 1, ["*", -1, ["^", u, 2]]], "-1/2"],
        "Phi": ["*", ["^", ["*", 2, ["pi"]], "-1/2"], ["exp", ["*", "-1/2", ["^", u, 2]]]],
    }
    need(head in outer, f"no derivative rule for {head}")
    return ["*", outer[head], inner]


def minus(a: Ast, b: Ast) -> Ast:
    """a - b."""
    return ["+", a, ["*", -1, b]]
