"""Polynomials in letters, terms, inverses, roots and functions, exactly; what a rule may cost; theorems.

Part of what must be trusted: standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction as Q
from math import inf, isqrt, lcm, prod
from time import process_time
from typing import Any, NamedTuple

Ast = Any
Record = Mapping[str, Any]
Exact = int | Q  # never a float: the one division, in `through`, is of fractions
# A power of each generator: ("pi",), ("name", letter, values), ("exp", monomial) or (function, argument).
Mono = frozenset[tuple[Any, Exact]]
# If the hypotheses, each [relation, expression], hold, then so does the conclusion; all relations are to 0.
Theorem = NamedTuple("Theorem", [("hyps", list[Any]), ("rel", str), ("expr", Any)])  # noqa: UP014
EMPTY: Mono = frozenset()
SEEN: dict[Any, Any] = {}  # generators, so that equal ones are one object; products of monomials
NUMBER = re.compile(r"(-?[0-9]{1,4000})(?:/(0*[1-9][0-9]{0,3999}))?")
NAME = re.compile(r"(?!chance$)[A-Za-z_<][A-Za-z0-9_<>,.'-]{0,59}")
ORDER = ("=", ">=", ">")
FUNCTIONS = ("exp", "log", "atan", "asin", "Phi", "phi1", "phi2", "ceil")
# What one acceptance may cost, in products of monomials and the like, and of the processor; what is left.
BUDGET, SECONDS, ENDLESS = 250_000, 10, 1 << 62
WORK: list[Any] = [ENDLESS, inf]


class RejectedError(Exception):
    """The certificate does not show what it says; the message says why."""


def need(condition: object, why: str) -> None:
    """Reject, saying why, unless the condition holds."""
    if not condition:
        raise RejectedError(why)


def spend(amount: int) -> None:
    """Reject when the budget or the time is used up; the clock is read once for every 64 spent."""
    WORK[0] = left = WORK[0] - amount
    if left < 0 or (left % 64 + amount >= 64 and process_time() >= WORK[1]):
        raise RejectedError("the certificate takes too long to check")


def number(node: Ast) -> Any:
    """The rational that a node spells, or None, of which Q makes an error."""
    if type(node) is int:
        return node if node.bit_length() <= 13_000 else None
    if not isinstance(node, str) or not (found := NUMBER.fullmatch(node)):
        return None
    above, below = found.groups()
    return whole(Q(int(above), int(below))) if below else int(above)


def whole(value: Q) -> Exact:
    """The same number, an int if it is one: these are many times faster."""
    return value.numerator if value.denominator == 1 else value


def times(m: Mono, n: Mono) -> Mono:
    """The product of two monomials, computed once."""
    if m and n and (m, n) not in SEEN:
        powers = dict(m)
        for gen, j in n:
            powers[gen] = powers[gen] + j if gen in powers else j
        SEEN[m, n] = frozenset([(gen, j) for gen, j in powers.items() if j])
    return SEEN[m, n] if m and n else m or n


class Poly(dict[Mono, Exact]):
    """A polynomial in letters, inverses, roots and functions, by its monomials; never changed once made."""

    __slots__ = ("_cost", "_over")

    @staticmethod
    def of(*gen: Any) -> Poly:
        """One generator."""
        return Poly({frozenset({(SEEN.setdefault(gen, gen), 1)}): 1})

    def weight(self) -> int:
        """What a term costs: more for long numbers and many letters."""
        if not hasattr(self, "_cost"):
            bits = size = 0
            for mono, c in self.items():  # one pass, and no calls that most do not need
                n, d = (c, 0) if type(c) is int else c.as_integer_ratio()
                length = n.bit_length() + d.bit_length()
                bits, size = length if length > bits else bits, len(mono) if len(mono) > size else size
            self._cost: int = 1 + bits // 1000 + size // 10
        return self._cost

    def over(self) -> tuple[int, Any]:
        """A common denominator and the integers over it, by monomials; 0 and the rationals if it is long."""
        if not hasattr(self, "_over"):
            below = 1
            for denominator in {c.denominator for c in self.values()}:
                below = lcm(below, denominator)
                below *= below.bit_length() < 1000  # two of these have no product of 2000 bits
            scaled = {m: c.numerator * (below // c.denominator) for m, c in self.items()} if below else self
            self._over: tuple[int, Any] = below, scaled.items()
        return self._over

    @staticmethod
    def total(parts: Iterable[Poly]) -> Poly:
        """The sum of some polynomials."""
        out = dict[Mono, Exact]()
        for part in parts:
            spend((1 + len(part) // 20) * part.weight())
            for mono, c in part.items():
                if mono in out:
                    c += out[mono]
                    spend(c.denominator.bit_length() // 2000)
                out[mono] = c
        return Poly({mono: c for mono, c in out.items() if c})

    def __add__(self, other: Poly) -> Poly:
        return Poly.total((self, other)) if self else other

    def __mul__(self, other: Poly) -> Poly:
        if self is ONE or other is ONE:
            same = other if self is ONE else self
            spend(len(same) * same.weight())
            return same
        spend(len(self) * len(other) * self.weight() * other.weight())
        if len(self) == 1 or len(other) == 1:  # other monomials stay other ones
            ((n, k),), many = (self.items(), other) if len(self) == 1 else (other.items(), self)
            return Poly({times(m, n) if n else m: k * c for m, c in many.items()})
        (a, these), (b, those), out = self.over(), other.over(), dict[Mono, Any]()
        if short := a * b:
            for m, c in these:
                for n, k in those:
                    mono = times(m, n)
                    out[mono] = out.get(mono, 0) + c * k
            return Poly({m: whole(Q(c, short)) if short > 1 else c for m, c in out.items() if c})
        for m, c in self.items():
            for n, k in other.items():
                mono = times(m, n)
                out[mono] = out.get(mono, 0) + c * k
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
        c = self.get(EMPTY, 0) if self.keys() <= {EMPTY} else None
        if head == "exp":
            return Poly({frozenset((SEEN.setdefault(g := ("exp", m), g), k) for m, k in self.items()): 1})
        if head == "inv" and c is not None:
            return Poly({EMPTY: whole(Q(1) / c)})
        if head == "sqrt" and c is not None and 0 <= c == (root := Q(*map(isqrt, c.as_integer_ratio()))) ** 2:
            return Poly({EMPTY: whole(root)} if root else {})
        if (c == 0 and head in ("atan", "asin")) or (c == 1 and head == "log"):
            return Poly()
        return HALF * Poly.of("pi") if c == 1 and head == "asin" else Poly.of(head, frozenset(self.items()))


ONE, MINUS, HALF = (Poly({EMPTY: c}) for c in (1, -1, Q(1, 2)))


def minus(a: Ast, b: Ast) -> Ast:
    """a - b."""
    return ["+", a, ["*", -1, b]]
