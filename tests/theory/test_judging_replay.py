"""Replayed certificates; conditions of judge and gate: drop one, and something false is proved or refuted."""

from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging import judge as judging
from oubli.theory.judging import replay as replaying
from oubli.theory.judging.judge import cited, judge, outline
from oubli.theory.judging.ledger import Ledger, LedgerError
from oubli.theory.judging.replay import accepted_already, replay, replay_all, taken, unshown
from oubli.theory.kernel.checker import digest
from oubli.theory.kernel.encoding import statement as encoded
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.paper.letters import L, mu, r
from oubli.theory.records.build import case, evaluated, ge, le, repair, some, state
from oubli.theory.records.claim import Claim, Instance, Kind, Source
from oubli.theory.records.objects import (
    explicit_problem,
    forget,
    mix,
    norm,
    opt,
    problem,
    retain,
    term,
    tilt,
    unit,
)
from oubli.theory.records.proof import Lemma, Mean, Schema, Square
from oubli.theory.records.verdict import Status
from oubli.theory.search.elaborate import UnshownError
from tests.theory.test_judging import BELOW, FALSE, P, R, cites, claim, entries, taking, x


def book() -> tuple[Ledger, list[Any]]:
    """A ledger of two claims, the second citing the first, and their certificates."""
    made = Ledger([claim("lemma"), cites("top", "lemma")])
    return made, [entry.verdict.certificate for entry in made.verify().values()]


def test_replayed_certificates_are_accepted() -> None:
    ledger, good = book()
    assert replay_all(good, ledger) == (good, {})
    assert [replay(c, ledger, taken(good)) for c in good] == ["lemma", "top"]
    assert taken([*good, {"claim": "lemma", "kind": "proof", "takes": {}}, 3, {"claim": 3}]) == {
        c["claim"]: c["takes"] for c in good
    }
    assert taken([{"claim": 3, "kind": "proof", "takes": {}}]) == {}
    assert taken([{"claim": "w", "kind": "witness", "takes": {}}, {"claim": "w", "kind": "proof"}]) == {}


def test_what_cites_a_missing_or_rejected_certificate_falls() -> None:
    ledger, (lemma, top) = book()
    assert list(replay_all([top], ledger)[1]) == ["top"]
    good, rejected = replay_all([{**lemma, "hash": "0"}, top], ledger)
    assert (good, sorted(rejected)) == ([], ["lemma", "top"])
    assert "depends on what no accepted certificate here shows: lemma" in rejected["top"]
    # One good and one bad certificate of the lemma: it is not known which was meant.
    assert replay_all([lemma, {**lemma, "hash": "0"}, top], ledger)[1].keys() == {"lemma", "top"}


def test_a_chain_falls_together() -> None:
    ledger = Ledger([claim("c"), cites("b", "c"), cites("a", "b")])
    made = {key: entry.verdict.certificate for key, entry in ledger.verify().items()}
    assert list(replay_all([made["a"], made["b"]], ledger)[1]) == ["b", "a"]


STALE = {
    "no object": (3, "an object"), "no key": ({}, "no statement"), "a key that is no text": ({"claim": 3},
        "named by int"),
    "a key of no claim": ({"claim": "other"}, "no statement 'other'"),
}  # fmt: skip


@pytest.mark.parametrize("name", STALE)
def test_no_certificate(name: str) -> None:
    given_, why = STALE[name]
    with pytest.raises(RejectedError, match=why):
        replay(given_, book()[0], {})
    assert len(replay_all([given_], book()[0])[1]) == 1


def test_a_certificate_of_yesterdays_statement_is_stale() -> None:
    ledger, (lemma, _) = book()
    statement = {**lemma["statement"], "says": [">=", ["*", "x_judged", "x_judged"]]}
    old = {**lemma, "statement": statement, "hash": digest({"statement": statement, "takes": lemma["takes"]})}
    with pytest.raises(RejectedError, match="stale: lemma says something else today"):
        replay(old, ledger, {})


def test_an_accepted_certificate_stands_for_the_lemmas_that_it_had() -> None:
    _, (_, top) = book()
    proved, changed = encoded(state(ge(x**2, 0))), encoded(state(ge(x**2 - 1, 0)))
    accepted_already(top, {"lemma": proved}, {})
    with pytest.raises(RejectedError, match="stale: lemma says something else today"):
        accepted_already(top, {"lemma": changed}, {})


def test_a_replayed_fact_beyond_the_record_is_rejected() -> None:
    said = Ledger([Claim("a", Kind.STATEMENT, Source(1), "", FALSE)])
    takes = taking(facts=[[">=", "x_judged", "definition", []]], letters={"x_judged": [False, True]})
    lie = {"claim": "a", "kind": "proof", "statement": encoded(FALSE), "takes": takes, "lemmas": {},
        "lines": [{"by": "leaf", "fact": 0}],
           "hash": digest({"statement": encoded(FALSE), "takes": takes})}  # fmt: skip
    with pytest.raises(RejectedError, match="something else for granted"):
        replay(lie, said, {})


def test_a_claim_without_a_statement_has_no_certificate() -> None:
    ledger = Ledger([Claim("d", Kind.DEFINITION, Source(1), "")])
    with pytest.raises(RejectedError, match="no statement 'd'"):
        replay({"claim": "d"}, ledger, {})


def statement_of(said: Any, *proof: Any, instances: tuple[Instance, ...] = ()) -> Claim:
    return Claim("a", Kind.STATEMENT, Source(1), "", said, *proof, instances=instances)


def test_a_witness_of_a_lemma_is_no_proof_of_it() -> None:
    _, (lemma, top) = book()
    assert unshown(top, [lemma], {}) == ""
    assert unshown(top, [{**lemma, "kind": "witness"}], {}) == "lemma"


def test_progress_is_heard_of() -> None:
    ledger, good = book()
    heard: list[Any] = []
    assert replay_all(good, ledger, (heard.append(c) or c for c in good)) == (good, {})
    assert heard == good


def test_a_definition_that_is_depended_on_is_no_lemma_of_a_certificate() -> None:
    ledger = Ledger([Claim("d", Kind.DEFINITION, Source(1), ""), claim("a", depends=("d",))])
    made = ledger.verify()["a"].verdict.certificate
    assert made is not None
    assert replay(made, ledger, {}) == "a"


def test_what_shows_a_side_condition_of_a_schema_is_depended_on() -> None:
    shown = Schema("Lipschitz", (), {0: ((1, Lemma("deep")),)})
    assert cited([(1, shown), (1, Square(x))]) == {"deep"}
    assert cited([(1, Mean(shown)), (1, Mean(Lemma("below")))]) == {"deep", "below"}


@pytest.mark.parametrize("error", [UnshownError("not shown"), RejectedError("rejected")])
def test_an_instance_that_cannot_be_shown_is_no_witness(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raised(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(judging, "instance_lines", raised)
    with pytest.raises(judging.InstanceError, match="is no instance"):
        judge(statement_of(FALSE, instances=(BELOW,)), {})


D = problem("D_judged")
APART = norm(opt(mix(r, forget(D), retain(D))) - opt(retain(D)))
TWO = {"D_judged": explicit_problem(tilt(unit(1)), tilt(-unit(1)))}


def near(**more: Any) -> Claim:
    """The optima are at most 99 % of their distance apart, with the problem that refutes it."""
    said = state(le(term("apart_judged", APART), sp.Rational(99, 100) * r * L / mu))
    shown = case("two quadratics", {L: 2, mu: 1, r: sp.Rational(1, 4)}, objects=TWO, **more)
    return repair("a", 1, "", said, instances=(shown,))


def test_a_model_that_the_checker_rejects_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(near(), {}).status is R
    nothing = {"takes": taking(letters={}), "lines": [], "shown": []}
    monkeypatch.setattr(judging, "model_lines", lambda *_: dict(nothing))
    with pytest.raises(judging.InstanceError, match="is no instance"):
        judge(near(), {})


@pytest.mark.parametrize("error", [UnshownError("not shown"), RejectedError("rejected"), KeyError("missing")])
def test_a_model_that_cannot_be_shown_is_no_witness(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raised(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(judging, "model_lines", raised)
    with pytest.raises(judging.InstanceError, match="is no instance"):
        judge(near(through=((1, Square(x)),)), {})


@pytest.mark.parametrize("error", [LookupError, TypeError, ValueError, AttributeError, RecursionError])
def test_what_a_certificate_assumes_may_be_anything(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raised(*_: Any) -> Any:
        raise error

    ledger, (lemma, _) = book()
    monkeypatch.setattr(replaying, "beyond", raised)
    with pytest.raises(RejectedError, match=f"malformed: what it assumes: {error.__name__}"):
        replay(lemma, ledger, {})


@pytest.mark.parametrize("lost", [cites("a", "b"), claim("a", printed_uses=("b",))])
def test_what_a_proof_cites_is_in_the_ledger(lost: Claim) -> None:
    with pytest.raises(LedgerError, match="a refers to b, which is no claim"):
        Ledger([lost])


def test_a_model_through_a_lemma_that_nobody_stated_is_no_witness() -> None:
    with pytest.raises(judging.InstanceError, match="is no instance"):
        judge(near(through=((1, Lemma("nowhere")),)), {})


def test_an_instance_shows_that_something_exists() -> None:
    said = some(ge(x - 1, 0))
    found = judge(statement_of(said, evaluated(said), instances=(case("x = 2", {x: 2}),)), {})
    assert (found.status, found.engine) == (P, "exact")
    assert judge(statement_of(said, evaluated(said), instances=(BELOW,)), {}).status is Status.OPEN


def test_a_verdict_names_its_engine_and_its_time() -> None:
    proved, refuted = judge(claim("a"), {}), judge(statement_of(FALSE, instances=(BELOW,)), {})
    assert (proved.engine, refuted.engine) == ("combination", "witness")
    unknown = judge(statement_of(FALSE), {})
    assert all(0 < found.seconds < 60 for found in (proved, refuted, unknown))


def test_the_outline_of_a_certificate_is_that_of_its_proof_or_of_its_instance() -> None:
    both = statement_of(FALSE, instances=(case("x = 2", {x: 2}), BELOW))
    made = judge(both, {}).witness
    assert made is not None
    found = outline(both, {}, made)
    assert (found["kind"], found["witness"]["says"]) == ("witness", "x = -1")
    # One that names no instance of today is shown with the first.
    assert outline(both, {}, {**made, "witness": {}})["witness"]["says"] == "x = 2"
    steps = outline(claim("a"), {}, {"kind": "proof"})["steps"]
    assert [step["by"]["rule"] for step in steps] == ["combination"]


def test_a_refutation_through_a_proved_lemma_and_a_definition_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [cites("b"), Claim("d", Kind.DEFINITION, Source(1), ""), cites("a", "b", depends=("d",))]
    found = entries(monkeypatch, claims, a=R, b=P, d=Status.NONE)
    assert found["a"].effective is R
