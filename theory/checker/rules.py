"""The rules by which a step of a proof is accepted: leaves and joins, closed and few."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from typing import Any

from theory.checker.bounds import Interval, bounds
from theory.checker.grammar import (
    NAME,
    Ast,
    derivative,
    minus,
    models,
    names,
    need,
    number,
    substitute,
    wellformed,
)
from theory.checker.ring import Ring, accepts_identity, same
from theory.checker.signs import Signs, domain_relations

# The reasons a hypothesis may have; `given` is a printed one. Anything else is refused here, whoever asks.
REASONS = {
    "given", "strong convexity", "Lipschitz", "stationarity", "line", "ball", "definition", "privacy",
    "Cauchy-Schwarz", "Jensen", "coupling", "triangle", "data processing", "projection", "normal cone",
    "Gaussian privacy", "Mills", "exponential", "moments", "function",
}  # fmt: skip
# Domains as [lower, open, upper, open, integer, measured].
NATURAL = [0, False, None, False, True, False]
FREE_LETTER = [None, False, None, False, False, False]


def wellformed_statement(statement: Mapping[str, Any]) -> None:
    """Reject a statement with undeclared names, empty domains, unknown relations or unknown reasons."""
    for name, (lower, lo_open, upper, up_open, _int, _measured) in statement["quantities"].items():
        need(NAME.fullmatch(name) is not None and number(name) is None, f"not a name: {name!r}")
        for end in (lower, upper):
            need(end is None or number(end) is not None, f"an end of the domain of {name} is no number")
        if lower is not None and upper is not None:
            gap = (number(upper) or Q(0)) - (number(lower) or Q(0))
            need(gap > 0 or (gap == 0 and not (lo_open or up_open)), f"the domain of {name} is empty")
    for rel, expr, *why in [*statement["given"], statement["says"]]:
        need(rel in (">=", ">", "="), f"unknown relation {rel}")
        need(not why or why[0] in REASONS, f"unknown reason {why}")
        wellformed(expr)
        need(not models(expr), "a model function in a statement")
        loose = names(expr) - set(statement["quantities"])
        need(not loose, f"undeclared names: {sorted(loose)}")


def combination(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """says = sum of nonnegative multipliers times relations known to hold, as an exact identity."""
    signs = Signs(statement)
    relation, goal = statement["says"]
    signs.safe(goal)
    total: list[Ast] = ["+", 0]
    strict = False
    need(isinstance(by["terms"], list), "the terms of a combination are a list")
    one_instantiation(statement, by["terms"], known)
    for term in by["terms"]:
        rel, expr = source_of(term, statement, known, signs)
        multiplier = term["times"]
        wellformed(multiplier)
        need(not models(multiplier), "a model function in a proof")
        signs.safe(multiplier)
        if rel != "=":
            need(relation != "=", "an equation cannot rest on an inequality")
            need(signs.holds(multiplier, False), f"a multiplier is not shown nonnegative: {multiplier}")
            strict = strict or (rel == ">" and signs.holds(multiplier, True))
        total.append(["*", multiplier, expr])
    need(relation != ">" or strict, "a strict conclusion needs a strict term")
    need(accepts_identity(minus(goal, total)), "the combination is not the conclusion")


def one_instantiation(statement: Mapping[str, Any], terms: list[Any], known: Mapping[str, Any]) -> None:
    """Reject a measured letter that two relations take at different values of one parameter."""
    seen: dict[tuple[str, str], Ast] = {}

    def note(letter: str, parameter: str, value: Ast) -> None:
        first = seen.setdefault((letter, parameter), value)
        need(first == value or same(first, value), f"{letter} is taken at two values of {parameter}")

    own = statement["quantities"]
    letters = {name for _, expr, _ in statement["given"] for name in names(expr) if own[name][5]}
    for letter in letters:
        for parameter in [name for name, domain in own.items() if not domain[5]]:
            note(letter, parameter, parameter)
    for term in [t for t in terms if "lemma" in t and t["lemma"] in known]:
        source, values = known[term["lemma"]], term["with"]
        parameters = [name for name, domain in source["quantities"].items() if not domain[5]]
        for name in names(source["says"][1]):
            if source["quantities"][name][5]:
                for parameter in parameters:
                    note(values.get(name, name), parameter, values.get(parameter, parameter))


def source_of(
    term: Mapping[str, Any], statement: Mapping[str, Any], known: Mapping[str, Any], signs: Signs
) -> tuple[str, Ast]:
    """The relation (sign, expression) that a term of a combination multiplies."""
    if "given" in term:
        index = term["given"]
        need(type(index) is int and 0 <= index < len(statement["given"]), "no such hypothesis")
        rel, expr, _why = statement["given"][index]
        return rel, expr
    for node in [term.get("square", 0), *term.get("norm", {}).values(), *term.get("with", {}).values()]:
        wellformed(node)
        need(not models(node), "a model function in a proof")
        signs.safe(node)
    if "square" in term:
        return ">=", ["^", term["square"], 2]
    if "norm" in term:
        vector = list(term["norm"].items())
        parts = [["*", c, k, gram(a, b)] for a, c in vector for b, k in vector]
        return ">=", ["+", 0, *parts]
    if "lemma" in term:
        return lemma(known, term, statement, signs)
    need("one" in term, "a term of a combination names no source")
    return ">", 1


def gram(a: str, b: str) -> str:
    """The name of the inner product of two basis vectors."""
    return f"<{min(a, b)},{max(a, b)}>"


def lemma(
    known: Mapping[str, Any], term: Mapping[str, Any], statement: Mapping[str, Any], signs: Signs
) -> tuple[str, Ast]:
    """The conclusion of a known statement under a substitution that meets its domains and hypotheses."""
    key, values = term["lemma"], term["with"]
    need(key in known, f"the lemma {key} is not known here")
    source = known[key]
    for name, value in values.items():
        # A measured letter stands for something; it may be renamed, not chosen.
        measured = name in source["quantities"] and source["quantities"][name][5]
        renamed = isinstance(value, str) and value in signs.measured
        need(not measured or renamed, f"{key}: {name} is measured, it cannot be set to {value}")
    # What occurs in no printed hypothesis nor in the conclusion is internal to the lemma's own proof.
    printed = [expr for _, expr, why in source["given"] if why == "given"]
    seen = names(source["says"][1]).union(*(names(expr) for expr in printed))
    for name, domain in source["quantities"].items():
        whole = name not in seen or not domain[4] or integral(values.get(name, name), signs)
        need(whole, f"{key}: {name} is no integer")
    for expr, strict in [item for item in domain_relations(source) if names(item[0]) <= seen]:
        need(signs.holds(substitute(expr, values), strict), f"{key}: a domain is not met: {expr}")
    for index, (rel, expr, why) in enumerate(source["given"]):
        if why != "given":
            continue
        moved = substitute(expr, values)
        if str(index) in term.get("because", {}):
            combination({**statement, "says": [rel, moved]}, {"terms": term["because"][str(index)]}, known)
        else:
            met = accepts_identity(moved) if rel == "=" else signs.holds(moved, rel == ">")
            need(met or stands(rel, moved, signs), f"{key}: a hypothesis is not met: {expr}")
    rel, expr = source["says"]
    return rel, substitute(expr, values)


def integral(node: Ast, signs: Signs) -> bool:
    """True only if the expression is an integer: built from integers by sums and products."""
    value = number(node)
    if value is not None:
        return value.denominator == 1
    if isinstance(node, str):
        return node in signs.integers
    return node[0] in ("+", "*") and all(integral(a, signs) for a in node[1:])


def stands(rel: str, expr: Ast, signs: Signs) -> bool:
    """True only if an equation stands among the equations of the statement at hand."""
    return rel == "=" and any(same(expr, e) for e in signs.equations)


def subdivision(statement: Mapping[str, Any], by: Mapping[str, Any], _known: Mapping[str, Any]) -> None:
    """says holds on every box of a bisection of the domain."""
    relation, goal = statement["says"]
    need(relation in (">", ">="), "a subdivision shows an inequality")
    box = {name: interval(statement, name) for name in names(goal)}
    leaves = cover(goal, box, by["tree"], by.get("bits", 64), 0)
    need(leaves <= 5000, "too many boxes")


def interval(statement: Mapping[str, Any], name: str) -> Interval:
    """The interval of a name: its domain, cut by given relations linear in that name alone."""
    lower, _, upper, *_rest = statement["quantities"][name]
    low, high = ([] if end is None else [number(end) or Q(0)] for end in (lower, upper))
    for rel, expr, _why in statement["given"]:
        if rel != "=" and names(expr) == {name}:
            num, den = Ring().quotient(expr)
            slope = num.get(((name, Q(1)),), Q(0))
            if set(den) == {()} and set(num) <= {((name, Q(1)),), ()} and slope:
                (low if slope / den[()] > 0 else high).append(-num.get((), Q(0)) / slope)
    need(bool(low) and bool(high), f"{name} ranges over an unbounded domain")
    return max(low), min(high)


def cover(goal: Ast, box: dict[str, Interval], tree: Any, bits: int, depth: int) -> int:
    """Accept a tree of boxes; the number of leaves."""
    need(depth <= 200 and 0 < bits <= 2000, "a subdivision is too deep or too fine")
    if tree == "positive":
        need(bounds(goal, box, bits)[0] > 0, f"not positive on {box}")
        return 1
    name, where = tree[0], number(tree[1])
    need(name in box and where is not None, "a split names no quantity")
    lo, hi = box[name]
    if len(tree) == 3:
        # f increases (+1) or decreases (-1) in the quantity on this box: its worst end decides.
        slope = bounds(["*", str(where), derivative(goal, name)], box, bits)
        need(slope[0] >= 0 and abs(where or Q(0)) == 1, f"not monotone in {name} on {box}")
        end = lo if where == 1 else hi
        return cover(goal, {**box, name: (end, end)}, tree[2], bits, depth + 1)
    assert where is not None
    need(lo < where < hi, "a split outside its box")
    return sum(
        cover(goal, {**box, name: part}, sub, bits, depth + 1)
        for part, sub in (((lo, where), tree[2]), ((where, hi), tree[3]))
    )


def within(small: Mapping[str, Any], large: Mapping[str, Any], extra: list[Any]) -> None:
    """Reject unless every hypothesis and domain of `small` stands in `large` (or in extra)."""
    pool = [(r, e) for r, e, _ in large["given"]] + [tuple(x) for x in extra]
    for rel, expr, why in small["given"]:
        if why == "given":
            need(any(r == rel and same(e, expr) for r, e in pool), f"a case assumes more: {expr}")
    for name, domain in small["quantities"].items():
        need(large["quantities"].get(name, domain) == domain, f"a case restricts {name}")


def cases(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """says holds where `on` >= 0 and where `on` <= 0."""
    need(names(by["on"]) <= set(statement["quantities"]), "the cases split on a name that is not there")
    Signs(statement).safe(by["on"])
    for key, condition in ((by["nonnegative"], by["on"]), (by["nonpositive"], ["*", -1, by["on"]])):
        need(key in known, f"the step {key} is not known here")
        need(known[key]["says"][0] == statement["says"][0], "a case has another relation")
        need(same(known[key]["says"][1], statement["says"][1]), "a case has another conclusion")
        within(known[key], statement, [[">=", condition]])


def induction(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """An invariant holds at 0 and passes from t to t+1, so it holds at every T."""
    t, invariant = by["index"], by["invariant"]
    base, step, signs = known[by["base"]], known[by["step"]], Signs(statement)
    natural = integral(by["end"], signs) and signs.holds(by["end"], False)
    need(natural, "the end of an induction is no natural number")
    need(step["quantities"].get(t, NATURAL) == NATURAL, "the index must run over all of 0, 1, 2, …")
    need(t not in names(statement["says"][1]), "the index of an induction is left in its conclusion")
    for letter in by["next"]:
        need(step["quantities"].get(letter, FREE_LETTER)[5], f"the state {letter} must be a measured letter")
    start = substitute(invariant, {t: 0, **by["start"]})
    need(base["says"][0] == ">=" and same(base["says"][1], start), "the base is not the invariant at 0")
    later = substitute(invariant, {t: ["+", t, 1], **by["next"]})
    need(step["says"][0] == ">=" and same(step["says"][1], later), "the step is not the invariant at t+1")
    need(statement["says"][0] == ">=", "an induction shows an inequality")
    need(same(statement["says"][1], substitute(invariant, {t: by["end"]})), "not the invariant at the end")
    within(base, statement, [])
    within(step, statement, [[">=", invariant]])


def monotone(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """f' >= 0 on a domain that holds [from, to], hence f(to) - f(from) >= 0."""
    x, f, step = by["variable"], by["function"], known[by["step"]]
    need(step["says"][0] in (">=", ">"), "a slope is shown by an inequality")
    slope = derivative(f, x)
    need(same(step["says"][1], slope), "the step does not show the slope of the function")
    smooth(step, statement, [f, slope], f, x, [by["from"], by["to"]])
    rise = minus(substitute(f, {x: by["to"]}), substitute(f, {x: by["from"]}))
    need(statement["says"][0] == ">=" and same(statement["says"][1], rise), "not the rise of the function")
    interval_fits(statement, step, by)


def convex(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """f'' >= 0 on a domain that holds [from, to], hence f lies below its chord at a point between."""
    x, f, step = by["variable"], by["function"], known[by["step"]]
    a, b, at = by["from"], by["to"], by["at"]
    need(step["says"][0] in (">=", ">"), "a curvature is shown by an inequality")
    slope = derivative(f, x)
    curvature = derivative(slope, x)
    need(same(step["says"][1], curvature), "the step does not show the curvature")
    smooth(step, statement, [f, slope, curvature], f, x, [a, b, at])
    weighed = [["*", minus(b, at), substitute(f, {x: a})], ["*", minus(at, a), substitute(f, {x: b})]]
    chord = minus(["+", *weighed], ["*", minus(b, a), substitute(f, {x: at})])
    need(statement["says"][0] == ">=" and same(statement["says"][1], chord), "not the chord of the function")
    interval_fits(statement, step, {**by, "to": at})
    interval_fits(statement, step, {**by, "from": at})


def integrate(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """slope <= K'(x) pointwise, hence the rise of what has that slope is at most K(to) - K(from)."""
    x, bound, step = by["variable"], by["bound"], known[by["step"]]
    slope, rise_letter = by["slope"], by["rise"]
    for letter, where in ((slope, step), (rise_letter, statement)):
        measured = isinstance(letter, str) and where["quantities"].get(letter, FREE_LETTER)[5]
        need(measured, "a rise is a measured letter")
    free = all(rise_letter not in names(expr) for _, expr, _ in statement["given"])
    need(free, "the rise is bound by a hypothesis")
    smooth(step, statement, [bound, derivative(bound, x)], bound, x, [by["from"], by["to"]])
    need(step["says"][0] in (">=", ">"), "a slope is bounded by an inequality")
    need(same(step["says"][1], minus(derivative(bound, x), by["slope"])), "not a bound of the slope")
    rise = minus(substitute(bound, {x: by["to"]}), substitute(bound, {x: by["from"]}))
    goal = minus(rise, by["rise"])
    need(statement["says"][0] == ">=" and same(statement["says"][1], goal), "not the integrated bound")
    interval_fits(statement, step, by)


def smooth(
    step: Mapping[str, Any], statement: Mapping[str, Any], inside: list[Ast], f: Ast, x: str, ends: list[Ast]
) -> None:
    """Reject unless f and the derivatives used are defined inside, and f at the ends."""
    for node in inside:
        Signs(step).safe(node)
    for end in ends:
        Signs(statement).safe(substitute(f, {x: end}))


def interval_fits(statement: Mapping[str, Any], step: Mapping[str, Any], by: Mapping[str, Any]) -> None:
    """Reject unless from <= to and both lie in the domain on which the step holds."""
    signs, x = Signs(statement), by["variable"]
    need(signs.holds(minus(by["to"], by["from"]), False), "the ends are not shown to be in order")
    need(all(x not in names(e) for r, e, why in step["given"] if why == "given"), "the slope assumes more")
    lower, _lo_open, upper, _up_open, integer, _measured = step["quantities"][x]
    need(not integer, "a slope in an integer")
    # A bound on the open interval extends to its ends: f is continuous there.
    need(lower is None or signs.holds(minus(by["from"], lower), False), "the interval starts too early")
    need(upper is None or signs.holds(minus(upper, by["to"]), False), "the interval ends too late")
    rest = {**step, "quantities": {k: v for k, v in step["quantities"].items() if k != x}}
    within(rest, statement, [])


def expectation(statement: Mapping[str, Any], by: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """A pointwise relation, linear in the random names, holds for means over an event of given mass."""
    step, means = known[by["step"]], by["means"]
    rel, expr = step["says"]
    signs = Signs(statement)
    probable = signs.holds(by["mass"], False) and signs.holds(minus(1, by["mass"]), False)
    need(probable, "a mass is not shown to be a probability")
    for random, mean in means.items():
        letters = isinstance(mean, str) and statement["quantities"].get(mean, FREE_LETTER)[5]
        need(letters and step["quantities"].get(random, FREE_LETTER)[5], "a mean is a measured letter")
    slopes = {y: derivative(expr, y) for y in means}
    constant = substitute(expr, dict.fromkeys(means, 0))
    linear = ["+", constant, *(["*", c, y] for y, c in slopes.items())]
    need(same(expr, linear), "not linear in what is averaged")
    flat = all(accepts_identity(derivative(c, y)) for c in slopes.values() for y in means)
    need(flat, "a random coefficient")
    goal = ["+", ["*", by["mass"], constant], *(["*", c, means[y]] for y, c in slopes.items())]
    need(rel == statement["says"][0] == ">=" and same(statement["says"][1], goal), "not the mean of the step")
    within(step, statement, [])


def summation(statement: Mapping[str, Any], by: Mapping[str, Any], _known: Mapping[str, Any]) -> None:
    """closed(last) = total, where the letter total stands for the sum of term over first … last."""
    n, closed, term, signs = by["index"], by["closed"], by["term"], Signs(statement)
    total, length = by["total"], minus(by["last"], by["first"])
    letter = isinstance(total, str) and statement["quantities"].get(total, FREE_LETTER)[5]
    need(letter and not statement["given"], "the total of a sum is a measured letter, bound by nothing else")
    need(integral(length, signs) and signs.holds(["+", length, 1], False), "a sum over no range of integers")
    first = substitute(closed, {n: by["first"]})
    need(same(first, substitute(term, {n: by["first"]})), "the closed form starts wrongly")
    rise = minus(substitute(closed, {n: ["+", n, 1]}), closed)
    need(same(rise, substitute(term, {n: ["+", n, 1]})), "the closed form does not grow by the term")
    goal = minus(substitute(closed, {n: by["last"]}), total)
    need(statement["says"][0] == "=" and same(statement["says"][1], goal), "not the sum in question")


def identity(statement: Mapping[str, Any], _by: Mapping[str, Any], _known: Mapping[str, Any]) -> None:
    """says is an equation whose two sides are the same quotient of polynomials."""
    Signs(statement).safe(statement["says"][1])
    need(statement["says"][0] == "=", "an identity is an equation")
    need(accepts_identity(statement["says"][1]), "the two sides differ")


RULES = {
    "identity": identity,
    "sum": summation,
    "combination": combination,
    "subdivision": subdivision,
    "cases": cases,
    "induction": induction,
    "monotone": monotone,
    "convex": convex,
    "integrate": integrate,
    "expectation": expectation,
}
