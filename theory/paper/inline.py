"""Relations that the text and the proofs state inline, without a display of their own."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.paper.build import by, case, definition, eq, fact, ge, given, le, lt, state, statement, step
from theory.paper.inefficient import ww
from theory.paper.lecam import k, m1, worst
from theory.paper.scratch import alpha, at_mirror, x
from theory.proof import Combination, Given, Identity, Induction, Lemma, One, Square, Step
from theory.symbols import (
    NATURAL,
    NONNEGATIVE,
    POSITIVE,
    L,
    T,
    classical_kappa,
    d,
    delta,
    e,
    e0,
    eps,
    gamma,
    letter,
    mu,
    parameter,
    r_f,
    rho,
)
from theory.vectors import inner, square, vector

root_d = sp.sqrt(d)
th, e1 = vector("theta"), vector("e1")
_best = L**2 * m1**2 / (8 * mu)
_minimiser = state(
    eq(
        mu / 2 * square(th) - L / 2 * m1 * inner(th, e1) + _best,
        mu / 2 * square(th - (L * m1 / (2 * mu)) * e1),
    ),
    fact("definition", eq(square(e1), 1)),
)
_mean_of_signs = state(eq((1 - r_f) * gamma - r_f * ((1 - r_f) * gamma / r_f), 0))

angle = letter("f_k", meaning="f(gamma_{2k})")
angle_next = letter("f_n", meaning="f(gamma_{2k+2})")
angle_first = letter("f_0", meaning="f(gamma_0)")
summed = letter("S_f", meaning="sum of f(gamma_{2j}) - f(gamma_{2j+2}) over j < k")
last = parameter("K_f", NATURAL, "number of links")
_left = angle_first - angle - summed
_next = {summed: summed + angle - angle_next, angle: angle_next}
_telescope_step = state(ge(_left.subs(_next, simultaneous=True), 0), given(ge(_left, 0)), also=(k,))
_telescope = state(ge(_left, 0), also=(last,))

root = letter("s_e", NONNEGATIVE, "sqrt(3 e/e0)")
_condition = state(
    le((root / rho - 1) * ww, Fraction(1, 2)),
    fact("definition", eq(root**2 * e0, 3 * e)),
    given(le(3 * e, rho**2 * e0 * (1 + 1 / (2 * ww)) ** 2)),
)
_convexity = state(
    ge(-x * at_mirror - mu * x**2 + x * alpha, 0),
    fact("strong convexity", ge(x * (alpha - at_mirror), mu * x**2)),
)
size = parameter("gamma_any", POSITIVE, "any constant step size")
spread = letter("D_m", NONNEGATIVE, "root mean square distance from the start to theta_r*")
_best_size = state(ge(spread**2 / (2 * size * T) + size * L**2 / 2, L * spread / sp.sqrt(T)), given(ge(T, 1)))
corner = (1 - 2 * r_f) / (r_f * (1 - r_f) * root_d)
_corner = state(eq(rho * (rho + root_d * corner), 1))
_beyond = state(
    le(worst, e),
    given(ge(e, r_f * (r_f + root_d * classical_kappa(eps, delta)) * e0)),
    given(lt(e, e0)),
)

CLAIMS = (
    statement(
        "setup.hard_family.minimiser",
        1143,
        "L_r^g has its minimiser at (L/2mu) E g e_1, and its excess risk is mu/2 |theta - minimiser|^2",
        _minimiser,
        proof=by(_minimiser, (-_best, Given(0))),
    ),
    step(
        "tv_bound.start",
        1179,
        "the minimiser of L^gamma is (L/2mu) ((1-r) gamma - r)_+ e_1: where (1-r) gamma <= r the forget signs cancel the rest",
        _mean_of_signs,
        "tv_bound",
        proof=(Step("identity", _mean_of_signs, Identity()),),
    ),
    step(
        "tv_bound.telescope",
        1193,
        "the links add up: their sum is at most f(gamma_0) - f(gamma_{2K})",
        _telescope,
        "tv_bound",
        proof=(
            Step("none", state(ge(0, 0)), Combination(())),
            Step("one more", _telescope_step, Combination(((1, Given(0)),))),
            Step(
                "all",
                _telescope,
                Induction(k, _left, "none", "one more", {summed: 0, angle: angle_first}, _next, last),
            ),
        ),
    ),
    step(
        "inefficient.condition",
        1256,
        "e <= rho^2 e0/3 (1 + 1/(2w))^2 gives (sqrt(3e/e0)/rho - 1) w <= 1/2",
        _condition,
        "inefficient",
        proof=by(
            _condition,
            (ww / (rho**2 * e0 * (1 + 1 / (2 * ww) + root / rho)), Given(1)),
            (-ww / (rho**2 * e0 * (1 + 1 / (2 * ww) + root / rho)), Given(0)),
        ),
    ),
    step(
        "e0.convexity",
        1270,
        "<grad L(-theta_r*) + mu theta_r* - grad L(0), -theta_r*> >= 0",
        _convexity,
        "e0",
        proof=by(_convexity, (1, Given(0))),
    ),
    step(
        "efficient.step_size",
        1096,
        "no constant step does better than the one of l.1096: D^2/(2 gamma T) + gamma L^2/2 >= L D/sqrt(T)",
        _best_size,
        "efficient",
        proof=by(_best_size, (1 / (2 * size * T), Square(spread - size * L * sp.sqrt(T)))),
    ),
    definition(
        "binomial_tv.density",
        1385,
        "TV(P, Q) = E_P|1 - Q/P|/2",
        "the definition of total variation through densities",
    ),
    statement(
        "trivial.corner",
        542,
        "the printed trivial region ends at e = e0, kappa = (1-2r)/(r(1-r) sqrt(d)), about 1/(r sqrt(d))",
        _corner,
        proof=(Step("identity", _corner, Identity()),),
    ),
    statement(
        "trivial.beyond",
        638,
        "unlearning is trivial beyond r (r + sqrt(d) kappa) e0",
        _beyond,
        printed_uses=("trivial",),
        instances=(
            case(
                "the two problems of trivial: r = 1/4, d = 1, eps = 25, delta = 1e-5, e = (3/16) e0",
                {
                    L: 2,
                    mu: 1,
                    r_f: Fraction(1, 4),
                    d: 1,
                    eps: 25,
                    delta: Fraction(1, 100000),
                    e: Fraction(3, 32),
                },
                through=(
                    (
                        1,
                        Lemma("trivial.floor", {r_f: sp.Rational(1, 4), L: sp.Integer(2), mu: sp.Integer(1)}),
                    ),
                    (sp.Rational(1, 512), One()),
                ),
            ),
        ),
        repaired_by="trivial.repaired",
    ),
)
