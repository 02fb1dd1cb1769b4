"""Polynomials in letters, terms, inverses, roots and functions, exactly; what a rule may cost; theorems.

Part of what must be trusted: standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction as Q
from math import inf, isqrt, prod
from time import process_time
from typing import Any, NamedTuple

Ast = Any
Record = Mapping[str, Any]
# A power of each generator: ("pi",), ("name", letter, values), ("exp", monomial) or (function, argument).
Mono = frozenset[tuple[Any, Q]]
# If the hypotheses, each [relation, expression], hold, then so does the conclusion; all relations are to 0.
Theorem = NamedTuple("Theorem", [("hyps", list[Any]), ("rel", str), ("expr", Any)])  # noqa: UP014
EMPTY: Mono = frozenset()
SEEN: dict[Any, Any] = {}  # generators, so that equal ones are one object and compared at once
NUMBER = re.compile(r"-?[0-9]{1,4000}(/0*[1-9][0-9]{0,3999})?")
NAME = re.compile(r"(?!chance$)[A-Za-z_<][A-Za-z0-9_<>,.'-]{0,59}")
ORDER = ("=", ">=", ">")
FUNCTIONS = ("exp", "log", "atan", "asin", "Phi", "phi1", "phi2")
# What one acceptance may cost, in products of monomials and the like, and of the processor; what is left.
BUDGET, SECONDS, WORK = 250_000, 10, [inf, inf]


class RejectedError(Exception):
    """The certificate does not show what it says; the message says why."""


def need(condition: object, why: str) -> None:
    """Reject, saying why, unless the condition holds."""
    if not condition:
        raise RejectedError(why)


def spend(amount: int) -> None:
    """Reject when the budget or the time is used up."""
    WORK[0] -= amount
    need(WORK[0] >= 0 and process_time() < WORK[1], "the certificate takes too long to check")


def number(node: Ast) -> Any:
    """The rational that a node spells, or None, of which Q makes an error."""
    short = type(node) is int and node.bit_length() <= 13_000
    return Q(node) if short or (isinstance(node, str) and NUMBER.fullmatch(node)) else None


class Poly(dict[Mono, Q]):
    """A polynomial in letters, inverses, roots and functions, by its monomials."""

    @staticmethod
    def of(*gen: Any) -> Poly:
        """One generator."""
        return Poly({frozenset({(SEEN.setdefault(gen, gen), Q(1))}): Q(1)})

    def weight(self) -> int:
        """What a term costs: more for long numbers and many letters."""
        bits = [c.numerator.bit_length() + c.denominator.bit_length() for c in self.values()]
        return 1 + max(bits, default=0) // 1000 + max(map(len, self), default=0) // 10

    def __add__(self, other: Poly) -> Poly:
        out = dict(self)
        spend((1 + len(out) // 20) * self.weight() * other.weight())
        for mono, c in other.items():
            out[mono] = out.get(mono, Q(0)) + c
        return Poly({mono: c for mono, c in out.items() if c})

    def __mul__(self, other: Poly) -> Poly:
        spend(len(self) * len(other) * self.weight() * other.weight())
        out: dict[Mono, Q] = {}
        for m, c in self.items():
            for n, k in other.items():
                powers = dict(m)
                for gen, j in n:
                    powers[gen] = powers.get(gen, Q(0)) + j
                mono = frozenset((gen, j) for gen, j in powers.items() if j)
                out[mono] = out.get(mono, Q(0)) + c * k
                spend(out[mono].denominator.bit_length() // 2000)
        return Poly({mono: c for mono, c in out.items() if c})

    def __pow__(self, k: int) -> Poly:
        return prod([self if k >= 0 else self.through("inv")] * abs(k), start=ONE)

    def cleared(self, head: str, u: Poly) -> Poly:
        """With the root of u squared; or, times a power of u, without 1/u: 0 only if it was, or u is 0."""
        gen, out = SEEN.setdefault(g := (head, frozenset(u.items())), g), Poly()
        top = max((int(j) for mono in self for g, j in mono if g == gen), default=0)
        for mono, c in self.items() if top else ():
            j, rest = int(dict(mono).get(gen, 0)), Poly({frozenset((g, k) for g, k in mono if g != gen): c})
            out += rest * u ** (top - j) if head == "inv" else rest * u ** (j // 2) * Poly.of(*gen) ** (j % 2)
        return out if top else self

    def through(self, head: str) -> Poly:
        """A function of it: its value where that is known, the exponential of a sum as a product."""
        c = self.get(EMPTY, Q(0)) if self.keys() <= {EMPTY} else None
        if head == "exp":
            return Poly({frozenset((SEEN.setdefault(g := ("exp", m), g), k) for m, k in self.items()): Q(1)})
        if head == "inv" and c is not None:
            return Poly({EMPTY: 1 / c})
        if head == "sqrt" and c is not None and 0 <= c == (root := Q(*map(isqrt, c.as_integer_ratio()))) ** 2:
            return Poly({EMPTY: root} if root else {})
        if (c == 0 and head in ("atan", "asin")) or (c == 1 and head == "log"):
            return Poly()
        return HALF * Poly.of("pi") if c == 1 and head == "asin" else Poly.of(head, frozenset(self.items()))


ONE, MINUS, HALF = (Poly({EMPTY: Q(c)}) for c in ("1", "-1", "1/2"))


def minus(a: Ast, b: Ast) -> Ast:
    """a - b."""
    return ["+", a, ["*", -1, b]]
