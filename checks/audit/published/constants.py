"""Noise sqrt(2 ln(k/delta))/eps per unit of sensitivity: what it gives exactly, and up to which eps.

Papers use k = 1.25 (the classical Gaussian mechanism, proved for eps <= 1) and k = 1.5. The exact delta of
such noise at eps increases with eps and passes delta once (`oubli.sim.laws.classical` proves it for k = 1.25;
the argument does not use the value of k).
"""

from __future__ import annotations

import math

from oubli.sim.laws import gaussian_delta

LEAST, MOST, HALVINGS = 1e-3, 500.0, 60


def constant_delta(k: float, eps: float, delta: float) -> float:
    """The delta that the noise has at eps, by the exact law, rounded up.

    >>> f"{constant_delta(1.25, 10.0, 1e-5):.3e}"
    '2.265e-05'
    """
    return float(gaussian_delta(eps, math.sqrt(2 * math.log(k / delta)) / eps))


def frontier(k: float, delta: float) -> float:
    """The eps beyond which the noise misses delta.

    >>> round(frontier(1.25, 1e-5), 4), round(frontier(1.5, 1e-5), 4)
    (8.4198, 8.7935)
    """
    low, high = LEAST, MOST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if constant_delta(k, middle, delta) <= delta else (low, middle)
    return low
