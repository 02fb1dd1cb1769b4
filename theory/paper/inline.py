"""Relations that the text and the proofs state inline, without a display of their own."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, parameter
from oubli.theory.paper.chains import K, k
from oubli.theory.paper.descent import k_
from oubli.theory.paper.inefficient import w_hop
from oubli.theory.paper.lecam import m_1
from oubli.theory.paper.letters import L, T, classical_kappa, d, delta, e, e0, epsilon, gamma, mu, r, rho
from oubli.theory.paper.mirror import point_any
from oubli.theory.paper.optima import theta_r
from oubli.theory.paper.scratch import alpha, mirrored, slope_mirror, x_opt
from oubli.theory.paper.setup import e_1
from oubli.theory.paper.trivial import BELOW, COUNTEREXAMPLE, M_0
from oubli.theory.records.build import (
    by,
    case,
    definition,
    eq,
    ge,
    given,
    le,
    lt,
    state,
    statement,
    step,
)
from oubli.theory.records.objects import Object, excess, minus, numeric, opt, term, tilt, total
from oubli.theory.records.objects import inner as product
from oubli.theory.records.proof import Combination, Given, Identity, Induction, One, Schema, Square, Step

root_d = sp.sqrt(d)
# The mean loss on data whose signs have mean m_1, and its minimiser.
_hard_mean, _centre = tilt((L * m_1 / 2) * e_1), (L * m_1 / (2 * mu)) * e_1
away_centre = term(
    "away_centre", product(point_any - _centre, point_any - _centre), "|x - (L/2mu) m_1 e_1|^2"
)
above_centre = term("above_centre", excess(_hard_mean, point_any), "L_r^g(x) - min L_r^g")
_minimiser = state(eq(above_centre, mu / 2 * away_centre))
_inside = {1: ((L**2 / 4 * (1 - m_1) * (1 + m_1), One()),)}


def f_at(hops: sp.Expr) -> Object:
    """f(gamma_{2k}): the arctangent of g/sqrt(1 - g^2) at g = (gamma - 2 k rho)_+ = (y + |y|)/2."""
    y = numeric(gamma - 2 * hops * rho).node
    g = ["*", "1/2", ["+", y, ["^", ["^", y, 2], "1/2"]]]
    return Object(["atan", ["*", g, ["^", ["+", 1, ["*", -1, ["^", g, 2]]], "-1/2"]]])


_drop = minus(f_at(k_), f_at(k_ + 1))
f_gamma_first = term("f_gamma_first", f_at(sp.Integer(0)), "f(gamma_0)")
f_gamma, _f_k, _f_next = (
    term(name, f_at(n), f"f(gamma_{{2{n}}})")
    for name, n in (("f_gamma", K), ("f_gamma_hops", k), ("f_gamma_after", k + 1))
)
S_f_gamma, _S_k, _S_next, _S_none = (
    term(name, total(_drop, n - 1), "sum of f(gamma_{2j}) - f(gamma_{2j+2}) over the hops so far")
    for name, n in (
        ("S_f_gamma", K),
        ("S_f_gamma_hops", k),
        ("S_f_gamma_after", k + 1),
        ("S_f_gamma_none", sp.Integer(0)),
    )
)


def telescoped(sign: int) -> tuple[Statement, tuple[Step, ...]]:
    """The sum of the differences against the difference of the ends, from one side."""
    here, there, none = (
        sign * (f_gamma_first - f - S)
        for f, S in ((_f_k, _S_k), (_f_next, _S_next), (f_gamma_first, _S_none))
    )
    says = state(ge(sign * (f_gamma_first - f_gamma - S_f_gamma), 0))
    return says, (
        Step("none", state(ge(none, 0)), Combination(((-sign, Schema("empty sum", (_drop,))),))),
        Step(
            "one more",
            state(ge(there, 0), given(ge(here, 0))),
            Combination(((1, Given(0)), (-sign, Schema("sum step", (_drop, numeric(k - 1)))))),
        ),
        Step("all", says, Induction(k, here, "none", "one more", {}, {}, K)),
    )


_telescope, _telescope_proof = telescoped(1)

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
        proof=by(
            _minimiser,
            (-mu / 2, Schema("tilted", ((L * m_1 / 2) * e_1, opt(_hard_mean) - _centre), _inside)),
        ),
    ),
    step(
        "tv_bound.telescope",
        1193,
        "the links add up: their sum is at most f(gamma_0) - f(gamma_{2K})",
        _telescope,
        "tv_bound",
        proof=_telescope_proof,
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
