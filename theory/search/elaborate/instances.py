"""Instances: the relations of a statement at values of its letters, each shown by a line of the checker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oubli.theory.kernel.checker import observe
from oubli.theory.kernel.encoding import sealed
from oubli.theory.search.elaborate.context import Context
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast
from oubli.theory.search.elaborate.spell import rational
from oubli.theory.search.quotients import exact

Record = Mapping[str, Any]


class HoldsError(Exception):
    """The conclusion is true at the instance."""


def instance_lines(
    outline: Record, witness: Record, sources: Record, assumed: Record, domains: Record
) -> dict[str, Any]:
    """What a witness assumes, its lines, and which of them shows what; HoldsError if it is none."""
    lines = Lines([])
    lines.declare(outline["quantities"])
    lines.take_in(sources, assumed, domains)
    statement, values = sealed(outline), settled(outline, witness)
    # Nothing is known but the values: signs are those of numbers.
    bare = Context(lines, {"quantities": {}, "given": [], "says": statement["says"]}, {})
    shown = [bare.shown(rel, lines.put(expr, values)) for rel, expr, _ in statement["given"]]
    rel, expr = statement["says"]
    goal = lines.put(expr, values)
    if witness.get("terms"):
        shown.append(through(bare, witness["terms"], values, ["*", -1, goal]))
    else:
        shown.append(bare.shown(rel, goal) if outline.get("exists") else opposite(bare, rel, goal))
    kept, numbers = lines.resting(shown)
    return {"takes": lines.takes, "lines": kept, "shown": numbers}


def settled(outline: Record, witness: Record) -> dict[str, Ast]:
    """The values of an instance, observables of its model evaluated."""
    model, values = witness.get("model", {}), witness["values"]
    out = {letter: observe(node, model, values) for letter, node in values.items()}
    for letter in [n for n in outline["quantities"] if n[0] == "<" and "vectors" in model]:
        a, b = ([exact(x) for x in model["vectors"][name]] for name in letter[1:-1].split(","))
        out[letter] = rational(sum((x * y for x, y in zip(a, b, strict=True)), exact(0)))
    return out


def opposite(ctx: Context, rel: str, goal: Ast) -> int:
    """The line that refutes a relation between numbers; HoldsError if it is true."""
    for node, strict in [(["*", -1, goal], rel != ">"), *([(goal, True)] if rel == "=" else [])]:
        try:
            return ctx.signs.show(node, strict)
        except UnshownError:
            continue
    ctx.shown(rel, goal)
    raise HoldsError("the conclusion holds at the witness")


def through(ctx: Context, terms: list[Any], values: Mapping[str, Ast], goal: Ast) -> int:
    """The negated conclusion from lemmas taken at the witness."""
    lines, out = ctx.lines, list[Any]()
    chosen = {a: b for a, b in values.items() if not lines.measured(a)}
    for term in terms:
        times = lines.put(term["times"], values)
        if "lemma" not in term:
            out.append([1, ctx.signs.show(times, False)])
            continue
        if any(lines.measured(a) and a != b for a, b in term["with"].items()):
            raise UnshownError("a measured letter stands for itself alone")
        at = {a: lines.put(b, values) for a, b in term["with"].items()}
        line = lines.same(lines.at(term["lemma"], {**chosen, **at}), [])
        line = lines.same(line, [ctx.shown(*h) for h in lines[line].hyps])
        out.append([times, line] if lines[line].rel == "=" else [1, ctx.signs.show(times, True), line])
    return ctx.signs.conclude(out, ">", goal)
