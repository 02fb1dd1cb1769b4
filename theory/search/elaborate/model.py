"""Models: the relations of a statement, shown for explicit objects by lines of the checker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from oubli.theory.kernel.checker import BOUND, class_of, modelled, stood_for
from oubli.theory.kernel.classes import find
from oubli.theory.kernel.encoding import kind, sealed
from oubli.theory.kernel.objects import CLOCK, DATA, PLACE, mentions
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
    spell_event,
    spell_gen,
    spell_law,
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
        if rel != "=":
            line = self.bare.signs.show(spell(p), rel == ">")
            terms, rel = [[1, line], *terms], self.lines[line].rel
        return self.met(self.bare.signs.conclude(terms, rel, node))

    def met(self, line: int | str) -> int:
        """A theorem, its hypotheses shown."""
        shown = [self.show(*hyp) for hyp in self.lines[line].hyps]
        return self.lines.same(line, shown) if shown else int(line)

    def granted(self, rel: str, node: Ast, terms: list[Any]) -> int:
        """The line of a relation that holds in the model, or follows from a lemma of some terms."""
        try:
            return self.show(rel, node)
        except UnshownError:
            for term in [term for term in terms if "lemma" in term]:
                with suppress(UnshownError):
                    line = self.lemma(term)
                    rest = self.lines.read(node) + self.lines.read(self.lines[line].expr) * MINUS
                    return self.bare.signs.conclude([[1, line], [1, self.show(">=", spell(rest))]], rel, node)
            raise

    def against(self, terms: list[Any], rel: str, node: Ast) -> int:
        """The line that contradicts a relation in the model, or from some lemmas."""
        try:
            return self.refuted(rel, node)
        except UnshownError:
            if not terms:
                raise
            return self.through(terms, rel, node)

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
        """Whether a generator speaks of a minimiser, an iterate, the largest of some functions, or a law."""
        if gen[0] == "in":
            return any(atom[0] in ("opt", "made") or steep(atom) for atom in gen[1])
        if gen[0] == "val":
            return bool(gen[1][0] == "max")
        if gen[0] in ("tv", "P"):
            return True
        if gen[0] == "E":
            return bool(expected(gen[1]))
        return gen[0] in ("sqrt", "inv", "Phi") and any(map(self.unsolved, generators(argument(gen))))

    def equation(self, gen: Any) -> tuple[int, Poly]:
        """The line gen - value = 0, and the value, which has one minimiser less."""
        if gen[0] in LAWS:
            return self.first(gen, LAWS[gen[0]](*gen[1:]))
        if gen[0] == "in" and (found := [atom for atom in gen[1] if atom[0] == "made"]):
            return self.iterate(gen, found[0])
        if gen[0] == "val":
            return self.piece(gen, "largest", *spell_gen(gen)[1:])
        if gen[0] == "in" and (found := [atom for atom in gen[1] if steep(atom)]):
            _, f, *at = spell_atom(found[0])
            return self.piece(gen, "largest slope", f, *at[:1], self.along(gen, found[0]), *at[1:])
        if gen[0] == "in":
            return self.minimiser(*sorted(gen[1], key=lambda atom: atom[0] != "opt"))
        u, terms = self.solved(argument(gen))
        before, after = spell(argument(gen)), spell(u)
        same = self.bare.signs.conclude(terms, "=", ["+", before, ["*", -1, after]])
        if gen[0] == "inv":
            return self.quotient(before, after, same)
        line = self.lines.add(
            "leaf", equal=["root" if gen[0] == "sqrt" else gen[0], before, after], met=[same]
        )
        return line, self.lines.read(["^", after, "1/2"] if gen[0] == "sqrt" else [gen[0], after])

    def quotient(self, before: Ast, after: Ast, same: int) -> tuple[int, Poly]:
        """1/u - 1/v = 0 where u - v = 0, of positive numbers."""
        over = [["^", u, -1] for u in (before, after)]
        line = self.lines.add(
            "combine",
            terms=[[["*", -1, *over], same]],
            says=["=", ["+", over[0], ["*", -1, over[1]]]],
            using=[[">", before], [">", after]],
            met=[self.show(">", before), self.show(">", after)],
        )
        return line, self.lines.read(over[1])

    def minimiser(self, o: Any, h: Any = None) -> tuple[int, Poly]:
        """<o, h> for the minimiser o of a tilted quadratic."""
        parts = dict(o[1])
        tilt = {atom[1]: Poly(dict(c)) * MINUS for atom, c in parts.items() if atom[0] == "lin"}
        if set(parts) - {("quad",)} != {("lin", atom) for atom in tilt}:
            raise UnshownError("a minimiser that is not known")
        v = spell_vector(frozenset((atom, frozenset(c.items())) for atom, c in tilt.items()))
        along = spell_atom(h or o)
        line = self.met(self.lines.add("leaf", schema=["tilted", v, along]))
        return line, self.lines.read(["in", ["v*", ["^", "mu", -1], v], along])

    def iterate(self, gen: Any, x: Any) -> tuple[int, Poly]:
        """<x, h> for an iterate x of the class, by the one before it."""
        return self.first(gen, [[name, spell_atom(x), self.along(gen, x)] for name in ("start", "step")])

    def along(self, gen: Any, x: Any) -> Ast:
        """What an atom is multiplied with in an inner product."""
        return spell_atom(next(iter({*gen[1]} - {x}), x))

    def piece(self, gen: Any, name: str, f: Ast, *rest: Ast) -> tuple[int, Poly]:
        """The value or the slope of the largest of affine functions: of the one that is the largest."""
        return self.first(gen, [[name, f, i, *rest] for i in range(len(f) // 3)])

    def first(self, gen: Any, schemas: list[Any]) -> tuple[int, Poly]:
        """The first of some schemas whose conditions hold, and what it says a generator is."""
        for schema in schemas:
            with suppress(UnshownError):
                line = self.met(self.lines.add("leaf", schema=schema))
                return line, Poly.of(*gen) + self.lines.read(self.lines[line].expr) * MINUS
        raise UnshownError(f"nothing says what {spell_gen(gen)!r:.60} is")

    def through(self, terms: list[Any], rel: str, node: Ast) -> int:
        """The line that contradicts a relation, from lemmas; HoldsError if they do not."""
        out = []
        for term in terms:
            times = self.lines.put(term["times"], {})
            line = [self.lemma(term)] if "lemma" in term else []
            equal = line and self.lines[line[0]].rel == "="
            out.append([times, *line] if equal else [1, self.bare.signs.show(times, False), *line])
        wanted, against = ">=" if rel == ">" else ">", ["*", -1, node]
        rest = self.lines.read(against) + self.bare.signs.sums.total(out) * MINUS
        try:
            out += [[1, self.show(wanted, spell(rest))]] if rest else []
            return self.bare.signs.conclude(out, wanted, against)
        except UnshownError:
            raise HoldsError("the lemmas do not contradict the conclusion in the model") from None

    def lemma(self, term: Record) -> int:
        """A lemma in the model, at values of letters that are its own, its hypotheses shown."""
        key, at = term["lemma"], term["with"]
        return self.met(
            self.lines.add("instance", of=key, **{"with": at}) if at else self.lines.same(key, [])
        )


def steep(atom: Any) -> bool:
    """Whether a vector is a slope of the largest of affine functions."""
    return bool(atom[0] == "grad" and atom[1][0] == "max")


def expected(product: Any) -> list[Any]:
    """The schemas that may say what a mean is: of |z|^2, or of <z, h>, for noise or a response z."""
    ((inside, power), *more) = product
    if inside[0] != "in" or power != 1 or more:
        return []
    z, *other = sorted(inside[1], key=lambda atom: atom[0] not in ("noise", "response"))
    if z[0] == "response":
        along = ["in", PLACE, *map(spell_atom, other)] if other else ["in", PLACE, PLACE]
        return [["mean response", *spell_atom(z)[1:], PLACE, along]]
    if z[0] != "noise":
        return []
    return [["centred", spell_atom(z), spell_atom(h)] for h in other] or [["moment", spell_atom(z)]]


def distance(pair: Any) -> list[Any]:
    """The schemas that may say what a total variation is: of two coins, or of two responses."""
    one, other = sorted(map(spell_law, pair), key=str)  # a set has another order in every process
    if one[0] == other[0] == "coins":
        return [["coin distance", one[2], other[2]], ["coin distance", other[2], one[2]]]
    if not one[0] == other[0] == "response":
        return []
    (_, p, w, u, v), (_, _, s, *_) = one, other
    return [["responses apart", p, w, s, u, v], ["responses apart", p, s, w, u, v]]


def half_space(law: Any, event: Any) -> list[Any]:
    """The schemas that may say how likely a fixed vector with Gaussian noise lies in a half space."""
    noises = [atom for atom, _ in law if atom[0] == "noise"]
    if len(noises) != 1 or isinstance(event, str):
        return []
    u = spell_vector(frozenset((atom, c) for atom, c in law if atom != noises[0]))
    return [[name, spell_atom(noises[0]), u, *spell_event(event)[1:]] for name in ("beyond", "not beyond")]


# What a total variation, a probability or a mean is.
LAWS: Mapping[str, Callable[..., list[Any]]] = {"tv": distance, "P": half_space, "E": expected}


def model_lines(outline: Record, model: Record, terms: list[Any], lemmas: Record) -> dict[str, Any]:
    """What defines the model, its lines, and which of them shows what; HoldsError if it refutes nothing.

    `terms` show the contradiction by `lemmas`, for what no value but only a lemma bounds.
    """
    lines = Lines([])
    statement = sealed(outline)
    for name, domain in outline["quantities"].items():
        defined = kind(domain)[0] in ("is", "class")
        lines.takes["letters"][name] = kind(domain) if defined else ["is", model[name]]
    for name in (DATA, CLOCK):
        if any(mentions(node, name) for node in model.values()):
            lines.takes["letters"][name] = BOUND[name]
    if mentions([*statement["letters"].values()], "response"):
        lines.takes["letters"][PLACE] = BOUND[PLACE]
    lines.proof.theory = find(class_of(lines.takes["letters"]), lines.proof.theory)
    for key, source in lemmas.items():
        for name, domain in source["quantities"].items():
            lines.takes["letters"].setdefault(name, kind(domain))
        lines.proof.reached[key] = modelled(lines.proof, sealed(source))
    found, (rel, expr) = Model(lines), statement["says"]
    named = [n for n, k in statement["letters"].items() if len(k) == 1]
    conditions = [h for n in named for h in stood_for(lines.proof, statement, n)]
    goals = [*conditions, *([r, e] for r, e, _ in statement["given"])]
    shown = [found.granted(r, e, terms) for r, e in goals]
    if outline.get("exists"):
        shown.append(found.granted(rel, expr, terms))
    else:
        shown.append(found.against(terms, rel, expr))
    kept, numbers = lines.resting([found.met(line) for line in shown])
    return {"takes": lines.takes, "lines": kept, "shown": numbers}
