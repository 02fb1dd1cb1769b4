"""Sensitivity in d >= 2 as a width: at one point one optimum is pushed along v by at most S_1, the other back by S_2.

Of two optima theta and theta + v one lies ahead of the middle of the chord through both, or the other one lies
behind it. From there the slope back is at most that at the middle, where x is orthogonal to v; and such a slope is
smaller than the largest there is (sharp.sensitivity.sphere). It is bounded by walks from x over points of the plane
of x and v and back, as in sensitivity.py. A walk that moves with x has the same steps at every distance of x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis
from oubli.theory.kernel.symbols import NONNEGATIVE, parameter
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
from oubli.theory.paper.privacy import (
    D_optima,
    D_pair,
    F_one,
    F_two,
    between,
    f_one,
    f_shared,
    f_two,
    theta_one,
    theta_two,
)
from oubli.theory.paper.setup import slope_any
from oubli.theory.paper.sharper.privacy import b_v
from oubli.theory.paper.sharper.sensitivity import HALF
from oubli.theory.records.build import eq, ge, given, gt, le, state, theorem
from oubli.theory.records.claim import Claim
from oubli.theory.records.objects import Object, grad, point, spread, term
from oubli.theory.records.objects import inner as product
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Over,
    Schema,
    Square,
    SquaredNorm,
    Step,
    Term,
)

Point = tuple[Fraction, Fraction]


def _minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def _square(p: Point) -> Fraction:
    return p[0] ** 2 + p[1] ** 2


def _length_up(p: Point) -> Fraction:
    """A short rational that is at least the length."""
    scale = 10**14
    return Fraction(isqrt(int(_square(p) * scale**2)) + 1, scale)


def _rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


@dataclass(frozen=True)
class Walk:
    """From a point at distance `far` over points of its plane, with weights; it may start `back` nearer to 0.

    In units L/mu; points in units 10^-5, with the weights of their ways back in units 10^-7.
    """

    far: Fraction
    back: Fraction
    table: tuple[tuple[int, int, int], ...]

    @cached_property
    def start(self) -> Point:
        """Where it starts when it is farthest out."""
        return self.far, Fraction(0)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points when it starts there."""
        return tuple((Fraction(x, 10**5), Fraction(y, 10**5)) for x, y, _ in self.table)

    @cached_property
    def weights(self) -> tuple[Fraction, ...]:
        """What each way back to the start weighs."""
        return tuple(Fraction(n, 10**7) for *_, n in self.table)

    @cached_property
    def tails(self) -> tuple[Fraction, ...]:
        """What the step to each point weighs, and 0 at the end."""
        return tuple(sum(self.weights[i:], Fraction(0)) for i in range(len(self.table) + 1))

    def pull(self, i: int) -> Point:
        """What the gradient at a point is multiplied with: of its way back, less its step on."""
        on = _minus(self.points[i + 1], self.points[i]) if i + 1 < len(self.points) else (Fraction(0),) * 2
        home, n, m = _minus(self.points[i], self.start), self.weights[i], self.tails[i + 1]
        return n * home[0] - m * on[0], n * home[1] - m * on[1]

    @cached_property
    def first(self) -> Point:
        """The first step."""
        return _minus(self.points[0], self.start)

    @cached_property
    def level(self) -> Fraction:
        """The bound on <l'(x), first step> over its part along v, in units L."""
        ways = [(n, _minus(z, self.start)) for n, z in zip(self.weights, self.points, strict=True)]
        stops = (self.start, *self.points)
        ways += [(m, _minus(q, p)) for m, p, q in zip(self.tails, stops, self.points, strict=False)]
        drop = sum((m * _square(way) for m, way in ways), Fraction(0)) / 2
        reach = sum((_length_up(self.pull(i)) for i in range(len(self.points))), Fraction(0))
        return (reach - drop) / (self.tails[0] * self.first[1])


OUTER = Walk(
    Fraction(1, 2),
    Fraction(11, 1000),
    (
        (49988, 1095, 7772112), (49772, 4769, 1011206), (49287, 8413, 415686), (48473, 12262, 213376),
        (47373, 15993, 142932), (45802, 20053, 29098), (44837, 20312, 62030), (43931, 23876, 66290),
        (41655, 27656, 49985), (38973, 31322, 38980), (35872, 34831, 31664), (32283, 38181, 25935),
        (28231, 41267, 21698), (23695, 44028, 18394), (18672, 46382, 15848), (13143, 48241, 13816),
        (7109, 49492, 12217), (552, 49996, 10809), (-6379, 49437, 9729), (-13774, 47736, 8845),
        (-21596, 44552, 8120), (-29757, 39342, 7538), (-38071, 31074, 7099), (-45974, 16853, 6595),
    ),
)  # fmt: skip
INNER = Walk(
    Fraction(49, 100),
    Fraction(51, 500),
    (
        (49000, 9949, 3301318), (48088, 13694, 1952768), (46696, 17873, 1237131), (44754, 22295, 834239),
        (42200, 26817, 592159), (38985, 31307, 437742), (35073, 35635, 334797), (30438, 39667, 263296),
        (25072, 43259, 211682), (19002, 46248, 173624), (12294, 48465, 144855), (5100, 49739, 138474),
        (-2837, 48270, 119394), (-11787, 44906, 102312), (-21821, 38401, 86252), (-32845, 25438, 69955),
    ),
)  # fmt: skip
BACK = Fraction(687, 1000)
_back = _rational(BACK)

# --- the walk from x, at distance kappa_axis R from 0, with a vector C of length R orthogonal to it
across = point("across")
kappa_axis = parameter("kappa_axis", NONNEGATIVE, "|x|/R, the distance of a chord from the centre")
x_across = term("x_across", product(point_any, across), "<x, C>")
across_square = term("across_square", product(across, across), "|C|^2")
g_across = term("g_across", product(slope_any, across), "<l'(x), C>")
_frame = (
    given(eq(x_square, kappa_axis**2 * R**2)),
    given(eq(x_across, 0)),
    given(eq(across_square, R**2)),
)
_bounded = le(g_across, _back * L * R)


def _zone(low: Fraction, high: Fraction) -> tuple[Hypothesis, ...]:
    return given(ge(kappa_axis, _rational(2 * low))), given(le(kappa_axis, _rational(2 * high)))


@dataclass(frozen=True)
class Moving:
    """A walk as a proof: its points move with x."""

    walk: Walk

    @property
    def shift(self) -> sp.Expr:
        """How far x has moved inwards, in units R."""
        return _rational(2 * self.walk.far) - kappa_axis

    def placed(self, p: Point) -> Object:
        """A point of the walk; the start is x itself."""
        if p == self.walk.start:
            return point_any
        along: Object = ((_rational(2 * p[0]) - self.shift) / kappa_axis) * point_any
        sideways: Object = _rational(2 * p[1]) * across
        return along + sideways

    def step(self, p: Point) -> Object:
        """A vector of the plane of the walk."""
        along: Object = (_rational(2 * p[0]) / kappa_axis) * point_any
        sideways: Object = _rational(2 * p[1]) * across
        return along + sideways

    def inside(self, p: Point) -> tuple[Term, ...]:
        """That a point lies in the ball: at both ends it does, and what is left is concave in the shift."""
        x, y, width = self.placed_at(p), _rational(2 * p[1]), _rational(2 * self.walk.back)
        near, far = (1 - (_rational(2 * p[0]) - s) ** 2 - y**2 for s in (0, width))
        return (
            (-((x / kappa_axis) ** 2), Given(0)),
            (-2 * x * y / kappa_axis, Given(1)),
            (-(y**2), Given(2)),
            (R**2 * near / width, Given(3)),
            (R**2 * far / width, Given(4)),
            (R**2 * self.shift, Given(3)),
        )

    @cached_property
    def insides(self) -> dict[Point, tuple[Term, ...]]:
        """The same for all points after the start: each is asked for again and again."""
        return {p: self.inside(p) for p in self.walk.points}

    def placed_at(self, p: Point) -> sp.Expr:
        """Its coordinate along x, in units R."""
        return _rational(2 * p[0]) - self.shift

    def start_inside(self) -> tuple[Term, ...]:
        """That x lies in the ball."""
        rest = _rational(1 - 2 * self.walk.far)
        return ((-1, Given(0)), (R**2 * (1 + kappa_axis), Given(4)), (rest * R**2 * (1 + kappa_axis), One()))

    def measured(self, p: Point, factor: sp.Expr) -> list[Term]:
        """Replaces factor |step(p)|^2 by what it is at |x| = kappa_axis R, |C| = R."""
        x, y = _rational(2 * p[0]) / kappa_axis, _rational(2 * p[1])
        return [(-factor * x**2, Given(0)), (-factor * 2 * x * y, Given(1)), (-factor * y**2, Given(2))]

    def rises(self, begin: Point, end: Point, weight: Fraction) -> list[Term]:
        """Strong convexity from one point of the walk to another."""
        shown = {
            i: self.start_inside() if p == self.walk.start else self.insides[p]
            for i, p in enumerate((begin, end))
        }
        tag = (tag_any,) if begin == self.walk.start else ()
        places, factor = (self.placed(begin), self.placed(end)), _rational(weight)
        return [
            (factor, Schema("strong convexity", (f_any, *places, *tag), shown)),
            *self.measured(_minus(end, begin), -factor * mu / 2),
        ]

    def held(self, i: int) -> list[Term]:
        """w L - <l'(z), pull> >= 0 for w >= |pull|: Lipschitz, a square and a rest."""
        pull, z = self.walk.pull(i), self.walk.points[i]
        w, slope = _rational(_length_up(pull)) / mu, grad(f_any, self.placed(z))
        return [
            (w / 2, Schema("Lipschitz", (f_any, self.placed(z)), {0: self.insides[z]})),
            (w / 2, SquaredNorm(slope - (1 / w) * self.step(pull))),
            *self.measured(pull, 1 / (2 * w)),
            (L**2 * (w - _rational(_square(pull)) / (mu**2 * w)) / 2, One()),
        ]

    def terms(self) -> tuple[Term, ...]:
        """All of it, and <l'(x), x> <= L |x| where the first step is not along v."""
        walk, out = self.walk, list[Term]()
        stops = (walk.start, *walk.points)
        for i, z in enumerate(walk.points):
            out += [*self.rises(stops[i], z, walk.tails[i]), *self.rises(z, walk.start, walk.weights[i])]
            out += self.held(i)
        scale = 1 / _rational(2 * walk.tails[0] * walk.first[1])
        tilt = _rational(-walk.first[0] / walk.first[1])
        radial = tilt * kappa_axis * R / (2 * L)
        along: Object = (L / (kappa_axis * R)) * point_any
        outwards: tuple[Term, ...] = (
            (radial / kappa_axis, Schema("Lipschitz", (f_any, point_any, tag_any), {0: self.start_inside()})),
            (radial / kappa_axis, SquaredNorm(slope_any - along)),
            (-radial / kappa_axis * (L / (kappa_axis * R)) ** 2, Given(0)),
        )
        return (
            *((scale * factor, source) for factor, source in out),
            *(outwards if tilt else ()),
            ((_back - _rational(walk.level) - tilt) * L * R, One()),
        )


def _walked(key: str, walk: Walk) -> Claim:
    """The bound where one walk gives it."""
    says = state(_bounded, *_frame, *_zone(walk.far - walk.back, walk.far))
    return theorem(
        f"sharp.sensitivity.middle.{key}",
        "gauss.sensitivity",
        f"<l'(x), v> <= {float(BACK)} L |v| for v orthogonal to x, |x| between {float(2 * (walk.far - walk.back))} R and "
        f"{float(2 * walk.far)} R",
        says,
        proof=(Step("walk", says, Combination(Moving(walk).terms())),),
    )


# --- both walks
LEAST = 2 * (INNER.far - INNER.back)
_least = _rational(LEAST)
_outside = kappa_axis - _rational(2 * (OUTER.far - OUTER.back))
_all = (given(ge(kappa_axis, _least)), given(le(kappa_axis, 1)))
_middle = state(_bounded, *_frame, *_all)
_outer, _inner = (state(_bounded, *_frame, *_all, given(ge(side, 0))) for side in (_outside, -_outside))
_overlap = _rational(2 * INNER.far - 2 * (OUTER.far - OUTER.back))
_MIDDLE_PROOF = (
    Step(
        "outer",
        _outer,
        Combination(((1, Lemma("sharp.sensitivity.middle.outer", {}, {3: ((1, Given(5)),)})),)),
    ),
    Step(
        "inner",
        _inner,
        Combination(
            ((1, Lemma("sharp.sensitivity.middle.inner", {}, {4: ((1, Given(5)), (_overlap, One()))})),)
        ),
    ),
    Step("both", _middle, Cases(_outside, "outer", "inner")),
)

# --- from a point ahead of the middle of its chord back to the middle, where the slope back is no smaller
n_middle = parameter("n_middle", NONNEGATIVE, "|v| times the distance from 0 of the line through x along v")
_distance = p_any**2 * x_square - a_v**2
_inward = ge(b_v, -_back * L * p_any)
_ahead = given(ge(a_v, 0))
_root = given(eq(n_middle**2, _distance))
_far = given(ge(n_middle, _least * R * p_any))
_off = _distance - _least**2 * R**2 * p_any**2
_line = (in_ball, v_length, _ahead)
_moved = state(_inward, *_line, _root, _far, given(gt(a_v, 0)))
_at_middle = state(_inward, in_ball, v_length, given(eq(a_v, 0)), _root, _far)
_there = state(_inward, *_line, _root, _far, given(ge(-a_v, 0)))
_either = state(_inward, *_line, _root, _far)
_short, _long = (state(_inward, *_line, given(ge(side, 0))) for side in (_off, -_off))
_slope = state(_inward, *_line)
_foot = point_any - (a_v / p_any**2) * v_any
_foot_in = ((1, Given(0)), (1 / p_any**2, Square(a_v)), (-((a_v / p_any**2) ** 2), Given(1)))
_total = 1 / (R * p_any * (R * p_any + n_middle))


def _at(x: Object, distance: tuple[Term, ...], turned: tuple[Term, ...]) -> Lemma:
    """The bound of the walks at a point orthogonal to v, with C against v."""
    shown = {
        0: distance,
        1: turned,
        2: ((R**2 / p_any**2, Given(1)),),
        3: ((1 / (R * p_any), Given(4)),),
        4: ((p_any**2 * _total, Given(0)), (_total, Square(a_v)), (-_total, Given(3))),
    }
    sideways: Object = -(R / p_any) * v_any
    at = {point_any: x, across: sideways, kappa_axis: n_middle / (R * p_any)}
    return Lemma("sharp.sensitivity.middle", at, shown)


def _back_to(z: Object, apart: sp.Expr, inside: tuple[Term, ...]) -> tuple[Term, ...]:
    """The slope falls from x to z = x - apart v."""
    return (
        (1 / apart, Schema("strong convexity", (f_any, point_any, z, tag_any), {1: inside})),
        (1 / apart, Schema("strong convexity", (f_any, z, point_any, tag_any), {0: inside})),
        (mu * apart, Given(1)),
    )


# Where the chord is long it ends at z, where the slope is at most L.
_reach = sp.Rational(63, 100)
_apart = a_v / p_any**2 + _reach * R / p_any
_end = point_any - _apart * v_any
_end_in = (
    (1 / p_any**2, Given(3)),
    (-(_apart**2), Given(1)),
    (R**2 * (1 - _reach**2 - _least**2), One()),
)
_SLOPE_PROOF = (
    Step(
        "moved",
        _moved,
        Combination(
            (
                *_back_to(_foot, a_v / p_any**2, _foot_in),
                (
                    p_any / R,
                    _at(
                        _foot,
                        (((a_v / p_any**2) ** 2, Given(1)), (-1 / p_any**2, Given(3))),
                        ((R * a_v / p_any**3, Given(1)),),
                    ),
                ),
            )
        ),
    ),
    Step(
        "at the middle",
        _at_middle,
        Combination(
            (
                (
                    p_any / R,
                    _at(
                        point_any,
                        ((-1 / p_any**2, Given(3)), (a_v / p_any**2, Given(2))),
                        ((-R / p_any, Given(2)),),
                    ),
                ),
                (-mu, Given(2)),
            )
        ),
    ),
    Step("there", _there, Combination(((1, Lemma("at the middle")),))),
    Step("either", _either, Cases(a_v, "moved", "there")),
    Step(
        "short",
        _short,
        Combination(
            (
                (
                    1,
                    Lemma(
                        "either",
                        {n_middle: sp.sqrt(_distance)},
                        {3: (), 4: ((1 / (sp.sqrt(_distance) + _least * R * p_any), Given(3)),)},
                    ),
                ),
            )
        ),
    ),
    Step(
        "long",
        _long,
        Combination(
            (
                *_back_to(_end, _apart, _end_in),
                (p_any / (2 * L), Schema("Lipschitz", (f_any, _end, tag_any), {0: _end_in})),
                (p_any / (2 * L), SquaredNorm(grad(f_any, _end, tag_any) + (L / p_any) * v_any)),
                (-L / (2 * p_any), Given(1)),
                ((_back - 1 + _reach / 2) * L * p_any, One()),
            )
        ),
    ),
    Step("slope", _slope, Cases(_off, "short", "long")),
)

# --- two optima: one lies ahead of the middle of their chord, or the other one behind it
WIDTH = HALF + BACK
_top = _rational(WIDTH) * r * L / mu
_w = 1 / (mu * D_pair)
a_pair = term("a_pair", product(theta_two, between), "<theta*(D_f'), theta*(D_f') - theta*(D_f)>")
_some = given(gt(D_pair, 0))
_second, _first = (state(le(D_pair, _top), _some, given(ge(side, 0))) for side in (a_pair, -a_pair))
_apart_pair = state(le(D_pair, _top), _some)
_equal = state(le(D_pair, _top), given(ge(-D_pair, 0)))
_pair, _dual = state(le(D_pair, _top)), state(le(D_optima, _top))
_ONE, _TWO = (f_one, theta_one, F_one), (f_two, theta_two, F_two)


def _slope_at(key: str, at: tuple[Object, Object, Object], v: Object, *ahead: Term) -> Term:
    f, x, F = at
    values = {f_any: f, point_any: x, tag_any: F, v_any: v, p_any: D_pair}
    return r * _w, Lemma(key, values, {1: (), **({2: ahead} if ahead else {})})


def _pulled(*slopes: Term) -> Combination:
    """The optima by the slopes of the two forget losses."""
    return Combination(
        (
            ((1 - r) * _w, Schema("strong convexity", (f_shared, theta_one, theta_two, F_one))),
            ((1 - r) * _w, Schema("strong convexity", (f_shared, theta_two, theta_one, F_two))),
            (_w, Schema("stationary", (F_one, between))),
            (-_w, Schema("stationary", (F_two, between))),
            *slopes,
        )
    )


_INWARD, _SPHERE = "sharp.sensitivity.inward", "sharp.sensitivity.sphere"
_DUAL_PROOF = (
    Step(
        "the second ahead",
        _second,
        _pulled(_slope_at(_SPHERE, _ONE, between), _slope_at(_INWARD, _TWO, between, (1, Given(1)))),
    ),
    Step(
        "the first behind",
        _first,
        _pulled(
            _slope_at(_INWARD, _ONE, -between, (1, Given(1)), (1, SquaredNorm(between))),
            _slope_at(_SPHERE, _TWO, -between),
        ),
    ),
    Step("apart", _apart_pair, Cases(a_pair, "the second ahead", "the first behind")),
    Step("equal", _equal, Combination(((1, Given(0)), (_top, One())))),
    Step("pair", _pair, Cases(D_pair, "apart", "equal")),
    Step("all", _dual, Over("pair", spread(r), (f_one, f_two, f_shared))),
)

CLAIMS = (
    _walked("outer", OUTER),
    _walked("inner", INNER),
    theorem(
        "sharp.sensitivity.middle",
        "gauss.sensitivity",
        f"<l'(x), v> <= {float(BACK)} L |v| for v orthogonal to x, |x| >= {float(LEAST)} R",
        _middle,
        proof=_MIDDLE_PROOF,
    ),
    theorem(
        _INWARD,
        "gauss.sensitivity",
        f"<l'(x) - mu x, -v> <= {float(BACK)} L |v| for every member and every point of the ball with <x, v> >= 0",
        _slope,
        proof=_SLOPE_PROOF,
    ),
    theorem(
        "sharp.sensitivity.width",
        "gauss.sensitivity",
        f"the optima for two forget distributions lie at most {float(WIDTH)} r L/mu apart, in every dimension",
        _dual,
        proof=_DUAL_PROOF,
        note="On the line the supremum is r L/mu; in d >= 2 it is at least 1.246 r L/mu for small r "
        "(sharp.sensitivity.wider), and where between these it lies is open.",
    ),
)
