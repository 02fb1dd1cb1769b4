"""Mutations around the lines: statements, what is assumed, lemmas, hashes, witnesses, other claims.

A change inside a statement or inside what is assumed would be noticed by the hash alone: such a
mutant is sealed anew, unless it assumes more, which the checker may rightly accept: it is disclosed.
"""

import copy
import random
from fractions import Fraction

from oubli.theory.kernel.poly import number
from tests.adversarial.places import (
    JUNK,
    RELATIONS,
    Certificate,
    Mutation,
    Place,
    at,
    chosen,
    places,
    put,
    sealed,
)


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
    """More, or something else, assumed without saying so: the hash is the old one."""
    takes = c["takes"]
    way, letter = rng.randrange(3), rng.choice(sorted(takes["letters"]) or ["x"])
    if way == 0:
        takes["constant"].append([letter, rng.choice(["chance", *takes["letters"]])])
    elif way == 1:
        takes["letters"][letter] = [not flag for flag in takes["letters"].get(letter, [True, True])]
    else:
        takes["facts"] = [["=", letter, "definition", []]]
    return c


def takes_less(c: Certificate, rng: random.Random) -> Certificate | None:
    """A letter, mean, slope, constant or place gone; sealed anew."""
    takes = c["takes"]
    ways: list[Place] = [("constant", i) for i in range(len(takes["constant"]))]
    named = {n for _, n in places(c["lines"]) if isinstance(n, str)}
    ways += [("letters", name) for name in takes["letters"] if name in named]
    ways += [(part, name) for part in ("slopes", "means", "at") for name in takes[part]]
    if not (path := chosen(ways, rng)):
        return None
    del takes[path[0]][path[1]]
    return sealed(c)


def fact_added(c: Certificate, rng: random.Random) -> Certificate | None:
    """What somebody takes for granted, or an empty list of it; sealed anew."""
    facts = [[*c["statement"]["says"], rng.choice(["definition", "exponential", "domain"]), []]]
    c["takes"]["facts"] = rng.choice([facts, []])
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


def value_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A value of a witness, a coordinate of a vector or a probability of a law."""
    witness = c["witness"]
    assumed = [(p, n) for p, n in places(witness["values"], ("values",))]
    model = witness.get("model", {})
    assumed += [
        (p, n) for part in ("vectors", "laws") for p, n in places(model.get(part, {}), ("model", part))
    ]
    numbers = [p for p, n in assumed if not isinstance(n, bool) and number(n) is not None]
    if not (path := chosen(numbers, rng)):
        return None
    put(witness, path, str(number(at(witness, path)) + rng.choice([1, -1, Fraction(1, 7), 10**40])))
    return c


def member_changed(c: Certificate, rng: random.Random) -> Certificate | None:
    """A member that leaves the class: a piece ends elsewhere, is less curved than mu, too steep or gone."""
    members = c["witness"].get("model", {}).get("members", {})
    assumed = [n[1] for _, n in places(c["witness"]["values"]) if isinstance(n, list) and n[1:]]
    used = [name for name in members if name in assumed]
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


AROUND: list[Mutation] = [
    statement_changed,
    stale_takes,
    takes_less,
    fact_added,
    lemma_changed,
    hash_changed,
    piece_lost,
    kind_changed,
]
IN_WITNESSES: list[Mutation] = [value_changed, member_changed, shown_changed]
