"""Displayed lines of the printed proofs that no other module judges, so that every one has a verdict."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.paper.binomial import absolute, gm, spread
from theory.paper.build import (
    A,
    B,
    P,
    by,
    case,
    centred,
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
from theory.paper.lecam import hop, link, tau, tau_k, tau_n, w, x01
from theory.paper.optima import dist
from theory.paper.privacy import close, p_a, p_u, p_v
from theory.proof import Combination, Given, Identity, Induction, Lemma, Norm, Step, Sum
from theory.symbols import NATURAL, NONNEGATIVE, POSITIVE, L, T, delta, eps, gamma, letter, mu, parameter, rho
from theory.vectors import square, vector

HALF = Fraction(1, 2)

# --- two points, l.1160 to l.1162
sup_sq = letter("W_0", NONNEGATIVE, "sup over {g, g'} of E|optimum - output from theta_0|^2")
far_sq = letter("W_2", NONNEGATIVE, "E|optimum of g' - theta_2|^2, theta_2 ~ P_g' started at theta_0'")
near_sq = letter("W_1", NONNEGATIVE, "E|optimum of g - theta_1|^2, theta_1 ~ P_g")
max_sq = letter("W_m", NONNEGATIVE, "the larger of W_1 and W_2")
agreed = letter("W_a", NONNEGATIVE, "E[|optimum of g - theta_1|^2 given theta_1 = theta_2]")
a, b, t = vector("a"), vector("b"), vector("t")
_coupled = state(ge(sup_sq, far_sq), fact("definition", ge(sup_sq, near_sq)))
_jensen = state(
    ge(max_sq, (1 - tau) * square(a - t)),
    fact("definition", ge(max_sq, near_sq)),
    fact("coupling", ge(near_sq, (1 - tau) * agreed)),
    fact("Jensen", ge(agreed, square(a - t))),
)
_middle = state(
    ge(max_sq, square(a - b) / 4),
    fact("definition", ge(max_sq, square(a - t))),
    fact("definition", ge(max_sq, square(b - t))),
)

# --- the chain, l.1182 to l.1223
k = parameter("k", NATURAL, "number of hops made")
k_all = parameter("K_all", NATURAL, "number of hops in the chain")
links = letter("S_l", meaning="sum of all links and hops so far")
_sum_left = links - tau_k
_sum_step = state(
    ge(links + link + hop - tau_n, 0),
    fact("triangle", le(tau_n, tau_k + link + hop)),
    given(ge(_sum_left, 0)),
)
_triangle = state(ge(_sum_left, 0), also=(k_all,))
signs_tv = letter("tau_Z", NONNEGATIVE, "TV between the two sequences of signs")
binomial_tv_ = letter("tau_B", NONNEGATIVE, "TV between the two binomial laws of the numbers of signs")
second = letter("tau_C", NONNEGATIVE, "the same for the next link")
_processing = state(eq(link, signs_tv), fact("data processing", le(link, signs_tv)))
_processing_repaired = state(le(link, signs_tv), fact("data processing", le(link, signs_tv)))
_lost = state(eq(binomial_tv_ + second, binomial_tv_))
_kept = state(
    le(signs_tv, binomial_tv_),
    # The number of plus signs is sufficient: the order given the number has the same law in both.
    fact("data processing", le(signs_tv, binomial_tv_)),
)
_ending = state(le(sp.sqrt(T) / 2 * sp.asin(gamma), sp.pi * gamma * sp.sqrt(T) / 4))
idle = letter("tau_i", meaning="a hop beyond K': both starts are 0")
_hops_equal = state(eq(hop + idle, hop), fact("definition", eq(idle, 0)))
_hop_price = state(
    le(hop, w),
    fact("definition", le(hop, p_u - p_v)),
    close(p_u, p_v),
    fact("exponential", ge(sp.exp(eps), 1)),
)
n = parameter("n", NATURAL, "number of terms")
price = parameter("w_1", POSITIVE, "price of one hop")
priced = letter("S_w", meaning="the price of one hop, summed over the K' hops")
k_some = parameter("K_1", NATURAL, "K', the number of hops")
_hop_sum = state(eq(k_some * price, priced))

# --- the rest
_radius = state(le(dist, rho * L / mu))
_to_fixed = state(le(p_u, sp.exp(eps) * p_a + delta), close(p_u, p_a))
choose, up, down = (
    letter(x, POSITIVE, m)
    for x, m in (
        ("C_X", "the binomial coefficient"),
        ("u_X", "(1+gamma+eps)^X (1-gamma-eps)^(T-X)"),
        ("d_X", "(1+gamma)^X (1-gamma)^(T-X)"),
    )
)
_ratio = state(eq((choose * up) / (choose * down), up / down))
_deviation = state(
    le(absolute / ((1 + gm) * (1 - gm)), spread / ((1 + gm) * (1 - gm))), fact("Jensen", le(absolute, spread))
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
                    sup_sq: 0,
                    near_sq: 2 * (value(A, 1) - value(A, 1)),
                    far_sq: 2 * (value(B, 1) - value(B, -1)),
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
        proof=by(_jensen, (1, Given(0)), (1, Given(1)), (1 - tau, Given(2))),
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
            (1, Norm(t - sp.Rational(1, 2) * a - sp.Rational(1, 2) * b)),
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
                    {links: 0, tau_k: 0},
                    {links: links + link + hop, tau_k: tau_n},
                    k_all,
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
                {link: tv(P, P), signs_tv: Fraction(3, 10)},
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
        leans=("phi_measurable",),
    ),
    step(
        "tv_bound.sum_lost",
        1191,
        "the sum over k of total variations is one total variation",
        _lost,
        "tv_bound",
        instances=(
            case("two equal links of 1/10", {binomial_tv_: Fraction(1, 10), second: Fraction(1, 10)}),
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
        proof=by(_ending, (sp.sqrt(T) / 2, Lemma("tv_bound.arcsine", {x01: gamma}))),
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
        proof=(Step("sum", _hop_sum, Sum(n, price, n * price, 1, k_some, priced)),),
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
        proof=by(_deviation, (1 / ((1 + gm) * (1 - gm)), Given(0))),
    ),
)
