"""Rational interval bounds of expressions over boxes: integers and fractions, no floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from math import isqrt

from theory.checker.grammar import Ast, Rejected, need, number
from theory.checker.ring import accepts_identity

Interval = tuple[Q, Q]

PRECISIONS = (64, 160, 400)



def down(x: Q, bits: int) -> Q:
    """A dyadic number at most x, about `bits` significant bits long."""
    if x == 0 or (x.denominator == 1 and x.numerator.bit_length() <= bits):
        return x
    shift = bits - x.numerator.bit_length() + x.denominator.bit_length()
    if shift >= 0:
        return Q((x.numerator << shift) // x.denominator, 1 << shift)
    return Q((x.numerator // (x.denominator << -shift)) << -shift)


def outward(lo: Q, hi: Q, bits: int) -> Interval:
    """The interval, widened to short end points."""
    return down(lo, bits), -down(-hi, bits)


def series(term: Q, ratio: Callable[[int], Q], tail: Callable[[int], Q], bits: int) -> Interval:
    """Sum of positive terms; `ratio(k)` steps from term k to k+1 and `tail(k)` bounds later ratios."""
    total, k, small = Q(0), 0, Q(1, 1 << (bits + 4))
    while k < 40 * bits:
        total, term, k = total + term, down(term * ratio(k), 2 * bits), k + 1
        if tail(k) <= Q(1, 2) and term <= small * max(total, small):
            # Each term was rounded down by less than 2^-2bits of itself: the slack covers that too.
            return total, total + 4 * term + total * Q(k, 1 << (2 * bits - 2))
    raise Rejected("a series does not settle")


def at_point(head: str, x: Q, bits: int) -> Interval:
    """Bounds of a function at a rational point."""
    if head == "exp":
        if x < 0:
            lo, hi = at_point("exp", -x, bits)
            return outward(1 / hi, 1 / lo, bits)
        need(x <= 20_000, "an exponent is too large")
        k = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 4)
        y, work = x / (1 << k), bits + 2 * k + 16
        out = outward(*series(Q(1), lambda n: y / (n + 1), lambda n: y, work), work)
        for _ in range(k):
            out = outward(out[0] ** 2, out[1] ** 2, work)
        return out
    if head == "log":
        need(x > 0, "a logarithm of a number that is not positive")
        k = x.numerator.bit_length() - x.denominator.bit_length()
        m = x / Q(2) ** k
        (a, b), (c, d) = atanh2((m - 1) / (m + 1), bits), atanh2(Q(1, 3), bits)
        return (a + min(k * c, k * d), b + max(k * c, k * d))
    if head == "atan":
        if x < 0:
            lo, hi = at_point("atan", -x, bits)
            return -hi, -lo
        if x > 1:
            (lo, hi), (p, q) = at_point("atan", 1 / x, bits), pi_bounds(bits)
            return p / 2 - hi, q / 2 - lo
        y = x * x / (1 + x * x)
        return series(x / (1 + x * x), lambda n: y * Q(2 * n + 2, 2 * n + 3), lambda n: y, bits)
    if head == "asin":
        need(abs(x) <= 1, "arcsine outside [-1, 1]")
        if abs(x) == 1:
            p, q = pi_bounds(bits)
            return (p / 2, q / 2) if x > 0 else (-q / 2, -p / 2)
        lo, hi = root_bounds(1 - x * x, bits)
        ends = [at_point("atan", down(x / s, 2 * bits), bits) for s in (lo, hi)]
        slack = Q(1, 1 << bits)
        return min(a for a, _ in ends) - slack, max(b for _, b in ends) + slack
    if head == "Phi":
        if x < 0:
            lo, hi = at_point("Phi", -x, bits)
            return 1 - hi, 1 - lo
        need(x <= 60, "a normal quantile is too large")
        (a, b), (c, d) = at_point("exp", -x * x / 2, bits), pi_bounds(bits)
        e, f = root_bounds(2 * c, bits)[0], root_bounds(2 * d, bits)[1]
        p, q = series(x, lambda n: x * x / (2 * n + 3), lambda n: x * x / (2 * n + 3), bits)
        return Q(1, 2) + a * p / f, Q(1, 2) + b * q / e
    need(head in ("phi1", "phi2") and 0 <= x <= 1000, f"no bounds for {head}({x})")
    j = 1 if head == "phi1" else 2
    return series(Q(1, j), lambda n: x / (n + 1 + j), lambda n: x / (n + 1 + j), bits)


def atanh2(z: Q, bits: int) -> Interval:
    """Bounds of 2 artanh z for |z| <= 1/2."""
    if z < 0:
        lo, hi = atanh2(-z, bits)
        return -hi, -lo
    lo, hi = series(z, lambda n: z * z * Q(2 * n + 1, 2 * n + 3), lambda n: z * z, bits)
    return 2 * lo, 2 * hi


def pi_bounds(bits: int) -> Interval:
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""
    (a, b), (c, d) = at_point("atan", Q(1, 5), bits), at_point("atan", Q(1, 239), bits)
    return 16 * a - 4 * d, 16 * b - 4 * c


def root_bounds(x: Q, bits: int) -> Interval:
    """Bounds of the square root of x >= 0."""
    need(x >= 0, "a root of a negative number")
    scale = 1 << (2 * bits)
    shifted = x.numerator * scale * scale // x.denominator
    s = isqrt(shifted)
    return Q(s, scale), Q(s if s * s == shifted and shifted * x.denominator == x.numerator * scale**2
                          else s + 1, scale)


def bounds(node: Ast, box: Mapping[str, Interval], bits: int) -> Interval:
    """An interval that contains the expression at every point of the box."""
    value = number(node)
    if value is not None:
        return value, value
    if isinstance(node, str):
        need(node in box, f"no value for {node}")
        return box[node]
    head, args = node[0], node[1:]
    if head == "pi":
        return pi_bounds(bits)
    parts = [bounds(a, box, bits) for a in (args[:1] if head == "^" else args)]
    if head == "+":
        return outward(sum((p[0] for p in parts), Q(0)), sum((p[1] for p in parts), Q(0)), bits)
    if head == "*":
        lo, hi = parts[0]
        for a, b in parts[1:]:
            ends = (lo * a, lo * b, hi * a, hi * b)
            lo, hi = outward(min(ends), max(ends), bits)
        return lo, hi
    if head == "^":
        return raised(parts[0], number(args[1]) or Q(0), bits)
    lo, hi = parts[0]
    # Every function of the grammar increases.
    return outward(at_point(head, lo, bits)[0], at_point(head, hi, bits)[1], bits)


def raised(base: Interval, exponent: Q, bits: int) -> Interval:
    """Bounds of a power."""
    lo, hi = base
    if exponent.denominator == 2:
        lo, hi = root_bounds(lo, bits)[0], root_bounds(hi, bits)[1]
        exponent = exponent * 2
    if exponent < 0:
        need(lo > 0 or hi < 0, "a division by an interval around 0")
        lo, hi = outward(1 / hi, 1 / lo, bits)
    k = abs(int(exponent))
    ends = (lo**k, hi**k)
    low = Q(0) if k % 2 == 0 and lo <= 0 <= hi and k else min(ends)
    return outward(low, max(ends), bits)


def positive_constant(node: Ast, strict: bool) -> bool:
    """True only if a closed expression is > 0 (or is 0 exactly, where that is enough)."""
    if not strict and accepts_identity(node):
        return True
    return any(bounds(node, {}, bits)[0] > 0 for bits in PRECISIONS)
