"""Gaussian mode: a sharper bound that rests on a named assumption, which is tested on the same draws."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.stats import f as fisher
from scipy.stats import normaltest

from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.privacy import Tested
from oubli.checks.audit.scores import gaussian_epsilon_from_scores
from oubli.checks.audit.search import Attack
from oubli.checks.audit.settings import Settings
from oubli.sim.require import Array

# The assumption is given up below this p-value; it is a screen, and passing it proves nothing.
SCREEN = 1e-3
ASSUMPTION = "both score laws are Gaussian with one variance"


def screen(first: Array, second: Array) -> float:
    """The least p-value of three tests of the assumption: shape of both laws, and equal variances.

    >>> rng = np.random.default_rng(0)
    >>> screen(rng.normal(size=500), rng.normal(size=500)) > SCREEN
    True
    >>> screen(rng.exponential(size=500), rng.normal(size=500)) < SCREEN
    True
    """
    if min(len(first), len(second)) < 50:
        return 0.0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        shapes = [float(normaltest(side).pvalue) for side in (first, second)]
        ratio = first.var(ddof=1) / second.var(ddof=1)
    tail = float(fisher.cdf(ratio, len(first) - 1, len(second) - 1))
    values = [*shapes, 2 * min(tail, 1 - tail)]
    # The shape of a constant is no number; an infinite ratio has the p-value 0.
    return 0.0 if np.isnan(values).any() else min(values)


def gaussian(settings: Settings, attack: Attack, tested: Tested) -> Finding:
    """The finding `privacy gaussian`: VIOLATED only for a user who takes the assumption on themselves."""
    level = settings.level("gaussian")
    p_value = screen(tested.first, tested.second)
    measured: dict[str, float | str] = {"assumption": ASSUMPTION, "assumption_p_value": p_value}
    text = f"eps <= {settings.eps:g} at delta = {settings.delta:g}, if {ASSUMPTION}"
    shape = ("privacy gaussian", text, 1 - level, attack.pair.name)

    def made(verdict: Judgement, says: str) -> Finding:
        return Finding(shape[0], verdict, shape[1], measured, shape[2], shape[3], says)

    if settings.delta == 0:
        return made(Judgement.UNDECIDED, "it says nothing at delta = 0")
    if p_value < SCREEN or attack.score.centre is not None:
        return made(Judgement.UNDECIDED, f"not used: the assumption fails its test (p = {p_value:.2g})")
    bound = gaussian_epsilon_from_scores(tested.first, tested.second, settings.delta, level)
    measured["lower_bound"] = bound
    if bound <= settings.eps:
        return made(Judgement.CONSISTENT, f"under the assumption eps is at least {bound:.4g}")
    if settings.assume_gaussian:
        return made(Judgement.VIOLATED, f"under the assumption, as asked for, eps is at least {bound:.4g}")
    return made(
        Judgement.UNDECIDED,
        f"under the assumption eps is at least {bound:.4g}; draws cannot prove it, see --assume-gaussian",
    )
