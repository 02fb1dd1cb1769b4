"""Rows are independent runs: a run alone follows the law of a run among many.

The audit runs thousands of chains at once and a user runs one. A rule that takes the rows together, shares
noise among them, or behaves for one number of rows only, has not been audited by what it does on many.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import ks_2samp

from oubli.checks.audit.draws import chain, sampled
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import Guarded
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.require import Array

# Calls that may go into runs of few rows, and how many such runs there are at least and at most.
CALLS, LEAST, MOST = 2500, 20, 120
TOGETHER = 600


def rows(subject: Subject, settings: Settings) -> Finding:
    """Runs of one, two and three rows against many rows at once, by the Kolmogorov–Smirnov test."""
    pair = line_pair(0.0, settings.rf, settings.dim)
    alone = max(LEAST, min(MOST, CALLS // (settings.steps + 2)))
    level = settings.level("rows")
    few = np.concatenate(
        [_scores(subject.on(pair.problem), settings, size, 46, size, alone) for size in (1, 2, 3)]
    )
    many = _scores(subject.on(pair.problem), settings, TOGETHER, 47, 0, TOGETHER)
    p_value = float(ks_2samp(few, many).pvalue)
    good = p_value >= level
    says = (
        f"runs of one to three rows do not follow the law of {TOGETHER} rows at once (p = {p_value:.2g}): "
        "rows must be independent runs, each with noise of its own, whatever their number"
    )
    return Finding(
        "structure rows", Judgement.CONSISTENT if good else Judgement.ERROR, "rows are independent runs",
        {"p_value": p_value, "runs_alone": alone}, 1 - level, pair.name, "" if good else says,
    )  # fmt: skip


def _scores(rule: Guarded, settings: Settings, size: int, key: int, more: int, total: int) -> Array:
    """First coordinates of runs of so many rows, the first row of each where there are few."""
    pair, setup = line_pair(0.0, settings.rf, settings.dim), settings.setup()
    star, found = pair.optima[0], []
    repeats = 1 if size == total else max(1, total // 3)
    for number in range(repeats):
        gradients = sampled(pair.problem.retain, size, (settings.seed, key, more, number, 0))
        rng = stream(settings.seed, key, more, number, 1)
        drawn = chain(rule, np.tile(star, (size, 1)), gradients, setup, rng)
        found.append(drawn.outputs[:, 0] if size == total else drawn.outputs[:1, 0])
    return np.concatenate(found)
