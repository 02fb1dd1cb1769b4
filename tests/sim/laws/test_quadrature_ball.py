"""Certified quadrature: the bound on the ellipse bounds, and the integral encloses the exact one."""

import cmath
import math
from fractions import Fraction
from math import comb

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.laws.ball import endpoints
from oubli.sim.laws.quadrature_ball import Ellipse, Monomial, _rule, integrate


def exact_integral(x, y, low, high):
    """∫ t^x (1−t)^y by expanding the second factor."""
    return sum(
        (-1) ** j * comb(y, j) * (high ** (x + j + 1) - low ** (x + j + 1)) / (x + j + 1)
        for j in range(y + 1)
    )


shares = st.fractions(min_value=0, max_value=1, max_denominator=1000)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), shares, shares, st.sampled_from([-20.0, -60.0, -150.0]))
def test_integral_encloses_the_exact_value(x, y, a, b, log_tolerance):
    low, high = sorted((a, b))
    if low == high or low == 0 or high == 1:
        return
    with ctx.workprec(300):
        ball = integrate(Monomial(x, y, arb(0)), low, high, log_tolerance)
        lower, upper = endpoints(ball)
    exact = exact_integral(x, y, low, high)
    assert lower <= exact <= upper
    assert upper - lower <= 4 * math.exp(log_tolerance) + exact * Fraction(1, 2**200)


@pytest.mark.parametrize("s", [0.1, 0.7, 2.0, 5.0])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (0, 9), (9, 0), (3, 40), (300, 500), (1, 1)])
@pytest.mark.parametrize(
    ("low", "high"), [("1/3", "2/3"), ("1/1000", "1/2"), ("499/1000", "1/2"), ("1/9", "98/99")]
)
def test_bound_holds_on_the_ellipse_and_is_attained(x, y, low, high, s):
    a, b = Fraction(low), Fraction(high)
    with ctx.workprec(100):
        bound = float(Ellipse.around(a, b).log_bound(Monomial(x, y, arb(0)), s))
    centre, half = float(a + b) / 2, float(b - a) / 2
    around = [cmath.exp(complex(s, 2 * math.pi * k / 4000)) for k in range(4000)]
    points = [centre + half * (zeta + 1 / zeta) / 2 for zeta in around]
    largest = max(x * math.log(abs(t)) + y * math.log(abs(1 - t)) for t in points)
    assert largest <= bound + 1e-9
    assert bound <= largest + 0.01


@pytest.mark.parametrize("nodes", [1, 2, 5, 8])
def test_rule_is_exact_up_to_its_degree(nodes):
    with ctx.workprec(128):
        for degree in range(0, 2 * nodes, 2):
            total = sum((2 * weight * place**degree for place, weight in _rule(nodes, 128)), arb(0))
            assert total.contains(arb(2) / (degree + 1))
            assert total.rad() < 1e-30
