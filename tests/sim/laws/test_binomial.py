"""The float total variation: 1e-14 against the enclosure, over the whole range and at every edge."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.laws import binomial_tv, binomial_tv_ball, binomial_tv_exact, binomial_tv_gamma

TOLERANCE = Fraction(1, 10**14)
unit = st.floats(0, 1, allow_subnormal=False)


def relative_error(value, enclosure):
    lower, upper = enclosure
    off = max(abs(Fraction(float(value)) - lower), abs(Fraction(float(value)) - upper))
    return off / lower if lower else off


def random_gammas(rng, size):
    near_ends = rng.choice([-1, 1], size) * (1 - 10 ** rng.uniform(-12, 0, size))
    g = np.where(rng.random(size) < 0.5, rng.uniform(-1, 1, size), near_ends)
    edge = 1 - 1e-12
    return g, np.clip(g + rng.choice([-1, 1], size) * 10 ** rng.uniform(-12, 0.3, size), -edge, edge)


def test_gamma_twin_over_the_whole_range():
    rng = np.random.default_rng(20260)
    T = np.floor(10 ** rng.uniform(0, 12, 3000))
    g, g2 = random_gammas(rng, 3000)
    values = binomial_tv_gamma(T, g, g2)
    for steps, a, b, value in zip(T, g, g2, values, strict=True):
        p, q = ((1 + Fraction(float(x))) / 2 for x in (a, b))
        assert relative_error(value, binomial_tv_ball(int(steps), p, q, 18)) <= TOLERANCE, (steps, a, b)


def test_probabilities_over_the_whole_range():
    rng = np.random.default_rng(20261)
    T = np.floor(10 ** rng.uniform(0, 12, 2000))
    p = np.where(rng.random(2000) < 0.5, rng.random(2000), 10 ** rng.uniform(-15, 0, 2000))
    p = np.where(rng.random(2000) < 0.3, 1 - p, p)
    scale = np.sqrt(np.maximum(p * (1 - p), 1e-16) / T)
    q = np.clip(p + scale * rng.normal(size=2000) * 10 ** rng.uniform(-6, 1, 2000), 0, 1)
    for steps, a, b, value in zip(T, p, q, binomial_tv(T, p, q), strict=True):
        truth = binomial_tv_ball(int(steps), float(a), float(b), 18)
        assert relative_error(value, truth) <= TOLERANCE, (steps, a, b)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 50), unit, unit)
def test_small_sums_exactly(T, p, q):
    exact = binomial_tv_exact(T, p, q)
    if 0 < exact < Fraction(1, 10**290):
        return
    assert relative_error(binomial_tv(T, p, q), (exact, exact)) <= TOLERANCE


@pytest.mark.parametrize("T", [1, 2, 3, 10**6, 10**12, 2**53])
@pytest.mark.parametrize(
    ("p", "q"),
    [
        (0.0, 1.0),
        (0.0, 1e-12),
        (1.0, 1 - 1e-12),
        (0.5, np.nextafter(0.5, 1)),
        (1e-300, 2e-300),
        (5e-324, 0.5),
        (5e-324, 1.0),
        (1e-12, 1 - 1e-12),
        (0.25, 0.75),
        (0.3, 0.3),
        (0.0, 0.0),
    ],
)
def test_edges(T, p, q):
    truth = binomial_tv_ball(T, float(p), float(q), 18)
    assert relative_error(binomial_tv(T, p, q), truth) <= TOLERANCE
    assert binomial_tv(T, q, p) == binomial_tv(T, p, q)


def test_no_steps_tell_nothing():
    assert binomial_tv(0, 0.0, 1.0) == 0.0
    assert binomial_tv_gamma(0, -1.0, 1.0) == 0.0


def test_gamma_at_its_ends():
    assert binomial_tv_gamma(10**12, -1.0, 1.0) == 1.0
    assert binomial_tv_gamma(5, 1.0, 1.0) == 0.0
    assert relative_error(binomial_tv_gamma(3, -1.0, 0.0), (Fraction(7, 8),) * 2) <= TOLERANCE


def test_arrays_broadcast_and_scalars_stay_scalar():
    T = np.array([[1], [10], [100]])
    q = np.array([0.5, 0.6])
    table = binomial_tv(T, 0.5, q)
    assert table.shape == (3, 2)
    assert np.all(table[:, 0] == 0)
    assert [binomial_tv(int(steps), 0.5, 0.6) for steps in T[:, 0]] == table[:, 1].tolist()
    assert type(binomial_tv(10, 0.5, 0.6)) is float
    assert binomial_tv(np.array([], dtype=int), 0.5, 0.6).shape == (0,)


@pytest.mark.parametrize(("T", "value"), [(10, 0.127451466653), (100, 0.384471831001)])
def test_published_figures(T, value):
    assert binomial_tv_gamma(T, 0.0, 0.1) == pytest.approx(value, abs=5e-13)


@pytest.mark.parametrize(
    ("T", "p", "message"),
    [
        (-1, 0.5, "T = -1"),
        (2.5, 0.5, r"T = 2\.5"),
        (2**54, 0.5, "T = 1.8"),
        (1, 1.2, r"p = 1\.2"),
        (1, np.nan, "p = nan"),
    ],
)
def test_nonsense_is_named(T, p, message):
    with pytest.raises(ValueError, match=message):
        binomial_tv(T, p, 0.5)
    with pytest.raises(ValueError, match=r"gamma must lie in \[-1, 1\]"):
        binomial_tv_gamma(1, 0.5, -1.5)
