"""False claims as records, each with the proof that the paper's own lemmas suggest: none is proved.

Where one letter stood for two algorithms, or a time or a budget stood in prose, these once followed.
"""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging.judge import InstanceError, judge
from oubli.theory.judging.replay import statements
from oubli.theory.paper.algorithms import G_retrain
from oubli.theory.paper.descent import Descent
from oubli.theory.paper.ledger import ledger
from oubli.theory.paper.letters import L, T, data, delta, epsilon, mu, r, retained
from oubli.theory.paper.optima import theta_all, theta_r
from oubli.theory.paper.trivial import M_0, A_any, A_private, floor
from oubli.theory.records.build import by, case, ge, given, le, repair, state
from oubli.theory.records.objects import ZERO, forget, inner, least, norm, opt, term, unit, worst
from oubli.theory.records.proof import Lemma, Schema
from oubli.theory.records.verdict import Status

KNOWN = statements(ledger())
_far = norm(theta_all - theta_r)
constant = Descent("false_constant", ZERO, 100 / mu, sp.Integer(1), T)
other_start = Descent("false_start", unit(1), 2 / (mu * (sp.Symbol("k_", real=True) + 2)), sp.Integer(1), T)
RATE = 2 * L**2 / (mu * (T + 2))


def letter(name: str, number: Any) -> sp.Symbol:
    return term(f"false_{name}", number)


FALSE: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = {
    "a constant step of 100/mu has the rate of decreasing ones": (
        le(constant.gap(), RATE), ((1, Lemma("sgd.rate.repaired")),), ()),
    "so has a plain average of decreasing ones from another start": (
        le(other_start.gap(), RATE), ((1, Lemma("sgd.rate.repaired")),), ()),
    "after T gradients the worst risk is still r^2 (2-r)^2 e0": (
        ge(letter("later", worst(A_any, T)), floor), ((1, Lemma("trivial.floor")),), ()),
    "and that of the best unlearner": (
        ge(letter("least_later", least("unlearner", T, r, epsilon, delta)), floor),
        ((1, Lemma("trivial.floor.private")),), ()),
    "at another fraction": (
        ge(letter("other_fraction", least("unlearner", 0, r / 2, epsilon, delta)), floor),
        ((1, Lemma("trivial.floor.private")),), ()),
    "every unlearner is as good as the best": (
        le(letter("one_unlearner", worst(A_private, 0)), M_0),
        ((1, Lemma("trivial.floor.private")),), ()),
    "the forget optimum lies within r L/mu too": (
        le(letter("forget_far", norm(opt(forget(data)) - theta_r)), r * L / mu),
        ((1, Lemma("opt_dist.sharp")),), ()),
    "the optima lie within L/(10 mu), whatever r is": (
        le(letter("far", _far), L / (10 * mu)), ((1, Lemma("opt_dist.sharp", {r: sp.Rational(1, 10)})),), ()),
    "the optima lie within r L/(2 mu): L halved in the lemma": (
        le(letter("far", _far), r * L / (2 * mu)), ((1, Lemma("opt_dist.sharp", {L: L / 2})),), ()),
    "retraining with half the gradients": (
        le(G_retrain, RATE / 2), ((1, Lemma("sgd.rate.repaired", {T: 2 * T + 2})),), ()),
    "the gradient of the retain loss vanishes at the old optimum": (
        le(letter("slope", norm(theta_all - theta_r)), 0),
        ((1, Schema("stationary", (retained, theta_all))),), ()),
    "every point is as near as a minimiser": (
        le(letter("size", inner(unit(1), unit(1))), L**2 / (4 * mu**2)),
        ((1, Schema("ball", (unit(1),))),), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_not_proved(name: str) -> None:
    says, terms, hypotheses = FALSE[name]
    said = state(says, *map(given, hypotheses))
    found = judge(repair("false", 1, name, said, proof=by(said, *terms)), KNOWN, {})
    assert found.status is Status.OPEN, found


def test_a_typed_number_refutes_nothing() -> None:
    """M = 10^9 was enough against anything that says M <= e."""
    true = ledger().claims["trivial.repaired"]
    assert true.statement is not None
    values = {q.symbol: 1 for q in true.statement.quantities if not q.kind}
    typed = case("a typed risk", {**values, M_0: 10**9})
    claim = repair("false", 1, "typed", true.statement, instances=(typed,))
    with pytest.raises(InstanceError, match="no instance"):
        judge(claim, KNOWN, {})
