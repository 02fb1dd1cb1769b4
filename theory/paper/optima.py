"""How far the optima lie apart, and what the old one costs on the retain data (l.1291 to l.1320)."""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.letters import L, T, d, data, forgotten, mu, old_optimum, r, retained, rho
from oubli.theory.paper.mirror import f_any, point_any, tag_any
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import (
    by,
    case,
    eq,
    ge,
    given,
    le,
    repair,
    state,
    statement,
    step,
    theorem,
)
from oubli.theory.records.objects import (
    Object,
    excess,
    explicit_problem,
    grad,
    inner,
    least,
    minus,
    mix,
    norm,
    numeric,
    opt,
    point,
    rule,
    term,
    tilt,
    value,
    worst,
)
from oubli.theory.records.proof import Combination, Given, Lemma, One, Over, Schema, SquaredNorm, Step

# theta_all = theta* minimises the mixture F, theta_r = theta_r* the retain loss.
F = mix(r, forgotten, retained)
theta_all, theta_r = opt(F), opt(retained)
across = theta_r - theta_all
pull = grad(forgotten, theta_r, retained)
G_r, G_f = grad(retained, theta_all, F), grad(forgotten, theta_all, F)
h_any = point("h_any")

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

# What the old optimum costs: strong convexity of F and of the forget loss, and one Lipschitz bound.
a_retain = term(
    "a_retain",
    excess(retained, theta_all),
    "L_r(theta*) - L_r*, the retain risk of the old optimum in excess of the best",
)
_loss_bound = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
_loss_sharper = state(le(a_retain, _loss_bound))
_loss = state(le(a_retain, rho**2 * L**2 / mu))
_falls = Schema("strong convexity", (forgotten, theta_r, theta_all, retained))

# The printed proof of the loss bound, mean by mean.
a_all = term(
    "a_all", minus(value(F, theta_all), value(F, theta_r)), "E_D(l(theta*) - l(theta_r*)), at most 0"
)
a_forget = term(
    "a_forget",
    minus(value(forgotten, theta_all), value(forgotten, theta_r)),
    "E_{D_f}(l(theta*) - l(theta_r*))",
)
n_pull = term("n_pull", norm(pull), "|grad L_f(theta_r*)|")
_loss_step1 = state(eq(a_retain, a_all - rho * a_forget), also=(L, mu))
_loss_step1_repaired = state(eq(a_retain, a_all / (1 - r) - rho * a_forget), also=(L, mu))
_loss_step2 = state(le(a_retain, -rho * a_forget), also=(L, mu))
_loss_step3 = state(le(-rho * a_forget, rho * L * D), also=(mu, n_pull))
_loss_step4 = state(le(rho * L * D, rho**2 * L**2 / mu))

# On the line the bound is r^2 L^2/(2 mu): the slope of L_r at theta* is at most r L.
slope_retain = term("slope_retain", inner(G_r, e_1), "L_r'(theta*) on the line")
_line = given(eq(d, 1))
_slope_above = state(le(slope_retain, r * L), _line, also=(mu,))
_slope_below = state(ge(slope_retain, -r * L), _line, also=(mu,))
_slope_square = state(
    le(slope_retain**2, r**2 * L**2), given(le(slope_retain, r * L)), given(ge(slope_retain, -r * L))
)
_loss_line = state(le(a_retain, r**2 * L**2 / (2 * mu)), _line)

# The rule that releases theta* itself.
release = rule(old_optimum)
M_release = term("M_release", worst(release, T), "worst risk of releasing theta*")
M_least = term("M_least", least("algorithm", T, r), "least worst risk of any algorithm with T gradients")
_release = state(le(M_release, _loss_bound))
_least = state(le(M_least, _loss_bound))


def _at(f: Object) -> dict[Object, Object]:
    """A loss at the old optimum, with the subgradient that belongs to it."""
    return {f_any: f, point_any: theta_all, tag_any: F}


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
                _values,
                objects=_two_quadratics,
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
            *((1 / (1 - r), source) for source in _rises),
            (r / (1 - r), _falls),
            (r**2 / (2 * mu * (1 - r) * (1 + r)), _steep),
            (mu * (1 + r) / (2 * (1 - r)), SquaredNorm((r / (mu * (1 + r))) * pull - across)),
        ),
    ),
    theorem(
        "opt_loss.release",
        "opt_loss",
        "some algorithm has worst risk at most r^2/(1 - r^2) L^2/(2 mu), at every T: it releases theta* and uses no gradient",
        _least,
        proof=(
            Step("each", _loss_sharper, Combination(((1, Lemma("opt_loss.sharper")),))),
            Step("worst", _release, Over("each", worst(release, T), (data,))),
            Step(
                "least",
                _least,
                Combination(
                    (
                        (1, Lemma("worst")),
                        (1, Schema("least", (Object("algorithm"), release, numeric(r), numeric(T)))),
                    )
                ),
            ),
        ),
    ),
    theorem(
        "opt_loss.line.slope",
        "opt_loss",
        "on the line -L_r'(theta*) <= r L",
        _slope_below,
        proof=by(
            _slope_below,
            (r, Lemma("setup.gradient_at_zero.line", _at(forgotten))),
            (r, Lemma("setup.gradient_at_zero.line_below", _at(retained))),
            (1, Schema("stationary", (F, e_1))),
        ),
    ),
    theorem(
        "opt_loss.line.slope_above",
        "opt_loss",
        "on the line L_r'(theta*) <= r L",
        _slope_above,
        proof=by(
            _slope_above,
            (r, Lemma("setup.gradient_at_zero.line_below", _at(forgotten))),
            (r, Lemma("setup.gradient_at_zero.line", _at(retained))),
            (-1, Schema("stationary", (F, e_1))),
        ),
    ),
    theorem(
        "opt_loss.line",
        "opt_loss",
        "on the line the old optimum costs at most r^2 L^2/(2 mu) = 4 r^2 e0",
        _loss_line,
        proof=(
            Step("square", _slope_square, Combination(((r * L + slope_retain, Given(0)),))),
            Step(
                "gap",
                _loss_line,
                Combination(
                    (
                        (1, Schema("strong convexity", (retained, theta_all, theta_r, F))),
                        (mu / 2, SquaredNorm(across + (1 / mu) * G_r)),
                        (-1 / (2 * mu), Schema("line", (G_r, G_r))),
                        (
                            1 / (2 * mu),
                            Lemma(
                                "square",
                                {},
                                {
                                    0: ((1, Lemma("opt_loss.line.slope_above")),),
                                    1: ((1, Lemma("opt_loss.line.slope")),),
                                },
                            ),
                        ),
                    )
                ),
            ),
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
        "opt_loss.step1",
        1314,
        "E_r = E_D - rho E_f",
        _loss_step1,
        "opt_loss",
        instances=(
            case(
                "retain centred at R, forget at -R, r = 1/4",
                _values,
                objects=_two_quadratics,
            ),
        ),
        repaired_by="opt_loss.step1.repaired",
    ),
    repair(
        "opt_loss.step1.repaired",
        1314,
        "E_r = E_D/(1 - r) - rho E_f",
        _loss_step1_repaired,
        proof=by(_loss_step1_repaired),
    ),
    step(
        "opt_loss.step2",
        1315,
        "E_r <= -rho E_f",
        _loss_step2,
        "opt_loss",
        proof=by(
            _loss_step2,
            *((1 / (1 - r), source) for source in _rises),
            (mu / (2 * (1 - r)), SquaredNorm(across)),
        ),
    ),
    step(
        "opt_loss.step3",
        1316,
        "-rho E_f <= rho L |theta* - theta_r*|",
        _loss_step3,
        "opt_loss",
        proof=by(
            _loss_step3,
            (rho, _falls),
            (rho, Schema("Cauchy-Schwarz", (pull, across))),
            (rho * D / (L + n_pull), _steep),
            (rho * mu / 2, SquaredNorm(across)),
        ),
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
