"""A classified row, decided a second time: each end of its brackets by the claims it names, in balls."""

from __future__ import annotations

from fractions import Fraction

from theory.ball import precision
from theory.regimes.balls_lower import lower_holds
from theory.regimes.balls_upper import NO_NOISE, Mechanism, upper_holds
from theory.regimes.bound import Best
from theory.regimes.classification import Classification
from theory.regimes.query import Notion
from theory.regimes.row import Row, implied, question

BITS = 128


def unconfirmed(found: Classification, row: int) -> tuple[str, ...]:
    """The ends of a row's brackets that balls do not confirm: none, if the floats were right.

    >>> from theory.regimes import classify
    >>> unconfirmed(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)
    ()
    """
    asked, lower = question(found.query, row), implied(found.query, row)
    names = ("T_scratch", "T_unlearn")
    with precision(BITS):
        wrong = [] if _is_implied(found, asked, lower) else ["budget"]
        for name, (low, high) in zip(names, (found.scratch, found.unlearn), strict=True):
            if not lower_holds(lower, low.claims(row), int(low.steps[row])):
                wrong.append(f"{name} lower")
            if not upper_holds(asked, high.claims(row), _mechanism(high, row), float(high.steps[row])):
                wrong.append(f"{name} upper")
    return tuple(wrong)


def _is_implied(found: Classification, asked: Row, lower: Row) -> bool:
    """def.from_reference: (eps, delta)-Reference Unlearning is (2 eps, (1 + e^eps) delta)-Unlearning."""
    if found.query.notion is Notion.UNLEARNING or asked.eps is None or lower.eps is None:
        return asked.eps == lower.eps and asked.delta <= lower.delta
    enough = lower.delta == 1 or bool(lower.delta_ball >= (1 + asked.e_eps) * asked.delta_ball)
    return lower.eps >= 2 * asked.eps and enough


def _mechanism(high: Best, row: int) -> Mechanism:
    choices = high.choices(row)
    if not choices:
        return NO_NOISE
    square, apart = choices
    numbers = (Fraction(float(c.values[row])) for c in (square, apart))
    return Mechanism(next(numbers), square.name(row), next(numbers), apart.name(row))
