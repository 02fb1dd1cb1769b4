"""Some rows of a batch, answered at once: what a worker process does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oubli.answers.answer import Setting, classified, fields
from oubli.answers.columns import NAMES, columns
from oubli.answers.question import Question, question
from oubli.answers.readers import BadRow, Input, texts
from oubli.errors import InputError, OubliError
from oubli.theory.regimes import Classification
from oubli.theory.regimes.enclosed import UncertifiedError, unconfirmed
from oubli.theory.regimes.query import QueryError, faults
from oubli.theory.regimes.registry import left_out

WHOLE = ("unlearn_lo", "unlearn_hi", "scratch_lo", "scratch_hi", "gradients")
ANSWERS = (*NAMES, "decided", "error")


@dataclass(frozen=True)
class Answered:
    """The answers to some rows: a list for each of `ANSWERS`, None where a row has no answer."""

    columns: dict[str, list[Any]]
    objects: list[dict[str, Any]] | None = None

    @property
    def errors(self) -> list[tuple[int, str]]:
        """The rows without an answer, with the reason."""
        return [(i, reason) for i, reason in enumerate(self.columns["error"]) if reason is not None]


def answered(rows: Sequence[Input], setting: Setting, decided: Sequence[bool], nested: bool) -> Answered:
    """The answers to some rows; a row that cannot be answered gets a reason instead.

    Args:
        rows: The rows as they were read.
        setting: Constants, notion and noise.
        decided: For each row, whether the records decide it in ball arithmetic.
        nested: Whether the answers are asked for as JSON objects, too.

    Returns:
        The answers, in the order of the rows.
    """
    reasons: list[str | None] = [None] * len(rows)
    asked = [_asked(row, reasons, i) for i, row in enumerate(rows)]
    good = _sifted(asked, reasons)
    found = _classified([one for i in good if (one := asked[i])], good, reasons, setting)
    if found is None:
        return Answered({name: [None] * len(rows) for name in NAMES} | _marks(reasons, decided))
    good = [i for i in good if reasons[i] is None]
    _decide(found, good, reasons, decided)
    questions = [one for i in good if (one := asked[i])]
    table = columns(found, questions)
    made = {name: _spread(name, table[name], good, reasons) for name in NAMES}
    objects = _objects(table, questions, good, reasons, decided) if nested else None
    return Answered(made | _marks(reasons, decided), objects)


def _asked(row: Input, reasons: list[str | None], i: int) -> Question | None:
    try:
        if isinstance(row, BadRow):
            raise InputError(row.reason)
        found = question(texts(row))
        if found.target is None:
            raise InputError("target is missing: give target, or risk with L and mu")
    except OubliError as error:
        reasons[i] = str(error)
        return None
    return found


def _sifted(asked: list[Question | None], reasons: list[str | None]) -> list[int]:
    """The rows whose values are accepted; the others get their reason."""
    good = [i for i, one in enumerate(asked) if one is not None]
    names = ("rf", "dim", "eps", "delta", "target")
    table = (np.array([getattr(asked[i], name) for i in good], dtype=np.float64) for name in names)
    for at, reason in faults(*table).items():
        reasons[good[at]] = reason
    return [i for i in good if reasons[i] is None]


def _classified(
    asked: list[Question], good: list[int], reasons: list[str | None], setting: Setting
) -> Classification | None:
    """The classification of the good rows; row by row where the noise that is asked for ends for some."""
    if not asked:
        return None
    try:
        return _certified(classified(asked, setting))
    except QueryError:
        for i, one in zip(good, asked, strict=True):
            try:
                classified([one], setting)
            except QueryError as error:
                reasons[i] = str(error)
    left = [one for i, one in zip(good, asked, strict=True) if reasons[i] is None]
    return _certified(classified(left, setting)) if left else None


def _certified(found: Classification) -> Classification:
    if not all(np.isfinite(best.steps).all() for best in (found.scratch[1], found.unlearn[1])):
        raise UncertifiedError(f"nothing is certified without {', '.join(left_out())} (`make accepted`)")
    return found


def _decide(
    found: Classification, good: list[int], reasons: list[str | None], decided: Sequence[bool]
) -> None:
    for at, i in enumerate(good):
        if decided[i] and (wrong := unconfirmed(found, at)):
            reasons[i] = f"the records do not confirm {', '.join(wrong)}: nothing is certified"


def _spread(name: str, column: Any, good: list[int], reasons: list[str | None]) -> list[Any]:
    """A column with gaps where rows have no answer, in values of Python."""
    values = column.astype(np.int64).tolist() if name in WHOLE else column.tolist()
    if column.dtype.kind == "f" and np.isnan(column).any():
        values = [None if value != value else value for value in values]
    made: list[Any] = [None] * len(reasons)
    for i, value in zip(good, values, strict=True):
        made[i] = value if reasons[i] is None else None
    return made


def _marks(reasons: list[str | None], decided: Sequence[bool]) -> dict[str, list[Any]]:
    marks = [None if reason else mark for reason, mark in zip(reasons, decided, strict=True)]
    return {"decided": marks, "error": list(reasons)}


def _objects(
    table: Any, asked: list[Question], good: list[int], reasons: list[str | None], decided: Sequence[bool]
) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"error": reason} for reason in reasons]
    for at, (i, one) in enumerate(zip(good, asked, strict=True)):
        if reasons[i] is None:
            made[i] = fields(table, at, one) | {"decided": decided[i]}
    return made
