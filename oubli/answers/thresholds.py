"""What would change the answer: the nearest budget, target or number of samples at which unlearning pays.

Upper bounds on T^U fall and retraining's lower bound stays as ε grows or less is forgotten, so that each
region is an interval there. So is "noise alone is enough" along the target; but T^U <= T^S/2 compares whole
numbers that both change with the target, which leaves gaps: there a value is named, and nothing beyond it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from oubli.answers.question import Question
from oubli.theory.regimes import Classification, Constants
from oubli.theory.regimes.classification import classify_rows
from oubli.theory.regimes.enclosed import unconfirmed
from oubli.theory.regimes.query import Query, QueryError
from oubli.theory.regimes.safe import Floats

ALONE, PAYS = ("trivial",), ("trivial", "efficient")
_SCAN, _ROUNDS, _PARTS = 160, 3, 25
_FIELDS = {"eps": "eps", "forget": "r", "target": "x"}
_DIGITS = 4


@dataclass(frozen=True)
class Threshold:
    """A value of a parameter on the certified side of the boundary of some regimes.

    `from_there` says that the regimes hold on the whole easier side.
    """

    parameter: str
    value: float
    regimes: tuple[str, ...]
    inside: bool
    from_there: bool


def thresholds(found: Classification, row: int, asked: Question, constants: Constants) -> list[Threshold]:
    """The boundaries of "noise alone is enough" and of "unlearning pays" in ε, in the target and in r.

    Args:
        found: The classification.
        row: The number of the row.
        asked: The question of that row.
        constants: The constants of the classification.

    Returns:
        Those within the accepted ranges, each decided by the records at the value that it names.

    >>> from oubli.theory.regimes import classify
    >>> one = classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05)
    >>> asked = Question(0.001, 1.0, 1e-5, 10, 0.05)
    >>> [(t.parameter, t.regimes[-1], t.value) for t in thresholds(one, 0, asked, Constants.SHARP)][:2]
    [('eps', 'trivial', 1.057), ('eps', 'efficient', 0.3701)]
    """
    at, word = _at(found.query, row), str(found.certified[row])
    made = []
    for name, field, ends in _paths(at, asked):
        seen = partial(_words, partial(_moved, at, field), constants)
        try:
            scanned = np.geomspace(*ends, _SCAN), seen(np.geomspace(*ends, _SCAN))
            made += [_threshold(seen, name, scanned, regimes, word in regimes) for regimes in (ALONE, PAYS)]
        except QueryError:  # the classical noise ends somewhere on the path
            continue
    return [one for one in made if one is not None and _confirmed(at, one, constants)]


def _at(q: Query, row: int) -> Query:
    r, d, eps, delta, x = (np.array([float(c[row])]) for c in (q.r, q.d, q.eps, q.delta, q.x))
    return Query(r, d, eps, delta, x, q.notion, q.noise)


def _paths(at: Query, asked: Question) -> list[tuple[str, str, tuple[float, float]]]:
    """The parameters that may move, each from its hard end to its easy end."""
    if at.x[0] >= 1:  # the zero model is enough, whatever else is asked
        return []
    found = [("target", "x", (1e-12, max(0.99, float(at.x[0]))))]
    if np.isfinite(at.eps[0]) and at.r[0] > 0:
        found.append(("eps", "eps", (1e-6, 1e4)))
    if at.r[0] > 0:
        found.append(("forget", "r", (0.5, 1e-12 if asked.n is None else 1 / asked.n)))
    return sorted(found)


def _moved(at: Query, field: str, values: Floats) -> Query:
    names = ("r", "d", "eps", "delta", "x")
    r, d, eps, delta, x = (
        values if name == field else np.full(values.shape, getattr(at, name)[0]) for name in names
    )
    return Query(r, d, eps, delta, x, at.notion, at.noise)


def _words(moved: Callable[[Floats], Query], constants: Constants, values: Floats) -> NDArray[np.str_]:
    return classify_rows(moved(values), constants).certified


def _threshold(
    seen: Callable[[Floats], NDArray[np.str_]],
    name: str,
    scanned: tuple[Floats, NDArray[np.str_]],
    regimes: tuple[str, ...],
    inside: bool,
) -> Threshold | None:
    """The hardest value at which the regimes were seen, narrowed; None if they hold everywhere or nowhere."""
    path, good = scanned[0], np.isin(scanned[1], regimes)
    if good[0] or not good.any():
        return None
    interval = (name != "target" or regimes == ALONE) and bool(good[np.argmax(good) :].all())
    for _ in range(_ROUNDS):
        first = int(np.argmax(good))
        path = np.geomspace(path[first - 1], path[first], _PARTS)
        good = np.isin(seen(path), regimes)
        good[-1], good[0] = True, False
    value = float(path[np.argmax(good)])
    short = _rounded(value, rising=path[0] < path[-1])
    kept = short if seen(np.array([short]))[0] in regimes else value
    return Threshold(name, kept, regimes, inside, interval)


def _rounded(value: float, rising: bool) -> float:
    """The value in few digits, towards the easy side."""
    unit = 10.0 ** (np.floor(np.log10(value)) - _DIGITS + 1)
    return float(f"{(np.ceil if rising else np.floor)(value / unit) * unit:.{_DIGITS}g}")


def _confirmed(at: Query, one: Threshold, constants: Constants) -> bool:
    """Whether the records confirm the regime at the value that is named."""
    found = classify_rows(_moved(at, _FIELDS[one.parameter], np.array([one.value])), constants)
    return found.certified[0] in one.regimes and not unconfirmed(found, 0)
