"""Displayed lines of the printed proofs that no other module judges, so that every one has a verdict."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, POSITIVE, letter, parameter
from oubli.theory.paper.algorithms import n
from oubli.theory.paper.binomial import gamma_printed, s_binomial, y_abs
from oubli.theory.paper.lecam import a, b, k, tau_12, tau_hop, tau_k, tau_k_next, tau_link, w, x_unit
from oubli.theory.paper.letters import L, T, centred, delta, epsilon, gamma, mu, rho
from oubli.theory.paper.optima import D
from oubli.theory.paper.privacy import P_reference, P_unlearned, P_unlearned_other, close
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
from oubli.theory.records.proof import Combination, Given, Identity, Induction, Lemma, Norm, Step, Sum
from oubli.theory.records.vectors import square, vector

HALF = Fraction(1, 2)

# --- two points, l.1160 to l.1162
W_sup = letter("W_sup", NONNEGATIVE, "sup over {g, g'} of E|optimum - output from theta_0|^2")
W_far = letter("W_far", NONNEGATIVE, "E|optimum of g' - theta_2|^2, theta_2 ~ P_g' started at theta_0'")
W_near = letter("W_near", NONNEGATIVE, "E|optimum of g - theta_1|^2, theta_1 ~ P_g")
W_max = letter("W_max", NONNEGATIVE, "the larger of W_near and W_far")
W_agreed = letter("W_agreed", NONNEGATIVE, "E[|optimum of g - theta_1|^2 given theta_1 = theta_2]")
theta_agreed = vector("theta_agreed")
_coupled = state(ge(W_sup, W_far), fact("definition", ge(W_sup, W_near)))
_jensen = state(
    ge(W_max, (1 - tau_12) * square(a - theta_agreed)),
    fact("definition", ge(W_max, W_near)),
    fact("coupling", ge(W_near, (1 - tau_12) * W_agreed)),
    fact("Jensen", ge(W_agreed, square(a - theta_agreed))),
)
_middle = state(
    ge(W_max, square(a - b) / 4),
    fact("definition", ge(W_max, square(a - theta_agreed))),
    fact("definition", ge(W_max, square(b - theta_agreed))),
)

# --- the chain, l.1182 to l.1223
K_all = parameter("K_all", NATURAL, "number of hops in the chain")
S_links = letter("S_links", meaning="sum of all links and hops so far")
_sum_left = S_links - tau_k
_sum_step = state(
    ge(S_links + tau_link + tau_hop - tau_k_next, 0),
    fact("triangle", le(tau_k_next, tau_k + tau_link + tau_hop)),
    given(ge(_sum_left, 0)),
)
_triangle = state(ge(_sum_left, 0), also=(K_all,))
tau_signs = letter("tau_signs", NONNEGATIVE, "TV between the two sequences of signs")
tau_binomial = letter("tau_binomial", NONNEGATIVE, "TV between the two binomial laws of the numbers of signs")
tau_binomial_next = letter("tau_binomial_next", NONNEGATIVE, "the same for the next link")
_processing = state(eq(tau_link, tau_signs), fact("data processing", le(tau_link, tau_signs)))
_processing_repaired = state(le(tau_link, tau_signs), fact("data processing", le(tau_link, tau_signs)))
_lost = state(eq(tau_binomial + tau_binomial_next, tau_binomial))
_kept = state(
    le(tau_signs, tau_binomial),
    # The number of plus signs is sufficient: the order given the number has the same law in both.
    fact("data processing", le(tau_signs, tau_binomial)),
)
_ending = state(le(sp.sqrt(T) / 2 * sp.asin(gamma), sp.pi * gamma * sp.sqrt(T) / 4))
tau_idle = letter("tau_idle", meaning="a hop beyond K': both starts are 0")
_hops_equal = state(eq(tau_hop + tau_idle, tau_hop), fact("definition", eq(tau_idle, 0)))
_hop_price = state(
    le(tau_hop, w),
    fact("definition", le(tau_hop, P_unlearned - P_unlearned_other)),
    close(P_unlearned, P_unlearned_other),
    fact("exponential", ge(sp.exp(epsilon), 1)),
)
w_price = parameter("w_price", POSITIVE, "price of one hop")
S_price = letter("S_price", meaning="the price of one hop, summed over the K' hops")
K_prime = parameter("K_prime", NATURAL, "K', the number of hops")
_hop_sum = state(eq(K_prime * w_price, S_price))

# --- the rest
_radius = state(le(D, rho * L / mu))
_to_fixed = state(le(P_unlearned, sp.exp(epsilon) * P_reference + delta), close(P_unlearned, P_reference))
C_choose = letter("C_choose", POSITIVE, "the binomial coefficient")
u_shifted = letter("u_shifted", POSITIVE, "(1+gamma+eps)^X (1-gamma-eps)^(T-X)")
d_unshifted = letter("d_unshifted", POSITIVE, "(1+gamma)^X (1-gamma)^(T-X)")
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
        proof=by(_jensen, (1, Given(0)), (1, Given(1)), (1 - tau_12, Given(2))),
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
        proof=(
            Step("start", state(ge(0, 0)), Combination(())),
            Step("one more", _sum_step, Combination(((1, Given(0)), (1, Given(1))))),
            Step(
                "all",
                _triangle,
                Induction(
                    k,
                    _sum_left,
                    "start",
                    "one more",
                    {S_links: 0, tau_k: 0},
                    {S_links: S_links + tau_link + tau_hop, tau_k: tau_k_next},
                    K_all,
                ),
            ),
        ),
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
        "TV(theta_{k,k}, theta_{k,k+1}) <= TV between the sequences of signs",
        _processing_repaired,
        proof=by(_processing_repaired, (1, Given(0))),
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
        _kept,
        proof=by(_kept, (1, Given(0))),
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
        proof=by(_hops_equal, (1, Given(0))),
    ),
    step(
        "tv_bound.price",
        1222,
        "one hop costs at most e^eps - 1 + delta",
        _hop_price,
        "tv_bound",
        proof=by(_hop_price, (1, Given(0)), (1, Lemma("tv_dp"))),
    ),
    step(
        "tv_bound.prices",
        1223,
        "the sum of K' equal prices is K' times the price",
        _hop_sum,
        "tv_bound",
        proof=(Step("sum", _hop_sum, Sum(n, w_price, n * w_price, 1, K_prime, S_price)),),
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
        _to_fixed,
        "def.to_reference",
        proof=by(_to_fixed, (1, Given(0))),
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
