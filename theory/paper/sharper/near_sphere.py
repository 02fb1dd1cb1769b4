"""The noise lemma near the sphere: what two more points of the ball say of a gradient at x, |x| >= 0.4335 L/mu.

In the plane of x and the gradient g, with coordinates x = p (1, 0) L/mu and g = L (a, b), b >= 0. Strong convexity
between x and z_2 = (0, 1/2), and around the triangle x, z_1, z_2 with z_1 = (21, 20)/58, bounds b by lines in a; with
|g| <= L and |g - 2 mu x| <= L this gives V + 2 lambda p a - a^2 - b^2 >= 0. Lengths of the edges are replaced by
chords in p.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, parameter
from oubli.theory.paper.letters import L, mu
from oubli.theory.paper.mirror import f_any, in_ball, p_any, plain, point_any, v_any, x_square
from oubli.theory.records.build import eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import Object, grad, inner, norm, point, term
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Schema,
    Square,
    SquaredNorm,
    Step,
    Subdivision,
    Term,
)

LAMBDA = sp.Rational(13, 10)
ETA = LAMBDA - 1
# The least that the centre allows for this lambda.
V = sp.Rational(1, 4) + ETA**2 / (4 * (1 + 2 * ETA))
LEAST, MOST = sp.Rational(867, 2000), sp.Rational(1, 2)
# Where another line takes over, as a grows.
FIRST, MIDDLE, LAST = sp.Rational(1, 40), sp.Rational(1, 4), sp.Rational(327, 500)
SHARE = sp.Rational(1, 3)
Vector = tuple[sp.Expr, sp.Expr]
CORNER: Vector = (sp.Rational(21, 58), sp.Rational(20, 58))
TOP: Vector = (sp.Integer(0), MOST)

p_near = parameter("p_near", POSITIVE, "mu |x|/L")
a_near = parameter("a_near", meaning="<l'(x), x>/|x|, over L")
b_near = parameter("b_near", NONNEGATIVE, "length of the part of l'(x) across x, over L")
X: Vector = (p_near, sp.Integer(0))


def _minus(u: Vector, v: Vector) -> Vector:
    return u[0] - v[0], u[1] - v[1]


def _square(u: Vector) -> sp.Expr:
    return u[0] ** 2 + u[1] ** 2


def _chord(square: sp.Expr) -> sp.Expr:
    """A line in p, at least the root of a square at both ends: so it is between them, as the root is convex."""
    ends = [Fraction(isqrt(int(square.subs(p_near, end) * 10**12)) + 1, 10**6) for end in (LEAST, MOST)]
    low, high = (sp.Rational(end.numerator, end.denominator) for end in ends)
    return (low * (MOST - p_near) + high * (p_near - LEAST)) / (MOST - LEAST)


# --- the two lines: b <= UPPER by the edge from x to z_2, b <= LOWER around the triangle
_BACK = _minus(TOP, X)
_LEGS = (_minus(CORNER, X), _minus(TOP, CORNER), _BACK)
_PULL = (_LEGS[0][0] - SHARE * _LEGS[1][0], _LEGS[0][1] - SHARE * _LEGS[1][1])
_edge = _square(_BACK)
UPPER = 2 * (_chord(sp.expand(_edge)) - _edge + p_near * a_near)
_squares = (2 + SHARE) * _square(_LEGS[0]) + SHARE * (_square(_LEGS[1]) + _edge)
_most = _chord(sp.expand(_square(_PULL))) + SHARE * _chord(sp.expand(_edge)) - _squares / 2
_scale = 1 / ((1 + SHARE) * CORNER[1])
LOWER = _scale * _most - a_near * (CORNER[0] - p_near) / CORNER[1]

# --- in the plane: numbers only
_range = (given(ge(p_near - LEAST, 0)), given(ge(MOST - p_near, 0)))
_lines = {"chord": UPPER, "walk": LOWER}
_psi = V + 2 * LAMBDA * p_near * a_near - a_near**2 - b_near**2
_says = ge(_psi, 0)
_facts = (
    given(ge(UPPER - b_near, 0)),
    given(ge(LOWER - b_near, 0)),
    given(ge(1 - (a_near - 2 * p_near) ** 2 - b_near**2, 0)),
    given(ge(1 - a_near**2 - b_near**2, 0)),
)


def _ends(name: str, low: sp.Rational, high: sp.Rational) -> list[Step]:
    """Under the line, V + 2 lambda p a - a^2 - b^2 is positive at both ends of an interval of a."""
    below = _psi.subs(b_near, _lines[name])
    return [
        Step(f"{name} at {end}", state(gt(sp.expand(below.subs(a_near, end)), 0), *_range), Subdivision())
        for end in (low, high)
    ]


def _between(name: str, low: sp.Rational, high: sp.Rational) -> Step:
    """It is concave in a: positive between two ends if at both."""
    line = _lines[name]
    says = state(
        _says, *_range, given(ge(line - b_near, 0)), given(ge(a_near - low, 0)), given(ge(high - a_near, 0))
    )
    terms: tuple[Term, ...] = (
        (1, Square(line - b_near)),
        (2 * b_near, Given(2)),
        ((1 + sp.diff(line, a_near) ** 2) * (high - a_near), Given(3)),
        ((high - a_near) / (high - low), Lemma(f"{name} at {low}")),
        ((a_near - low) / (high - low), Lemma(f"{name} at {high}")),
    )
    return Step(f"under {name}", says, Combination(terms))


_small = state(_says, *_range, _facts[2], given(ge(FIRST - a_near, 0)))
_large = state(_says, *_range, _facts[3], given(ge(a_near - LAST, 0)))
_left = state(_says, *_range, _facts[0], _facts[2], given(ge(MIDDLE - a_near, 0)))
_right = state(_says, *_range, _facts[1], _facts[3], given(ge(a_near - MIDDLE, 0)))
_plane = state(_says, *_range, *_facts)
_plane_proof = (
    *_ends("chord", FIRST, MIDDLE),
    *_ends("walk", MIDDLE, LAST),
    _between("chord", FIRST, MIDDLE),
    _between("walk", MIDDLE, LAST),
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
    Step("all", _plane, Cases(a_near - MIDDLE, "right", "left")),
)

# --- in the ball: x, and a vector C of length L/mu across it
across_x = point("across_x")
slope_plain = grad(f_any, point_any)
slope_square = term("slope_square", inner(slope_plain, slope_plain), "|l'(x)|^2")
slope_x = term("slope_x", inner(slope_plain, point_any), "<l'(x), x>")
slope_C = term("slope_C", inner(slope_plain, across_x), "<l'(x), C>")
x_C = term("x_C", inner(point_any, across_x), "<x, C>")
C_length = term("C_length", inner(across_x, across_x), "|C|^2")
_unit = L**2 / mu**2
_at_p = given(eq(x_square, p_near**2 * _unit))
_placed_C = (given(eq(x_C, 0)), given(eq(C_length, _unit)))
_hyps = (in_ball, _at_p, *_placed_C, *_range)
a_here, b_here = mu * slope_x / (p_near * L**2), mu * slope_C / L**2


def _placed(q: Vector) -> Object:
    """The vector with coordinates q, in units L/mu."""
    along: Object = (q[0] / p_near) * point_any
    across: Object = q[1] * across_x
    return along + across


def _measured(q: Vector, factor: sp.Expr) -> list[Term]:
    """Replaces factor |placed(q)|^2 by what it is."""
    x, y = q[0] / p_near, q[1]
    return [(-factor * x**2, Given(1)), (-factor * 2 * x * y, Given(2)), (-factor * y**2, Given(3))]


def _rises(start: Vector, end: Vector, factor: sp.Expr) -> list[Term]:
    """Strong convexity from one point to another; x is known to lie in the ball."""
    names = [point_any if q == X else _placed(q) for q in (start, end)]
    shown = {i: tuple(_measured(q, sp.Integer(1))) for i, q in enumerate((start, end)) if q != X}
    return [
        (factor, Schema("strong convexity", (f_any, *names), shown)),
        *_measured(_minus(end, start), -factor * mu / 2),
    ]


def _held(z: Vector, way: Vector, factor: sp.Expr) -> list[Term]:
    """W L^2/mu - <l'(z), way> >= 0, where the chord W is at least |way|."""
    square = sp.expand(_square(way))
    W = _chord(square)
    gap = sp.Poly(sp.expand(W**2 - square), p_near)
    bend = -gap.coeff_monomial(p_near**2)
    rest = sp.expand(gap.as_expr() - bend * (p_near - LEAST) * (MOST - p_near))
    low, high = (rest.subs(p_near, end) / (MOST - LEAST) for end in (LEAST, MOST))
    inside = {0: tuple(_measured(z, sp.Integer(1)))}
    over = factor * L**2 / (2 * mu * W)
    return [
        (factor * W / (2 * mu), Schema("Lipschitz", (f_any, _placed(z)), inside)),
        (factor * W / (2 * mu), SquaredNorm(grad(f_any, _placed(z)) - (mu / W) * _placed(way))),
        *_measured(way, factor * mu / (2 * W)),
        (over * (bend * (MOST - p_near) + high), Given(4)),
        (over * low, Given(5)),
    ]


_per = mu / L**2
_here = {a_near: a_here, b_near: b_here}
_upper, _lower = (state(ge((line - b_near).subs(_here), 0), *_hyps) for line in (UPPER, LOWER))
_upper_terms = (*_rises(X, TOP, 2 * _per), *_rises(TOP, X, 2 * _per), *_held(TOP, _BACK, 2 * _per))
_walk = _scale * _per
_lower_terms = (
    *_rises(X, CORNER, (1 + SHARE) * _walk),
    *_rises(CORNER, TOP, SHARE * _walk),
    *_rises(CORNER, X, _walk),
    *_rises(TOP, X, SHARE * _walk),
    *_held(CORNER, _PULL, _walk),
    *_held(TOP, _BACK, SHARE * _walk),
)

# --- together, for C along the part of l'(x) across x
_bound = le(slope_square, V * L**2 + 2 * LAMBDA * mu * slope_x)
_in_plane = (given(eq(slope_square, L**2 * (a_here**2 + b_here**2))), given(ge(slope_C, 0)))
_some_C = state(_bound, *_hyps, *_in_plane)
_numbers = Lemma(
    "sharp.noise_lemma.plane",
    _here,
    {
        2: ((1, Lemma("sharp.noise_lemma.chord")),),
        3: ((1, Lemma("sharp.noise_lemma.walk")),),
        4: (
            ((L + plain.length) / L**2, Lemma("sharp.noise_lemma.half")),
            (1 / L**2, Given(6)),
            (4 * mu**2 / L**2, Given(1)),
        ),
        5: ((1 / L**2, Schema("Lipschitz", (f_any, point_any))), (1 / L**2, Given(6))),
    },
)
q_across = parameter("q_across", POSITIVE, "|x|^2 times the length of the part of l'(x) across x")
_off = x_square * slope_plain - slope_x * point_any
_off_square = x_square * (x_square * slope_square - slope_x**2)
_at = (in_ball, _at_p, *_range)
_some_q = state(_bound, *_at, given(eq(_off_square, q_across**2)))
n_across = term("n_across", norm(_off), "|x|^2 times the length of the part of l'(x) across x")
_bent, _flat = (state(_bound, *_at, given(h)) for h in (gt(n_across, 0), ge(-n_across, 0)))
_sphere = state(_bound, *_at)

# Without such a part: a lies between 2 p - 1 and 1, where V + 2 lambda p a - a^2 is positive.
_alone = V + 2 * LAMBDA * p_near * a_near - a_near**2
_back = given(ge(a_near - 2 * p_near + 1, 0))
_on = given(ge(1 - a_near, 0))
_straight = state(ge(_alone, 0), *_range, _back, _on)
_straight_proof = (
    Step("at 2p - 1", state(gt(sp.expand(_alone.subs(a_near, 2 * p_near - 1)), 0), *_range), Subdivision()),
    Step("at 1", state(gt(_alone.subs(a_near, 1), 0), *_range), Subdivision()),
    Step(
        "between",
        _straight,
        Combination(
            (
                (1 - a_near, Given(2)),
                ((1 - a_near) / (2 * (1 - p_near)), Lemma("at 2p - 1")),
                ((a_near - 2 * p_near + 1) / (2 * (1 - p_near)), Lemma("at 1")),
            )
        ),
    ),
)
_P = p_near**2 * _unit
_Y = x_square * slope_square - slope_x**2
_per_x = mu / (p_near * L**2)
_flat_terms: tuple[Term, ...] = (
    (
        L**2,
        Lemma(
            "sharp.noise_lemma.straight",
            {a_near: a_here},
            {
                2: (
                    (
                        _per_x,
                        Lemma(
                            "sharp.noise_lemma.mirror",
                            {v_any: point_any, p_any: p_near * L / mu},
                            {1: ((1, Given(1)),)},
                        ),
                    ),
                    (2 * mu * _per_x, Given(1)),
                ),
                3: (
                    (1 / (2 * L**2), Schema("Lipschitz", (f_any, point_any))),
                    (1 / (2 * L**2), SquaredNorm(slope_plain - (mu / p_near) * point_any)),
                    (-(mu**2) / (2 * p_near**2 * L**2), Given(1)),
                ),
            },
        ),
    ),
    (n_across / _P**2, Given(4)),
    ((slope_square * (x_square + _P) - slope_x**2) / _P**2, Given(1)),
)
_along = Lemma(
    "in the plane",
    {across_x: (L / (mu * q_across)) * _off},
    {
        3: ((_unit / q_across**2, Given(4)),),
        6: (
            (-slope_square / _P + _Y**2 / (_P * q_across**2), Given(1)),
            (-_Y / (_P * q_across**2), Given(4)),
        ),
        7: (
            (L * q_across / (mu * _P), One()),
            (L / (mu * q_across * _P), Given(4)),
            (-L * _Y / (mu * q_across * _P), Given(1)),
        ),
    },
)

# --- p = mu |x|/L
m_any = term("m_any", norm(point_any), "|x|")
_outer = (in_ball, given(ge(mu * m_any - LEAST * L, 0)))
_away, _never = (state(_bound, *_outer, given(h)) for h in (gt(m_any, 0), ge(-m_any, 0)))
_near = state(_bound, *_outer)
# mu |x| >= 0.4335 L > 0 says that 0 is negative: as often as it takes.
_impossible = (2 * slope_square + LAMBDA**2 * mu**2 * x_square) / (LEAST * L)
_as_p = Lemma(
    "any gradient",
    {p_near: mu * m_any / L},
    {1: (), 2: ((1 / L, Given(1)),), 3: ((mu**2 / (L * (mu * m_any + L / 2)), Given(0)),)},
)

CLAIMS = (
    theorem(
        "sharp.noise_lemma.plane",
        "sgd.rate",
        "V + 2 lambda p a - a^2 - b^2 >= 0 for 0.4335 <= p <= 1/2 under both lines, |(a, b)| <= 1 and |(a - 2p, b)| <= 1",
        _plane,
        proof=_plane_proof,
    ),
    theorem(
        "sharp.noise_lemma.straight",
        "sgd.rate",
        "V + 2 lambda p a - a^2 >= 0 for 2 p - 1 <= a <= 1",
        _straight,
        proof=_straight_proof,
    ),
    theorem(
        "sharp.noise_lemma.chord",
        "sgd.rate",
        "a gradient near the sphere lies under a line: strong convexity between x and a point across",
        _upper,
        proof=(Step("chord", _upper, Combination(_upper_terms)),),
    ),
    theorem(
        "sharp.noise_lemma.walk",
        "sgd.rate",
        "a gradient near the sphere lies under a second line: strong convexity around a triangle",
        _lower,
        proof=(Step("walk", _lower, Combination(_lower_terms)),),
    ),
    theorem(
        "sharp.noise_lemma.sphere",
        "sgd.rate",
        "|g|^2 <= (169/640) L^2 + (13/5) mu <g, x> for a gradient g at x, 0.4335 L <= mu |x| <= L/2",
        _near,
        proof=(
            Step("in the plane", _some_C, Combination(((L**2, _numbers), (-1, Given(6))))),
            Step("some q", _some_q, Combination(((1, _along),))),
            Step("bent", _bent, Combination(((1, Lemma("some q", {q_across: n_across}, {4: ()})),))),
            Step("flat", _flat, Combination(_flat_terms)),
            Step("any gradient", _sphere, Cases(n_across, "bent", "flat")),
            Step("away from 0", _away, Combination(((1, _as_p),))),
            Step(
                "at 0",
                _never,
                Combination(
                    (
                        (V * L**2, One()),
                        (1, SquaredNorm(slope_plain + LAMBDA * mu * point_any)),
                        (mu * _impossible, Given(2)),
                        (_impossible, Given(1)),
                    )
                ),
            ),
            Step("near", _near, Cases(m_any, "away from 0", "at 0")),
        ),
    ),
)
