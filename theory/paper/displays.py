"""Displayed lines of the printed proofs that no other module judges, so that every one has a verdict."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, POSITIVE, UNIT, letter, parameter
from oubli.theory.paper.binomial import gamma_printed, s_binomial, y_abs
from oubli.theory.paper.chains import (
    K,
    f_linked,
    in_chain,
    inside,
    k,
    link_sides,
    output,
    p_first,
    p_next,
    tau_chain,
    tau_ends,
    tau_k,
    tau_k_next,
)
from oubli.theory.paper.descent import k_
from oubli.theory.paper.lecam import tau_link, x_unit
from oubli.theory.paper.letters import A_private, L, S_any, T, centred, gamma, mu, rho
from oubli.theory.paper.optima import D
from oubli.theory.paper.privacy import tau_hop, to_fixed, to_fixed_proof, tv_dp
from oubli.theory.records.build import (
    A,
    B,
    P,
    by,
    case,
    eq,
    fact,
    ge,
    given,
    le,
    remark,
    repair,
    state,
    step,
    tv,
    value,
)
from oubli.theory.records.objects import Object, chance, hard_problem, numeric, term, total, variation
from oubli.theory.records.proof import (
    Combination,
    Given,
    Identity,
    Induction,
    Lemma,
    Norm,
    Over,
    Schema,
    Step,
)
from oubli.theory.records.vectors import square, vector

HALF = Fraction(1, 2)

# --- two points, l.1160 to l.1162
W_sup = letter("W_sup", NONNEGATIVE, "sup over {g, g'} of E|optimum - output from theta_0|^2")
W_far = letter("W_far", NONNEGATIVE, "E|optimum of g' - theta_2|^2, theta_2 ~ P_g' started at theta_0'")
W_near = letter("W_near", NONNEGATIVE, "E|optimum of g - theta_1|^2, theta_1 ~ P_g")
W_max = letter("W_max", NONNEGATIVE, "the larger of W_near and W_far")
W_agreed = letter("W_agreed", NONNEGATIVE, "E[|optimum of g - theta_1|^2 given theta_1 = theta_2]")
tau_agreed = letter("tau_agreed", UNIT, "TV(P_g, P_g')")
a, b, theta_agreed = vector("a"), vector("b"), vector("theta_agreed")
_coupled = state(ge(W_sup, W_far), fact("definition", ge(W_sup, W_near)))
_jensen = state(
    ge(W_max, (1 - tau_agreed) * square(a - theta_agreed)),
    fact("definition", ge(W_max, W_near)),
    fact("coupling", ge(W_near, (1 - tau_agreed) * W_agreed)),
    fact("Jensen", ge(W_agreed, square(a - theta_agreed))),
)
_middle = state(
    ge(W_max, square(a - b) / 4),
    fact("definition", ge(W_max, square(a - theta_agreed))),
    fact("definition", ge(W_max, square(b - theta_agreed))),
)

# --- the chain, l.1182 to l.1223
_links = Object(
    [
        "+",
        variation(output(in_chain(k_)), output(in_chain(k_ + 1, f_linked))).node,
        variation(output(in_chain(k_ + 1, f_linked)), output(in_chain(k_ + 1))).node,
    ]
)
S_links, S_k, S_k_next, S_none = (
    term(name, total(_links, n - 1), "sum of all links and hops so far")
    for name, n in (("S_links", K), ("S_k", k), ("S_k_next", k + 1), ("S_none", sp.Integer(0)))
)
_before, _after = output(in_chain(k)), output(in_chain(k + 1, f_linked))
_later = output(in_chain(k + 1))
tau_linked = term("tau_linked", variation(_before, _after), "TV(theta_{k,k}, theta_{k,k+1}) of a chain")
tau_hopped = term("tau_hopped", variation(_after, _later), "TV(theta_{k,k+1}, theta_{k+1,k+1}) of a chain")
_triangle = state(le(tau_chain, S_links))
_further = tau_k + tau_linked + tau_hopped
_first = output(in_chain(sp.Integer(0)))
_triangle_proof = (
    Step("start", state(ge(S_none, 0)), Combination(((1, Schema("empty sum", (_links,))),))),
    Step(
        "at an event",
        state(le(p_first - p_next, _further)),
        Combination(
            tuple(
                (1, Schema("total variation", (x, y, S_any)))
                for x, y in ((_first, _before), (_before, _after), (_after, _later))
            )
        ),
    ),
    Step("at all", state(le(tau_k_next, _further)), Over("at an event", variation(_first, _later), (S_any,))),
    Step(
        "one more",
        state(ge(S_k_next - tau_k_next, 0), given(ge(S_k - tau_k, 0))),
        Combination(((1, Given(0)), (1, Lemma("at all")), (1, Schema("sum step", (_links, numeric(k - 1)))))),
    ),
    Step("all", _triangle, Induction(k, S_k - tau_k, "start", "one more", {}, {}, K)),
)
tau_signs = letter("tau_signs", NONNEGATIVE, "TV between the two sequences of signs")
tau_binomial = letter("tau_binomial", NONNEGATIVE, "TV between the two binomial laws of the numbers of signs")
tau_binomial_next = letter("tau_binomial_next", NONNEGATIVE, "the same for the next link")
_processing = state(eq(tau_link, tau_signs), fact("data processing", le(tau_link, tau_signs)))
_lost = state(eq(tau_binomial + tau_binomial_next, tau_binomial))
# The number of plus signs is sufficient: the order given the number has the same law in both.
_in_chain = (*inside, given(ge(K, k + 1)))
_processed = state(le(tau_linked, tau_ends), *_in_chain, also=(L, mu))
p_before = term("p_before", chance(_before, S_any), "P[theta_{k,k} in S]")
p_after = term("p_after", chance(_after, S_any), "P[theta_{k,k+1} in S]")
_processed_proof = (
    Step(
        "at an event",
        state(le(p_before - p_after, tau_ends), *_in_chain, also=(L, mu)),
        Combination(
            (
                (
                    1,
                    Schema(
                        "same start",
                        (A_private, in_chain(k), in_chain(k + 1, f_linked), numeric(T), S_any),
                        link_sides,
                    ),
                ),
            )
        ),
    ),
    Step("at all", _processed, Over("at an event", variation(_before, _after), (S_any,))),
)
_ending = state(le(sp.sqrt(T) / 2 * sp.asin(gamma), sp.pi * gamma * sp.sqrt(T) / 4))
_at_zero = output(hard_problem(0, 0))
tau_idle = term("tau_idle", variation(_at_zero, _at_zero), "a hop beyond K': both starts are 0")
_hops_equal = state(eq(tau_hop + tau_idle, tau_hop))
w_price = parameter("w_price", POSITIVE, "price of one hop")
K_prime = parameter("K_prime", NATURAL, "K', the number of hops")
S_price, S_price_k, S_price_next, S_price_none = (
    term(name, total(w_price, n - 1), "the price of one hop, summed over hops")
    for name, n in (
        ("S_price", K_prime),
        ("S_price_k", k),
        ("S_price_next", k + 1),
        ("S_price_none", sp.Integer(0)),
    )
)
_hop_sum = state(eq(S_price, K_prime * w_price))
_hop_sum_proof = (
    Step(
        "none",
        state(eq(S_price_none, 0), also=(w_price,)),
        Combination(((1, Schema("empty sum", (numeric(w_price),))),)),
    ),
    Step(
        "one more",
        state(eq(S_price_next, (k + 1) * w_price), given(eq(S_price_k, k * w_price))),
        Combination(((1, Given(0)), (1, Schema("sum step", (numeric(w_price), numeric(k - 1)))))),
    ),
    Step("all", _hop_sum, Induction(k, S_price_k - k * w_price, "none", "one more", {}, {}, K_prime)),
)

# --- the rest
_radius = state(le(D, rho * L / mu))
C_choose = parameter("C_choose", POSITIVE, "the binomial coefficient")
u_shifted = parameter("u_shifted", POSITIVE, "(1+gamma+eps)^X (1-gamma-eps)^(T-X)")
d_unshifted = parameter("d_unshifted", POSITIVE, "(1+gamma)^X (1-gamma)^(T-X)")
_ratio = state(eq((C_choose * u_shifted) / (C_choose * d_unshifted), u_shifted / d_unshifted))
_deviation = state(
    le(
        y_abs / ((1 + gamma_printed) * (1 - gamma_printed)),
        s_binomial / ((1 + gamma_printed) * (1 - gamma_printed)),
    ),
    fact("Jensen", le(y_abs, s_binomial)),
)

CLAIMS = (
    step(
        "two_point.coupled",
        1160,
        "the supremum over runs from theta_0 is the larger of E|… - theta_1|^2 and E|… - theta_2|^2",
        _coupled,
        "two_point",
        instances=(
            case(
                "the rule of two_point: from theta_0 = 0 it releases the optimum, from theta_0' = R it releases R",
                {
                    L: 2,
                    mu: 1,
                    W_sup: 0,
                    W_near: 2 * (value(A, 1) - value(A, 1)),
                    W_far: 2 * (value(B, 1) - value(B, -1)),
                },
                members={"A": centred(1), "B": centred(-1)},
            ),
        ),
        repaired_by="two_point.repaired",
        note="theta_2 starts at theta_0', the left side at theta_0.",
    ),
    step(
        "two_point.jensen",
        1161,
        "… >= (1 - TV) |optimum of g - mean of the common output|^2 (and the same for g')",
        _jensen,
        "two_point",
        proof=by(_jensen, (1, Given(0)), (1, Given(1)), (1 - tau_agreed, Given(2))),
    ),
    step(
        "two_point.middle",
        1162,
        "the larger of |a - t|^2 and |b - t|^2 is at least |a - b|^2/4",
        _middle,
        "two_point",
        proof=by(
            _middle,
            (HALF, Given(0)),
            (HALF, Given(1)),
            (1, Norm(theta_agreed - sp.Rational(1, 2) * a - sp.Rational(1, 2) * b)),
        ),
    ),
    step(
        "tv_bound.triangle",
        1182,
        "TV(theta_{0,0}, theta_{K,K}) <= the sum of the links and the hops",
        _triangle,
        "tv_bound",
        proof=_triangle_proof,
    ),
    step(
        "tv_bound.processing",
        1190,
        "TV(theta_{k,k}, theta_{k,k+1}) = TV between the sequences of signs",
        _processing,
        "tv_bound",
        instances=(
            case(
                "T = 1 and a rule that ignores its gradient: 0 on the left, 3/10 on the right for gamma_{2k} = 3/5, "
                "gamma_{2k+2} = 0",
                {tau_link: tv(P, P), tau_signs: Fraction(3, 10)},
                laws={"P": {"0": 1}},
            ),
        ),
        repaired_by="tv_bound.processing.repaired",
    ),
    repair(
        "tv_bound.processing.repaired",
        1190,
        "TV(theta_{k,k}, theta_{k,k+1}) <= TV between the sequences of signs, which is that of their numbers",
        _processed,
        proof=_processed_proof,
        depends=("phi_measurable",),
    ),
    step(
        "tv_bound.sum_lost",
        1191,
        "the sum over k of total variations is one total variation",
        _lost,
        "tv_bound",
        instances=(
            case(
                "two equal links of 1/10", {tau_binomial: Fraction(1, 10), tau_binomial_next: Fraction(1, 10)}
            ),
        ),
        repaired_by="tv_bound.sum_kept",
        note="A lost sum sign.",
    ),
    repair(
        "tv_bound.sum_kept",
        1191,
        "link by link, the signs are as far apart as their numbers",
        _processed,
        proof=_processed_proof,
    ),
    step(
        "tv_bound.end",
        1195,
        "sqrt(T)/2 arcsin(gamma_0) <= pi gamma sqrt(T)/4",
        _ending,
        "tv_bound",
        proof=by(_ending, (sp.sqrt(T) / 2, Lemma("tv_bound.arcsine", {x_unit: gamma}))),
    ),
    step(
        "tv_bound.idle",
        1221,
        "the sum of the hops over k < K is that over k < K'",
        _hops_equal,
        "tv_bound",
        proof=by(_hops_equal),
    ),
    step(
        "tv_bound.price",
        1222,
        "one hop costs at most e^eps - 1 + delta",
        tv_dp,
        "tv_bound",
        proof=by(tv_dp, (1, Lemma("tv_dp"))),
    ),
    step(
        "tv_bound.prices",
        1223,
        "the sum of K' equal prices is K' times the price",
        _hop_sum,
        "tv_bound",
        proof=_hop_sum_proof,
    ),
    step(
        "efficient.radius",
        1086,
        "|theta* - theta_r*| <= rho L/mu =: R_1",
        _radius,
        "efficient",
        proof=by(_radius, (1, Lemma("opt_dist"))),
    ),
    step(
        "def.to_reference.chain",
        1342,
        "P[U(D_r, D_f) in S] <= e^eps P[U(D_r, D_0) in S] + delta (l.1343: and the other way round)",
        to_fixed,
        "def.to_reference",
        proof=to_fixed_proof,
        note="True; but U(., D_0) starts at theta*(D_r, D_0), so it is no learning algorithm of the class.",
    ),
    remark(
        "phi_measurable.step",
        1368,
        "the recursion writes A(m, gradient, omega) without the current model",
        "The update rule of l.331 takes theta_t as well; harmless, since theta_t is a function of the same arguments.",
    ),
    step(
        "binomial_tv.ratio",
        1386,
        "in the ratio of the two densities the binomial coefficients cancel",
        _ratio,
        "binomial_tv",
        proof=(Step("identity", _ratio, Identity()),),
    ),
    step(
        "binomial_tv.deviation",
        1389,
        "E|X - E X|/((1+gamma)(1-gamma)) <= sqrt(Var X)/((1+gamma)(1-gamma))",
        _deviation,
        "binomial_tv",
        proof=by(_deviation, (1 / ((1 + gamma_printed) * (1 - gamma_printed)), Given(0))),
    ),
)
