"""What certifies: each end of a row's brackets, decided in balls by the records that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from oubli.errors import OubliError
from oubli.theory.regimes import (
    bayes_kink,
    chain,
    cube,
    hops,
    kink,
    linear,
    printed_repaired,
    sgd,
    sharp,
    two_point,
)
from oubli.theory.regimes.ball_of_starts import BALL
from oubli.theory.regimes.basis import At, Basis, certain
from oubli.theory.regimes.bound import Best
from oubli.theory.regimes.classification import Classification
from oubli.theory.regimes.hops import Family
from oubli.theory.regimes.query import Notion, Query
from oubli.theory.regimes.registry import budget_is_implied, left_out
from oubli.theory.regimes.row import Row, implied, question
from oubli.theory.regimes.safe import single
from oubli.theory.regimes.sphere import SPHERE
from oubli.theory.search.ball import precision

BITS = 128


class UncertifiedError(OubliError):
    """The records do not give what was proposed: nothing is certified."""


def decide(found: Classification, rows: Iterable[int] | None = None) -> None:
    """Return only if the records certainly give every end of every row.

    Args:
        found: What the floats propose.
        rows: The numbers of the rows to decide; all of them, if none are given.

    Raises:
        UncertifiedError: An end is not certain, or no accepted record gives one.
    """
    if not all(np.isfinite(best.steps).all() for best in (found.scratch[1], found.unlearn[1])):
        raise UncertifiedError(f"nothing is certified without {', '.join(left_out())} (`make accepted`)")
    for row in range(len(found.query.x)) if rows is None else rows:
        wrong = unconfirmed(found, row)
        if wrong:
            ends = ", ".join(wrong)
            raise UncertifiedError(f"row {row + 1}: the records do not confirm {ends}: nothing is certified")


def unconfirmed(found: Classification, row: int) -> tuple[str, ...]:
    """The ends of a row's brackets that the records do not certainly give.

    Args:
        found: What the floats propose.
        row: The number of the row.

    Returns:
        The names of the ends; none, if the proposal was right.

    >>> from oubli.theory.regimes import classify
    >>> unconfirmed(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)
    ()
    """
    asked, lower = question(found.query, row), implied(found.query, row)
    with precision(BITS):
        wrong = [] if _is_implied(found.query, asked, lower) else ["budget"]
        for name, (low, high) in (("T_scratch", found.scratch), ("T_unlearn", found.unlearn)):
            wrong += [] if _forced(low, lower, row) else [f"{name} lower"]
            wrong += [] if _reached(high, asked, row) else [f"{name} upper"]
    return tuple(wrong)


def _is_implied(q: Query, asked: Row, lower: Row) -> bool:
    """Whether the lower ends speak of a budget that the question implies."""
    if lower.eps is None or lower.delta == 1:
        return True
    if q.notion is Notion.UNLEARNING:
        return asked == lower
    return certain(lambda: budget_is_implied(asked, lower))


def _forced(low: Best, row: Row, number: int) -> bool:
    """Whether one gradient less than a lower end is certainly refused; nothing has to be shown for 0."""
    steps, basis = int(low.steps[number]), low.basis(number)
    return steps == 0 or any(basis.forces(at) for at in _chosen(basis, At(row, steps - 1)))


def _reached(high: Best, row: Row, number: int) -> bool:
    """Whether an upper end certainly suffices, with private noise; nothing has to be shown for inf."""
    steps, basis, choices = float(high.steps[number]), high.basis(number), high.choices(number)
    if steps == float("inf"):
        return True
    values = [Fraction(float(choice.values[number])) for choice in choices]
    if choices and not all(
        certain(partial(choice.support(number).enough, row, value))
        for choice, value in zip(choices, values, strict=True)
    ):
        return False
    square = row.r**2 * values[0] * values[1] ** 2 if choices else Fraction(0)
    return any(basis.suffices(at) for at in _chosen(basis, At(row, int(steps), square)))


def _chosen(basis: Basis, at: At) -> Iterator[At]:
    """The question with each choice that the proposal makes."""
    for values in PROPOSALS[basis.proposal](at):
        yield replace(at, chosen=tuple(map(Fraction, values)))


def _budget(at: At) -> tuple[float, float, float, float]:
    row = at.row
    eps = float("inf") if row.eps is None else float(row.eps)
    return float(row.x), float(row.r / (1 - row.r)), eps, float(row.delta)


def _between(at: At) -> list[Choice]:
    x, r, D = (single(float(value)) for value in (at.row.x, at.row.r, at.square))
    part = sharp.share(x, r, D)
    left, near = (float(value) for value in sharp.between(x, r, D, part))
    return [(*c, float(part)) for c in sgd.proposed(left, near, at.steps)] if left > 0 else []


def _family(family: Family, at: At) -> list[Choice]:
    return hops.proposed(family, float(at.row.r), *_budget(at)[2:], at.row.d, at.steps)


Choice = tuple[float, ...]
PROPOSALS: dict[str, Callable[[At], list[Choice]]] = {
    "": lambda at: [()],
    "printed": lambda at: printed_repaired.printed_width(float(at.row.x)),
    "chain": lambda at: chain.proposed(*_budget(at)),
    "cube": lambda at: cube.proposed(*_budget(at), at.row.d),
    "two points": lambda at: two_point.proposed(*_budget(at), at.steps),
    "kink": lambda at: kink.proposed(float(at.row.x), float(at.row.r)),
    "sphere": partial(_family, SPHERE),
    "ball": partial(_family, BALL),
    "two kinks": lambda at: bayes_kink.proposed(float(at.row.r), at.steps),
    "weights from 0": lambda at: sgd.proposed(float(at.row.x), 0.25, at.steps),
    "weights to a point between": _between,
    "weights to the new optimum": lambda at: sgd.proposed(
        float(at.row.x), float(at.square + at.row.r**2), at.steps
    ),
    "growing weights": lambda at: linear.proposed(float(at.row.x), at.steps),
}
