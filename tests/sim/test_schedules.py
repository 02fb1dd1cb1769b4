"""The telescoped sums against rational arithmetic, and the kinked paths against plain stepping."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.runs.schedules import Constant, Decreasing, DecreasingPrinted, Idle, harmonic

fixed = settings(derandomize=True, deadline=None, database=None, max_examples=200)


def _coefficients(lengths, averaging):
    """Exact coefficients of (theta_0, s_0, …, s_{T−1}) in Σ averaging_t·theta_t, by the recursion."""
    T = len(lengths)
    theta = [Fraction(1)] + [Fraction(0)] * T
    total = [averaging[0] * c for c in theta]
    for t, a in enumerate(lengths):
        theta = [(1 - a) * c for c in theta]
        theta[t + 1] += a
        total = [x + averaging[t + 1] * c for x, c in zip(total, theta, strict=True)]
    return total


def _decreasing(T):
    lengths = [Fraction(2, t + 2) for t in range(T)]
    return _coefficients(lengths, [Fraction(2 * (t + 1), (T + 1) * (T + 2)) for t in range(T + 1)])


def _printed(T):
    lengths = [Fraction(2, t + 2) for t in range(T)]
    averaging = [Fraction(2 * (t + 1), (T + 1) * (T + 2)) for t in range(T)] + [Fraction(0)]
    return _coefficients(lengths, averaging if T else [Fraction(1)])


def _constant(T, a):
    averaging = [Fraction(1, T)] * T + [Fraction(0)] if T else [Fraction(1)]
    return _coefficients([a] * T, averaging)


CASES = [
    *[(Decreasing(), _decreasing(T), T) for T in (0, 1, 2, 3, 10, 25)],
    *[(DecreasingPrinted(), _printed(T), T) for T in (0, 1, 2, 3, 10, 25)],
    *[
        (Constant(np.array(float(a))), _constant(T, a), T)
        for T in (0, 1, 2, 10, 25)
        for a in (Fraction(0), Fraction(1, 4), Fraction(1, 1024), Fraction(1, 2**20), Fraction(1))
    ],
    (Idle(), _constant(0, Fraction(1)), 0),
]


@pytest.mark.parametrize(("schedule", "exact", "T"), CASES)
def test_sums_are_exact(schedule, exact, T):
    steps = np.array([T])
    signs = schedule.sign_weights(np.array(T), np.arange(T))
    assert schedule.start_weight(steps)[0] == pytest.approx(float(exact[0]), rel=1e-13)
    assert signs == pytest.approx([float(c) for c in exact[1:]], rel=1e-12, abs=1e-16)
    assert schedule.sign_sum(steps)[0] == pytest.approx(float(sum(exact[1:])), rel=1e-9, abs=1e-15)
    squares = float(sum(c * c for c in exact[1:]))
    assert schedule.sign_square_sum(steps)[0] == pytest.approx(squares, rel=1e-10, abs=1e-30)


def test_sign_weights_vanish_from_T_on():
    for schedule in (Decreasing(), DecreasingPrinted(), Constant(np.array(0.3))):
        assert not schedule.sign_weights(np.array(5), np.arange(5, 9)).any()


def test_square_sum_of_long_short_steps_matches_a_plain_sum():
    for a, T in [(1e-6, 10_000), (4e-6, 12_000), (1e-5, 10_000), (0.03, 10_000)]:
        k = np.arange(T)
        plain = float(np.sum(np.expm1(k * np.log1p(-a)) ** 2)) / T**2
        assert float(Constant(np.array(a)).sign_square_sum(np.array(T))) == pytest.approx(plain, rel=1e-9)


def test_harmonic_numbers():
    exact = float(sum(Fraction(1, k) for k in range(1, 21)))
    assert harmonic(np.array([20]))[0] == pytest.approx(exact, rel=1e-14)


def _stepped(x0, q, lengths, averaging):
    x, total = x0, averaging[0] * x0
    for t, a in enumerate(lengths):
        x = (1 - a) * x - a * q * np.sign(x)
        total += averaging[t + 1] * x
    return total


@fixed
@given(st.floats(-5, 5), st.floats(0.01, 2), st.integers(0, 60))
def test_decreasing_kinked_path_is_the_stepped_one(x0, q, T):
    lengths = [2 / (t + 2) for t in range(T)]
    repaired = [2 * (t + 1) / ((T + 1) * (T + 2)) for t in range(T + 1)]
    plain = _stepped(x0, q, lengths, repaired)
    assert float(Decreasing().kinked(np.array(x0), q, np.array(T))) == pytest.approx(plain, abs=1e-12)
    printed = [*repaired[:-1], 0.0] if T else [1.0]
    plain = _stepped(x0, q, lengths, printed)
    assert float(DecreasingPrinted().kinked(np.array(x0), q, np.array(T))) == pytest.approx(plain, abs=1e-12)


@fixed
@given(st.floats(-5, 5), st.floats(0.01, 2), st.integers(0, 80), st.floats(0, 1))
def test_constant_kinked_path_is_the_stepped_one(x0, q, T, a):
    schedule = Constant(np.array(a))
    breaks = schedule.breaks(q, T, 6.0)
    if len(breaks) and np.min(np.abs(abs(x0) - breaks)) < 1e-9:
        # On a break the path meets zero exactly and the two sides differ by a jump.
        return
    averaging = [1 / T] * T + [0.0] if T else [1.0]
    plain = _stepped(x0, q, [a] * T, averaging)
    assert float(schedule.kinked(np.array(x0), q, np.array(T))) == pytest.approx(plain, abs=1e-9)


def test_between_breaks_the_path_is_linear():
    schedule, q, T = Constant(np.array(0.2)), 0.3, 40
    ends = np.concatenate([[0.0], schedule.breaks(q, T, 4.0), [4.0]])
    assert len(ends) > 10
    for low, high in itertools.pairwise(ends):
        x = low + (high - low) * np.array([0.1, 0.5, 0.9])
        left, middle, right = schedule.kinked(x, q, np.array(T))
        assert middle == pytest.approx((left + right) / 2, abs=1e-13)
