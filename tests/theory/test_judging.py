"""The judge and the ledger: what a verdict rests on, and what follows for others when something falls."""

from typing import Any

import pytest

from oubli.errors import InputError
from oubli.theory.judging import judge as judging
from oubli.theory.judging import ledger as ledgers
from oubli.theory.judging.gate import beyond
from oubli.theory.judging.judge import cited, judge, lemmas_of, uses
from oubli.theory.judging.ledger import Entry, Ledger, LedgerError
from oubli.theory.kernel.checker import NOTHING
from oubli.theory.kernel.symbols import NONNEGATIVE, letter, parameter
from oubli.theory.records.build import by, case, eq, ge, given, some, state
from oubli.theory.records.claim import OURS, Claim, Kind, Source
from oubli.theory.records.proof import Given, Identity, Lemma, One, Square, Step
from oubli.theory.records.verdict import DisagreementError, Soundness, Status, Verdict

x = letter("x_judged", meaning="a number")
p, q = parameter("p_judged"), parameter("q_judged", NONNEGATIVE)
TRUE, FALSE = state(ge(x**2, 0)), state(ge(x, 0))
BELOW = case("x = -1", {x: -1})
P, R, O, N = Status.PROVED, Status.REFUTED, Status.OPEN, Status.NONE


def claim(
    key: str, *terms: Any, kind: Kind = Kind.STATEMENT, source: Source | None = None, **rest: Any
) -> Claim:
    """A claim that x^2 >= 0, proved by terms."""
    place = source or (OURS if kind is Kind.THEOREM else Source(1))
    return Claim(key, kind, place, key, TRUE, by(TRUE, *(terms or ((1, Square(x)),))), **rest)


def cites(key: str, *lemmas: str, **rest: Any) -> Claim:
    """A claim that cites lemmas, or none."""
    return claim(key, *((1, Lemma(lemma)) for lemma in lemmas), **rest)


def verdict(status: Status) -> Verdict:
    """A verdict with something that shows it."""
    shown: dict[Status, dict[str, Any]] = {
        P: {"certificate": {"takes": {}}},
        R: {"witness": {"takes": {}}},
        O: {"reason": "none"},
        N: {},
    }
    return Verdict(status, **shown[status])


def entries(monkeypatch: pytest.MonkeyPatch, claims: list[Claim], **statuses: Status) -> dict[str, Entry]:
    """The ledger's entries if the claims were judged so."""
    monkeypatch.setattr(ledgers, "judge", lambda c, *_: verdict(statuses[c.key]))
    return Ledger(claims).verify()


EFFECTIVE = {
    "a refutation through an open lemma is open": (R, O, O),
    "a refutation through a refuted lemma is open": (R, R, O),
    "a refutation through a proved lemma stands": (R, P, R),
    "a refutation through a definition stands": (R, N, R),
    "a proof by an open lemma is open": (P, O, O),
    "a proof by a refuted lemma falls": (P, R, R),
    "a proof by a proved lemma stands": (P, P, P),
    "a proof by a definition stands": (P, N, P),
    "what is open stays open": (O, R, O),
    "what has no verdict has none": (N, R, N),
}


@pytest.mark.parametrize("name", EFFECTIVE)
def test_what_follows_from_a_lemma(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own, below, found = EFFECTIVE[name]
    assert entries(monkeypatch, [cites("b"), cites("a", "b")], a=own, b=below)["a"].effective is found
    # And through a lemma that itself stands.
    chain = [cites("c"), cites("b", "c"), cites("a", "b")]
    assert entries(monkeypatch, chain, a=own, b=P, c=below)["a"].effective is found


def test_the_worst_of_several_lemmas_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [cites("b"), cites("c"), cites("d"), cites("a", "b", "c", "d")]
    assert entries(monkeypatch, claims, a=P, b=P, c=O, d=P)["a"].effective is O
    assert entries(monkeypatch, claims, a=P, b=O, c=R, d=P)["a"].effective is R
    assert entries(monkeypatch, claims, a=R, b=P, c=P, d=O)["a"].effective is O


SOUND = {
    "no printed proof": ([], {}, Soundness.NONE),
    "every step stands": (["s"], {"s": P}, Soundness.SOUND),
    "a refuted step": (["s", "t"], {"s": P, "t": R}, Soundness.BROKEN),
    "an open step": (["s", "t"], {"s": P, "t": O}, Soundness.OPEN),
    "an open and a refuted step": (["s", "t"], {"s": O, "t": R}, Soundness.BROKEN),
    "a step without a verdict": (["s"], {"s": N}, Soundness.SOUND),
}


@pytest.mark.parametrize("name", SOUND)
def test_the_printed_proof(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, statuses, found = SOUND[name]
    claims = [claim("a"), *(claim(s, kind=Kind.STEP, parent="a") for s in steps)]
    assert entries(monkeypatch, claims, a=P, **statuses)["a"].proof is found
    # A lemma that the printed proof cites counts like a step.
    claims = [claim("a", printed_uses=tuple(steps)), *(claim(s) for s in steps)]
    assert entries(monkeypatch, claims, a=P, **statuses)["a"].proof is found


def test_a_printed_lemma_that_is_open_with_a_broken_proof_breaks_what_cites_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    claims = [claim("a", printed_uses=("b",)), claim("b"), claim("s", kind=Kind.STEP, parent="b")]
    assert entries(monkeypatch, claims, a=P, b=O, s=R)["a"].proof is Soundness.BROKEN
    assert entries(monkeypatch, claims, a=P, b=P, s=R)["a"].proof is Soundness.SOUND
    assert entries(monkeypatch, claims, a=P, b=O, s=P)["a"].proof is Soundness.OPEN


def test_a_child_that_is_no_step_is_no_part_of_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [claim("a"), claim("r", kind=Kind.REMARK, parent="a")]
    assert entries(monkeypatch, claims, a=P, r=R)["a"].proof is Soundness.NONE


EXPECTED = {
    "a printed claim that is proved": ({"a": P}, None, True),
    "a printed claim that is open": ({"a": O}, None, True),
    "a printed claim that is refuted without an erratum": ({"a": R}, None, False),
    "an erratum with a proved repair": ({"a": R, "r": P}, "r", True),
    "an erratum with an open repair": ({"a": R, "r": O}, "r", False),
    "an erratum of what is proved": ({"a": P, "r": P}, "r", False),
    "an erratum of a broken proof": ({"a": P, "r": P, "s": R}, "r", True),
    "an erratum of a broken proof without a repair": ({"a": P, "r": O, "s": R}, "r", False),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_expected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses, repaired_by, found = EXPECTED[name]
    claims = [claim("a", repaired_by=repaired_by)]
    claims += [claim("r", kind=Kind.REPAIR)] if repaired_by else []
    claims += [claim("s", kind=Kind.STEP, parent="a")] if "s" in statuses else []
    assert entries(monkeypatch, claims, **statuses)["a"].expected is found


@pytest.mark.parametrize("kind", [Kind.REPAIR, Kind.THEOREM])
def test_what_is_ours_is_proved_with_all_it_depends_on(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [cites("b"), cites("t", "b", kind=kind), claim("a", repaired_by="t")]
    assert entries(monkeypatch, claims, a=R, t=P, b=P)["t"].expected
    assert not entries(monkeypatch, claims, a=R, t=P, b=O)["t"].expected
    assert not entries(monkeypatch, claims, a=R, t=P, b=O)["a"].expected
    assert not entries(monkeypatch, claims, a=R, t=O, b=P)["t"].expected


def test_a_key_takes_with_it_all_that_its_verdict_needs() -> None:
    claims = [
        cites("a", "b", repaired_by="r", printed_uses=("c",)), cites("b", "d"), claim("c"), claim("d"),
            claim("e"),
        claim("r", kind=Kind.REPAIR), claim("s", kind=Kind.STEP, parent="a"),
    ]  # fmt: skip
    book = Ledger(claims)
    assert book.closure("a") == {"a", "b", "c", "d", "r", "s"}
    assert book.closure(["e"]) == {"e"}
    assert set(book.verify("b")) == {"b", "d"}
    assert book.dependents("d") == ("a", "b")
    assert book.dependents("c") == ("a",)
    assert book.steps("a") == ("s",)
    assert book.order.index("d") < book.order.index("b") < book.order.index("a")
    with pytest.raises(InputError, match="no such claim"):
        book.verify("nothing")


def test_printed_proofs_that_cite_each_other_have_an_end() -> None:
    book = Ledger([claim("a", printed_uses=("b",)), claim("b", printed_uses=("a",))])
    assert book.closure("a") == {"a", "b"}


@pytest.mark.parametrize("field", ["parent", "repaired_by", "concerns"])
def test_every_reference_is_looked_up(field: str) -> None:
    with pytest.raises(LedgerError, match="no claim of the ledger"):
        Ledger([claim("a", **{field: "b"})])


def test_lemmas_see_what_was_assumed_before(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def recorded(c: Claim, statements: Any, assumed: Any) -> Verdict:
        seen[c.key] = (set(statements), dict(assumed))
        made = {"claim": c.key, "kind": "proof", "takes": {"of": c.key}}
        return Verdict(P, "", made) if c.key == "b" else verdict(O)

    monkeypatch.setattr(ledgers, "judge", recorded)
    heard: list[str] = []
    Ledger([cites("a", "b", "c"), cites("b"), cites("c")]).verify(on_verdict=lambda key, _: heard.append(key))
    assert seen["a"] == ({"a", "b", "c"}, {"b": {"of": "b"}})
    assert sorted(heard) == ["a", "b", "c"]
    assert heard[-1] == "a"


def test_a_claim_is_proved_or_refuted_or_open() -> None:
    assert judge(claim("a"), {}).status is P
    assert judge(Claim("a", Kind.STATEMENT, Source(1), "", FALSE, instances=(BELOW,)), {}).status is R
    unknown = judge(Claim("a", Kind.STATEMENT, Source(1), "", FALSE, note="nobody knows"), {})
    assert (unknown.status, unknown.reason) == (O, "unsupported: nobody knows")
    assert judge(Claim("a", Kind.DEFINITION, Source(1), ""), {}).status is N


def test_a_definition_may_be_depended_on() -> None:
    assert judge(claim("a", depends=("d",)), {}).status is P


def test_the_last_step_must_be_the_claim() -> None:
    other = Claim("a", Kind.STATEMENT, Source(1), "", state(ge(x**2 + 1, 0)), by(TRUE, (1, Square(x))))
    found = judge(other, {})
    assert found.status is O
    assert "last step does not state the claim" in found.reason


def test_the_last_step_must_have_the_hypotheses_of_the_claim() -> None:
    under = state(ge(x, 0), given(ge(x, 0)))
    weaker = Claim("a", Kind.STATEMENT, Source(1), "", FALSE, by(under, (1, Given(0))))
    assert judge(weaker, {}).status is O


def test_a_claim_that_is_proved_and_refuted_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "prove", lambda *_: {"lines": []})
    with pytest.raises(DisagreementError, match="a is both proved and refuted: x = -1"):
        judge(Claim("a", Kind.STATEMENT, Source(1), "", FALSE, by(FALSE, (1, One())), (BELOW,)), {})


def test_an_instance_refutes_no_claim_that_another_exists() -> None:
    said = some(ge(x - 1, 0))
    assert judge(Claim("a", Kind.STATEMENT, Source(1), "", said, instances=(BELOW,)), {}).status is O


def test_an_instance_that_does_not_fail_is_passed_over() -> None:
    both = Claim("a", Kind.STATEMENT, Source(1), "", FALSE, instances=(case("x = 2", {x: 2}), BELOW))
    found = judge(both, {})
    assert found.status is R
    assert found.witness is not None
    assert found.witness["witness"]["says"] == "x = -1"


def test_what_a_claim_uses() -> None:
    inner = Lemma("deep", because={0: ((1, Lemma("deeper")),)})
    shown = case("x = -1", {x: -1}, through=((1, Lemma("seen")),))
    found = claim("a", (1, Lemma("b")), (1, inner), (1, Square(x)), depends=("meant",), instances=(shown,))
    assert uses(found) == ("b", "deep", "deeper", "meant", "seen")
    assert cited([(1, inner), (1, Square(x))]) == {"deep", "deeper"}
    assert set(lemmas_of(found, {"b": TRUE, "meant": TRUE, "other": TRUE})) == {"b", "meant"}


def test_a_step_of_the_own_proof_is_no_lemma() -> None:
    first = by(TRUE, (1, Square(x)))
    name = first[0].name
    both = Claim("a", Kind.STATEMENT, Source(1), "", TRUE, (*first, *by(TRUE, (1, Lemma(name)))))
    assert uses(both) == ()


def taking(**more: Any) -> dict[str, Any]:
    return {**NOTHING, **more}


def test_slopes_and_means_beyond_the_record_are_seen() -> None:
    assert beyond(taking()) == []
    slope = {"x_judged": ["p_judged", 1]}
    assert beyond(taking(slopes=slope)) == [["slopes", "x_judged", ["p_judged", 1]]]
    mean = {"x_judged": ["p_judged", "an event", 1]}
    assert beyond(taking(means=mean)) == [["means", "x_judged", ["p_judged", "an event", 1]]]
    elsewhere = {"x_judged": {"p_judged": 0}}
    assert beyond(taking(at=elsewhere)) == [["at", "x_judged", {"p_judged": 0}]]
    assert beyond(taking(constant=[["x_judged", "p_judged"]])) == [["constant", "x_judged", "p_judged"]]


def test_a_slope_beyond_the_record_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # What the kernel accepts for letters that rise with a parameter is no proof for arbitrary ones.
    honest = judging.proof_lines

    def rising(*parts: Any) -> Any:
        made = honest(*parts)
        letters = {**made["takes"]["letters"], "p_judged": [False, False]}
        takes = {**made["takes"], "letters": letters, "slopes": {"x_judged": ["p_judged", 1]}}
        return {**made, "takes": takes}

    monkeypatch.setattr(judging, "proof_lines", rising)
    found = judge(claim("a"), {})
    assert found.status is O
    assert "the record does not give ['slopes', 'x_judged'" in found.reason


def test_a_combination_that_misses_its_conclusion_says_by_how_much() -> None:
    far = state(ge(x**2 - 7, 0))
    one_more = (Step("equal", state(eq(x**2, x * x)), Identity()), *by(far, (1, Square(x))))
    found = judge(Claim("a", Kind.STATEMENT, Source(1), "", far, one_more), {})
    assert found.status is O
    assert "misses the conclusion by -7" in found.reason


def test_a_fact_beyond_the_record_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [{"by": "leaf", "fact": 0}]
    facts = [[">=", ["^", "x_judged", 2], "definition", []]]
    lie = {"takes": taking(facts=facts, letters={"x_judged": [False, True]}), "lines": lines}
    monkeypatch.setattr(judging, "proof_lines", lambda *_: lie)
    found = judge(claim("a"), {})
    assert found.status is O
    assert "something else for granted" in found.reason


def test_what_the_checker_rejects_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {"takes": taking(letters={"x_judged": [False, True]}), "lines": []}
    monkeypatch.setattr(judging, "proof_lines", lambda *_: nothing)
    found = judge(claim("a"), {})
    assert found.status is O
    assert "the checker rejects the proof" in found.reason


def test_what_the_checker_rejects_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {"takes": taking(letters={"x_judged": [False, True]}), "lines": [], "shown": []}
    monkeypatch.setattr(judging, "instance_lines", lambda *_: nothing)
    with pytest.raises(judging.InstanceError, match="is no instance"):
        judge(Claim("a", Kind.STATEMENT, Source(1), "", FALSE, instances=(BELOW,)), {})
