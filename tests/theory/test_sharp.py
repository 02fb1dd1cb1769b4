"""The sharp claims: all proved, and each against an oracle that shares nothing with its proof."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from oubli.theory.paper.ledger import ledger, verified
from oubli.theory.paper.sharper.sensitivity import HALF
from oubli.theory.records.verdict import Status
from oubli.theory.regimes.chain import chain_steps
from oubli.theory.regimes.cube import COINS, cube_steps
from oubli.theory.regimes.linear import linear_steps
from oubli.theory.regimes.sgd import V, fewest_steps


def test_every_sharp_claim_is_proved_and_depends_on_proved_claims_only():
    book = ledger()
    keys = [key for key in book.claims if key.startswith("sharp.")]
    assert len(keys) >= 28
    entries = verified()
    assert {key: entries[key].effective for key in keys} == dict.fromkeys(keys, Status.PROVED)


def max_of_cones(rng, pieces, d):
    """A random member, L = mu = 1: |x|^2/2 plus the largest of cones a |x - c| + <b, x>, a + |b| = 1/2."""
    centres = rng.normal(size=(pieces, d)) * 0.4
    slopes = rng.uniform(0, 0.5, pieces)
    tilts = rng.normal(size=(pieces, d))
    tilts *= ((0.5 - slopes) / np.linalg.norm(tilts, axis=1))[:, None]
    levels = rng.normal(size=pieces) * 0.02
    return centres, slopes, tilts, levels


def gradient(member, x):
    centres, slopes, tilts, levels = member
    away = x - centres
    lengths = np.linalg.norm(away, axis=1)
    best = int(np.argmax(slopes * lengths + tilts @ x + levels))
    return x + slopes[best] * away[best] / max(lengths[best], 1e-300) + tilts[best]


@pytest.mark.parametrize("d", [1, 2, 5])
def test_noise_lemma_and_slopes_on_random_members(d):
    rng = np.random.default_rng(d)
    for _ in range(3000):
        member = max_of_cones(rng, 3, d)
        x = rng.normal(size=d)
        x *= 0.5 * rng.uniform() ** (1 / d) / np.linalg.norm(x)
        g = gradient(member, x)
        assert np.linalg.norm(g) <= 1 + 1e-12
        assert g @ g <= V + 2.4 * g @ x + 1e-12
        assert np.linalg.norm(g - x) <= float(HALF) + 1e-12


def test_the_noise_lemma_leaves_little_room():
    # On the line a member has the gradient x - 1/2 left of its kink: at x = 1/14 nothing is left.
    x = Fraction(1, 14)
    assert (x - Fraction(1, 2)) ** 2 == Fraction(9, 35) + Fraction(12, 5) * (x - Fraction(1, 2)) * x


@pytest.mark.parametrize(("T", "root"), [(1, 1), (4, 2), (9, 3)])
@pytest.mark.parametrize("m", [Fraction(0), Fraction(1, 3), Fraction(-4, 5), Fraction(1)])
def test_the_posterior_mean_has_constant_risk_by_enumeration(T, root, m):
    p = (1 + m) / 2
    risk = sum(
        math.comb(T, k) * p**k * (1 - p) ** (T - k) * (Fraction(2 * k - T, T + root) - m) ** 2
        for k in range(T + 1)
    )
    assert risk == Fraction(1, (1 + root) ** 2)


def test_the_posterior_mean_is_a_mean_by_enumeration():
    # T = 4: the prior is Beta(1, 1), uniform; the posterior mean of p after k of 4 is (k+1)/6.
    for k in range(5):
        assert 2 * Fraction(k + 1, 6) - 1 == Fraction(2 * k - 4, 4 + 2)


@pytest.mark.parametrize(("r", "eps"), list(product([0.001, 0.02, 0.3], [0.01, 0.3, 3.0])))
def test_the_chain_forces_nothing_that_laplace_noise_reaches_without_gradients(r, eps):
    # Output theta* + Laplace noise on the sign family: bias at most 2r, variance 2 (2r/eps)^2, in units R.
    reached = 4 * r**2 + 8 * r**2 / eps**2
    assert chain_steps(*(np.array([v]) for v in (reached, r / (1 - r), eps, 1e-9)))[0] == 0


@pytest.mark.parametrize(("d", "eps"), list(product(COINS[:7], [0.01, 0.3, 3.0])))
@pytest.mark.parametrize("r", [1e-4, 1e-3, 0.02])
def test_the_cube_forces_nothing_that_radial_noise_reaches_without_gradients(r, d, eps):
    # theta* + noise of density exp(-eps |z|/s), s = 2r in units R (quadratics): variance d (d+1) (2r/eps)^2.
    reached = 4 * r**2 + 4 * r**2 * d * (d + 1) / eps**2
    row = (np.array([float(v)]) for v in (reached, r / (1 - r), eps, 1e-300, d))
    assert cube_steps(*row)[0] == 0


@pytest.mark.parametrize("d", COINS)
@pytest.mark.parametrize("T", [1, 10, 1000, 10**6])
def test_the_cube_forces_no_more_than_the_sample_mean_needs(d, T):
    # The mean of T unit vectors has risk at most 1/T e0 in every dimension.
    row = (np.array([float(v)]) for v in (1 / T, 0.9, 1e-6, 1e-300, d))
    assert cube_steps(*row)[0] <= T


@pytest.mark.parametrize("T", [1, 10, 1000, 10**6])
def test_the_chain_forces_no_more_than_the_sample_mean_needs(T):
    # The mean of T signs has risk at most 1/T e0 and ignores the forget data.
    rest = (np.array([v]) for v in (0.9, 1e-6, 1e-300))
    assert chain_steps(np.array([1 / T]), *rest)[0] <= T


def test_fewest_steps_reach_the_target_on_a_coin_flip_family():
    """Exact expected risk of averaged SGD on signs of mean 0 from x_0 = (1 - 1.3 c) y, by recursion."""
    c, T, y = 0.05, 200, 0.2
    k = c * (1 - 1.2 * c)
    p = 1 + k * np.arange(T + 1)
    weights = 1 - 1.2 * c / p
    # x_{t+1} = (1 - c/p_t) x_t + (c/p_t) s_t/2: coefficient of each sign in the weighted average.
    coefficients = np.zeros(T)
    start, carry = 0.0, np.zeros(T)
    position = 1 - 1.2 * c
    for t in range(T + 1):
        start += weights[t] * position
        coefficients += weights[t] * carry
        if t < T:
            carry = carry * (1 - c / p[t])
            carry[t] += c / p[t] / 2
            position *= 1 - c / p[t]
    total = weights.sum()
    risk = ((start * y / total) ** 2 + np.sum((coefficients / total) ** 2)) / 2
    bound = ((1 - 1.2 * c) ** 2 * y**2 + V * c**2 * np.sum(1 / p)) / (2 * c * total)
    assert risk <= bound
    assert fewest_steps(np.array([8 * bound * (1 + 1e-6)]), np.array([y**2]))[0] <= T


@pytest.mark.parametrize("mean", [0.0, 0.6, 1.0])
@pytest.mark.parametrize(("T", "a", "c"), [(50, 30.0, 8.0), (400, 40.0, 10.0), (5000, 120.0, 20.0)])
def test_growing_weights_keep_their_rate_on_coin_flips(T, a, c, mean):
    """Exact expected risk of the averaged iterate from 0 on signs of a mean, by recursion backwards."""
    N = np.arange(T + 1) + a
    w, p = N + c, N**2 / 2
    eta, weights = w / p, w * (1 - 1.2 * w / p)
    # x_{t+1} = (1 - eta_t) x_t + eta_t s_t/2; `later` is what x_{t+1} adds to the weighted sum from there on.
    coefficients, later = np.zeros(T), weights[T]
    for t in range(T - 1, -1, -1):
        coefficients[t] = later * eta[t] / 2
        later = weights[t] + (1 - eta[t]) * later
    coefficients /= weights.sum()
    risk = ((coefficients.sum() - 0.5) ** 2 * mean**2 + (1 - mean**2) * np.sum(coefficients**2)) / 2
    spare = c + 0.5 - 2.4 * (1 + c / a) ** 2
    begin = max(0.0, (a - 1) ** 2 / 2 - 2.4 * (a - 1 + c))
    price = (begin + 2.88 * (1 + c / a) ** 2) / 4 + V * (2 * (T + 1) + 2 * c * (2 + c / a) * np.sum(1 / N))
    price += (T + 1) * 1.44 / 4 / spare
    assert weights.sum() >= (T + 1) * (T / 2 + a + spare - 0.5)
    assert risk <= price / (2 * weights.sum())


def test_growing_weights_need_less_than_a_third_of_the_printed_steps_for_small_targets():
    x = np.geomspace(1e-8, 1e-3, 40)
    steps = linear_steps(x)
    assert np.all(np.diff(steps) <= 0)
    # 16 V = 144/35 is the limit of the constant.
    assert np.all((steps * x > 144 / 35) & (steps * x < 16 / 3.4))


def test_fewest_steps_are_monotone_and_inf_without_room():
    x, D = np.geomspace(1e-4, 1, 400), np.full(400, 1e-3)
    assert np.all(np.diff(fewest_steps(x, D)) <= 0)
    assert np.all(np.diff(fewest_steps(np.full(400, 0.01), np.geomspace(1e-8, 1, 400))) >= 0)
    assert fewest_steps(np.array([0.0]), np.array([1e-3]))[0] == math.inf
