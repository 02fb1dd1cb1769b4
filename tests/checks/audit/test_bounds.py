"""Bounds from counts and scores against figures from outside, and against laws whose eps is known."""

import math

import numpy as np
import pytest
from scipy.stats import binom, poisson

from oubli.checks.audit.counts import Counts, allowed_by_delta, delta_lower, epsilon_lower
from oubli.checks.audit.events import choose, epsilon_worth
from oubli.checks.audit.scores import (
    _split,
    delta_from_scores,
    epsilon_from_scores,
    gaussian_epsilon_from_scores,
)

TRUE_EPS = 4.377  # N(1,1) against N(0,1) at delta = 1e-5


def test_conditional_bound_is_the_clopper_pearson_one():
    # 0 of 100 at 0.05 has the upper limit 0.0295130496: the share of false hits among 100 hits.
    share = 0.0295130496
    assert epsilon_lower(Counts(100, 0, 1e3, 1), 0.0, 0.05) == pytest.approx(
        math.log((1 - share) / share), abs=1e-8
    )


def test_the_cap_on_what_delta_allows_is_exceeded_rarely_enough():
    for mean in (0.1, 3.0, 1000.0):
        cap = allowed_by_delta(Counts(0, 0, mean, 1), 0.999999, 0.01)
        assert poisson.sf(cap, mean) <= 0.01 < poisson.sf(cap - 1, mean)


@pytest.mark.parametrize(("q", "delta"), [(0.01, 0.0), (0.002, 0.001), (0.2, 0.02)])
def test_epsilon_bound_errs_at_most_at_its_level_by_enumeration(q, delta):
    """At p = e^eps q + delta, the worst case: the probability that the bound exceeds eps, summed."""
    eps, size, level = 0.7, 300.0, 0.05
    p = math.exp(eps) * q + delta
    x, y = np.arange(0, 400), np.arange(0, 200)
    total = 0.0
    for j, mass in zip(y, poisson.pmf(y, size * q), strict=True):
        if mass > 1e-7:
            bad = [epsilon_lower(Counts(int(i), int(j), size, 1), delta, level) > eps for i in x]
            total += mass * poisson.pmf(x, size * p)[bad].sum()
    # Small counts are coarse: the level is kept, and at larger ones it is also used.
    assert total <= level
    assert total > 0.002 or size * q < 1


def test_delta_bound_errs_at_most_at_its_level_by_enumeration():
    eps, size, level, q, delta = 0.3, 200.0, 0.05, 0.1, 0.3
    p = math.exp(eps) * q + delta
    total = 0.0
    for y in range(60):
        for x in range(20, 180):
            if delta_lower(Counts(x, y, size, 1), eps, level) > delta:
                total += poisson.pmf(x, size * p) * poisson.pmf(y, size * q)
    assert total <= level


def test_power_of_both_modes():
    """Median of 40 runs at n = 1e4; the best peers reach 2.10 and, in Gaussian mode, 4.03."""
    free, gauss = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        first, second = rng.normal(1, 1, 10_000), rng.normal(0, 1, 10_000)
        free.append(epsilon_from_scores(first, second, 1e-5, 0.05, seed))
        gauss.append(gaussian_epsilon_from_scores(first, second, 1e-5, 0.05))
    assert np.median(free) >= 2.35
    assert np.median(gauss) >= 4.2
    assert max(free) < TRUE_EPS
    # A bound at 95 % is above the truth in at most a twentieth of the runs.
    assert binom.sf(sum(value > TRUE_EPS for value in gauss) - 1, 40, 0.05) > 1e-4


def test_equal_laws_are_rarely_told_apart():
    rng = np.random.default_rng(5)
    over = 0
    for seed in range(300):
        first, second = rng.exponential(size=400), rng.exponential(size=400)
        over += epsilon_from_scores(first, second, 0.0, 0.05, seed) > 0
    assert binom.sf(over - 1, 300, 0.05) > 1e-6


def test_randomised_response_is_measured_from_below():
    rng = np.random.default_rng(3)
    first, second = (np.where(rng.random(20_000) < p, 1.0, 0.0) for p in (0.75, 0.25))
    bound = epsilon_from_scores(first, second, 0.0, 0.05, 0)
    assert 0.95 * math.log(3) < bound < math.log(3) * 1.05
    assert delta_from_scores(first, second, math.log(3), 0.05, 0) < 0.02


def test_an_event_is_chosen_without_the_draws_that_are_counted():
    """The worth of a threshold on pure noise is not carried into the count."""
    rng = np.random.default_rng(1)
    (event,) = choose(rng.normal(size=200), rng.normal(size=200), 1e4, epsilon_worth(1e4, 0.0, 0.05))
    counts = event.count(rng.normal(size=10_000), rng.normal(size=10_000), 1e4)
    assert abs(counts.x - counts.y) < 6 * math.sqrt(counts.x + counts.y + 1)


def test_scores_that_choose_are_not_counted():
    scores = np.arange(1000.0)
    looked, counted = _split(scores, 800.0, np.random.default_rng(0))
    assert len(looked) > 0
    assert len(counted) > 700
    assert not set(looked) & set(counted)
