"""The noise lemma: how large a stochastic gradient can be, for every member of the class in every dimension.

|l'(x) - lambda mu x|^2 <= V L^2 + lambda^2 mu^2 |x|^2 on the ball, so |l'(x)|^2 <= V L^2 + 2 lambda mu <l'(x), x>,
with lambda = 6/5 and V = 9/35, the least V that the centre allows for this lambda. Near the centre and in
the middle the slope along the chord to the sphere decides, near the sphere sharp.noise_lemma.sphere.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, parameter
from oubli.theory.paper.letters import L, R, mu
from oubli.theory.paper.mirror import f_any, in_ball, plain, point_any, x_square
from oubli.theory.paper.sharper.near_sphere import (
    ETA,
    LAMBDA,
    LEAST,
    V,
    m_any,
    slope_plain,
    slope_square,
    slope_x,
)
from oubli.theory.records.build import eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import grad, norm, term
from oubli.theory.records.objects import inner as product
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

__all__ = ["LAMBDA", "V"]
BETA = sp.sqrt(1 - ETA**2)

# --- sqrt(y^2 + c) > y
y_root = parameter("y_root", meaning="a number")
c_root = parameter("c_root", POSITIVE, "what is added to its square")
h_root = parameter("h_root", POSITIVE, "sqrt(y_root^2 + c_root)")
_is_root = given(eq(h_root**2, y_root**2 + c_root))
_beyond_y = gt(h_root - y_root, 0)
_up, _down = (state(_beyond_y, _is_root, given(h)) for h in (gt(h_root + y_root, 0), ge(-h_root - y_root, 0)))

# --- along the chord
_tilted = slope_plain - LAMBDA * mu * point_any
tilt_square = term("tilt_square", product(_tilted, _tilted), "|l'(x) - lambda mu x|^2")
x_tilt = term("x_tilt", product(point_any, _tilted), "<x, l'(x) - lambda mu x>")
n_ray = parameter("n_ray", POSITIVE, "|l'(x) - lambda mu x|, and v the unit vector along it")
x_length = parameter("x_length", NONNEGATIVE, "|x|")
h_chord = parameter("h_chord", POSITIVE, "n_ray sqrt(R^2 - |x|^2 + <x, v>^2)")
# <x, v>, and h such that x + (h - <x, v>) v lies on the sphere.
a_ray, h_ray = x_tilt / n_ray, h_chord / n_ray

_ray = (
    in_ball,
    given(eq(tilt_square, n_ray**2)),
    given(eq(h_chord**2, x_tilt**2 + n_ray**2 * (R**2 - x_square))),
    given(eq(x_square, x_length**2)),
    given(ge(x_length + a_ray, 0)),
    given(ge(x_length - a_ray, 0)),
    given(gt(h_ray - a_ray, 0)),
    given(gt(h_ray + a_ray, 0)),
)
_first = len(_ray)
_says = ge(V * L**2 + LAMBDA**2 * mu**2 * x_length**2 - n_ray**2, 0)

# n <= L - eta mu a - mu h, whatever x is: strong convexity between x and the end of the chord.
_chord = state(ge(L - ETA * mu * a_ray - mu * h_ray - n_ray, 0), *_ray)
_far = (h_ray - a_ray) / n_ray
_end = point_any + _far * _tilted
_end_inside = ((-1 / n_ray**2, Given(2)), (-(_far**2), Given(1)))
_chord_terms: tuple[Term, ...] = (
    (1 / (2 * L), Schema("Lipschitz", (f_any, _end), {0: _end_inside})),
    (1 / (2 * L), SquaredNorm(grad(f_any, _end) - (L / n_ray) * _tilted)),
    (1 / (h_ray - a_ray), Schema("strong convexity", (f_any, point_any, _end), {1: _end_inside})),
    (1 / (h_ray - a_ray), Schema("strong convexity", (f_any, _end, point_any), {0: _end_inside})),
    (mu * _far / n_ray - L / (2 * n_ray**2) + 1 / n_ray, Given(1)),
)

# mu |x| <= eta L/2: the worst v points to the centre, n <= L/2 + eta mu |x|.
_centre_given = given(ge(ETA * L / 2 - mu * x_length, 0))
_centre_bound = L / 2 + ETA * mu * x_length
# L (mu h + L/2 - eta mu (|x| + a)), which is positive.
_below = (
    L * mu * h_ray
    + L**2 * (sp.Rational(1, 2) - ETA**2)
    + 2 * ETA * L * (ETA * L / 2 - mu * x_length)
    + ETA * L * mu * (x_length - a_ray)
)
_centre_near = state(ge(_centre_bound - n_ray, 0), *_ray, _centre_given)
_centre = state(_says, *_ray, _centre_given)

# In the middle: n <= L - sqrt(1 - eta^2) mu w with w^2 = R^2 - |x|^2, between these two values of mu w/L.
_LOW, _HIGH = sp.Rational(81, 250), BETA / 2
_level = sp.Rational(1, 4) - _LOW**2
_root = sp.sqrt(L**2 / 4 - mu**2 * x_length**2)
_inner_given = given(ge(_level * L**2 - mu**2 * x_length**2, 0))
_middle_given = (_inner_given, given(ge(mu * x_length - ETA * L / 2, 0)))
_middle_near = state(ge(L - BETA * _root - n_ray, 0), *_ray, *_middle_given)
_middle = state(_says, *_ray, *_middle_given)
_over = ETA * mu * (h_ray + a_ray) + (1 - ETA) * mu * h_ray + BETA * _root
_bend = LAMBDA**2 + BETA**2
_outer = mu * x_length + ETA * L / 2


def _left_over(w: sp.Expr) -> sp.Expr:
    """What the bound of the middle leaves of the claim at mu w/L: concave."""
    return V + LAMBDA**2 / 4 - LAMBDA**2 * w**2 - (1 - BETA * w) ** 2


_at_low, _at_high = (sp.expand(_left_over(w)) / (_HIGH - _LOW) for w in (_LOW, _HIGH))
_inside = state(_says, *_ray, _inner_given)

# --- what the letters of the chord are: n = |tilted|, h a root, by Cauchy-Schwarz |a| <= |x|
n_tilt = term("n_tilt", norm(_tilted), "|l'(x) - lambda mu x|")
_split = 4 * _level * R**2 - x_square
_bound = ge(V * L**2 + LAMBDA**2 * mu**2 * x_square - tilt_square, 0)
_low, _high = given(ge(_split, 0)), given(ge(-_split, 0))
_some, _none = (state(_bound, in_ball, _low, given(h)) for h in (gt(n_tilt, 0), ge(-n_tilt, 0)))
_lower, _upper = state(_bound, in_ball, _low), state(_bound, in_ball, _high)
_everywhere = state(_bound, in_ball)
_lemma = state(le(slope_square, V * L**2 + 2 * LAMBDA * mu * slope_x), in_ball)
_root_h = sp.sqrt(x_tilt**2 + n_tilt**2 * (R**2 - x_square))


def _beyond(y: sp.Expr) -> Lemma:
    """The root exceeds y."""
    return Lemma("sharp.root", {h_root: _root_h, y_root: y, c_root: n_tilt**2 * (R**2 - x_square)}, {0: ()})


_as_letters = {
    1: (),
    2: (),
    3: (),
    4: ((1 / n_tilt, Schema("Cauchy-Schwarz", (-point_any, _tilted))),),
    5: ((1 / n_tilt, Schema("Cauchy-Schwarz", (point_any, _tilted))),),
    6: ((1 / n_tilt, _beyond(x_tilt)),),
    7: ((1 / n_tilt, _beyond(-x_tilt)),),
    _first: ((mu**2, Given(1)),),
}
# mu |x| >= 0.3808 L, as (mu |x|)^2 - (0.3808 L)^2 >= (1/4 - 0.324^2 - 0.3808^2) L^2 > 0.
_sum = mu * m_any + LEAST * L
_near_sphere = Lemma(
    "sharp.noise_lemma.sphere",
    {},
    {1: ((mu**2 / _sum, Given(1)), ((_level - LEAST**2) * L**2 / _sum, One()))},
)

CLAIMS = (
    theorem(
        "sharp.root",
        "sgd.rate",
        "sqrt(y^2 + c) > y for c > 0",
        state(_beyond_y, _is_root),
        proof=(
            Step(
                "up",
                _up,
                Combination(((1 / (h_root + y_root), Given(0)), (c_root / (h_root + y_root), One()))),
            ),
            Step("down", _down, Combination(((1, Given(1)), (2 * h_root, One())))),
            Step("both", state(_beyond_y, _is_root), Cases(h_root + y_root, "up", "down")),
        ),
    ),
    theorem(
        "sharp.noise_lemma.mirror",
        "setup.step_stays.half",
        "setup.step_stays.mirror for the gradient that is drawn",
        plain.near_v(),
        proof=plain.proof_v(),
    ),
    theorem(
        "sharp.noise_lemma.half",
        "setup.step_stays.half",
        "|2 mu x - l'(x)| <= L on the ball, for the gradient that is drawn",
        plain.near(),
        proof=plain.proof("sharp.noise_lemma.mirror"),
    ),
    theorem(
        "sharp.noise_lemma.inside",
        "sgd.rate",
        "|l'(x) - lambda mu x|^2 <= V L^2 + lambda^2 mu^2 |x|^2 where mu^2 |x|^2 <= (1/4 - 0.324^2) L^2: by the chord",
        _inside,
        proof=(
            Step("along the chord", _chord, Combination(_chord_terms)),
            Step(
                "centre: n",
                _centre_near,
                Combination(
                    (
                        (1, Lemma("along the chord")),
                        (2 * L * mu * (x_length + a_ray) / _below, Given(_first)),
                        (L * mu**2 * (1 - ETA**2) / _below, Square(x_length + a_ray)),
                        (L * mu**2 / (_below * n_ray**2), Given(2)),
                        (-L * mu**2 / _below, Given(3)),
                    )
                ),
            ),
            Step(
                "centre",
                _centre,
                Combination(
                    (
                        (_centre_bound + n_ray, Lemma("centre: n")),
                        (1 + 2 * ETA, Square(mu * x_length - ETA * L / (2 * (1 + 2 * ETA)))),
                    )
                ),
            ),
            Step(
                "middle: n",
                _middle_near,
                Combination(
                    (
                        (1, Lemma("along the chord")),
                        (mu**2 / _over, Square(ETA * h_ray + a_ray)),
                        (mu**2 * (1 - ETA**2) / (_over * n_ray**2), Given(2)),
                        (-(mu**2) * (1 - ETA**2) / _over, Given(3)),
                    )
                ),
            ),
            Step(
                "middle",
                _middle,
                Combination(
                    (
                        (
                            BETA * mu**2 * x_length**2 / (L / 2 + _root) + L * (1 - BETA / 2) + n_ray,
                            Lemma("middle: n"),
                        ),
                        (
                            (
                                _bend * (mu * x_length - ETA * L / 2) * _outer / (_HIGH * L + _root)
                                + _at_high * L
                            )
                            / (_root + _LOW * L),
                            Given(_first),
                        ),
                        (_at_low * L * _outer / (_HIGH * L + _root), Given(_first + 1)),
                    )
                ),
            ),
            Step("inside", _inside, Cases(mu * x_length - ETA * L / 2, "middle", "centre")),
        ),
    ),
    theorem(
        "sharp.noise_lemma",
        "sgd.rate",
        "every member and every point of the ball: |l'(x)|^2 <= (9/35) L^2 + (12/5) mu <l'(x), x>",
        _lemma,
        proof=(
            Step(
                "some",
                _some,
                Combination(
                    (
                        (
                            1,
                            Lemma(
                                "sharp.noise_lemma.inside",
                                {n_ray: n_tilt, x_length: m_any, h_chord: _root_h},
                                _as_letters,
                            ),
                        ),
                    )
                ),
            ),
            Step(
                "none",
                _none,
                Combination(
                    ((n_tilt, Given(2)), (V * L**2, One()), (LAMBDA**2 * mu**2, SquaredNorm(point_any)))
                ),
            ),
            Step("inside", _lower, Cases(n_tilt, "some", "none")),
            Step("near the sphere", _upper, Combination(((1, _near_sphere),))),
            Step("everywhere", _everywhere, Cases(_split, "inside", "near the sphere")),
            Step("lemma", _lemma, Combination(((1, Lemma("everywhere")),))),
        ),
        note="The printed rate uses |g| <= L, which forgets that a large gradient points away from the centre.",
    ),
)
