"""Models: the relations of a statement, shown for explicit objects by lines of the checker."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from oubli.theory.kernel import schemas
from oubli.theory.kernel.checker import class_of, modelled
from oubli.theory.kernel.classes import find
from oubli.theory.kernel.encoding import kind, sealed
from oubli.theory.kernel.poly import MINUS, Poly
from oubli.theory.search.elaborate.context import Context
from oubli.theory.search.elaborate.instances import HoldsError
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast
from oubli.theory.search.elaborate.spell import (
    argument,
    divided,
    generators,
    spell,
    spell_atom,
    spell_vector,
)

Record = Mapping[str, Any]


class Model:
    """Explicit objects, and lines that show what holds for them."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.bare = Context(lines, {"quantities": {}, "given": [], "says": [">=", 0]}, {})

    def show(self, rel: str, node: Ast) -> int:
        """The line of a relation that holds in the model; UnshownError if it does not."""
        p, terms = self.solved(self.lines.read(node))
        if rel == "=":
            return self.bare.signs.conclude(terms, "=", node)
        line = self.bare.signs.show(spell(p), rel == ">")
        return self.bare.signs.conclude([[1, line], *terms], self.lines[line].rel, node)

    def refuted(self, rel: str, node: Ast) -> int:
        """The line that contradicts a relation; HoldsError if it is true."""
        for side, strict in [(["*", -1, node], rel != ">"), *([(node, True)] if rel == "=" else [])]:
            try:
                return self.show(">" if strict else ">=", side)
            except UnshownError:
                continue
        self.show(rel, node)
        raise HoldsError("the conclusion holds in the model")

    def solved(self, p: Poly) -> tuple[Poly, list[Any]]:
        """The polynomial with minimisers replaced by what they are, and the equations that say so."""
        terms: list[Any] = []
        while found := [gen for gen in generators(p) if self.unsolved(gen)]:
            line, value = self.equation(found[0])
            q, p = divided(p, found[0], value)
            terms.append([spell(q), line])
        return p, terms

    def unsolved(self, gen: Any) -> bool:
        """Whether a generator speaks of a minimiser or of an iterate."""
        if gen[0] == "in":
            return any(atom[0] in ("opt", "made") for atom in gen[1])
        return gen[0] in ("sqrt", "inv") and any(map(self.unsolved, generators(argument(gen))))

    def equation(self, gen: Any) -> tuple[int, Poly]:
        """The line gen - value = 0, and the value, which has one minimiser less."""
        if gen[0] == "in" and (found := [atom for atom in gen[1] if atom[0] == "made"]):
            return self.iterate(gen, found[0])
        if gen[0] == "in":
            return self.minimiser(*sorted(gen[1], key=lambda atom: atom[0] != "opt"))
        u, terms = self.solved(argument(gen))
        before, after = spell(argument(gen)), spell(u)
        same = self.bare.signs.conclude(terms, "=", ["+", before, ["*", -1, after]])
        if gen[0] == "inv":
            raise UnshownError("a quotient by a minimiser")
        line = self.lines.add("leaf", equal=["root", before, after], met=[same])
        return line, self.lines.read(["^", after, "1/2"])

    def minimiser(self, o: Any, h: Any = None) -> tuple[int, Poly]:
        """<o, h> for the minimiser o of a tilted quadratic."""
        parts = dict(o[1])
        tilt = {atom[1]: Poly(dict(c)) * MINUS for atom, c in parts.items() if atom[0] == "lin"}
        if set(parts) - {("quad",)} != {("lin", atom) for atom in tilt}:
            raise UnshownError("a minimiser that is not known")
        v = spell_vector(frozenset((atom, frozenset(c.items())) for atom, c in tilt.items()))
        along = spell_atom(h or o)
        line = self.lines.add("leaf", schema=["tilted", v, along])
        line = self.lines.same(line, [self.show(*hyp) for hyp in self.lines[line].hyps])
        return line, self.lines.read(["in", ["v*", ["^", "mu", -1], v], along])

    def iterate(self, gen: Any, x: Any) -> tuple[int, Poly]:
        """<x, h> for an iterate x of the class, by the one before it."""
        along = spell_atom(next(iter({*gen[1]} - {x}), x))
        for name in ("start", "step"):
            with suppress(UnshownError):
                line = self.lines.add("leaf", schema=[name, spell_atom(x), along])
                line = self.lines.same(line, [self.show(*hyp) for hyp in self.lines[line].hyps])
                return line, Poly.of(*gen) + self.lines.read(self.lines[line].expr) * MINUS
        raise UnshownError("an iterate that is not known")

    def through(self, terms: list[Any], rel: str, node: Ast) -> int:
        """The line that contradicts a relation, from lemmas; HoldsError if they do not."""
        out = []
        for term in terms:
            times = self.lines.put(term["times"], {})
            factor = self.bare.signs.show(times, False)
            out.append([1, factor, *([self.lemma(term["lemma"])] if "lemma" in term else [])])
        wanted, against = ">=" if rel == ">" else ">", ["*", -1, node]
        rest = self.lines.read(against) + self.bare.signs.sums.total(out) * MINUS
        try:
            out += [[1, self.show(wanted, spell(rest))]] if rest else []
            return self.bare.signs.conclude(out, wanted, against)
        except UnshownError:
            raise HoldsError("the lemmas do not contradict the conclusion in the model") from None

    def lemma(self, key: str) -> int:
        """A lemma in the model, its hypotheses shown."""
        line = self.lines.same(key, [])
        return self.lines.same(line, [self.show(*hyp) for hyp in self.lines[line].hyps])


def model_lines(outline: Record, model: Record, terms: list[Any], lemmas: Record) -> dict[str, Any]:
    """What defines the model, its lines, and which of them shows what; HoldsError if it refutes nothing.

    `terms` show the contradiction by `lemmas`, for what no value but only a lemma bounds.
    """
    lines = Lines([])
    statement = sealed(outline)
    for name, domain in outline["quantities"].items():
        defined = kind(domain)[0] in ("is", "class")
        lines.takes["letters"][name] = kind(domain) if defined else ["is", model[name]]
    lines.proof.theory = find(class_of(lines.takes["letters"]), lines.proof.theory)
    for key, source in lemmas.items():
        for name, domain in source["quantities"].items():
            lines.takes["letters"].setdefault(name, kind(domain))
        lines.proof.reached[key] = modelled(lines.proof, sealed(source))
    found, (rel, expr) = Model(lines), statement["says"]
    sorts = [(n, k[0]) for n, k in statement["letters"].items() if len(k) == 1]
    conditions = [h for n, sort in sorts for h in schemas.substitute(lines.proof, sort, n)]
    goals = [*conditions, *([r, e] for r, e, _ in statement["given"])]
    shown = [found.show(r, e) for r, e in goals]
    if terms:
        shown.append(found.through(terms, rel, expr))
    else:
        shown.append(found.show(rel, expr) if outline.get("exists") else found.refuted(rel, expr))
    kept, numbers = lines.resting(shown)
    return {"takes": lines.takes, "lines": kept, "shown": numbers}
