"""The checker's rational bounds against mpmath at 60 digits, and their width."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.checker import Rejected, at_point, bounds, pi_bounds, root_bounds

FUNCTIONS = {
    "exp": (mpmath.exp, st.fractions(-40, 40, max_denominator=10**6)),
    "log": (mpmath.log, st.fractions(Fraction(1, 10**6), 10**9, max_denominator=10**6)),
    "atan": (mpmath.atan, st.fractions(-1000, 1000, max_denominator=10**6)),
    "asin": (mpmath.asin, st.fractions(-1, 1, max_denominator=10**6)),
    "Phi": (mpmath.ncdf, st.fractions(-12, 12, max_denominator=10**6)),
    "phi1": (
        lambda x: mpmath.expm1(x) / x if x else mpmath.mpf(1),
        st.fractions(0, 60, max_denominator=10**6),
    ),
    "phi2": (
        lambda x: (mpmath.expm1(x) - x) / x**2 if x else mpmath.mpf(1) / 2,
        st.fractions(Fraction(1, 10**6), 60, max_denominator=10**6),
    ),
}


def real(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=60, derandomize=True, deadline=None)
@given(data=st.data())
def test_function_bounds_enclose_and_are_narrow(name: str, data: st.DataObject) -> None:
    function, arguments = FUNCTIONS[name]
    x = data.draw(arguments)
    with mpmath.workdps(80):
        truth = function(real(x))
        for bits in (64, 160):
            low, high = (real(q) for q in at_point(name, x, bits))
            assert low <= truth <= high
            assert high - low <= mpmath.mpf(2) ** (20 - bits) * max(1, abs(truth))


def test_pi_and_roots() -> None:
    low, high = pi_bounds(160)
    with mpmath.workdps(60):
        assert real(low) <= mpmath.pi <= real(high)
    assert root_bounds(Fraction(9, 4), 64) == (Fraction(3, 2), Fraction(3, 2))
    low, high = root_bounds(Fraction(2), 64)
    assert low**2 < 2 < high**2


@settings(max_examples=80, derandomize=True, deadline=None)
@given(
    st.fractions(-3, 3, max_denominator=50),
    st.fractions(0, 2, max_denominator=50),
    st.fractions(0, 1, max_denominator=20),
)
def test_interval_evaluation_contains_the_points_of_the_box(
    lower: Fraction, width: Fraction, at: Fraction
) -> None:
    node = ["+", ["^", "x", 2], ["*", -2, "x", ["exp", ["*", "1/3", "x"]]], ["^", ["+", 4, "x"], "-1/2"]]
    low, high = bounds(node, {"x": (lower, lower + width)}, 64)
    with mpmath.workdps(40):
        x = real(lower + at * width)
        value = x**2 - 2 * x * mpmath.exp(x / 3) + 1 / mpmath.sqrt(4 + x)
        assert real(low) <= value <= real(high)


@pytest.mark.parametrize(
    ("name", "x"),
    [("log", "0"), ("log", "-1"), ("asin", "3/2"), ("exp", "30000"), ("phi1", "-1"), ("Phi", "80")],
)
def test_outside_its_domain_a_function_is_rejected(name: str, x: str) -> None:
    with pytest.raises(Rejected):
        at_point(name, Fraction(x), 64)


def test_division_by_an_interval_around_zero_is_rejected() -> None:
    with pytest.raises(Rejected, match="around 0"):
        bounds(["^", "x", -1], {"x": (Fraction(-1), Fraction(1))}, 64)
