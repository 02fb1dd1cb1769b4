"""Joins: cases, inductions, sums, integrals and means of earlier steps as lines of the checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oubli.theory.kernel.objects import NUMBERS
from oubli.theory.kernel.poly import Poly, Theorem, minus
from oubli.theory.kernel.terms import names, substitute
from oubli.theory.search.elaborate.context import Context
from oubli.theory.search.elaborate.lines import Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast, parts, readings
from oubli.theory.search.elaborate.spell import argument, coefficients, generators, spell
from oubli.theory.search.elaborate.steps import NATURAL, Steps

# Generators that are functions of nothing that a state could stand in.
OPAQUE = ("name", "measure", *NUMBERS, "pi", "exp")
MEASURED = [None, False, None, False, False, True]


def reading(steps: Steps, step: Any, cited: list[int], moved: dict[str, Ast]) -> Context:
    """The context of a join: letters are read as what it joins has them, what moved where it ended."""
    nodes = [node for i in cited for node in parts(steps.lines[i])]
    steps.envs[step["name"]] = {**readings(nodes, step["statement"]["quantities"]), **moved}
    return Context(steps.lines, step["statement"], steps.envs[step["name"]])


def again(steps: Steps, name: str) -> Context:
    """The context of an earlier step."""
    return Context(steps.lines, steps.named[name]["statement"], steps.envs[name])


def printed(step: Any) -> set[str]:
    """The names of the printed hypotheses of a step."""
    return set[str]().union(*(names(e) for _, e, why in step["statement"]["given"] if why == "given"))


def cases(steps: Steps, step: Any) -> int:
    """The same conclusion on both sides of `on`."""
    lines, by = steps.lines, step["by"]
    sides = [steps.reached[by[k]] for k in ("nonnegative", "nonpositive")]
    ctx = reading(steps, step, sides, {})
    on, found = ctx.expand(by["on"]), []
    for line, condition in zip(sides, (on, ["*", -1, on]), strict=True):
        strict = condition == on and [">", on] in lines[line].hyps
        assumed = lines.add("leaf", assume=[">" if strict else ">=", condition])
        line = lines.same(line, [assumed])
        here = [h for h in lines[line].hyps if h != [lines[assumed].rel, condition]]
        open_ = [h for h in here if h not in ctx.hyps and not ctx.foreign(h[1])]
        line = lines.same(line, [ctx.shown(*h) for h in open_])
        found.append(ctx.stated(line, []))
    return lines.add("cases", of=found, on=on)


def induction(steps: Steps, step: Any) -> int:
    """An invariant at 0 that passes from t to t + 1, at its end."""
    lines, by, t = steps.lines, step["by"], step["by"]["index"]
    invariant = lines.put(by["invariant"], steps.envs[by["step"]])
    held = (names(by["invariant"]) | printed(step)).union(by.get("fixed", [])) - set(by["next"])
    for letter in sorted(held):
        lines.hold(letter, t)
    before, during = again(steps, by["base"]), again(steps, by["step"])
    rel, last = "=" if step["statement"]["says"][0] == "=" else ">=", {k: by[k] for k in ("last",) if k in by}
    begin = [rel, lines.put(invariant, {t: 0})]
    first = rewritten(before, steps.reached[by["base"]], begin, starts(lines, by))
    later = [rel, lines.put(invariant, {t: ["+", t, 1]})]
    after = rewritten(during, steps.reached[by["step"]], later, moves(during, by))
    assumed = lines.add("leaf", assume=[rel, invariant])
    below = [lines.add("leaf", assume=[">=", minus(end, ["+", t, 1])]) for end in last.values()]
    after = lines.same(after, [assumed, *below])
    line = lines.add("induction", of=[first, after], index=t, shows=[rel, invariant], **last)
    line = lines.add("instance", of=line, **{"with": {t: by["end"]}})
    ctx = reading(steps, step, [line], {a: ["@", a, {t: by["end"]}] for a in by["next"]})
    return ctx.stated(ctx.meet(line), [])


def starts(lines: Lines, by: Any) -> list[int]:
    """Where the states start."""
    at = {by["index"]: 0}
    return [lines.fact("=", minus(["@", a, at], value), "state", []) for a, value in by["start"].items()]


def moves(ctx: Context, by: Any) -> list[int]:
    """Where the states are at the next time."""
    lines, t, out = ctx.lines, by["index"], []
    for letter, value in by["next"].items():
        for name in sorted(names(value) - set(lines.takes["letters"])):
            lines.declare({name: MEASURED})
        moved = ["@", letter, {t: ["+", t, 1]}]
        given = [h for h in ctx.hyps if h[1] == minus(t, 0)]
        out.append(lines.fact("=", minus(moved, ctx.expand(value)), "state", given))
    return out


def rewritten(ctx: Context, line: int, relation: list[Any], facts: list[int]) -> int:
    """A theorem written with letters that facts (letter at a time = value) tell, inside functions too."""
    lines, equations, (rel, goal) = ctx.lines, list(facts), relation
    for i in facts:
        state, value = lines[i].expr[1], lines[i].expr[2][2]
        for gen in [g for g in generators(lines.read(goal)) if g[0] not in OPAQUE]:
            if argument(gen) == lines.read(state):
                equations.append(lines.add("leaf", equal=[gen[0], state, value], met=[i]))
    return ctx.restated(line, rel, goal, equations)


def total(steps: Steps, step: Any) -> int:
    """The closed form of a sum, by induction on its length."""
    lines, by = steps.lines, step["by"]
    n, closed, letter = by["index"], by["closed"], by["total"]
    lines.declare({n: NATURAL})
    before, later = ["+", by["first"], -1], ["+", n, 1]
    at = ["+", before, n]
    empty = lines.fact("=", minus(["@", letter, {n: before}], 0), "sum", [])
    grown = ["+", letter, substitute(by["term"], {n: later})]
    grows = lines.fact("=", minus(["@", letter, {n: later}], grown), "sum", [])
    claim = minus(substitute(closed, {n: at}), ["@", letter, {n: at}])
    ctx = reading(steps, step, [], {letter: ["@", letter, {n: by["last"]}]})
    base = ctx.signs.conclude([[-1, empty]], "=", lines.put(claim, {n: 0}))
    assumed = lines.add("leaf", assume=["=", claim])
    one = lines.add("instance", of=grows, **{"with": {n: at}})
    after = ctx.signs.conclude([[1, assumed], [-1, one]], "=", lines.put(claim, {n: later}))
    line = lines.add("induction", of=[base, after], index=n, shows=["=", claim])
    line = lines.add("instance", of=line, **{"with": {n: ["+", by["last"], ["*", -1, before]]}})
    return ctx.stated(ctx.meet(line), [])


def integrate(steps: Steps, step: Any) -> int:
    """A bound on a slope, integrated: what has that slope is a letter of its own."""
    lines, by, x = steps.lines, step["by"], step["by"]["variable"]
    for letter in sorted((names(by["function"]) | printed(step)) - {by.get("rise")}):
        lines.hold(letter, x)
    inner, ctx = again(steps, by["step"]), reading(steps, step, [], {})
    f, (a, b), ties = inner.expand(by["function"]), (ctx.expand(by[end]) for end in ("from", "to")), []
    if "rise" in by:
        area = f"int_{by['slope']}"
        lines.declare({area: MEASURED})
        lines.takes["slopes"][area] = [x, by["slope"]]
        between = minus(["@", area, {x: b}], ["@", area, {x: a}])
        f, ties = minus(f, area), [lines.fact("=", minus(by["rise"], between), "integral", [])]
    needs: list[Any] = []
    slope = lines.proof.slope(f, x, needs)
    shown = [inner.restated(steps.reached[by["step"]], ">=", slope, [])]
    shown += [inner.signs.show(u, True) for u, _ in needs]
    shown += [ctx.signs.show(lines.put(u, {x: end}), True) for u, ends in needs if ends for end in (a, b)]
    line = lines.add("rise", of=shown, variable=x, function=f, between=[a, b])
    return ctx.stated(ctx.meet(line), ties)


def expectation(steps: Steps, step: Any) -> int:
    """The mean of a relation that is linear in what is random."""
    lines, by, times = steps.lines, step["by"], dict[str, Ast]()
    source = steps.reached[by["step"]]
    for theorem in (lines[source], Theorem([], ">=", by["mass"])):
        for letter in sorted(set(lines.measured_in(theorem)) - set(by["means"])):
            lines.hold(letter, "chance")
    event, p = "everything" if by["mass"] == 1 else f"event of {step['name']}", lines.read(lines[source].expr)
    for y, m in by["means"].items():
        found = coefficients(p, ("name", y, frozenset()))
        if set(found) - {0, 1}:
            raise UnshownError(f"not linear in {y}")
        times[m], p = spell(found.get(1, Poly())), found.get(0, Poly())
        lines.takes["means"][m] = [y, event, by["mass"]]
    line = lines.add("mean", of=source, free=spell(p), times=times)
    ctx = reading(steps, step, [line], {})
    return ctx.stated(ctx.meet(line), [])


def over(steps: Steps, step: Any) -> int:
    """A bound at arbitrary objects as one on the supremum, the infimum, or the time, over them."""
    lines, by = steps.lines, step["by"]
    source = steps.reached[by["step"]]
    ctx = reading(steps, step, [source], {})
    term, (_, node) = by["term"], ctx.goal()
    up = term[0] not in ("least", "time")
    bound = spell(lines.read(["+", node, term] if up else minus(term, node)))
    line = lines.add(by["rule"], of=source, term=term, bound=bound, names=by["names"])
    return ctx.stated(ctx.meet(line), [])


def couple(steps: Steps, step: Any) -> int:
    """Two means against a total variation, from what holds at every point."""
    lines, by = steps.lines, step["by"]
    of = [steps.reached[name] for name in by["of"]]
    lines.declare_objects(["", *by["numbers"], *by["laws"]])
    ctx = reading(steps, step, of, {})
    parts_ = {k: by[k] for k in ("point", "numbers", "bound", "laws")}
    line = lines.add("couple", of=of, **parts_)
    return ctx.stated(ctx.meet(line), [])


RULES: dict[str, Callable[[Steps, Any], int]] = {
    "identity": Steps.combination,
    "combination": Steps.combination,
    "subdivision": Steps.subdivision,
    "sum": total,
    "cases": cases,
    "induction": induction,
    "integrate": integrate,
    "expectation": expectation,
    "over": over,
    "reach": over,
    "couple": couple,
}
