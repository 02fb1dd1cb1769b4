"""The upper ends of a bracket, decided again in balls: with T gradients the hypothesis of a claim is met.

Nothing here shares code with the calculator but its grids: exact rationals go in, and a comparison of balls
is true only if it is certain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sim.laws import gaussian_attains
from theory.ball import exact
from theory.regimes import linear, sgd
from theory.regimes.noise import GAUSSIAN
from theory.regimes.row import Row

V = Fraction(73, 256)
HALF = Fraction(1, 2)
# The claim sharp.sensitivity.dual.
CIRCLE = Fraction(144112, 10**5)
# Retraining starts at 0: there is nothing to hide.
NOTHING_RELEASED = "none"
Ball = Any


@dataclass(frozen=True)
class Mechanism:
    """The noise of a bound: mean square at unit sensitivity, its law, and the sensitivity it covers."""

    square: Fraction
    law: str
    apart: Fraction
    why: str

    def holds(self, row: Row) -> bool:
        """Whether the noise is certainly private and the sensitivity certainly covered."""
        covered = {
            "line": row.d == 1 and self.apart >= 1,
            "24 points on a circle": self.apart >= CIRCLE,
            "chord": self.apart >= 2 / (1 + row.r),
        }
        hidden = row.eps is None or row.r == 0 or self._private(row.eps, row)
        return covered[self.why] and hidden

    def _private(self, eps: Fraction, row: Row) -> bool:
        if self.law == NOTHING_RELEASED:
            return True
        if self.law != GAUSSIAN:
            return self.square * eps**2 >= row.d * (row.d + 1)
        scale = Fraction(float(self.square / row.d) ** 0.5 * (1 - 2.0**-50))
        return scale**2 * row.d <= self.square and gaussian_attains(eps, scale, row.delta)

    def spread(self, row: Row) -> Fraction:
        """r^2 s^2 E|z|^2."""
        return row.r**2 * self.apart**2 * self.square


NO_NOISE = Mechanism(Fraction(0), NOTHING_RELEASED, Fraction(2), "chord")


def upper_holds(row: Row, claims: tuple[str, ...], mechanism: Mechanism, steps: float) -> bool:
    """Whether the claims certainly say that `steps` gradients suffice; nothing has to be shown for inf."""
    if steps == float("inf"):
        return True
    T = int(steps)
    return mechanism.holds(row) and any(ALLOWS[key](row, mechanism, T) for key in claims if key in ALLOWS)


def _offset(row: Row) -> Fraction:
    return 4 * row.r**2 / (1 - row.r**2)


def _rate(x: Fraction, D: Fraction, T: int) -> bool:
    """sharp.sgd.rate with the sum of sharp.sgd.harmonic, for some weight c."""

    def enough(weight: float) -> bool:
        c = Fraction(weight)
        k = c * (1 - 3 * c / 2)
        total = 1 + exact((1 + k * (T + HALF)) / (1 + k / 2)).log() / exact(k)
        gained = exact(2 * c * x / 8) * (T + 1 - exact(3 * c / 2) * total)
        return bool(gained >= exact((1 - 3 * c / 2) ** 2 * D) + exact(V * c**2) * total)

    return x > 0 and any(enough(float(weight)) for weight in sgd.WEIGHTS)


def _growing(row: Row, _: Mechanism, T: int) -> bool:
    def enough(start: float, shift: float) -> bool:
        a, c = Fraction(start), Fraction(shift)
        s = c + HALF - 3 * (1 + c / a) ** 2
        if s <= 0 or a < 3 or a**2 < 3 * (a + c):
            return False
        first = max(Fraction(0), (a - 1) ** 2 / 2 - 3 * (a - 1 + c)) + Fraction(9, 2) * (1 + c / a) ** 2
        Y = exact(1 / a) + exact((T + HALF + a) / (HALF + a)).log()
        spent = exact(first / 4 + 2 * V * (T + 1) + Fraction(9, 16) * (T + 1) / s)
        price = spent + exact(2 * V * c * (2 + c / a)) * Y
        return bool(exact((T + 1) * (Fraction(T, 2) + a + s - HALF) * row.x / 8) >= price / 2)

    return any(enough(float(a), float(c)) for a, c in zip(linear.STARTS, linear.SHIFTS, strict=True))


def _root(value: Fraction) -> Ball:
    return exact(value).sqrt()


def _shrunk(row: Row, m: Mechanism, T: int) -> bool:
    return T == 0 and bool(exact(row.x - _offset(row)) >= 8 * _root(V * m.spread(row)))


def _shrunk_near(row: Row, m: Mechanism, T: int) -> bool:
    return T == 0 and row.x**2 >= 64 * V * (m.spread(row) + row.r**2)


def _projected(row: Row, m: Mechanism, T: int) -> bool:
    return T == 0 and bool(exact(row.x - _offset(row)) >= 8 * _root(m.spread(row)))


def _projected_line(row: Row, m: Mechanism, T: int) -> bool:
    return T == 0 and row.d == 1 and bool(exact(row.x - 4 * row.r**2) >= 8 * _root(m.spread(row)))


ALLOWS: dict[str, Callable[[Row, Mechanism, int], bool]] = {
    "e0.zero": lambda row, m, T: row.x >= 1,
    "scratch.upper": lambda row, m, T: (T + 1) * row.x >= 16,
    "sharp.scratch.upper": lambda row, m, T: _rate(row.x, Fraction(1, 4), T),
    "sharp.scratch.linear": _growing,
    "sharp.trivial": _shrunk,
    "sharp.trivial.near": _shrunk_near,
    "sharp.efficient": lambda row, m, T: _rate(row.x - _offset(row), m.spread(row), T),
    "sharp.efficient.near": lambda row, m, T: _rate(row.x, m.spread(row) + row.r**2, T),
    "sharp.exact.trivial": _projected,
    "sharp.exact.trivial.line": _projected_line,
    "sharp.exact.steps": lambda row, m, T: T >= 1 and T * row.x**2 >= 64 * (row.r**2 + m.spread(row)),
}
