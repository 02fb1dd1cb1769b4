"""Signs by the shape of an expression, by its numerator, and by the conjugate of a root."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import TYPE_CHECKING

from oubli.theory.kernel.members import R2
from oubli.theory.kernel.poly import Poly, minus, number
from oubli.theory.search.elaborate.lines import UnshownError
from oubli.theory.search.elaborate.nodes import Ast
from oubli.theory.search.elaborate.spell import argument, coefficients, generators, scale, spell

if TYPE_CHECKING:
    from oubli.theory.search.elaborate.signs import Signs

POSITIVE = ("exp", "Phi", "phi1", "phi2", "pi")


def by_shape(signs: Signs, node: Ast, strict: bool) -> int:
    """Sums, products and powers of what has a sign."""
    head, args = (node[0], node[1:]) if isinstance(node, list) else ("", [])
    if head == "+":
        return _sum(signs, node, strict)
    if head == "*":
        lines = [signs.show(arg, strict) for arg in args]
        return signs.conclude([[1, *lines]], ">" if all(map(signs.strict, lines)) else ">=", node)
    if head == "^":
        return _power(signs, node, strict)
    if head in POSITIVE:
        return signs.lines.add("positive", of=node)
    if head == "in" and args[0] == args[1] and not strict:
        return signs.lines.add("leaf", square=args[0])
    raise UnshownError("no sign by shape")


def by_schema(signs: Signs, node: Ast, strict: bool) -> int:
    """|x| <= R for points that lie in the ball by what they are; a time is at least 0."""
    if isinstance(node, list) and node[0] == "time" and not strict:
        return signs.lines.add("leaf", schema=["natural time", *node])
    if strict or not (isinstance(node, list) and node[0] == "+" and node[1] == R2 and len(node) == 3):
        raise UnshownError("not about the ball")
    x = node[2][2][1]
    if isinstance(x, list) and x[0] == "v*":
        return _shrunk(signs, node, *x[1:])
    line = signs.lines.add("leaf", schema=["ball", x])
    met = [signs.show(expr, rel == ">") for rel, expr in signs.lines[line].hyps]
    return signs.lines.same(line, met)


def _shrunk(signs: Signs, node: Ast, c: Ast, x: Ast) -> int:
    """R^2 - |c x|^2 = c^2 (R^2 - |x|^2) + (1 - c^2) R^2, where c^2 <= 1."""
    inside = signs.show(minus(R2, ["in", x, x]), False)
    left = signs.show(["*", minus(1, c), ["+", 1, c]], False)
    square, ball = (signs.show(u, False) for u in (["^", c, 2], R2))
    return signs.conclude([[1, square, inside], [1, left, ball]], ">=", node)


def _power(signs: Signs, node: Ast, strict: bool) -> int:
    k = number(node[2]) or Q(0)
    if strict or k <= 0:
        return signs.raised(node[1], node[2])
    if k % 2 != 1:
        return signs.lines.add("positive", of=node, even=True)
    return signs.conclude([[1, *[signs.show(node[1], False)] * int(k)]], ">=", node)


def _sum(signs: Signs, node: Ast, strict: bool) -> int:
    found = []
    for arg in node[1:]:
        try:
            found.append(signs.show(arg, True))
        except UnshownError:
            found.append(signs.show(arg, False))
    sure = any(map(signs.strict, found))
    if strict and not sure:
        raise UnshownError("nothing is strictly positive")
    return signs.conclude([[1, i] for i in found], ">" if sure else ">=", node)


def by_numerator(signs: Signs, node: Ast, strict: bool) -> int:
    """A quotient by its numerator: times a divisor, then its inverse."""
    p = signs.lines.read(node)
    gens = [g for g in generators(p) if g[0] == "inv"]
    if not gens:
        raise UnshownError("no divisor")
    line, u = signs.sums.harmless(gens[0]), argument(gens[0])
    divisor = signs.lines[line].expr
    top = max(int(dict(mono).get(gens[0], 0)) for mono in p)
    sign = 1 if signs.lines.read(divisor) == u or top % 2 == 0 else -1
    i = signs.show(spell(scale(p.cleared("inv", u), sign)), strict)
    inverse = signs.lines.add("positive", of=["^", divisor, -1], met=[line])
    return signs.conclude([[1, i, *[inverse] * top]], signs.lines[i].rel, node)


def by_conjugate(signs: Signs, node: Ast, strict: bool) -> int:
    """A s - B, s a root of u, as (A^2 u - B^2)/(A s + B)."""
    p = signs.lines.read(node)
    for s in [g for g in generators(p) if g[0] == "sqrt"]:
        found = coefficients(p, s)
        if set(found) == {0, 1}:
            a, b = found[1], scale(found[0], -1)
            top = signs.show(spell(a * a * argument(s) + scale(b * b, -1)), strict)
            below = signs.raised(spell(a * Poly.of(*s) + b), -1)
            return signs.conclude([[1, top, below]], signs.lines[top].rel, node)
    raise UnshownError("no root")
