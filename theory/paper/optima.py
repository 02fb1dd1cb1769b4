"""How far the optima lie apart, and what the old one costs on the retain data (l.1291 to l.1320)."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.paper.letters import L, centred, d, forgotten, mu, r, retained, rho
from oubli.theory.records.build import (
    A,
    B,
    by,
    case,
    eq,
    fact,
    le,
    left,
    repair,
    state,
    statement,
    step,
    theorem,
)
from oubli.theory.records.build import value as at
from oubli.theory.records.objects import (
    explicit_problem,
    grad,
    inner,
    mix,
    norm,
    opt,
    point,
    term,
    tilt,
    unit,
)
from oubli.theory.records.proof import Combination, Given, Lemma, Norm, One, Schema, Square, SquaredNorm, Step
from oubli.theory.records.vectors import inner as gram
from oubli.theory.records.vectors import square, vector

# theta_all = theta* minimises the mixture F, theta_r = theta_r* the retain loss.
F = mix(r, forgotten, retained)
theta_all, theta_r = opt(F), opt(retained)
across = theta_r - theta_all
pull = grad(forgotten, theta_r, retained)
G_r, G_f = grad(retained, theta_all, F), grad(forgotten, theta_all, F)
h_any, e_1 = point("h_any"), unit(1)

D = term("D", norm(theta_all - theta_r), "|theta* - theta_r*|")
_top = r * L / mu
_sharp = state(le(D, _top))
_printed = state(le(D, rho * L / mu))

# Strong convexity of F from each optimum to the other: mu D^2 <= r <pull, across>.
_rises = (Schema("strong convexity", (F, theta_all, theta_r, F)), Schema("stationary", (F, across)))
_returns = Schema("strong convexity", (F, theta_r, theta_all, retained))
_best = Schema("stationary", (retained, across))
_steep = Schema("Lipschitz", (forgotten, theta_r, retained))

n_retain = term("n_retain", norm(G_r), "|grad L_r(theta*)|")
_step1 = state(le(mu**2 * D**2, n_retain**2), also=(L,))
m_retain = term("m_retain", inner(G_r, h_any), "E l'(theta*, xi_r), along any vector")
m_forget = term("m_forget", inner(G_f, h_any), "E l'(theta*, xi_f), along the same vector")
_slip = state(eq(m_retain, -rho * m_retain), also=(L, mu))
_slip_repaired = state(eq(m_retain, -rho * m_forget), also=(L, mu))
_bound_step = state(le(n_retain, rho * L), also=(mu,))

# The bounds on the loss are stated by letters: witnesses of other claims set L and mu in them.
a_retain = letter(
    "a_retain", meaning="L_r(theta*) - L_r*, the retain risk of the old optimum in excess of the best"
)
b_forget = letter("b_forget", meaning="L_f(theta_r*) - L_f(theta*), mean forget loss")
Delta, g_f = vector("Delta"), vector("g_f")
_H2 = fact("Lipschitz", le(square(g_f), L**2))
_H3 = fact("strong convexity", le((1 - r) * a_retain + mu / 2 * square(Delta), r * b_forget))
_H4 = fact("strong convexity", le(b_forget, gram(g_f, Delta) - mu / 2 * square(Delta)))
_loss_bound = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
_loss_sharper = state(le(a_retain, _loss_bound), _H3, _H4, _H2)
_loss = state(le(a_retain, rho**2 * L**2 / mu), _H3, _H4, _H2)

# The printed proof of the loss bound, mean by mean.
a_all = letter("a_all", meaning="E_D(l(theta*) - l(theta_r*)), at most 0")
a_forget = letter("a_forget", meaning="E_{D_f}(l(theta*) - l(theta_r*))")
_mixture = fact("definition", eq(a_all, (1 - r) * a_retain + r * a_forget))
_minimal = fact("definition", le(a_all, 0))
_loss_step1 = state(eq(a_retain, a_all - rho * a_forget), _mixture, _minimal)
_loss_step1_repaired = state(eq(a_retain, a_all / (1 - r) - rho * a_forget), _mixture, _minimal)
_loss_step2 = state(le(a_retain, -rho * a_forget), _mixture, _minimal)
_loss_step3 = state(le(-rho * a_forget, rho * L * D), fact("Lipschitz", le(-a_forget, L * D)))
_loss_step4 = state(le(rho * L * D, rho**2 * L**2 / mu))

# On the line the bound is r^2 L^2/(2 mu): G = -L_r'(theta*) is at most r L.
D_line = letter("D_line", NONNEGATIVE, "|theta* - theta_r*| on the line")
slope_retain = letter("slope_retain", NONNEGATIVE, "-L_r'(theta*) on the line, where theta* <= theta_r*")
theta_star = letter("theta_star", meaning="theta* on the line")
slope_forget = letter("slope_forget", meaning="L_f'(theta*) on the line")
_slope_small = state(
    le(slope_retain, r * L),
    fact("stationarity", eq((1 - r) * slope_retain, r * slope_forget)),
    fact("line", le(slope_forget, mu * theta_star + L / 2)),
    fact("line", le(slope_retain, L / 2 - mu * theta_star)),
)
_loss_line = state(
    le(a_retain, r**2 * L**2 / (2 * mu)),
    fact("strong convexity", le(a_retain, slope_retain * D_line - mu / 2 * D_line**2)),
    *_slope_small.given,
)

HALF = sp.Rational(1, 2)
_members = {"members": {"A": centred(1), "B": centred(-1)}}
_quarter = sp.Rational(1, 4)
# Retain centred at R e_1, forget at -R e_1, for L = 2 and mu = 1.
_two_quadratics = {"data": explicit_problem(tilt(e_1), tilt(-e_1))}
_values = {L: 2, mu: 1, r: _quarter, d: 1}

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
            (r**2 * L / (mu * (1 - r)), One()),
        ),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: distance 1/2, printed bound 2/3",
                _values,
                objects=_two_quadratics,
            ),
        ),
    ),
    theorem(
        "opt_dist.sharp",
        "opt_dist",
        "the optima lie at most r L/mu apart, in every dimension",
        _sharp,
        proof=by(
            _sharp,
            *((2 / mu / (_top + D), source) for source in (*_rises, _returns)),
            (-2 * (1 - r) / mu / (_top + D), _best),
            (r**2 / mu**2 / (_top + D), _steep),
            (1 / (_top + D), SquaredNorm((r / mu) * pull - across)),
        ),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: attained",
                _values,
                objects=_two_quadratics,
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
                _values,
                objects={**_two_quadratics, "h_any": e_1},
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
        proof=by(_slip_repaired, (1 / (1 - r), Schema("stationary", (F, h_any)))),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4, theta* = 1/2",
                _values,
                objects={**_two_quadratics, "h_any": e_1},
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
            (2 * mu, Schema("strong convexity", (retained, theta_all, theta_r, F))),
            (2 * mu, Schema("strong convexity", (retained, theta_r, theta_all, retained))),
            (-2 * mu, _best),
            (1, SquaredNorm(G_r + mu * across)),
        ),
    ),
    step(
        "opt_dist.gradient",
        1302,
        "|grad L_r(theta*)| <= rho L",
        _bound_step,
        "opt_dist",
        proof=by(
            _bound_step,
            (
                -1 / (1 - r) ** 2 / (rho * L + n_retain),
                Schema("stationary", (F, (1 - r) * G_r - r * G_f)),
            ),
            (rho**2 / (rho * L + n_retain), Schema("Lipschitz", (forgotten, theta_all, F))),
        ),
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
            (r**2 * L**2 * (1 + 3 * r) / (2 * mu * (1 - r) ** 2 * (1 + r)), One()),
        ),
        printed_uses=("opt_dist",),
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4: gap 1/8, printed bound 4/9",
                {
                    L: 2,
                    mu: 1,
                    r: _quarter,
                    a_retain: at(A, HALF) - at(A, 1),
                    b_forget: at(B, 1) - at(B, HALF),
                    square(Delta): _quarter,
                    square(g_f): 4,
                    gram(g_f, Delta): 1,
                },
                vectors={"g_f": (2,), "Delta": (HALF,)},
                **_members,
            ),
        ),
    ),
    theorem(
        "opt_loss.sharper",
        "opt_loss",
        "the old optimum costs at most r^2/(1 - r^2) L^2/(2 mu), in every dimension",
        _loss_sharper,
        proof=by(
            _loss_sharper,
            (1 / (1 - r), Given(0)),
            (r / (1 - r), Given(1)),
            (r**2 / (2 * mu * (1 - r) * (1 + r)), Given(2)),
            (mu * (1 + r) / (2 * (1 - r)), Norm((r / (mu * (1 + r))) * g_f - Delta)),
        ),
    ),
    theorem(
        "opt_loss.line.slope",
        "opt_loss",
        "on the line -L_r'(theta*) <= r L",
        _slope_small,
        proof=by(_slope_small, (-1, Given(0)), (r, Given(1)), (r, Given(2))),
    ),
    theorem(
        "opt_loss.line",
        "opt_loss",
        "on the line the old optimum costs at most r^2 L^2/(2 mu) = 4 r^2 e0",
        _loss_line,
        proof=(
            Step("slope", _slope_small, Combination(((-1, Given(0)), (r, Given(1)), (r, Given(2))))),
            Step(
                "gap",
                _loss_line,
                Combination(
                    (
                        (1, Given(0)),
                        (mu / 2, Square(D_line - slope_retain / mu)),
                        ((r * L + slope_retain) / (2 * mu), Lemma("slope")),
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
                    r: _quarter,
                    a_retain: at(A, HALF) - at(A, 1),
                    D_line: HALF,
                    slope_retain: -left(A, HALF),
                    theta_star: HALF,
                    slope_forget: left(B, HALF),
                },
                **_members,
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
                    r: _quarter,
                    a_retain: at(A, HALF) - at(A, 1),
                    a_forget: at(B, HALF) - at(B, 1),
                    a_all: sp.Rational(3, 4) * (at(A, HALF) - at(A, 1)) + _quarter * (at(B, HALF) - at(B, 1)),
                },
                **_members,
            ),
        ),
        repaired_by="opt_loss.step1.repaired",
    ),
    repair(
        "opt_loss.step1.repaired",
        1314,
        "E_r = E_D/(1 - r) - rho E_f",
        _loss_step1_repaired,
        proof=by(_loss_step1_repaired, (-1 / (1 - r), Given(0))),
    ),
    step(
        "opt_loss.step2",
        1315,
        "E_r <= -rho E_f",
        _loss_step2,
        "opt_loss",
        proof=by(_loss_step2, (1 / (1 - r), Given(0)), (1 / (1 - r), Given(1))),
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
        proof=by(_loss_step4, (rho * L, Lemma("opt_dist"))),
    ),
)
