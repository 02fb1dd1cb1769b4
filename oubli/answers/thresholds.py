"""What would change the answer: the nearest budget, target or number of samples at which unlearning pays.

Upper bounds on T^U fall and retraining's lower bound stays as ε grows or less is forgotten, so that each
region is an interval there; along the target whole steps can leave gaps, and a value is called "from"
only if nothing was seen to be missing above it.
"""

from __future__ import annotations

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
_SCAN, _ROUNDS = 160, 3
_DIGITS = 4


@dataclass(frozen=True)
class Threshold:
    """A value of a parameter on the certified side of the boundary of some regimes.

    `from_there` says that the regimes hold on the whole easier side, as far as was looked.
    """

    parameter: str
    value: float
    regimes: tuple[str, ...]
    inside: bool
    from_there: bool

    @property
    def at_least(self) -> bool:
        """Whether larger values are the easier ones."""
        return self.parameter != "forget"


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
    [('eps', 'trivial', 1.292), ('eps', 'efficient', 0.4767)]
    """
    at = _at(found.query, row)
    word = str(found.certified[row])
    made = (
        _threshold(partial(_moved, at, field), name, path, regimes, word in regimes, constants)
        for name, field, path in _paths(at, asked, word)
        for regimes in (ALONE, PAYS)
    )
    return [one for one in made if one is not None]


def _at(q: Query, row: int) -> Query:
    r, d, eps, delta, x = (np.array([float(c[row])]) for c in (q.r, q.d, q.eps, q.delta, q.x))
    return Query(r, d, eps, delta, x, q.notion, q.noise)


def _paths(at: Query, asked: Question, word: str) -> list[tuple[str, str, tuple[float, float]]]:
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
    columns = (values if name == field else np.full(values.shape, getattr(at, name)[0]) for name in names)
    return Query(*columns, at.notion, at.noise)


def _threshold(
    moved: partial[Query],
    name: str,
    ends: tuple[float, float],
    regimes: tuple[str, ...],
    inside: bool,
    constants: Constants,
) -> Threshold | None:
    """The hardest value up to which the regimes hold without a gap from the easy end, narrowed."""
    try:
        path = np.geomspace(*ends, _SCAN)
        good = _good(moved(path), regimes, constants)
        whole = True
        for _ in range(_ROUNDS):
            if good.all() or not good.any():
                break
            first = int(np.flatnonzero(good)[0])
            whole &= bool(good[first:].all())
            path = np.geomspace(path[max(first - 1, 0)], path[first], _SCAN)
            good = _good(moved(path), regimes, constants)
        if not good.any() or good[0]:
            return None
        value = _rounded(moved, float(path[np.flatnonzero(good)[0]]), regimes, constants, ends[0] < ends[1])
    except QueryError:  # the classical noise ends somewhere on the path
        return None
    return None if value is None else Threshold(name, value, regimes, inside, whole)


def _good(q: Query, regimes: tuple[str, ...], constants: Constants) -> NDArray[np.bool_]:
    return np.isin(classify_rows(q, constants).certified, regimes)


def _rounded(
    moved: partial[Query], value: float, regimes: tuple[str, ...], constants: Constants, rising: bool
) -> float | None:
    """The value in few digits towards the easy side, if the records confirm it there; else all digits."""
    unit = 10.0 ** (np.floor(np.log10(value)) - _DIGITS + 1)
    short = float(f"{(np.ceil if rising else np.floor)(value / unit) * unit:.{_DIGITS}g}")
    for candidate in (short, value):
        found = classify_rows(moved(np.array([candidate])), constants)
        if found.certified[0] in regimes and not unconfirmed(found, 0):
            return candidate
    return None
