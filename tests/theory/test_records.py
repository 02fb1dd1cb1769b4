"""Records: bad ones are refused with a clear exception."""

from collections import Counter
from fractions import Fraction

import pytest
import sympy as sp

from oubli.theory.judging.ledger import Ledger, LedgerError
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import UNIT, Domain, EmptyDomainError, letter, quantity
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.build import by, ge, le, state, step
from oubli.theory.records.claim import OURS, Claim, Kind, Source
from oubli.theory.records.proof import Given, Lemma, One, Square
from oubli.theory.records.verdict import NotDecidedError, Reason, Soundness, Status, Verdict

x = letter("x_test", meaning="a number")


def claim(key: str, *terms: object, **rest: object) -> Claim:
    says = state(ge(x**2, 0))
    return Claim(key, Kind.STATEMENT, Source(1), key, says, by(says, *(terms or ((1, Square(x)),))), **rest)  # type: ignore[arg-type]


def test_an_empty_domain_is_refused() -> None:
    with pytest.raises(EmptyDomainError, match="holds no number"):
        Domain(Fraction(1), Fraction(0))
    with pytest.raises(EmptyDomainError):
        Domain(Fraction(1), Fraction(1), lower_open=True)


def test_a_name_has_one_domain() -> None:
    with pytest.raises(ValueError, match="already declared"):
        quantity("x_test", UNIT)


def test_an_unknown_symbol_is_refused() -> None:
    with pytest.raises(KeyError, match="unknown symbol nobody"):
        Statement((), le(sp.Symbol("nobody"), 1))


def test_a_statement_says_a_relation() -> None:
    with pytest.raises(ValueError, match="relation"):
        Statement((), x)


def test_duplicate_keys_are_refused() -> None:
    with pytest.raises(LedgerError, match="used twice"):
        Ledger([claim("a"), claim("a")])


@pytest.mark.parametrize("field", ["repaired_by", "parent"])
def test_dangling_references_are_refused(field: str) -> None:
    with pytest.raises(LedgerError, match="no claim of the ledger"):
        Ledger([claim("a", **{field: "b"})])


def test_dangling_uses_are_refused() -> None:
    with pytest.raises(LedgerError, match="refers to b"):
        Ledger([claim("a", (1, Lemma("b")))])
    with pytest.raises(LedgerError, match="refers to b"):
        Ledger([claim("a", printed_uses=("b",))])


def test_circles_are_refused() -> None:
    with pytest.raises(LedgerError, match="circle"):
        Ledger([claim("a", (1, Lemma("b"))), claim("b", (1, Lemma("a")))])


def test_a_step_needs_a_parent() -> None:
    orphan = Claim("a.step", Kind.STEP, Source(1), "", state(ge(x**2, 0)))
    with pytest.raises(LedgerError, match="no parent"):
        Ledger([orphan])


def test_status_propagates() -> None:
    unproved = Claim("weak", Kind.STATEMENT, Source(1), "", state(ge(x**2, 0)))
    dependent = claim("dependent", (1, Lemma("weak")))
    above = claim("above", (1, Lemma("dependent")))
    found = Ledger([above, dependent, unproved]).verify()
    assert [found[k].verdict.status for k in ("weak", "dependent", "above")] == ["OPEN", "PROVED", "PROVED"]
    assert [found[k].effective for k in ("weak", "dependent", "above")] == ["OPEN", "OPEN", "OPEN"]


def test_a_refuted_step_breaks_the_printed_proof_of_a_true_claim() -> None:
    from oubli.theory.records.build import case

    false = state(ge(x, 0))
    bad = step("true.step", 1, "", false, "true", instances=(case("x = -1", {x: -1}),))
    found = Ledger([claim("true"), bad]).verify()
    assert found["true"].verdict.status is Status.PROVED
    assert found["true"].proof is Soundness.BROKEN
    assert not found["true.step"].expected


def test_verdicts_need_what_shows_them() -> None:
    for status in (Status.PROVED, Status.REFUTED, Status.OPEN):
        with pytest.raises(ValueError, match="needs"):
            Verdict(status)


def test_the_records_of_the_paper_have_their_keys() -> None:
    keys = set(ledger().claims)
    wanted = """
    setup.class setup.stationary setup.gradient_at_zero setup.lift setup.step_stays
    setup.hard_family setup.synthetic setup.zero_steps nft.average nft.noise nft.warm_start
    sgd.average sgd.rate sgd.constant_step phi_measurable def.to_reference def.from_reference tv_dp
    gauss.kappa gauss.sensitivity experiment.sensitivity e0 e0.sign e0.step scratch.upper
    scratch.lower scratch.theta opt_dist opt_dist.step opt_loss.step1 opt_loss trivial.step2
    trivial.step3 trivial efficient.expectation efficient.equality efficient efficient.corollary
    two_point tv_bound tv_bound.convex inefficient.c3 inefficient inefficient.liminf binomial_tv
    phase.disjoint phase.slopes discussion.samples experiment.time
    """
    assert set(wanted.split()) <= keys


def test_undecided_says_why() -> None:
    assert str(NotDecidedError(Reason.BUDGET, "too many boxes")) == "budget: too many boxes"
    assert (Given(0), One()) == (Given(0), One())


def own(key: str, kind: Kind, source: Source, **rest: object) -> Claim:
    """A proved claim that is not printed."""
    says = state(ge(x**2, 0))
    return Claim(key, kind, source, key, says, by(says, (1, Square(x))), **rest)  # type: ignore[arg-type]


def test_a_repair_repairs_something() -> None:
    repair = own("a.repaired", Kind.REPAIR, Source(1))
    with pytest.raises(LedgerError, match=r"a\.repaired repairs nothing"):
        Ledger([repair, claim("a")])
    Ledger([repair, claim("a", repaired_by="a.repaired")])


def test_a_theorem_of_ours_has_no_line_of_the_paper_and_everything_else_has() -> None:
    Ledger([claim("a"), own("t", Kind.THEOREM, OURS, concerns="a")])
    with pytest.raises(LedgerError, match="no line of the paper"):
        Ledger([own("t", Kind.THEOREM, Source(7))])
    with pytest.raises(LedgerError, match="no line of the paper"):
        Ledger([own("s", Kind.STATEMENT, OURS)])
    with pytest.raises(LedgerError, match="refers to b"):
        Ledger([own("t", Kind.THEOREM, OURS, concerns="b")])


def test_an_unproved_theorem_of_ours_is_unexpected() -> None:
    weak = Claim("t", Kind.THEOREM, OURS, "", state(ge(x**2, 0)))
    assert not Ledger([weak]).verify()["t"].expected
    assert Ledger([own("t", Kind.THEOREM, OURS)]).verify()["t"].expected


def test_repairs_and_theorems_of_the_paper() -> None:
    kinds = Counter(c.kind for c in ledger().claims.values())
    assert (kinds[Kind.REPAIR], kinds[Kind.THEOREM]) == (32, 208)
