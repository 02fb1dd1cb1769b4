"""A step's context: its letters as they are read, its relations as lines, and citations of what is known.

A measured letter may be read at other values of parameters than its own (a total up to T, cited at T = 5):
the environment of a step says at which. A letter that stands for another (a letter of a lemma under another
name) is tied to it by a fact that is assumed and disclosed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction as Q
from typing import Any

from oubli.theory.kernel.checker import MATHEMATICS
from oubli.theory.kernel.encoding import domain_relations
from oubli.theory.kernel.poly import Poly, Theorem, minus
from oubli.theory.kernel.terms import names
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast, closures, parts
from oubli.theory.search.elaborate.signs import Signs
from oubli.theory.search.elaborate.spell import divided, generators, place, rational, scale, spell

# The parameter that tells one naming of a lemma's letters from another.
WORLD = "case_"
REAL = [None, False, None, False, False, False]


class Context:
    """One step: a statement, its letters read in an environment."""

    def __init__(
        self, lines: Lines, statement: Mapping[str, Any], env: Mapping[str, Ast], used: Iterable[Ast] = ()
    ) -> None:
        self.lines, self.statement, self.env = lines, statement, env
        lines.declare(statement["quantities"])
        self.relations = [*statement["given"], *domain_relations(statement["quantities"])]
        self.hyps = [[rel, self.expand(e)] for rel, e, why in self.relations if self.assumed(e, why)]
        self.given = [self._line(*relation) for relation in self.relations]
        self.signs = Signs(lines, [*self.given, *self._mirrored()])
        if grown := self._grown(used):
            self.signs = Signs(lines, [*self.given, *self._mirrored(), *grown])

    def _mirrored(self) -> list[int]:
        """name + upper >= 0 for letters between lower and upper, where lower >= -upper."""
        out = []
        for name, (lower, _, upper, *_) in self.statement["quantities"].items():
            if lower is not None and upper is not None and (gap := Q(lower) + Q(upper)) >= 0:
                low = self._line(*next(r for r in self.relations if r[1] == minus(name, lower)))
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

    def assumed(self, expr: Ast, why: str) -> bool:
        """Whether a relation is a hypothesis; any other is a fact of the problem, or mathematics."""
        return why == "given" or (why not in MATHEMATICS and not self.lines.proof.depends(expr, ""))

    def _line(self, rel: str, expr: Ast, why: str) -> int:
        if self.assumed(expr, why):
            return self.lines.add("leaf", assume=[rel, self.expand(expr)])
        return self.lines.fact(rel, self.expand(expr), why, self.hyps)

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

    def cite(self, key: int | str, values: Mapping[str, Ast], because: list[int], world: int) -> int:
        """The line of a theorem at values, measured letters renamed, its hypotheses met."""
        lines = self.lines
        ties = {a: b for a, b in values.items() if lines.measured(a)}
        chosen = {a: self.expand(b) for a, b in values.items() if a not in ties and a != b}
        align(lines, lines[key], ties, self.env, chosen)
        if ties and world:
            lines.declare({WORLD: REAL})
            chosen[WORLD] = world
            for letter in lines.measured_in(lines[key]):
                if letter not in ties:
                    lines.hold(letter, WORLD)
        line = lines.same(lines.at(key, chosen), [])
        for old, new in ties.items():
            line = self.tied(line, old, new, world)
        return self.meet(line, because)

    def tied(self, line: int, old: str, new: str, world: int) -> int:
        """The theorem with a measured letter written as another one, by a fact that ties the two."""
        lines, t = self.lines, self.lines[line]
        if not lines.measured(new):
            raise UnshownError(f"{old} is measured, it cannot be set to {new!r:.60}")
        source = ["@", old, {WORLD: world}] if world else old
        tie = lines.fact("=", minus(new, source), "meaning", [])
        p, terms = lines.read(t.expr), list[Any]([[1, line]])
        for gen in [g for g in generators(p) if g[0] == "name" and g[1] == old]:
            at = {x: spell(Poly(dict(v))) for x, v in sorted(gen[2], key=place) if x != WORLD}
            here = lines.at(tie, at)
            # new - old = 0: what stands for old is old + (new - old).
            q, p = divided(p, gen, Poly.of(*gen) + lines.read(lines[here].expr))
            terms += [[spell(q), here]] if q else []
        return lines.add("combine", terms=terms, says=[t.rel, spell(p)]) if terms[1:] else line

    def stated(self, line: int, equations: list[int]) -> int:
        """A theorem written as this step's goal, by equations (letter - value = 0) where needed."""
        rel, node = self.goal()
        return self.restated(line, rel, node, equations)

    def restated(self, line: int, rel: str, node: Ast, equations: list[int]) -> int:
        """A theorem written as a goal: the difference is a combination of equations, divisors cleared."""
        lines, terms = self.lines, list[Any]([[1, line]])
        rest = lines.read(minus(node, lines[line].expr))
        for i in equations:
            ((gen, _),) = next(iter(lines.read(lines[i].expr[1])))
            q, rest = divided(rest, gen, lines.read(lines[i].expr[2][2]))
            terms += [[spell(q), i]] if q else []
        return self.signs.conclude(terms, rel, node)


def functions(node: Ast) -> list[tuple[str, Ast]]:
    """The exponentials and logarithms in an expression, with what they are of."""
    if not isinstance(node, list):
        return []
    own = [(node[0], node[1])] if node[0] in ("exp", "log") else []
    return own + [f for arg in node[1:] for f in functions(arg)]


def align(lines: Lines, theorem: Theorem, ties: Mapping[str, str], env: Mapping[str, Ast],
          chosen: dict[str, Ast]) -> None:  # fmt: skip
    """Set the parameters that a theorem leaves open where the step that cites it reads letters at values."""
    nodes = parts(theorem)
    free, taken = set[str]().union(*map(names, nodes)), [c for node in nodes for c in closures(node)]
    for letter in lines.measured_in(theorem):
        node = env.get(ties.get(letter, letter))
        for x, value in node[2].items() if node else ():
            if x not in free and not any(a == letter and x in at for a, at in taken):
                chosen.setdefault(x, value)


__all__ = ["Context", "UnshownError", "align"]
