"""Three arithmetics on the same expressions: balls, the checker's rationals, mpmath's intervals.

And canaries: known faults of the libraries, which our wrappers have to step around.
"""

from fractions import Fraction
from math import inf
from typing import Any

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.theory.kernel.bounds import Bounds
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from oubli.theory.search.ball import enclose, precision, sign

NUMBERS = st.fractions(Fraction(-4), Fraction(4), max_denominator=40).map(str)
EXPRESSIONS = st.recursive(
    st.one_of(NUMBERS, st.just(["pi"])),
    lambda part: st.one_of(
        st.tuples(st.sampled_from(["+", "*"]), part, part).map(list),
        st.tuples(st.just("^"), part, st.sampled_from([2, 3])).map(list),
        st.tuples(st.sampled_from(["exp", "atan", "Phi"]), part).map(list),
    ),
    max_leaves=6,
)
MAKERS = {"exp": mpmath.iv.exp}


def rational(node: Any, bits: int = 120, **box: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    WORK[:] = [BUDGET, inf]  # as at the start of every certificate
    return Bounds(bits).of(node, box)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(EXPRESSIONS)
def test_balls_and_rationals_overlap(node: Any) -> None:
    try:
        low, high = rational(node)
    except RejectedError:
        return
    with precision(128):
        ball = enclose(node, {})
    if ball.is_finite():
        assert not ball < arb_of(low)
        assert not ball > arb_of(high)


def arb_of(q: Fraction) -> arb:
    return arb(q.numerator) / q.denominator


@settings(max_examples=200, derandomize=True, deadline=None)
@given(EXPRESSIONS)
def test_decided_signs_agree(node: Any) -> None:
    try:
        low, high = rational(node, 200)
    except RejectedError:
        return
    found = sign(node, cap=256)
    if found == 1:
        assert high > 0
    if found == -1:
        assert low < 0


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.fractions(-3, 3, max_denominator=60), st.fractions(0, 2, max_denominator=60))
def test_mpmath_intervals_overlap_on_boxes(lower: Fraction, width: Fraction) -> None:
    node = ["+", ["exp", "x"], ["*", -3, "x"], ["^", "x", 2]]
    low, high = rational(node, 100, x=(lower, lower + width))
    x = mpmath.iv.mpf([str(float(lower)), str(float(lower + width))])
    other = mpmath.iv.exp(x) - 3 * x + x**2
    assert float(other.a) <= float(high) + 1e-9
    assert float(other.b) >= float(low) - 1e-9


def test_canary_the_square_of_a_ball_around_zero_is_finite_and_holds_the_square() -> None:
    with precision(64):
        square = enclose(["^", "x", 2], {"x": (Fraction(-1), Fraction(1))})
    assert square.is_finite()
    assert square.contains(arb("0.25"))


def test_canary_a_root_of_a_ball_that_may_be_negative_is_not_decided() -> None:
    with precision(64):
        root = enclose(["^", "x", "1/2"], {"x": (Fraction(-1), Fraction(1))})
    assert not root.is_finite()
    assert sign(["^", "x", "1/2"], {"x": (Fraction(-1), Fraction(1))}, cap=64) == 0


def test_canary_division_by_a_ball_around_zero_is_not_decided() -> None:
    assert sign(["^", "x", -1], {"x": (Fraction(-1), Fraction(1))}, cap=64) == 0


@pytest.mark.parametrize(
    "node", [["+", ["pi"], "-355/113"], ["+", ["exp", 1], "-19/7"], ["+", ["log", 2], "-9/13"]]
)
def test_near_misses_are_decided_alike(node: Any) -> None:
    low, high = rational(node, 100)
    assert (low > 0) - (high < 0) == sign(node)
