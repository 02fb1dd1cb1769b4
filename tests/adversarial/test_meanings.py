"""What letters mean: no proof gives one a meaning, and no witness types a number for what is measured."""

from collections.abc import Iterator
from typing import Any

from oubli.theory.kernel.objects import mentions
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


# What a witness computes from the losses and laws of its model.
COMPUTED = ("value", "left", "right", "tv", "mass", "hockey")
# Claims whose letters have their meaning in words, and why that decides nothing.
IN_WORDS = {
    "def.to_reference": "two problems on the line and a clamped law: slopes and probabilities of the model",
    "def.from_reference.attained": "that two laws exist: their divergences are those of the model",
    "tv_dp.attained": "that two laws exist: their divergences are those of the model",
}


def in_words(certificate: dict[str, Any]) -> set[str]:
    """The letters that stand for something of the problem and are no terms."""
    kinds = certificate["statement"]["letters"].items()
    return {name for name, kind in kinds if len(kind) == 2 and kind[0] != "is" and kind[1]}


def typed(certificate: dict[str, Any]) -> set[str]:
    """Those of them that the model of the witness does not give a value."""
    values = (certificate.get("witness") or {}).get("values", {})
    return {n for n in in_words(certificate) if not any(mentions(values.get(n), head) for head in COMPUTED)}


def certificates() -> dict[str, dict[str, Any]]:
    """All that was accepted, by claim."""
    made = {k: e.verdict.certificate or e.verdict.witness for k, e in verified().items()}
    return {key: dict(certificate) for key, certificate in made.items() if certificate}


def test_no_accepted_claim_has_letters_whose_meaning_is_in_words() -> None:
    assert {key for key, made in certificates().items() if in_words(made)} == IN_WORDS.keys()


def test_a_witness_gives_values_to_parameters_or_computes_them() -> None:
    assert len(certificates()) > 340
    assert {key: typed(made) for key, made in certificates().items() if typed(made)} == {}


def test_a_typed_number_is_seen() -> None:
    """The claim as it once stood: the number that decides was in the witness."""
    letters = {"e": [False, False], "T_hit": [True, True], "M": ["is", ["worst", "A", 0]], "A": ["learner"]}
    once = {"statement": {"letters": letters}, "witness": {"values": {"e": "1/20000", "T_hit": 100}}}
    assert in_words(once) == typed(once) == {"T_hit"}
    computed = {**once, "witness": {"values": {"e": 1, "T_hit": ["+", ["tv", "P", "Q"], 1]}}}
    assert in_words(computed) == {"T_hit"}
    assert typed(computed) == set()
