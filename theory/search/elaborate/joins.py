"""Joins: cases, inductions, sums, integrals and means of earlier steps as lines of the checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oubli.theory.kernel.objects import INDEX, NUMBERS
from oubli.theory.kernel.poly import Poly, Theorem, minus
from oubli.theory.kernel.terms import names
from oubli.theory.search.elaborate.context import Context
from oubli.theory.search.elaborate.lines import UnshownError
from oubli.theory.search.elaborate.nodes import Ast, parts, readings
from oubli.theory.search.elaborate.spell import coefficients, spell
from oubli.theory.search.elaborate.steps import NATURAL, Steps

# Generators that are functions of nothing that a state could stand in.
OPAQUE = ("name", "measure", *NUMBERS, "pi", "exp")
MEASURED = [None, False, None, False, False, True]


def reading(steps: Steps, step: Any, cited: list[int]) -> Context:
    """The context of a join: letters are read as what it joins has them."""
    nodes = [node for i in cited for node in parts(steps.lines[i])]
    steps.envs[step["name"]] = readings(nodes, step["statement"]["quantities"])
    return Context(steps.lines, step["statement"], steps.envs[step["name"]])


def again(steps: Steps, name: str) -> Context:
    """The context of an earlier step."""
    return Context(steps.lines, steps.named[name]["statement"], steps.envs[name])


def printed(step: Any) -> set[str]:
    """The names of the printed hypotheses of a step."""
    return set[str]().union(*(names(e) for _, e, _ in step["statement"]["given"]))


def cases(steps: Steps, step: Any) -> int:
    """The same conclusion on both sides of `on`."""
    lines, by = steps.lines, step["by"]
    sides = [steps.reached[by[k]] for k in ("nonnegative", "nonpositive")]
    ctx = reading(steps, step, sides)
    on, found = ctx.expand(by["on"]), []
    for line, condition in zip(sides, (on, ["*", -1, on]), strict=True):
        strict = condition == on and [">", on] in lines[line].hyps
        assumed = lines.add("leaf", assume=[">" if strict else ">=", condition])
        line = lines.same(line, [assumed])
        here = [h for h in lines[line].hyps if h != [lines[assumed].rel, condition]]
        open_ = [h for h in here if h not in ctx.hyps and not ctx.foreign(h[1])]
        line = lines.same(line, [ctx.shown(*h) for h in open_])
        found.append(ctx.stated(line))
    return lines.add("cases", of=found, on=on)


def induction(steps: Steps, step: Any) -> int:
    """An invariant at 0 that passes from t to t + 1, at its end."""
    lines, by, t = steps.lines, step["by"], step["by"]["index"]
    invariant = lines.put(by["invariant"], steps.envs[by["step"]])
    for letter in sorted((names(by["invariant"]) | printed(step)).union(by.get("fixed", []))):
        lines.hold(letter, t)
    before, during = again(steps, by["base"]), again(steps, by["step"])
    rel, last = "=" if step["statement"]["says"][0] == "=" else ">=", {k: by[k] for k in ("last",) if k in by}
    begin = [rel, lines.put(invariant, {t: 0})]
    first = before.restated(steps.reached[by["base"]], *begin)
    later = [rel, lines.put(invariant, {t: ["+", t, 1]})]
    after = during.restated(steps.reached[by["step"]], *later)
    assumed = lines.add("leaf", assume=[rel, invariant])
    below = [lines.add("leaf", assume=[">=", minus(end, ["+", t, 1])]) for end in last.values()]
    after = lines.same(after, [assumed, *below])
    line = lines.add("induction", of=[first, after], index=t, shows=[rel, invariant], **last)
    line = lines.add("instance", of=line, **{"with": {t: by["end"]}})
    ctx = reading(steps, step, [line])
    return ctx.stated(ctx.meet(line))


def integrate(steps: Steps, step: Any) -> int:
    """A bound on a slope, integrated."""
    lines, by, x = steps.lines, step["by"], step["by"]["variable"]
    for letter in sorted(names(by["function"]) | printed(step)):
        lines.hold(letter, x)
    inner, ctx = again(steps, by["step"]), reading(steps, step, [])
    f, (a, b) = inner.expand(by["function"]), (ctx.expand(by[end]) for end in ("from", "to"))
    needs: list[Any] = []
    slope = lines.proof.slope(f, x, needs)
    shown = [inner.restated(steps.reached[by["step"]], ">=", slope)]
    shown += [inner.signs.show(u, True) for u, _ in needs]
    shown += [ctx.signs.show(lines.put(u, {x: end}), True) for u, ends in needs if ends for end in (a, b)]
    line = lines.add("rise", of=shown, variable=x, function=f, between=[a, b])
    return ctx.stated(ctx.meet(line))


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
    ctx = reading(steps, step, [line])
    return ctx.stated(ctx.meet(line))


def over(steps: Steps, step: Any) -> int:
    """A bound at arbitrary objects as one on the supremum, the infimum, or the time, over them."""
    lines, by = steps.lines, step["by"]
    source = steps.reached[by["step"]]
    ctx = reading(steps, step, [source])
    term, (_, node) = by["term"], ctx.goal()
    up = term[0] not in ("least", "time")
    bound = spell(lines.read(["+", node, term] if up else minus(term, node)))
    line = lines.add(by["rule"], of=source, term=term, bound=bound, names=by["names"])
    return ctx.stated(ctx.meet(line))


def couple(steps: Steps, step: Any) -> int:
    """Two means against a total variation, from what holds at every point."""
    lines, by = steps.lines, step["by"]
    of = [steps.reached[name] for name in by["of"]]
    lines.declare_objects(["", *by["numbers"], *by["laws"]])
    ctx = reading(steps, step, of)
    parts_ = {k: by[k] for k in ("point", "numbers", "bound", "laws")}
    line = lines.add("couple", of=of, **parts_)
    return ctx.stated(ctx.meet(line))


def layers(steps: Steps, step: Any) -> int:
    """Means of a number between 0 and a bound, from what holds at every event."""
    lines, by = steps.lines, step["by"]
    of = [steps.reached[name] for name in by["of"]]
    lines.declare_objects(["", by["number"], *(law for _, law in by["laws"])])
    ctx = reading(steps, step, of)
    parts_ = {k: by[k] for k in ("event", "point", "number", "bound", "free", "laws")}
    line = lines.add("layers", of=of, **parts_)
    return ctx.stated(ctx.meet(line))


def tell(steps: Steps, step: Any) -> int:
    """Two means against what T signs tell, from what holds at every point for all weights."""
    lines, by = steps.lines, step["by"]
    of = steps.reached[by["step"]]
    lines.declare({INDEX: NATURAL})
    lines.declare_objects(["", *by["numbers"], by["bound"], *by["problems"]])
    ctx = reading(steps, step, [of])
    parts_ = {k: by[k] for k in ("point", "weights", "numbers", "bound", "shares", "problems")}
    return ctx.stated(ctx.meet(lines.add("tell", of=of, **parts_)))


def spread(steps: Steps, step: Any) -> int:
    """What holds for every two orthonormal vectors, or point of the cube, in the mean over them."""
    line = steps.lines.add(step["by"]["rule"], of=steps.reached[step["by"]["step"]])
    ctx = reading(steps, step, [line])
    return ctx.stated(ctx.meet(line))


def sweep(steps: Steps, step: Any) -> int:
    """Means over two balls of places."""
    lines, by = steps.lines, step["by"]
    lines.declare_objects(by["shift"])
    nothing = lines.add("combine", terms=[])
    of = [steps.reached[name] if name else nothing for name in by["of"]]
    numbers = {part: by[part] for part in ("radius", "smaller", "share", "shift")}
    line = lines.add("sweep", of=of, **numbers)
    ctx = reading(steps, step, [line])
    return ctx.stated(ctx.meet(line))


RULES: dict[str, Callable[[Steps, Any], int]] = {
    "identity": Steps.combination,
    "combination": Steps.combination,
    "subdivision": Steps.subdivision,
    "cases": cases,
    "induction": induction,
    "integrate": integrate,
    "expectation": expectation,
    "over": over,
    "reach": over,
    "couple": couple,
    "layers": layers,
    "tell": tell,
    "spin": spread,
    "fill": spread,
    "sweep": sweep,
}
