"""The lower bounds by means along chains: what they rest on, and what is one number away and not proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging.judge import judge
from oubli.theory.kernel.statement import Statement
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.chains import K_chain
from oubli.theory.paper.ledger import ledger, verified
from oubli.theory.paper.letters import delta, rho
from oubli.theory.paper.sharper.lower import H_hops, O_hop, Y_side_P, Y_side_Q
from oubli.theory.paper.sharper.means import (
    O_rise,
    W_cut,
    Y_near,
    f_low,
    kept,
    m_high,
    m_low,
    risen,
    risk,
    y_worst,
)
from oubli.theory.records.build import ge, given, le
from oubli.theory.records.objects import mean, minus, term
from oubli.theory.records.verdict import Status

KEYS = [key for key in ledger().claims if key.startswith("sharp.lower")]
CLIMB = risen(gamma_min, gamma_max)


def verdict(key: str, statement: Statement) -> Status:
    """The verdict on a claim that says something else, by its own proof."""
    claims = ledger().claims
    steps = (*claims[key].proof[:-1], replace(claims[key].proof[-1], statement=statement))
    known = {k: c.statement for k, c in claims.items() if c.statement is not None}
    return judge(replace(claims[key], statement=statement, proof=steps, instances=()), known, {}).status


@pytest.mark.parametrize("key", KEYS)
def test_nothing_typed_is_assumed(key: str) -> None:
    certificate = verified()[key].verdict.certificate
    assert certificate is not None
    assert not any(certificate["takes"][part] for part in ("means", "slopes", "at", "constant"))


@pytest.mark.parametrize("key", ["sharp.lower.chain", "sharp.lower", "sharp.lower.capped"])
@pytest.mark.parametrize("times", [1000, sp.Rational(101, 100)])
def test_the_width_of_a_hop_is_not_typed(key: str, times: Any) -> None:
    """With 2000 rho in the record theta* would move along a segment."""
    said = ledger().claims[key].statement
    assert said is not None
    wider = given(ge(times * 2 * rho * (K_chain + 1), gamma_max - gamma_min))
    assert verdict(key, replace(said, given=(wider, *said.given[1:]))) is Status.OPEN


def test_a_segment_that_moves_theta_is_not_proved() -> None:
    said = ledger().claims["sharp.lower.segment"].statement
    assert said is not None
    for share in (0, sp.Rational(1, 2), 2, -1):
        far = kept(m_high, f_low - share * (m_high - m_low) / rho)
        rise = term(f"O_rise_{share}", minus(mean(far), mean(kept(m_low, f_low))))
        assert verdict("sharp.lower.segment", replace(said, says=le(rise, said.says.args[1]))) is Status.OPEN


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("sharp.lower.risk", le(W_cut, sp.Rational(99, 100) * y_worst**2)),
        ("sharp.lower.near", le(Y_near, sp.Rational(99, 100) * y_worst)),
        ("sharp.lower.segment", le(O_rise, sp.Rational(99, 100) * risen(m_low, m_high))),
        ("sharp.lower.side", le(Y_side_P, Y_side_Q)),
        ("sharp.lower.hop", le(O_hop, 2 * delta)),
        ("sharp.lower.hop.cap", le(O_hop, y_worst)),
        ("sharp.lower.chain", le(gamma_max - gamma_min, 2 * y_worst + CLIMB)),
        ("sharp.lower.chain", le(gamma_max - gamma_min, y_worst + CLIMB + H_hops)),
        ("sharp.lower", le(gamma_max - gamma_min, 2 * y_worst + CLIMB)),
        ("sharp.lower.capped", le(gamma_max - gamma_min, (2 + K_chain) * y_worst + CLIMB)),
    ],
)
def test_a_stronger_claim_is_not_proved(key: str, says: Any) -> None:
    said = ledger().claims[key].statement
    assert said is not None
    assert verdict(key, replace(said, says=says)) is Status.OPEN


@pytest.mark.parametrize("key", ["sharp.lower.risk", "sharp.lower", "sharp.lower.capped"])
def test_without_the_risk_nothing_follows(key: str) -> None:
    said = ledger().claims[key].statement
    assert said is not None
    free = replace(said, given=tuple(item for item in said.given if item != risk))
    assert verdict(key, free) is Status.OPEN
