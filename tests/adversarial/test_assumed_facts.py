"""What certificates assume is what the records say: the elaborator brings no fact of its own."""

import copy

import pytest

from oubli.theory.judging.gate import beyond
from oubli.theory.paper.ledger import ledger, verified

ENTRIES = {
    key: entry.verdict.certificate or entry.verdict.witness
    for key, entry in verified().items()
    if entry.verdict.certificate or entry.verdict.witness
}
# A claim with letters that are measured: what is said over objects has no facts.
KEY = "sharp.kink"


@pytest.mark.parametrize("key", ENTRIES)
def test_every_fact_is_in_the_record(key: str) -> None:
    assert beyond(ledger().claims[key], ENTRIES[key]["takes"]) == []


def test_the_facts_that_are_assumed_become_fewer() -> None:
    assert sum(len(c["takes"]["facts"]) for c in ENTRIES.values()) <= 339


@pytest.mark.parametrize("reason", ["definition", "domain", "state", "sum", "integral", "meaning", "because"])
def test_a_fact_that_somebody_adds_is_seen(reason: str) -> None:
    claim, certificate = ledger().claims[KEY], copy.deepcopy(ENTRIES[KEY])
    fact = [*certificate["statement"]["says"], reason]
    certificate["takes"]["facts"].append([*fact, []])
    assert beyond(claim, certificate["takes"]) == [fact]


def test_a_fact_that_somebody_sharpens_is_seen() -> None:
    claim, certificate = ledger().claims[KEY], copy.deepcopy(ENTRIES[KEY])
    certificate["takes"]["facts"][0][1] = ["+", certificate["takes"]["facts"][0][1], -1]
    assert len(beyond(claim, certificate["takes"])) == 1


def test_a_condition_that_somebody_drops_is_seen() -> None:
    claim, certificate = ledger().claims[KEY], copy.deepcopy(ENTRIES[KEY])
    fact = next(fact for fact in certificate["takes"]["facts"] if fact[3])
    fact[3] = fact[3][1:]
    assert len(beyond(claim, certificate["takes"])) == 1


@pytest.mark.parametrize("part", ["slopes", "means"])
def test_a_meaning_that_somebody_adds_is_seen(part: str) -> None:
    claim, certificate = ledger().claims[KEY], copy.deepcopy(ENTRIES[KEY])
    certificate["takes"][part]["E_equal_A"] = (
        ["mu", 0] if part == "slopes" else ["E_equal_A", "everything", 1]
    )
    assert len(beyond(claim, certificate["takes"])) == 1
