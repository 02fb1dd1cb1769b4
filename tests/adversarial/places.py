"""Certificates as data: places in them, what stands there, and the hash of what they say."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from oubli.theory.kernel.checker import digest

Place = tuple[Any, ...]
Certificate = dict[str, Any]
Mutation = Callable[[Certificate, random.Random], Certificate | None]
CITING = ("instance", "cases", "induction", "rise", "mean", "expect", "average", "over", "reach", "couple",
          "layers", "tell", "spin", "fill", "sweep", "squeeze")  # fmt: skip
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
    """Where lines name lines or lemmas."""
    out: list[Place] = []
    for i, line in enumerate(c["lines"]):
        of = line.get("of") if line["by"] in CITING else None
        out += [("lines", i, "of", j) for j in range(len(of))] if isinstance(of, list) else []
        out += [("lines", i, "of")] if of is not None and not isinstance(of, list) else []
        out += [("lines", i, "met", j) for j in range(len(line.get("met", [])))]
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


def mutant(certificate: Certificate, mutate: Mutation, rng: random.Random) -> Certificate | None:
    """The certificate, changed in one place; None where there is nothing of the kind to change."""
    found = mutate(copy.deepcopy(certificate), rng)
    return None if found == certificate else found
