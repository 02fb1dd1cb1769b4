"""A letter that a proof introduces for an integral or a mean stands for one thing everywhere."""

from collections.abc import Iterator
from typing import Any

from oubli.theory.paper.ledger import verified


def meant(takes: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Letters with what is integrated or averaged."""
    for letter, assumed in takes["slopes"].items():
        yield letter, str(assumed)
    for letter, (of, _, mass) in takes["means"].items():
        yield letter, f"mean of {of} over {mass}"


def test_no_letter_has_a_meaning_that_a_proof_gives_it() -> None:
    """Sums, integrals and means are terms: nothing is left that could mean two things."""
    found = set[tuple[str, str]]()
    for entry in verified().values():
        certificate = entry.verdict.certificate or entry.verdict.witness
        found |= set(meant(certificate["takes"])) if certificate else set()
    assert not found


def test_a_meaning_that_a_proof_gives_is_seen() -> None:
    takes = {"slopes": {"F": ["x", "G"]}, "means": {"M": ["Y", "everything", 1]}}
    assert [letter for letter, _ in meant(takes)] == ["F", "M"]
