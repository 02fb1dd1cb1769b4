"""Two points with exact laws: what they force, by enumeration of coins; and where other bounds force more."""

import math
from fractions import Fraction

import numpy as np
import pytest

from oubli.sim.laws import binomial_tv_gamma
from oubli.theory.regimes import classify
from oubli.theory.regimes.two_point import two_point_steps, without_hops


def coins(T, mean):
    p = (1 + Fraction(mean)) / 2
    return [math.comb(T, k) * p**k * (1 - p) ** (T - k) for k in range(T + 1)]


def variation(T, first, second):
    """Total variation of T coins, by enumeration in exact rationals."""
    return sum(max(a - b, 0) for a, b in zip(coins(T, first), coins(T, second), strict=True))


def column(value):
    return np.array([float(value)])


@pytest.mark.parametrize("rho", [0.9, 0.5, 0.25, 0.1])
@pytest.mark.parametrize("share", [0.99, 0.9, 0.7, 0.4])
def test_one_gradient_less_leaves_too_much_risk_without_hops(rho, share):
    x = share * rho**2
    steps = int(two_point_steps(column(x), column(rho), column(1e4), column(1e-9))[0])
    assert steps >= 1
    widths = [Fraction(rho) * Fraction(j, 200) for j in range(100, 201)]
    assert any(g**2 * (1 - variation(steps - 1, g, -g)) > Fraction(x) for g in widths)


@pytest.mark.parametrize("rho", [0.9, 0.5, 0.25])
@pytest.mark.parametrize("share", [0.95, 0.6])
def test_the_answer_without_hops_is_the_best_over_all_gammas(rho, share):
    x = share * rho**2
    steps = int(without_hops(column(x), column(rho))[0])
    widths = [Fraction(rho) * Fraction(j, 100) for j in range(40, 101)]
    assert all(g**2 * (1 - variation(steps, g, -g)) <= Fraction(x) for g in widths)


@pytest.mark.parametrize(
    ("x", "r", "eps", "T"),
    # gamma = 1, 9 hops of tanh(0.01) = 0.01: risk 1 - 0.09 = 0.91 without a gradient.
    [(0.905, 0.0909091, 0.02, 1), (0.915, 0.0909091, 0.02, 0)],
)
def test_without_gradients_hops_are_all_that_privacy_allows(x, r, eps, T):
    # rho = 0.1 and a trifle: 9 hops reach gamma = 1.
    assert two_point_steps(column(x), column(r / (1 - r)), column(eps), column(1e-12))[0] == T


def test_one_coin_tells_two_means_apart_by_half_their_distance():
    ends = [Fraction(-1), Fraction(-2, 5), Fraction(1, 3), Fraction(1)]
    for low in ends:
        for high in ends:
            assert variation(1, high, low) == abs(high - low) / 2


@pytest.mark.parametrize("T", [1, 2, 3, 5, 8, 13, 30])
def test_for_retraining_coin_flips_force_more(T):
    # 1/(1 + sqrt(T))^2 is the risk of the posterior mean, sharp.scratch.lower.
    best = max(g**2 * (1 - variation(T, g, -g)) for g in (Fraction(j, 40) for j in range(1, 41)))
    assert float(best) < 1 / (1 + math.sqrt(T)) ** 2


def test_every_other_gamma_number_of_hops_and_time_is_dominated():
    """Brute force over gamma, hops and T with exact laws never forces more than the calculator says."""
    rng = np.random.default_rng(3)
    size, times = 150, np.array([0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 80, 120, 200, 400, 1000])
    table = {
        "rf": 10 ** rng.uniform(-2.5, -0.05, size),
        "eps": 10 ** rng.uniform(-3, 1.5, size),
        "delta": 10 ** rng.uniform(-9, -2, size),
        "dim": np.ones(size),
        "target": 10 ** rng.uniform(-3.5, 0, size),
    }
    said = classify(**table).unlearn[0].steps
    forced = [brute_force(*(float(v[i]) for v in table.values()), times) for i in range(size)]
    assert np.all(forced <= said)
    assert np.count_nonzero(forced) >= 30


def brute_force(r, eps, delta, _dim, x, times):
    rho, t = r / (1 - r), math.tanh(eps / 2)
    widths = np.concatenate([np.arange(1, 8) * rho * (1 - 1e-9), np.linspace(0.02, 1, 25)])
    found = 0
    for g in widths[widths <= 1]:
        hops = math.ceil(g / rho) - 1
        room = 1 - hops * (t + (1 - t) * delta) - x / g**2
        if room > 0:
            ends = np.linspace(-g, g, hops + 2)
            spent = [float(np.sum(binomial_tv_gamma(T, ends[:-1], ends[1:]))) for T in times]
            found = max([found, *(int(T) + 1 for T, B in zip(times, spent, strict=True) if room > B)])
    return found
