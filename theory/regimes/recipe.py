"""What to do, in numbers: the parameters of the algorithm behind a row's upper bound on T^U."""

from __future__ import annotations

from oubli.theory.regimes.basis import Basis
from oubli.theory.regimes.classification import Classification
from oubli.theory.regimes.registry import SHRUNK_NEW, SHRUNK_OLD, TUNED_NEW, TUNED_OLD
from oubli.theory.regimes.sgd import V, weight
from oubli.theory.regimes.sharp import comparators


def recipe(found: Classification, row: int) -> str | None:
    """How to shrink, step and average; None where the name of the bound says it all.

    >>> from oubli.theory.regimes import classify
    >>> recipe(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)[:13]
    'c = 0.0149983'
    """
    best = found.unlearn[1]
    towards = _comparator(best.basis(row))
    if towards is None:
        return None
    left, distance = (float(column[row]) for column in comparators(found.query, *best.choices(row))[towards])
    if best.basis(row) in (SHRUNK_OLD, SHRUNK_NEW):
        # Twelve digits: the bound is flat at the best shrinking, so that rounding costs nothing.
        return f"multiply the noisy point by {1 / (1 + 1.5 * (distance / V) ** 0.5):.12g}"
    c = weight(left, distance, float(best.steps[row]))
    return (
        f"c = {c!r}, k = c (1 - 3c/2): start at 1 - 3c/2 times the noisy point, "
        "projected steps c/(mu (1 + k t)); release the mean of all points with weights 1 - (3c/2)/(1 + k t)"
    )


def _comparator(basis: Basis) -> int | None:
    """Whether a bound is shown by the distance to theta* (0) or to theta_r* (1), if by either."""
    known = (SHRUNK_OLD, SHRUNK_NEW), (TUNED_OLD, TUNED_NEW)
    return next((pair.index(basis) for pair in known if basis in pair), None)
