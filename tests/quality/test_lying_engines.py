"""An engine that lies: whatever it brings, the checker does not accept it."""

import copy
import random
from typing import Any

import pytest

from theory import judge as judging
from theory.checker import Rejected, accept_proof, accept_witness
from theory.encode import statement as encoded
from theory.engines import combination, subdivision
from theory.paper import ledger, verified
from theory.verdict import Disagreement, Status, Verdict

LEDGER = ledger()
KNOWN = {key: c.statement for key, c in LEDGER.claims.items() if c.statement is not None}
LEMMAS = {key: encoded(s) for key, s in KNOWN.items()}
ENTRIES = verified()
PROOFS = {
    k: e.verdict.certificate
    for k, e in ENTRIES.items()
    if e.verdict.certificate and "steps" in e.verdict.certificate
}
WITNESSES = {k: e.verdict.witness for k, e in ENTRIES.items() if e.verdict.witness}


def numbers(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all numbers in a certificate's multipliers and trees."""
    if isinstance(node, dict):
        return [p for k, v in node.items() for p in numbers(v, (*path, k))]
    if isinstance(node, list):
        return [p for i, v in enumerate(node) for p in numbers(v, (*path, i))]
    return [path] if isinstance(node, int) and not isinstance(node, bool) else []


def changed(certificate: Any, path: tuple[Any, ...], value: Any) -> Any:
    out = copy.deepcopy(certificate)
    place = out
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return out


@pytest.mark.parametrize("key", sorted(PROOFS))
def test_a_changed_multiplier_is_rejected(key: str) -> None:
    certificate = PROOFS[key]
    lemmas = {k: LEMMAS[k] for k in ENTRIES[key].uses if k in LEMMAS}
    accept_proof(certificate, lemmas)
    rng = random.Random(key)
    places = [p for p in numbers(certificate["steps"]) if "times" in p]
    for path in rng.sample(places, min(6, len(places))):
        node: Any = certificate["steps"]
        for part in path:
            node = node[part]
        with pytest.raises(Rejected):
            accept_proof({**certificate, "steps": changed(certificate["steps"], path, node + 1)}, lemmas)


@pytest.mark.parametrize("key", sorted(PROOFS))
def test_a_missing_step_or_a_swapped_claim_is_rejected(key: str) -> None:
    certificate = PROOFS[key]
    lemmas = {k: LEMMAS[k] for k in ENTRIES[key].uses if k in LEMMAS}
    with pytest.raises(Rejected):
        accept_proof({**certificate, "steps": certificate["steps"][:-1]}, lemmas)
    other = next(c for k, c in PROOFS.items() if c["statement"] != certificate["statement"])
    with pytest.raises(Rejected):
        accept_proof({**certificate, "statement": other["statement"]}, lemmas)


def test_a_witness_for_another_claim_is_rejected() -> None:
    for key, certificate in WITNESSES.items():
        repair = LEDGER.claims[key].repaired_by
        if repair and KNOWN.get(repair) is not None:
            with pytest.raises((Rejected, KeyError)):
                accept_witness({"statement": LEMMAS[repair], "witness": certificate["witness"]}, LEMMAS)


def test_an_engine_that_always_says_yes_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "certify", lambda *_: {"rule": "combination", "terms": []})
    everywhere = {"rule": "subdivision", "box": {}, "tree": "positive", "bits": 64}
    monkeypatch.setattr(subdivision, "certify", lambda *_: everywhere)
    for key in ("e0", "opt_dist.sharp", "inefficient.c3", "gauss.kappa.small", "trivial.repaired"):
        assert judging.judge(LEDGER.claims[key], KNOWN).status is Status.OPEN


def test_a_judge_that_always_says_proved_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("theory.ledger.judge", lambda *_: Verdict(Status.PROVED, "liar", {"steps": []}))
    assert not all(entry.expected for entry in LEDGER.verify().values())


def test_two_engines_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "prove", lambda *_: {"steps": []})
    with pytest.raises(Disagreement, match="both proved and refuted"):
        judging.judge(LEDGER.claims["trivial"], KNOWN)


def test_random_points_do_not_break_proved_claims() -> None:
    from theory.probe import probe

    assert probe(ENTRIES.values(), 60, seed=1) >= 20
