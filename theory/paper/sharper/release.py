"""Noise alone, done better: the released point is shrunk towards 0, where gradients are smaller.

y = P(theta* + z) is released as q = y/(1 + lambda mu eta). By the noise lemma the risk of q exceeds that of
any point u of the ball by at most |y - u|^2/(2 eta) + eta V L^2/2, where Lipschitz alone would give V = 1.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.paper.descent import n_noise
from oubli.theory.paper.letters import L, R, e, mu, r, retained
from oubli.theory.paper.mirror import f_any, point_any
from oubli.theory.paper.optima import D, theta_all, theta_r
from oubli.theory.paper.sharper.exact import E_cross, E_square, hat, start
from oubli.theory.paper.sharper.noise import LAMBDA, V
from oubli.theory.paper.sharper.shifted import u_any, u_in_ball
from oubli.theory.records.build import by, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import Object, excess, grad, inner, mean, minus, term, value
from oubli.theory.records.proof import Given, Lemma, Mean, One, Schema, SquaredNorm

rootV = sp.sqrt(V)

eta_release = parameter(
    "eta_release", POSITIVE, "how far the release is shrunk: q = y/(1 + lambda mu eta_release)"
)
_grown = 1 + LAMBDA * mu * eta_release
q: Object = (1 / _grown) * hat
_slope = grad(retained, q)
F_mean = term("F_mean", mean(minus(value(retained, q), value(retained, u_any))), "E L_r(q) - L_r(u)")
D_noisy = term(
    "D_noisy", mean(inner(hat - u_any, hat - u_any)), "E|y - u|^2, y the noisy point before it is shrunk"
)
_release = state(le(F_mean, D_noisy / (2 * eta_release) + eta_release * V * L**2 / 2), u_in_ball)
# |q| <= |y| <= R
_inside = (
    (1 / _grown**2, Schema("ball", (hat,))),
    (LAMBDA * mu * eta_release * (2 + LAMBDA * mu * eta_release) / _grown**2 * R**2, One()),
)

n_noisy = parameter("n_noisy", POSITIVE, "a bound on sqrt(E|y - u|^2)")
_best = state(
    le(F_mean, rootV * L * n_noisy),
    u_in_ball,
    given(le(D_noisy, n_noisy**2)),
    given(eq(eta_release * rootV * L, n_noisy)),
)

# --- u = theta*: the noise alone, and the price of theta* itself; u = theta_r*: the distance joins the noise
F_total = term("F_total", mean(excess(retained, q)), "E L_r(q) - L_r*")
_loss = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
_bounded = given(le(E_square, n_noise**2))
_old = state(
    le(F_total, e),
    given(ge(e, _loss + rootV * L * n_noise)),
    given(eq(eta_release * rootV * L, n_noise)),
    _bounded,
)
_new = state(
    le(F_total, e),
    given(ge(e, rootV * L * n_noisy)),
    given(eq(n_noisy**2, n_noise**2 + r**2 * L**2 / mu**2)),
    given(eq(eta_release * rootV * L, n_noisy)),
    _bounded,
    given(le(E_cross, 0)),
)

CLAIMS = (
    theorem(
        "sharp.release",
        "trivial",
        "for every u of the ball and every eta > 0 the shrunk release q = P(theta* + z)/(1 + lambda mu eta) has "
        "E L_r(q) - L_r(u) <= E|y - u|^2/(2 eta) + eta V L^2/2",
        _release,
        proof=by(
            _release,
            (1, Mean(Schema("strong convexity", (retained, q, u_any), {0: _inside}))),
            (mu / 2, Mean(SquaredNorm(u_any - q))),
            (
                eta_release / 2,
                Mean(Lemma("sharp.noise_lemma", {f_any: retained, point_any: q}, {0: _inside})),
            ),
            (1 / (2 * eta_release), Mean(SquaredNorm(hat - u_any - eta_release * _slope))),
        ),
        note="L_r is a member of the class, so the noise lemma holds for it.",
    ),
    theorem(
        "sharp.release.best",
        "trivial",
        "with eta = n_noisy/(sqrt(V) L): E L_r(q) - L_r(u) <= sqrt(V) L n_noisy, n_noisy a bound on sqrt(E|y - u|^2)",
        _best,
        proof=by(
            _best,
            (1, Lemma("sharp.release")),
            (1 / (2 * eta_release), Given(1)),
            (-(eta_release * rootV * L - n_noisy) / (2 * eta_release), Given(2)),
        ),
    ),
    theorem(
        "sharp.trivial",
        "trivial",
        "e >= r^2 L^2/(2 mu (1 - r^2)) + sqrt(V) L n_noise: the release shrunk by eta = n_noise/(sqrt(V) L) needs no gradient",
        _old,
        proof=by(
            _old,
            (
                1,
                Lemma(
                    "sharp.release.best",
                    {u_any: theta_all, n_noisy: n_noise},
                    {1: ((1, Mean(Schema("projection", (start, theta_all)))), (1, Given(2)))},
                ),
            ),
            (1, Lemma("opt_loss.sharper")),
            (1, Given(0)),
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
                    {u_any: theta_r},
                    {
                        1: (
                            (1, Mean(Schema("projection", (start, theta_r)))),
                            (1, Given(3)),
                            (2, Given(4)),
                            (1, Given(1)),
                            (r * L / mu + D, Lemma("opt_dist.sharp")),
                        )
                    },
                ),
            ),
            (1, Given(0)),
        ),
        note="Better than sharp.trivial only where r is large.",
    ),
)
