"""The arcsine distance against published figures and limits."""

import math
from fractions import Fraction

import pytest

from oubli.sim.laws import arcsine_distance_ball, binomial_tv_ball


@pytest.mark.parametrize(
    ("T", "gamma", "value"), [(1, "0.5", 0.261799), (10, "0.1", 0.158378599108), (100, "0.1", 0.500837105808)]
)
def test_published_figures(T, gamma, value):
    lower, upper = arcsine_distance_ball(T, "1/2", (1 + Fraction(gamma)) / 2)
    assert float(lower) == float(upper) == pytest.approx(value, rel=2e-6 if T == 1 else 1e-11)


def test_ends_and_nothing():
    lower, upper = arcsine_distance_ball(4, 0, 1)
    assert lower <= Fraction(math.pi) * (1 + Fraction(1, 10**15))
    assert float(upper) == pytest.approx(math.pi, rel=1e-15)
    assert arcsine_distance_ball(0, 0, 1) == arcsine_distance_ball(9, "1/3", "1/3") == (0, 0)


@pytest.mark.parametrize("h", ["1e-9", "1e-3"])
def test_ratio_to_the_total_variation_tends_to_the_known_constant(h):
    p, q = Fraction(1, 2), Fraction(1, 2) + Fraction(h)
    T = int(Fraction(1, 10**4) / Fraction(h) ** 2)
    ratio = binomial_tv_ball(T, p, q)[1] / arcsine_distance_ball(T, p, q)[0]
    assert float(ratio) == pytest.approx(math.sqrt(2 / math.pi), rel=1 / T + 1e-4)
