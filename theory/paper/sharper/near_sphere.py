"""The noise lemma near the sphere: what two more points of the ball say of a gradient at x, |x| >= 0.4335 L/mu.

Units L = mu = 1 and the plane of x = (p, 0) and the gradient g = (a, b), b >= 0. Strong convexity between x and
z_2 = (0, 1/2), and around the triangle x, z_1, z_2 with z_1 = (21, 20)/58, bounds b by lines in a; with |g| <= 1 and
|g - 2x| <= 1 this gives V + 2 lambda p a - a^2 - b^2 >= 0. Lengths of the edges are replaced by chords in p.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.records.build import fact, ge, given, gt, le, state, theorem
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, One, Square, Step, Subdivision, Term

LAMBDA = sp.Rational(13, 10)
ETA = LAMBDA - 1
# The least that the centre allows for this lambda.
V = sp.Rational(1, 4) + ETA**2 / (4 * (1 + 2 * ETA))
LEAST, MOST = sp.Rational(867, 2000), sp.Rational(1, 2)
# Where another line takes over, as a grows.
FIRST, MIDDLE, LAST = sp.Rational(1, 40), sp.Rational(1, 4), sp.Rational(327, 500)
SHARE = sp.Rational(1, 3)
CORNER = (sp.Rational(21, 58), sp.Rational(20, 58))
TWO = (sp.Integer(0), MOST)
Vector = tuple[sp.Expr, sp.Expr]

p_near = letter("p_near", NONNEGATIVE, "mu |x|/L")
a_near = letter("a_near", meaning="<l'(x), x>/|x|, over L")
b_near = letter("b_near", NONNEGATIVE, "length of the part of l'(x) across x, over L; it points to the z_i")
f_near = letter("f_near", meaning="mu l(x)/L^2")
f_corner = letter("f_corner", meaning="mu l(z_1)/L^2")
f_top = letter("f_top", meaning="mu l(z_2)/L^2")
a_corner = letter("a_corner", meaning="<l'(z_1), x>/|x|, over L")
b_corner = letter("b_corner", meaning="the part of l'(z_1) across x, over L")
a_top = letter("a_top", meaning="<l'(z_2), x>/|x|, over L")
b_top = letter("b_top", meaning="the part of l'(z_2) across x, over L")
_g_here, _g_corner, _g_top = (a_near, b_near), (a_corner, b_corner), (a_top, b_top)
_here = (p_near, sp.Integer(0))


def _minus(u: Vector, v: Vector) -> Vector:
    return u[0] - v[0], u[1] - v[1]


def _dot(u: Vector, v: Vector) -> sp.Expr:
    return u[0] * v[0] + u[1] * v[1]


def _rises(f: sp.Expr, g: Vector, start: Vector, end: sp.Expr, to: Vector) -> Fact:
    way = _minus(to, start)
    return fact("strong convexity", ge(end, f + _dot(g, way) + _dot(way, way) / 2))


def _chord(square: sp.Expr) -> sp.Expr:
    """A line in p, at least the root of a square at both ends: so it is between them, as the root is convex."""
    ends = [Fraction(isqrt(int(square.subs(p_near, end) * 10**12)) + 1, 10**6) for end in (LEAST, MOST)]
    low, high = (sp.Rational(end.numerator, end.denominator) for end in ends)
    return (low * (MOST - p_near) + high * (p_near - LEAST)) / (MOST - LEAST)


_range = (given(ge(p_near - LEAST, 0)), fact("ball", ge(MOST - p_near, 0)))
_BACK = _minus(TWO, _here)
_PULL = tuple(u - SHARE * v for u, v in zip(_minus(CORNER, _here), _minus(TWO, CORNER), strict=True))


def _bounded(g: Vector, way: Vector, at: int, factor: sp.Expr) -> list[Term]:
    """W - <g, way> >= 0 for |g| <= 1 (given `at`), where the chord W is at least |way|."""
    square = sp.expand(_dot(way, way))
    W = _chord(square)
    gap = sp.Poly(sp.expand(W**2 - square), p_near)
    bend = -gap.coeff_monomial(p_near**2)
    rest = sp.expand(gap.as_expr() - bend * (p_near - LEAST) * (MOST - p_near))
    low, high = (rest.subs(p_near, end) / (MOST - LEAST) for end in (LEAST, MOST))
    terms: list[Term] = [
        (W / 2, Given(at)),
        (W / 2, Square(g[0] - way[0] / W)),
        (W / 2, Square(g[1] - way[1] / W)),
        ((bend * (MOST - p_near) + high) / (2 * W), Given(0)),
        (low / (2 * W), Given(1)),
    ]
    return [(factor * multiple, source) for multiple, source in terms]


_unit = [fact("Lipschitz", le(_dot(g, g), 1)) for g in (_g_corner, _g_top)]
_out, _home = _rises(f_near, _g_here, _here, f_top, TWO), _rises(f_top, _g_top, TWO, f_near, _here)
_edge = _dot(_BACK, _BACK)
UPPER = 2 * (_chord(sp.expand(_edge)) - _edge + p_near * a_near)
_upper = state(ge(UPPER - b_near, 0), *_range, _out, _home, _unit[1])
_upper_terms: list[Term] = [(2, Given(2)), (2, Given(3)), *_bounded(_g_top, _BACK, 4, sp.Integer(2))]

_walk = (
    _rises(f_near, _g_here, _here, f_corner, CORNER),
    _rises(f_corner, _g_corner, CORNER, f_top, TWO),
    _rises(f_corner, _g_corner, CORNER, f_near, _here),
    _home,
)
_legs = [_minus(CORNER, _here), _minus(TWO, CORNER), _BACK]
_squares = (2 + SHARE) * _dot(_legs[0], _legs[0]) + SHARE * (_dot(_legs[1], _legs[1]) + _edge)
_most = _chord(sp.expand(_dot(_PULL, _PULL))) + SHARE * _chord(sp.expand(_edge)) - _squares / 2
_scale = 1 / ((1 + SHARE) * CORNER[1])
LOWER = _scale * _most - a_near * (CORNER[0] - p_near) / CORNER[1]
_lower = state(ge(LOWER - b_near, 0), *_range, *_walk, *_unit)
_lower_terms: list[Term] = [
    *((_scale * share, Given(2 + i)) for i, share in enumerate((1 + SHARE, SHARE, sp.Integer(1), SHARE))),
    *_bounded(_g_corner, _PULL, 6, _scale),
    *_bounded(_g_top, _BACK, 7, _scale * SHARE),
]

_psi = V + 2 * LAMBDA * p_near * a_near - a_near**2 - b_near**2
_says = ge(_psi, 0)
_gradient = fact("Lipschitz", le(_dot(_g_here, _g_here), 1))
# setup.step_stays.half
_mirror = fact("Lipschitz", le((a_near - 2 * p_near) ** 2 + b_near**2, 1))


def _ends(name: str, line: sp.Expr, low: sp.Rational, high: sp.Rational) -> list[Step]:
    """Under the line, V + 2 lambda p a - a^2 - b^2 is positive at both ends of an interval of a."""
    below = _psi.subs(b_near, line)
    return [
        Step(
            f"{name} at {end}",
            state(gt(sp.expand(below.subs(a_near, end)), 0), *_range),
            Subdivision(),
        )
        for end in (low, high)
    ]


def _between(name: str, line: sp.Expr, low: sp.Rational, high: sp.Rational) -> Step:
    """It is concave in a: positive between two ends if at both."""
    says = state(_says, *_range, given(ge(a_near - low, 0)), given(ge(high - a_near, 0)))
    bend = 1 + sp.diff(line, a_near) ** 2
    terms: tuple[Term, ...] = (
        (1, Square(line - b_near)),
        (2 * b_near, Lemma(name)),
        (bend * (high - a_near), Given(2)),
        ((high - a_near) / (high - low), Lemma(f"{name} at {low}")),
        ((a_near - low) / (high - low), Lemma(f"{name} at {high}")),
    )
    return Step(f"under {name}", says, Combination(terms))


_small = state(_says, *_range, _mirror, given(ge(FIRST - a_near, 0)))
_large = state(_says, *_range, _gradient, given(ge(a_near - LAST, 0)))
_left = state(_says, *_range, _mirror, given(ge(MIDDLE - a_near, 0)))
_right = state(_says, *_range, _gradient, given(ge(a_near - MIDDLE, 0)))
_sphere = state(_says, *_range, _mirror, _gradient, also=(f_near, f_corner, f_top, *_g_corner, *_g_top))

CLAIMS = (
    theorem(
        "sharp.noise_lemma.sphere",
        "sgd.rate",
        "|g|^2 <= (169/640) L^2 + (13/5) mu <g, x> for a gradient g at x, 0.4335 L <= mu |x| <= L/2",
        _sphere,
        proof=(
            Step("chord", _upper, Combination(tuple(_upper_terms))),
            Step("walk", _lower, Combination(tuple(_lower_terms))),
            *_ends("chord", UPPER, FIRST, MIDDLE),
            *_ends("walk", LOWER, MIDDLE, LAST),
            _between("chord", UPPER, FIRST, MIDDLE),
            _between("walk", LOWER, MIDDLE, LAST),
            Step(
                "small a",
                _small,
                Combination(
                    (
                        (1, Given(2)),
                        ((4 - 2 * LAMBDA) * p_near, Given(3)),
                        (4 * p_near + 4 * LEAST - (4 - 2 * LAMBDA) * FIRST, Given(0)),
                        (V - 1 + 4 * LEAST**2 - (4 - 2 * LAMBDA) * LEAST * FIRST, One()),
                    )
                ),
            ),
            Step(
                "large a",
                _large,
                Combination(
                    (
                        (1, Given(2)),
                        (2 * LAMBDA * (LAST + (a_near - LAST)), Given(0)),
                        (2 * LAMBDA * LEAST, Given(3)),
                        (V - 1 + 2 * LAMBDA * LEAST * LAST, One()),
                    )
                ),
            ),
            Step("left", _left, Cases(a_near - FIRST, "under chord", "small a")),
            Step("right", _right, Cases(a_near - LAST, "large a", "under walk")),
            Step("all", _sphere, Cases(a_near - MIDDLE, "right", "left")),
        ),
        depends=("setup.step_stays.half",),
        note="In units L = mu = 1; every letter is scaled by L, mu as its meaning says.",
    ),
)
