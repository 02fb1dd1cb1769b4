"""The bound from samples under the assumption that a linear score is Gaussian with one variance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.gaussian import ASSUMPTION, SCREEN, screen
from oubli.checks.audit.samples_search import linear_directions
from oubli.checks.audit.scores import separation_lower
from oubli.sim.laws import gaussian_epsilon
from oubli.sim.require import Array

# Where the law of the Gaussian mechanism is evaluated: separations of scores in standard deviations.
LEAST_APART, MOST_APART = 1e-6, 1e2


def gaussian_finding(
    search: tuple[Array, Array], counted: tuple[Array, Array], budget: tuple[float, float], level: float,
    assumed: bool,
) -> Finding:  # fmt: skip
    """The finding `privacy gaussian`: VIOLATED only for a user who takes the assumption on themselves.

    The direction and its sign come from the rows that search, so that one side of the noncentral t law is
    paid for.

    >>> rng = np.random.default_rng(0)
    >>> P, Q = rng.normal(1, 1, (2000, 1)), rng.normal(0, 1, (2000, 1))
    >>> str(gaussian_finding((P[:200], Q[:200]), (P[200:], Q[200:]), (1.0, 1e-5), 0.05, True).verdict)
    'VIOLATED'
    """
    eps, delta = budget
    direction = linear_directions(*search)[0]
    sign = 1.0 if float((search[0].mean(0) - search[1].mean(0)) @ direction) >= 0 else -1.0
    first, second = (sign * side @ direction for side in counted)
    p_value = screen(first, second)
    measured: dict[str, Any] = {"assumption": ASSUMPTION, "assumption_p_value": p_value}
    text = f"eps <= {eps:g} at delta = {delta:g}, if {ASSUMPTION}"

    def made(verdict: Judgement, says: str) -> Finding:
        where = "the samples given"
        return Finding("privacy gaussian", verdict, text, measured, 1 - level, where, says, spends=assumed)

    if p_value < SCREEN:
        return made(Judgement.UNDECIDED, f"not used: the assumption fails its test (p = {p_value:.2g})")
    # The sign was chosen on other rows: the half of the level that pays for the other sign is not needed.
    apart = separation_lower(first, second, 2 * level) if first.mean() > second.mean() else 0.0
    bound = _epsilon(apart, delta)
    measured["lower_bound"] = bound
    says = f"under the assumption eps is at least {bound:.4g} at confidence {1 - level:.4g}"
    if bound <= eps:
        return made(Judgement.CONSISTENT, says)
    if assumed:
        return made(Judgement.VIOLATED, f"{says}; the assumption was asked for")
    return made(Judgement.UNDECIDED, f"{says}; samples cannot prove it, see --assume-gaussian")


def _epsilon(apart: float, delta: float) -> float:
    """The eps of N(apart, 1) against N(0, 1) at delta, rounded down where the law's domain ends."""
    if apart < LEAST_APART or math.isnan(apart):
        return 0.0
    try:
        return float(gaussian_epsilon(float(1 / np.minimum(apart, MOST_APART)), delta))
    except ValueError:
        return 1e4
