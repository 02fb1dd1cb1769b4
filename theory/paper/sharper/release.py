"""Noise alone, done better: the released point is shrunk towards 0, where gradients are smaller.

y = P(theta* + z) is released as q = y/(1 + (13/10) mu eta). By the noise lemma the risk of q exceeds that of
any point u of the ball by at most |y - u|^2/(2 eta) + eta V L^2/2, where Lipschitz alone would give V = 1.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, letter, parameter
from oubli.theory.paper.descent import n_noise
from oubli.theory.paper.letters import L, e, mu, r
from oubli.theory.paper.optima import D, a_retain
from oubli.theory.paper.sharper.noise import LAMBDA, V, g_ball, x_ball
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Lemma, Norm, Step
from oubli.theory.records.vectors import inner, square, vector

rootV = sp.sqrt(V)

q, u_target, G = vector("q"), vector("u_target"), vector("G")
eta_release = parameter(
    "eta_release", POSITIVE, "how far the release is shrunk: q = y/(1 + (13/10) mu eta_release)"
)
F_release = letter("F_release", meaning="L_r(q) - L_r(u), q the released point")
F_mean = letter("F_mean", meaning="E L_r(q) - L_r(u)")
D_noisy = letter("D_noisy", NONNEGATIVE, "E|y - u|^2, y the noisy point before it is shrunk")
_grown = 1 + LAMBDA * mu * eta_release
_pointwise = state(
    ge(square(_grown * q - u_target) / (2 * eta_release) + eta_release * V * L**2 / 2 - F_release, 0),
    fact("strong convexity", le(F_release, inner(G, q) - inner(G, u_target))),
    also=(square(G),),
)
E_q_q = letter("E<q,q>", meaning="E|q|^2")
E_q_u_target = letter("E<q,u_target>", meaning="E<q, u>")
_means = {F_release: F_mean, square(q): E_q_q, inner(q, u_target): E_q_u_target}
_spread = _grown**2 * E_q_q - 2 * _grown * E_q_u_target + square(u_target)
_in_mean = state(ge(_spread / (2 * eta_release) + eta_release * V * L**2 / 2 - F_mean, 0))
_release = state(
    ge(D_noisy / (2 * eta_release) + eta_release * V * L**2 / 2 - F_mean, 0),
    fact("definition", eq(D_noisy, _spread)),
)

n_noisy = parameter("n_noisy", POSITIVE, "a bound on sqrt(E|y - u|^2)")
_best = state(
    le(F_mean, rootV * L * n_noisy),
    given(le(D_noisy, n_noisy**2)),
    given(eq(eta_release * rootV * L, n_noisy)),
    also=(mu,),
)

# --- u = theta*: the noise alone, and the price of theta* itself
F_total = letter("F_total", meaning="E L_r(q) - L_r*")
_loss = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
_old = state(
    le(F_total, e),
    # |P(theta* + z) - theta*| <= |z|
    fact("projection", le(D_noisy, n_noise**2)),
    fact("definition", eq(F_total, F_mean + a_retain)),
    given(ge(e, _loss + rootV * L * n_noise)),
    given(eq(eta_release * rootV * L, n_noise)),
)
# --- u = theta_r*: the distance of the optima joins the noise
_new = state(
    le(F_mean, e),
    fact("moments", le(D_noisy, n_noise**2 + D**2)),
    given(ge(e, rootV * L * n_noisy)),
    given(eq(n_noisy**2, n_noise**2 + r**2 * L**2 / mu**2)),
    given(eq(eta_release * rootV * L, n_noisy)),
)

CLAIMS = (
    theorem(
        "sharp.release",
        "trivial",
        "for every u of the ball and every eta > 0 the shrunk release q = P(theta* + z)/(1 + (13/10) mu eta) has "
        "E L_r(q) - L_r(u) <= E|y - u|^2/(2 eta) + eta V L^2/2, V = 169/640",
        _release,
        proof=(
            Step(
                "pointwise",
                _pointwise,
                Combination(
                    (
                        (1, Given(0)),
                        (
                            eta_release / 2,
                            Lemma(
                                "sharp.noise_lemma",
                                {square(g_ball): square(G), inner(g_ball, x_ball): inner(G, q)},
                            ),
                        ),
                        (1 / (2 * eta_release), Norm(_grown * q - u_target - eta_release * G)),
                    )
                ),
            ),
            Step("mean", _in_mean, Expectation("pointwise", _means)),
            Step(
                "release",
                _release,
                Combination(((1, Lemma("mean")), (1 / (2 * eta_release), Given(0)))),
            ),
        ),
        note="G is the gradient of L_r at q; L_r is a member of the class, so the noise lemma holds for it.",
    ),
    theorem(
        "sharp.release.best",
        "trivial",
        "with eta = n_noisy/(sqrt(V) L): E L_r(q) - L_r(u) <= sqrt(V) L n_noisy, n_noisy a bound on sqrt(E|y - u|^2)",
        _best,
        proof=by(
            _best,
            (1, Lemma("sharp.release")),
            (1 / (2 * eta_release), Given(0)),
            (-(eta_release * rootV * L - n_noisy) / (2 * eta_release), Given(1)),
        ),
    ),
    theorem(
        "sharp.trivial",
        "trivial",
        "e >= r^2 L^2/(2 mu (1 - r^2)) + sqrt(V) L n_noise: the release shrunk by eta = n_noise/(sqrt(V) L) needs no gradient",
        _old,
        proof=by(
            _old,
            (1, Lemma("sharp.release.best", {n_noisy: n_noise})),
            (1, Lemma("opt_loss.sharper")),
            (-1, Given(1)),
            (1, Given(2)),
        ),
    ),
    theorem(
        "sharp.trivial.near",
        "trivial",
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
                            (r * L / mu + D, Lemma("opt_dist.sharp")),
                        )
                    },
                ),
            ),
            (1, Given(1)),
        ),
        note="Better than sharp.trivial only where r is large.",
    ),
)
