"""The noise lemma: how large a stochastic gradient can be, for every member of the class in every dimension.

|l'(x) - lambda mu x|^2 <= V L^2 + lambda^2 mu^2 |x|^2 on the ball, so |l'(x)|^2 <= V L^2 + 2 lambda mu <l'(x), x>,
with lambda = 13/10 and V = 169/640, the least V that the centre allows for this lambda. Near the centre and in
the middle the slope along the chord to the sphere decides, near the sphere sharp.noise_lemma.sphere.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.paper.letters import L, R, mu
from oubli.theory.paper.sharper.near_sphere import ETA, LAMBDA, LEAST, V, a_near, b_near, p_near
from oubli.theory.records.build import eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Cases, Combination, Expectation, Given, Lemma, One, Square, Step
from oubli.theory.records.vectors import inner, square, vector

__all__ = ["LAMBDA", "V"]

BETA = sp.sqrt(1 - ETA**2)

g_ball, x_ball = vector("g_ball"), vector("x_ball")
n_ray = letter("n_ray", NONNEGATIVE, "|l'(x) - (13/10) mu x|, and v the unit vector along it")
a_ray = letter("a_ray", meaning="<x, v>")
x_length = letter("x_length", NONNEGATIVE, "|x|")
g_ray = letter("g_ray", meaning="<l'(x), v>")
g_ray_end = letter("g_ray_end", meaning="<l'(x + s v), v> where the ray from x along v meets the sphere")
h_ray = letter("h_ray", NONNEGATIVE, "sqrt(R^2 - |x|^2 + <x, v>^2), so that s = h_ray - a_ray")

_facts = (
    fact("definition", eq(n_ray, g_ray - LAMBDA * mu * a_ray)),
    fact("strong convexity", ge(g_ray_end - g_ray, mu * (h_ray - a_ray))),
    fact("Lipschitz", le(g_ray_end, L)),
    fact("definition", eq(h_ray**2, a_ray**2 + R**2 - x_length**2)),
    fact("Cauchy-Schwarz", ge(x_length + a_ray, 0)),
    fact("Cauchy-Schwarz", ge(x_length - a_ray, 0)),
    fact("definition", ge(h_ray + a_ray, 0)),
)
_gram = (
    fact("definition", eq(n_ray**2, square(g_ball - (LAMBDA * mu) * x_ball))),
    fact("definition", eq(x_length**2, square(x_ball))),
    # The plane of x and l'(x).
    fact("definition", eq(mu * x_length, L * p_near)),
    fact("definition", eq(square(g_ball), L**2 * (a_near**2 + b_near**2))),
    fact("definition", eq(mu * inner(g_ball, x_ball), L**2 * p_near * a_near)),
)
_target = V * L**2 + LAMBDA**2 * mu**2 * x_length**2
_says = ge(_target - n_ray**2, 0)

# n <= L - eta mu a - mu h, whatever x is.
_chord = state(ge(L - ETA * mu * a_ray - mu * h_ray - n_ray, 0), *_facts)
_chord_terms = ((1, Given(1)), (1, Given(2)), (-1, Given(0)))
_first = len(_facts)

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
_centre_near = state(ge(_centre_bound - n_ray, 0), *_facts, _centre_given)
_centre = state(_says, *_facts, _centre_given)

# In the middle: n <= L - sqrt(1 - eta^2) mu w with w^2 = R^2 - |x|^2, between these two values of mu w/L.
_LOW, _HIGH = sp.Rational(249, 1000), BETA / 2
_split = (sp.Rational(1, 4) - _LOW**2) * L**2 - mu**2 * x_length**2
_root = sp.sqrt(L**2 / 4 - mu**2 * x_length**2)
_inner_given = given(ge(_split, 0))
_middle_given = (_inner_given, given(ge(mu * x_length - ETA * L / 2, 0)))
_middle_bound = L - BETA * _root
_middle_near = state(ge(_middle_bound - n_ray, 0), *_facts, *_middle_given)
_middle = state(_says, *_facts, *_middle_given)
_over = ETA * mu * (h_ray + a_ray) + (1 - ETA) * mu * h_ray + BETA * _root
_bend = LAMBDA**2 + BETA**2


def _left_over(w: sp.Expr) -> sp.Expr:
    """What the bound of the middle leaves of the claim at mu w/L: concave."""
    return V + LAMBDA**2 / 4 - LAMBDA**2 * w**2 - (1 - BETA * w) ** 2


_at_low, _at_high = (sp.expand(_left_over(w)) / (_HIGH - _LOW) for w in (_LOW, _HIGH))
_outer = mu * x_length + ETA * L / 2

# Near the sphere.
_sphere = state(_says, *_gram, given(ge(-_split, 0)))
_inside = state(_says, *_facts, _inner_given)
_everywhere = state(_says, *_facts, *_gram)
_lemma = state(le(square(g_ball), V * L**2 + 2 * LAMBDA * mu * inner(g_ball, x_ball)), *_facts, *_gram)
Q_gradient = letter("Q_gradient", NONNEGATIVE, "E|stochastic gradient at x|^2")
C_gradient = letter("C_gradient", meaning="<grad L_r(x), x>")
_mean = state(ge(V * L**2 + 2 * LAMBDA * mu * C_gradient - Q_gradient, 0))

# p >= 0.4335, as p^2 - 0.4335^2 >= 1/4 - 0.249^2 - 0.4335^2 > 0.
_least = p_near + LEAST
_near_sphere = Lemma(
    "sharp.noise_lemma.sphere",
    {},
    {
        0: (
            (1 / (L**2 * _least), Given(5)),
            (-(mu * x_length + L * p_near) / (L**2 * _least), Given(2)),
            ((sp.Rational(1, 4) - _LOW**2 - LEAST**2) / _least, One()),
        )
    },
)

CLAIMS = (
    theorem(
        "sharp.noise_lemma",
        "sgd.rate",
        "every member and every point of the ball: |l'(x)|^2 <= (169/640) L^2 + (13/5) mu <l'(x), x>",
        _lemma,
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
                        (L * mu**2 / _below, Given(3)),
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
                        (mu**2 * (1 - ETA**2) / _over, Given(3)),
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
            Step(
                "near the sphere",
                _sphere,
                Combination(
                    (
                        (L**2, _near_sphere),
                        (-1, Given(0)),
                        (LAMBDA**2 * mu**2, Given(1)),
                        (-1, Given(3)),
                        (2 * LAMBDA, Given(4)),
                    )
                ),
            ),
            Step("inside", _inside, Cases(mu * x_length - ETA * L / 2, "middle", "centre")),
            Step(
                "everywhere",
                _everywhere,
                Cases(_split, "inside", "near the sphere"),
            ),
            Step(
                "lemma",
                _lemma,
                Combination(
                    (
                        (1, Lemma("everywhere")),
                        (1, Given(_first)),
                        (-(LAMBDA**2) * mu**2, Given(_first + 1)),
                    )
                ),
            ),
        ),
        depends=("setup.step_stays.half",),
    ),
    theorem(
        "sharp.noise_lemma.mean",
        "sgd.rate",
        "E|g|^2 <= (169/640) L^2 + (13/5) mu <grad L_r(x), x> for the stochastic gradient g at any point x of the ball",
        _mean,
        proof=(
            Step(
                "pointwise",
                state(ge(V * L**2 + 2 * LAMBDA * mu * inner(g_ball, x_ball) - square(g_ball), 0)),
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
