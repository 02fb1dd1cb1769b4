"""Sums: combinations of theorems written as a goal.

The difference must be 0 once divisors are cleared, roots squared, and functions of equal arguments
identified; here it is found out which relations that needs, and they are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

from oubli.theory.kernel.objects import NUMBERS
from oubli.theory.kernel.poly import Poly, minus
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast
from oubli.theory.search.elaborate.spell import (
    argument,
    cancelled,
    divided,
    divided_power,
    generators,
    scale,
    spell,
)

# Generators that are no functions of an argument, and those that are cleared.
OPAQUE = ("name", "measure", *NUMBERS, "pi", "inv", "sqrt")
# Shows an expression nonnegative, or positive if asked to: the number of a line.
Show = Callable[[Ast, bool], int]


class Sums:
    """Combinations as goals, with a way to show signs."""

    def __init__(self, lines: Lines, show: Show) -> None:
        self.lines, self.show = lines, show

    def conclude(self, terms: list[Any], rel: str, node: Ast) -> int:
        """A combination, written as `node`, with what its divisors, roots and functions need."""
        rest = self.lines.read(node) + scale(self.total(terms), -1)
        for part in [node, *(factor for factor, *_ in terms)]:
            self.lines.learn(part)
        more, rest = self.identified(rest)
        using, met = self.cleared(rest)
        needs = {"using": using, "met": met} if using else {}
        return self.lines.add("combine", terms=[*terms, *more], says=[rel, node], **needs)

    def total(self, terms: list[Any]) -> Poly:
        """The polynomial that terms add up to."""
        out = Poly()
        for factor, *cites in terms:
            product = self.lines.read(factor)
            for i in cites:
                product = product * self.lines.read(self.lines[i].expr)
            out = out + product
        return out

    def identified(self, p: Poly) -> tuple[list[Any], Poly]:
        """Terms that replace functions of u by those of v where u = v by cancelling, and what p leaves."""
        terms: list[Any] = []
        for gen in [g for g in generators(p) if g[0] not in OPAQUE]:
            u = argument(gen)
            v = cancelled(u)
            powers = {dict(mono)[gen] for mono in p if gen in dict(mono)} if gen[0] == "exp" else {Q(1)}
            for k in sorted(powers) if u != v else ():
                try:
                    line, value = self._equal(gen[0], scale(u, k), scale(v, k))
                except UnshownError:
                    continue
                q, p = divided_power(p, gen, k, value) if gen[0] == "exp" else divided(p, gen, value)
                terms += [[spell(q), line]] if q else []
        return terms, p

    def _equal(self, head: str, u: Poly, v: Poly) -> tuple[int, Poly]:
        """The line f(u) = f(v), and f(v)."""
        left, right = spell(u), spell(v)
        equal = self.conclude([], "=", minus(left, right))
        line = self.lines.add("leaf", equal=[head, left, right], met=[equal])
        return line, self.lines.read([head, right])

    def cleared(self, p: Poly) -> tuple[list[Any], list[int]]:
        """Relations by which p is 0, and the lines that show them."""
        using: list[Any] = []
        met: list[int] = []
        while p:
            line = self._side(p)
            rel, expr = self.lines[line].rel, self.lines[line].expr
            rel = rel if rel == ">" else ">="
            using.append([rel, expr])
            met.append(line)
            u = self.lines.read(expr)
            p = p.cleared("sqrt", u)
            p = p.cleared("inv", u).cleared("inv", scale(u, -1)) if rel == ">" else p
        return using, met

    def _side(self, p: Poly) -> int:
        """The line that makes some divisor or root of p harmless."""
        for gen in generators(p):
            square = gen[0] == "sqrt" and any(dict(mono).get(gen, 0) >= 2 for mono in p)
            if gen[0] == "inv" or square:
                try:
                    return self.harmless(gen)
                except UnshownError:
                    continue
        raise UnshownError(f"it misses by {spell(p)!r:.300}")

    def harmless(self, gen: Any) -> int:
        """The line that shows a radicand nonnegative, or a divisor not to be 0."""
        u = argument(gen)
        if gen[0] == "sqrt":
            return self.show(self.lines.shape(u), False)
        try:
            return self.show(self.lines.shape(u), True)
        except UnshownError:
            return self.show(spell(scale(u, -1)), True)
