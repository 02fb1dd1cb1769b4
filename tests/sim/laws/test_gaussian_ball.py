"""The enclosures of Gaussian privacy, against mpmath and published figures."""

from fractions import Fraction

import mpmath
import pytest

from oubli.sim.laws import gaussian_attains, gaussian_delta_ball, gaussian_epsilon_ball, gaussian_sigma_ball


def peer_delta(eps, sigma, dps=60):
    """δ by integrating the positive part of the density difference, e^ε kept inside the exponent."""
    with mpmath.workdps(dps):
        e, s = mpmath.mpf(eps), mpmath.mpf(sigma)
        crossing = e * s**2 + mpmath.mpf(1) / 2  # the outputs above it are likelier under mean 1

        def gain(x):
            return mpmath.npdf(x, 1, s) - mpmath.exp(e - x**2 / (2 * s**2)) / (s * mpmath.sqrt(2 * mpmath.pi))

        return mpmath.quad(gain, [crossing + k * s / 4 for k in range(60)])


def middle(enclosure):
    return float(sum(enclosure) / 2)


@pytest.mark.parametrize(
    ("eps", "sigma"),
    [("1", "1"), ("0.001", "2"), ("0.25", "10"), ("3", "0.5"), ("20", "0.3"), ("300", "0.05")],
)
def test_delta_is_the_integral_of_the_positive_part(eps, sigma):
    lower, upper = gaussian_delta_ball(eps, sigma)
    assert (upper - lower) * 10**30 <= lower
    assert middle((lower, upper)) == pytest.approx(float(peer_delta(eps, sigma)), rel=1e-15)


@pytest.mark.parametrize(
    ("eps", "delta"), [(-2, 0.86749642), (-1, 0.67881797), (1, 0.12693674), (2, 0.020923636)]
)
def test_published_delta_at_unit_noise(eps, delta):
    value = sum(gaussian_delta_ball(abs(eps), 1)) / 2
    if eps < 0:  # the complementary event turns −ε into ε: δ(−ε) = 1 − e^−ε·(1 − δ(ε))
        value = 1 - Fraction(float(mpmath.exp(eps))) * (1 - value)
    assert float(value) == pytest.approx(delta, abs=6e-9)


def test_published_delta_at_zero_and_at_sensitivity_three():
    assert middle(gaussian_delta_ball("1e-6", 1)) == pytest.approx(0.38292492, abs=1e-6)
    assert middle(gaussian_delta_ball(1, "1/3")) == pytest.approx(0.78760074, abs=6e-9)


@pytest.mark.parametrize(
    ("eps", "sigma"), [(1, "3.73063163481594183"), (2, "1.99381244564353669"), (10, "0.499888619709008515")]
)
def test_published_sigma(eps, sigma):
    lower, upper = gaussian_sigma_ball(eps, "1e-5")
    last = Fraction(1, 10 ** len(sigma.split(".")[1]))
    assert Fraction(sigma) - last <= lower <= upper <= Fraction(sigma) + last


CORNERS = [(e, d) for e in ("1e-6", "1", "1e4") for d in ("1e-300", "1e-5", "0.9")]


def peer_log_delta(eps, sigma):
    with mpmath.workdps(120):
        e, s = mpmath.mpf(eps.numerator) / eps.denominator, mpmath.mpf(sigma.numerator) / sigma.denominator
        a, c = 1 / (2 * s), e * s
        return mpmath.log(mpmath.ncdf(a - c) - mpmath.exp(e) * mpmath.ncdf(-a - c))


def exact_log(number):
    with mpmath.workdps(120):
        return mpmath.log(mpmath.mpf(number.numerator) / number.denominator)


@pytest.mark.parametrize(("eps", "delta"), CORNERS)
@pytest.mark.parametrize("digits", [5, 30, 80])
def test_sigma_is_bracketed_at_every_corner(eps, delta, digits):
    lower, upper = gaussian_sigma_ball(eps, delta, digits)
    assert (upper - lower) * 10**digits <= lower
    goal = exact_log(Fraction(delta))
    assert peer_log_delta(Fraction(eps), lower) > goal > peer_log_delta(Fraction(eps), upper)


@pytest.mark.parametrize(
    ("eps", "delta"), [("2e-6", "1e-300"), ("2e-6", "0.5"), ("1", "1e-5"), ("9999", "0.9")]
)
def test_epsilon_is_bracketed_and_inverts_sigma(eps, delta):
    sigma = gaussian_sigma_ball(eps, delta, 60)[1]
    lower, upper = gaussian_epsilon_ball(sigma, delta, 40)
    assert (upper - lower) * 10**40 <= lower
    goal = exact_log(Fraction(delta))
    assert peer_log_delta(lower, sigma) > goal > peer_log_delta(upper, sigma)
    assert abs(lower / Fraction(eps) - 1) < Fraction(1, 10**30)


def test_attains_decides_next_to_the_root():
    lower, upper = gaussian_sigma_ball(1, "1e-5", 200)
    assert gaussian_attains(1, upper, "1e-5")
    assert not gaussian_attains(1, lower, "1e-5")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gaussian_sigma_ball("1e-7", "0.1"), r"eps = 1e-7: eps must lie in \[1e-06, 10000\]"),
        (lambda: gaussian_sigma_ball(10001, "0.1"), "eps = 10001"),
        (lambda: gaussian_sigma_ball(float("nan"), "0.1"), "eps = nan"),
        (lambda: gaussian_sigma_ball(1, 0), r"delta = 0: delta must lie in \[1e-300, 0.9\]"),
        (lambda: gaussian_sigma_ball(1, 1), "delta = 1"),
        (lambda: gaussian_delta_ball(1, 0), "sigma = 0: sigma must lie in"),
        (lambda: gaussian_delta_ball(1, "1e6"), "delta must be at least 1e-200000"),
        (lambda: gaussian_epsilon_ball("0.0001", "0.1"), "the least eps must lie in"),
        (lambda: gaussian_epsilon_ball("1e9", "0.1"), "the least eps must lie in"),
    ],
)
def test_outside_the_domain_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
