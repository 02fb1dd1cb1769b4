"""Each condition on which an enclosure or a rounding rests: drop it, and a wrong number is certified."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from oubli.sim.laws import binomial_ball
from oubli.sim.laws.arcsine import arcsine_distance_ball
from oubli.sim.laws.ball import PrecisionError, checked_digits, decide, narrow, working_bits
from oubli.sim.laws.binomial_ball import _clipped, _gap, _largest_gap, binomial_tv_ball
from oubli.sim.laws.classical import classical_kappa
from oubli.sim.laws.decimals import decimal_down, decimal_up
from oubli.sim.laws.discrete import Law, dominates, hockey_stick_ball
from oubli.sim.laws.exact import exact
from oubli.sim.laws.gaussian import _ball_epsilon_up, _raised
from oubli.sim.laws.root_ball import _certified

NARROW = {(100, 101, 2): True, (100, 101, 3): False, (99, 100, 2): False, (10, 15, 1): False,
          (-101, -100, 2): True, (-101, -100, 3): False, (0, 0, 50): True, (-1, 1, 1): False}  # fmt: skip


@pytest.mark.parametrize("case", NARROW)
def test_narrow(case):
    lower, upper, digits = case
    assert narrow((Fraction(lower), Fraction(upper)), digits) is NARROW[case]


def test_bits_carry_the_digits():
    """29 digits take 97 bits, 28 take 94; with 32 to spare and rounded up to multiples of 32."""
    assert [working_bits(28), working_bits(29), working_bits(29, 40), working_bits(10_000)] == [
        128,
        160,
        192,
        33280,
    ]
    assert checked_digits(10_000) == 10_000


def test_a_sign():
    assert (decide(lambda: arb(3)), decide(lambda: arb(-3))) == (1, -1)
    with pytest.raises(PrecisionError):
        decide(lambda: arb(0))


CERTAIN = [(1, -1), (-1, 1)]
UNCERTAIN = [(-1, -1), (1, 1), (0, -1), (1, 0), (1, 0.5), (0, 1), (-1, 0)]


@pytest.mark.parametrize("signs", CERTAIN + UNCERTAIN)
def test_only_opposite_signs_certify_a_root(signs):
    """The root lies strictly between two ends with opposite signs, which are certain."""
    below, above = signs
    found = _certified(lambda x: (arb(below if x < 1 else above), arb(1)), Fraction(1), 5)
    assert (found is not None) is (signs in CERTAIN)
    if found:
        assert found[0] < 1 < found[1]
        assert (found[1] - found[0]) * 10**5 <= found[0]


def test_ends_of_a_total_variation():
    assert binomial_tv_ball(10**100, "1/2", "1/2") == (0, 0)
    with pytest.raises(ValueError, match=r"10\^100"):
        binomial_tv_ball(10**100 + 1, "1/2", "1/2")
    assert _clipped((Fraction(1, 2), Fraction(3, 2))) == (Fraction(1, 2), Fraction(1))


@pytest.mark.parametrize("last", [5, 6])
def test_a_crossing_that_is_not_certain_is_no_answer(last, monkeypatch):
    monkeypatch.setattr(binomial_ball, "_crossing", lambda *_: (3, last))
    assert not _largest_gap(10, Fraction(1, 4), Fraction(3, 4)).is_finite()


@pytest.mark.parametrize("last", [3, 4])
def test_the_larger_of_two_neighbours_is_enclosed(last, monkeypatch):
    p, q = Fraction(1, 4), Fraction(3, 4)
    monkeypatch.setattr(binomial_ball, "_crossing", lambda *_: (3, last))
    found = _largest_gap(10, p, q)
    assert all(found.contains(_gap(10, m, p, q).mid()) for m in range(3, last + 1))
    assert found.contains(_gap(10, 5, p, q).mid()) is False


def test_arcsine_of_two_laws_in_either_order():
    one, other = arcsine_distance_ball(100, "0.5", "0.55"), arcsine_distance_ball(100, "0.55", "0.5")
    assert one == other
    assert one[0] > 0
    assert arcsine_distance_ball(0, "0.5", "0.55") == (0, 0)


def test_decimals_of_any_size():
    big, small = Fraction(10**30 + 1), Fraction(1, 10**30 + 1)
    assert (decimal_down(big, 3), decimal_up(big, 3)) == ("1.00E+30", "1.01E+30")
    assert (decimal_down(small, 3), decimal_up(small, 3)) == ("9.99E-31", "1.00E-30")


def test_closeness_at_equality_is_exact():
    P, Q, R = Law({0: "1/3", 1: "2/3"}), Law({0: "2/3", 1: "1/3"}), Law({2: 1})
    assert hockey_stick_ball(P, Q, 0) == (Fraction(1, 3), Fraction(1, 3))
    assert hockey_stick_ball(P, R, 1) == (1, 1)
    assert hockey_stick_ball(P, Law({1: 1}), 1) == (Fraction(1, 3), Fraction(1, 3))
    assert dominates(P, Q, 0, "1/3")
    assert not dominates(P, Q, 0, "1/4")
    assert dominates(P, R, 1, 1)
    S = Law({0: "9/10", 1: "1/10"})
    lower, upper = hockey_stick_ball(S, Q, 1)
    # The event is empty: 9/10 < (2/3) e.
    assert (lower, upper) == (0, 0)
    lower, upper = hockey_stick_ball(S, Law({0: "1/10", 1: "9/10"}), 1)
    assert lower < Fraction(9, 10) - Fraction("0.27182818284") < upper + Fraction(1, 10**9)
    assert upper < Fraction(7, 10)


def test_exponents_within_their_limit():
    assert exact("1e100000") == 10**100_000
    assert exact("1e-100000") * 10**100_000 == 1
    for text in ("1e100001", "1e-100001", "1e9999999999"):
        with pytest.raises(ValueError, match="exponent must lie"):
            exact(text)
    for value in (None, 1j, True):
        with pytest.raises(TypeError, match="give a Fraction"):
            exact(value)


def test_one_number_is_a_float():
    assert type(classical_kappa(1.0, 1e-5)) is float
    assert classical_kappa([1.0, 2.0], 1e-5).shape == (2,)


@pytest.mark.parametrize("least", [1.0, 1 + 2**-50, 1 + 1e-9])
def test_only_what_passed_is_returned(least):
    """Raised until it is safe, however far that is."""
    found = _raised(np.array([1.0, 2.0]), np.zeros(2), lambda x, rows: x >= least)
    assert (found >= least).all()
    assert found[0] <= 1 + 4 * max(least - 1, 2**-52)
    assert found[1] == 2.0


def test_what_is_never_safe_is_no_answer():
    with pytest.raises(RuntimeError, match="no safe rounding"):
        _raised(np.ones(1), np.zeros(1), lambda x, rows: np.zeros(len(x), dtype=bool))


def test_the_least_epsilon_is_not_undercut():
    assert _ball_epsilon_up(1e12, 0.5) == 1e-6
