"""Expressions as quotients of polynomials in names, roots and functions: exact identities, quickly.

A root squared is its radicand and an exponential of a sum is a product; where a division or a root has no
value is not asked here.

>>> vanishes(["+", ["^", ["^", "x", "1/2"], 2], ["*", -1, "x"]])
True
"""

from __future__ import annotations

from fractions import Fraction as Q
from math import isqrt
from typing import Any

from oubli.theory.kernel.terms import Node, number

# A monomial has a power for each generator: (head, payload).
Mono = frozenset[tuple[tuple[str, Any], int | Q]]
Poly = dict[Mono, Q]
EMPTY: Mono = frozenset()
ONE: Poly = {EMPTY: Q(1)}


class NoQuotientError(ValueError):
    """An expression that is no such quotient; the message says why."""


def generator(head: str, payload: Any = None) -> Poly:
    """A name, a root or a function as a polynomial."""
    return {frozenset({((head, payload), 1)}): Q(1)}


def constant(p: Poly) -> Q | None:
    """The value of a constant polynomial, or None."""
    return p.get(EMPTY, Q(0)) if p.keys() <= {EMPTY} else None


def add(p: Poly, q: Poly, factor: Q = Q(1)) -> Poly:
    """p + factor q."""
    out = dict(p)
    for m, c in q.items():
        out[m] = out.get(m, Q(0)) + factor * c
    return {m: c for m, c in out.items() if c}


def mul(p: Poly, q: Poly) -> Poly:
    """p q, where a root squared is its radicand."""
    out: Poly = {}
    for m, c in p.items():
        for n, k in q.items():
            powers = dict(m)
            for gen, power in n:
                powers[gen] = powers.get(gen, 0) + power
            squares = [gen for gen, j in powers.items() if gen[0] == "sqrt" and j >= 2]
            powers.update({gen: powers[gen] - 2 for gen in squares})
            rest: Poly = {frozenset((gen, j) for gen, j in powers.items() if j): c * k}
            for gen in squares:
                rest = mul(rest, dict(gen[1]))
            for mono, coefficient in rest.items():
                out[mono] = out.get(mono, Q(0)) + coefficient
    return {m: c for m, c in out.items() if c}


def quotient(node: Node) -> tuple[Poly, Poly]:
    """(numerator, denominator) of an expression."""
    value = number(node)
    if value is not None:
        return ({EMPTY: value} if value else {}), ONE
    if isinstance(node, str):
        return generator("name", node), ONE
    head, args = node[0], node[1:]
    if head == "^":
        return _raised(*quotient(args[0]), number(args[1]) or Q(0))
    if head not in ("+", "*"):
        return function(head, args), ONE
    num, den = quotient(args[0])
    for n, d in map(quotient, args[1:]):
        if head == "*":
            num, den = mul(num, n), mul(den, d)
        elif d == den:
            num = add(num, n)
        else:
            num, den = add(mul(num, d), mul(n, den)), mul(den, d)
    return num, den


def _raised(num: Poly, den: Poly, k: Q) -> tuple[Poly, Poly]:
    """A quotient to an integer or half-integer power."""
    if k.denominator == 2:
        c = constant(den)
        if not c:
            raise NoQuotientError("a root of a quotient")
        num, den = root(add({}, num, 1 / c)), ONE
    above, below = ONE, ONE
    for _ in range(abs(k.numerator)):
        above, below = mul(above, num), mul(below, den)
    if k < 0 and not above:
        raise NoQuotientError("a division by 0")
    return (above, below) if k >= 0 else (below, above)


def root(p: Poly) -> Poly:
    """The square root of a polynomial: a number where it is one, else a generator that squares to p."""
    c, ((pi, _),) = constant(p) or Q(-1), generator("pi").items()
    exact_root = Q(isqrt(max(c.numerator, 0)), isqrt(c.denominator))
    if not p or exact_root**2 == c:
        return {EMPTY: exact_root} if p else {}
    if p.keys() == {pi} and 0 < p[pi] != 1:
        return mul(root({EMPTY: p[pi]}), root(generator("pi")))
    return generator("sqrt", frozenset(p.items()))


def function(head: str, args: list[Node]) -> Poly:
    """A function of one argument; exponentials of sums multiply."""
    if head == "pi":
        return generator("pi")
    num, den = quotient(args[0])
    if c := constant(den):
        num, den = add({}, num, 1 / c), ONE
    if head == "exp" and len(den) == 1:
        # One positive generator for each monomial, raised to its coefficient.
        ((below, k),) = den.items()
        pieces = mul(num, {frozenset((g, -j) for g, j in below): 1 / k})
        return {frozenset((("exp", m), c) for m, c in pieces.items()): Q(1)}
    if (head in ("atan", "asin") and not num) or (head == "log" and num == den):
        return {}
    if head == "asin" and num == den:
        return add({}, generator("pi"), Q(1, 2))
    return generator(head, (frozenset(num.items()), frozenset(den.items())))


def exact(node: Node) -> Q:
    """A closed rational expression as a fraction."""
    num, den = map(constant, quotient(node))
    if num is None or not den:
        raise NoQuotientError(f"not a rational number: {node!r:.80}")
    return num / den


def vanishes(node: Node) -> bool:
    """Whether the expression is 0 as a quotient of polynomials in its names and functions."""
    return not quotient(node)[0]
