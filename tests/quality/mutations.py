"""Mutations of certificates: each changes one thing; what it changes decides whether it is sealed anew.

A change inside a statement or inside what is taken for granted would be noticed by the hash alone: such a
mutant is sealed anew, unless it takes more for granted, which the checker may rightly accept: it is told.
"""

import copy
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from theory.checker import digest, number

Place = tuple[Any, ...]
Certificate = dict[str, Any]
Mutation = Callable[[Certificate, random.Random], Certificate | None]
CITING = ("instance", "cases", "induction", "rise", "mean")
RELATIONS = ("=", ">=", ">", "<=", "!=", "")
HEADS = ("+", "*", "exp", "log", "atan", "asin", "Phi", "phi1", "phi2", "sin", "@")
PARTS = ("terms", "met", "using", "of", "box", "with", "times", "norm", "between", "equal")
JUNK = (None, True, [], {}, "", 0, -1, "x y", 1.5, [[]], {"by": "leaf"})


def sealed(c: Certificate) -> Certificate:
    """With the hash of what it says now."""
    c["hash"] = digest({"statement": c["statement"], "takes": c["takes"]})
    return c


def places(node: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """All parts of a record with their paths."""
    yield path, node
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def at(node: Any, path: Place) -> Any:
    for key in path:
        node = node[key]
    return node


def put(node: Any, path: Place, value: Any) -> None:
    at(node, path[:-1])[path[-1]] = value


def references(c: Certificate) -> list[Place]:
    """Where lines name lines, lemmas or facts."""
    out: list[Place] = []
    for i, line in enumerate(c["lines"]):
        of = line.get("of") if line["by"] in CITING else None
        out += [("lines", i, "of", j) for j in range(len(of))] if isinstance(of, list) else []
        out += [("lines", i, "of")] if of is not None and not isinstance(of, list) else []
        out += [("lines", i, "met", j) for j in range(len(line.get("met", [])))]
        out += [("lines", i, "fact")] if "fact" in line else []
        terms = enumerate(line.get("terms", []))
        out += [("lines", i, "terms", j, k) for j, term in terms for k in range(1, len(term))]
    return out


def expressions(c: Certificate) -> list[Place]:
    """Where lines have an expression."""
    out: list[Place] = []
    for i, line in enumerate(c["lines"]):
        here = ("lines", i)
        out += [(*here, key, 1) for key in ("says", "assume", "shows") if key in line]
        out += [(*here, "terms", j, 0) for j in range(len(line.get("terms", [])))]
        out += [(*here, "using", j, 1) for j in range(len(line.get("using", [])))]
        out += [(*here, key, x) for key in ("with", "norm", "times") if key in line for x in line[key]]
        out += [(*here, key) for key in ("on", "free", "function") if key in line]
        out += [(*here, key, j) for key in ("between", "equal") if key in line for j in (-2, -1)]
        out += [(*here, "of")] if line["by"] == "positive" else []
    return out


def chosen(found: list[Place], rng: random.Random) -> Place | None:
    return rng.choice(found) if found else None


def number_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """One number of an expression."""
    named = set(references(c))
    inside = [p for p, n in places(c["lines"], ("lines",)) if p[2:] and not isinstance(n, bool)]
    told = [
        p for p in inside if p not in named and p[2] not in ("bits", "box") and number(at(c, p)) is not None
    ]
    if not (path := chosen(told, rng)):
        return None
    changed = number(at(c, path)) + rng.choice([1, -1, 7, Fraction(1, 3), 10**40])
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
    many = len(c["lines"]) if path[-1] != "fact" else len(c["takes"]["facts"])
    others = [*range(many), path[1], many, 10**9, "nobody", None, *c["lemmas"]]
    put(c, path, rng.choice([r for r in others if r != at(c, path)]))
    return c


def later_cited(c: Certificate, rng: random.Random) -> Certificate | None:
    """A line that rests on itself or on one after it: a circle."""
    if not (path := chosen([p for p in references(c) if p[-1] != "fact"], rng)):
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
    """A bound told on a larger box."""
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


def statement_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """The claim moved a little, its relation, a hypothesis or the kind of a letter changed; sealed anew."""
    said, way = c["statement"], rng.randrange(4)
    if way == 1:
        said["says"][0] = rng.choice([r for r in RELATIONS if r != said["says"][0]])
    elif way == 2 and said["given"]:
        del said["given"][rng.randrange(len(said["given"]))]
    elif way == 3 and said["letters"]:
        name = rng.choice(sorted(said["letters"]))
        said["letters"][name] = c["takes"]["letters"][name] = [not flag for flag in said["letters"][name]]
    else:
        said["says"][1] = ["+", said["says"][1], f"-{rng.randint(1, 9)}/1000"]
    return sealed(c)


def stale_takes(c: Certificate, rng: random.Random) -> Certificate | None:
    """More, or something else, taken for granted without telling: the hash is the old one."""
    takes = c["takes"]
    facts = [("facts", i) for i in range(len(takes["facts"]))]
    conditional = [("facts", i, 3, j) for _, i in facts for j in range(len(takes["facts"][i][3]))]
    way, letter = rng.randrange(5), rng.choice(sorted(takes["letters"]) or ["x"])
    if way == 0 and conditional:
        path = rng.choice(conditional)
        del at(takes, path[:-1])[path[-1]]
    elif way == 1 and facts:
        takes["facts"][rng.randrange(len(facts))][1] = ["+", letter, rng.randint(1, 9)]
    elif way == 2:
        takes["constant"].append([letter, rng.choice(["chance", *takes["letters"]])])
    elif way == 3:
        takes["letters"][letter] = [not flag for flag in takes["letters"].get(letter, [True, True])]
    else:
        takes["facts"].append(["=", letter, "definition", []])
    return c


def takes_less(c: Certificate, rng: random.Random) -> Certificate | None:
    """A fact where it does not hold, a letter, mean, slope, constant or place gone; sealed anew."""
    takes = c["takes"]
    ways: list[Place] = [("facts", i) for i in range(len(takes["facts"]))]
    ways += [("constant", i) for i in range(len(takes["constant"]))]
    named = {n for _, n in places(c["lines"]) if isinstance(n, str)}
    ways += [("letters", name) for name in takes["letters"] if name in named]
    ways += [(part, name) for part in ("slopes", "means", "at") for name in takes[part]]
    if not (path := chosen(ways, rng)):
        return None
    if path[0] == "facts":
        at(takes, path)[3] = [*at(takes, path)[3], [">", -1]]
    else:
        del takes[path[0]][path[1]]
    return sealed(c)


def fact_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """Another fact than the one the proof needs; sealed anew."""
    if not c["takes"]["facts"]:
        return None
    row = rng.choice(c["takes"]["facts"])
    row[1] = ["+", row[1], rng.choice(["1/7", -1, 5])]
    return sealed(c)


def lemma_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A lemma that has changed since, is missing or is not one of this claim's."""
    if not c["lemmas"]:
        c["lemmas"]["e0"] = "0" * 64
        return c
    key = rng.choice(sorted(c["lemmas"]))
    name = c["lemmas"].pop(key)
    c["lemmas"][rng.choice([key, "nobody"])] = name[::-1]
    return c


def hash_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A stale digest."""
    c["hash"] = c["hash"][1:] + rng.choice("0123456789abcdef".replace(c["hash"][0], ""))
    return c


def piece_lost(c: Certificate, rng: random.Random) -> Certificate | None:
    """A required part gone, or something else in its place."""
    parts = ["claim", "statement", "hash", "kind", "takes", "lines"] + ["witness"] * ("witness" in c)
    piece = rng.choice(parts)
    if rng.randrange(2):
        del c[piece]
    else:
        c[piece] = rng.choice(JUNK)
    return c


def kind_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A proof called a witness, a witness called a proof, or nonsense."""
    c["kind"] = rng.choice([k for k in ("proof", "witness", "exact", "trust me", None, 3) if k != c["kind"]])
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


def value_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A value of a witness, a coordinate of a vector or a probability of a law."""
    witness = c["witness"]
    told = [(p, n) for p, n in places(witness["values"], ("values",))]
    model = witness.get("model", {})
    told += [(p, n) for part in ("vectors", "laws") for p, n in places(model.get(part, {}), ("model", part))]
    numbers = [p for p, n in told if not isinstance(n, bool) and number(n) is not None]
    if not (path := chosen(numbers, rng)):
        return None
    put(witness, path, str(number(at(witness, path)) + rng.choice([1, -1, Fraction(1, 7), 10**40])))
    return c


def member_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A member that leaves the class: a piece ends elsewhere, is less curved than mu, too steep or gone."""
    members = c["witness"].get("model", {}).get("members", {})
    told = [n[1] for _, n in places(c["witness"]["values"]) if isinstance(n, list) and n[1:]]
    used = [name for name in members if name in told]
    if not used:
        return None
    pieces = members[rng.choice(used)]
    piece, way = rng.choice(pieces), rng.randrange(4)
    if way == 0:
        pieces.remove(piece)
    else:
        piece[way] = str(number(piece[way]) + {1: Fraction(1, 3), 2: -1000, 3: 1000}[way])
    return c


def shown_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """Another line said to show a hypothesis, one too few or one too many."""
    shown = c["witness"]["shown"]
    way, i = rng.randrange(3), rng.randrange(len(shown))
    if way == 0:
        del shown[i]
    elif way == 1:
        shown.append(shown[i])
    else:
        shown[i] = rng.choice([n for n in [*range(len(c["lines"])), None, -1, 10**9] if n != shown[i]])
    return c


def swapped(c: Certificate, other: Certificate, rng: random.Random) -> Certificate:
    """A claim with another's name, statement, hash, lines or witness; sealed anew unless the hash is."""
    way, other = rng.randrange(5), copy.deepcopy(other)
    if way == 0:
        c["claim"] = other["claim"]
    elif way == 1:
        c["statement"], c["hash"] = other["statement"], other["hash"]
    elif way == 2:
        c["claim"], c["statement"] = other["claim"], other["statement"]
        c["takes"]["letters"] = {**other["takes"]["letters"], **c["takes"]["letters"]}
    elif way == 3:
        c["lines"], c["takes"] = other["lines"], other["takes"]
    elif "witness" in c and "witness" in other:
        c["witness"] = other["witness"]
    else:
        c["lines"] = other["lines"]
    return c if way < 2 else sealed(c)


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
AROUND: list[Mutation] = [
    statement_changed,
    stale_takes,
    takes_less,
    fact_changed,
    lemma_changed,
    hash_changed,
    piece_lost,
    kind_changed,
]
IN_WITNESSES: list[Mutation] = [value_changed, member_changed, shown_changed]


def mutant(certificate: Certificate, mutate: Mutation, rng: random.Random) -> Certificate | None:
    """The certificate, changed in one place; None where there is nothing of the kind to change."""
    found = mutate(copy.deepcopy(certificate), rng)
    return None if found == certificate else found
