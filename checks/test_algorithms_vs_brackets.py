"""Every named algorithm on the right side of every bracket, and every upper end run as it is named.

Below a lower end a private algorithm must miss the target on some problem: it has beaten the bracket if the
upper ends of all its intervals (or all its exact risks) lie at or below the target. At an upper end the named
algorithm must reach the target on all problems: it has failed if a lower end lies above the target.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

from oubli.checks.brackets import algorithms
from oubli.checks.brackets.judged import (
    COMPARISONS,
    beats,
    exactly_reached,
    misses,
    times_below,
    worst_on_signs,
)
from oubli.checks.brackets.named import retraining_way, unlearning_way
from oubli.checks.brackets.rows import (
    Row,
    any_problems,
    hard_family,
    retraining_lower,
    signs,
    unbent,
    unlearning_lower,
)
from oubli.sim.algorithms import FineTuneWithoutNoise, FullBatchDescent, NoiseAndFineTunePrinted
from oubli.sim.algorithms.registry import named_algorithms
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import GradientFree
from oubli.theory.regimes import Constants

# Small lower ends, by chains, at every number of gradients below them.
MOST_TIMES = 8
SAMPLED_ROWS = (
    Row(0.3, 1.0, 1, 0.3),
    Row(0.05, 0.1, 2, 0.2),
    Row(0.3, 1.0, 2, 0.1),
    Row(0.05, 0.05, 1, 0.1),
    Row(0.5, 1.0, 4, 0.1),
    Row(0.3, 1.0, 1, 0.05),
)
# Lower ends up to some hundreds, by closed forms; the chain, two points and the cube win here.
EXACT_ROWS = (
    Row(0.3, 1.0, 1, 0.03),
    Row(0.3, 1.0, 1, 0.003),
    Row(0.5, 0.1, 1, 0.003),
    Row(0.5, 1.0, 2, 0.003),
    Row(0.01, 0.1, 1, 0.01),
    Row(0.01, 0.1, 4, 0.003),
    Row(0.05, 0.1, 1, 0.03),
    Row(0.05, 1.0, 2, 0.003),
    Row(0.001, 0.05, 50, 0.001),
)
KINK_ROWS = tuple(Row(r, math.inf, 1, share * r**2) for r in (0.01, 0.05, 0.1) for share in (1.3, 2.0, 2.8))
# One row at least for each way that the upper ends name, few enough steps to run them.
UPPER_ROWS = (
    Row(0.05, 8.0, 1, 0.5),
    Row(0.01, 1.0, 1, 0.15),
    Row(0.01, 1.0, 2, 0.2),
    Row(0.002, 1.0, 8, 0.12),
    Row(0.01, 0.1, 2, 0.5),
    Row(0.05, 1.0, 4, 0.5),
    Row(0.003, 1.0, 8, 0.05),
    Row(0.3, 0.1, 1, 0.5),
)
RETRAINED = (0.5, 0.1, 0.03, 0.01, 0.003)


def names(rule: Any) -> str:
    return str(rule.__name__)


def test_every_named_algorithm_is_judged_or_has_a_reason() -> None:
    found = set(named_algorithms().values())
    assert set(algorithms.SAMPLED) | set(algorithms.OTHERWISE) == found
    assert not set(algorithms.SAMPLED) & set(algorithms.OTHERWISE)
    assert set(algorithms.LEARNERS) <= set(algorithms.SAMPLED)


def test_the_intervals_are_at_most_as_many_as_their_level_counts_on() -> None:
    below = [(row, len(times_below(unlearning_lower(row), MOST_TIMES))) for row in SAMPLED_ROWS]
    lower = sum(times * len(list(hard_family(row))) for row, times in below)
    once = sum(len(list(hard_family(row))) for row in SAMPLED_ROWS)
    upper = sum(len(list(any_problems(row))) for row in UPPER_ROWS) * len(Constants)
    # Below the lower ends the algorithms, the oracle and a planted error; full batches once; planted above.
    assert lower * (len(algorithms.SAMPLED) + 2) + once + 4 * upper <= COMPARISONS


def test_every_kind_of_lower_bound_wins_in_some_row() -> None:
    rows = (*SAMPLED_ROWS, *EXACT_ROWS, *KINK_ROWS)
    won = {row.classified(constants).unlearn[0].how(0) for row in rows for constants in Constants}
    assert won >= {
        "two points, gamma = sqrt(3 e/e0)",
        "two points, exact laws",
        "means along a chain",
        "chains in a cube",
        "a kink at theta*, exact laws",
    }


@dataclass(frozen=True, eq=False)
class Oracle(GradientFree):
    """Knows the retain optimum: no private algorithm, and the judge must say so."""

    problem: Problem

    def release(self, theta: Array, memory: None, setup: Setup, rng: np.random.Generator) -> Array:
        return np.tile(self.problem.retain_optimum.point, (len(theta), 1))


@pytest.mark.parametrize("row", SAMPLED_ROWS, ids=str)
def test_the_judge_sees_who_beats_a_lower_end(row: Row) -> None:
    """Without this the intervals could be too long for anybody to be seen; every seventh problem."""
    assert unlearning_lower(row) >= 1
    assert beats(Oracle, islice(hard_family(row), 0, None, 7), row, 0)


@pytest.mark.parametrize("rule", algorithms.SAMPLED, ids=names)
def test_no_private_algorithm_is_seen_below_a_lower_end(rule: Any) -> None:
    for row in SAMPLED_ROWS:
        private_within(rule, row)
        for T in times_below(unlearning_lower(row), MOST_TIMES):
            assert not beats(rule, hard_family(row), row, T), (row, T)


def private_within(rule: Any, row: Row) -> None:
    """The lower end speaks of the rule: it claims the row's budget or a smaller one."""
    claimed = rule().claimed(next(signs(row)).setup(row.eps, row.delta, 1))
    assert claimed is not None
    assert claimed[0] <= row.eps
    assert claimed[1] <= row.delta


@pytest.mark.parametrize("rule", algorithms.EXACT, ids=names)
def test_no_private_algorithm_is_exactly_below_a_lower_end(rule: Any) -> None:
    """At every T below; on the line for the print, whose noise is proved there only."""
    rows = [row for row in EXACT_ROWS if row.d == 1 or rule is not NoiseAndFineTunePrinted]
    judged = 0
    for row in rows:
        private_within(rule, row)
        times = np.arange(unlearning_lower(row))
        found = exactly_reached(rule(), signs(row), row, times)
        judged += int(np.sum(found == 0))
        assert not np.any(found == 1), (row, times[found == 1])
    assert judged >= 20


@pytest.mark.parametrize("rule", algorithms.LEARNERS, ids=names)
def test_no_learner_is_exactly_below_the_lower_end_of_retraining(rule: Any) -> None:
    for row in EXACT_ROWS:
        found = exactly_reached(rule(), signs(row), row, np.arange(retraining_lower(row)))
        assert len(found) >= 1
        assert np.all(found == 0), (row, np.flatnonzero(found != 0))


@pytest.mark.parametrize("row", KINK_ROWS, ids=str)
def test_fine_tuning_without_noise_is_exactly_above_the_kink(row: Row) -> None:
    """sharp.kink asks for no privacy; the budget that the rule is given changes nothing about it."""
    best = row.classified(Constants.SHARP).unlearn[0]
    assert any(key.startswith("sharp.kink") for key in best.claims(0))
    given = replace(row, eps=1.0)
    times = np.arange(int(best.steps[0]))
    found = exactly_reached(FineTuneWithoutNoise(), unbent(given), given, times)
    assert len(found) >= 1
    assert np.all(found == 0), times[found != 0]


def test_full_batches_are_above_the_lower_end_before_their_first_step() -> None:
    assert FullBatchDescent.outside_class
    for row in SAMPLED_ROWS:
        assert not beats(FullBatchDescent, hard_family(row), row, 0), row


@pytest.mark.parametrize("row", UPPER_ROWS, ids=str)
@pytest.mark.parametrize("constants", list(Constants))
def test_the_named_way_reaches_the_target_at_the_upper_end(constants: Constants, row: Row) -> None:
    found = row.classified(constants)
    T = int(found.unlearn[1].steps[0])
    assert not misses(unlearning_way(found, row), any_problems(row), row, T), found.unlearn[1].how(0)


def test_every_way_is_named_by_a_row() -> None:
    best = [row.classified(constants).unlearn[1] for row in UPPER_ROWS for constants in Constants]
    rows = [retrained_row(x) for x in RETRAINED]
    retrained = [row.classified(constants).scratch[1] for row in rows for constants in Constants]
    run = {found.how(0).removeprefix("retrain: ") for found in (*best, *retrained)}
    ways = {bound.how.removeprefix("retrain: ") for found in (*best, *retrained) for bound in found.among}
    assert run == ways


def retrained_row(x: float) -> Row:
    """A target; retraining asks for nothing else."""
    return Row(0.5, 1.0, 1, x)


@pytest.mark.parametrize("x", RETRAINED)
@pytest.mark.parametrize("constants", list(Constants))
def test_retraining_as_named_exactly_reaches_the_target_on_signs(constants: Constants, x: float) -> None:
    found = retrained_row(x).classified(constants)
    way = retraining_way(found, retrained_row(x))
    assert len(way.weights) == int(found.scratch[1].steps[0]) + 1
    assert worst_on_signs(way) <= x
