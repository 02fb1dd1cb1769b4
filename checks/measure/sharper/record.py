"""Letters that a record of ours ties to others: read off the record, nobody retypes a constant."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from oubli.checks.measure.records import statement
from oubli.checks.measure.relation import FUNCTIONS
from oubli.sim.require import Array


def needed(key: str, name: str, known: Mapping[str, Any]) -> Array:
    """The value of a letter at which the first fact that ties it to known letters is an equation.

    >>> known = {"c_sgd": np.array([0.5])}
    >>> needed("sharp.sgd.rate", "k_sgd", known).tolist()
    [0.2]
    """
    names, value = _tied(key, name, frozenset(known))
    with np.errstate(all="ignore"):
        return np.asarray(value(*(np.asarray(known[n], dtype=float) for n in names)), dtype=float)


@cache
def _tied(key: str, name: str, known: frozenset[str]) -> tuple[tuple[str, ...], Callable[..., Array]]:
    for item in statement(key).given:
        letters = {s.name: s for s in item.relation.free_symbols}
        if name in letters and letters.keys() - {name} <= known:
            return _solved(item.relation, letters[name])
    raise KeyError(f"{key}: no fact ties {name} to {', '.join(sorted(known))}")


def _solved(relation: Any, symbol: sp.Symbol) -> tuple[tuple[str, ...], Callable[..., Array]]:
    """The letter from an equation in which it stands alone or squared."""
    gap = relation.lhs - relation.rhs
    power = 1 if symbol not in sp.diff(gap, symbol).free_symbols else 2
    rest = gap.subs(symbol, 0)
    value = (-rest / sp.simplify((gap - rest) / symbol**power)) ** sp.Rational(1, power)
    symbols = sorted(value.free_symbols, key=lambda s: s.name)
    found = sp.lambdify(symbols, value, modules=[FUNCTIONS, "numpy"], dummify=True)
    return tuple(s.name for s in symbols), found
