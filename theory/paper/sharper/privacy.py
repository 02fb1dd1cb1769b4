"""Private noise and what it must cover: exact Gaussian, radial exponential, and the sensitivity in d >= 2."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, UNIT, Phi, letter, parameter
from oubli.theory.paper.letters import A_scratch, L, R, S_any, T, d, delta, epsilon, mu, r
from oubli.theory.paper.privacy import D_optima, data_one, data_two
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.objects import chance, numeric, out, term
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, Schema, Square, Step
from oubli.theory.records.vectors import square, vector

# --- the Gaussian mechanism at its exact scale
sigma_unit = parameter("sigma_unit", POSITIVE, "standard deviation of the noise per unit of sensitivity")
h_gaussian = letter(
    "h_gaussian", UNIT, "hockey-stick divergence at e^eps of N(1, sigma_unit^2) from N(0, sigma_unit^2)"
)
_exact = Phi(1 / (2 * sigma_unit) - epsilon * sigma_unit) - sp.exp(epsilon) * Phi(
    -1 / (2 * sigma_unit) - epsilon * sigma_unit
)
_gaussian = state(
    le(h_gaussian, delta), fact("Gaussian privacy", eq(h_gaussian, _exact)), given(le(_exact, delta))
)

# --- noise with density proportional to exp(-a |z|)
a_radial = parameter("a_radial", POSITIVE, "rate of the radial noise, eps over the sensitivity")
s_cover = parameter("s_cover", POSITIVE, "the sensitivity that the noise covers")
n_here = letter("n_here", NONNEGATIVE, "|y - theta*(D_f)|, y the point released")
n_there = letter("n_there", NONNEGATIVE, "|y - theta*(D_f')|")
l_ratio = letter(
    "l_ratio", meaning="logarithm of the ratio of the two densities at y: a_radial (n_there - n_here)"
)
_radial = state(
    le(l_ratio, epsilon),
    fact("definition", eq(l_ratio, a_radial * (n_there - n_here))),
    # The triangle inequality.
    fact("Cauchy-Schwarz", le(n_there, n_here + D_optima)),
    given(le(D_optima, s_cover)),
    given(eq(a_radial * s_cover, epsilon)),
)
I_0 = letter("I_0", POSITIVE, "integral of rho^(d-1) e^(-a rho) over rho > 0")
I_1 = letter("I_1", POSITIVE, "integral of rho^d e^(-a rho)")
I_2 = letter("I_2", POSITIVE, "integral of rho^(d+1) e^(-a rho)")
z_radial = letter("z_radial", NONNEGATIVE, "E|z|^2 of the radial noise")
_moment = state(
    eq(a_radial**2 * z_radial, d * (d + 1)),
    fact("definition", eq(z_radial * I_0, I_2)),
    # By parts: rho^n e^(-a rho) vanishes at both ends.
    fact("moments", eq(a_radial * I_1, d * I_0)),
    fact("moments", eq(a_radial * I_2, (d + 1) * I_1)),
)

# --- retraining does not look at the forget data
P_retrained, P_retrained_other = (
    term(name, chance(out(A_scratch, D, T), S_any), "P[retrained in S]")
    for name, D in (("P_retrained", data_one), ("P_retrained_other", data_two))
)
_retraining = state(le(P_retrained, sp.exp(epsilon) * P_retrained_other + delta))
_forgets = Schema("unlearning", (A_scratch, data_one, data_two, numeric(T), S_any))

# --- the slope of l - mu/2 |.|^2 in a direction v, at any point of the ball
g_any, x_any = vector("g_any"), vector("x_any")
b_along = letter("b_along", meaning="<l'(x) - mu x, v>, v a unit vector")
g_along = letter("g_along", meaning="<l'(x), v>")
a_along = letter("a_along", meaning="<x, v>")
g_along_end = letter("g_along_end", meaning="<l'(x + s v), v> where the ray from x along v meets the sphere")
h_along = letter("h_along", NONNEGATIVE, "sqrt(R^2 - |x|^2 + <x, v>^2), so that s = h_along - a_along")
_most = sp.Rational(7, 8) * L
_split = sp.Rational(15, 16) * R**2 - square(x_any)
_inside = state(
    le(b_along, _most),
    fact("definition", eq(b_along, g_along - mu * a_along)),
    fact("strong convexity", ge(g_along_end - g_along, mu * (h_along - a_along))),
    fact("Lipschitz", le(g_along_end, L)),
    fact("definition", eq(h_along**2, a_along**2 + R**2 - square(x_any))),
    given(ge(_split, 0)),
)
_outside = state(
    le(b_along, _most),
    fact("Cauchy-Schwarz", le(b_along**2, square(g_any - sp.sympify(mu) * x_any))),
    fact("Lipschitz", le(square(g_any), L**2)),
    # setup.step_stays.half
    fact("Lipschitz", le(square(g_any - (2 * mu) * x_any), L**2)),
    given(ge(-_split, 0)),
)
_bent = state(le(b_along, _most), also=(square(x_any), mu))

b_here = letter(
    "b_here", meaning="<l_f'(theta) - mu theta, v> at theta = theta*(D_f), v from there to theta*(D_f')"
)
b_there = letter(
    "b_there", meaning="<l_f''(theta') - mu theta', -v> at theta' = theta*(D_f'), for the other forget loss"
)
_half_chord = state(
    le(D_optima, sp.Rational(7, 4) * r * L / mu),
    # r (f_here - f_there) >= (1-r) mu D with f_here = b_here + mu <theta, v> and f_there = -b_there + mu <theta, v> + mu D.
    fact("strong convexity", ge(r * (b_here + b_there - mu * D_optima), (1 - r) * mu * D_optima)),
)

CLAIMS = (
    theorem(
        "sharp.noise.gaussian",
        "gauss.kappa",
        "Gaussian noise of scale sigma per unit of sensitivity is (eps, delta)-private once the exact formula says so",
        _gaussian,
        proof=by(_gaussian, (-1, Given(0)), (1, Given(1))),
        note="The calculator takes the least such sigma, rounded up, for every eps, not only for eps <= 1.",
    ),
    theorem(
        "sharp.noise.radial",
        "gauss.kappa",
        "noise with density proportional to exp(-eps |z|/s) is (eps, 0)-private at sensitivity s",
        _radial,
        proof=by(_radial, (-1, Given(0)), (a_radial, Given(1)), (a_radial, Given(2)), (-1, Given(3))),
    ),
    theorem(
        "sharp.noise.radial.moment",
        "gauss.kappa",
        "its second moment is d (d+1) s^2/eps^2",
        _moment,
        proof=by(
            _moment,
            (a_radial**2 / I_0, Given(0)),
            ((d + 1) / I_0, Given(1)),
            (a_radial / I_0, Given(2)),
        ),
    ),
    theorem(
        "sharp.retraining",
        "def.time",
        "retraining from scratch ignores the forget data, so it unlearns for every (eps, delta): T^U <= T^S",
        _retraining,
        proof=by(_retraining, (1, _forgets)),
    ),
    theorem(
        "sharp.sensitivity.slope",
        "gauss.sensitivity",
        "<l'(x) - mu x, v> <= (7/8) L for every member, every point of the ball and every unit vector v",
        _bent,
        proof=(
            Step(
                "inside",
                _inside,
                Combination(
                    (
                        (1, Given(1)),
                        (1, Given(2)),
                        (-1, Given(0)),
                        (mu / (h_along + R / 4), Given(3)),
                        (mu / (h_along + R / 4), Given(4)),
                        (mu / (h_along + R / 4), Square(a_along)),
                    )
                ),
            ),
            Step(
                "outside",
                _outside,
                Combination(
                    (
                        (1 / (2 * _most), Given(0)),
                        (1 / (4 * _most), Given(1)),
                        (1 / (4 * _most), Given(2)),
                        (mu**2 / (2 * _most), Given(3)),
                        (1 / (2 * _most), Square(_most - b_along)),
                    )
                ),
            ),
            Step("both", _bent, Cases(_split, "inside", "outside")),
        ),
        depends=("setup.step_stays.half",),
    ),
    theorem(
        "sharp.sensitivity.half_chord",
        "gauss.sensitivity",
        "the optima for two forget distributions lie at most (7/4) r L/mu apart, in every dimension",
        _half_chord,
        proof=by(
            _half_chord,
            (1 / mu, Given(0)),
            (r / mu, Lemma("sharp.sensitivity.slope", {b_along: b_here})),
            (r / mu, Lemma("sharp.sensitivity.slope", {b_along: b_there})),
        ),
        note="Better than the chord bound 2/(1+r) for r < 1/7.",
    ),
)
