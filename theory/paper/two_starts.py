"""A rule that looks at where it starts: what refutes Lemma B.1 as printed.

It takes one step of size 1/mu from -R e_1, and releases theta_1 - 2 theta*, projected. If all signs of the hard
problem are one m = 1 or -1, the gradient there is known, and theta_1 = R m e_1 almost surely.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import Domain, parameter
from oubli.theory.paper.letters import L, R, mu, old_optimum, r
from oubli.theory.paper.mirror import f_any, in_ball, plain, point_any
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import eq, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    drawn,
    excess,
    forget,
    given_data,
    grad,
    hard_problem,
    inner,
    iterate,
    mean,
    mix,
    numeric,
    opt,
    proj,
    retain,
    rule,
    sgd,
    term,
    variation,
)
from oubli.theory.records.proof import Combination, Given, Lemma, Mean, One, Schema, SquaredNorm, Step, Term

_SIGN = Domain(Fraction(-1), Fraction(1))
m_sure = parameter("m_sure", _SIGN, "the sign of all retain data, 1 or -1")
f_sure = parameter("f_sure", _SIGN, "the mean of the signs of the forget data")
m_also = parameter("m_also", _SIGN, "the sign of all retain data of another problem")
f_also = parameter("f_also", _SIGN, "the mean of the signs of its forget data")
y_sure = parameter("y_sure", _SIGN, "what the rule releases, in radii of the ball")

_from: Object = -R * e_1


def _released(D: Object, star: Object) -> Object:
    """What the rule releases on a problem with this theta*."""
    back: Object = 2 * star
    return proj(iterate(sgd(D, _from, 1 / mu), 1) - back)


by_its_start = rule(_released(given_data, old_optimum))
_data = hard_problem(m_sure, f_sure)
_star = opt(mix(r, forget(_data), retain(_data)))
_mean_of_all = (1 - r) * m_sure + r * f_sure
_run = sgd(_data, _from, 1 / mu)
_x, _ahead, _loss = iterate(_run, 0), iterate(_run, 1), drawn(_run, 0)
_G = grad(_loss, _x)
_known: Object = -(L / 2 * (1 + m_sure)) * e_1
_off_slope = _G - _known
_E_slope = term("E_slope", mean(inner(_off_slope, _off_slope)), "E|gradient - what it is known to be|^2")
_one_sign = given(eq(m_sure**2, 1))
near_square = term("near_square", inner(plain.off, plain.off), "|2 mu x - l'(x)|^2")
_near = state(le(near_square, L**2), in_ball)
_slope = state(le(_E_slope, 0), _one_sign, also=(f_sure,))
_held: Object = (2 * mu * (1 - m_sure)) * (_G - mu * (_x + _from)) + (2 * m_sure * L * mu) * e_1
_slope_proof: tuple[Term, ...] = (
    ((1 + m_sure) / 2, Mean(Schema("Lipschitz", (_loss, _x)))),
    (
        (1 - m_sure) / 2,
        Mean(Lemma("near", {f_any: _loss, point_any: _x}, {0: ((1, Schema("ball", (_x,))),)})),
    ),
    (-2 * m_sure * L, Schema("tower", (_run, numeric(0), e_1))),
    (-1, Mean(Schema("start", (_run, _held)))),
    (sp.Rational(3, 4) * L**2, Given(0)),
)

# --- so theta_1 is the minimiser R m e_1, and the release a known point
_X, _y, _best = _released(_data, _star), (R * y_sure) * e_1, (R * m_sure) * e_1
_off = _X - _y
_E_off = term("E_off", mean(inner(_off, _off)), "E|release - what it is known to be|^2")
_place = given(eq(y_sure, m_sure - 2 * _mean_of_all))
_twice: Object = 2 * _star
_E_along = term(
    "E_along", mean(inner(_ahead - _twice, e_1)), "first coordinate of theta_1 - 2 theta*, in the mean"
)
_known_release = state(le(_E_off, 0), _one_sign, _place, also=(_E_along,))
_moved: Object = _x - (1 / mu) * _G
_off_step: Object = (1 / mu) * _off_slope
_off_star = _star - (R * _mean_of_all) * e_1
_inside = {0: ((R**2 * (1 - y_sure) * (1 + y_sure), One()),)}
_less = (1 - r) * (1 - m_sure) + r * (1 - f_sure)
_more = (1 - r) * (1 + m_sure) + r * (1 + f_sure)
_best_inside = {0: ((R**2 * (1 - m_sure) * (1 + m_sure), One()),)}
_room = {1: ((L**2 / 4 * _less * _more, One()),)}
_release_proof: tuple[Term, ...] = (
    (1, Mean(Schema("projection", (_ahead - _twice, _y), _inside))),
    (4, Mean(Schema("tilted", ((L / 2 * _mean_of_all) * e_1, _ahead - _best - _off_star), _room))),
    (-1, Mean(Schema("step", (_run, numeric(0), _ahead + proj(_moved) - 2 * _best)))),
    (1, Mean(Schema("projection", (_moved, _best), _best_inside))),
    (-1, Mean(Schema("start", (_run, _x - _from - 2 * _off_step)))),
    (1 / mu**2, Lemma("slope")),
    (R * (2 * _E_along - R * (y_sure + m_sure - 2 * _mean_of_all)), Given(1)),
)

_off_optimum = _X - _best
_E_far = term("E_far", mean(inner(_off_optimum, _off_optimum)), "E|release - minimiser|^2")
_far = state(ge(_E_far, R**2 * (y_sure - m_sure) ** 2 / 2), _one_sign, _place)

# --- from theta* = 0 that is the optimum
_E_risk = term("E_risk", mean(excess(retain(_data), _X)), "its risk")
_optimal = state(le(_E_risk, 0), _one_sign, given(eq(_mean_of_all, 0)))
_own_room = {1: ((L**2 / 4 * (1 - m_sure) * (1 + m_sure), One()),)}
_off_best = opt(retain(_data)) - _best

# --- and two such problems may have one release
_other = hard_problem(m_also, f_also)
_X_also = _released(_other, opt(mix(r, forget(_other), retain(_other))))
tau_sure = term("tau_sure", variation(_X, _X_also), "TV of what it releases on two problems")
_both = (
    _one_sign,
    _place,
    given(eq(m_also**2, 1)),
    given(eq(y_sure, m_also - 2 * ((1 - r) * m_also + r * f_also))),
)
_alike = state(eq(tau_sure, 0), *_both)
_equal: tuple[Term, ...] = (
    (1, Mean(SquaredNorm(_X + _X_also - 2 * _y))),
    (2, Lemma("two_point.start")),
    (
        2,
        Lemma(
            "two_point.start",
            {m_sure: m_also, f_sure: f_also},
            {0: ((1, Given(2)),), 1: ((1, Given(3)),)},
        ),
    ),
)

CLAIMS = (
    theorem(
        "two_point.start",
        "two_point",
        "if all signs of a hard problem are m, a step from -R e_1 leads to R m e_1 almost surely, and theta_1 - 2 theta* is known",
        _known_release,
        proof=(
            Step("near", _near, Combination(((L + plain.length, Lemma("sharp.noise_lemma.half")),))),
            Step("slope", _slope, Combination(_slope_proof)),
            Step("release", _known_release, Combination(_release_proof)),
        ),
    ),
    theorem(
        "two_point.start.off",
        "two_point",
        "so that its mean square distance from the minimiser is at least half that of this point",
        _far,
        proof=(
            Step(
                "far",
                _far,
                Combination(
                    (
                        (1, Lemma("two_point.start")),
                        (sp.Rational(1, 2), Mean(SquaredNorm(2 * _X - _y - _best))),
                    )
                ),
            ),
        ),
    ),
    theorem(
        "two_point.start.optimal",
        "two_point",
        "if theta* = 0, that is the minimiser of the retain loss",
        _optimal,
        proof=(
            Step(
                "risk",
                _optimal,
                Combination(
                    (
                        (mu / 2, Lemma("two_point.start", {y_sure: m_sure}, {1: ((2, Given(1)),)})),
                        (mu / 2, Schema("tilted", ((L / 2 * m_sure) * e_1, _off_best), _own_room)),
                    )
                ),
            ),
        ),
    ),
    theorem(
        "two_point.start.alike",
        "two_point",
        "on two problems where what it releases is known to be one point, the rule has one law",
        _alike,
        proof=(Step("law", _alike, Combination(((1, Schema("equal", (_X, _X_also), {0: _equal})),))),),
    ),
)
