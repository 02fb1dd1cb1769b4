"""The checker's rational bounds against mpmath at 60 digits, and their width."""

from fractions import Fraction
from math import inf

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.theory.kernel.bounds import Bounds
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError

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


def bounds(bits: int) -> Bounds:
    WORK[:] = [BUDGET, inf]  # as at the start of every certificate
    return Bounds(bits)


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=60, derandomize=True, deadline=None)
@given(data=st.data())
def test_function_bounds_enclose_and_are_narrow(name: str, data: st.DataObject) -> None:
    function, arguments = FUNCTIONS[name]
    x = data.draw(arguments)
    with mpmath.workdps(80):
        truth = function(real(x))
        for bits in (64, 160):
            low, high = (real(q) for q in bounds(bits).at(name, x))
            assert low <= truth <= high
            assert high - low <= mpmath.mpf(2) ** (20 - bits) * max(1, abs(truth))


def test_pi_and_roots() -> None:
    low, high = bounds(160).of(["pi"], {})
    with mpmath.workdps(60):
        assert real(low) <= mpmath.pi <= real(high)
        assert real(high) - real(low) < mpmath.mpf(2) ** -150
    for square in ("9/4", "2", "1/1000003"):
        low, high = bounds(64).of(["^", square, "1/2"], {})
        assert low**2 <= Fraction(square) <= high**2
        assert high - low < Fraction(1, 2**60)
    low, high = bounds(64).of(["^", "x", "-3/2"], {"x": (Fraction(1, 4), Fraction(4))})
    assert low <= Fraction(1, 8) < 8 <= high
    assert Fraction(1, 8) - low < Fraction(1, 2**50) > high - 8


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
    low, high = bounds(64).of(node, {"x": (lower, lower + width)})
    with mpmath.workdps(40):
        x = real(lower + at * width)
        value = x**2 - 2 * x * mpmath.exp(x / 3) + 1 / mpmath.sqrt(4 + x)
        assert real(low) <= value <= real(high)


@pytest.mark.parametrize(
    ("name", "x"),
    [("log", "0"), ("log", "-1"), ("asin", "3/2"), ("exp", "30000"), ("phi1", "-1"), ("Phi", "80")],
)
def test_outside_its_domain_a_function_is_rejected(name: str, x: str) -> None:
    with pytest.raises(RejectedError):
        bounds(64).at(name, Fraction(x))


def test_division_by_an_interval_around_zero_is_rejected() -> None:
    with pytest.raises(RejectedError, match="around 0"):
        bounds(64).of(["^", "x", -1], {"x": (Fraction(-1), Fraction(1))})


def test_a_root_of_an_interval_below_zero_is_rejected() -> None:
    with pytest.raises(RejectedError, match="negative"):
        bounds(64).of(["^", "x", "1/2"], {"x": (Fraction(-1, 100), Fraction(1))})


@pytest.mark.parametrize("power", [2, 3, 4, -2, -3])
@pytest.mark.parametrize("ends", [("-3", "-1"), ("-2", "5"), ("1/3", "2")])
def test_powers_enclose_their_values_and_no_more(power: int, ends: tuple[str, str]) -> None:
    lower, upper = map(Fraction, ends)
    if power < 0 and lower < 0 < upper:
        with pytest.raises(RejectedError, match="around 0"):
            bounds(64).of(["^", "x", power], {"x": (lower, upper)})
        return
    points = [lower + (upper - lower) * Fraction(n, 64) for n in range(65)]
    values = [x**power for x in points if x or power > 0] + [Fraction(0)] * (lower < 0 < upper)
    low, high = bounds(64).of(["^", "x", power], {"x": (lower, upper)})
    assert low <= min(values) <= max(values) <= high
    assert min(values) - low < Fraction(1, 2**50) > high - max(values)


def test_work_is_limited() -> None:
    low = bounds(2000)
    WORK[0] = 100
    with pytest.raises(RejectedError, match="too long"):
        low.at("exp", Fraction(30))
    WORK[:] = [BUDGET, inf]
