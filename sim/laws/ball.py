"""Balls to rational end points: precision rises until the enclosure is narrow enough, or the cap speaks."""

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx, fmpq

Enclosure = tuple[Fraction, Fraction]

_GUARD_BITS = 32
_ROUNDS = 6
_MOST_DIGITS = 10_000


class PrecisionError(ArithmeticError):
    """The cap on precision was reached before the answer was certain."""


def as_ball(number: Fraction | int) -> arb:
    """A ball that contains `number`."""
    return arb(fmpq(number.numerator, number.denominator))


def endpoints(ball: arb) -> Enclosure:
    """Two rationals that enclose a finite ball.

    >>> endpoints(arb(3) / 4)
    (Fraction(3, 4), Fraction(3, 4))
    """
    return _dyadic(ball.lower()), _dyadic(ball.upper())


def checked_digits(digits: int) -> int:
    """`digits` itself when it can be asked for, else ValueError.

    >>> checked_digits(30)
    30
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= _MOST_DIGITS:
        raise ValueError(f"digits = {digits}: digits must be an integer from 1 to {_MOST_DIGITS}")
    return digits


def working_bits(digits: int, extra: int = 0) -> int:
    """Bits that carry `digits` decimals plus `extra` lost bits, rounded up so that node tables are shared.

    >>> working_bits(30) % 32
    0
    """
    return -(-(math.ceil(digits * math.log2(10)) + extra + _GUARD_BITS) // 32) * 32


def narrow(enclosure: Enclosure, digits: int) -> bool:
    """Whether the width is at most 10^-digits of the lower end (both ends of one sign)."""
    lower, upper = enclosure
    return (upper - lower) * 10**digits <= min(abs(lower), abs(upper)) and lower * upper >= 0


def refine(evaluate: Callable[[], arb], digits: int, extra: int = 0) -> Enclosure:
    """End points that enclose `evaluate()`, relative width at most 10^-digits; or PrecisionError.

    >>> lower, upper = refine(lambda: arb(2).sqrt(), 20)
    >>> lower**2 < 2 < upper**2 and (upper - lower) * 10**20 <= lower
    True
    """
    bits = working_bits(checked_digits(digits), extra)
    for _ in range(_ROUNDS):
        with ctx.workprec(bits):
            ball = evaluate()
            if ball.is_finite() and narrow(found := endpoints(ball), digits):
                return found
        bits *= 2
    raise PrecisionError(f"no enclosure with {digits} digits within {bits // 2} bits")


def decide(difference: Callable[[], arb]) -> int:
    """The sign (+1 or -1) of a number that is not zero, or PrecisionError.

    >>> decide(lambda: arb.pi() - 3)
    1
    """
    bits = 2 * _GUARD_BITS
    for _ in range(2 * _ROUNDS):
        with ctx.workprec(bits):
            ball = difference()
            if ball > 0:
                return 1
            if ball < 0:
                return -1
        bits *= 2
    raise PrecisionError(f"the sign is not certain within {bits // 2} bits")


def _dyadic(point: arb) -> Fraction:
    mantissa, exponent = point.man_exp()
    power = int(exponent)
    if power >= 0:
        return Fraction(int(mantissa) << power)
    return Fraction(int(mantissa), 1 << -power)
