"""The noise lemma near the sphere: what more points of the ball say of a gradient at x, |x| >= 0.3808 L/mu.

In the plane of x and the gradient g, with coordinates x = p (1, 0) L/mu and g = L (a, b), b >= 0. Strong convexity
along x, z_1, …, z_n and back from each z_i to x bounds b by a line in a, for two such walks; with a >= p - 1/2 (the
point opposite x) and |g| <= L this gives V + 2 lambda p a - a^2 - b^2 >= 0. Lengths are replaced by chords in p.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, isqrt

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, parameter
from oubli.theory.paper.letters import L, mu
from oubli.theory.paper.mirror import f_any, in_ball, point_any, x_square
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
    Term,
)

LAMBDA = sp.Rational(6, 5)
ETA = LAMBDA - 1
# The least that the centre allows for this lambda.
V = sp.Rational(1, 4) + ETA**2 / (4 * (1 + 2 * ETA))
LEAST, MOST = sp.Rational(238, 625), sp.Rational(1, 2)
Vector = tuple[sp.Expr, sp.Expr]

p_near = parameter("p_near", POSITIVE, "mu |x|/L")
a_near = parameter("a_near", meaning="<l'(x), x>/|x|, over L")
b_near = parameter("b_near", NONNEGATIVE, "length of the part of l'(x) across x, over L")
X: Vector = (p_near, sp.Integer(0))
OPPOSITE: Vector = (-MOST, sp.Integer(0))


def _minus(u: Vector, v: Vector) -> Vector:
    return u[0] - v[0], u[1] - v[1]


def _plus(u: Vector, v: Vector, factor: sp.Expr) -> Vector:
    return u[0] + factor * v[0], u[1] + factor * v[1]


def _square(u: Vector) -> sp.Expr:
    return sp.expand(u[0] ** 2 + u[1] ** 2)


def _chord(square: sp.Expr) -> sp.Expr:
    """A line in p, at least the root of a square at both ends: so it is between them, as the root is convex."""
    ends = [sp.ceiling(square.subs(p_near, end) * 10**12) for end in (LEAST, MOST)]
    low, high = (sp.Rational(isqrt(int(end) - 1) + 1, 10**6) for end in ends)
    return (low * (MOST - p_near) + high * (p_near - LEAST)) / (MOST - LEAST)


@dataclass(frozen=True)
class Walk:
    """From x through some points of the ball; how often it goes back to x from each of them."""

    points: tuple[Vector, ...]
    back: tuple[sp.Expr, ...]

    @property
    def edges(self) -> tuple[tuple[sp.Expr, Vector, Vector], ...]:
        """How often each edge is taken, and its ends: what comes to a point also leaves it."""
        on = [sum(self.back[i:]) for i in range(len(self.back))]
        there = zip(on, (X, *self.points), self.points, strict=False)
        return *there, *((k, z, X) for k, z in zip(self.back, self.points, strict=True))

    @property
    def pulls(self) -> tuple[tuple[Vector, Vector], ...]:
        """Each point z, and the vector v that its gradient is multiplied by: -<l'(z), v> <= L |v|."""
        zero: Vector = (sp.Integer(0), sp.Integer(0))
        found = dict.fromkeys(self.points, zero)
        for times, start, end in self.edges:
            if start != X:
                found[start] = _plus(found[start], _minus(end, start), times)
        return tuple(found.items())

    @property
    def scale(self) -> sp.Expr:
        """What multiplies the sum of all in the line."""
        return 1 / (sum(self.back) * self.points[0][1])

    @property
    def line(self) -> sp.Expr:
        """The bound on b."""
        most = sum(_chord(_square(v)) for _, v in self.pulls)
        most -= sum(times * _square(_minus(end, start)) for times, start, end in self.edges) / 2
        return self.scale * most - a_near * (self.points[0][0] - p_near) / self.points[0][1]


def _points(*coordinates: tuple[str, str]) -> tuple[Vector, ...]:
    return tuple((sp.Rational(x), sp.Rational(y)) for x, y in coordinates)


SHORT = Walk(_points(("0", "1/2"), ("-7/50", "12/25"), ("-3/10", "2/5")), tuple(map(sp.Integer, (4, 3, 2))))
LONG = Walk(
    _points(("43/100", "51/200"), ("8/25", "48/125"), ("3/25", "97/200"), ("-1/5", "229/500")),
    tuple(map(sp.Integer, (25, 10, 5, 3))),
)
# Where another bound takes over, as a grows from p - 1/2.
MIDDLE, LAST = sp.Rational(13, 40), sp.Rational(129, 200) + sp.Rational(3, 2) * (MOST - p_near)

# --- in the plane: numbers only
_range = (given(ge(p_near - LEAST, 0)), given(ge(MOST - p_near, 0)))
_psi = V + 2 * LAMBDA * p_near * a_near - a_near**2 - b_near**2
_says = ge(_psi, 0)
_under = (given(ge(SHORT.line - b_near, 0)), given(ge(LONG.line - b_near, 0)))
_back = given(ge(a_near - p_near + MOST, 0))
_unit_disc = given(ge(1 - a_near**2 - b_near**2, 0))


def _positive(name: str, expression: sp.Expr) -> Step:
    """Positive for every p: so are the coefficients in (p - LEAST)^i (MOST - p)^(n - i)."""
    width = MOST - LEAST
    poly = sp.Poly(expression, p_near)
    # They follow from those in the powers of (p - LEAST)/width.
    powers = poly.compose(sp.Poly(LEAST + width * p_near, p_near)).all_coeffs()[::-1]
    n = len(powers) - 1
    found = [sum(sp.Rational(comb(i, j), comb(n, j)) * powers[j] for j in range(i + 1)) for i in range(n + 1)]
    low = min(found)
    terms: list[Term] = [(low, One())]
    for i, coefficient in enumerate(found):
        factor = comb(n, i) * (coefficient - low) / width**n
        inner_part = (p_near - LEAST) ** max(i - 1, 0) * (MOST - p_near) ** (n - max(i, 1))
        terms.append((factor * inner_part, Given(0 if i else 1)))
    return Step(name, state(gt(poly.as_expr(), 0), *_range), Combination(tuple(terms)))


def _under_line(name: str, line: sp.Expr, low: sp.Expr, high: sp.Expr) -> tuple[Step, ...]:
    """V + 2 lambda p a - a^2 - b^2 is concave in a: positive between two ends if at both."""
    below = _psi.subs(b_near, line)
    says = state(
        _says, *_range, given(ge(line - b_near, 0)), given(ge(a_near - low, 0)), given(ge(high - a_near, 0))
    )
    terms: tuple[Term, ...] = (
        (1, Square(line - b_near)),
        (2 * b_near, Given(2)),
        ((1 + sp.diff(line, a_near) ** 2) * (high - a_near), Given(3)),
        ((high - a_near) / (high - low), Lemma(f"{name}: from")),
        ((a_near - low) / (high - low), Lemma(f"{name}: to")),
    )
    return (
        _positive(f"{name}: from", below.subs(a_near, low)),
        _positive(f"{name}: to", below.subs(a_near, high)),
        Step(name, says, Combination(terms)),
    )


_large = state(_says, *_range, _unit_disc, given(ge(a_near - LAST, 0)))
_left = state(_says, *_range, _under[0], _back, given(ge(MIDDLE - a_near, 0)))
_right = state(_says, *_range, _under[1], _unit_disc, given(ge(a_near - MIDDLE, 0)))
_plane = state(_says, *_range, *_under, _back, _unit_disc)
_plane_proof = (
    *_under_line("left", SHORT.line, p_near - MOST, MIDDLE),
    *_under_line("under the long walk", LONG.line, MIDDLE, LAST),
    _positive("at the end", V - 1 + 2 * LAMBDA * p_near * LAST),
    Step(
        "large a",
        _large,
        Combination(((1, Given(2)), (2 * LAMBDA * p_near, Given(3)), (1, Lemma("at the end")))),
    ),
    Step("right", _right, Cases(a_near - LAST, "large a", "under the long walk")),
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
_WALKS = {"short": SHORT, "long": LONG}
a_here, b_here = mu * slope_x / (p_near * L**2), mu * slope_C / L**2


def _placed(q: Vector) -> Object:
    """The vector with coordinates q, in units L/mu."""
    along: Object = (q[0] / p_near) * point_any
    return along + q[1] * across_x if q[1] != 0 else along


def _measured(q: Vector, factor: sp.Expr) -> list[Term]:
    """Replaces factor |placed(q)|^2 by what it is."""
    x, y = q[0] / p_near, q[1]
    terms = [(-factor * x**2, Given(1)), (-factor * 2 * x * y, Given(2)), (-factor * y**2, Given(3))]
    return [(multiplier, of) for multiplier, of in terms if multiplier != 0]


def _inside(q: Vector) -> tuple[Term, ...]:
    """A point with coordinates q that are numbers lies in the ball."""
    left = (MOST**2 - _square(q)) * _unit
    return *_measured(q, sp.Integer(1)), *(((left, One()),) if left else ())


def _rises(start: Vector, end: Vector, factor: sp.Expr) -> list[Term]:
    """Strong convexity from one point to another; x is known to lie in the ball."""
    names = [point_any if q == X else _placed(q) for q in (start, end)]
    shown = {i: _inside(q) for i, q in enumerate((start, end)) if q != X}
    return [
        (factor, Schema("strong convexity", (f_any, *names), shown)),
        *_measured(_minus(end, start), -factor * mu / 2),
    ]


def _held(z: Vector, pull: Vector, factor: sp.Expr) -> list[Term]:
    """W L^2/mu + <l'(z), pull> >= 0, where the chord W is at least |pull|."""
    square = _square(pull)
    W = _chord(square)
    gap = sp.Poly(sp.expand(W**2 - square), p_near)
    bend = -gap.coeff_monomial(p_near**2)
    rest = sp.expand(gap.as_expr() - bend * (p_near - LEAST) * (MOST - p_near))
    low, high = (rest.subs(p_near, end) / (MOST - LEAST) for end in (LEAST, MOST))
    over = factor * L**2 / (2 * mu * W)
    above = [(over * (bend * (MOST - p_near) + high), Given(4)), (over * low, Given(5))]
    return [
        (factor * W / (2 * mu), Schema("Lipschitz", (f_any, _placed(z)), {0: _inside(z)})),
        (factor * W / (2 * mu), SquaredNorm(grad(f_any, _placed(z)) + (mu / W) * _placed(pull))),
        *_measured(pull, factor * mu / (2 * W)),
        *(() if gap.is_zero else above),
    ]


def _along(walk: Walk) -> tuple[Term, ...]:
    """Strong convexity on every edge of a walk, the gradients at its points of length at most L."""
    per = walk.scale * mu / L**2
    rises = (term for times, start, end in walk.edges for term in _rises(start, end, times * per))
    return *rises, *(term for z, pull in walk.pulls for term in _held(z, pull, per))


_here = {a_near: a_here, b_near: b_here}
_bounded = {name: state(ge((walk.line - b_near).subs(_here), 0), *_hyps) for name, walk in _WALKS.items()}
_inward = state(ge(a_here - p_near + MOST, 0), in_ball, _at_p)
_opposite = Walk((OPPOSITE,), (sp.Integer(1),))
_per_length = mu / (L**2 * (p_near + MOST))
_inward_terms = (
    *_rises(X, OPPOSITE, _per_length),
    *_rises(OPPOSITE, X, _per_length),
    *_held(OPPOSITE, _opposite.pulls[0][1], _per_length),
)

# --- together, for C along the part of l'(x) across x
_bound = le(slope_square, V * L**2 + 2 * LAMBDA * mu * slope_x)
_in_plane = (given(eq(slope_square, L**2 * (a_here**2 + b_here**2))), given(ge(slope_C, 0)))
_some_C = state(_bound, *_hyps, *_in_plane)
_numbers = Lemma(
    "sharp.noise_lemma.plane",
    _here,
    {
        2: ((1, Lemma("sharp.noise_lemma.short")),),
        3: ((1, Lemma("sharp.noise_lemma.long")),),
        4: ((1, Lemma("sharp.noise_lemma.opposite")),),
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

# Without such a part: a lies between p - 1/2 and 1, where V + 2 lambda p a - a^2 is positive.
_alone = V + 2 * LAMBDA * p_near * a_near - a_near**2
_on = given(ge(1 - a_near, 0))
_straight = state(ge(_alone, 0), *_range, _back, _on)
_length = MOST + 1 - p_near
_straight_proof = (
    _positive("at p - 1/2", _alone.subs(a_near, p_near - MOST)),
    _positive("at 1", _alone.subs(a_near, 1)),
    Step(
        "between",
        _straight,
        Combination(
            (
                (1 - a_near, Given(2)),
                ((1 - a_near) / _length, Lemma("at p - 1/2")),
                ((a_near - p_near + MOST) / _length, Lemma("at 1")),
            )
        ),
    ),
)
_P = p_near**2 * _unit
_Y = x_square * slope_square - slope_x**2
_flat_terms: tuple[Term, ...] = (
    (
        L**2,
        Lemma(
            "sharp.noise_lemma.straight",
            {a_near: a_here},
            {
                2: ((1, Lemma("sharp.noise_lemma.opposite")),),
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
_turned = Lemma(
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
# mu |x| >= 0.3808 L > 0 says that 0 is negative: as often as it takes.
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
        "V + 2 lambda p a - a^2 - b^2 >= 0 for 0.3808 <= p <= 1/2 under both lines, a >= p - 1/2 and |(a, b)| <= 1",
        _plane,
        proof=_plane_proof,
    ),
    theorem(
        "sharp.noise_lemma.straight",
        "sgd.rate",
        "V + 2 lambda p a - a^2 >= 0 for p - 1/2 <= a <= 1",
        _straight,
        proof=_straight_proof,
    ),
    theorem(
        "sharp.noise_lemma.opposite",
        "sgd.rate",
        "how far a gradient points inwards: strong convexity between x and the point of the sphere that is opposite",
        _inward,
        proof=(Step("opposite", _inward, Combination(_inward_terms)),),
    ),
    *(
        theorem(
            f"sharp.noise_lemma.{name}",
            "sgd.rate",
            f"a gradient near the sphere lies under a line: strong convexity along a walk over {len(walk.points)} points",
            _bounded[name],
            proof=(Step("walk", _bounded[name], Combination(_along(walk))),),
        )
        for name, walk in _WALKS.items()
    ),
    theorem(
        "sharp.noise_lemma.sphere",
        "sgd.rate",
        "|g|^2 <= (9/35) L^2 + (12/5) mu <g, x> for a gradient g at x, 0.3808 L <= mu |x| <= L/2",
        _near,
        proof=(
            Step("in the plane", _some_C, Combination(((L**2, _numbers), (-1, Given(6))))),
            Step("some q", _some_q, Combination(((1, _turned),))),
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
