"""Displayed lines of the printed proofs that no other module judges, so that every one has a verdict."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, POSITIVE, UNIT, parameter
from oubli.theory.paper.binomial import SYMMETRIC, gamma_printed
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
from oubli.theory.paper.lecam import (
    X_1,
    X_2,
    X_3,
    W_first,
    W_second,
    best_1,
    best_2,
    f_1,
    f_2,
    f_3,
    gamma_k,
    gamma_k_next,
    m_1,
    m_2,
    one_start,
    sure,
    tau_12,
    x_unit,
)
from oubli.theory.paper.letters import A_private, L, S_any, T, delta, epsilon, gamma, mu, r, rho
from oubli.theory.paper.optima import D
from oubli.theory.paper.privacy import tau_hop, to_fixed, to_fixed_proof, tv_dp
from oubli.theory.paper.two_starts import by_its_start
from oubli.theory.records.build import (
    by,
    case,
    eq,
    ge,
    given,
    gt,
    le,
    remark,
    repair,
    state,
    step,
)
from oubli.theory.records.objects import (
    ZERO,
    Object,
    chance,
    coins,
    common,
    complement,
    hard_problem,
    inner,
    mean,
    norm,
    numeric,
    point,
    random,
    rule,
    term,
    total,
    variation,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Identity,
    Induction,
    Lemma,
    Mean,
    One,
    Over,
    Schema,
    Square,
    SquaredNorm,
    Step,
)

HALF = Fraction(1, 2)

# --- two points, l.1160 to l.1162
W_sup = parameter("W_sup", NONNEGATIVE, "any number that neither does exceed, as the larger of the two")
W_third = term("W_third", mean(inner(X_3 - best_2, X_3 - best_2)), "E|output from theta_0 on g' - optimum|^2")
_coupled = state(ge(W_sup, W_second), given(ge(W_sup, W_first)), given(ge(W_sup, W_third)), one_start)
# For the mean t of the output that both runs share, E<output - t, h> = 0 for every h.
W_larger = parameter(
    "W_larger", meaning="any number that E|optimum of g - theta_1|^2 does not exceed, as the larger"
)
t_mean, v_shared = point("t_mean"), parameter("v_shared", NONNEGATIVE, "a share, 1 - TV")
_shared, _from_mean = common(X_1, X_2), best_1 - t_mean
W_shared = term(
    "W_shared", mean(inner(_shared - best_1, _shared - best_1)), "E|optimum of g - common output|^2"
)
W_off = term("W_off", mean(inner(_shared - t_mean, _from_mean)), "E<common output - t, optimum of g - t>")
W_mean = term("W_mean", inner(_from_mean, _from_mean), "|optimum of g - t|^2")
_is_mean = given(eq(W_off, 0))
_convex = state(ge(v_shared * W_shared, v_shared * W_mean), _is_mean)
p_shared_1 = term("p_shared_1", chance(X_1, S_any), "P[output on g in S]")
p_shared_2 = term("p_shared_2", chance(X_2, S_any), "P[output on g' in S]")
_some = state(le(p_shared_1 - p_shared_2, 1))
_jensen = state(ge(W_larger, (1 - tau_12) * W_mean), given(ge(W_larger, W_first)), _is_mean)
_jensen_proof = (
    Step(
        "share",
        _convex,
        Combination(((v_shared, Mean(SquaredNorm(_shared - t_mean))), (-2 * v_shared, Given(0)))),
    ),
    Step(
        "at an event",
        _some,
        Combination(((1, Schema("chance", (X_1, complement(S_any)))), (1, Schema("chance", (X_2, S_any))))),
    ),
    Step("at most 1", state(le(tau_12, 1)), Over("at an event", variation(X_1, X_2), (S_any,))),
    Step(
        "jensen",
        _jensen,
        Combination(
            (
                (1, Given(0)),
                (1, Schema("common", (X_1, X_2, best_1))),
                (
                    1,
                    Lemma(
                        "share",
                        {v_shared: 1 - tau_12},
                        {v_shared: ((1, Lemma("at most 1")),), 0: ((1, Given(1)),)},
                    ),
                ),
            )
        ),
    ),
)
a_point, b_point, t_point = point("a_point"), point("b_point"), point("t_point")
W_max = parameter("W_max", meaning="any number that neither |a - t|^2 nor |b - t|^2 exceeds, as the larger")
a_away, b_away, a_to_b = (
    term(name, inner(x - y, x - y), meaning)
    for name, x, y, meaning in (
        ("a_away", a_point, t_point, "|a - t|^2"),
        ("b_away", b_point, t_point, "|b - t|^2"),
        ("a_to_b", a_point, b_point, "|a - b|^2"),
    )
)
_middle = state(ge(W_max, a_to_b / 4), given(ge(W_max, a_away)), given(ge(W_max, b_away)))

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
gamma_last = parameter("gamma_last", UNIT, "gamma_{2k+4}")
tau_signs, tau_next = (
    term(name, variation(coins(T, u), coins(T, v)), meaning)
    for name, u, v, meaning in (
        (
            "tau_signs",
            gamma_k,
            gamma_k_next,
            "TV of the numbers of signs, and so of their sequences, in one link",
        ),
        ("tau_next", gamma_k_next, gamma_last, "the same in the next link"),
    )
)
g_linked = parameter("g_linked", SYMMETRIC, "mean of the signs on the forget data before the link")
g_next = parameter("g_next", SYMMETRIC, "the same after it")
tau_outputs = term(
    "tau_outputs",
    variation(output(hard_problem(gamma_k, g_linked)), output(hard_problem(gamma_k_next, g_next))),
    "TV(theta_{k,k}, theta_{k,k+1}): same start, other signs",
)
_same_start = given(eq((1 - r) * gamma_k + r * g_linked, (1 - r) * gamma_k_next + r * g_next))
_processing = state(eq(tau_outputs, tau_signs), _same_start, also=(L, mu, epsilon, delta))
_lost = state(eq(tau_signs + tau_next, tau_signs))
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
# For every random vector X, so for the number of signs, and every c, so for the mean of X.
X_random, c_point = random("X_random"), point("c_point")
_off = inner(X_random - c_point, X_random - c_point)
X_off = term("X_off", norm(X_random - c_point), "|X - c|")
X_off_square = term("X_off_square", _off, "|X - c|^2")
y_abs = term("y_abs", mean(norm(X_random - c_point)), "E|X - c|")
y_square = term("y_square", mean(_off), "E|X - c|^2")
_width = (1 + gamma_printed) * (1 - gamma_printed)
_square_there = given(ge(y_square, 0))
_above, _below = given(gt(y_abs, 0)), given(ge(-y_abs, 0))
_root = state(le(y_abs, sp.sqrt(y_square)), _square_there)
_deviation = state(le(y_abs / _width, sp.sqrt(y_square) / _width))
_deviation_proof = (
    Step(
        "square",
        state(ge(X_off_square - 2 * y_abs * X_off + y_abs**2, 0)),
        Combination(((1, Square(X_off - y_abs)),)),
    ),
    Step("mean", state(ge(y_square, y_abs**2)), Combination(((1, Mean(Lemma("square"))),))),
    Step(
        "E|X - c| > 0",
        state(le(y_abs, sp.sqrt(y_square)), _square_there, _above),
        Combination(((1 / (sp.sqrt(y_square) + y_abs), Lemma("mean")),)),
    ),
    Step(
        "E|X - c| = 0",
        state(le(y_abs, sp.sqrt(y_square)), _square_there, _below),
        Combination(((1, Given(1)), (sp.sqrt(y_square), One()))),
    ),
    Step("root", _root, Cases(y_abs, "E|X - c| > 0", "E|X - c| = 0")),
    Step(
        "over the width",
        _deviation,
        Combination(((1 / _width, Lemma("root", {}, {0: ((1, Mean(SquaredNorm(X_random - c_point))),)})),)),
    ),
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
                "the rule of two_point: from theta_0 = 0 it releases the optimum, on g' from theta_0' = -R it releases R",
                {L: 2, mu: 1, r: HALF, T: 1, m_1: 1, m_2: -1, f_1: -1, f_2: -1, f_3: 1, W_sup: 0},
                objects={"A_any": by_its_start},
                through=(
                    (1, Lemma("two_point.start.off", sure(m_2, f_2, 1))),
                    (0, Lemma("two_point.start", sure(m_1, f_1, 1))),
                    (0, Lemma("two_point.start", sure(m_2, f_3, -1))),
                ),
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
        proof=_jensen_proof,
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
            (1, SquaredNorm(t_point - sp.Rational(1, 2) * (a_point + b_point))),
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
                {
                    L: 2,
                    mu: 1,
                    r: HALF,
                    T: 1,
                    gamma_k: Fraction(3, 5),
                    gamma_k_next: 0,
                    g_linked: Fraction(-3, 5),
                    g_next: 0,
                    epsilon: 1,
                    delta: HALF,
                },
                objects={"A_private": rule(ZERO)},
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
                "T = 1 and means 2/5, 1/5, 0: two links of 1/10",
                {T: 1, gamma_k: Fraction(2, 5), gamma_k_next: Fraction(1, 5), gamma_last: 0},
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
        proof=_deviation_proof,
    ),
)
