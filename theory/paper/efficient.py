"""The efficient regime (l.624, l.645, proof l.1082): noise, then fine-tune with a constant step."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, OPEN_UNIT, POSITIVE, parameter
from oubli.theory.paper.algorithms import gamma_step
from oubli.theory.paper.descent import Descent, n_noise, q_start, z_any
from oubli.theory.paper.gauss import private_kappa
from oubli.theory.paper.letters import (
    T_S,
    T_U,
    L,
    T,
    d,
    data,
    delta,
    e,
    e0,
    epsilon,
    kappa,
    mu,
    r,
    rho,
)
from oubli.theory.paper.optima import D, theta_all, theta_r
from oubli.theory.paper.scratch import LOWER
from oubli.theory.paper.times import at_least, at_least_one
from oubli.theory.paper.trivial import WIDTH, noisy_release, noisy_steps
from oubli.theory.records.build import (
    by,
    case,
    eq,
    ge,
    given,
    gt,
    le,
    lt,
    repair,
    state,
    statement,
    step,
    theorem,
)
from oubli.theory.records.objects import (
    Object,
    forget,
    gaussian,
    given_data,
    inner,
    least,
    mean,
    mix,
    numeric,
    opt,
    proj,
    retain,
    rule,
    term,
    worst,
)
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, One, Over, Schema, Step

R_1 = parameter("R_1", POSITIVE, "bound on |theta* - theta_r*| and scale of the noise")
grown = sp.sqrt(1 + d * kappa**2)
# The printed start is not projected: theta* + z with Gaussian noise of scale kappa R_1.
_printed_noise = gaussian(kappa * R_1)
_away = theta_all + _printed_noise - theta_r
D_printed = term("D_printed", mean(inner(_away, _away)), "E|theta* + z - theta_r*|^2")
_expected = state(
    le(D_printed, (1 + d * kappa**2) * R_1**2),
    given(le(D, R_1)),
)
_put_in = state(
    le(
        D_printed / (2 * gamma_step * T) + gamma_step * L**2 / 2,
        (1 + d * kappa**2) * R_1**2 / (2 * gamma_step * T) + gamma_step * L**2 / 2,
    ),
    given(le(D, R_1)),
    given(ge(T, 1)),
)
_balanced = state(
    le(
        (1 + d * kappa**2) * R_1**2 / (2 * gamma_step * T) + gamma_step * L**2 / 2,
        L * R_1 / sp.sqrt(T) * grown,
    ),
    given(eq(gamma_step * sp.sqrt(T) * L, grown * R_1)),
    given(ge(T, 1)),
)
_time = state(
    le(L * R_1 / sp.sqrt(T) * grown, e),
    given(ge(T * e**2, L**2 * R_1**2 * (1 + d * kappa**2))),
    given(ge(T, 1)),
)
_printed_radius = rho * L / mu
_equality = state(
    eq(
        L**2 * _printed_radius**2 / e**2 * (1 + d * kappa**2),
        rho**2 * (1 + d * kappa**2) * (e0 / e) ** 2,
    )
)
_equality_repaired = state(
    eq(
        L**2 * _printed_radius**2 / e**2 * (1 + d * kappa**2),
        64 * rho**2 * (1 + d * kappa**2) * (e0 / e) ** 2,
    )
)

# --- the explicit theorem: start and steps projected, noise at the proved sensitivity 2rL/((1+r) mu)
b_noise = parameter(
    "b_noise", NONNEGATIVE, "sqrt(d) kappa 2/(1+r): noise over optima distance, both as bounds"
)
q_noise = parameter("q_noise", POSITIVE, "sqrt(1 + b_noise^2)")
_q = given(eq(q_noise**2, 1 + b_noise**2))
_b = given(eq(b_noise * (1 + r), 2 * sp.sqrt(d) * kappa))
_width = 2 * r * L / ((1 + r) * mu)
_noise = gaussian(kappa * _width)
M_T = term("M_T", least("unlearner", T, r, epsilon, delta), "least worst risk of unlearning with T gradients")


def _tuned(D: Object) -> Descent:
    """Constant steps from theta* of a problem with noise, projected."""
    noisy = opt(mix(r, forget(D), retain(D))) + _noise
    return Descent("tuned", proj(noisy), gamma_step, sp.Integer(1), T - 1)


tuned = _tuned(data)
fine_tuning = rule(_tuned(given_data).released(given_data))
G_tuned = tuned.gap()
M_tuned = term("M_tuned", worst(fine_tuning, T), "worst risk of noise, then constant steps")
_plan = (
    _q,
    _b,
    given(eq(gamma_step * sp.sqrt(T) * mu, r * q_noise)),
    given(ge(T * e**2, 64 * r**2 * q_noise**2 * e0**2)),
    given(ge(T, 1)),
    given(gt(kappa, 0)),
)
_reached_each, _reached_worst = state(le(G_tuned, e), *_plan), state(le(M_tuned, e), *_plan)
_reached = state(le(T_U, T), *_plan[:-1], *private_kappa)
_far = r**2 * L**2 / mu**2
_reached_proof = (
    Step(
        "each problem",
        _reached_each,
        Combination(
            (
                (
                    1,
                    Lemma(
                        "sharp.exact.steps",
                        {z_any: _noise, n_noise: sp.sqrt(d) * kappa * _width, q_start: r * L * q_noise / mu},
                        {
                            0: ((-1, Schema("moment", (_noise,))),),
                            1: ((-1, Schema("centred", (_noise, theta_all - theta_r))),),
                            2: (
                                (_far, Given(0)),
                                (_far * (b_noise + 2 * sp.sqrt(d) * kappa / (1 + r)) / (1 + r), Given(1)),
                            ),
                            3: ((L / mu, Given(2)),),
                            4: ((1, Given(3)),),
                        },
                    ),
                ),
            )
        ),
    ),
    Step("worst", _reached_worst, Over("each problem", worst(fine_tuning, T), (data,))),
    Step(
        "time",
        _reached,
        Combination(
            (
                (
                    1,
                    Schema(
                        "time",
                        (
                            Object("unlearner"),
                            fine_tuning,
                            *map(numeric, (r, T, e, epsilon, delta, _width, kappa)),
                        ),
                        {
                            4: ((1, Lemma("sensitivity")),),
                            10: ((1, Lemma("gauss.kappa.private")),),
                            11: ((1, Lemma("worst")),),
                        },
                    ),
                ),
            )
        ),
    ),
)

_small_target = given(lt(e, e0))
_no_step = given(le(8 * r * q_noise * e0, e))
_order = (given(ge(q_noise, b_noise)), given(ge(q_noise, 1)))
_below = state(
    ge(e, (4 * r**2 / ((1 - r) * (1 + r)) + 8 * r * b_noise) * e0),
    _q,
    _no_step,
    _small_target,
    *_order,
)
_eighth = state(ge(1 - 8 * r, 0), _no_step, _small_target, *_order)

N_steps = parameter(
    "N_steps", NONNEGATIVE, "64 r^2 q_noise^2 (e0/e)^2, the number of steps before rounding up"
)
_count = given(eq(N_steps * e**2, 64 * r**2 * q_noise**2 * e0**2))
_budget = (_count, _q, _b, _small_target, *private_kappa)
_twice = le(T_U, 2 * N_steps)
_any_T = state(le(T_U, T), given(ge(T, N_steps)), given(ge(T, 1)), *_budget)
_rounded = state(_twice, given(ge(N_steps - 1, 0)), *_budget)
_unneeded = state(_twice, given(ge(1 - N_steps, 0)), *_budget)
_either = state(_twice, *_budget)
_up = Schema("ceiling", (numeric(N_steps),))
_at_least_one = ((1, _up), (1, Given(0)))
_no_steps = Schema(
    "time",
    (
        Object("unlearner"),
        noisy_release,
        *map(numeric, (r, 0, e, epsilon, delta, WIDTH, kappa)),
    ),
    {
        3: ((1, Lemma("sensitivity")),),
        9: ((1, Lemma("gauss.kappa.private")),),
        10: ((1, Lemma("worst")), (1, Lemma("enough"))),
    },
)
_enough = state(
    ge(e, (4 * r**2 / ((1 - r) * (1 + r)) + 16 * sp.sqrt(d) * kappa * r / (1 + r)) * e0),
    given(ge(1 - N_steps, 0)),
    *_budget,
)
_rounding_proof = (
    *noisy_steps,
    Step(
        "T steps",
        _any_T,
        Combination(
            (
                (
                    1,
                    Lemma(
                        "efficient.steps",
                        {gamma_step: r * q_noise / (mu * sp.sqrt(T))},
                        {3: ((e**2, Given(0)), (1, Given(2)))},
                    ),
                ),
            )
        ),
    ),
    Step(
        "N >= 1",
        _rounded,
        Combination(
            (
                (
                    1,
                    Lemma(
                        "T steps",
                        {T: sp.ceiling(N_steps)},
                        {0: ((1, _up),), 1: _at_least_one, T: (*_at_least_one, (1, One()))},
                    ),
                ),
                (1, Schema("near ceiling", (numeric(N_steps),))),
                (1, Given(0)),
            )
        ),
    ),
    Step(
        "q above b",
        state(ge(q_noise, b_noise), given(ge(1 - N_steps, 0)), *_budget),
        Combination((((1 / (q_noise + b_noise)), Given(2)), (1 / (q_noise + b_noise), One()))),
    ),
    Step(
        "q above 1",
        state(ge(q_noise, 1), given(ge(1 - N_steps, 0)), *_budget),
        Combination((((1 / (q_noise + 1)), Given(2)), (b_noise**2 / (q_noise + 1), One()))),
    ),
    Step(
        "enough",
        _enough,
        Combination(
            (
                (
                    1,
                    Lemma(
                        "efficient.below",
                        {},
                        {
                            1: (
                                (e**2 / (e + 8 * r * q_noise * e0), Given(0)),
                                (1 / (e + 8 * r * q_noise * e0), Given(1)),
                            ),
                            3: ((1, Lemma("q above b")),),
                            4: ((1, Lemma("q above 1")),),
                        },
                    ),
                ),
                (8 * r * e0 / (1 + r), Given(3)),
            )
        ),
    ),
    Step("N <= 1", _unneeded, Combination(((1, _no_steps), (2 * N_steps, One())))),
    Step("both", _either, Cases(N_steps - 1, "N >= 1", "N <= 1")),
)
CONSTANT = sp.Rational(2 * 64) / sp.Rational(LOWER) * 4
_explicit = state(le(T_U, CONSTANT * rho**2 * (1 + d * kappa**2) * e0 / e * T_S), *_budget, also=(r,))
_claimed = state(
    le(T_U, CONSTANT * rho**2 * (1 + d * kappa**2) * e0 / e * T_S), _small_target, also=(d, kappa)
)
gamma_level = parameter("gamma_level", OPEN_UNIT, "the level gamma of the corollary")
_corollary = state(
    lt(T_U, gamma_level * T_S),
    given(ge(e, 2 * CONSTANT / gamma_level * rho**2 * (1 + d * kappa**2) * e0)),
    also=(d, kappa),
)
_corollary_repaired = state(
    lt(T_U, gamma_level * T_S),
    given(ge(e, 2 * CONSTANT / gamma_level * rho**2 * (1 + d * kappa**2) * e0)),
    *_explicit.given,
    also=(r,),
)

CLAIMS = (
    step(
        "efficient.expectation",
        1093,
        "E|theta~ - theta_r*|^2 <= (1 + d kappa^2) R_1^2",
        _expected,
        "efficient",
        proof=by(
            _expected,
            (-1, Schema("moment", (_printed_noise,))),
            (-2, Schema("centred", (_printed_noise, theta_all - theta_r))),
            (R_1 + D, Given(0)),
        ),
    ),
    step(
        "efficient.put_in",
        1103,
        "E|…|^2/(2 gamma T) + gamma L^2/2 <= (1 + d kappa^2) R_1^2/(2 gamma T) + gamma L^2/2",
        _put_in,
        "efficient",
        proof=by(_put_in, (1 / (2 * gamma_step * T), Lemma("efficient.expectation"))),
    ),
    step(
        "efficient.balanced",
        1105,
        "… <= L R_1/sqrt(T) sqrt(1 + d kappa^2), at the step size of l.1096",
        _balanced,
        "efficient",
        proof=by(
            _balanced,
            (
                grown * R_1 / (2 * gamma_step * T) - L / (2 * sp.sqrt(T)),
                Given(0),
            ),
        ),
    ),
    step(
        "efficient.time",
        1111,
        "T >= L^2 R_1^2 (1 + d kappa^2)/e^2 reaches e",
        _time,
        "efficient",
        proof=by(_time, (1 / (sp.sqrt(T) * (e * sp.sqrt(T) + L * R_1 * grown)), Given(0))),
    ),
    step(
        "efficient.equality",
        1111,
        "L^2 R_1^2/e^2 (1 + d kappa^2) = rho^2 (1 + d kappa^2) (e0/e)^2",
        _equality,
        "efficient",
        instances=(
            case(
                "r = 1/2, everything else 1: 16 on the left, 1/4 on the right",
                {L: 2, mu: 1, d: 1, kappa: 0, r: Fraction(1, 2), e: 1},
            ),
        ),
        repaired_by="efficient.equality.repaired",
    ),
    repair(
        "efficient.equality.repaired",
        1111,
        "L^2 R_1^2/e^2 (1 + d kappa^2) = 64 rho^2 (1 + d kappa^2) (e0/e)^2",
        _equality_repaired,
        proof=by(_equality_repaired),
    ),
    statement(
        "efficient",
        624,
        "T^U/T^S = O(rho^2 (1 + d kappa^2) e0/e) for every e < e0 and every eps > 0",
        _claimed,
        "theo:up_unlearn",
        printed_uses=("opt_dist", "sgd.constant_step", "gauss.kappa", "gauss.sensitivity", "scratch.theta"),
        repaired_by="efficient.explicit",
        note="Proved as printed, with this constant, where eps <= 4 ln(1.25/delta) (efficient.budget) or d + 1 <= 8 ln(1.25/delta) "
        "(efficient.dimension), and for every eps with kappa + 1/sqrt(2 eps) for kappa (efficient.every). The question that "
        "remains is efficient.rest: outside these two regions, where classical noise is not private, does any algorithm "
        "reach it? All of this is about a constant-step algorithm, not about Algorithm 2.",
    ),
    theorem(
        "efficient.steps",
        "efficient.time",
        "eps <= 1: with T >= 64 r^2 (1 + b^2) (e0/e)^2 constant steps from noise, projected, some unlearning reaches e, "
        "b = 2 sqrt(d) kappa/(1+r)",
        _reached,
        proof=_reached_proof,
    ),
    theorem(
        "efficient.below",
        "efficient.time",
        "where fewer than one step is asked for, none is needed: trivial.repaired applies",
        _below,
        proof=(
            Step(
                "r <= 1/8",
                _eighth,
                Combination(((1 / e0, Given(0)), (1 / e0, Given(1)), (8 * r, Given(3)))),
            ),
            Step(
                "below",
                _below,
                Combination(
                    (
                        (1, Given(1)),
                        (8 * r * e0 / (q_noise + b_noise), Given(0)),
                        (4 * r**2 * e0 / ((q_noise + b_noise) * (1 - r) * (1 + r)), Given(3)),
                        (r / ((q_noise + b_noise) * (1 - r) * (1 + r)), Given(1)),
                        (r / ((q_noise + b_noise) * (1 - r) * (1 + r)), Given(2)),
                        (
                            r * e0 / ((q_noise + b_noise) * (1 - r) * (1 + r)),
                            Lemma("r <= 1/8"),
                        ),
                        (
                            r * e0 * (6 + 8 * r * (1 - r)) / ((q_noise + b_noise) * (1 - r) * (1 + r)),
                            One(),
                        ),
                    )
                ),
            ),
        ),
        depends=("trivial.repaired",),
    ),
    theorem(
        "efficient.rounding",
        "efficient.time",
        "T^U is at most twice N = 64 r^2 (1 + b^2) (e0/e)^2: rounded up if N >= 1 (efficient.steps), 0 if N <= 1 "
        "(efficient.below)",
        _either,
        proof=_rounding_proof,
    ),
    repair(
        "efficient.explicit",
        624,
        "T^U <= C rho^2 (1 + d kappa^2) (e0/e) T^S with C = 25600/3, for eps <= 1 and e < e0",
        _explicit,
        proof=(
            *at_least,
            Step(
                "ratio",
                _explicit,
                Combination(
                    (
                        (1, Lemma("efficient.rounding")),
                        (-2 / e**2, Given(0)),
                        (-128 * r**2 * e0**2 / e**2, Given(1)),
                        (
                            -128
                            * r**2
                            * e0**2
                            / e**2
                            / (1 + r) ** 2
                            * (b_noise * (1 + r) + 2 * sp.sqrt(d) * kappa),
                            Given(2),
                        ),
                        (CONSTANT * rho**2 * (1 + d * kappa**2) * e0 / e, Lemma("T^S from below")),
                        (
                            128
                            * e0**2
                            / e**2
                            * r**2
                            / (1 - r) ** 2
                            * ((1 + r) * (3 - r) + 16 * d * kappa**2 * r / (1 + r) ** 2),
                            One(),
                        ),
                    )
                ),
            ),
        ),
    ),
    statement(
        "efficient.corollary",
        645,
        "e >= (c/gamma) rho^2 (1 + d kappa^2) e0 implies T^U < gamma T^S, here with c = 51200/3",
        _corollary,
        instances=(
            case(
                "e = e0: T^U = T^S = 0 (e0.zero), and 0 < gamma 0 is false; r = 1/1000, gamma = 1/2, kappa = 0",
                {
                    L: 2,
                    mu: 1,
                    e: Fraction(1, 2),
                    r: Fraction(1, 1000),
                    d: 1,
                    kappa: 0,
                    gamma_level: Fraction(1, 2),
                    epsilon: 1,
                    delta: Fraction(1, 10),
                },
                through=((Fraction(1, 2), Lemma("e0.time")),),
            ),
        ),
        printed_uses=("efficient",),
        repaired_by="efficient.corollary.repaired",
        note="It needs e < e0, where T^S >= 1.",
    ),
    repair(
        "efficient.corollary.repaired",
        645,
        "for e < e0 and eps <= 1, e >= (c/gamma) rho^2 (1 + d kappa^2) e0 with c = 51200/3 implies T^U < gamma T^S",
        _corollary_repaired,
        proof=(
            *at_least_one,
            Step(
                "less",
                _corollary_repaired,
                Combination(
                    (
                        (1, Lemma("efficient.explicit")),
                        (gamma_level * T_S / (2 * e), Given(0)),
                        (gamma_level / 2, Lemma("T^S >= 1")),
                        (gamma_level / 2, One()),
                    )
                ),
            ),
        ),
    ),
)
