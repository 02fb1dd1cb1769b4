"""The noise lemma: how large a stochastic gradient can be, for every member of the class in every dimension.

|l'(x) - (3/2) mu x|^2 <= (73/256) L^2 + (9/4) mu^2 |x|^2 on the ball, so |l'(x)|^2 <= V L^2 + 3 mu <l'(x), x>.
Near the centre and in the middle the slope along the chord to the sphere decides, near the sphere the
bounds |l'| <= L and |2 mu x - l'| <= L do.
"""

from __future__ import annotations

import sympy as sp

from theory.paper.build import eq, fact, ge, given, le, repair, state
from theory.proof import Cases, Combination, Expectation, Given, Lemma, Square, Step
from theory.symbols import NONNEGATIVE, L, R, letter, mu
from theory.vectors import inner, square, vector

V = sp.Rational(73, 256)
root3 = sp.sqrt(3)

g, x = vector("g"), vector("x")
length = letter("n_q", NONNEGATIVE, "|l'(x) - (3/2) mu x|, and v the unit vector along it")
along = letter("a_q", meaning="<x, v>")
away = letter("x_q", NONNEGATIVE, "|x|")
slope = letter("g_q", meaning="<l'(x), v>")
far_slope = letter("g_Q", meaning="<l'(x + s v), v> where the ray from x along v meets the sphere")
reach = letter("h_q", NONNEGATIVE, "sqrt(R^2 - |x|^2 + <x, v>^2), so that s = h_q - a_q")

_facts = (
    fact("definition", eq(length, slope - sp.Rational(3, 2) * mu * along)),
    fact("strong convexity", ge(far_slope - slope, mu * (reach - along))),
    fact("Lipschitz", le(far_slope, L)),
    fact("definition", eq(reach**2, along**2 + R**2 - away**2)),
    fact("Cauchy-Schwarz", ge(away + along, 0)),
    fact("Cauchy-Schwarz", ge(away - along, 0)),
    fact("definition", ge(reach + along, 0)),
)
_gram = (
    fact("definition", eq(length**2, square(g - (sp.Rational(3, 2) * mu) * x))),
    fact("definition", eq(away**2, square(x))),
    fact("Lipschitz", le(square(g), L**2)),
    # setup.step_stays.half
    fact("Lipschitz", le(square(g - (2 * mu) * x), L**2)),
)
_target = V * L**2 + sp.Rational(9, 4) * mu**2 * away**2
_says = ge(_target - length**2, 0)

# n <= L - mu a/2 - mu h, whatever x is.
_chord = state(ge(L - mu * along / 2 - mu * reach - length, 0), *_facts)
_chord_terms = ((1, Given(1)), (1, Given(2)), (-1, Given(0)))

# |x| <= R/2: the worst v points to the centre, n <= (L + mu |x|)/2.
_centre_given = given(ge(L / 4 - mu * away, 0))
_centre_bound = (L + mu * away) / 2
_below = L * mu * (2 * reach) + 2 * L * (L / 4 - mu * away) + L * mu * (away - along) + L**2 / 2
_centre_near = state(ge(_centre_bound - length, 0), *_facts, _centre_given)
_centre = state(_says, *_facts, _centre_given)

# In the middle: n <= L - (sqrt(3)/2) mu w with w^2 = R^2 - |x|^2.
_root = sp.sqrt(L**2 / 4 - mu**2 * away**2)
_inner_given = given(ge(sp.Rational(61, 256) * L**2 - mu**2 * away**2, 0))
_middle_given = (_inner_given, given(ge(mu * away - L / 4, 0)))
_middle_bound = L - root3 / 2 * _root
_middle_near = state(ge(_middle_bound - length, 0), *_facts, *_middle_given)
_middle = state(_says, *_facts, *_middle_given)
_over = mu * (reach + along) + mu * reach + root3 * _root
_first = len(_facts)

# Near the sphere: a quarter of one bound and three quarters of the other.
_sphere = state(_says, *_gram, given(ge(mu**2 * away**2 - sp.Rational(61, 256) * L**2, 0)))
_inside = state(_says, *_facts, _inner_given)
_everywhere = state(_says, *_facts, *_gram)
_lemma = state(le(square(g), V * L**2 + 3 * mu * inner(g, x)), *_facts, *_gram)
size = letter("Q_g", NONNEGATIVE, "E|stochastic gradient at x|^2")
moment = letter("C_g", meaning="<grad L_r(x), x>")
_mean = state(ge(V * L**2 + 3 * mu * moment - size, 0))

CLAIMS = (
    repair(
        "sharp.noise_lemma",
        1277,
        "every member and every point of the ball: |l'(x)|^2 <= (73/256) L^2 + 3 mu <l'(x), x>",
        _lemma,
        proof=(
            Step("along the chord", _chord, Combination(_chord_terms)),
            Step(
                "centre: n",
                _centre_near,
                Combination(
                    (
                        (1, Lemma("along the chord")),
                        (2 * L * mu * (away + along) * 2 / _below, Given(_first)),
                        (2 * L * mu**2 * sp.Rational(3, 4) / _below, Square(away + along)),
                        (2 * L * mu**2 / _below, Given(3)),
                    )
                ),
            ),
            Step(
                "centre",
                _centre,
                Combination(
                    (
                        (_centre_bound + length, Lemma("centre: n")),
                        (2, Square(mu * away - L / 8)),
                        (sp.Rational(1, 256), Square(L)),
                    )
                ),
            ),
            Step(
                "middle: n",
                _middle_near,
                Combination(
                    (
                        (1, Lemma("along the chord")),
                        (2 * mu**2 / _over, Square(reach / 2 + along)),
                        (sp.Rational(3, 2) * mu**2 / _over, Given(3)),
                    )
                ),
            ),
            Step(
                "middle",
                _middle,
                Combination(
                    (
                        (
                            root3 / 2 * mu**2 * away**2 / (L / 2 + _root) + L * (1 - root3 / 4) + length,
                            Lemma("middle: n"),
                        ),
                        (
                            3
                            * (
                                root3 * L / 48
                                + (mu * away - L / 4) * (mu * away + L / 4) / (root3 * L / 4 + _root)
                            )
                            / (_root + root3 * L / 16),
                            Given(_first),
                        ),
                    )
                ),
            ),
            Step(
                "near the sphere",
                _sphere,
                Combination(
                    (
                        (sp.Rational(1, 4), Given(2)),
                        (sp.Rational(3, 4), Given(3)),
                        (3, Given(4)),
                        (-1, Given(0)),
                        (-sp.Rational(3, 4) * mu**2, Given(1)),
                    )
                ),
            ),
            Step("inside", _inside, Cases(mu * away - L / 4, "middle", "centre")),
            Step(
                "everywhere",
                _everywhere,
                Cases(sp.Rational(61, 256) * L**2 - mu**2 * away**2, "inside", "near the sphere"),
            ),
            Step(
                "lemma",
                _lemma,
                Combination(
                    (
                        (1, Lemma("everywhere")),
                        (1, Given(_first)),
                        (-sp.Rational(9, 4) * mu**2, Given(_first + 1)),
                    )
                ),
            ),
        ),
        leans=("setup.step_stays.half",),
    ),
    repair(
        "sharp.noise_lemma.mean",
        1277,
        "E|g|^2 <= (73/256) L^2 + 3 mu <grad L_r(x), x> for the stochastic gradient g at any point x of the ball",
        _mean,
        proof=(
            Step(
                "pointwise",
                state(ge(V * L**2 + 3 * mu * inner(g, x) - square(g), 0)),
                Combination(((1, Lemma("sharp.noise_lemma")),)),
            ),
            Step("mean", _mean, Expectation("pointwise", {square(g): size, inner(g, x): moment})),
        ),
        note="The printed rate uses E|g|^2 <= L^2, which forgets that a large gradient points away from the centre.",
    ),
)
