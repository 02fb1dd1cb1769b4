"""Total variation of two binomial laws, enclosed: exact rationals in, certified end points out.

TV = max over m of P_q(X ≥ m) − P_p(X ≥ m), and for p < q the maximum is at the crossing of the
likelihood ratio; where precision cannot tell two neighbours apart, the larger of both is taken. Each
difference is ∫_p^q T·b(m−1; T−1, t) dt. Far tails are cut off and bounded: the density is log-concave,
so beyond a point b its mass is at most f(b)/|(log f)'(b)|.
"""

import math
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from oubli.sim.laws.ball import Enclosure, as_ball, checked_digits, endpoints, refine
from oubli.sim.laws.beta_density import window
from oubli.sim.laws.exact import Exact, exact_integer, exact_probability
from oubli.sim.laws.quadrature_ball import Monomial, integrate

LARGEST_T = 10**100

# Nats between the working precision and the error of the quadrature: room for rounding.
_SPARE = 10.0


def binomial_tv_ball(T: Exact, p: Exact, q: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose TV(Bin(T,p), Bin(T,q)), relative width at most 10^-digits; or raises.

    Args:
        T: Number of trials, from 0 to 10^100.
        p: A probability; exact: an integer, a Fraction or text such as "1/3" or "1e-5".
        q: Another.
        digits: Digits that the enclosure guarantees.

    Returns:
        (lower, upper): the total variation distance lies between them.

    >>> lower, upper = binomial_tv_ball(10**9, "1/2", "0.50001")
    >>> lower <= upper and float(lower) == float(upper) == 0.24817036591214953
    True
    >>> binomial_tv_ball(5, "1/3", "1/3")
    (Fraction(0, 1), Fraction(0, 1))
    """
    steps = exact_integer(T, "T")
    if steps > LARGEST_T:
        raise ValueError(f"T = {T}: T must be an integer from 0 to 10^100")
    low, high = sorted((exact_probability(p, "p"), exact_probability(q, "q")))
    checked_digits(digits)
    if low + high > 1:
        low, high = 1 - high, 1 - low
    if steps <= 1 or low == high or (low == 0 and high == 1):
        value = min(steps, 1) * (high - low)
        return value, value
    return _clipped(_refined(steps, low, high, digits))


def _refined(T: int, low: Fraction, high: Fraction, digits: int) -> Enclosure:
    if low == 0:
        return refine(lambda: -(T * (-as_ball(high)).log1p()).expm1(), digits)
    return refine(lambda: _largest_gap(T, low, high), digits, _lost_bits(T))


def _lost_bits(T: int) -> int:
    """Bits that cancel between terms of size T·log T."""
    return T.bit_length() + T.bit_length().bit_length()


def _clipped(enclosure: Enclosure) -> Enclosure:
    return enclosure[0], min(enclosure[1], Fraction(1))


def _largest_gap(T: int, p: Fraction, q: Fraction) -> arb:
    first, last = _crossing(T, p, q)
    if last > first + 1:
        return arb.nan()
    gap = _gap(T, first, p, q)
    # The larger of the two lies in their union (and arb's own max widens needlessly).
    return gap if last == first else gap.union(_gap(T, last, p, q))


def _crossing(T: int, p: Fraction, q: Fraction) -> tuple[int, int]:
    """The least and the largest integer that ⌈k*⌉ can be, k* = T·A/(A+B) the crossing."""
    A, B = as_ball((q - p) / (1 - q)).log1p(), as_ball((q - p) / p).log1p()
    lower, upper = endpoints(T * A / (A + B))
    return max(1, math.ceil(lower)), min(T, math.ceil(upper))


def _gap(T: int, m: int, p: Fraction, q: Fraction) -> arb:
    """P_q(X ≥ m) − P_p(X ≥ m), as a ball."""
    f = _density(T, m)
    budget = (ctx.prec - _lost_bits(T)) * math.log(2) - _SPARE
    low, high = _window(f, budget)
    if p < low and high < q:
        return 1 - _tail(f, p) - _tail(f, q)  # the whole mass is 1
    a, b = max(p, low), min(q, high)
    value = integrate(f, a, b, _log_size(f, a, b) - budget)
    if a > p:
        value += _tail(f, a)
    return value + _tail(f, b) if b < q else value


def _density(T: int, m: int) -> Monomial:
    """T·b(m−1; T−1, t) as a function of t."""
    x, y = m - 1, T - m
    log_scale = arb(T + 1).lgamma() - arb(x + 1).lgamma() - arb(y + 1).lgamma()
    return Monomial(x, y, log_scale)


def _window(f: Monomial, budget: float) -> tuple[Fraction, Fraction]:
    """Where the density has fallen by about exp(−budget) on either side of its peak."""
    n = f.x + f.y
    left, right = window(np.array(float(n)), np.array(float(f.x)), budget)
    return Fraction(f.x - math.ceil(left), n), Fraction(f.x + math.ceil(right), n)


def _log_size(f: Monomial, a: Fraction, b: Fraction) -> float:
    """Roughly the logarithm of the integral over [a, b]; it only steers the effort."""
    top = min(max(a, Fraction(f.x, f.x + f.y)), b)
    height = f.at(as_ball(top), as_ball(1 - top)) * as_ball(b - a)
    return min(0.0, float(height.log().mid()))


def _tail(f: Monomial, cut: Fraction) -> arb:
    """[0, f(cut)/|(log f)'(cut)|]: contains the mass beyond a cut on either side of the peak."""
    t, above = as_ball(cut), as_ball(1 - cut)
    bound = f.at(t, above) / abs(f.x / t - f.y / above)
    return arb(0).union(bound)
