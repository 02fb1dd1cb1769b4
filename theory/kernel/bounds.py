"""Rational bounds of expressions without letters, or over a box of parameters.

Part of what must be trusted: standard library only, every rounding outwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from math import floor, isqrt
from typing import NamedTuple

from oubli.theory.kernel.poly import EMPTY, FUNCTIONS, Ast, Poly, need, number, spend


class Bounds(NamedTuple):
    """Rational bounds of expressions, at a precision of so many bits; every function increases."""

    bits: int

    def outward(self, lo: Q, hi: Q) -> tuple[Q, Q]:
        """The interval, widened to ends with fewer digits."""
        both = [end.as_integer_ratio() for end in (lo, hi) if end]
        shift = self.bits - max((n.bit_length() - d.bit_length() for n, d in both), default=0)
        up, down = max(shift, 0), max(-shift, 0)  # the ends become multiples of 2^-shift
        low = (lo.numerator << up) // (lo.denominator << down)
        high = -((-hi.numerator << up) // (hi.denominator << down))
        return Q(low << down, 1 << up), Q(high << down, 1 << up)

    def series(self, term: Q, ratio: Callable[[int], Q]) -> tuple[Q, Q]:
        """Sum of positive terms, term k+1 = ratio(k) term k, where ratios stay <= 1/2 once one is."""
        need(term >= 0 <= ratio(0) and ratio(40 * self.bits) <= Q(1, 2), "a series that does not settle")
        n, d = term.as_integer_ratio()
        scale = 2 * self.bits + 16 + max(0, d.bit_length() - n.bit_length())  # in units of 2^-scale
        low, high = (n << scale) // d, -((-n << scale) // d)
        least, most, k, small = 0, 0, 0, 1 << (scale - self.bits - 4)
        n, d = ratio(0).as_integer_ratio()
        while k == 0 or 2 * n > d or high << (self.bits + 4) > max(least, small):
            spend(self.bits // 8)
            least, most, low, high, k = least + low, most + high, low * n // d, -(-high * n // d), k + 1
            n, d = ratio(k).as_integer_ratio()
        return Q(least, 1 << scale), Q(most + 2 * high, 1 << scale)

    def at(self, head: str, x: Q) -> tuple[Q, Q]:
        """A function at a rational point: exp, atan, asin, Phi reflected to x >= 0, log to x >= 1."""
        if x < (head == "log") and head not in ("phi1", "phi2"):
            need(head != "log" or x > 0, "a logarithm of a number that is not positive")
            (lo, hi), both = self.at(head, 1 / x if head == "log" else -x), head == "Phi"
            return self.outward(1 / hi, 1 / lo) if head == "exp" else (both - hi, both - lo)
        if head == "log":  # 2 artanh z + 2 k artanh 1/3, where z = (m - 1)/(m + 1), m = x/2^k
            k = floor(x).bit_length() - 1
            logs = [self.series(y, lambda n, y=y: y * y * Q(2 * n + 1, 2 * n + 3))  # type: ignore[misc]
                    for y in ((x - 2**k) / (x + 2**k), Q(1, 3))]  # fmt: skip
            return self.outward(2 * logs[0][0] + 2 * k * logs[1][0], 2 * logs[0][1] + 2 * k * logs[1][1])
        if head == "atan" and x <= 1:  # Euler's series
            y = x * x / (1 + x * x)
            return self.outward(*self.series(x / (1 + x * x), lambda n: y * Q(2 * n + 2, 2 * n + 3)))
        if head == "atan":
            return self.of(["+", ["*", "1/2", ["pi"]], ["*", -1, ["atan", str(1 / x)]]], {})
        if head == "asin":
            cosine = ["^", str(1 - x * x), "1/2"]
            return self.of(["*", 2, ["atan", ["*", str(x), ["^", ["+", 1, cosine], -1]]]], {})
        if head == "Phi":  # 1/2 + exp(-x^2/2)/sqrt(2 pi) (x + x^3/3 + x^5/15 + …)
            density = ["*", ["exp", str(-x * x / 2)], ["^", ["*", 2, ["pi"]], "-1/2"], "sum"]
            return self.of(["+", "1/2", density], {"sum": self.series(x, lambda n: x * x / (2 * n + 3))})
        shift = ("exp", "phi1", "phi2").index(head)  # e^x, (e^x - 1)/x, (e^x - 1 - x)/x^2: x^n/(n + shift)!
        return self.outward(*self.series(Q(1, max(1, shift)), lambda n: x / (n + 1 + shift)))

    def power(self, lo: Q, hi: Q, k: Q) -> tuple[Q, Q]:
        """A power of an interval."""
        if k.denominator == 2:
            need(lo >= 0, "a root of a negative number")
            low, high = (Q(isqrt(floor(end * 16**self.bits)), 4**self.bits) for end in (lo, hi))
            lo, hi, k = low, high + Q(1, 4**self.bits), 2 * k
        if k < 0:
            need(lo > 0 or hi < 0, "a division by an interval around 0")
            lo, hi, k = 1 / hi, 1 / lo, -k
        need(Poly({EMPTY: lo}).weight() * Poly({EMPTY: hi}).weight() * k <= 10_000, "a power is too long")
        ends = [lo ** int(k), hi ** int(k)]
        return self.outward(Q(0) if k % 2 == 0 < k and lo <= 0 <= hi else min(ends), max(ends))

    def of(self, node: Ast, box: Mapping[str, tuple[Q, Q]]) -> tuple[Q, Q]:
        """Contains the expression at every point of the box; RejectedError where it has no value."""
        spend(1)
        if not isinstance(node, list):
            return box[node] if node in box else (Q(number(node)), Q(number(node)))
        head, args = node[0], node[1:]
        if head == "pi":  # Machin: pi = 16 atan(1/5) - 4 atan(1/239).
            return self.of(["+", ["*", 16, ["atan", "1/5"]], ["*", -4, ["atan", "1/239"]]], {})
        lo, hi = self.outward(*self.of(args[0], box))
        if head in FUNCTIONS:
            return self.at(head, lo)[0], self.at(head, hi)[1]
        if head == "^":
            return self.power(lo, hi, Q(number(args[1])))
        need(head in ("+", "*"), f"unknown function {head!r:.60}")
        for a, b in [self.of(arg, box) for arg in args[1:]]:
            ends = [lo + a, hi + b] if head == "+" else [lo * a, lo * b, hi * a, hi * b]
            lo, hi = self.outward(min(ends), max(ends))
        return lo, hi
