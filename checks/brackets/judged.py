"""Risks after some gradients: exact where the simulator has a closed form, else an interval from chains."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from oubli.checks.brackets.named import Way
from oubli.checks.brackets.rows import E0, Row
from oubli.checks.measure.confidence import mean_interval
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array, Counts
from oubli.sim.runs.expected import expected
from oubli.sim.runs.intervals import Interval
from oubli.sim.runs.run import run

# Chains times target: a rule without any risk is then certainly below the target, by about a half of it.
CHAINS = 1200
# The intervals of all tests together, counted by checks/test_algorithms_vs_brackets.py.
COMPARISONS = 40_000


def made(rule: Any, problem: Problem) -> Any:
    """The rule itself, from its class; one that knows the problem is given it."""
    return rule(problem) if "problem" in getattr(rule, "__annotations__", {}) else rule()


def interval(rule: Any, problem: Problem, row: Row, T: int) -> Interval:
    """The expected excess over e0 after T gradients of a rule whose output lies in the ball."""
    setup = problem.setup(row.eps, row.delta, T)
    chains = int(np.ceil(CHAINS / row.x))
    # A member is L-Lipschitz on the ball, and no point of it is further from the optimum than this.
    most = (setup.R + float(np.linalg.norm(problem.retain_optimum.point))) * setup.L / E0
    found = run(rule, problem, setup, chains, 17, measure=problem.excess_risk).outputs[0] / E0
    room = problem.retain_optimum.gap / E0
    # The true excess is never negative, and larger than what is found by up to the optimum's gap.
    low, high = mean_interval(np.maximum(found, 0.0), 0.0, most, COMPARISONS)
    return Interval(low, high + room)


def beats(rule: Any, problems: Iterable[Problem], row: Row, T: int) -> bool:
    """Whether the rule certainly reaches the target after T gradients on all of the problems."""
    return all(interval(made(rule, problem), problem, row, T).high <= row.x for problem in problems)


def misses(rule: Any, problems: Iterable[Problem], row: Row, T: int) -> bool:
    """Whether the rule certainly misses the target after T gradients on one of the problems."""
    return any(interval(rule, problem, row, T).low > row.x for problem in problems)


def exactly_reached(rule: Any, problems: Iterable[Problem], row: Row, times: Counts) -> Array:
    """For each T: 1 where the target is reached on every problem of signs, 0 where it is missed on one.

    nan where there is no closed form: that depends on the steps alone, so the first problem tells it.

    >>> from oubli.checks.brackets.rows import signs
    >>> from oubli.sim.algorithms import OutputZero
    >>> row = Row(0.1, 1.0, 1, 0.1)
    >>> exactly_reached(OutputZero(), signs(row), row, np.array([0, 5]))
    array([0., 0.])
    """
    found = np.ones(len(times))
    for problem in problems:
        left = np.flatnonzero(found == 1)
        if len(left) == 0:
            break
        setup = problem.setup(row.eps, row.delta, int(times[-1]))
        excess = expected(rule, problem, setup, times[left]).excess / E0
        found[left] = np.where(np.isnan(excess), np.nan, excess <= row.x)
    return found


def worst_on_signs(way: Way) -> float:
    """The exact worst risk over e0 of a way from 0 on signs: its bias at mean 1 or its variance at mean 0.

    Its steps are at most 1/mu, so that nothing is projected and the output is linear in the signs.
    """
    steps = len(way.weights) - 1
    if way.noise.law is not None or float(way.sizes[:steps].max()) > 1:
        raise ValueError("a way with noise, or with a step above 1/mu, is not linear in the signs")
    # Row t: the coefficients of the signs in theta_t.
    theta = np.zeros((steps + 1, steps))
    for t in range(steps):
        theta[t + 1] = (1 - way.sizes[t]) * theta[t]
        theta[t + 1, t] = way.sizes[t]
    released = way.weights @ theta / way.weights.sum()
    return float(max((1 - released.sum()) ** 2, (released**2).sum()))


def times_below(lower: int, most: int) -> Sequence[int]:
    """Every T below a lower end, up to `most` of them; beyond, the last and a spread over the others.

    >>> list(times_below(3, 8)), list(times_below(100, 4))
    ([0, 1, 2], [0, 33, 66, 99])
    """
    if lower <= most:
        return range(lower)
    return sorted({int(t) for t in np.linspace(0, lower - 1, most)})
