"""Gaussian privacy in floats: never on the unsafe side, never loose, judged by enclosures."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from oubli.sim.laws import (
    gaussian_attains,
    gaussian_delta,
    gaussian_delta_ball,
    gaussian_epsilon,
    gaussian_sigma,
    gaussian_sigma_ball,
)
from oubli.sim.laws.gaussian_tail import gaussian_tail

LOOSE = 1 - Fraction(1, 10**13)
NEAREST = Fraction(5, 10**15)


def random_domain(seed, size):
    rng = np.random.default_rng(seed)
    eps = 10 ** rng.uniform(-6, 4, size)
    deep = 10 ** rng.uniform(-300, np.log10(0.9), size)
    shallow = 10 ** rng.uniform(-12, np.log10(0.9), size)
    return eps, np.where(rng.random(size) < 0.5, deep, shallow)


CORNERS = np.array(
    list(product([1e-6, 1e-3, 0.5, 1.0, 30.0, 709.0, 1e4], [1e-300, 1e-12, 1e-5, 0.1, 0.5, 0.9]))
)
DOMAIN = [np.concatenate(pair) for pair in zip(random_domain(7, 3000), CORNERS.T, strict=True)]


def test_sigma_is_safe_and_tight():
    eps, delta = DOMAIN
    for e, d, s in zip(eps, delta, gaussian_sigma(eps, delta), strict=True):
        assert gaussian_attains(float(e), float(s), float(d)), (e, d)
        assert not gaussian_attains(float(e), Fraction(float(s)) * LOOSE, float(d)), (e, d)


def test_epsilon_is_safe_and_tight():
    eps, delta = DOMAIN
    sigma = gaussian_sigma(eps, delta)
    for e, d, s in zip(gaussian_epsilon(sigma, delta), delta, sigma, strict=True):
        assert gaussian_attains(float(e), float(s), float(d)), (s, d)
        assert e == 1e-6 or not gaussian_attains(Fraction(float(e)) * LOOSE, float(s), float(d)), (s, d)


def test_delta_is_safe_and_tight():
    rng = np.random.default_rng(11)
    eps = 10 ** rng.uniform(-6, 4, 2000)
    sigma = gaussian_sigma(eps, 10 ** rng.uniform(-300, np.log10(0.9), 2000)) * 10 ** rng.uniform(
        -0.5, 0, 2000
    )
    nearest = gaussian_tail(eps, sigma).delta
    for e, s, up, near in zip(eps, sigma, gaussian_delta(eps, sigma), nearest, strict=True):
        lower, upper = gaussian_delta_ball(float(e), float(s), 18)
        assert upper <= Fraction(float(up)), (e, s)
        assert Fraction(float(up)) * LOOSE <= lower, (e, s)
        # The margin of the rounding is 2.8e-14: the evaluation itself must stay far inside.
        assert abs(Fraction(float(near)) - lower) <= NEAREST * lower, (e, s)


def test_delta_far_outside_the_doubles():
    assert 0 < gaussian_delta(1e4, 1e12) <= 1e-321
    assert gaussian_delta(1.0, 1e-6) == 1.0
    assert gaussian_delta(1e4, 1e-6) == 1.0


@pytest.mark.parametrize(
    ("eps", "sigma"), [(1, 3.73063163481594183), (2, 1.99381244564353669), (10, 0.499888619709008515)]
)
def test_published_sigma(eps, sigma):
    assert gaussian_sigma(eps, 1e-5) == pytest.approx(sigma, rel=1e-13)


def test_every_small_delta_has_its_own_sigma():
    delta = 10.0 ** -np.arange(1, 301)
    assert np.all(np.diff(gaussian_sigma(1.0, delta)) > 0)


@pytest.mark.parametrize(("sigma", "delta"), [(1.0, 0.38292492254), (2.0, 0.1974126513658)])
def test_epsilon_where_delta_hardly_depends_on_it(sigma, delta):
    # δ just below δ(0,σ): ε is about 1e-11·10 and beyond doubles; the answer must stay safe.
    eps = gaussian_epsilon(sigma, delta)
    assert gaussian_attains(eps, sigma, delta)


def test_ill_conditioned_epsilon_is_tight():
    sigma = float(gaussian_sigma_ball(3e-6, "0.3", 30)[1])
    eps = gaussian_epsilon(sigma, 0.3)
    assert gaussian_attains(eps, sigma, 0.3)
    assert not gaussian_attains(Fraction(eps) * LOOSE, sigma, 0.3)


def test_arrays_broadcast_and_scalars_stay_scalar():
    table = gaussian_sigma(np.array([[0.5], [1.0]]), np.array([1e-3, 1e-6, 1e-9]))
    assert table.shape == (2, 3)
    assert table[1, 2] == gaussian_sigma(1.0, 1e-9)
    assert type(gaussian_sigma(1, 1e-9)) is float
    assert gaussian_sigma(np.array([]), 0.1).shape == (0,)
    big = gaussian_sigma(1.0, np.full(5000, 1e-5))
    assert np.all(big == big[0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gaussian_sigma(np.nan, 0.1), r"eps = nan: eps must lie in \[1e-06, 10000\]"),
        (lambda: gaussian_sigma([1, 1e5], 0.1), "eps = 100000"),
        (lambda: gaussian_sigma(1, 0.0), r"delta = 0: delta must lie in \[1e-300, 0.9\]"),
        (lambda: gaussian_sigma(1, 1.0), "delta = 1"),
        (lambda: gaussian_delta(1, -1.0), "sigma = -1: sigma must lie in"),
        (lambda: gaussian_epsilon(1e-4, 0.1), "the least eps must lie in"),
        (lambda: gaussian_epsilon(np.inf, 0.1), "sigma = inf"),
    ],
)
def test_outside_the_domain_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
