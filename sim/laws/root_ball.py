"""A root of a monotone function, enclosed: Newton proposes, two certified signs dispose."""

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx

from oubli.sim.laws.ball import Enclosure, PrecisionError, as_ball, checked_digits, endpoints, working_bits

# Value and slope with respect to log x, as balls, at the current precision.
Evaluate = Callable[[arb], tuple[arb, arb]]

_FIRST_BITS = 128
_STEPS = 100
_MOST = 16  # times the bits that should do


def positive_root(evaluate: Evaluate, start: float, digits: int) -> Enclosure:
    """(lower, upper) with the one root x > 0 of a strictly monotone function strictly between them.

    Relative width at most 10^-digits, or PrecisionError. Certified are the two signs; that they are
    opposite proves a root between, and monotonicity (the caller's) proves it is the only one.

    >>> lower, upper = positive_root(lambda x: ((x**2 / 2).log(), arb(2)), 1.0, 20)
    >>> lower**2 < 2 < upper**2
    True
    """
    bits, goal = _FIRST_BITS, working_bits(checked_digits(digits))
    centre = Fraction(start)
    while bits <= _MOST * max(goal, _FIRST_BITS):
        with ctx.workprec(bits):
            centre = _newton(evaluate, centre)
            if bits >= goal and (found := _certified(evaluate, centre, digits)):
                return found
        bits *= 2
    raise PrecisionError(f"no root with {digits} digits within {bits // 2} bits")


def _newton(evaluate: Evaluate, centre: Fraction) -> Fraction:
    """Newton on midpoints until the steps stop shrinking; the answer is only a proposal."""
    x, last = as_ball(centre).mid(), arb(1)
    for _ in range(_STEPS):
        value, slope = evaluate(x)
        step = (-value / slope).mid()
        if not step.is_finite():
            break
        step = max(arb(-1), min(arb(1), step))
        x = (x * step.exp()).mid()
        if abs(step) < arb(2) ** (8 - ctx.prec // 2) or (abs(step) < 1e-6 and abs(step) >= last):
            break
        last = abs(step)
    return endpoints(x)[0]


def _certified(evaluate: Evaluate, centre: Fraction, digits: int) -> Enclosure | None:
    slack = Fraction(2, 5 * 10**digits)
    lower, upper = (endpoints(as_ball(centre * (1 + side * slack)).mid())[0] for side in (-1, 1))
    below, above = evaluate(as_ball(lower))[0], evaluate(as_ball(upper))[0]
    if (below > 0 and above < 0) or (below < 0 and above > 0):
        return lower, upper
    return None
