"""Planted errors in the checks themselves: comparisons, samples, hypotheses, records, stored ratios."""

from typing import Any

import numpy as np
from sympy import Rational

from oubli.checks.measure import judging, relation
from oubli.checks.measure.registry import ledger, outcomes
from oubli.checks.measure.summary import missing
from oubli.checks.measure.witness import measured
from tests.adversarial.planted import changed, planted_in, sharp, tighter

_anyhow = relation.Numeric.anyhow
_judged = relation.judged


def _turned(self: Any, letters: Any) -> Any:
    found = _anyhow(self, letters)
    return relation.Found(found.large, found.small, found.slack, ~found.fails, found.ratio)


def _blind(self: Any, letters: Any) -> Any:
    found = _anyhow(self, letters)
    return relation.Found(found.small, found.large, found.slack, np.zeros_like(found.fails), found.ratio)


def _nobody(*_: Any, **__: Any) -> list[Any]:
    return []


def _false_claim() -> object:
    """A claim that is false must be seen to be false."""
    return judging.falls(ledger().claims["e0.step"])


# What is wrong: the check that catches it, the name that is replaced, by what, and that check.
CHECKS = planted_in("check", {
    "a comparison turned round": (
        "stands[tv_bound.arcsine]", "checks.measure.relation.Numeric.anyhow", _turned,
        lambda: judging.stands(ledger().claims["tv_bound.arcsine"])),
    "a comparison that never fails": (
        "falls[e0.step]", "checks.measure.relation.Numeric.anyhow", _blind, _false_claim),
    "rounding slack of 100 %": (
        "falls[e0.step]", "checks.measure.relation.ROUNDING", 1.0, _false_claim),
    "an empty sample": (
        "stands[binomial_tv]", "checks.measure.drawing.drawn", _nobody,
        lambda: judging.stands(ledger().claims["binomial_tv"])),
    "a check that draws one case": (
        "stands[binomial_tv]", "checks.measure.check.pool", lambda source, scale: _one(source),
        lambda: judging.stands(ledger().claims["binomial_tv"])),
    "a check without a body": (
        "missing, at the end of the run", "checks.measure.judging.stands", lambda claim: [],
        lambda: _complete()),
    "hypotheses are not looked at": (
        "falls, the witness of another claim", "checks.measure.relation.judged",
        lambda s, x: relation.Judged(_judged(s, x).says, {}), lambda: _foreign_witness()),
    "every witness passes": (
        "falls[trivial.step3]", "checks.measure.judging.judged",
        lambda s, x: relation.Judged(_not_failing(s, x), {}),
        lambda: judging._at_witness(ledger().claims["trivial.step3"])["violated"] or _raise("not violated")),
    "stored ratios are believed": (
        "test_tightness_does_not_regress", "checks.measure.worst.replayed",
        lambda s, source, i: relation.Judged(_small(s, source, i), {}), lambda: sharp("tv_bound.arcsine")),
    "the bound is retyped, not read": (
        "stands on a changed record", "checks.measure.judging.outcomes",
        lambda claim, scale: _of_the_ledger(claim), lambda: _changed_record_is_seen()),
})  # fmt: skip


def _one(source: Any) -> Any:
    batch = {name: axis.place(np.array([0.25])) for name, axis in source.space.items()}
    return batch, source.measure(batch)


def _complete() -> object:
    records = judging.stands(ledger().claims["e0.step.repaired"])
    lost = [key for key in missing({r["key"]: r for r in records}) if key == "e0.step.repaired"]
    return _raise(f"not recorded: {lost}") if lost else records


def _foreign_witness() -> object:
    claim, other = ledger().claims["tv_bound"], ledger().claims["tv_bound.ceiling"]
    assert claim.statement is not None
    letters = measured(other.instances[0])
    values = {
        **letters.values,
        **{
            n: np.array([x]) for n, x in (("y_excess", 0.5), ("tau_zero", 1.0), ("T", 0.0), ("h_output", 0.0))
        },
    }
    found = relation.judged(claim.statement, relation.Letters(values))
    return found if found.unmet else _raise("a foreign witness was not noticed")


def _not_failing(statement: Any, letters: Any) -> Any:
    says = _judged(statement, letters).says
    return relation.Found(says.small, says.large, says.slack, np.zeros_like(says.fails), says.ratio)


def _small(statement: Any, source: Any, instance: Any) -> Any:
    says = _judged(statement, source.letters(instance)).says
    return relation.Found(says.small, says.large, says.slack, says.fails, says.ratio / 2)


def _of_the_ledger(claim: Any) -> Any:
    return outcomes(ledger().claims[claim.key])


def _changed_record_is_seen() -> object:
    wrong = changed("tv_bound.arcsine", tighter(Rational(1, 2)))
    try:
        judging.stands(wrong)
    except judging.ViolatedError:
        return wrong
    return _raise("a changed record was not seen")


def _raise(why: str) -> object:
    raise judging.ViolatedError(why)
