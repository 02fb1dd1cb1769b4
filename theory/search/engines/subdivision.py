"""Subdivision: the sign of an expression over a box, by balls and adaptive bisection.

A box with a positive enclosure is done. Otherwise it is cut: at the geometric mean where the ends differ
by more than a factor 4 (the rescaling that small parameters need), in the middle otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import declared
from oubli.theory.records.proof import Subdivision
from oubli.theory.records.verdict import NotDecidedError, Reason
from oubli.theory.search.ball import enclose, precision
from oubli.theory.search.engines.combination import slack

Box = dict[str, tuple[Fraction, Fraction]]


class Search:
    """One bisection: counts its boxes and stops at the budget."""

    def __init__(self, goal: sp.Expr, rule: Subdivision) -> None:
        self.goal, self.rule, self.boxes = expression(goal), rule, 0

    def tree(self, box: Box, depth: int = 0) -> Any:
        """The certificate of a box: "positive", or a cut with its two halves."""
        if self._positive(self.goal, box):
            self.boxes += 1
            return "positive"
        if self.boxes >= self.rule.at_most or depth > 60:
            raise NotDecidedError(Reason.BUDGET, f"no sign on {_shown(box)} within {self.rule.at_most} boxes")
        return self._cut(box, depth)

    def _cut(self, box: Box, depth: int) -> Any:
        wide = [x for x, (lo, hi) in box.items() if lo < hi]
        if not wide:
            raise NotDecidedError(Reason.TIGHT_INSIDE, f"no sign at the point {_shown(box)}")
        x = max(wide, key=lambda k: (box[k][1] - box[k][0]) / max(abs(box[k][0]), abs(box[k][1])))
        (lo, hi), at = box[x], _middle(*box[x])
        left, right = {**box, x: (lo, at)}, {**box, x: (at, hi)}
        return [x, str(at), self.tree(left, depth + 1), self.tree(right, depth + 1)]

    def _positive(self, node: Any, box: Box) -> bool:
        with precision(self.rule.bits):
            value = enclose(node, box)
            return bool(value.is_finite() and value > 0)


def _middle(lo: Fraction, hi: Fraction) -> Fraction:
    if lo > 0 and hi > 4 * lo:
        scale = 10**12
        return Fraction(isqrt(int(lo * hi * scale * scale * 10**12)), scale * 10**6)
    return (lo + hi) / 2


def _shown(box: Box) -> str:
    return ", ".join(f"{x} in [{float(lo):.6g}, {float(hi):.6g}]" for x, (lo, hi) in box.items())


def bounds_of(statement: Statement, symbol: sp.Symbol) -> tuple[Fraction, Fraction]:
    """The interval of a symbol: its domain, cut by given relations linear in that symbol alone."""
    domain = declared(symbol).domain
    low = [] if domain.lower is None else [sp.Rational(domain.lower)]
    high = [] if domain.upper is None else [sp.Rational(domain.upper)]
    for item in statement.given:
        gap = slack(item.relation)
        if gap.free_symbols == {symbol} and sp.degree(gap, symbol) == 1 and gap.is_polynomial(symbol):
            root = sp.solve(gap, symbol)[0]
            (low if gap.coeff(symbol, 1) > 0 else high).append(root)
    if not low or not high:
        raise NotDecidedError(Reason.UNSUPPORTED, f"{symbol} ranges over an unbounded domain")
    ends = max(low), min(high)
    return Fraction(ends[0].p, ends[0].q), Fraction(ends[1].p, ends[1].q)


def certify(statement: Statement, rule: Subdivision) -> dict[str, Any]:
    """A certificate candidate: the box and the tree of its parts."""
    symbols = sorted(statement.says.free_symbols, key=lambda s: s.name)
    box: Box = {s.name: bounds_of(statement, s) for s in symbols}
    search = Search(slack(statement.says), rule)
    tree = search.tree(box)
    ends = {name: [str(lo), str(hi)] for name, (lo, hi) in box.items()}
    return {"rule": "subdivision", "box": ends, "tree": tree, "bits": rule.bits + 32, "boxes": search.boxes}
