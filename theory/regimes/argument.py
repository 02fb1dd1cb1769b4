"""Why an end of a bracket holds: the record that gives it, at the values at which it was decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from oubli.theory.regimes.basis import At, Basis, Use, certain
from oubli.theory.regimes.bound import Best
from oubli.theory.regimes.classification import Classification
from oubli.theory.regimes.decide import Known
from oubli.theory.regimes.enclosed import BITS, PROPOSALS
from oubli.theory.regimes.row import Row, implied, question
from oubli.theory.search.ball import precision


@dataclass(frozen=True)
class Argument:
    """One end of a bracket, the record that gives it with all its letters, and the claims it rests on.

    A lower end is forced: at one gradient less the conclusion would be false. An upper end is reached: the
    hypotheses hold. `use` and `known` are None for a lower end 0, for which nothing has to be shown.
    """

    end: str
    steps: int
    forced: bool
    claims: tuple[str, ...]
    use: Use | None
    known: Known | None


def arguments(found: Classification, row: int) -> list[Argument]:
    """The arguments for the four ends of a row's brackets.

    Args:
        found: The classification, decided.
        row: The number of the row.

    Returns:
        Retraining's lower and upper end, then unlearning's.

    >>> from oubli.theory.regimes import classify
    >>> [a.steps for a in arguments(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)]
    [13, 117, 0, 1]
    """
    asked, lower = question(found.query, row), implied(found.query, row)
    made = []
    with precision(BITS):
        for name, (low, high) in (("T_scratch", found.scratch), ("T_unlearn", found.unlearn)):
            made.append(_lower(f"{name} lower", low, lower, row))
            made.append(_upper(f"{name} upper", high, asked, row))
    return made


def _lower(name: str, low: Best, row: Row, number: int) -> Argument:
    steps = int(low.steps[number])
    at, basis = At(row, max(steps - 1, 0)), low.basis(number)
    pair = next(_at_work(basis, at, Use.forces), (None, None)) if steps else (None, None)
    return Argument(name, steps, True, low.claims(number) if steps else (), *pair)


def _upper(name: str, high: Best, row: Row, number: int) -> Argument:
    values = [Fraction(float(choice.values[number])) for choice in high.choices(number)]
    square = row.r**2 * values[0] * values[1] ** 2 if values else Fraction(0)
    at = At(row, int(high.steps[number]), square)
    pair = next(_at_work(high.basis(number), at, Use.suffices), (None, None))
    return Argument(name, at.steps, False, high.claims(number), *pair)


def _at_work(basis: Basis, at: At, decision: Callable[[Use, At], bool]) -> Iterator[tuple[Use, Known]]:
    """The records that certainly give the end, with their letters."""
    for values in PROPOSALS[basis.proposal](at):
        chosen = replace(at, chosen=tuple(map(Fraction, values)))
        for use in basis.uses:
            if certain(partial(decision, use, chosen)):
                yield use, use.settled(chosen)
