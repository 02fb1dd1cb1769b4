"""Randomised response that promises its own risk: the promise is met with equality."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sim.algorithms import RandomisedResponse
from sim.setup import Setup


@dataclass(frozen=True)
class PromisedResponse(RandomisedResponse):
    """Declares the exact worst risk of randomised response on signs of any mean.

    The output is ±R, right with probability p = 1/(1 + e^−eps) about the sign of theta*. With O = ±1 and
    retain mean m, E(O − m)² = 1 + m² − 2m·E O: at most 4(1 − p) where theta* has the sign of m, attained at
    |m| = 1, and at most (1 + |m|)² with |m| <= rho where it has the other one.
    """

    def risk_bound(self, setup: Setup) -> float:
        wrong = 1 / (1 + math.exp(setup.eps))
        rho = setup.r_f / (1 - setup.r_f)
        return setup.e0 * max(4 * wrong, 1 + min(rho, 1) ** 2 + 2 * min(rho, 1) * (1 - 2 * wrong))
