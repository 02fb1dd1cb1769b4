"""The noise lemma: how large a stochastic gradient can be, for every member of the class in every dimension.

|l'(x) - (3/2) mu x|^2 <= (73/256) L^2 + (9/4) mu^2 |x|^2 on the ball, so |l'(x)|^2 <= V L^2 + 3 mu <l'(x), x>.
Near the centre and in the middle the slope along the chord to the sphere decides, near the sphere the
bounds |l'| <= L and |2 mu x - l'| <= L do.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.paper.letters import L, R, mu
from oubli.theory.records.build import eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Cases, Combination, Expectation, Given, Lemma, Square, Step
from oubli.theory.records.vectors import inner, square, vector

V = sp.Rational(73, 256)
root3 = sp.sqrt(3)

g_ball, x_ball = vector("g_ball"), vector("x_ball")
n_ray = letter("n_ray", NONNEGATIVE, "|l'(x) - (3/2) mu x|, and v the unit vector along it")
a_ray = letter("a_ray", meaning="<x, v>")
x_length = letter("x_length", NONNEGATIVE, "|x|")
g_ray = letter("g_ray", meaning="<l'(x), v>")
g_ray_end = letter("g_ray_end", meaning="<l'(x + s v), v> where the ray from x along v meets the sphere")
h_ray = letter("h_ray", NONNEGATIVE, "sqrt(R^2 - |x|^2 + <x, v>^2), so that s = h_ray - a_ray")

_facts = (
    fact("definition", eq(n_ray, g_ray - sp.Rational(3, 2) * mu * a_ray)),
    fact("strong convexity", ge(g_ray_end - g_ray, mu * (h_ray - a_ray))),
    fact("Lipschitz", le(g_ray_end, L)),
    fact("definition", eq(h_ray**2, a_ray**2 + R**2 - x_length**2)),
    fact("Cauchy-Schwarz", ge(x_length + a_ray, 0)),
    fact("Cauchy-Schwarz", ge(x_length - a_ray, 0)),
    fact("definition", ge(h_ray + a_ray, 0)),
)
_gram = (
    fact("definition", eq(n_ray**2, square(g_ball - (sp.Rational(3, 2) * mu) * x_ball))),
    fact("definition", eq(x_length**2, square(x_ball))),
    fact("Lipschitz", le(square(g_ball), L**2)),
    # setup.step_stays.half
    fact("Lipschitz", le(square(g_ball - (2 * mu) * x_ball), L**2)),
)
_target = V * L**2 + sp.Rational(9, 4) * mu**2 * x_length**2
_says = ge(_target - n_ray**2, 0)

# n <= L - mu a/2 - mu h, whatever x is.
_chord = state(ge(L - mu * a_ray / 2 - mu * h_ray - n_ray, 0), *_facts)
_chord_terms = ((1, Given(1)), (1, Given(2)), (-1, Given(0)))

# |x| <= R/2: the worst v points to the centre, n <= (L + mu |x|)/2.
_centre_given = given(ge(L / 4 - mu * x_length, 0))
_centre_bound = (L + mu * x_length) / 2
_below = L * mu * (2 * h_ray) + 2 * L * (L / 4 - mu * x_length) + L * mu * (x_length - a_ray) + L**2 / 2
_centre_near = state(ge(_centre_bound - n_ray, 0), *_facts, _centre_given)
_centre = state(_says, *_facts, _centre_given)

# In the middle: n <= L - (sqrt(3)/2) mu w with w^2 = R^2 - |x|^2.
_root = sp.sqrt(L**2 / 4 - mu**2 * x_length**2)
_inner_given = given(ge(sp.Rational(61, 256) * L**2 - mu**2 * x_length**2, 0))
_middle_given = (_inner_given, given(ge(mu * x_length - L / 4, 0)))
_middle_bound = L - root3 / 2 * _root
_middle_near = state(ge(_middle_bound - n_ray, 0), *_facts, *_middle_given)
_middle = state(_says, *_facts, *_middle_given)
_over = mu * (h_ray + a_ray) + mu * h_ray + root3 * _root
_first = len(_facts)

# Near the sphere: a quarter of one bound and three quarters of the other.
_sphere = state(_says, *_gram, given(ge(mu**2 * x_length**2 - sp.Rational(61, 256) * L**2, 0)))
_inside = state(_says, *_facts, _inner_given)
_everywhere = state(_says, *_facts, *_gram)
_lemma = state(le(square(g_ball), V * L**2 + 3 * mu * inner(g_ball, x_ball)), *_facts, *_gram)
Q_gradient = letter("Q_gradient", NONNEGATIVE, "E|stochastic gradient at x|^2")
C_gradient = letter("C_gradient", meaning="<grad L_r(x), x>")
_mean = state(ge(V * L**2 + 3 * mu * C_gradient - Q_gradient, 0))

CLAIMS = (
    theorem(
        "sharp.noise_lemma",
        "sgd.rate",
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
                        (2 * L * mu * (x_length + a_ray) * 2 / _below, Given(_first)),
                        (2 * L * mu**2 * sp.Rational(3, 4) / _below, Square(x_length + a_ray)),
                        (2 * L * mu**2 / _below, Given(3)),
                    )
                ),
            ),
            Step(
                "centre",
                _centre,
                Combination(
                    (
                        (_centre_bound + n_ray, Lemma("centre: n")),
                        (2, Square(mu * x_length - L / 8)),
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
                        (2 * mu**2 / _over, Square(h_ray / 2 + a_ray)),
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
                            root3 / 2 * mu**2 * x_length**2 / (L / 2 + _root) + L * (1 - root3 / 4) + n_ray,
                            Lemma("middle: n"),
                        ),
                        (
                            3
                            * (
                                root3 * L / 48
                                + (mu * x_length - L / 4) * (mu * x_length + L / 4) / (root3 * L / 4 + _root)
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
            Step("inside", _inside, Cases(mu * x_length - L / 4, "middle", "centre")),
            Step(
                "everywhere",
                _everywhere,
                Cases(sp.Rational(61, 256) * L**2 - mu**2 * x_length**2, "inside", "near the sphere"),
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
        depends=("setup.step_stays.half",),
    ),
    theorem(
        "sharp.noise_lemma.mean",
        "sgd.rate",
        "E|g|^2 <= (73/256) L^2 + 3 mu <grad L_r(x), x> for the stochastic gradient g at any point x of the ball",
        _mean,
        proof=(
            Step(
                "pointwise",
                state(ge(V * L**2 + 3 * mu * inner(g_ball, x_ball) - square(g_ball), 0)),
                Combination(((1, Lemma("sharp.noise_lemma")),)),
            ),
            Step(
                "mean",
                _mean,
                Expectation("pointwise", {square(g_ball): Q_gradient, inner(g_ball, x_ball): C_gradient}),
            ),
        ),
        note="The printed rate uses E|g|^2 <= L^2, which forgets that a large gradient points away from the centre.",
    ),
)
