"""How far the optima lie apart, and what the old one costs on the retain data (l.1291 to l.1320)."""

from __future__ import annotations

import sympy as sp

from theory.paper.build import (
    A,
    B,
    by,
    case,
    centred,
    eq,
    fact,
    le,
    left,
    repair,
    state,
    statement,
    step,
    value,
)
from theory.proof import Combination, Given, Lemma, Norm, One, Square, Step
from theory.symbols import NONNEGATIVE, L, letter, mu, r_f, rho
from theory.vectors import inner, square, vector

HALF = sp.Rational(1, 2)

dist = letter("D", NONNEGATIVE, "|theta* - theta_r*|")
gap = letter("a", meaning="L_r(theta*) - L_r*, the retain risk of the old optimum in excess of the best")
forget_rise = letter("b", meaning="L_f(theta_r*) - L_f(theta*), mean forget loss")
Delta, g_f, G_r = vector("Delta"), vector("g_f"), vector("G_r")
_distance = fact("definition", eq(dist**2, square(Delta)))

# Delta = theta_r* - theta*, g_f = grad L_f(theta_r*): grad L(theta_r*) = r g_f and grad L(theta*) = 0.
_H1 = fact("strong convexity", le(mu * square(Delta), r_f * inner(g_f, Delta)))
_H2 = fact("Lipschitz", le(square(g_f), L**2))
_sharp = state(le(dist, r_f * L / mu), _H1, _H2, _distance)
_top = r_f * L / mu

# The printed proof: G_r = grad L_r(theta*), at the old optimum.
n_r = letter("n_r", NONNEGATIVE, "|grad L_r(theta*)|")
_printed = state(le(dist, rho * L / mu), _H1, _H2, _distance)
_step1 = state(
    le(mu**2 * dist**2, n_r**2),
    fact("strong convexity", le(mu * square(Delta), -inner(G_r, Delta))),
    fact("definition", eq(n_r**2, square(G_r))),
    _distance,
)

mean_r = letter("m_r", meaning="E l'(theta*, xi_r), one coordinate")
mean_f = letter("m_f", meaning="E l'(theta*, xi_f), the same coordinate")
_both = fact("stationarity", eq((1 - r_f) * mean_r + r_f * mean_f, 0))
_slip = state(eq(mean_r, -rho * mean_r), _both)
_slip_repaired = state(eq(mean_r, -rho * mean_f), _both)
_bound_step = state(
    le(n_r, rho * L),
    fact("stationarity", eq((1 - r_f) * n_r, r_f * letter("n_f", NONNEGATIVE, "|grad L_f(theta*)|"))),
    fact("Lipschitz", le(letter("n_f", NONNEGATIVE), L)),
)

_H3 = fact("strong convexity", le((1 - r_f) * gap + mu / 2 * square(Delta), r_f * forget_rise))
_H4 = fact("strong convexity", le(forget_rise, inner(g_f, Delta) - mu / 2 * square(Delta)))
_loss_bound = r_f**2 * L**2 / (2 * mu * (1 - r_f) * (1 + r_f))
_loss_sharper = state(le(gap, _loss_bound), _H3, _H4, _H2)
_loss = state(le(gap, rho**2 * L**2 / mu), _H3, _H4, _H2)

# The printed proof of the loss bound, mean by mean.
all_rise = letter("a_D", meaning="E_D(l(theta*) - l(theta_r*)), at most 0")
forget_fall = letter("a_f", meaning="E_{D_f}(l(theta*) - l(theta_r*))")
_mixture = fact("definition", eq(all_rise, (1 - r_f) * gap + r_f * forget_fall))
_minimal = fact("definition", le(all_rise, 0))
_loss_step1 = state(eq(gap, all_rise - rho * forget_fall), _mixture, _minimal)
_loss_step1_repaired = state(eq(gap, all_rise / (1 - r_f) - rho * forget_fall), _mixture, _minimal)
_loss_step2 = state(le(gap, -rho * forget_fall), _mixture, _minimal)
_loss_step3 = state(le(-rho * forget_fall, rho * L * dist), fact("Lipschitz", le(-forget_fall, L * dist)))
_loss_step4 = state(le(rho * L * dist, rho**2 * L**2 / mu), fact("definition", le(dist, rho * L / mu)))

# On the line the bound is r^2 L^2/(2 mu): G = -L_r'(theta*) is at most r L.
slope = letter("G_1", NONNEGATIVE, "-L_r'(theta*) on the line, where theta* <= theta_r*")
at = letter("t_s", meaning="theta* on the line")
fgrad = letter("f_1", meaning="L_f'(theta*) on the line")
_slope_small = state(
    le(slope, r_f * L),
    fact("stationarity", eq((1 - r_f) * slope, r_f * fgrad)),
    fact("line", le(fgrad, mu * at + L / 2)),
    fact("line", le(slope, L / 2 - mu * at)),
)
_loss_line = state(
    le(gap, r_f**2 * L**2 / (2 * mu)),
    fact("strong convexity", le(gap, slope * dist - mu / 2 * dist**2)),
    *_slope_small.given,
)

_two_quadratics = {"members": {"A": centred(1), "B": centred(-1)}}
_gradient_and_move = {"g_f": (2,), "Delta": (HALF,)}
_quarter = sp.Rational(1, 4)

CLAIMS = (
    statement(
        "opt_dist",
        1294,
        "the optima lie at most rho L/mu apart",
        _printed,
        "lemma:opt_dist",
        proof=by(
            _printed,
            (1, Lemma("opt_dist.sharp")),
            (r_f**2 * L / (mu * (1 - r_f)), One()),
        ),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: distance 1/2, printed bound 2/3",
                {
                    L: 2,
                    mu: 1,
                    r_f: _quarter,
                    dist: HALF,
                    square(Delta): _quarter,
                    square(g_f): 4,
                    inner(g_f, Delta): left(B, 1) * HALF,
                },
                vectors=_gradient_and_move,
                **_two_quadratics,
            ),
        ),
    ),
    repair(
        "opt_dist.sharp",
        1294,
        "the optima lie at most r L/mu apart, in every dimension",
        _sharp,
        proof=by(
            _sharp,
            (2 / mu / (_top + dist), Given(0)),
            (r_f**2 / mu**2 / (_top + dist), Given(1)),
            (1 / (_top + dist), Norm((r_f / mu) * g_f - Delta)),
            (-1 / (_top + dist), Given(2)),
        ),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: attained",
                {
                    L: 2,
                    mu: 1,
                    r_f: _quarter,
                    dist: HALF,
                    square(Delta): _quarter,
                    square(g_f): 4,
                    inner(g_f, Delta): left(B, 1) * HALF,
                },
                vectors=_gradient_and_move,
                **_two_quadratics,
            ),
        ),
    ),
    step(
        "opt_dist.step",
        1302,
        "E l'(theta*, xi_r) = -rho E l'(theta*, xi_r)",
        _slip,
        "opt_dist",
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4, theta* = 1/2",
                {L: 2, mu: 1, r_f: _quarter, mean_r: left(A, HALF), mean_f: left(B, HALF)},
                **_two_quadratics,
            ),
        ),
        repaired_by="opt_dist.step.repaired",
        note="the second xi_r must be xi_f",
    ),
    repair(
        "opt_dist.step.repaired",
        1302,
        "E l'(theta*, xi_r) = -rho E l'(theta*, xi_f)",
        _slip_repaired,
        proof=by(_slip_repaired, (1 / (1 - r_f), Given(0))),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4, theta* = 1/2",
                {r_f: _quarter, mean_r: -HALF, mean_f: sp.Rational(3, 2)},
            ),
        ),
    ),
    step(
        "opt_dist.convexity",
        1302,
        "mu |theta* - theta_r*| <= |grad L_r(theta*)| (squared)",
        _step1,
        "opt_dist",
        proof=by(
            _step1,
            (2 * mu, Given(0)),
            (1, Given(1)),
            (-(mu**2), Given(2)),
            (1, Norm(G_r + sp.sympify(mu) * Delta)),
        ),
    ),
    step(
        "opt_dist.gradient",
        1302,
        "|grad L_r(theta*)| <= rho L",
        _bound_step,
        "opt_dist",
        proof=by(_bound_step, (-1 / (1 - r_f), Given(0)), (r_f / (1 - r_f), Given(1))),
    ),
    statement(
        "opt_loss",
        1305,
        "the old optimum costs at most rho^2 L^2/mu on the retain data",
        _loss,
        "lemmaopt_loss",
        proof=by(
            _loss,
            (1, Lemma("opt_loss.sharper")),
            (r_f**2 * L**2 * (1 + 3 * r_f) / (2 * mu * (1 - r_f) ** 2 * (1 + r_f)), One()),
        ),
        printed_uses=("opt_dist",),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: gap 1/8, printed bound 4/9",
                {
                    L: 2,
                    mu: 1,
                    r_f: _quarter,
                    gap: value(A, HALF) - value(A, 1),
                    forget_rise: value(B, 1) - value(B, HALF),
                    square(Delta): _quarter,
                    square(g_f): 4,
                    inner(g_f, Delta): 1,
                },
                vectors=_gradient_and_move,
                **_two_quadratics,
            ),
        ),
    ),
    repair(
        "opt_loss.sharper",
        1305,
        "the old optimum costs at most r^2/(1 - r^2) L^2/(2 mu), in every dimension",
        _loss_sharper,
        proof=by(
            _loss_sharper,
            (1 / (1 - r_f), Given(0)),
            (r_f / (1 - r_f), Given(1)),
            (r_f**2 / (2 * mu * (1 - r_f) * (1 + r_f)), Given(2)),
            (mu * (1 + r_f) / (2 * (1 - r_f)), Norm((r_f / (mu * (1 + r_f))) * g_f - Delta)),
        ),
    ),
    repair(
        "opt_loss.line.slope",
        1305,
        "on the line -L_r'(theta*) <= r L",
        _slope_small,
        proof=by(_slope_small, (-1, Given(0)), (r_f, Given(1)), (r_f, Given(2))),
    ),
    repair(
        "opt_loss.line",
        1305,
        "on the line the old optimum costs at most r^2 L^2/(2 mu) = 4 r^2 e0",
        _loss_line,
        proof=(
            Step("slope", _slope_small, Combination(((-1, Given(0)), (r_f, Given(1)), (r_f, Given(2))))),
            Step(
                "gap",
                _loss_line,
                Combination(
                    (
                        (1, Given(0)),
                        (mu / 2, Square(dist - slope / mu)),
                        ((r_f * L + slope) / (2 * mu), Lemma("slope")),
                    )
                ),
            ),
        ),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: attained",
                {
                    L: 2,
                    mu: 1,
                    r_f: _quarter,
                    gap: value(A, HALF) - value(A, 1),
                    dist: HALF,
                    slope: -left(A, HALF),
                    at: HALF,
                    fgrad: left(B, HALF),
                },
                **_two_quadratics,
            ),
        ),
    ),
    step(
        "opt_loss.step1",
        1314,
        "E_r = E_D - rho E_f",
        _loss_step1,
        "opt_loss",
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4",
                {
                    L: 2,
                    mu: 1,
                    r_f: _quarter,
                    gap: value(A, HALF) - value(A, 1),
                    forget_fall: value(B, HALF) - value(B, 1),
                    all_rise: sp.Rational(3, 4) * (value(A, HALF) - value(A, 1))
                    + _quarter * (value(B, HALF) - value(B, 1)),
                },
                **_two_quadratics,
            ),
        ),
        repaired_by="opt_loss.step1.repaired",
    ),
    repair(
        "opt_loss.step1.repaired",
        1314,
        "E_r = E_D/(1 - r) - rho E_f",
        _loss_step1_repaired,
        proof=by(_loss_step1_repaired, (-1 / (1 - r_f), Given(0))),
    ),
    step(
        "opt_loss.step2",
        1315,
        "E_r <= -rho E_f",
        _loss_step2,
        "opt_loss",
        proof=by(_loss_step2, (1 / (1 - r_f), Given(0)), (1 / (1 - r_f), Given(1))),
    ),
    step(
        "opt_loss.step3",
        1316,
        "-rho E_f <= rho L |theta* - theta_r*|",
        _loss_step3,
        "opt_loss",
        proof=by(_loss_step3, (rho, Given(0))),
    ),
    step(
        "opt_loss.step4",
        1317,
        "rho L |theta* - theta_r*| <= rho^2 L^2/mu",
        _loss_step4,
        "opt_loss",
        proof=by(_loss_step4, (rho * L, Given(0))),
    ),
)
