"""Times by definition and by first passage, with intervals that hold."""

import math

import numpy as np
import pytest

from oubli.checks.measure.confidence import share
from oubli.sim.algorithms import NoiseAndFineTuneCharitable, ScratchSGD
from oubli.sim.problems.problem import hard_problem
from oubli.sim.runs.expected import expected
from oubli.sim.runs.intervals import Interval, empirical_bernstein
from oubli.sim.runs.run import run
from oubli.sim.runs.times import (
    Passage,
    Time,
    difference,
    estimated_time,
    exact_time,
    first_passage,
    ratio,
    risk_intervals,
)


def test_exact_time_scans_every_integer():
    # A curve that dips once, far out: a bisection would miss it.
    def risk(T):
        return np.where(T == 777, 0.0, 1.0)

    assert exact_time(risk, 0.5, 2000) == 777
    assert exact_time(risk, 0.5, 776) == math.inf
    assert exact_time(risk, 1.0, 0) == 0


def test_exact_time_refuses_to_skip_unknown_risks():
    with pytest.raises(ValueError, match="no value at T = 3"):
        exact_time(lambda T: np.where(T == 3, np.nan, 1.0 / (T + 1)), 0.1, 50)


def test_interval_holds_the_exact_time_and_passage_differs():
    problem = hard_problem(0.0, 0.1, 1, 1.0, 1.0)
    T_max, e = 60, 0.1 * problem.setup(1.0, 1e-2, 0).e0
    setup = problem.setup(1.0, 1e-2, T_max)
    times = np.arange(T_max + 1)
    exact = expected(ScratchSGD(), problem, setup, times).excess
    # T = 0 is optimal here (theta_r* = 0), so look at the definition from T = 1 on.
    true = 1 + int(np.argmax(exact[1:] <= e))
    excess = run(ScratchSGD(), problem, setup, 20_000, 3, times, problem.excess_risk).outputs
    found = estimated_time(times[1:], excess[1:], e, 0.5, share(2))
    assert found.interval.holds(true)
    assert found.interval.high - found.interval.low <= 6
    passage = first_passage(times[1:], excess[1:], e, share(2))
    # The average first passage is another number: here the interval of the difference excludes zero.
    assert difference(found, passage).interval.low > 0
    assert passage.interval.high < true


def test_first_passage_counts_what_never_passes():
    excess = np.array([[1.0, 1.0, 1.0], [1.0, 0.1, 1.0], [0.1, 1.0, 1.0]])
    found = first_passage(np.array([0, 2, 5]), excess, 0.5, 0.1)
    assert found.mean == pytest.approx((5 + 2 + 5) / 3)
    assert found.censored == 1


def test_a_time_beyond_the_horizon_is_bounded_from_below_only():
    found = estimated_time(np.array([0, 1, 2]), np.full((3, 5000), 0.9), 0.1, 1.0, 0.01)
    assert found == Time(math.inf, Interval(3.0, math.inf))


def test_the_level_is_split_over_the_times():
    rows = np.random.default_rng(0).random((5, 200))
    assert risk_intervals(rows, 1.0, 0.05)[3] == empirical_bernstein(rows[3], 0.0, 1.0, 0.01)


def test_ratio_conventions():
    scratch = Time(10.0, Interval(8.0, 12.0))
    assert ratio(Time(0.0, Interval(0.0, 0.0)), scratch) == Time(0.0, Interval(0.0, 0.0))
    late = ratio(Time(math.inf, Interval(30.0, math.inf)), scratch)
    assert late.interval == Interval(30 / 12, math.inf)
    vague = ratio(Time(1.0, Interval(0.0, 2.0)), Time(0.0, Interval(0.0, 4.0)))
    assert vague.interval == Interval(0.0, math.inf)
    unknown = ratio(scratch, Time(math.inf, Interval(30.0, math.inf)))
    assert unknown.interval == Interval(0.0, 12 / 30)


def test_ratio_interval_holds_the_exact_ratio():
    problem = hard_problem(0.8, 0.1, 1, 1.0, 1.0)
    setup, e = problem.setup(1.0, 1e-2, 80), 0.004
    times = np.arange(81)
    both = []
    for rule in (NoiseAndFineTuneCharitable(), ScratchSGD()):
        exact = float(np.argmax(expected(rule, problem, setup, times).excess <= e))
        excess = run(rule, problem, setup, 20_000, 5, times, problem.excess_risk).outputs
        both.append((exact, estimated_time(times, excess, e, 0.5, share(2))))
    (top, unlearning), (bottom, scratch) = both
    assert ratio(unlearning, scratch).interval.holds(top / bottom)


def test_difference_is_interval_arithmetic():
    found = difference(Time(5.0, Interval(4.0, 7.0)), Passage(3.0, Interval(2.5, 3.5), 0))
    assert found == Time(2.0, Interval(0.5, 4.5))


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="one row per time"):
        estimated_time(np.array([0, 1]), np.zeros((3, 4)), 0.1, 1.0, 0.1)
    with pytest.raises(ValueError, match=r"samples must lie in \[0.0, 1.0\]"):
        estimated_time(np.array([0]), np.full((1, 4), 2.0), 0.1, 1.0, 0.1)
