"""A kink at theta*: the two problems built from their losses, and what they force, by counting coins."""

import math
from fractions import Fraction

import numpy as np
import pytest

from oubli.theory.regimes import classify
from oubli.theory.regimes.kink import MEANS, SLOPES, kink_steps


def problem(m, r, G, q, kinked):
    """Risks on a grid of the line, L = mu = 1, R = 1/2: retain risk, risk of all data, and theta*."""
    theta = np.linspace(-0.5, 0.5, 200_001)
    star, other = (m - G) / 2, m - G - q
    low, high, bent = (1 + other) / 2, (1 - m) / 2, (m - other) / 2
    kink = np.abs(theta - star) if kinked else -(theta - star)
    retain = theta**2 / 2 + (-low * theta + high * theta + bent * kink) / 2
    forget = theta**2 / 2 - (m - G / r) * theta / 2
    return theta, retain, (1 - r) * retain + r * forget, star


@pytest.mark.parametrize("kinked", [False, True])
@pytest.mark.parametrize(("m", "r", "q"), [(0.8, 0.05, 0.2), (0.5, 0.1, 0.15), (0.9, 0.02, 0.3)])
def test_both_problems_start_at_the_same_optimum(m, r, q, kinked):
    theta, _, whole, star = problem(m, r, r * (1 + m), q, kinked)
    assert theta[np.argmin(whole)] == pytest.approx(star, abs=2e-5)


@pytest.mark.parametrize(("m", "r", "Q"), [(0.8, 0.05, 3.0), (0.5, 0.1, 1.0), (0.9, 0.02, 10.0)])
def test_no_output_does_well_on_both_problems(m, r, Q):
    G = r * (1 + m)
    p = Q / (1 + Q)
    excesses = []
    for kinked in (False, True):
        _, retain, _, _ = problem(m, r, G, Q * G, kinked)
        excesses.append(8 * (retain - retain.min()))
    mixed = p * excesses[0] + (1 - p) * excesses[1]
    # The grid is 5e-6 wide; where slopes are at most 1 that costs 8 times as much.
    assert mixed.min() == pytest.approx(p * G**2, abs=8e-5 * G)


def coins(T, mean):
    p = (1 + mean) / 2
    return [math.comb(T, k) * p**k * (1 - p) ** (T - k) for k in range(T + 1)]


@pytest.mark.parametrize("r", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("share", [1.2, 2.0, 2.8])
def test_one_gradient_less_leaves_too_much_risk(r, share):
    x = share * r**2
    steps = int(kink_steps(np.array([x]), np.array([r]))[0])
    assert steps >= 1
    assert any(_refuses(Fraction(m), Fraction(Q), Fraction(r), Fraction(x), steps - 1) for m, Q in _grid())


def _grid():
    return zip(MEANS.tolist(), SLOPES.tolist(), strict=True)


def _refuses(m, Q, r, x, T):
    """The claim with the total variation by enumeration, not by its bound."""
    p = Q / (1 + Q)
    G = min(r * (1 + m), m / (1 + Q))
    pairs = zip(coins(T, m), coins(T, m - (1 + Q) * G), strict=True)
    return p * G**2 * (1 - sum(max(a - b, 0) for a, b in pairs)) > x


def test_from_four_r_squared_on_a_kink_forces_nothing():
    r = np.geomspace(1e-4, 0.9, 50)
    assert np.all(kink_steps(4 * r**2, r) == 0)
    # Below, something: p (1 + m)^2 comes near 4, here 0.98 (1.99)^2 = 3.9.
    assert np.all(kink_steps(3.5 * r[r < 0.01] ** 2, r[r < 0.01]) >= 1)


def test_without_privacy_retraining_is_forced_beyond_the_chain_of_means():
    # eps = inf: the chain of means stops at rho^2 = 1.02e-4.
    found = classify(rf=0.01, eps=math.inf, delta=1e-5, dim=2, target=[1.5e-4, 3e-4])
    assert found.certified.tolist()[0] == "inefficient"
    assert "sharp.kink.bayes" in found.claims(0)
    assert found.unlearn[0].steps[1] >= 1
