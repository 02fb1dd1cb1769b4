"""The time to reach an excess risk e: by definition, as the experiments measure it, and the ratio of two.

By definition T_e = min{T : E[excess after T steps] <= e} (l.478). The experiments average, over runs, the
first time at which a run's own excess is at most e (l.751). That is another number; both are estimated here.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oubli.sim.require import Array, Counts, is_count, require
from oubli.sim.runs.intervals import Interval, empirical_bernstein


@dataclass(frozen=True)
class Time:
    """A number of steps: its estimate, and an interval that holds it; inf means beyond the horizon."""

    estimate: float
    interval: Interval


@dataclass(frozen=True)
class Passage:
    """The mean first-passage time; runs that never pass count as the horizon, `censored` of them."""

    mean: float
    interval: Interval
    censored: int


def exact_time(risk: Callable[[Counts], Array], e: float, T_max: int) -> float:
    """min{T <= T_max : risk(T) <= e}, scanning every integer T; inf if there is none.

    >>> exact_time(lambda T: 1 / (T + 1.0), 0.1, 100)
    9.0
    """
    require(is_count(T_max, 0), "T_max must be an integer >= 0", T_max)
    first, size = 0, 256
    while first <= T_max:
        T = np.arange(first, min(first + size, T_max + 1))
        values = risk(T)
        below, unknown = values <= e, np.isnan(values)
        if unknown.any() and not below[: int(unknown.argmax())].any():
            raise ValueError(f"the risk has no value at T = {T[unknown][0]}, before any T with risk <= {e}")
        if below.any():
            return float(T[int(below.argmax())])
        first, size = first + size, 2 * size
    return math.inf


def risk_intervals(excess: Array, bound: float, alpha: float) -> list[Interval]:
    """Simultaneous intervals, one per row, for the expected excess of samples in [0, bound].

    >>> len(risk_intervals(np.full((3, 100), 0.5), 1.0, 0.01))
    3
    """
    slack = 1e-9 * bound
    rows = np.clip(excess, 0.0, None) if float(excess.min()) >= -slack else excess
    return [empirical_bernstein(row, 0.0, bound, alpha / len(rows)) for row in rows]


def estimated_time(times: Counts, excess: Array, e: float, bound: float, alpha: float) -> Time:
    """T_e over the recorded times (all of T_e's range if every integer is recorded), level 1 − alpha.

    `excess` has shape (times, chains) with values in [0, bound]; columns may be dependent across times.

    >>> excess = np.repeat([[1.0], [0.5], [0.0]], 1000, axis=1)
    >>> estimated_time(np.array([0, 1, 2]), excess, 0.25, 1.0, 0.01)
    Time(estimate=2.0, interval=Interval(low=2.0, high=2.0))
    """
    times = np.asarray(times)
    require(excess.ndim == 2 and len(excess) == len(times), "excess needs one row per time", excess.shape)
    ends = risk_intervals(excess, bound, alpha)
    # If even the lower ends stay above e, the time lies beyond the horizon and is known from below only.
    low = min(_first(times, np.array([end.low for end in ends]), e), float(times[-1]) + 1)
    high = _first(times, np.array([end.high for end in ends]), e)
    return Time(_first(times, excess.mean(axis=1), e), Interval(low, high))


def first_passage(times: Counts, excess: Array, e: float, alpha: float) -> Passage:
    """The average over chains of the first recorded time with that chain's excess at most e, level 1 − alpha.

    >>> first_passage(np.array([0, 4]), np.array([[1.0, 0.0], [0.0, 0.0]]), 0.5, 0.1).mean
    2.0
    """
    times = np.asarray(times, dtype=float)
    passed = excess <= e
    ever = passed.any(axis=0)
    when = np.where(ever, times[passed.argmax(axis=0)], times[-1])
    interval = empirical_bernstein(when, float(times[0]), float(times[-1]), alpha)
    return Passage(float(when.mean()), interval, int((~ever).sum()))


def difference(defined: Time, passage: Passage) -> Time:
    """T_e minus the mean first-passage time; its interval holds when both given ones do.

    >>> difference(Time(5.0, Interval(4.0, 6.0)), Passage(2.0, Interval(1.0, 3.0), 0))
    Time(estimate=3.0, interval=Interval(low=1.0, high=5.0))
    """
    low = defined.interval.low - passage.interval.high
    return Time(defined.estimate - passage.mean, Interval(low, defined.interval.high - passage.interval.low))


def ratio(unlearning: Time, scratch: Time) -> Time:
    """T^U/T^S, zero when T^U is zero (l.751); its interval holds when both given ones do.

    The estimate is nan when both times lie beyond their horizons.

    >>> ratio(Time(5.0, Interval(4.0, 6.0)), Time(10.0, Interval(8.0, 12.0))).interval
    Interval(low=0.3333333333333333, high=0.75)
    """
    low = _quotient(unlearning.interval.low, scratch.interval.high)
    high = _quotient(unlearning.interval.high, scratch.interval.low)
    return Time(_quotient(unlearning.estimate, scratch.estimate), Interval(low, high))


def _first(times: Counts, values: Array, e: float) -> float:
    below = values <= e
    return float(times[int(below.argmax())]) if below.any() else math.inf


def _quotient(top: float, bottom: float) -> float:
    if top == 0:
        return 0.0
    if bottom == 0:
        return math.inf
    return math.nan if math.isinf(top) and math.isinf(bottom) else top / bottom
