"""What to do, in numbers: the parameters of the algorithm behind an upper bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes import linear
from oubli.theory.regimes.basis import Basis
from oubli.theory.regimes.bound import Best, Bound
from oubli.theory.regimes.classification import Classification
from oubli.theory.regimes.registry import CONSTANT_STEPS, SHRUNK_NEW, SHRUNK_OLD, TUNED_BETWEEN, TUNED_NEW
from oubli.theory.regimes.safe import Floats
from oubli.theory.regimes.sgd import LAMBDA, V, weights
from oubli.theory.regimes.sharp import comparators

_FROM_ZERO = 0.25  # the square of the distance of the start 0 from any optimum
_SCHEDULES = {"weights from 0": "harmonic", "growing weights": "growing", "": "printed"}


@dataclass(frozen=True)
class Recipes:
    """Per row the projected steps and the weights of the average, t = 0, 1, …, with mu = 1.

    The start is `shrink` times the noisy optimum, or 0 for retraining. The schedules:
    `none`, no step; `harmonic`, step c/(1 + k t) and weight 1 - lambda c/(1 + k t); `growing`, step w/p and
    weight w (1 - lambda w/p) with w = t + a + c and p = (t + a)^2/2; `printed`, step 2/(t + 2) and weight
    t + 1; `constant`, step c and weight 1 for all points but the last. Numbers that a schedule lacks are nan.
    """

    schedule: NDArray[np.str_]
    shrink: Floats
    c: Floats
    k: Floats
    a: Floats


def recipes(found: Classification, best: Best) -> Recipes:
    """The parameters behind the upper end of each row.

    Args:
        found: The classification.
        best: Its upper end, `found.unlearn[1]` or `found.scratch[1]`.

    Returns:
        One recipe for each row.

    >>> from oubli.theory.regimes import classify
    >>> one = classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05)
    >>> made = recipes(one, one.unlearn[1])
    >>> made.schedule.tolist(), made.c.tolist()
    (['harmonic'], [0.00947031])
    """
    rows = len(found.query.x)
    made = Recipes(np.full(rows, "none", dtype="<U8"), np.ones(rows), *(np.full(rows, np.nan) for _ in "cka"))
    for number, bound in enumerate(best.among):
        at = np.flatnonzero((best.which == number) & np.isfinite(best.steps))
        if len(at):
            _fill(made, found, bound, at, best.steps[at])
    return made


def _fill(made: Recipes, found: Classification, bound: Bound, at: NDArray[np.intp], T: Floats) -> None:
    if not bound.choices:
        made.schedule[at] = np.where(T > 0, _SCHEDULES[bound.basis.proposal], "none")
        _from_zero(made, at[T > 0], found.query.x[at][T > 0], T[T > 0])
    elif bound.basis is CONSTANT_STEPS:
        square, s = (choice.values[at] for choice in bound.choices)
        made.schedule[at] = "constant"
        made.c[at] = found.query.r[at] * np.sqrt((1 + s**2 * square) / T)
    elif (towards := _comparator(bound.basis)) is not None:
        left, D = (column[at] for column in comparators(found.query, *bound.choices)[towards])
        _from_noise(made, bound.basis, at, (left, D, T))


def _from_zero(made: Recipes, at: NDArray[np.intp], x: Floats, T: Floats) -> None:
    """The numbers of retraining."""
    equal, growing = (made.schedule[at] == name for name in ("harmonic", "growing"))
    made.a[at[growing]], made.c[at[growing]] = linear.pairs(x[growing], T[growing])
    c = weights(x[equal], np.full(int(equal.sum()), _FROM_ZERO), T[equal])
    made.c[at[equal]], made.k[at[equal]] = c, c * (1 - LAMBDA * c)


def _from_noise(made: Recipes, basis: Basis, at: NDArray[np.intp], known: tuple[Floats, ...]) -> None:
    """The numbers of a shrunk release, or of fine-tuning."""
    if basis in (SHRUNK_OLD, SHRUNK_NEW):
        made.shrink[at] = 1 / (1 + LAMBDA * (known[1] / V) ** 0.5)
        return
    c = weights(*known)
    made.schedule[at], made.shrink[at] = "harmonic", 1 - LAMBDA * c
    made.c[at], made.k[at] = c, c * (1 - LAMBDA * c)


def recipe(found: Classification, row: int) -> str | None:
    """How to shrink, step and average; None where the name of the bound says it all.

    >>> from oubli.theory.regimes import classify
    >>> recipe(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)[:13]
    'c = 0.0094703'
    """
    best = found.unlearn[1]
    if _comparator(best.basis(row)) is None:
        return None
    made = recipes(found, best)
    if made.schedule[row] == "none":
        # Twelve digits: the bound is flat at the best shrinking, so that rounding costs nothing.
        return f"multiply the noisy point by {made.shrink[row]:.12g}"
    return (
        f"c = {float(made.c[row])!r}, k = c (1 - {LAMBDA} c): start at 1 - {LAMBDA} c times the noisy point, "
        "projected steps c/(mu (1 + k t)); release the mean of all points with weights "
        f"1 - {LAMBDA} c/(1 + k t)"
    )


def _comparator(basis: Basis) -> int | None:
    """What a bound is shown by the distance to: theta* (0), theta_r* (1), a point between (2), or none."""
    known = (SHRUNK_OLD,), (SHRUNK_NEW, TUNED_NEW), (TUNED_BETWEEN,)
    return next((number for number, bases in enumerate(known) if basis in bases), None)
