"""Rationals to decimal strings and doubles, rounded in the direction that the name says."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def decimal_down(number: Fraction, digits: int) -> str:
    """The largest decimal with `digits` significant digits that is at most `number`.

    >>> decimal_down(Fraction(2, 3), 5)
    '0.66666'
    """
    return _decimal(number, Context(prec=digits, rounding=ROUND_FLOOR, Emin=-(10**9), Emax=10**9))


def decimal_up(number: Fraction, digits: int) -> str:
    """The smallest decimal with `digits` significant digits that is at least `number`.

    >>> decimal_up(Fraction(2, 3), 5)
    '0.66667'
    """
    return _decimal(number, Context(prec=digits, rounding=ROUND_CEILING, Emin=-(10**9), Emax=10**9))


def float_down(number: Fraction) -> float:
    """The largest double that is at most `number`.

    >>> Fraction(float_down(Fraction(1, 3))) <= Fraction(1, 3) < Fraction(float_up(Fraction(1, 3)))
    True
    """
    nearest = float(number)
    return nearest if nearest <= number else math.nextafter(nearest, -math.inf)


def float_up(number: Fraction) -> float:
    """The smallest double that is at least `number`.

    >>> float_up(Fraction(1, 2))
    0.5
    """
    return -float_down(-number)


def _decimal(number: Fraction, context: Context) -> str:
    return str(context.divide(Decimal(number.numerator), Decimal(number.denominator)))
