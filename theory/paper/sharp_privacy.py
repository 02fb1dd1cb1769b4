"""Private noise and what it must cover: exact Gaussian, radial exponential, and the sensitivity in d >= 2."""

from __future__ import annotations

import sympy as sp

from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.privacy import apart, p_u, p_v
from theory.proof import Cases, Combination, Given, Lemma, One, Square, Step
from theory.symbols import (
    NONNEGATIVE,
    POSITIVE,
    UNIT,
    L,
    Phi,
    R,
    d,
    delta,
    eps,
    letter,
    mu,
    parameter,
    r_f,
)
from theory.vectors import square, vector

# --- the Gaussian mechanism at its exact scale
scale = parameter("sigma_u", POSITIVE, "standard deviation of the noise per unit of sensitivity")
hockey = letter("h_N", UNIT, "hockey-stick divergence at e^eps of N(1, sigma_u^2) from N(0, sigma_u^2)")
_exact = Phi(1 / (2 * scale) - eps * scale) - sp.exp(eps) * Phi(-1 / (2 * scale) - eps * scale)
_gaussian = state(le(hockey, delta), fact("Gaussian privacy", eq(hockey, _exact)), given(le(_exact, delta)))

# --- noise with density proportional to exp(-a |z|)
rate = parameter("a_r", POSITIVE, "rate of the radial noise, eps over the sensitivity")
cover = parameter("s_D", POSITIVE, "the sensitivity that the noise covers")
here = letter("n_h", NONNEGATIVE, "|y - theta*(D_f)|, y the point released")
there = letter("n_t", NONNEGATIVE, "|y - theta*(D_f')|")
log_ratio = letter("l_r", meaning="logarithm of the ratio of the two densities at y: a_r (n_t - n_h)")
_radial = state(
    le(log_ratio, eps),
    fact("definition", eq(log_ratio, rate * (there - here))),
    # The triangle inequality.
    fact("Cauchy-Schwarz", le(there, here + apart)),
    given(le(apart, cover)),
    given(eq(rate * cover, eps)),
)
low = letter("I_0", POSITIVE, "integral of rho^(d-1) e^(-a rho) over rho > 0")
mid = letter("I_1", POSITIVE, "integral of rho^d e^(-a rho)")
high = letter("I_2", POSITIVE, "integral of rho^(d+1) e^(-a rho)")
second = letter("z_r", NONNEGATIVE, "E|z|^2 of the radial noise")
_moment = state(
    eq(rate**2 * second, d * (d + 1)),
    fact("definition", eq(second * low, high)),
    # By parts: rho^n e^(-a rho) vanishes at both ends.
    fact("moments", eq(rate * mid, d * low)),
    fact("moments", eq(rate * high, (d + 1) * mid)),
)

# --- retraining does not look at the forget data
_retraining = state(
    le(p_u, sp.exp(eps) * p_v + delta),
    fact("definition", eq(p_u, p_v)),
    fact("exponential", ge(sp.exp(eps), 1)),
)

# --- the slope of l - mu/2 |.|^2 in a direction v, at any point of the ball
g, x = vector("g_s"), vector("x_s")
bent = letter("b_s2", meaning="<l'(x) - mu x, v>, v a unit vector")
slope = letter("g_s1", meaning="<l'(x), v>")
along = letter("a_s1", meaning="<x, v>")
far_slope = letter("g_s2", meaning="<l'(x + s v), v> where the ray from x along v meets the sphere")
reach = letter("h_s1", NONNEGATIVE, "sqrt(R^2 - |x|^2 + <x, v>^2), so that s = h_s1 - a_s1")
_most = sp.Rational(7, 8) * L
_split = sp.Rational(15, 16) * R**2 - square(x)
_inside = state(
    le(bent, _most),
    fact("definition", eq(bent, slope - mu * along)),
    fact("strong convexity", ge(far_slope - slope, mu * (reach - along))),
    fact("Lipschitz", le(far_slope, L)),
    fact("definition", eq(reach**2, along**2 + R**2 - square(x))),
    given(ge(_split, 0)),
)
_outside = state(
    le(bent, _most),
    fact("Cauchy-Schwarz", le(bent**2, square(g - sp.sympify(mu) * x))),
    fact("Lipschitz", le(square(g), L**2)),
    # setup.step_stays.half
    fact("Lipschitz", le(square(g - (2 * mu) * x), L**2)),
    given(ge(-_split, 0)),
)
_bent = state(le(bent, _most), also=(square(x), mu))

bent_1 = letter(
    "b_s3", meaning="<l_f'(theta) - mu theta, v> at theta = theta*(D_f), v from there to theta*(D_f')"
)
bent_2 = letter(
    "b_s4", meaning="<l_f''(theta') - mu theta', -v> at theta' = theta*(D_f'), for the other forget loss"
)
_half_chord = state(
    le(apart, sp.Rational(7, 4) * r_f * L / mu),
    # r (f_v - f_w) >= (1-r) mu D with f_v = b_s3 + mu <theta, v> and f_w = -b_s4 + mu <theta, v> + mu D.
    fact("strong convexity", ge(r_f * (bent_1 + bent_2 - mu * apart), (1 - r_f) * mu * apart)),
)

CLAIMS = (
    repair(
        "sharp.noise.gaussian",
        496,
        "Gaussian noise of scale sigma per unit of sensitivity is (eps, delta)-private once the exact formula says so",
        _gaussian,
        proof=by(_gaussian, (-1, Given(0)), (1, Given(1))),
        note="The calculator takes the least such sigma, rounded up, for every eps, not only for eps <= 1.",
    ),
    repair(
        "sharp.noise.radial",
        496,
        "noise with density proportional to exp(-eps |z|/s) is (eps, 0)-private at sensitivity s",
        _radial,
        proof=by(_radial, (-1, Given(0)), (rate, Given(1)), (rate, Given(2)), (-1, Given(3))),
    ),
    repair(
        "sharp.noise.radial.moment",
        496,
        "its second moment is d (d+1) s^2/eps^2",
        _moment,
        proof=by(
            _moment,
            (rate**2 / low, Given(0)),
            ((d + 1) / low, Given(1)),
            (rate / low, Given(2)),
        ),
    ),
    repair(
        "sharp.retraining",
        480,
        "retraining from scratch ignores the forget data, so it unlearns for every (eps, delta): T^U <= T^S",
        _retraining,
        proof=by(_retraining, (-1, Given(0)), (p_v, Given(1)), (delta, One())),
    ),
    repair(
        "sharp.sensitivity.slope",
        1067,
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
                        (mu / (reach + R / 4), Given(3)),
                        (mu / (reach + R / 4), Given(4)),
                        (mu / (reach + R / 4), Square(along)),
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
                        (1 / (2 * _most), Square(_most - bent)),
                    )
                ),
            ),
            Step("both", _bent, Cases(_split, "inside", "outside")),
        ),
        leans=("setup.step_stays.half",),
    ),
    repair(
        "sharp.sensitivity.half_chord",
        1067,
        "the optima for two forget distributions lie at most (7/4) r L/mu apart, in every dimension",
        _half_chord,
        proof=by(
            _half_chord,
            (1 / mu, Given(0)),
            (r_f / mu, Lemma("sharp.sensitivity.slope", {bent: bent_1})),
            (r_f / mu, Lemma("sharp.sensitivity.slope", {bent: bent_2})),
        ),
        note="Better than the chord bound 2/(1+r) for r < 1/7.",
    ),
)
