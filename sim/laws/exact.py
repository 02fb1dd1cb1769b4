"""Exact input: every number that enters an enclosure is a rational, and nothing is rounded on the way in."""

import math
import numbers
import re
from fractions import Fraction

Exact = Fraction | int | float | str

# Python would spend hours building 10**999999999; nobody means such a number.
_LARGEST_EXPONENT = 100_000
_EXPONENT = re.compile(r"[eE]([+-]?\d+)\s*$")


def exact(value: Exact, name: str = "value") -> Fraction:
    """The rational that `value` denotes: a decimal string by its digits, a float by its dyadic value.

    >>> exact("0.1"), exact("1/3"), exact(0.5)
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2))
    """
    if isinstance(value, str):
        return _from_text(value, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} = {value!r}: give a Fraction, an int, a decimal string or a float")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not math.isfinite(value):
        raise ValueError(f"{name} = {value!r}: a finite number is needed")
    return Fraction(float(value))


def exact_integer(value: Exact, name: str) -> int:
    """The nonnegative integer that `value` denotes, or ValueError.

    >>> exact_integer("1e9", "T")
    1000000000
    """
    number = exact(value, name)
    if number.denominator != 1 or number < 0:
        raise ValueError(f"{name} = {value}: {name} must be an integer, at least 0")
    return number.numerator


def exact_probability(value: Exact, name: str) -> Fraction:
    """The rational in [0, 1] that `value` denotes, or ValueError.

    >>> exact_probability("3/4", "p")
    Fraction(3, 4)
    """
    number = exact(value, name)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} = {value}: {name} must lie in [0, 1]")
    return number


def _from_text(text: str, name: str) -> Fraction:
    exponent = _EXPONENT.search(text)
    if exponent and (len(exponent[1]) > 9 or abs(int(exponent[1])) > _LARGEST_EXPONENT):
        raise ValueError(f"{name} = {text}: the exponent must lie within ±{_LARGEST_EXPONENT}")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} = {text}: give a decimal (0.25, 1e-7) or a fraction (1/3)") from None
