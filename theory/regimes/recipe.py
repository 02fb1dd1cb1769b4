"""What to do, in numbers: the parameters of the algorithm behind a row's upper bound on T^U."""

from __future__ import annotations

from theory.regimes.classification import Classification
from theory.regimes.sgd import V, weight
from theory.regimes.sharp import comparators


def recipe(found: Classification, row: int) -> str | None:
    """How to shrink, step and average; None where the name of the bound says it all.

    >>> from theory.regimes import classify
    >>> recipe(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)[:13]
    'c = 0.0149983'
    """
    claims = found.unlearn[1].claims(row)
    choices = found.unlearn[1].choices(row)
    if not choices:
        return None
    near, far = comparators(found.query, *choices)
    at = {
        "sharp.trivial": near,
        "sharp.trivial.near": far,
        "sharp.efficient": near,
        "sharp.efficient.near": far,
    }
    key = next((key for key in at if key in claims), None)
    if key is None:
        return None
    left, distance = (float(column[row]) for column in at[key])
    if key.startswith("sharp.trivial"):
        # Twelve digits: the bound is flat at the best shrinking, so that rounding costs nothing.
        return f"multiply the noisy point by {1 / (1 + 1.5 * (distance / V) ** 0.5):.12g}"
    c = weight(left, distance, float(found.unlearn[1].steps[row]))
    return (
        f"c = {c!r}, k = c (1 - 3c/2): start at 1 - 3c/2 times the noisy point, "
        "projected steps c/(mu (1 + k t)); release the mean of all points with weights 1 - (3c/2)/(1 + k t)"
    )
