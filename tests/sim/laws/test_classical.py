"""The classical noise: its value, whether it holds, and the frontier beyond which it does not."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from oubli.sim.laws import (
    classical_kappa,
    classical_kappa_ball,
    eps_frontier,
    gaussian_sigma,
    kappa_delta_ball,
    kappa_is_private,
)

DELTAS = ["0.9", "0.1", "1e-2", "1e-5", "1e-10", "1e-50", "1e-300"]


def peer_excess(eps, delta):
    """log of (exact δ at κ)/δ, in mpmath."""
    with mpmath.workdps(80):
        d = mpmath.mpf(delta.numerator) / delta.denominator
        e = mpmath.mpf(eps.numerator) / eps.denominator
        c = mpmath.sqrt(2 * mpmath.log(mpmath.mpf(5) / 4 / d))
        a = e / (2 * c)
        return mpmath.log((mpmath.ncdf(a - c) - mpmath.exp(e) * mpmath.ncdf(-a - c)) / d)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("digits", [10, 30, 60])
def test_frontier_is_between_its_end_points(delta, digits):
    lower, upper = eps_frontier(delta, digits)
    assert (upper - lower) * 10**digits <= lower
    assert peer_excess(lower, Fraction(delta)) < 0 < peer_excess(upper, Fraction(delta))


@pytest.mark.parametrize("delta", DELTAS)
def test_one_frontier(delta):
    lower, upper = eps_frontier(delta, 12)
    assert all(kappa_is_private(lower * Fraction(k, 8), delta) for k in range(1, 9))
    assert not any(kappa_is_private(upper * (1 + Fraction(k, 8)), delta) for k in range(9))


def test_frontier_lies_where_it_was_found_by_hand():
    ends = [float(eps_frontier(f"1e-{k}", 8)[0]) for k in range(1, 11)]
    assert 5.7 < ends[0] < ends[-1] < 10
    assert ends == sorted(ends)
    assert float(eps_frontier("0.9")[0]) == pytest.approx(3.787, abs=1e-3)


def test_published_failure_at_ten():
    lower, upper = kappa_delta_ball(10, "1e-5")
    assert (float(lower), float(upper)) == (pytest.approx(2.265e-5, abs=5e-9),) * 2
    assert not kappa_is_private(10, "1e-5")


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("eps", ["1e-6", "0.5", "1", "7", "50", "1e4"])
def test_verdict_agrees_with_the_least_noise(eps, delta):
    enough = classical_kappa(float(eps), float(delta)) >= gaussian_sigma(float(eps), float(delta))
    assert kappa_is_private(eps, delta) == enough


@pytest.mark.parametrize(("eps", "delta"), [("1", "1e-5"), ("1e-6", "0.9"), ("1e4", "1e-300")])
def test_kappa_is_its_formula(eps, delta):
    with mpmath.workdps(60):
        peer = mpmath.sqrt(2 * mpmath.log(mpmath.mpf("1.25") / mpmath.mpf(delta))) / mpmath.mpf(eps)
    lower, upper = classical_kappa_ball(eps, delta, 40)
    assert float(lower) == float(upper) == float(peer)
    assert classical_kappa(float(eps), float(delta)) == pytest.approx(float(peer), rel=4e-16)
    assert classical_kappa(np.array([1.0, 2.0]), 0.1).shape == (2,)


def test_outside_the_domain_is_named():
    with pytest.raises(ValueError, match="delta = 1"):
        eps_frontier(1)
    with pytest.raises(ValueError, match="eps = 0"):
        kappa_is_private(0, "0.1")
