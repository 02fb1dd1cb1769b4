"""The ledger's stored witnesses, measured: their members built from the simulator's losses, their laws from sim.laws."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from checks.measure.relation import FUNCTIONS, Letters
from sim.laws import Law, hockey_stick, total_variation
from sim.losses import Regularised, max_affine
from sim.membership import membership
from theory.claim import Instance

# The witnesses live at L = 2, mu = 1, on [-1, 1].
CLASS = (2.0, 1.0)
GRID = 4096


def member(points: tuple[tuple[Any, Any], ...]) -> Regularised:
    """A loss of the simulator from the graph of its slope minus mu·theta; sloped parts become fine steps.

    >>> float(member(((-1, -1), (1, -1))).gradient(np.array([[0.5]]))[0, 0])
    -0.5
    """
    slopes, starts = [], []
    for (x, h), (x2, h2) in zip(points, points[1:], strict=False):
        pieces = 1 if h == h2 else GRID
        if float(x2) > float(x):
            for k in range(pieces):
                slopes.append(float(h) + (float(h2) - float(h)) * (k + 0.5) / pieces)
                starts.append(float(x) + (float(x2) - float(x)) * k / pieces)
    offsets = [0.0]
    for before, after, at in zip(slopes, slopes[1:], starts[1:], strict=False):
        offsets.append(offsets[-1] + (before - after) * at)
    return max_affine(np.array(slopes)[:, None], np.array(offsets), CLASS[1])


def in_class(loss: Regularised) -> bool:
    """Whether the simulator certifies that a member lies in the class, or at least finds no miss."""
    return not membership(loss, *CLASS).outside


def measured(instance: Instance) -> Letters:
    """The instance's letters, with every observable taken from the simulator and the exact laws."""
    losses = {name: member(points) for name, points in instance.members.items()}
    laws = {name: Law({o: Fraction(p) for o, p in law.items()}) for name, law in instance.laws.items()}
    table = _observables(losses, laws)
    values = {}
    for symbol, value in instance.values.items():
        values[getattr(symbol, "name", str(symbol))] = np.array([_number(sp.sympify(value), table)])
    return Letters(values, {n: np.array([_error(instance)]) for n in values})


def _error(instance: Instance) -> float:
    """Sloped parts of a member are steps of width 1/GRID; everything else is exact but for rounding."""
    points = [pair for member_ in instance.members.values() for pair in zip(member_, member_[1:], strict=False)]
    sloped = any(h != h2 and x != x2 for (x, h), (x2, h2) in points)
    return 4.0 / GRID if sloped else 1e-8


def _observables(losses: Mapping[str, Regularised], laws: Mapping[str, Law]) -> dict[str, Any]:
    step = 1e-9

    def at(name: Any, x: Any, shift: float) -> Any:
        return np.array([[float(x) + shift]])

    return {
        "value": lambda A, x: float(losses[str(A)].value(at(A, x, 0.0))[0]),
        "left": lambda A, x: float(losses[str(A)].gradient(at(A, x, -step))[0, 0]),
        "right": lambda A, x: float(losses[str(A)].gradient(at(A, x, step))[0, 0]),
        "tv": lambda P, Q: float(total_variation(laws[str(P)], laws[str(Q)])),
        "mass": lambda P, o: float(laws[str(P)][str(o)]),
        "hockey": lambda P, Q, f: float(hockey_stick(laws[str(P)], laws[str(Q)], Fraction(str(f)))),
    }


def _number(value: Any, table: Mapping[str, Any]) -> float:
    calls = [c for c in value.atoms(sp.Function) if type(c).__name__ in table]
    found = value.subs({c: sp.Float(table[type(c).__name__](*c.args), 17) for c in calls})
    return float(sp.lambdify([], found, modules=[FUNCTIONS, "numpy"])())
