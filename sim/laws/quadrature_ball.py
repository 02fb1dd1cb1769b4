"""Certified Gauss-Legendre quadrature of t^x (1−t)^y over an interval inside [0, 1].

The error bound. Gauss-Legendre with N nodes is exact up to degree 2N − 1, and a function bounded by M
on the Bernstein ellipse with parameter ρ is within 2M ρ^(1−2N)/(ρ−1) of such a polynomial; integral and
rule are each of norm 2 on [−1, 1], so the error is at most 8M ρ^(1−2N)/(ρ−1) times half the length.

The bound M. On the ellipse t is a product of Joukowski factors, so log|t| and log|1−t| are sums of
logarithms of affine functions of u = cos θ. Hence log|t^x (1−t)^y| is concave in u, and its tangent at
any point of [−1, 1] lies above it; the point is chosen by floats, the tangent is evaluated by balls.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from oubli.sim.laws.ball import PrecisionError, as_ball

_BISECTIONS = 24
_STEP = 1.3
_BOUND_BITS = 64


@dataclass(frozen=True)
class Monomial:
    """scale · t^x · (1−t)^y with integers x, y ≥ 0, given by the logarithm of its scale."""

    x: int
    y: int
    log_scale: arb

    def at(self, t: arb, above: arb) -> arb:
        """The value at t, with above = 1 − t."""
        return (self.log_scale + _times_log(self.x, t) + _times_log(self.y, above)).exp()


@dataclass(frozen=True)
class Ellipse:
    """The Bernstein ellipse with parameter exp(s) around [low, high], and what bounds a monomial on it."""

    half: arb
    reach_low: arb  # Joukowski parameter of the point 0, at least 1
    reach_high: arb  # Joukowski parameter of the point 1, at least 1

    @classmethod
    def around(cls, low: Fraction, high: Fraction) -> "Ellipse":
        half, middle = as_ball((high - low) / 2), (low + high) / 2
        inside, outside = as_ball(low * high).sqrt(), as_ball((1 - low) * (1 - high)).sqrt()
        return cls(half, (as_ball(middle) + inside) / half, (as_ball(1 - middle) + outside) / half)

    def log_bound(self, f: Monomial, s: float) -> arb:
        """A ball whose upper end is at least log|f| everywhere on the ellipse."""
        rho = arb(s).exp()
        left, right = _Side.of(f.x, self.reach_low, rho), _Side.of(f.y, self.reach_high, rho)
        u = _maximiser(left, right)
        slope = left.slope(arb(u)) - right.slope(arb(-u))
        value = f.log_scale + (f.x + f.y) * self.half.log() + left.value(arb(u)) + right.value(arb(-u))
        return value + _rise(slope, arb(u))


@dataclass(frozen=True)
class _Side:
    """k·log|factor| as a function of u: k/2·(log(A+Bu) + log(C+Bu)) − k·log B, all from σ and ρ.

    |z − z0| = |ζ+σ||σζ+1|/(2σρ) for ζ = ρe^{iθ}, so A = ρ²+σ², C = 1+σ²ρ², B = 2σρ.
    """

    k: int
    A: arb
    B: arb
    C: arb

    @classmethod
    def of(cls, k: int, sigma: arb, rho: arb) -> "_Side":
        return cls(k, rho**2 + sigma**2, 2 * sigma * rho, 1 + (sigma * rho) ** 2)

    def value(self, u: arb) -> arb:
        if self.k == 0:
            return arb(0)
        return self.k * (((self.A + self.B * u) * (self.C + self.B * u)).log() / 2 - self.B.log())

    def slope(self, u: arb) -> arb:
        if self.k == 0:
            return arb(0)
        return self.k * self.B / 2 * (1 / (self.A + self.B * u) + 1 / (self.C + self.B * u))

    def poles(self) -> tuple[float, float]:
        return float(self.A / self.B), float(self.C / self.B)


def _rise(slope: arb, u: arb) -> arb:
    """At least what a line of this slope gains between u and the ends of [−1, 1]."""
    if slope > 0:
        return slope * (1 - u)
    return -slope * (1 + u) if slope < 0 else 2 * abs(slope)


def _maximiser(left: _Side, right: _Side) -> float:
    """Roughly where the concave sum is largest, by bisection on its slope; any answer is valid."""
    (a, b), (c, d) = left.poles(), right.poles()
    low, high = -1 + 1e-9, 1 - 1e-9
    for _ in range(_BISECTIONS):
        u = (low + high) / 2
        if left.k * (1 / (a + u) + 1 / (b + u)) > right.k * (1 / (c - u) + 1 / (d - u)):
            low = u
        else:
            high = u
    return (low + high) / 2


def integrate(f: Monomial, low: Fraction, high: Fraction, log_tolerance: float) -> arb:
    """A ball that contains ∫ f over [low, high], 0 ≤ low < high ≤ 1; truncation near exp(log_tolerance)."""
    nodes, error = _plan(f, low, high, log_tolerance)
    half = as_ball((high - low) / 2)
    centre, above = as_ball((low + high) / 2), as_ball(1 - (low + high) / 2)
    total = arb(0)
    for place, weight in _rule(nodes, ctx.prec):
        shift = half * place
        total += weight * (f.at(centre + shift, above - shift) + f.at(centre - shift, above + shift))
    return half * total + arb(0, error)


def _plan(f: Monomial, low: Fraction, high: Fraction, log_tolerance: float) -> tuple[int, arb]:
    """The number of nodes and a bound of the error; s = log ρ is searched downhill, any s is valid."""
    exact = (f.x + f.y) // 2 + 1
    with ctx.workprec(_BOUND_BITS + (f.x + f.y).bit_length()):
        ellipse = Ellipse.around(low, high)
        count, s = _downhill(f, ellipse, log_tolerance)
        if exact <= count:
            return exact, arb(0)
        return count, _error(f, ellipse, s, count).exp().upper()


def _downhill(f: Monomial, ellipse: Ellipse, log_tolerance: float) -> tuple[int, float]:
    def needed(s: float) -> float:
        free = _error(f, ellipse, s, 0)
        return (float(free.upper()) - log_tolerance) / (2 * s) if free.is_finite() else math.inf

    s = _guess(f, ellipse)
    best = needed(s)
    for factor in (_STEP, 1 / _STEP):
        while (trial := needed(s * factor)) < best and s * factor < 40:
            s, best = s * factor, trial
    if math.isinf(best):
        raise PrecisionError("no ellipse around the interval gives a finite bound")
    return _rounded(max(1, math.ceil(best))), s


def _guess(f: Monomial, ellipse: Ellipse) -> float:
    """The best s if the integrand were a Gaussian of the same width: the walk starts there."""
    spread = math.sqrt((f.x + 1) * (f.y + 1) / (f.x + f.y + 2) ** 3)
    stretch = max(float(ellipse.half) / spread, 1e-12)
    return math.asinh(5 / stretch)


def _error(f: Monomial, ellipse: Ellipse, s: float, nodes: int) -> arb:
    """log of 8 M ρ^(1−2N)/(ρ−1) times half the length."""
    bound = ellipse.log_bound(f, s) + ellipse.half.log() + arb(8).log()
    return bound - (2 * nodes - 1) * arb(s) - arb(s).expm1().log()


def _rounded(nodes: int) -> int:
    """Even, and one of few sizes, so that tables of nodes are shared between calls."""
    step = max(2, 1 << max(0, nodes.bit_length() - 4))
    return -(-nodes // step) * step


def _times_log(k: int, t: arb) -> arb:
    return k * t.log() if k else arb(0)


@lru_cache(maxsize=128)
def _rule(nodes: int, bits: int) -> tuple[tuple[arb, arb], ...]:
    """The positive nodes with their weights; the middle node of an odd rule is used twice, so counts half."""
    with ctx.workprec(bits):
        half = [arb.legendre_p_root(nodes, k, weight=True) for k in range(nodes // 2)]
        if nodes % 2:
            half.append((arb(0), arb.legendre_p_root(nodes, nodes // 2, weight=True)[1] / 2))
        return tuple(half)
