"""Sensitivity in d >= 2 by a rational dual certificate: 24 points on a circle through the boundary point.

At a boundary point B the gradient g = L (a, b) has a part a along B and a part b >= 0 along a tangent. The
certificate walks from B over the points z_1 … z_24 of the circle in that plane, by strong convexity, with
weights m_0 > m_1 > … > 0, and returns from each z_i to B with weight n_i = m_{i-1} - m_i. Values of the loss
cancel, the gradients on the way are bounded by L, and what is left bounds b by a line in a. With |g| <= L and
|g - 2 mu B| <= L this bounds |g - mu B|, which is the largest slope of l - mu/2 |.|^2 anywhere on the ball.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt

import sympy as sp

from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.paper.letters import L, R, mu, r
from oubli.theory.paper.mirror import (
    a_v,
    f_any,
    in_ball,
    p_any,
    point_any,
    tag_any,
    v_any,
    v_length,
    x_square,
)
from oubli.theory.paper.privacy import D_optima
from oubli.theory.paper.setup import slope_any
from oubli.theory.paper.sharper.privacy import at_most, b_v, slopes_apart
from oubli.theory.records.build import eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import Object, grad, norm, point, term
from oubli.theory.records.objects import inner as product
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

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


# --- the walk, from a point B = R (1, 0) of the sphere in the plane of B and a tangent C = R (0, 1)
edge, tangent = point("edge"), point("tangent")
g_edge = grad(f_any, edge, tag_any)
B_square = term("B_square", product(edge, edge), "|B|^2")
C_square = term("C_square", product(tangent, tangent), "|C|^2")
B_C = term("B_C", product(edge, tangent), "<B, C>")
g_B = term("g_B", product(g_edge, edge), "<l'(B), B>")
g_C = term("g_C", product(g_edge, tangent), "<l'(B), C>")
_on_sphere = (given(le(B_square, R**2)), given(ge(B_square, R**2)))
_plane = (*_on_sphere, given(eq(B_C, 0)), given(eq(C_square, R**2)))
_line = state(le(g_C, _rational(LINE) * L * R + _rational(TILT) * g_B), *_plane)


def _placed(p: Point) -> Object:
    """The vector with coordinates p, in units L/mu."""
    along: Object = _rational(2 * p[0]) * edge
    across: Object = _rational(2 * p[1]) * tangent
    return along + across


def _measured(p: Point, factor: sp.Expr) -> list[Term]:
    """Replaces factor |placed(p)|^2 by what it is at |B| = |C| = R; only in the square of B the sign counts."""
    x, y = _rational(2 * p[0]), _rational(2 * p[1])
    return [(-factor * 2 * x * y, Given(2)), (-factor * y**2, Given(3))]


@cache
def _inside(p: Point) -> tuple[Term, ...]:
    x = _rational(2 * p[0])
    return ((x**2, Given(0)), *_measured(p, sp.Integer(1)))


def _rises(start: Point, end: Point, weight: Fraction) -> list[Term]:
    """Strong convexity from one point to another; B is known to lie in the ball."""
    names = [edge if p == B else _placed(p) for p in (start, end)]
    tag = (tag_any,) if start == B else ()
    shown = {i: _inside(p) for i, p in enumerate((start, end)) if p != B}
    factor = _rational(weight)
    return [
        (factor, Schema("strong convexity", (f_any, *names, *tag), shown)),
        *_measured(_minus(end, start), -factor * mu / 2),
    ]


def _held(i: int) -> list[Term]:
    """w L - <l'(z), pull> >= 0 for w >= |pull|: Lipschitz, a square and a rest."""
    pull, w = _pull(i), _rational(_length_up(_pull(i))) / mu
    slope = grad(f_any, _placed(Z[i]))
    return [
        (w / 2, Schema("Lipschitz", (f_any, _placed(Z[i])), {0: _inside(Z[i])})),
        (w / 2, SquaredNorm(slope - (1 / w) * _placed(pull))),
        *_measured(pull, 1 / (2 * w)),
        (L**2 * (w - _rational(_square(pull)) / (mu**2 * w)) / 2, One()),
    ]


def _line_terms() -> tuple[Term, ...]:
    terms = _rises(B, Z[0], M0)
    for i, z in enumerate(Z):
        terms += [*_rises(z, B, N[i]), *_held(i)]
        terms += _rises(z, Z[i + 1], TAIL[i]) if i + 1 < len(Z) else []
    scale = 1 / _rational(2 * M0 * _first[1])
    return (
        *((scale * factor, source) for factor, source in terms),
        (scale * mu * _rational(_radial_part()), Given(1)),
        (_rational(LINE - _level) * L * R, One()),
    )


def _radial_part() -> Fraction:
    """How often |B|^2 - R^2 is added: by the squared lengths of the walk, less those of the pulls."""
    ways = [(M0, _first), *((n, _minus(B, z)) for n, z in zip(N, Z, strict=True))]
    ways += [(m, _minus(q, p)) for m, p, q in zip(TAIL, Z, Z[1:], strict=False)]
    walk = sum((2 * m * way[0] ** 2 for m, way in ways), Fraction(0))
    return walk - sum((2 * _pull(i)[0] ** 2 / _length_up(_pull(i)) for i in range(len(Z))), Fraction(0))


# --- from the line to the slope: |l'(B) - mu B| <= HALF L
HALF = Fraction(72056, 10**5)
_half = _rational(HALF)
_high, _low = (_rational(x) * L * R for x in (Fraction(5, 4) - HALF**2, HALF**2 - Fraction(1, 4)))
bent_edge = term("bent_edge", product(g_edge - mu * edge, g_edge - mu * edge), "|l'(B) - mu B|^2")
g_edge_square = term("g_edge_square", product(g_edge, g_edge), "|l'(B)|^2")
n_mirrored = term("n_mirrored", norm((2 * mu) * edge - g_edge), "|2 mu B - l'(B)|")
_short = le(bent_edge, _half**2 * L**2)
_radial = (given(ge(_high - g_B, 0)), given(ge(g_B - _low, 0)))
_large = state(_short, *_on_sphere, given(ge(g_B - _high, 0)))
_small = state(_short, *_on_sphere, given(ge(_low - g_B, 0)), also=(n_mirrored,))
# l'(B) lies in the plane of B and C, on the side of C.
_in_plane = (given(le(R**2 * g_edge_square, g_B**2 + g_C**2)), given(ge(g_C, 0)))
_by_line = state(_short, *_plane, *_in_plane, *_radial)

# C along the part of l'(B) orthogonal to B, if there is one.
q_off = parameter("q_off", POSITIVE, "|B|^2 times the length of the part of l'(B) orthogonal to B")
_off = B_square * g_edge - g_B * edge
_off_square = B_square * (B_square * g_edge_square - g_B**2)
_there = given(gt(B_square, 0))
_some_off = state(_short, *_on_sphere, _there, given(eq(_off_square, q_off**2)), *_radial)
n_off = term("n_off", norm(_off), "|B|^2 times the length of the part of l'(B) orthogonal to B")
_bent = state(_short, *_on_sphere, _there, given(gt(n_off, 0)), *_radial)
_flat = state(_short, *_on_sphere, _there, given(ge(-n_off, 0)), *_radial)
_middle = state(_short, *_on_sphere, _there, *_radial)
_not_large = state(_short, *_on_sphere, _there, _radial[0])
_edge_there = state(_short, *_on_sphere, _there)
_edge = state(_short, *_on_sphere)


def _under(square: sp.Expr, first: int) -> tuple[Term, ...]:
    """A convex square of g_B is at most (HALF L R)^2 between the ends, by its chord; all over R^2."""
    lead = sp.Poly(square, g_B).coeff_monomial(g_B**2)
    chord = sp.expand((_half * L * R) ** 2 - square - lead * (_high - g_B) * (g_B - _low))
    width = (_high - _low) * R**2
    return (
        (lead * (_high - g_B) / R**2, Given(first + 1)),
        (sp.factor(chord.subs(g_B, _low) / width), Given(first)),
        (sp.factor(chord.subs(g_B, _high) / width), Given(first + 1)),
    )


def _by_line_terms() -> tuple[Term, ...]:
    level, tilt = _rational(LINE) * L * R, _rational(TILT)
    return (
        (1 / R**2, Given(4)),
        (mu**2, Given(0)),
        ((level + tilt * _low + g_C) / R**2, Lemma("line")),
        (tilt * (g_B - _low) / R**2, Lemma("line")),
        *_under((g_B - L * R / 2) ** 2 + (level + tilt * g_B) ** 2, 6),
    )


_along = Lemma(
    "by the line",
    {tangent: (R / q_off) * _off},
    {
        3: ((R**2 / q_off**2, Given(3)),),
        4: (
            (g_B**2 / B_square, Given(1)),
            (R**2 * _off_square / (B_square**2 * q_off**2), Given(3)),
        ),
        5: ((R * q_off / B_square, One()), (R / (q_off * B_square), Given(3))),
    },
)
_EDGE_PROOF = (
    Step(
        "large",
        _large,
        Combination(
            ((1, Schema("Lipschitz", (f_any, edge, tag_any))), (2 * mu, Given(2)), (mu**2, Given(0)))
        ),
    ),
    Step(
        "small",
        _small,
        Combination(
            (
                (L + n_mirrored, Lemma("setup.step_stays.half", {point_any: edge})),
                (2 * mu, Given(2)),
                (3 * mu**2, Given(1)),
            )
        ),
    ),
    Step("line", _line, Combination(((1, Lemma("sharp.sensitivity.line")),))),
    Step("by the line", _by_line, Combination(_by_line_terms())),
    Step("some", _some_off, Combination(((1, _along),))),
    Step("bent", _bent, Combination(((1, Lemma("some", {q_off: n_off}, {3: ()})),))),
    Step(
        "flat",
        _flat,
        Combination(
            (
                (n_off / B_square**2, Given(3)),
                (mu**2, Given(0)),
                (g_B**2 / (R**2 * B_square), Given(1)),
                *_under((g_B - L * R / 2) ** 2, 4),
            )
        ),
    ),
    Step("between", _middle, Cases(n_off, "bent", "flat")),
    Step("not large", _not_large, Cases(g_B - _low, "between", "small")),
    Step("any", _edge_there, Cases(g_B - _high, "large", "not large")),
    Step("edge", _edge, Combination(((1, Lemma("any", {}, {2: ((1, Given(1)), (R**2, One()))})),))),
)

# --- inside the ball: the ray from x along v meets the sphere at B, and the slope has risen there
_steepest = le(b_v, _half * L * p_any)
h_meets = parameter(
    "h_meets", POSITIVE, "sqrt(<x, v>^2 + |v|^2 (R^2 - |x|^2)): B = x + (h_meets - <x, v>) v/|v|^2"
)
_h_square = a_v**2 + p_any**2 * (R**2 - x_square)
_far = (h_meets - a_v) / p_any**2
_met = point_any + _far * v_any
_at = (in_ball, v_length)
_forward = given(gt(h_meets - a_v, 0))
_root = given(eq(h_meets**2, _h_square))
_within = given(gt(R**2 - x_square, 0))
_ray = state(_steepest, *_at, _root, _forward)
_backward = (given(gt(h_meets + a_v, 0)), given(ge(-h_meets - a_v, 0)))
_ahead_there = state(gt(h_meets - a_v, 0), *_at, _root, _within, _backward[0])
_ahead_behind = state(gt(h_meets - a_v, 0), *_at, _root, _within, _backward[1])
_ahead = state(gt(h_meets - a_v, 0), *_at, _root, _within)
_open = state(_steepest, *_at, _within)
_boundary = state(_steepest, *_at, given(ge(x_square - R**2, 0)))
_sphere = state(_steepest, *_at)
# |B|^2 = R^2: the root is there, |v| is p.
_met_is = ((1 / p_any**2, Given(2)), (_far**2, Given(1)))
_met_in = tuple((-factor, source) for factor, source in _met_is)


def _at_edge(x: Object, tag: Object, *shown: tuple[Term, ...]) -> Lemma:
    return Lemma("sharp.sensitivity.edge", {edge: x, tag_any: tag}, dict(enumerate(shown)))


_ON_SPHERE = (_met_in, _met_is)
_root_h = sp.sqrt(_h_square)
_SPHERE_PROOF = (
    Step(
        "ray",
        _ray,
        Combination(
            (
                *at_most(_half * L, grad(f_any, _met, tag_any) - mu * _met),
                (p_any / (2 * _half * L), _at_edge(_met, tag_any, *_ON_SPHERE)),
                (1 / _far, Schema("strong convexity", (f_any, point_any, _met, tag_any), {1: _met_in})),
                (1 / _far, Schema("strong convexity", (f_any, _met, point_any, tag_any), {0: _met_in})),
            )
        ),
    ),
    Step(
        "ahead, forward",
        _ahead_there,
        Combination(((1 / (h_meets + a_v), Given(2)), (p_any**2 / (h_meets + a_v), Given(3)))),
    ),
    Step("ahead, backward", _ahead_behind, Combination(((1, Given(4)), (2 * h_meets, One())))),
    Step("ahead", _ahead, Cases(h_meets + a_v, "ahead, forward", "ahead, backward")),
    Step(
        "open",
        _open,
        Combination(
            (
                (
                    1,
                    Lemma(
                        "ray",
                        {h_meets: _root_h},
                        {2: (), 3: ((1, Lemma("ahead", {h_meets: _root_h}, {2: ()})),)},
                    ),
                ),
            )
        ),
    ),
    Step(
        "boundary",
        _boundary,
        Combination(
            (
                *at_most(_half * L, slope_any - mu * point_any),
                (p_any / (2 * _half * L), _at_edge(point_any, tag_any, ((1, Given(0)),), ((1, Given(2)),))),
            )
        ),
    ),
    Step("slope", _sphere, Cases(R**2 - x_square, "open", "boundary")),
)

CLAIMS = (
    theorem(
        "sharp.sensitivity.line",
        "gauss.sensitivity",
        "at a boundary point the tangential part of the gradient is at most a line in its radial part",
        _line,
        proof=(Step("walk", _line, Combination(_line_terms())),),
    ),
    theorem(
        "sharp.sensitivity.edge",
        "gauss.sensitivity",
        f"|l'(B) - mu B| <= {float(HALF)} L for every member and every point B of the sphere",
        _edge,
        proof=_EDGE_PROOF,
    ),
    theorem(
        "sharp.sensitivity.sphere",
        "gauss.sensitivity",
        f"<l'(x) - mu x, v> <= {float(HALF)} L |v| for every member, every point of the ball and every vector v",
        _sphere,
        proof=_SPHERE_PROOF,
    ),
    theorem(
        "sharp.sensitivity.dual",
        "gauss.sensitivity",
        f"the optima for two forget distributions lie at most {float(2 * HALF)} r L/mu apart, in every dimension",
        state(le(D_optima, 2 * _half * L * r / mu)),
        proof=slopes_apart(_half * L, "sharp.sensitivity.sphere"),
        note="On the line the supremum is r L/mu; in d >= 2 it is larger, and where below this bound it lies is open.",
    ),
)
