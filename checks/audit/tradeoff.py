"""The trade-off curve of two lists of scores, with a band that holds for all thresholds at once.

A test says "first law" at a score of at least t. Its errors are a(t) = Q(score >= t) and b(t) = P(score < t).
By the inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990), one-sided, a(t) <= a_n(t)
+ sqrt(ln(2/level)/(2n)) for every t with probability 1 − level/2, and the same for b: every threshold is paid
for. (eps, delta)-indistinguishable laws have 1 − b <= e^eps a + delta and 1 − a <= e^eps b + delta.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from oubli.sim.require import Array

POINTS = 201


@dataclass(frozen=True, eq=False)
class TradeOff:
    """Errors of threshold tests on the counted scores, and how far the true ones can lie above them."""

    type_one: Array
    type_two: Array
    margin_one: float
    margin_two: float

    def delta_lower(self, eps: float) -> float:
        """At most the true delta at eps, with the probability of the band."""
        a = np.minimum(self.type_one + self.margin_one, 1.0)
        b = np.minimum(self.type_two + self.margin_two, 1.0)
        factor = math.exp(min(eps, 700.0))
        return float(max(0.0, np.max(1 - b - factor * a), np.max(1 - a - factor * b)))

    def as_json(self) -> dict[str, Any]:
        """At most POINTS points, spread over the curve."""
        index = np.unique(np.linspace(0, len(self.type_one) - 1, POINTS).astype(int))
        return {
            "type_one": self.type_one[index].tolist(),
            "type_two": self.type_two[index].tolist(),
            "margin_one": self.margin_one,
            "margin_two": self.margin_two,
        }


def trade_off(first: Array, second: Array, level: float) -> TradeOff:
    """The curve of tests "the first law, at a score of at least t", t over all scores.

    Args:
        first: scores under the law that lies higher; independent draws.
        second: scores under the other law.
        level: the error probability of the whole band.

    >>> curve = trade_off(np.ones(1000), np.zeros(1000), 0.05)
    >>> round(curve.delta_lower(1.0), 3)
    0.84
    """
    thresholds = np.append(np.unique(np.concatenate([first, second])), np.inf)
    below_first, below_second = (
        np.searchsorted(np.sort(side), thresholds, side="left") / len(side) for side in (first, second)
    )
    one, two = (math.sqrt(math.log(2 / level) / (2 * len(side))) for side in (second, first))
    return TradeOff(1 - below_second, below_first, one, two)


def claimed_curve(type_one: Array, eps: float, delta: float) -> Array:
    """The least type II error that (eps, delta) allows at each type I error.

    >>> claimed_curve(np.array([0.0, 1.0]), 1.0, 0.1).round(3).tolist()
    [0.9, 0.0]
    """
    factor = math.exp(min(eps, 700.0))
    steep, flat = 1 - delta - factor * type_one, (1 - delta - type_one) / factor
    return np.asarray(np.maximum(0.0, np.maximum(steep, flat)))
