"""Sensitivity in d >= 2 by a rational dual certificate: 24 points on a circle through the boundary point.

At a boundary point B the gradient g = L (a, b) has a part a along B and a part b >= 0 along a tangent. The
certificate walks from B over the points z_1 … z_24 of the circle in that plane, by strong convexity, with
weights m_0 > m_1 > … > 0, and returns from each z_i to B with weight n_i = m_{i-1} - m_i. Values of the loss
cancel, the gradients on the way are bounded by L, and what is left bounds b by a line in a. With |g| <= L and
|g - 2 mu B| <= L this bounds |g - mu B|, which is the largest slope of l - mu/2 |.|^2 anywhere on the ball.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.paper.letters import L, mu, r
from oubli.theory.paper.privacy import D_optima
from oubli.theory.paper.sharper.privacy import b_here, b_there
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, One, Square, Step, Term

# Tangents of half the angles of z_1 … z_24, and the weights n_1 … n_24, in units 10^-4 and 10^-6.
_TANGENTS = (
    134, 378, 695, 1073, 1505, 1989, 2526, 3119, 3772, 4495, 5301, 6205,
    7233, 8420, 9817, 11500, 13590, 16291, 19965, 25341, 34117, 51387, 102615, 926205,
)  # fmt: skip
_WEIGHTS = (
    31124793, 7750287, 3239846, 1703855, 1022141, 668032, 463718, 336606, 252905, 195291, 154191, 123995,
    101248, 83733, 69975, 58961, 49973, 42477, 36067, 30406, 25185, 20072, 14667, 6026,
)  # fmt: skip

Point = tuple[Fraction, Fraction]


def _point(tangent: Fraction) -> Point:
    """A point of the circle of radius 1/2, by the tangent of half its angle."""
    whole = 1 + tangent**2
    return (1 - tangent**2) / whole / 2, tangent / whole


B: Point = (Fraction(1, 2), Fraction(0))
Z: tuple[Point, ...] = tuple(_point(Fraction(t, 10**4)) for t in _TANGENTS)
N = tuple(Fraction(n, 10**6) for n in _WEIGHTS)
TAIL = tuple(sum(N[i + 1 :], Fraction(0)) for i in range(len(N)))
M0 = sum(N, Fraction(0))


def _minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def _square(p: Point) -> Fraction:
    return p[0] ** 2 + p[1] ** 2


def _length_up(p: Point) -> Fraction:
    """A short rational that is at least the length."""
    scale = 10**14
    return Fraction(isqrt(int(_square(p) * scale**2)) + 1, scale)


def _pull(i: int) -> Point:
    """What the gradient at z_{i+1} is multiplied with: n (z - B) - m (next - z)."""
    back = _minus(Z[i], B)
    on = _minus(Z[i + 1], Z[i]) if i + 1 < len(Z) else (Fraction(0), Fraction(0))
    return N[i] * back[0] - TAIL[i] * on[0], N[i] * back[1] - TAIL[i] * on[1]


def _steps() -> Fraction:
    """The squared lengths of the walk, weighed."""
    walk = M0 * _square(_minus(Z[0], B)) + sum(n * _square(_minus(z, B)) for n, z in zip(N, Z, strict=True))
    return walk + sum(m * _square(_minus(q, p)) for m, p, q in zip(TAIL, Z, Z[1:], strict=False))


def _rounded_up(value: Fraction) -> Fraction:
    return Fraction(-((-value * 10**9) // 1), 10**9)


# b <= LINE + TILT a, from M0 <g, z_1 - B> <= sum of lengths - half the squared lengths.
_first = _minus(Z[0], B)
TILT = -_first[0] / _first[1]
_level = (sum(_length_up(_pull(i)) for i in range(len(Z))) - _steps() / 2) / (M0 * _first[1])
LINE = _rounded_up(_level)


def _rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


a_B = letter("a_B", meaning="<l'(B), B>/|B|, over L, at a boundary point B")
b_B = letter(
    "b_B", NONNEGATIVE, "length of the tangential part of l'(B), over L; it points to the side of the z_i"
)
f_B = letter("f_B", meaning="mu l(B)/L^2")
_A = [letter(f"a_z{i:02d}", meaning=f"<l'(z_{i}), B>/|B|, over L") for i in range(1, 25)]
_B = [letter(f"b_z{i:02d}", meaning=f"<l'(z_{i}), tangent>, over L") for i in range(1, 25)]
_F = [letter(f"f_z{i:02d}", meaning=f"mu l(z_{i})/L^2") for i in range(1, 25)]


def _rises(start: tuple[sp.Expr, sp.Expr, sp.Expr], end: sp.Expr, way: Point) -> Fact:
    """Strong convexity from one point to another, in units L = mu = 1."""
    f, along, across = start
    move = along * _rational(way[0]) + across * _rational(way[1]) + _rational(_square(way)) / 2
    return fact("strong convexity", ge(end, f + move))


def _facts() -> tuple[Fact, ...]:
    points = list(zip(_F, _A, _B, strict=True))
    found = [_rises((f_B, a_B, b_B), _F[0], _minus(Z[0], B))]
    found += [_rises(points[i], _F[i + 1], _minus(Z[i + 1], Z[i])) for i in range(len(Z) - 1)]
    found += [_rises(points[i], f_B, _minus(B, Z[i])) for i in range(len(Z))]
    return (*found, *(fact("Lipschitz", le(p**2 + q**2, 1)) for _, p, q in points))


def _norm_terms(i: int, at: int) -> list[Term]:
    """w - <g, pull> >= 0 for |g| <= 1 and w >= |pull|: Lipschitz, two squares and a rest."""
    p, q = (_rational(v) for v in _pull(i))
    w = _rational(_length_up(_pull(i)))
    return [
        (w / 2, Given(at)),
        (w / 2, Square(_A[i] - p / w)),
        (w / 2, Square(_B[i] - q / w)),
        ((w - (p**2 + q**2) / w) / 2, One()),
    ]


def _line_terms() -> tuple[Term, ...]:
    count, scale = len(Z), 1 / _rational(M0 * _first[1])
    terms: list[Term] = [(_rational(M0), Given(0))]
    terms += [(_rational(TAIL[i]), Given(1 + i)) for i in range(count - 1)]
    terms += [(_rational(N[i]), Given(count + i)) for i in range(count)]
    for i in range(count):
        terms += _norm_terms(i, 2 * count + i)
    return (*((scale * factor, source) for factor, source in terms), (_rational(LINE - _level), One()))


_line = state(le(b_B, _rational(LINE) + _rational(TILT) * a_B), *_facts())

# --- from the line to the slope: (a - 1/2)^2 + b^2 <= HALF^2
HALF = Fraction(72056, 10**5)
_high, _low = Fraction(5, 4) - HALF**2, HALF**2 - Fraction(1, 4)
_says = ge(_rational(HALF) ** 2 - (a_B - sp.Rational(1, 2)) ** 2 - b_B**2, 0)
_gradient = fact("Lipschitz", le(a_B**2 + b_B**2, 1))
# setup.step_stays.half
_mirror = fact("Lipschitz", le((a_B - 1) ** 2 + b_B**2, 1))
_right = state(_says, _gradient, given(ge(a_B - _rational(_high), 0)))
_left = state(_says, _mirror, given(ge(_rational(_low) - a_B, 0)))
_middle = state(_says, given(ge(_rational(_high) - a_B, 0)), given(ge(a_B - _rational(_low), 0)))
_not_right = state(_says, _mirror, given(ge(_rational(_high) - a_B, 0)))
_all = state(_says, _gradient, _mirror)


def _under_line() -> tuple[Term, ...]:
    """The convex (a - 1/2)^2 + (LINE + TILT a)^2 lies under its chord between the two ends."""
    line = _rational(LINE) + _rational(TILT) * a_B
    curve = sp.Poly((a_B - sp.Rational(1, 2)) ** 2 + line**2, a_B)
    lead = curve.coeff_monomial(a_B**2)
    low, high = _rational(_low), _rational(_high)
    chord = sp.expand(_rational(HALF) ** 2 - curve.as_expr() - lead * (high - a_B) * (a_B - low))
    at_low, at_high = chord.subs(a_B, low), chord.subs(a_B, high)
    return (
        (line + b_B, Lemma("line")),
        (lead * (high - a_B), Given(1)),
        (at_low / (high - low), Given(0)),
        (at_high / (high - low), Given(1)),
    )


b_inside = letter("b_inside", meaning="<l'(x) - mu x, v>/L at a point x of the ball, v a unit vector")
b_outside = letter("b_outside", meaning="the same where the ray from x along v meets the sphere")
_sphere = state(
    le(b_inside, _rational(HALF)),
    # l - mu/2 |.|^2 is convex: its slope along v does not fall.
    fact("strong convexity", le(b_inside, b_outside)),
    fact("Cauchy-Schwarz", le(b_outside**2, (a_B - sp.Rational(1, 2)) ** 2 + b_B**2)),
)
b_inside_other = letter("b_inside_other", meaning="b_inside at the other optimum, along -v")
_twice = 2 * _rational(HALF)
_dual = state(
    le(D_optima, _twice * r * L / mu),
    fact("strong convexity", ge(r * (b_here + b_there - mu * D_optima), (1 - r) * mu * D_optima)),
    fact("definition", eq(b_here, L * b_inside)),
    fact("definition", eq(b_there, L * b_inside_other)),
    also=(b_inside,),
)

CLAIMS = (
    theorem(
        "sharp.sensitivity.line",
        "gauss.sensitivity",
        "at a boundary point the tangential part b of the gradient is at most a line in its radial part a (units L)",
        _line,
        proof=(Step("walk", _line, Combination(_line_terms())),),
        note="In units L = mu = 1; every letter is scaled by L, mu as its meaning says.",
    ),
    theorem(
        "sharp.sensitivity.sphere",
        "gauss.sensitivity",
        f"<l'(x) - mu x, v> <= {float(HALF)} L for every member, every point of the ball and every unit vector v",
        _sphere,
        proof=(
            Step(
                "a large",
                _right,
                Combination(((1, Given(0)), (1, Given(1)))),
            ),
            Step(
                "a small",
                _left,
                Combination(((1, Given(0)), (1, Given(1)))),
            ),
            Step("line", _line, Combination(((1, Lemma("sharp.sensitivity.line")),))),
            Step("a between", _middle, Combination(_under_line())),
            Step("not large", _not_right, Cases(a_B - _rational(_low), "a between", "a small")),
            Step("all", _all, Cases(a_B - _rational(_high), "a large", "not large")),
            Step(
                "slope",
                _sphere,
                Combination(
                    (
                        (1, Given(0)),
                        (1 / _twice, Given(1)),
                        (1 / _twice, Lemma("all")),
                        (1 / _twice, Square(b_outside - _rational(HALF))),
                    )
                ),
            ),
        ),
        depends=("setup.step_stays.half",),
    ),
    theorem(
        "sharp.sensitivity.dual",
        "gauss.sensitivity",
        f"the optima for two forget distributions lie at most {float(2 * HALF)} r L/mu apart, in every dimension",
        _dual,
        proof=by(
            _dual,
            (1 / mu, Given(0)),
            (-r / mu, Given(1)),
            (-r / mu, Given(2)),
            (r * L / mu, Lemma("sharp.sensitivity.sphere")),
            (r * L / mu, Lemma("sharp.sensitivity.sphere", {b_inside: b_inside_other})),
        ),
        note="On the line the supremum is r L/mu; in d >= 2 it is larger, and where below this bound it lies is open.",
    ),
)
