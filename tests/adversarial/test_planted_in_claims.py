"""Planted errors in proved claims: 1 % toward falsehood turns each REFUTED or OPEN, never PROVED."""

from dataclasses import replace

import pytest
import sympy as sp

from oubli.theory.judging.judge import judge
from oubli.theory.kernel.statement import Statement
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.claim import Claim
from oubli.theory.records.verdict import Status

LEDGER = ledger()
KNOWN = {key: c.statement for key, c in LEDGER.claims.items() if c.statement is not None}
PROVABLE = [key for key, c in LEDGER.claims.items() if c.statement is not None and c.proof]
PERCENT = sp.Rational(1, 100)


def falsified(statement: Statement) -> Statement:
    """The statement with its conclusion moved 1 % (of its larger side) toward falsehood."""
    says = statement.says
    lhs, rhs = says.lhs, says.rhs
    if isinstance(says, sp.Eq):
        return replace(
            statement, says=sp.Eq(lhs, rhs * (1 + PERCENT) if rhs != 0 else PERCENT, evaluate=False)
        )
    small, large = (lhs, rhs) if isinstance(says, sp.Le | sp.Lt) else (rhs, lhs)
    if large == 0 or not large.free_symbols:
        small, large = small + PERCENT * sp.Max(1, sp.Abs(large)).doit(), large
    else:
        large = large * (1 - PERCENT)
    kind = sp.Lt if isinstance(says, sp.Lt | sp.Gt) else sp.Le
    return replace(statement, says=kind(small, large, evaluate=False))


def planted(claim: Claim) -> Claim:
    """The claim and the last step of its proof, both saying the falsified conclusion."""
    assert claim.statement is not None
    false = falsified(claim.statement)
    last = replace(claim.proof[-1], statement=false)
    return replace(claim, statement=false, proof=(*claim.proof[:-1], last))


@pytest.mark.parametrize("key", PROVABLE)
def test_a_planted_error_is_never_proved(key: str) -> None:
    assert judge(LEDGER.claims[key], KNOWN).status is Status.PROVED
    assert judge(planted(LEDGER.claims[key]), KNOWN).status is not Status.PROVED


SHARP = [
    "e0",
    "e0.step.repaired",
    "opt_dist.sharp",
    "opt_loss.line",
    "sensitivity.line",
    "tv_bound.arcsine",
    "setup.hard_family",
    "setup.gradient_at_zero",
    "setup.lift",
    "setup.synthetic.constant",
]


@pytest.mark.parametrize("key", SHARP)
def test_a_planted_error_in_a_sharp_claim_is_refuted(key: str) -> None:
    verdict = judge(planted(LEDGER.claims[key]), KNOWN)
    assert verdict.status is Status.REFUTED


def test_a_larger_c3_is_refuted_at_the_smallest_epsilon() -> None:
    from oubli.theory.kernel.symbols import phi1, phi2
    from oubli.theory.paper.letters import epsilon
    from oubli.theory.records.build import case

    claim = planted(LEDGER.claims["inefficient.c3"])
    tiny = sp.Rational(1, 10**8)
    instance = case("eps = 1e-8", {epsilon: tiny, phi1(epsilon): 1, phi2(epsilon): 1})
    bare = replace(claim, statement=replace(claim.statement, given=claim.statement.given[:1]), proof=())  # type: ignore[type-var,union-attr]
    found = judge(replace(bare, instances=(replace(instance, values={epsilon: tiny}),)), KNOWN)
    assert found.status is Status.REFUTED
