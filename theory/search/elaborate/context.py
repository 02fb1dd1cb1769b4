"""A step's context: its letters as they are read, its relations as lines, and citations of what is known.

A measured letter may be read at other values of parameters than its own (a total up to T, cited at T = 5):
the environment of a step says at which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction as Q
from typing import Any

from oubli.theory.kernel.encoding import domain_relations
from oubli.theory.kernel.poly import Theorem, minus
from oubli.theory.kernel.terms import names
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast, closures, parts
from oubli.theory.search.elaborate.signs import Signs
from oubli.theory.search.elaborate.spell import rational, scale


class Context:
    """One step: a statement, its letters read in an environment."""

    def __init__(
        self, lines: Lines, statement: Mapping[str, Any], env: Mapping[str, Ast], used: Iterable[Ast] = ()
    ) -> None:
        self.lines, self.statement, self.env = lines, statement, env
        lines.declare(statement["quantities"])
        self.relations = [*statement["given"], *domain_relations(statement["quantities"])]
        self.hyps = [[rel, self.expand(e)] for rel, e, _ in self.relations]
        self.given = [self._line(rel, e) for rel, e, _ in self.relations]
        self.signs = Signs(lines, [*self.given, *self._mirrored()])
        if grown := self._grown(used):
            self.signs = Signs(lines, [*self.given, *self._mirrored(), *grown])

    def _mirrored(self) -> list[int]:
        """name + upper >= 0 for letters between lower and upper, where lower >= -upper."""
        out = []
        for name, (lower, _, upper, *_) in self.statement["quantities"].items():
            if lower is not None and upper is not None and (gap := Q(lower) + Q(upper)) >= 0:
                low = self._line(*next(r for r in self.relations if r[1] == minus(name, lower))[:2])
                terms = [[1, low], *([[rational(gap)]] if gap else [])]
                says = [">" if gap > 0 else self.lines[low].rel, ["+", self.expand(name), upper]]
                out.append(self.lines.add("combine", terms=terms, says=says))
        return out

    def _grown(self, used: Iterable[Ast]) -> list[int]:
        """e^x - 1 >= 0 and ln x >= 0 for what is used, where x and 1 - 1/x are nonnegative."""
        nodes = [*(e for _, e, _ in self.relations), self.statement["says"][1], *used]
        found = [self.expand(node) for node in nodes]
        out = []
        for head, x in [f for node in found for f in functions(node)]:
            name, least = ("exponential", x) if head == "exp" else ("logarithm", minus(1, ["^", x, -1]))
            goal = minus(["exp", x], 1) if head == "exp" else ["log", x]
            try:
                more = self.signs.show(least, False)
                line = self.meet(self.lines.add("leaf", schema=[name, x]))
                out.append(self.signs.conclude([[1, line], [1, more]], self.lines[more].rel, goal))
            except UnshownError:
                continue
        return out

    def expand(self, node: Ast) -> Ast:
        """An expression of the step as the environment reads it."""
        return self.lines.put(node, self.env)

    def _line(self, rel: str, expr: Ast) -> int:
        return self.lines.add("leaf", assume=[rel, self.expand(expr)])

    def goal(self) -> list[Any]:
        """What the step says, expanded."""
        rel, expr = self.statement["says"]
        return [rel, self.expand(expr)]

    def shown(self, rel: str, node: Ast) -> int:
        """The line of a relation that holds here."""
        if rel != "=":
            return self.signs.show(node, rel == ">")
        p = self.lines.read(node)
        for i in [j for j in self.given if self.lines[j].rel == "="]:
            q = self.lines.read(self.lines[i].expr)
            if p in (q, scale(q, -1)):
                return self.signs.conclude([[1 if p == q else -1, i]], "=", node)
        try:
            return self.signs.conclude([], "=", node)
        except UnshownError:
            sides = [self.signs.show(side, False) for side in (node, ["*", -1, node])]
            return self.lines.add("squeeze", of=sides)

    def meet(self, line: int, because: list[int] | None = None) -> int:
        """A theorem whose hypotheses are met here, as far as they speak of letters of this step."""
        lines, met = self.lines, []
        for h in lines[line].hyps:
            if h not in self.hyps and not self.foreign(h[1]):
                p = lines.read(h[1])
                cited = [i for i in because or [] if lines[i].rel == h[0] and lines.read(lines[i].expr) == p]
                met.append(cited[0] if cited else self.shown(*h))
        return lines.same(line, met) if met else line

    def foreign(self, expr: Ast) -> bool:
        """Whether a relation is about one parameter that this step does not have: it stays open."""
        known = {n for n in names(expr) if n in self.lines.domains}
        return len(known) == 1 and not known & set(self.statement["quantities"])

    def cite(self, key: int | str, values: Mapping[str, Ast], because: list[int]) -> int:
        """The line of a theorem at values, its hypotheses met; a measured letter stands for itself alone."""
        chosen = {a: self.expand(b) for a, b in values.items() if a != b}
        if other := [a for a in chosen if self.lines.measured(a)]:
            raise UnshownError(f"{other[0]} is measured, it cannot be set to {values[other[0]]!r:.60}")
        align(self.lines, self.lines[key], self.env, chosen)
        return self.meet(self.lines.same(self.lines.at(key, chosen), []), because)

    def stated(self, line: int) -> int:
        """A theorem written as this step's goal."""
        return self.restated(line, *self.goal())

    def restated(self, line: int, rel: str, node: Ast) -> int:
        """A theorem written as a goal, divisors cleared."""
        return self.signs.conclude([[1, line]], rel, node)


def functions(node: Ast) -> list[tuple[str, Ast]]:
    """The exponentials and logarithms in an expression, with what they are of."""
    if not isinstance(node, list):
        return []
    own = [(node[0], node[1])] if node[0] in ("exp", "log") else []
    return own + [f for arg in node[1:] for f in functions(arg)]


def align(lines: Lines, theorem: Theorem, env: Mapping[str, Ast], chosen: dict[str, Ast]) -> None:
    """Set the parameters that a theorem leaves open where the step that cites it reads letters at values."""
    nodes = parts(theorem)
    free, taken = set[str]().union(*map(names, nodes)), [c for node in nodes for c in closures(node)]
    for letter in lines.measured_in(theorem):
        node = env.get(letter)
        for x, value in node[2].items() if node else ():
            if x not in free and not any(a == letter and x in at for a, at in taken):
                chosen.setdefault(x, value)


__all__ = ["Context", "UnshownError", "align"]
