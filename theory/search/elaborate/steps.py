"""Steps: combinations and subdivisions of the engines as lines of the checker."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from oubli.theory.kernel.encoding import domain_relations
from oubli.theory.kernel.objects import INDEX
from oubli.theory.kernel.poly import minus
from oubli.theory.kernel.terms import names, substitute
from oubli.theory.search.elaborate.context import Context, align
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast, closures, parts
from oubli.theory.search.elaborate.signs import Signs

NATURAL = [0, False, None, False, True, False]


class Steps:
    """All steps of one candidate, elaborated in order; `reached` has the line of each, `envs` its reading."""

    def __init__(self, lines: Lines, steps: list[Any], sources: Mapping[str, Any]) -> None:
        self.lines, self.steps, self.sources = lines, steps, sources
        self.reached: dict[str, int] = {}
        self.envs: dict[str, dict[str, Ast]] = {}
        self.named = {step["name"]: step for step in steps}
        ways = [s["by"] for s in steps if s["by"]["rule"] == "induction"]
        for step in steps:
            lines.declare(step["statement"]["quantities"])
        for by in ways:
            lines.declare({by["index"]: NATURAL})
        self.fixed = {(letter, by["step"]) for by in ways for letter in by.get("fixed", [])}

    def key(self, name: str) -> int | str:
        """Where a step or lemma is found."""
        return self.reached.get(name, name)

    def environment(self, step: Any) -> dict[str, Ast]:
        """At which values the letters of a step are read: those at which what it cites has them."""
        terms = [t for t in all_terms(step["by"].get("terms", [])) if "lemma" in t]
        env: dict[str, Ast] = {}
        for _ in range(8):
            found: dict[str, Ast] = {}
            for term in terms:
                self._taken(step, term, env, found)
            if found == env:
                return env
            env = found
        raise UnshownError("a letter is taken at a value that depends on it")

    def _taken(self, step: Any, term: Any, env: dict[str, Ast], found: dict[str, Ast]) -> None:
        lines, theorem = self.lines, self.lines[self.key(term["lemma"])]
        chosen = {a: b for a, b in term["with"].items() if not lines.measured(a) and a != b}
        for letter in lines.measured_in(theorem):
            moves = (letter, step["name"]) in self.fixed
            for x, value in chosen.items():
                # A parameter set to an expression in a letter, which is assumed not to depend on it.
                if moves or letter in names(value):
                    lines.hold(letter, x)
        values = {a: lines.put(b, env) for a, b in chosen.items()}
        align(lines, theorem, env, values)
        for letter, at in [c for node in parts(theorem) for c in closures(lines.put(node, values))]:
            if letter in step["statement"]["quantities"]:
                merge(found, letter, at)

    def context(self, step: Any) -> Context:
        """The context of a step in its environment."""
        self.envs[step["name"]] = self.environment(step)
        terms = all_terms(step["by"].get("terms", []))
        used = [node for t in terms for node in (t.get("times", 1), *t.get("with", {}).values())]
        return Context(self.lines, step["statement"], self.envs[step["name"]], used)

    def combination(self, step: Any) -> int:
        """A sum of multipliers times relations."""
        ctx = self.context(step)
        return self._shown(ctx, step["by"].get("terms", []), *ctx.goal())

    def term(self, ctx: Context, term: Any, strict: bool) -> list[Any]:
        """One term: a multiplier, shown nonnegative unless it multiplies an equation, and a source."""
        source, times = self.source(ctx, term), ctx.expand(term["times"])
        if source and self.lines[source[0]].rel == "=":
            return [times, *source]
        return [1, self._factor(ctx, times, strict), *source]

    def _factor(self, ctx: Context, times: Ast, strict: bool) -> int:
        """The line that shows a multiplier nonnegative; positive, if a strict goal asks and it is."""
        try:
            return ctx.signs.show(times, strict)
        except UnshownError:
            return ctx.signs.show(times, False)

    def source(self, ctx: Context, term: Any) -> list[int]:
        """The line of what a term multiplies, if anything."""
        if "given" in term:
            return [ctx.given[: len(ctx.statement["given"])][term["given"]]]
        if "square" in term:
            return [self.lines.add("positive", of=["^", ctx.expand(term["square"]), 2], even=True)]
        if "same" in term:
            head, u, v = term["same"]
            equal = ctx.shown("=", minus(ctx.expand(u), ctx.expand(v)))
            return [self.lines.add("leaf", equal=[head, ctx.expand(u), ctx.expand(v)], met=[equal])]
        if "schema" in term:
            return [self._schema(ctx, term)]
        if "mean_of" in term:
            (pointwise,) = self.source(ctx, term["mean_of"])
            return [self.lines.add("expect", of=pointwise)]
        if "average" in term:
            return [ctx.meet(self._jensen(ctx, term["average"], term["loss"], term["because"]))]
        if "square_of" in term:
            return [self.lines.add("leaf", square=term["square_of"])]
        if "norm" in term:
            return [self._norm(ctx, term["norm"])]
        return [self._cited(ctx, term)] if "lemma" in term else []

    def _schema(self, ctx: Context, term: Any) -> int:
        """A schema at objects, its side conditions met."""
        self.lines.declare_objects(term["schema"])
        line = self.lines.add("leaf", schema=term["schema"])
        hyps = self.lines[line].hyps
        shown = [self._shown(ctx, terms, *hyps[int(i)]) for i, terms in term.get("because", {}).items()]
        return ctx.meet(line, shown)

    def _shown(self, ctx: Context, terms: list[Any], rel: str, goal: Ast) -> int:
        """A goal as a sum of multipliers times relations."""
        return ctx.signs.conclude([self.term(ctx, t, rel == ">") for t in terms], rel, goal)

    def _jensen(self, ctx: Context, average: Ast, loss: Ast, because: Mapping[str, Any]) -> int:
        """The convexity of a loss at an average of iterates, its weights shown nonnegative."""
        self.lines.declare({INDEX: NATURAL})
        index = self.lines.add("leaf", assume=[">=", minus(INDEX, 0)])
        inside = copy(ctx)
        inside.signs = Signs(self.lines, [index, *ctx.given])
        weight = (
            self._shown(inside, because["0"], ">=", average[2])
            if because
            else inside.signs.show(average[2], False)
        )
        return self.lines.add("average", of=weight, average=average, loss=loss)

    def _norm(self, ctx: Context, vector: Any) -> int:
        """A squared norm, its inner products read as the step reads them."""
        line = self.lines.add("leaf", norm={v: ctx.expand(c) for v, c in vector.items()})
        read = [ctx.env[n][2] for n in sorted(names(self.lines[line].expr)) if n in ctx.env]
        return self.lines.same(self.lines.at(line, {x: v for at in read for x, v in at.items()}), [])

    def _cited(self, ctx: Context, term: Any) -> int:
        """A lemma at values, its hypotheses met."""
        name, values = term["lemma"], term["with"]
        outline = self.sources[name] if name in self.sources else self.named[name]["statement"]
        shown = []
        self.lines.declare_objects(["", *values.values()])
        for index, terms in term.get("because", {}).items():
            rel, expr, _ = condition(outline, index)
            goal = ctx.expand(substitute(self.lines.put(expr, {}), values))
            shown.append(self._shown(ctx, terms, rel, goal))
        return ctx.cite(self.key(name), values, shown)

    def subdivision(self, step: Any) -> int:
        """A goal that is positive on every part of a box."""
        ctx, by = self.context(step), step["by"]
        rel, node = ctx.goal()
        line = self._covered(node, dict(by["box"]), by["tree"], by["bits"])
        return ctx.restated(ctx.meet(line), rel, node)

    def _covered(self, node: Ast, box: dict[str, Any], tree: Any, bits: int) -> int:
        if tree == "positive":
            return self.lines.add("positive", of=node, box=box, bits=bits)
        name, cut, below, above = tree
        lo, hi = box[name]
        on = minus(name, cut)
        under = self.lines.add("leaf", assume=[">=", ["*", -1, on]])
        low = self.lines.same(self._covered(node, {**box, name: [lo, cut]}, below, bits), [under])
        high = self._covered(node, {**box, name: [cut, hi]}, above, bits)
        return self.lines.add("cases", of=[high, low], on=on)


def condition(outline: Mapping[str, Any], index: str) -> list[Any]:
    """A hypothesis of a lemma: a printed one by number, the lower end of a letter's domain by its name."""
    if index.isdigit():
        return list(outline["given"][int(index)])
    return domain_relations({index: outline["quantities"][index]})[0]


def merge(env: dict[str, Ast], letter: str, at: Mapping[str, Ast]) -> None:
    """Add values at which a letter is taken; UnshownError if they contradict others."""
    known = env[letter][2] if letter in env else {}
    if any(known[x] != v for x, v in at.items() if x in known):
        raise UnshownError(f"{letter} is taken at two values")
    env[letter] = ["@", letter, {**known, **at}]


def all_terms(terms: list[Any]) -> list[Any]:
    """The terms, those that show hypotheses of lemmas and those inside means included."""
    inner = [shown for term in terms for shown in term.get("because", {}).values()]
    inner += [[term["mean_of"]] for term in terms if "mean_of" in term]
    return [*terms, *(t for shown in inner for t in all_terms(shown))]
