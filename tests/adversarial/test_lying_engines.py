"""An engine or an elaborator that lies: whatever it brings, the checker does not accept it."""

import copy
import json
import random
from typing import Any

import pytest

from oubli.theory.judging import judge as judging
from oubli.theory.judging.judge import domains, lemmas_of, outlined_lemmas, steps_of
from oubli.theory.kernel.checker import accept_certificate, digest
from oubli.theory.kernel.encoding import statement as encoded
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.paper.ledger import ledger, verified
from oubli.theory.records.verdict import DisagreementError, Status, Verdict
from oubli.theory.search.elaborate import UnshownError, proof_lines
from oubli.theory.search.engines import combination, subdivision

LEDGER = ledger()
KNOWN = {key: c.statement for key, c in LEDGER.claims.items() if c.statement is not None}
ENTRIES = verified()
PROOFS = {k: e.verdict.certificate for k, e in ENTRIES.items() if e.verdict.certificate}
PROOFS = {k: c for k, c in PROOFS.items() if c["kind"] == "proof"}
WITNESSES = {k: e.verdict.witness for k, e in ENTRIES.items() if e.verdict.witness}
ASSUMED = {key: certificate["takes"] for key, certificate in PROOFS.items()}
# What a lie is about: claims with lemmas, inductions, means and integrals.
SOME = ("e0", "opt_loss.sharper", "binomial_tv", "sgd.rate.repaired", "two_point.repaired")
SOME += ("trivial.repaired",)


def numbers(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all numbers in an outline's multipliers and trees."""
    if isinstance(node, dict):
        return [p for k, v in node.items() for p in numbers(v, (*path, k))]
    if isinstance(node, list):
        return [p for i, v in enumerate(node) for p in numbers(v, (*path, i))]
    return [path] if isinstance(node, int) and not isinstance(node, bool) else []


def changed(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    out = copy.deepcopy(record)
    place = out
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return out


def accept_outline(key: str, steps: list[Any]) -> None:
    """Accept the steps of an outline as the claim's proof."""
    claim = LEDGER.claims[key]
    parts = proof_lines(steps, outlined_lemmas(claim, KNOWN), ASSUMED, domains())
    accept_certificate(judging.certificate(claim, "proof", KNOWN, parts), lemmas_of(claim, KNOWN), ASSUMED)


@pytest.mark.parametrize("key", sorted(PROOFS))
def test_a_changed_multiplier_is_rejected(key: str) -> None:
    steps, rng = steps_of(LEDGER.claims[key]), random.Random(key)
    places = [p for p in numbers(steps) if "times" in p]
    for path in rng.sample(places, min(3, len(places))):
        node: Any = steps
        for part in path:
            node = node[part]
        with pytest.raises((RejectedError, UnshownError)):
            accept_outline(key, changed(steps, path, node + 1))


@pytest.mark.parametrize("key", sorted(PROOFS))
def test_another_claim_is_not_shown(key: str) -> None:
    certificate = PROOFS[key]
    other = next(c for c in PROOFS.values() if c["statement"]["says"] != certificate["statement"]["says"])
    swapped = {**certificate, "statement": other["statement"]}
    swapped["hash"] = digest({"statement": swapped["statement"], "takes": swapped["takes"]})
    with pytest.raises(RejectedError):
        accept_certificate(swapped, lemmas_of(LEDGER.claims[key], KNOWN), ASSUMED)


def test_a_witness_for_another_claim_is_rejected() -> None:
    for key, certificate in WITNESSES.items():
        repair = LEDGER.claims[key].repaired_by
        if repair and KNOWN.get(repair) is not None:
            moved = {**certificate, "statement": encoded(KNOWN[repair])}
            moved["hash"] = digest({"statement": moved["statement"], "takes": moved["takes"]})
            with pytest.raises(RejectedError):
                accept_certificate(moved, lemmas_of(LEDGER.claims[key], KNOWN), ASSUMED)


def lying(parts: dict[str, Any], lie: str) -> dict[str, Any]:
    """What a lying elaborator writes."""
    out = json.loads(json.dumps(parts))
    if lie == "says more":
        rel, expr = out["lines"][-1]["says"]
        out["lines"][-1]["says"] = [rel, ["+", expr, -1]]
    elif lie == "drops a hypothesis":
        line = next(line for line in out["lines"] if line["by"] == "leaf" and "assume" in line)
        line["assume"] = [">", 1]
    elif lie == "hides what is constant":
        out["takes"] |= {"constant": [], "slopes": {}, "means": {}}
    elif lie == "nothing is shown":
        out["lines"] = []
    elif lie.startswith("takes it for granted"):
        claim = out["lines"][-1]["says"]
        out["takes"]["facts"] = [[*claim, lie.removeprefix("takes it for granted: "), []]]
        out["lines"] = [{"by": "leaf", "fact": 0}]
    return out


LIES = ["says more", "drops a hypothesis", "nothing is shown"]
LIES += [f"takes it for granted: {why}" for why in ("definition", "state", "meaning", "domain", "because")]


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("key", SOME)
def test_a_lying_elaborator_proves_nothing(key: str, lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "proof_lines", lambda *args: lying(proof_lines(*args), lie))
    assert judging.judge(LEDGER.claims[key], KNOWN, ASSUMED).status is Status.OPEN


@pytest.mark.parametrize("key", [key for key in PROOFS if PROOFS[key]["takes"]["constant"]][:2])
def test_what_is_constant_cannot_be_hidden(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = "hides what is constant"
    monkeypatch.setattr(judging, "proof_lines", lambda *args: lying(proof_lines(*args), hidden))
    assert judging.judge(LEDGER.claims[key], KNOWN, ASSUMED).status is Status.OPEN


def test_an_engine_that_always_says_yes_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "certify", lambda *_: {"rule": "combination", "terms": []})
    everywhere = {"rule": "subdivision", "box": {}, "tree": "positive", "bits": 64}
    monkeypatch.setattr(subdivision, "certify", lambda *_: everywhere)
    for key in ("e0", "opt_dist.sharp", "inefficient.c3", "gauss.kappa.small", "trivial.repaired"):
        assert judging.judge(LEDGER.claims[key], KNOWN, ASSUMED).status is Status.OPEN


def test_a_judge_that_always_says_proved_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lie = Verdict(Status.PROVED, "liar", {"lines": []})
    monkeypatch.setattr("oubli.theory.judging.ledger.judge", lambda *_: lie)
    assert not all(entry.expected for entry in LEDGER.verify().values())


def test_two_engines_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "prove", lambda *_: {"lines": []})
    with pytest.raises(DisagreementError, match="both proved and refuted"):
        judging.judge(LEDGER.claims["trivial"], KNOWN, ASSUMED)


def test_random_points_do_not_break_proved_claims() -> None:
    from oubli.theory.judging.probe import probe

    assert probe(ENTRIES.values(), 60, seed=1) >= 20
