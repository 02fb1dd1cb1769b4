"""What certificates take for granted is what the records say: the elaborator brings no fact of its own.

The checker takes any fact that is told. Here those with a reason of the textbooks or of the class are held
against the relations that the claim's record and the steps of its proof give, letters' places aside.
"""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from theory.claim import Claim
from theory.encode import domain_relations, outline
from theory.paper import ledger, verified

# What the elaborator writes itself: how states move, what totals stand for, two names of one thing.
WRITTEN = ("state", "sum", "integral", "meaning")
ENTRIES = {
    key: entry.verdict.certificate or entry.verdict.witness
    for key, entry in verified().items()
    if entry.verdict.certificate or entry.verdict.witness
}


def erased(node: Any) -> Any:
    """An expression whose letters are at no values."""
    if isinstance(node, list):
        return node[1] if node[0] == "@" else [node[0], *map(erased, node[1:])]
    return node


def recorded(claim: Claim) -> Iterator[str]:
    """The relations that a record gives, with their reasons, as text."""
    for said in [claim.statement, *(step.statement for step in claim.proof)]:
        if said is not None:
            found = outline(said)
            for relation in [*found["given"], *domain_relations(found["quantities"])]:
                yield json.dumps(relation)


def strange(claim: Claim, certificate: Any) -> list[Any]:
    """The facts that the record does not give."""
    known = set(recorded(claim))
    told = [fact for fact in certificate["takes"]["facts"] if fact[2] not in WRITTEN]
    return [f for f in told if json.dumps([f[0], erased(f[1]), f[2]]) not in known]


@pytest.mark.parametrize("key", ENTRIES)
def test_every_fact_is_in_the_record(key: str) -> None:
    assert strange(ledger().claims[key], ENTRIES[key]) == []


def test_there_are_many() -> None:
    assert sum(fact[2] not in WRITTEN for c in ENTRIES.values() for fact in c["takes"]["facts"]) > 300


@pytest.mark.parametrize("reason", ["definition", "domain", "Lipschitz", "because"])
def test_a_fact_that_somebody_adds_is_seen(reason: str) -> None:
    claim, certificate = ledger().claims["opt_dist.sharp"], copy.deepcopy(ENTRIES["opt_dist.sharp"])
    fact = [*certificate["statement"]["says"], reason, []]
    certificate["takes"]["facts"].append(fact)
    assert strange(claim, certificate) == [fact]


def test_a_fact_that_somebody_sharpens_is_seen() -> None:
    claim, certificate = ledger().claims["opt_dist.sharp"], copy.deepcopy(ENTRIES["opt_dist.sharp"])
    certificate["takes"]["facts"][0][1] = ["+", certificate["takes"]["facts"][0][1], -1]
    assert len(strange(claim, certificate)) == 1
