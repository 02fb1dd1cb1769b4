"""Small exact models for witnesses: members of the class on the line, and finite laws.

A member is given by the knots of h, where l'(x) = mu x + h(x): h is piecewise linear, jumps are two
knots at one place. If h never decreases and stays in [-L/2, L/2], then l is L-Lipschitz and
mu-strongly convex on [-R, R], R = L/(2 mu): that is the whole membership test.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction as Q
from typing import Any

from theory.checker.grammar import MODEL_FUNCTIONS, Ast, need, number

Knots = list[tuple[Q, Q]]


def exact(node: Ast) -> Q:
    """A closed rational expression as a fraction."""
    value = number(node)
    if value is not None:
        return value
    need(isinstance(node, list) and node[0] in ("+", "*", "^"), f"not a rational number: {node}")
    parts = [exact(a) for a in node[1:]]
    if node[0] == "+":
        return sum(parts, Q(0))
    if node[0] == "*":
        out = Q(1)
        for p in parts:
            out *= p
        return out
    need(parts[1].denominator == 1 and (parts[1] >= 0 or parts[0] != 0), f"not a rational number: {node}")
    return parts[0] ** int(parts[1])


def members(model: Mapping[str, Any]) -> dict[str, Knots]:
    """The members of the class, each shown to be one."""
    if not model.get("members"):
        return {}
    L, mu = exact(model["L"]), exact(model["mu"])
    need(L > 0 and mu > 0, "L and mu must be positive")
    out: dict[str, Knots] = {}
    for name, raw in model["members"].items():
        knots = [(exact(x), exact(h)) for x, h in raw]
        need(len(knots) >= 2, f"{name} has too few knots")
        need((knots[0][0], knots[-1][0]) == (-L / (2 * mu), L / (2 * mu)), f"{name} does not span the ball")
        for (x, h), (y, k) in itertools.pairwise(knots):
            need(x <= y and h <= k, f"{name} is not strongly convex at {x}")
        need(knots[0][1] >= -L / 2 and knots[-1][1] <= L / 2, f"{name} is not Lipschitz")
        out[name] = knots
    return out


def laws(model: Mapping[str, Any]) -> dict[str, dict[str, Q]]:
    """The finite laws, each shown to be one."""
    out = {name: {k: exact(v) for k, v in raw.items()} for name, raw in model.get("laws", {}).items()}
    for name, law in out.items():
        need(all(v >= 0 for v in law.values()) and sum(law.values()) == 1, f"{name} is not a law")
    return out


def area(knots: Knots, x: Q) -> Q:
    """The integral of h from the first knot to x."""
    total = Q(0)
    for (a, h), (b, k) in itertools.pairwise(knots):
        if x <= a or a == b:
            continue
        end = min(x, b)
        height = h + (k - h) * (end - a) / (b - a)
        total += (h + height) / 2 * (end - a)
    return total


def one_sided(knots: Knots, x: Q, right: bool) -> Q:
    """h(x+) or h(x-); at the ends of the ball the only one there is."""
    at = [h for y, h in knots if y == x]
    if at:
        return at[-1] if right else at[0]
    for (a, h), (b, k) in itertools.pairwise(knots):
        if a < x < b:
            return h + (k - h) * (x - a) / (b - a)
    need(False, f"{x} lies outside the ball")
    return Q(0)


def observe(node: Ast, model: Mapping[str, Any]) -> Ast:
    """The expression with every model function replaced by its exact value."""
    if not isinstance(node, list):
        return node
    head, args = node[0], node[1:]
    if head not in MODEL_FUNCTIONS:
        return [head, *(observe(a, model) for a in args)]
    if head in ("tv", "mass", "hockey"):
        return str(law_value(head, args, model))
    need(args[0] in model.get("members", {}), f"no member {args[0]}")
    knots, x, mu = members(model)[args[0]], exact(observe(args[1], model)), exact(model["mu"])
    if head == "value":
        return str(mu * x * x / 2 + area(knots, x) - area(knots, Q(0)))
    return str(mu * x + one_sided(knots, x, head == "right"))


def law_value(head: str, args: list[Ast], model: Mapping[str, Any]) -> Q:
    """tv(P, Q), mass(P, outcome) or hockey(P, Q, e^eps) of finite laws."""
    known = laws(model)
    need(args[0] in known, f"no law {args[0]}")
    p = known[args[0]]
    if head == "mass":
        return p.get(str(args[1]), Q(0))
    need(args[1] in known, f"no law {args[1]}")
    q = known[args[1]]
    outcomes = set(p) | set(q)
    if head == "tv":
        return sum((abs(p.get(k, Q(0)) - q.get(k, Q(0))) for k in outcomes), Q(0)) / 2
    factor = exact(args[2])
    return sum((max(p.get(k, Q(0)) - factor * q.get(k, Q(0)), Q(0)) for k in outcomes), Q(0))
