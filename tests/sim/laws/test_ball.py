"""Refinement of balls: end points enclose, are narrow, and the caps speak."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx

from oubli.sim.laws.ball import PrecisionError, as_ball, checked_digits, decide, endpoints, narrow, refine
from oubli.sim.laws.root_ball import positive_root


@pytest.mark.parametrize("digits", [1, 15, 30, 200])
def test_refined_constant_encloses_a_peer_value(digits):
    with mpmath.workdps(digits + 40):
        peer = Fraction(*mpmath.libmp.to_rational((mpmath.exp(1) - mpmath.mpf("2.7182818"))._mpf_))
    lower, upper = refine(lambda: arb(1).exp() - as_ball(Fraction("2.7182818")), digits)
    margin = Fraction(1, 10 ** (digits + 20))
    assert lower - margin <= peer <= upper + margin
    assert (upper - lower) * 10**digits <= lower


def test_zero_width_is_never_reached_by_an_unknown_zero():
    with pytest.raises(PrecisionError, match="20 digits"):
        refine(lambda: arb(2).sqrt() ** 2 - 2, 20)
    with pytest.raises(PrecisionError, match="sign"):
        decide(lambda: arb(2).sqrt() ** 2 - 2)


def test_nan_is_never_an_answer():
    with pytest.raises(PrecisionError):
        refine(lambda: arb(-1).log(), 10)
    with pytest.raises(PrecisionError):
        decide(lambda: arb(-1).log())


def test_precision_outside_is_left_as_it_was():
    before = ctx.prec
    refine(lambda: arb(2).sqrt(), 500)
    assert ctx.prec == before


def test_end_points_are_exact_dyadics():
    assert endpoints(as_ball(Fraction(3, 8))) == (Fraction(3, 8), Fraction(3, 8))
    lower, upper = endpoints(as_ball(Fraction(1, 3)))
    assert lower < Fraction(1, 3) < upper
    assert endpoints(arb(2) ** 100) == (2**100, 2**100)


def test_an_enclosure_across_zero_is_not_narrow():
    assert not narrow((Fraction(-1), Fraction(1)), 1)
    assert narrow((Fraction(0), Fraction(0)), 100)


@pytest.mark.parametrize("digits", [0, -3, 10_001, 2.0, True])
def test_digits_are_checked(digits):
    with pytest.raises(ValueError, match="digits must be an integer from 1 to 10000"):
        checked_digits(digits)


@pytest.mark.parametrize("digits", [5, 30, 300])
@pytest.mark.parametrize("start", [1e-3, 1.0, 1e3])
def test_root_is_bracketed_from_any_start(digits, start):
    lower, upper = positive_root(lambda x: ((x**3 / 7).log(), arb(3)), start, digits)
    assert lower**3 < 7 < upper**3
    assert (upper - lower) * 10**digits <= lower


def test_a_function_without_a_root_gives_no_bracket():
    with pytest.raises(PrecisionError, match="no root"):
        positive_root(lambda x: (1 + x**2, 2 * x**2), 1.0, 5)
