"""How far the boundary is: the nearest targets and privacy budgets at which the certified regime changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oubli.theory.regimes.classification import Constants, classify_rows
from oubli.theory.regimes.query import Query, QueryError
from oubli.theory.regimes.safe import Floats

_SCAN = np.geomspace(1.0, 1e6, 301)
_ROUNDS, _PARTS = 6, 33  # many points at once cost hardly more than one: a factor 32 a round


@dataclass(frozen=True)
class Crossing:
    """The nearest value of a parameter, in one direction, at which the regime is another one."""

    parameter: str
    value: float
    regime: str


def crossings(q: Query, constants: Constants) -> list[Crossing]:
    """The nearest changes of regime of the first row, in e/e0 and in eps, upwards and downwards.

    A scan by factors of 1.05, then narrowed: in eps nothing is missed (regimes are intervals there),
    in e/e0 a narrower sliver that rounding to whole steps leaves may be.

    >>> from oubli.theory.regimes.query import query
    >>> rows = query(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05)
    >>> [c.regime for c in crossings(rows, Constants.SHARP) if c.parameter == "e/e0"]
    ['trivial', 'inefficient']
    """
    found = []
    for name, field, limits in (("e/e0", "x", (1e-12, 1.0)), ("eps", "eps", (1e-6, 1e4))):
        for factors in (_SCAN, 1 / _SCAN):
            at = _crossing(q, field, _path(q, field, factors, limits), constants)
            found += [Crossing(name, *at)] if at else []
    return found


def _crossing(q: Query, field: str, path: Floats, constants: Constants) -> tuple[float, str] | None:
    try:
        return _nearest(lambda values: _words(q, field, values, constants), path)
    except QueryError:  # the classical noise ends somewhere on the path
        return None


def _path(q: Query, field: str, factors: Floats, limits: tuple[float, float]) -> Floats:
    values = getattr(q, field)[0] * factors
    return np.asarray(values[(values >= limits[0]) & (values <= limits[1])])


def _words(q: Query, field: str, values: Floats, constants: Constants) -> list[str]:
    names = ("r", "d", "eps", "delta", "x")
    r, d, eps, delta, x = (values if n == field else np.full(values.shape, getattr(q, n)[0]) for n in names)
    rows = Query(r, d, eps, delta, x, q.notion, q.noise)
    return [str(word) for word in classify_rows(rows, constants).certified]


def _nearest(words: Callable[[Floats], list[str]], path: Floats) -> tuple[float, str] | None:
    """The first change along a path, narrowed by cutting its step in parts."""
    if len(path) < 2:
        return None
    seen = words(path)
    change = next((i for i, word in enumerate(seen) if word != seen[0]), None)
    if change is None:
        return None
    here, there, word = path[change - 1], path[change], seen[change]
    for _ in range(_ROUNDS):
        between = np.geomspace(here, there, _PARTS)
        found = words(between)
        change = next((i for i, other in enumerate(found) if other != seen[0]), len(found) - 1)
        here, there, word = between[max(change - 1, 0)], between[change], found[change]
    return float(there), word
