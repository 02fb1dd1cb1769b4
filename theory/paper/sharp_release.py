"""Noise alone, done better: the released point is shrunk towards 0, where gradients are smaller.

y = P(theta* + z) is released as q = y/(1 + (3/2) mu eta). By the noise lemma the risk of q exceeds that of
any point u of the ball by at most |y - u|^2/(2 eta) + eta V L^2/2, where Lipschitz alone would give V = 1.
"""

from __future__ import annotations

import sympy as sp

from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.optima import dist, gap
from theory.paper.sharp_noise import V, g, x
from theory.proof import Combination, Expectation, Given, Lemma, Norm, Step
from theory.symbols import NONNEGATIVE, POSITIVE, L, e, letter, mu, parameter, r_f
from theory.vectors import inner, square, vector

rootV = sp.sqrt(73) / 16

q, u, G = vector("q"), vector("u"), vector("G")
eta = parameter("eta_r", POSITIVE, "how far the release is shrunk: q = y/(1 + (3/2) mu eta_r)")
over = letter("F_q", meaning="L_r(q) - L_r(u), q the released point")
mean_over = letter("F_m", meaning="E L_r(q) - L_r(u)")
spread2 = letter("D_y", NONNEGATIVE, "E|y - u|^2, y the noisy point before it is shrunk")
_grown = 1 + sp.Rational(3, 2) * mu * eta
_pointwise = state(
    ge(square(_grown * q - u) / (2 * eta) + eta * V * L**2 / 2 - over, 0),
    fact("strong convexity", le(over, inner(G, q) - inner(G, u))),
    also=(square(G),),
)
_means = {
    over: mean_over,
    square(q): letter("E<q,q>", meaning="E|q|^2"),
    inner(q, u): letter("E<q,u>", meaning="E<q, u>"),
}
_spread = _grown**2 * _means[square(q)] - 2 * _grown * _means[inner(q, u)] + square(u)
_in_mean = state(ge(_spread / (2 * eta) + eta * V * L**2 / 2 - mean_over, 0))
_release = state(
    ge(spread2 / (2 * eta) + eta * V * L**2 / 2 - mean_over, 0),
    fact("definition", eq(spread2, _spread)),
)

root2 = parameter("n_y", POSITIVE, "a bound on sqrt(E|y - u|^2)")
_best = state(
    le(mean_over, rootV * L * root2),
    given(le(spread2, root2**2)),
    given(eq(eta * rootV * L, root2)),
    also=(mu,),
)

# --- u = theta*: the noise alone, and the price of theta* itself
rms = parameter("n_z", POSITIVE, "a bound on sqrt(E|z|^2), z the noise")
total = letter("F_z", meaning="E L_r(q) - L_r*")
_loss = r_f**2 * L**2 / (2 * mu * (1 - r_f) * (1 + r_f))
_old = state(
    le(total, e),
    # |P(theta* + z) - theta*| <= |z|
    fact("projection", le(spread2, rms**2)),
    fact("definition", eq(total, mean_over + gap)),
    given(ge(e, _loss + rootV * L * rms)),
    given(eq(eta * rootV * L, rms)),
)
# --- u = theta_r*: the distance of the optima joins the noise
_new = state(
    le(mean_over, e),
    fact("moments", le(spread2, rms**2 + dist**2)),
    given(ge(e, rootV * L * root2)),
    given(eq(root2**2, rms**2 + r_f**2 * L**2 / mu**2)),
    given(eq(eta * rootV * L, root2)),
)

CLAIMS = (
    repair(
        "sharp.release",
        531,
        "for every u of the ball and every eta > 0 the shrunk release q = P(theta* + z)/(1 + (3/2) mu eta) has "
        "E L_r(q) - L_r(u) <= E|y - u|^2/(2 eta) + eta V L^2/2, V = 73/256",
        _release,
        proof=(
            Step(
                "pointwise",
                _pointwise,
                Combination(
                    (
                        (1, Given(0)),
                        (
                            eta / 2,
                            Lemma("sharp.noise_lemma", {square(g): square(G), inner(g, x): inner(G, q)}),
                        ),
                        (1 / (2 * eta), Norm(_grown * q - u - eta * G)),
                    )
                ),
            ),
            Step("mean", _in_mean, Expectation("pointwise", _means)),
            Step(
                "release",
                _release,
                Combination(((1, Lemma("mean")), (1 / (2 * eta), Given(0)))),
            ),
        ),
        note="G is the gradient of L_r at q; L_r is a member of the class, so the noise lemma holds for it.",
    ),
    repair(
        "sharp.release.best",
        531,
        "with eta = n_y/(sqrt(V) L): E L_r(q) - L_r(u) <= sqrt(V) L n_y, n_y a bound on sqrt(E|y - u|^2)",
        _best,
        proof=by(
            _best,
            (1, Lemma("sharp.release")),
            (1 / (2 * eta), Given(0)),
            (-(eta * rootV * L - root2) / (2 * eta), Given(1)),
        ),
    ),
    repair(
        "sharp.trivial",
        531,
        "e >= r^2 L^2/(2 mu (1 - r^2)) + sqrt(V) L n_z: the release shrunk by eta = n_z/(sqrt(V) L) needs no gradient",
        _old,
        proof=by(
            _old,
            (1, Lemma("sharp.release.best", {root2: rms})),
            (1, Lemma("opt_loss.sharper")),
            (-1, Given(1)),
            (1, Given(2)),
        ),
    ),
    repair(
        "sharp.trivial.near",
        531,
        "e >= sqrt(V) L sqrt(E|z|^2 + r^2 L^2/mu^2) suffices as well",
        _new,
        proof=by(
            _new,
            (
                1,
                Lemma(
                    "sharp.release.best",
                    because={
                        0: (
                            (1, Given(0)),
                            (1, Given(2)),
                            (r_f * L / mu + dist, Lemma("opt_dist.sharp")),
                        )
                    },
                ),
            ),
            (1, Given(1)),
        ),
        note="Better than sharp.trivial only where r is large.",
    ),
)
