"""Relations that the text and the proofs state inline, without a display of their own."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, POSITIVE, letter, parameter
from oubli.theory.paper.chains import k
from oubli.theory.paper.inefficient import w_hop
from oubli.theory.paper.lecam import m_1
from oubli.theory.paper.letters import L, T, classical_kappa, d, delta, e, e0, epsilon, mu, r, rho
from oubli.theory.paper.optima import theta_r
from oubli.theory.paper.scratch import alpha, mirrored, slope_mirror, x_opt
from oubli.theory.paper.setup import e1, theta
from oubli.theory.paper.trivial import BELOW, COUNTEREXAMPLE, M_0
from oubli.theory.records.build import (
    by,
    case,
    definition,
    eq,
    fact,
    ge,
    given,
    le,
    lt,
    state,
    statement,
    step,
)
from oubli.theory.records.objects import inner as product
from oubli.theory.records.objects import term
from oubli.theory.records.proof import Combination, Given, Identity, Induction, Square, Step
from oubli.theory.records.vectors import inner, square

root_d = sp.sqrt(d)
_best = L**2 * m_1**2 / (8 * mu)
_minimiser = state(
    eq(
        mu / 2 * square(theta) - L / 2 * m_1 * inner(theta, e1) + _best,
        mu / 2 * square(theta - (L * m_1 / (2 * mu)) * e1),
    ),
    fact("definition", eq(square(e1), 1)),
)

f_gamma = letter("f_gamma", meaning="f(gamma_{2k})")
f_gamma_next = letter("f_gamma_next", meaning="f(gamma_{2k+2})")
f_gamma_first = letter("f_gamma_first", meaning="f(gamma_0)")
S_f_gamma = letter("S_f_gamma", meaning="sum of f(gamma_{2j}) - f(gamma_{2j+2}) over j < k")
K_links = parameter("K_links", NATURAL, "number of links")
_left = f_gamma_first - f_gamma - S_f_gamma
_next = {S_f_gamma: S_f_gamma + f_gamma - f_gamma_next, f_gamma: f_gamma_next}
_telescope_step = state(ge(_left.subs(_next, simultaneous=True), 0), given(ge(_left, 0)), also=(k,))
_telescope = state(ge(_left, 0), also=(K_links,))

s_target = parameter("s_target", NONNEGATIVE, "sqrt(3 e/e0)")
_condition = state(
    le((s_target / rho - 1) * w_hop, Fraction(1, 2)),
    given(eq(s_target**2 * e0, 3 * e)),
    given(le(3 * e, rho**2 * e0 * (1 + 1 / (2 * w_hop)) ** 2)),
)
beta_mirror = term("beta_mirror", product(slope_mirror, theta_r), "<grad L_r(-theta_r*), theta_r*>")
_convexity = state(ge(-beta_mirror - mu * x_opt**2 + alpha, 0), also=(L,))
gamma_any = parameter("gamma_any", POSITIVE, "any constant step size")
D_rms = parameter("D_rms", NONNEGATIVE, "root mean square distance from the start to theta_r*")
_best_size = state(
    ge(D_rms**2 / (2 * gamma_any * T) + gamma_any * L**2 / 2, L * D_rms / sp.sqrt(T)), given(ge(T, 1))
)
corner = (1 - 2 * r) / (r * (1 - r) * root_d)
_corner = state(eq(rho * (rho + root_d * corner), 1))
_beyond = state(
    le(M_0, e),
    given(ge(e, r * (r + root_d * classical_kappa(epsilon, delta)) * e0)),
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
                Induction(
                    k, _left, "none", "one more", {S_f_gamma: 0, f_gamma: f_gamma_first}, _next, K_links
                ),
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
            (w_hop / (rho**2 * e0 * (1 + 1 / (2 * w_hop) + s_target / rho)), Given(1)),
            (-w_hop / (rho**2 * e0 * (1 + 1 / (2 * w_hop) + s_target / rho)), Given(0)),
        ),
    ),
    step(
        "e0.convexity",
        1270,
        "<grad L(-theta_r*) + mu theta_r* - grad L(0), -theta_r*> >= 0",
        _convexity,
        "e0",
        proof=by(_convexity, *((1, source) for source in mirrored)),
    ),
    step(
        "efficient.step_size",
        1096,
        "no constant step does better than the one of l.1096: D^2/(2 gamma T) + gamma L^2/2 >= L D/sqrt(T)",
        _best_size,
        "efficient",
        proof=by(_best_size, (1 / (2 * gamma_any * T), Square(D_rms - gamma_any * L * sp.sqrt(T)))),
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
                COUNTEREXAMPLE,
                through=BELOW,
            ),
        ),
        repaired_by="trivial.repaired",
    ),
)
