"""The time to reach an excess risk e by definition: T_e = min{T : E[excess after T steps] <= e} (l.478)."""

import math
from collections.abc import Callable

import numpy as np

from oubli.sim.require import Array, Counts, is_count, require


def exact_time(risk: Callable[[Counts], Array], e: float, T_max: int) -> float:
    """min{T <= T_max : risk(T) <= e}, scanning every integer T; inf if there is none.

    >>> exact_time(lambda T: 1 / (T + 1.0), 0.1, 100)
    9.0
    """
    require(is_count(T_max, 0), "T_max must be an integer >= 0", T_max)
    first, size = 0, 256
    while first <= T_max:
        T = np.arange(first, min(first + size, T_max + 1))
        values = risk(T)
        below, unknown = values <= e, np.isnan(values)
        if unknown.any() and not below[: int(unknown.argmax())].any():
            raise ValueError(f"the risk has no value at T = {T[unknown][0]}, before any T with risk <= {e}")
        if below.any():
            return float(T[int(below.argmax())])
        first, size = first + size, 2 * size
    return math.inf
