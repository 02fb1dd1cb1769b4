"""Directed rounding: the direction is in the name and holds exactly."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.laws.decimals import decimal_down, decimal_up, float_down, float_up

rationals = st.fractions(min_value=-1000, max_value=1000)


@settings(deadline=None)
@given(rationals, st.integers(1, 60))
def test_decimals_enclose_and_are_next_to_each_other(number, digits):
    down, up = Fraction(decimal_down(number, digits)), Fraction(decimal_up(number, digits))
    assert down <= number <= up
    assert up - down <= abs(number) * Fraction(10, 10**digits)


@settings(deadline=None)
@given(rationals)
def test_doubles_enclose(number):
    down, up = float_down(number), float_up(number)
    assert Fraction(down) <= number <= Fraction(up)
    assert up - down <= 2.0**-52 * max(abs(up), abs(down))


def test_numbers_below_the_doubles_round_to_the_ends():
    tiny = Fraction(1, 10**400)
    assert (float_down(tiny), float_up(tiny)) == (0.0, 5e-324)
    assert decimal_up(tiny, 3) == "1.00E-400" or Fraction(decimal_up(tiny, 3)) == tiny
