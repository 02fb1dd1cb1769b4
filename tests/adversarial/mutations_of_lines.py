"""Mutations of the lines of a certificate: each changes one thing in one of them."""

import random
from fractions import Fraction
from typing import Any

from oubli.theory.kernel.poly import number
from tests.adversarial.places import (
    CITING,
    HEADS,
    JUNK,
    PARTS,
    RELATIONS,
    Certificate,
    Mutation,
    Place,
    at,
    chosen,
    expressions,
    places,
    put,
    references,
)


def number_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """One number of an expression."""
    named = set(references(c))
    inside = [p for p, n in places(c["lines"], ("lines",)) if p[2:] and not isinstance(n, bool)]
    assumed = [
        p for p in inside if p not in named and p[2] not in ("bits", "box") and number(at(c, p)) is not None
    ]
    if not (path := chosen(assumed, rng)):
        return None
    # No larger: whether a mutant is a proof still is told in floats.
    changed = number(at(c, path)) + rng.choice([1, -1, 7, Fraction(1, 3), 10**7])
    put(c, path, int(changed) if changed.denominator == 1 else str(changed))
    return c


def sign_flipped(c: Certificate, rng: random.Random) -> Certificate | None:
    """An expression with the other sign."""
    if not (path := chosen(expressions(c), rng)):
        return None
    put(c, path, ["*", -1, at(c, path)])
    return c


def head_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A sum made a product, a function made another."""
    inside = [(p, n) for e in expressions(c) for p, n in places(at(c, e), e)]
    heads = [(*p, 0) for p, n in inside if isinstance(n, list) and n and n[0] in HEADS]
    if not (path := chosen(heads, rng)):
        return None
    put(c, path, rng.choice([h for h in HEADS if h != at(c, path)]))
    return c


def letter_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A letter made another, or one that nobody declared."""
    inside = [(p, n) for e in expressions(c) for p, n in places(at(c, e), e)]
    if not (path := chosen([p for p, n in inside if isinstance(n, str) and n in c["takes"]["letters"]], rng)):
        return None
    put(c, path, rng.choice([n for n in [*c["takes"]["letters"], "nobody", "chance"] if n != at(c, path)]))
    return c


def relation_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A relation of a line made another."""
    found: list[Place] = []
    for i, line in enumerate(c["lines"]):
        found += [("lines", i, key, 0) for key in ("says", "assume", "shows") if key in line]
        found += [("lines", i, "using", j, 0) for j in range(len(line.get("using", [])))]
    if not (path := chosen(found, rng)):
        return None
    put(c, path, rng.choice([r for r in RELATIONS if r != at(c, path)]))
    return c


def reference_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """Another line, a later one, the line itself, one that does not exist, a lemma."""
    if not (path := chosen(references(c), rng)):
        return None
    many = len(c["lines"])
    others = [*range(many), path[1], many, 10**9, "nobody", None, *c["lemmas"]]
    put(c, path, rng.choice([r for r in others if r != at(c, path)]))
    return c


def later_cited(c: Certificate, rng: random.Random) -> Certificate | None:
    """A line that rests on itself or on one after it: a circle."""
    if not (path := chosen(references(c), rng)):
        return None
    put(c, path, rng.randint(path[1], len(c["lines"]) - 1))
    return c


def part_dropped(c: Certificate, rng: random.Random) -> Certificate | None:
    """A term, a relation that is used, a line that meets a hypothesis, a side of a join, a box: gone."""
    found: list[Place] = []
    for i, line in enumerate(c["lines"]):
        parts = [(k, line[k]) for k in PARTS if k in line and (k != "of" or line["by"] in CITING)]
        found += [("lines", i, k, j) for k, part in parts if isinstance(part, list) for j in range(len(part))]
        found += [("lines", i, k, x) for k, part in parts if isinstance(part, dict) for x in part]
    if not (path := chosen(found, rng)):
        return None
    del at(c, path[:-1])[path[-1]]
    return c


def field_dropped(c: Certificate, rng: random.Random) -> Certificate | None:
    """A whole field of a line."""
    path = chosen([("lines", i, key) for i, line in enumerate(c["lines"]) for key in line], rng)
    assert path is not None
    del at(c, path[:-1])[path[-1]]
    return c


def line_dropped(c: Certificate, rng: random.Random) -> Certificate | None:
    del c["lines"][rng.randrange(len(c["lines"]))]
    return c


def line_hollowed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A line that says 1 > 0 in place of what it said."""
    c["lines"][rng.randrange(len(c["lines"]))] = {"by": "combine", "terms": [[1]], "says": [">", 1]}
    return c


def rule_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """Another rule, one that does not exist, a method that is no rule."""
    line = rng.choice(c["lines"])
    rules = ["leaf", "positive", "combine", "instance", "cases", "induction", "rise", "mean"]
    others = [*rules, "trust", "accept", "claim", "__init__", None, 3]
    line["by"] = rng.choice([r for r in others if r != line["by"]])
    return c


def box_widened(c: Certificate, rng: random.Random) -> Certificate | None:
    """A bound stated on a larger box."""
    boxes = [("lines", i, "box", x) for i, line in enumerate(c["lines"]) for x in line.get("box", {})]
    if not (path := chosen(boxes, rng)):
        return None
    ends = at(c, path)
    side = rng.randrange(2)
    ends[side] = str(number(ends[side]) + (1 if side else -1) * rng.choice([Fraction(1, 100), 1, 10**6]))
    return c


def bits_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A precision that is none, or too fine to be paid for."""
    if not (path := chosen([("lines", i, "bits") for i, n in enumerate(c["lines"]) if "bits" in n], rng)):
        return None
    put(c, path, rng.choice([0, -64, 15, 2001, 10**9, "64", None, 16.5]))
    return c


def junk_put(c: Certificate, rng: random.Random) -> Certificate | None:
    """Deep nesting, huge integers, wrong types in place of an expression."""
    deep: Any = "x"
    for _ in range(rng.choice([50, 500])):
        deep = ["+", deep, 1]
    junk = rng.choice(
        [deep, 10**100_000, "9" * 50_000, ["^", "x", 10**9], ["^", 2, "1/3"], ["sin", 1], "1/0", "1e9", *JUNK]
    )
    found = [p for e in expressions(c) for p, n in places(at(c, e), e) if isinstance(n, list)]
    if not (path := chosen(found, rng)):
        return None
    put(c, path, junk)
    return c


IN_LINES: list[Mutation] = [
    number_changed,
    sign_flipped,
    head_changed,
    letter_changed,
    relation_changed,
    reference_changed,
    later_cited,
    part_dropped,
    field_dropped,
    line_dropped,
    line_hollowed,
    rule_changed,
    box_widened,
    bits_changed,
    junk_put,
]
