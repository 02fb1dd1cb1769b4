"""Signs: lines that show an expression nonnegative or positive, from relations known in a context.

Tried in turn: a number; a known relation or a product of two, up to a factor; a multiple of a known relation
plus terms that are nonnegative; the shape of the expression (sums, products, powers of what has a sign); a
quotient by its numerator; a difference with a root by its conjugate.
"""

from __future__ import annotations

import json
from fractions import Fraction as Q
from typing import Any

from oubli.theory.kernel.bounds import Bounds
from oubli.theory.kernel.poly import EMPTY, ONE, Exact, Mono, Poly, RejectedError
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast
from oubli.theory.search.elaborate.shapes import POSITIVE, by_conjugate, by_numerator, by_schema, by_shape
from oubli.theory.search.elaborate.spell import (
    argument,
    has_letters,
    place,
    ratio,
    rational,
    scale,
    spell,
    spell_gen,
    spell_power,
)
from oubli.theory.search.elaborate.sums import Sums

MOST = 40
PRECISIONS = (64, 160, 400)


class Signs:
    """What is known to be nonnegative, by line, and what follows."""

    def __init__(self, lines: Lines, known: list[int]) -> None:
        self.lines, self.memo, self.trying = lines, dict[str, int | None](), set[str]()
        self.sums = Sums(lines, self.show)
        read = [(lines.read(lines[i].expr), i) for i in known if lines[i].rel != "="]
        self.base = [(p, i) for p, i in read if p]
        self.base += [found for p, i in list(self.base) for found in self._positive_part(p, i)]
        # Products of two, by their monomials.
        self.pairs: dict[frozenset[Mono], list[tuple[Poly, int, int]]] = {}

    def _positive_part(self, p: Poly, line: int) -> list[tuple[Poly, int]]:
        """a m - b >= 0 with a, b > 0 makes the monomial m positive."""
        rest = [(mono, a) for mono, a in p.items() if mono != EMPTY]
        b = -p.get(EMPTY, Q(0))
        if len(rest) != 1 or b <= 0 or rest[0][1] <= 0:
            return []
        m, a = Poly({rest[0][0]: Q(1)}), rest[0][1]
        terms = [[rational(1 / Q(a)), line], [rational(Q(b) / a)]]
        return [(m, self.lines.add("combine", terms=terms, says=[">", spell(m)]))]

    def show(self, node: Ast, strict: bool) -> int:
        """The line that says node > 0, or node >= 0 (it may say more); UnshownError if none is found."""
        self.lines.learn(node)
        key = json.dumps([node, strict])
        if key not in self.memo and key not in self.trying:
            self.trying.add(key)
            self.memo[key] = self._search(node, strict)
            self.trying.discard(key)
        found = self.memo.get(key)
        if found is None:
            raise UnshownError(f"no sign of {node!r:.200}")
        return found

    def _search(self, node: Ast, strict: bool) -> int | None:
        for way in (Signs.closed, Signs.listed, by_schema, Signs.above, by_shape, by_numerator, by_conjugate):
            try:
                return way(self, node, strict)
            except UnshownError:
                continue
        return None

    def conclude(self, terms: list[Any], rel: str, node: Ast) -> int:
        """A combination written as a goal."""
        return self.sums.conclude(terms, rel, node)

    def strict(self, line: int) -> bool:
        """Whether a line says that something is positive."""
        return self.lines[line].rel == ">"

    def closed(self, node: Ast, strict: bool) -> int:
        """A number."""
        p = self.lines.read(node)
        if has_letters(p):
            raise UnshownError("not closed")
        if p.keys() <= {EMPTY}:
            c = p.get(EMPTY, Q(0))
            if c < 0 or (c == 0 and strict):
                raise UnshownError("a number of another sign")
            terms, rel = ([[rational(c)]], ">") if c else ([], ">=")
            return self.lines.add("combine", terms=terms, says=[rel, node])
        for bits in PRECISIONS:
            if self._bounded(node, bits):
                return self.lines.add("positive", of=node, box={}, bits=bits)
        if strict:
            raise UnshownError("no sign by bounds")
        return self.conclude([], ">=", node)

    def _bounded(self, node: Ast, bits: int) -> bool:
        try:
            return Bounds(bits).of(node, {})[0] > 0
        except (RejectedError, TypeError) as why:
            raise UnshownError(str(why)) from None

    def listed(self, node: Ast, strict: bool) -> int:
        """A known relation, or a product of two, up to a positive factor."""
        p = self.lines.read(node)
        for q, i in self.base:
            f = ratio(p, q)
            if f and f > 0 and (self.strict(i) or not strict):
                return self.conclude([[rational(f), i]], self.lines[i].rel, node)
        if not self.pairs:
            some = self.base[:MOST]
            for product in [(a * b, i, j) for k, (a, i) in enumerate(some) for b, j in some[k:]]:
                self.pairs.setdefault(frozenset(product[0]), []).append(product)
        for q, i, j in self.pairs.get(frozenset(p), []):
            f, both = ratio(p, q), self.strict(i) and self.strict(j)
            if f and f > 0 and (both or not strict):
                return self.conclude([[rational(f), i, j]], ">" if both else ">=", node)
        raise UnshownError("not listed")

    def above(self, node: Ast, strict: bool) -> int:
        """A positive multiple of one known relation, or of 1, plus monomials that are nonnegative."""
        p = self.lines.read(node)
        for q, known in [(ONE, list[int]()), *((q, [i]) for q, i in self.base)]:
            for f in sorted({Q(p.get(mono, 0)) / q[mono] for mono in q}):
                if f > 0:
                    try:
                        return self._over(node, strict, p + scale(q, -f), [rational(f), *known])
                    except UnshownError:
                        continue
        terms = [self.monomial(mono, c, strict) for mono, c in p.items()]
        return self.conclude(terms, ">" if strict else ">=", node)

    def _over(self, node: Ast, strict: bool, rest: Poly, first: list[Any]) -> int:
        sure = not first[1:] or self.strict(first[1])
        extra = None if sure or not strict else self._strict_part(rest)
        terms = [self.monomial(mono, c, mono == extra) for mono, c in rest.items()]
        return self.conclude([first, *terms], ">" if strict or sure else ">=", node)

    def _strict_part(self, rest: Poly) -> Mono:
        for mono, c in rest.items():
            try:
                self.monomial(mono, c, True)
            except UnshownError:
                continue
            return mono
        raise UnshownError("nothing is strictly positive")

    def monomial(self, mono: Mono, c: Exact, strict: bool) -> list[Any]:
        """A term of a combination that is one monomial, shown nonnegative (or positive)."""
        if c <= 0:
            raise UnshownError("a negative coefficient")
        out: list[Any] = [rational(c)]
        for gen, k in sorted(mono, key=place):
            out += self._power(gen, k, strict)
        return out

    def _power(self, gen: Any, k: Exact, strict: bool) -> list[int]:
        if gen[0] == "exp":
            return [self.lines.add("positive", of=spell_power(gen, k))]
        if k > 0 and k % 2 == 0 and not strict:
            return [self.lines.add("positive", of=["^", spell_gen(gen), rational(k)], even=True)]
        return [self._sign_of(gen, strict)] * int(k)

    def _sign_of(self, gen: Any, strict: bool) -> int:
        """The line that shows a generator nonnegative (or positive)."""
        node = spell_gen(gen)
        if gen[0] in POSITIVE:
            return self.lines.add("positive", of=node)
        if gen[0] == "sqrt" and not strict:
            return self.lines.add("positive", of=node, even=True)
        if gen[0] in ("inv", "sqrt"):
            written = self.lines.shape(argument(gen))
            return self.raised(written, node[2])
        return self.listed(node, strict)

    def raised(self, base: Ast, k: Any) -> int:
        """The line that shows a power of something positive to be positive."""
        return self.lines.add("positive", of=["^", base, k], met=[self.show(base, True)])
