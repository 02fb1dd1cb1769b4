"""Exact arithmetic: quotients of polynomials in names, roots and functions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction as Q
from math import isqrt

from theory.checker.grammar import Ast, minus, need, number, wellformed

Mono = tuple[tuple[str, Q], ...]
Poly = dict[Mono, Q]

MAX_TERMS = 20_000



class Ring:
    """Exact arithmetic of quotients of polynomials; `root(p)` squares to p, exponentials multiply."""

    def __init__(self) -> None:
        self.squares: dict[str, Poly] = {}

    def add(self, p: Poly, q: Poly) -> Poly:
        out = dict(p)
        for m, c in q.items():
            out[m] = out.get(m, Q(0)) + c
        need(len(out) <= MAX_TERMS, "an expression has too many terms")
        return {m: c for m, c in out.items() if c}

    def mul(self, p: Poly, q: Poly) -> Poly:
        need(len(p) * len(q) <= 20 * MAX_TERMS, "a product has too many terms")
        out: Poly = {}
        for m, c in p.items():
            for n, k in q.items():
                for mono, factor in self.reduced(m, n).items():
                    out[mono] = out.get(mono, Q(0)) + c * k * factor
        return {m: c for m, c in out.items() if c}

    def reduced(self, m: Mono, n: Mono) -> Poly:
        powers = dict(m)
        for gen, k in n:
            powers[gen] = powers.get(gen, Q(0)) + k
        extra: list[tuple[Poly, int]] = []
        for gen in [g for g in powers if g in self.squares and powers[g] >= 2]:
            extra.append((self.squares[gen], int(powers[gen] // 2)))
            powers[gen] = powers[gen] % 2
        out: Poly = {tuple(sorted((g, k) for g, k in powers.items() if k)): Q(1)}
        for base, times in extra:
            for _ in range(times):
                out = self.mul(out, base)
        return out

    def power(self, p: Poly, k: int) -> Poly:
        out: Poly = {(): Q(1)}
        for _ in range(k):
            out = self.mul(out, p)
        return out

    def quotient(self, node: Ast) -> tuple[Poly, Poly]:
        """(numerator, denominator) of an expression."""
        value = number(node)
        one: Poly = {(): Q(1)}
        if value is not None:
            return ({(): value} if value else {}), one
        if isinstance(node, str):
            return {((node, Q(1)),): Q(1)}, one
        head, args = node[0], node[1:]
        if head == "+":
            return self.sum_of(self.quotient(a) for a in args)
        if head == "*":
            num, den = one, one
            for a in args:
                n, d = self.quotient(a)
                num, den = self.mul(num, n), self.mul(den, d)
            return num, den
        if head == "^":
            return self.raised(args[0], number(args[1]) or Q(0))
        return self.function(head, args), one

    def sum_of(self, parts: Iterable[tuple[Poly, Poly]]) -> tuple[Poly, Poly]:
        num: Poly = {}
        den: Poly = {(): Q(1)}
        for n, d in parts:
            if d == den:
                num = self.add(num, n)
            else:
                num, den = self.add(self.mul(num, d), self.mul(n, den)), self.mul(den, d)
        return num, den

    def raised(self, base: Ast, exponent: Q) -> tuple[Poly, Poly]:
        num, den = self.quotient(base)
        if exponent.denominator == 2:
            # sqrt(n/d) = sqrt(n d)/d for d > 0; a constant d is the only one that occurs.
            need(set(den) == {()}, "a root of a quotient")
            num, den = self.root({m: c / den[()] for m, c in num.items()}), {(): Q(1)}
        k = abs(int(exponent * exponent.denominator))
        num, den = self.power(num, k), self.power(den, k)
        need(exponent > 0 or bool(num), "a division by 0")
        return (num, den) if exponent >= 0 else (den, num)

    def root(self, p: Poly) -> Poly:
        if not p:
            return {}
        if set(p) == {()} and p[()] > 0:
            c = p[()]
            s = Q(isqrt(c.numerator), isqrt(c.denominator))
            if s * s == c:
                return {(): s}
        pi = (("pi", Q(1)),)
        if set(p) == {pi} and 0 < p[pi] != 1:
            return self.mul(self.root({(): p[pi]}), self.root({pi: Q(1)}))
        gen = f"sqrt({self.canon(p)})"
        self.squares[gen] = p
        return {((gen, Q(1)),): Q(1)}

    def function(self, head: str, args: list[Ast]) -> Poly:
        if head == "pi":
            return {(("pi", Q(1)),): Q(1)}
        num, den = self.quotient(args[0])
        if set(den) == {()}:
            num, den = {m: c / den[()] for m, c in num.items()}, {(): Q(1)}
        if head == "exp" and len(den) == 1:
            # exp of a sum is a product: one positive generator per monomial, raised to its coefficient.
            ((below, k),) = den.items()
            flipped = tuple((g, -power) for g, power in below)
            pieces = self.mul(num, {flipped: 1 / k})
            return {tuple(sorted((f"exp({self.canon({m: Q(1)})})", c) for m, c in pieces.items())): Q(1)}
        if (head in ("atan", "asin") and not num) or (head == "log" and num == den):
            return {}
        if head == "asin" and num == den:
            return {(("pi", Q(1)),): Q(1, 2)}
        return {((f"{head}({self.canon(num)}|{self.canon(den)})", Q(1)),): Q(1)}

    @staticmethod
    def canon(p: Poly) -> str:
        return "+".join(f"{c}*{'*'.join(f'{g}^{k}' for g, k in m)}" for m, c in sorted(p.items()))

    def zero(self, node: Ast) -> bool:
        return not self.quotient(node)[0]


def accepts_identity(node: Ast) -> bool:
    """True only if the expression is 0 as a quotient of polynomials in its names and functions."""
    wellformed(node)
    return Ring().zero(node)


def same(a: Ast, b: Ast) -> bool:
    """True only if two expressions are identically equal."""
    return a == b or accepts_identity(minus(a, b))
