"""Staircase and radial noise: against sums, quadrature and sampling that share nothing with them."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import betainc, gammaln

from oubli.sim.algorithms import StaircaseNoise
from oubli.sim.laws import radial, radial_delta_up, radial_rate, staircase, staircase_square_ball
from oubli.sim.problems.problem import hard_problem


@pytest.mark.parametrize(("eps", "d", "q"), [(1, 1, 0.4), (2, 3, 0.7), (8, 10, 0.9), (5, 2, 0.31)])
def test_the_second_moment_is_that_of_the_density(eps, d, q):
    # Shells from one radius to the next, each e^-eps lower: no summation by parts.
    radii = np.concatenate([[0.0], q + np.arange(400.0)])
    fall = np.exp(-eps * np.arange(400.0))
    inside, square = (((radii[1:] ** n - radii[:-1] ** n) / n * fall).sum() for n in (d, d + 2))
    low, high = staircase_square_ball(Fraction(eps), d, Fraction(q))
    assert low <= high
    assert float(low) == pytest.approx(square / inside, rel=1e-11) == pytest.approx(float(high), rel=1e-11)


def test_a_sum_that_is_cut_off_is_enclosed():
    exact = staircase_square_ball(Fraction(1), 2, Fraction(1, 2), 200)
    short = staircase_square_ball(Fraction(1), 2, Fraction(1, 2), 12)
    assert short[0] <= exact[0] <= exact[1] <= short[1]
    with pytest.raises(ValueError, match="not enough"):
        staircase_square_ball(Fraction(1, 100), 2, Fraction(1, 2), 12)


def test_floats_are_above_the_balls_and_below_the_exponential_law():
    rng = np.random.default_rng(4)
    eps, d = np.exp(rng.uniform(0, np.log(300), 200)), rng.integers(1, 80, 200)
    square, q = staircase(eps, d)
    live = np.isfinite(square)
    assert live.sum() > 60
    for i in np.flatnonzero(live):
        assert staircase_square_ball(Fraction(eps[i]), int(d[i]), Fraction(q[i]))[1] <= square[i]
    assert np.all(square[live] <= d[live] * (d[live] + 1) / eps[live] ** 2 * 1.02)


def test_less_noise_for_a_larger_budget():
    for d in (1, 2, 5, 20):
        square = staircase(np.geomspace(max(1, (d + 2) / 5) * 1.001, 400, 3000), d)[0]
        assert np.all(np.diff(square) <= 1e-9 * square[:-1])


@pytest.mark.parametrize(("eps", "d"), [(1.0, 2), (4.0, 3)])
def test_the_algorithm_draws_that_law_and_keeps_its_promise(eps, d):
    setup = hard_problem(0.0, 0.01, d, 1.0, 1.0).setup(eps, 1e-5, 0)
    radius, chance = StaircaseNoise().radii(setup)
    q = Fraction(float(radius[0]))
    expected = float(staircase_square_ball(Fraction(eps), d, q)[1]) * setup.sensitivity**2
    theta, _ = StaircaseNoise().start(np.zeros((200_000, d)), setup, np.random.default_rng(1))
    assert (theta**2).sum(axis=1).mean() == pytest.approx(expected, rel=0.02)
    # A mixture of balls: the density at length n is the sum of chance/volume over the balls that reach it.
    lengths = np.random.default_rng(2).uniform(0, 6, (2000, 2))
    density = (chance / radius**d) @ (radius[:, None, None] > lengths).astype(float).reshape(len(radius), -1)
    here, there = density.reshape(lengths.shape).T
    near = np.abs(lengths[:, 0] - lengths[:, 1]) <= 1
    assert np.all(here[near] <= there[near] * np.exp(eps) * (1 + 1e-9))
    assert np.any(here[~near] > there[~near] * np.exp(eps) * (1 + 1e-9))


def cap(d, c):
    inside = betainc((d - 1) / 2, 0.5, np.clip(1 - c**2, 0, 1)) / 2
    return np.where(c >= 1, 0, np.where(c <= -1, 1, np.where(c >= 0, inside, 1 - inside)))


def leaked(eps, rate, d):
    """delta by one-dimensional quadrature: P(S) - e^eps P_v(S) for the best set S."""
    q, u = eps / rate, np.linspace(-12, 9, 400_001)
    length, weight = np.exp(u) / rate, np.exp(d * u - np.exp(u) - gammaln(d)) * (u[1] - u[0])
    ahead, behind = (cap(d, q + sign * (1 - q**2) / (2 * length)) for sign in (-1, 1))
    return float(weight @ ahead - np.exp(eps) * (weight @ behind))


@pytest.mark.parametrize(
    ("eps", "delta", "d"), [(1.0, 1e-6, 10), (0.3, 1e-4, 40), (5.0, 1e-8, 100), (12.0, 1e-5, 30)]
)
def test_cells_bound_what_radial_noise_leaks(eps, delta, d):
    rate = float(radial_rate(eps, delta, d)[0])
    asked = Fraction(eps), Fraction(rate), d, Fraction(delta)
    assert leaked(eps, rate, d) <= float(radial_delta_up(*asked)) <= delta
    few, many = (float(radial._over_cells(*asked, cells)) for cells in radial.CELLS)
    assert leaked(eps, rate, d) <= many <= few
    assert many <= 1.6 * leaked(eps, rate, d)
    # A rate that is a little too large is refused.
    bold = eps + (rate - eps) * 1.2
    assert radial_delta_up(Fraction(eps), Fraction(bold), d, Fraction(delta)) > delta
    assert leaked(eps, bold, d) > delta


def test_outside_the_fit_radial_noise_stays_pure():
    eps = np.array([1e-3, 1.0, 1.0, 1.0])
    assert radial_rate(eps, [1e-6, 1e-20, 1e-6, 1e-6], [10, 10, 2, 5000]).tolist() == eps.tolist()
    assert radial_rate(50.0, 1e-6, 100)[0] >= radial_rate(40.0, 1e-6, 100)[0]
