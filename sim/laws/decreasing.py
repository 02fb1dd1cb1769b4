"""Roots of many decreasing functions at once: Newton in the logarithm of the unknown, kept in a bracket."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from oubli.sim.laws.doubled import Floats

_STEPS = 80
_SETTLED = 1e-10  # Newton squares this, which leaves rounding alone
_NOISE = 1e-14

Evaluate = Callable[[Floats, NDArray[np.intp]], tuple[Floats, Floats]]


def solve_decreasing(evaluate: Evaluate, start: Floats, least: float, most: float) -> Floats:
    """The root in [least, most] of each decreasing function, near the accuracy of its evaluation.

    `evaluate(x, rows)` gives the value and the slope with respect to log x of the functions `rows`.

    >>> root = solve_decreasing(lambda x, rows: (np.log(2 / x), -np.ones_like(x)), np.array([1.0]), 0.1, 10)
    >>> round(float(root[0]), 12)
    2.0
    """
    x = np.clip(start, least, most)
    low, high = np.full_like(x, least), np.full_like(x, most)
    active = np.arange(len(x))
    for _ in range(_STEPS):
        value, slope = evaluate(x[active], active)
        here = x[active]
        low[active] = np.where(value > 0, here, low[active])
        high[active] = np.where(value > 0, high[active], here)
        trial = here * np.exp(np.clip(-value / slope, -30, 30))
        inside = (trial >= low[active]) & (trial <= high[active])
        x[active] = np.where(inside, trial, np.sqrt(low[active] * high[active]))
        settled = np.abs(x[active] / here - 1) <= np.maximum(_SETTLED, _NOISE / np.abs(slope))
        active = active[~settled]
        if not len(active):
            break
    return x
