"""Ten thousand mutated certificates: every one is rejected, quickly, and none crashes the checker."""

import copy
import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from theory.checker import Rejected
from theory.paper import ledger, verified
from theory.replay import replay, taken

LEDGER = ledger()
ENTRIES = verified()
CERTIFICATES = {
    key: json.loads(json.dumps(entry.verdict.certificate or entry.verdict.witness))
    for key, entry in ENTRIES.items()
    if entry.verdict.certificate or entry.verdict.witness
}
AT = taken(CERTIFICATES.values())
# Large proofs take longer to replay and get fewer mutants; the small ones make up for it.
SIZES = {key: len(json.dumps(certificate)) for key, certificate in CERTIFICATES.items()}
EACH = {key: 8 if size > 15_000 else 32 if size > 8_000 else 60 for key, size in SIZES.items()}
Place = tuple[Any, ...]


def places(node: Any, wanted: Callable[[Any], bool], path: Place = ()) -> list[Place]:
    """The paths of all parts that are wanted."""
    found = [path] if wanted(node) else []
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return found + [p for key, part in items for p in places(part, wanted, (*path, key))]


def at(node: Any, path: Place) -> Any:
    for key in path:
        node = node[key]
    return node


def number_changed(c: Any, rng: random.Random) -> Any:
    """One number of a multiplier, a tree, a value or a statement, changed."""
    part = rng.choice(
        [p for p in places(c, lambda n: isinstance(n, int) and not isinstance(n, bool)) if matters(p)]
    )
    at(c, part[:-1])[part[-1]] = at(c, part) + rng.choice([1, -1, 7, 10**40])
    return c


def matters(path: Place) -> bool:
    """Not what is told to people only, nor a precision, nor a printed hypothesis of an inner step.

    A step that assumes less proves more: such a mutant is a proof too, of the same statement.
    """
    words = set(map(str, path))
    inner = {"steps", "statement", "given"} <= words
    # A sum of s from 0 is the sum from 1.
    return not {"boxes", "bits", "tree", "box", "first"} & words and not inner


def statement_changed(c: Any, rng: random.Random) -> Any:
    """The claimed statement moved a little."""
    rel, expr = c["statement"]["says"]
    c["statement"]["says"] = [rel, ["+", expr, f"-{rng.randint(1, 9)}/1000"]]
    return c


def hash_changed(c: Any, rng: random.Random) -> Any:
    """A stale digest."""
    c["hash"] = c["hash"][1:] + rng.choice("0123456789abcdef".replace(c["hash"][0], ""))
    return c


def piece_lost(c: Any, rng: random.Random) -> Any:
    """A required part gone."""
    del c[rng.choice(["statement", "hash", "lemmas", "kind", "steps" if "steps" in c else "witness"])]
    return c


def kind_changed(c: Any, rng: random.Random) -> Any:
    """A proof called a witness, a witness called a proof, or nonsense."""
    c["kind"] = rng.choice([k for k in ("proof", "witness", "exact", "trust me", None, 3) if k != c["kind"]])
    return c


def claim_swapped(c: Any, rng: random.Random) -> Any:
    """The statement of another claim, properly hashed."""
    other = rng.choice([x for x in CERTIFICATES.values() if x["statement"] != c["statement"]])
    c["statement"], c["hash"] = other["statement"], other["hash"]
    return c


def hostile(c: Any, rng: random.Random) -> Any:
    """Deep nesting, huge integers, wrong types in place of an expression."""
    deep: Any = "x"
    for _ in range(500):
        deep = ["+", deep, 1]
    junk = rng.choice(
        [deep, 10**100_000, "9" * 50_000, ["^", "x", 10**9], [], {}, None, True, ["sin", 1], "1/0"]
    )
    path = rng.choice(
        [
            p
            for p in places(c, lambda n: isinstance(n, list))
            if p and p[0] in ("steps", "witness", "statement")
        ]
    )
    at(c, path[:-1])[path[-1]] = junk
    return c


def sign_flipped(c: Any, rng: random.Random) -> Any:
    """A multiplier or a value with the other sign."""
    path = rng.choice(places(c, lambda n: isinstance(n, dict) and ("times" in n or "values" in n)) or [()])
    part = at(c, path)
    if "times" in part:
        part["times"] = ["*", -1, part["times"]]
    elif part.get("values"):
        name = rng.choice(sorted(part["values"]))
        part["values"][name] = ["+", ["*", -1, part["values"][name]], "-1/7"]
    else:
        return hash_changed(c, rng)
    return c


MUTATIONS = [
    number_changed,
    statement_changed,
    hash_changed,
    piece_lost,
    kind_changed,
    claim_swapped,
    hostile,
    sign_flipped,
]
# A witness inside its hypotheses stays one when a number moves a little: only what must break is tried there.
FOR_WITNESSES = [statement_changed, hash_changed, piece_lost, kind_changed, claim_swapped, hostile]


@pytest.mark.parametrize("key", sorted(CERTIFICATES))
def test_mutations_are_rejected(key: str) -> None:
    certificate = CERTIFICATES[key]
    assert replay(certificate, LEDGER, AT) == key
    rng, slowest = random.Random(key), 0.0
    mutations = MUTATIONS if certificate["kind"] == "proof" else FOR_WITNESSES
    for n in range(EACH[key]):
        mutate = mutations[n % len(mutations)]
        mutant = mutate(copy.deepcopy(certificate), rng)
        if mutant == certificate:
            continue
        start = time.process_time()
        with pytest.raises(Rejected):
            replay(mutant, LEDGER, AT)
        slowest = max(slowest, time.process_time() - start)
    assert slowest < 5


def test_there_are_ten_thousand() -> None:
    assert sum(EACH.values()) >= 10_000
