"""Rows are independent runs: a run alone follows the law of a run among many.

The audit runs thousands of chains at once and a user runs one. A rule that takes the rows together, shares
noise among them, or behaves for one number of rows only, has not been audited by what it does on many.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import ks_2samp

from oubli.checks.audit.draws import batch_rows, chain
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import Guarded
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.plan import long_runs
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.checks.audit.whole_runs import batched
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array

# Calls that may go into runs of one to three rows, and how many such runs there are at least and at most.
CALLS, LEAST, MOST = 2500, 20, 120
# A larger number of rows is drawn below these.
FEW, BEYOND, BEYOND_LONG = (1, 2, 3), 64, 12


def few(settings: Settings) -> tuple[int, ...]:
    """Numbers of rows of a run: the smallest, and a larger one that nobody can foresee.

    >>> few(Settings(eps=1.0, delta=1e-5))[:3], 4 <= few(Settings(eps=1.0, delta=1e-5))[3] < 64
    ((1, 2, 3), True)
    """
    most = BEYOND_LONG if long_runs(settings.dim, settings.steps) else BEYOND
    return (*FEW, int(stream(settings.seed, 49).integers(FEW[-1] + 1, most)))


def together(settings: Settings, d: int) -> int:
    """As many rows as one call of the counts takes: their number is drawn in the same way.

    >>> together(Settings(eps=1.0, delta=1e-5), 1)
    20000
    >>> 900 < together(Settings(eps=1.0, delta=1e-5, runs=1000), 1) < 1100
    True
    """
    drawn = int(stream(settings.seed, 48).poisson(settings.runs))
    return min(max(1, drawn), batch_rows(d, settings.steps))


def rows(subject: Subject, settings: Settings) -> Finding:
    """Runs of few rows against many rows at once, on a problem of the class."""
    pair = line_pair(0.0, settings.rf, settings.dim)
    return rows_on(pair.problem, pair.name, subject, settings)


def rows_on(problem: Problem, name: str, subject: Subject, settings: Settings) -> Finding:
    """The same on one problem: Kolmogorov–Smirnov tests, one for each small number of rows."""
    alone = max(LEAST, min(MOST, CALLS // (settings.steps + 2)))
    level, number = settings.level("rows"), together(settings, problem.d)
    rule = subject.on(problem)
    many, p_value = _first(rule, problem, settings, number, (47, 0))[:, 0], 1.0
    sizes = few(settings)
    for size in sizes:
        rule, runs = subject.on(problem), alone // len(FEW)
        firsts = [_first(rule, problem, settings, size, (46, size, k))[0, 0] for k in range(runs)]
        p_value = min(p_value, len(sizes) * float(ks_2samp(firsts, many).pvalue))
    good = p_value >= level
    says = (
        f"runs of one to three or of {sizes[-1]} rows do not follow the law of {number} rows at once "
        f"(p = {p_value:.2g}): rows must be independent runs, each with noise of its own, whatever their "
        "number"
    )
    return Finding(
        "structure rows", Judgement.CONSISTENT if good else Judgement.ERROR, "rows are independent runs",
        {"p_value": p_value, "runs_alone": alone, "rows_at_once": number}, 1 - level, name,
        "" if good else rule.at_fault(says),
    )  # fmt: skip


def _first(rule: Guarded, problem: Problem, settings: Settings, size: int, key: tuple[int, ...]) -> Array:
    """Outputs of one run of so many rows."""
    setup = problem.setup(settings.eps, settings.delta, settings.steps, max(1, settings.batch))
    tiled = np.tile(problem.full_optimum.point, (size, 1))
    gradients = batched(problem.retain, size, settings.batch, (settings.seed, *key, 0))
    return chain(rule, tiled, gradients, setup, stream(settings.seed, *key, 1)).outputs
