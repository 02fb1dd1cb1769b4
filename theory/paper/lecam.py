"""Le Cam's method: two points, and total variation along a chain of problems (l.1147 to l.1227)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, OPEN_UNIT, UNIT, Domain, parameter, phi1
from oubli.theory.paper.binomial import SYMMETRIC, gamma_max, gamma_min
from oubli.theory.paper.chains import K, a_chain, arc, arcs_proof, f_chain, output, q_high, q_low, s_chain
from oubli.theory.paper.letters import (
    A_any,
    A_private,
    L,
    M_any,
    R,
    S_any,
    T,
    delta,
    epsilon,
    gamma,
    mu,
    old_optimum,
    r,
    rho,
)
from oubli.theory.paper.privacy import Sides, grows, price, w
from oubli.theory.paper.setup import e_1
from oubli.theory.paper.two_starts import by_its_start, f_also, f_sure, m_also, m_sure, y_sure
from oubli.theory.records.build import (
    by,
    case,
    eq,
    ge,
    given,
    gt,
    le,
    repair,
    state,
    statement,
    step,
    theorem,
)
from oubli.theory.records.objects import (
    Object,
    chance,
    coins,
    excess,
    hard_problem,
    inner,
    mean,
    numeric,
    opt,
    out,
    point,
    response,
    retain,
    rule,
    term,
    variation,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Couple,
    Given,
    Lemma,
    Monotone,
    One,
    Over,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

HALF = Fraction(1, 2)

# --- two points -----------------------------------------------------------------------------------
m_1 = parameter("m_1", Domain(Fraction(-1), Fraction(1)), "E g(xi'), xi' ~ D_r")
m_2 = parameter("m_2", Domain(Fraction(-1), Fraction(1)), "E g'(xi'), xi' ~ D_r")
f_1 = parameter("f_1", SYMMETRIC, "E g on the forget data of the first problem")
f_2 = parameter("f_2", SYMMETRIC, "E g' on the forget data of the second")
hard_1, hard_2 = hard_problem(m_1, f_1), hard_problem(m_2, f_2)
X_1, X_2 = out(A_any, hard_1, T), out(A_any, hard_2, T)
tau_12 = term("tau_12", variation(X_1, X_2), "TV(P_g, P_g')")
_bound = L**2 * (m_1 - m_2) ** 2 / (32 * mu) * (1 - tau_12)
_two = state(ge(M_any, _bound), also=(r,))
# As printed: the supremum is over runs from theta_0 = theta*, P_g' that of a run from theta_0'.
f_3 = parameter("f_3", SYMMETRIC, "E g' on forget data with which g' starts at theta_0 as well")
M_sup = parameter("M_sup", meaning="any number that neither risk exceeds, as the larger of the two")
hard_3 = hard_problem(m_2, f_3)
X_3 = out(A_any, hard_3, T)
M_1 = term("M_1", mean(excess(retain(hard_1), X_1)), "expected excess risk on g, started at theta_0")
M_2_printed = term(
    "M_2_printed",
    mean(excess(retain(hard_3), X_3)),
    "expected excess risk on g', started at theta_0 (as printed)",
)
one_start = given(eq((1 - r) * m_1 + r * f_1, (1 - r) * m_2 + r * f_3))
_two_printed = state(ge(M_sup, _bound), given(ge(M_sup, M_1)), given(ge(M_sup, M_2_printed)), one_start)
y_any = point("y_any")
best_1, best_2 = (R * m_1) * e_1, (R * m_2) * e_1
from_a, from_b = inner(y_any - best_1, y_any - best_1), inner(y_any - best_2, y_any - best_2)
d_a, d_b = term("d_a", from_a, "|y - optimum of g|^2"), term("d_b", from_b, "|y - optimum of g'|^2")
W_first = term("W_first", mean(inner(X_1 - best_1, X_1 - best_1)), "E|output on g - optimum of g|^2")
W_second = term("W_second", mean(inner(X_2 - best_2, X_2 - best_2)), "E|output on g' - optimum of g'|^2")
_apart = L**2 * (m_1 - m_2) ** 2 / (8 * mu**2)


def risk_of(D: Object, m: sp.Symbol, x: Object) -> tuple[Term, ...]:
    """Half the risk on a hard problem is mu/4 times the mean square distance from x, which is optimal."""
    f, room = retain(D), ((L**2 / 4 * (1 - m) * (1 + m), One()),)
    inside, step_to = ((L**2 / (4 * mu**2) * (1 - m) * (1 + m), One()),), x - opt(f)
    at_optimum = ((1, Schema("ball", (opt(f),), {1: room})),)
    return (
        (HALF, Schema("worst", (A_any, numeric(r), numeric(T), D))),
        (HALF, Schema("strong convexity", (f, opt(f), x, f), {1: room, 2: at_optimum, 3: inside})),
        (HALF, Schema("stationary", (f, step_to), {1: room})),
        (mu / 4, SquaredNorm(step_to)),
    )


def sure(*values: Any) -> dict[sp.Symbol, Any]:
    """The letters of the rule that looks at where it starts, at values."""
    return dict(zip((m_sure, f_sure, y_sure, m_also, f_also), values, strict=False))


# --- total variation along a chain of problems ------------------------------------------------------
y_excess = parameter("y_excess", NONNEGATIVE, "((1-r) gamma - r)_+")
_positive_part = (
    given(ge(y_excess, (1 - r) * gamma - r)),
    given(eq(y_excess * (y_excess - (1 - r) * gamma + r), 0)),
)
_printed_tv = sp.pi * gamma * sp.sqrt(T) / 4 + y_excess / (2 * r) * w

y_unit = parameter("y_unit", Domain(Fraction(0), Fraction(1), False, True), "a point of [0, 1)")
_f = sp.atan(y_unit / sp.sqrt(1 - y_unit**2))
_arcs = sp.asin(y_unit) - _f
z_unit = parameter("z_unit", Domain(Fraction(0), Fraction(1), False, True), "a point of [0, 1)")
_f_z = _f.subs(y_unit, z_unit)
_convex_slope = state(ge(sp.diff(_arcs, y_unit), 0))
_convex_same = state(ge(sp.asin(z_unit) - _f_z - sp.asin(0) + sp.atan(0), 0))
x_unit = parameter("x_unit", UNIT, "a point of [0, 1]")
_chord = state(le(sp.asin(x_unit), sp.pi * x_unit / 2))
# tan t >= t, so arcsin(v)/v rises, up to pi/2 at 1; at 0 the arcsine is 0.
v_unit = parameter("v_unit", OPEN_UNIT, "a point of (0, 1)")
_over = y_unit / sp.sqrt(1 - y_unit**2) - sp.asin(y_unit)
_tangent_slope = state(ge(sp.diff(_over, y_unit), 0))
_tangent = state(ge(_over.subs(y_unit, z_unit) - _over.subs(y_unit, 0), 0))
_ratio_slope = state(ge(sp.diff(sp.asin(v_unit) / v_unit, v_unit), 0))
_ratio = state(ge(sp.asin(1) - sp.asin(x_unit) / x_unit, 0), given(gt(x_unit, 0)))
_chord_inside = state(le(sp.asin(x_unit), sp.pi * x_unit / 2), given(gt(x_unit, 0)))
_arcsine_slope = state(ge(sp.diff(sp.asin(y_unit), y_unit), 0))
_arcsine_falls = state(ge(sp.asin(0) - sp.asin(x_unit), 0), given(le(x_unit, 0)))
_chord_at_0 = state(le(sp.asin(x_unit), sp.pi * x_unit / 2), given(le(x_unit, 0)))
_convex = state(le(_f_z, sp.pi * z_unit / 2))
_increasing = state(ge(sp.diff(_f, y_unit), 0))

# --- the printed problems: mean gamma, and -min{1, gamma/rho} on the forget data, so that theta* = R y_excess
_hard_gamma, _hard_zero = hard_problem(gamma, (y_excess - (1 - r) * gamma) / r), hard_problem(0, 0)
_ends = variation(output(_hard_gamma), output(_hard_zero))
tau_zero = term("tau_zero", _ends, "TV(U on g^gamma, U on g^0)")
p_gamma = term("p_gamma", chance(output(_hard_gamma), S_any), "P[U on g^gamma in S]")
p_zero = term("p_zero", chance(output(_hard_zero), S_any), "P[U on g^0 in S]")
_setting = (*_positive_part, given(ge(2 * r * K, (1 - r) * gamma - r)))
_says = le(p_gamma - p_zero, arc(gamma) + K * price)
_has_start, _has_hops, _has_none = given(gt(y_excess, 0)), given(gt(K, 0)), given(ge(-K, 0))
_evenly = given(eq(K * (1 - r) * s_chain, y_excess))


def _under(says: Any, *more: Hypothesis) -> Statement:
    return state(says, *_setting, *more, also=(L, mu))


_tv_printed = state(le(tau_zero, _printed_tv), *_positive_part, also=(L, mu))
_tv_sharper = _under(le(tau_zero, sp.pi * gamma * sp.sqrt(T) / 4 + K * price))
_tv_repaired = _under(le(tau_zero, sp.pi * gamma * sp.sqrt(T) / 4 + K * w))
_hard_first, _hard_last = hard_problem(gamma, -1), hard_problem(gamma - K * s_chain, -1)
_last_mean = _under(eq(gamma - K * s_chain, rho), _has_start, _has_hops, _evenly)
# -min{1, gamma/rho} is at least -1.
_f_gamma = ((1 / r, Given(0)),)
_at_rho = Lemma("last mean")
_low, _high = ((1, _at_rho), (1 + rho, One())), ((K * s_chain + 1 - gamma, One()),)
_walked = {a_chain: gamma, f_chain: sp.Integer(-1)}


def _same(D: Object, E: Object, because: Sides) -> Schema:
    return Schema("same start", (A_private, D, E, numeric(T), S_any), because)


def _by(name: str, says: Statement, *terms: Term) -> Step:
    return Step(name, says, Combination(terms))


_sharper_proof = (
    *arcs_proof,
    _by(
        "starts at 0",
        _under(_says, given(ge(-y_excess, 0))),
        (
            1,
            _same(
                _hard_gamma,
                _hard_zero,
                {5: _f_gamma, 6: ((1 / r, Given(3)), (1 + (1 - r) * gamma / r, One()))},
            ),
        ),
        (1, Lemma("binomial_tv.arcsin", {gamma_min: sp.Integer(0), gamma_max: gamma})),
        (K / (sp.exp(epsilon) + 1) * (2 * delta + epsilon * phi1(epsilon)), One()),
        (K / (sp.exp(epsilon) + 1), grows),
    ),
    _by(
        "last mean",
        _last_mean,
        (-1 / (y_excess * (1 - r)), Given(1)),
        (-1 / (1 - r), Given(5)),
    ),
    _by(
        "in even hops",
        _under(_says, _has_start, _has_hops, _evenly),
        (
            1,
            _same(
                _hard_gamma,
                _hard_first,
                {
                    0: ((1 / y_excess, Given(1)),),
                    5: _f_gamma,
                    6: ((-1 / (r * y_excess), Given(1)), (2, One())),
                },
            ),
        ),
        (1, Schema("total variation", (output(_hard_first), output(_hard_last), S_any))),
        (
            1,
            Lemma(
                "tv_bound.chain",
                _walked,
                {
                    1: _low,
                    3: (
                        (1 / (r * K), Given(2)),
                        (-1 / (r * K * y_excess), Given(1)),
                        (-1 / (r * K), Given(5)),
                    ),
                },
            ),
        ),
        (1, Lemma("K links", _walked, {1: _low})),
        (1, _same(_hard_last, _hard_zero, {0: ((1 - r, _at_rho),), 3: _low, 4: _high})),
        (
            1,
            Lemma(
                "one link",
                {q_high: gamma - K * s_chain, q_low: sp.Integer(0)},
                {0: _high, 1: _low, 4: ((1, _at_rho), (rho, One()))},
            ),
        ),
    ),
    _by(
        "some hops",
        _under(_says, _has_start, _has_hops),
        (1, Lemma("in even hops", {s_chain: y_excess / (K * (1 - r))})),
    ),
    _by(
        "no hops",
        _under(_says, _has_start, _has_none),
        (1, Lemma("starts at 0", {}, {3: ((1, Given(2)), (-1 / y_excess, Given(1)), (2 * r, Given(4)))})),
    ),
    Step("starts above 0", _under(_says, _has_start), Cases(K, "some hops", "no hops")),
    Step("at an event", _under(_says), Cases(y_excess, "starts above 0", "starts at 0")),
    Step("at all", _under(le(tau_zero, arc(gamma) + K * price)), Over("at an event", _ends, (S_any,))),
    _by(
        "all",
        _tv_sharper,
        (1, Lemma("at all")),
        (sp.sqrt(T) / 2, Lemma("tv_bound.arcsine", {x_unit: gamma})),
    ),
)


def sign_response(p: Any) -> Object:
    """The rule that releases e_1 with probability p if <theta*, e_1> > 0, with 1 - p if not, and else -e_1."""
    return rule(response(p, inner(old_optimum, e_1), e_1, -e_1))


# --- slips in the printed proof of the chain
gamma_k = parameter("gamma_k", UNIT, "gamma_{2k} = (gamma - 2 k rho)_+")
gamma_k_next = parameter("gamma_k_next", UNIT, "gamma_{2k+2}")
tau_link = term(
    "tau_link", variation(coins(T, gamma_k), coins(T, gamma_k_next)), "TV of the binomial laws of one link"
)
_link_equal = state(
    eq(tau_link, sp.sqrt(T) / 2 * sp.asin(gamma_k) - sp.sqrt(T) / 2 * sp.asin(gamma_k_next)),
    given(ge(gamma_k, gamma_k_next)),
)
_index = state(
    eq(sp.asin(gamma_k) - sp.asin(gamma_k_next), sp.asin(gamma_k_next)), given(ge(gamma_k, gamma_k_next))
)
_index_repaired = state(eq(sp.asin(gamma_k) - sp.asin(0), sp.asin(gamma_k)))
_edge = state(
    eq((1 - r) * gamma_k_next + r, (1 - r) * gamma_k),
    given(le((1 - r) * (gamma_k - gamma_k_next), r)),
)
_edge_repaired = state(le((1 - r) * (gamma_k - gamma_k_next), r), given(le(gamma_k - gamma_k_next, rho)))
_ceiling = state(
    le(K * w, y_excess / (2 * r) * w),
    *_positive_part,
    given(le(2 * r * K, y_excess + 2 * r)),
    given(ge(2 * r * K, (1 - r) * gamma - r)),
)

CLAIMS = (
    statement(
        "two_point",
        1147,
        "sup over {g, g'} of the risk from theta_0 >= L^2 (E g - E g')^2/(32 mu) (1 - TV(P_g, P_g')), where P_g' "
        "starts at theta_0'",
        _two_printed,
        "lemma:cvLg",
        instances=(
            case(
                "T = 1, g = 1, g' = -1, r = 1/2. The rule steps from -R to R g, which is the optimum, and releases theta_1 - "
                "2 theta_0, projected. From theta_0 = 0 both risks are 0; on g' from theta_0' = -R it releases R as it does on g",
                {L: 2, mu: 1, r: HALF, T: 1, m_1: 1, m_2: -1, f_1: -1, f_2: -1, f_3: 1, M_sup: 0},
                objects={"A_any": by_its_start},
                through=(
                    (-HALF, Lemma("two_point.start.alike", sure(m_1, f_1, 1, m_2, f_2))),
                    (0, Lemma("two_point.start.optimal", sure(m_1, f_1))),
                    (0, Lemma("two_point.start.optimal", sure(m_2, f_3))),
                ),
            ),
        ),
        repaired_by="two_point.repaired",
        note="The left side starts both runs at theta_0 while P_g' starts at theta_0'.",
    ),
    repair(
        "two_point.repaired",
        1147,
        "the same with g' run from theta_0' on both sides",
        _two,
        proof=(
            _by("from g", state(ge(d_a, 0)), (1, SquaredNorm(y_any - best_1))),
            _by("from g'", state(ge(d_b, 0)), (1, SquaredNorm(y_any - best_2))),
            _by(
                "everywhere",
                state(ge(d_a + d_b - _apart, 0)),
                (2, SquaredNorm(y_any - sp.Rational(1, 2) * (best_1 + best_2))),
            ),
            Step(
                "in the mean",
                state(ge(W_first + W_second - _apart * (1 - tau_12), 0)),
                Couple(("everywhere", "from g", "from g'"), y_any, (from_a, from_b), _apart, (X_1, X_2)),
            ),
            _by(
                "risk",
                _two,
                *risk_of(hard_1, m_1, best_1),
                *risk_of(hard_2, m_2, best_2),
                (mu / 4, Lemma("in the mean")),
            ),
        ),
    ),
    statement(
        "tv_bound",
        1170,
        "TV(U on g^gamma, U on g^0) <= pi gamma sqrt(T)/4 + ((1-r) gamma - r)_+/(2r) (e^eps - 1 + delta)",
        _tv_printed,
        "lemma:tvbound",
        printed_uses=("binomial_tv", "tv_dp", "phi_measurable"),
        instances=(
            case(
                "randomised response on the sign of theta*, e^eps = 4, T = 1 (the gradient is ignored), r = 1/4, "
                "gamma = 11/30: theta* > 0 for g^gamma and theta* = 0 for g^0, so TV = 3/5 > 0.44",
                {
                    L: 2,
                    mu: 1,
                    r: Fraction(1, 4),
                    gamma: Fraction(11, 30),
                    T: 1,
                    epsilon: sp.log(4),
                    delta: Fraction(1, 1000),
                    y_excess: Fraction(1, 40),
                },
                objects={"A_private": sign_response(Fraction(4, 5))},
            ),
        ),
        repaired_by="tv_bound.repaired",
        note="The proof has a ceiling that the statement drops; at the last hop D_f' needs a smaller weight than 1.",
    ),
    repair(
        "tv_bound.repaired",
        1170,
        "TV(U on g^gamma, U on g^0) <= pi gamma sqrt(T)/4 + K (e^eps - 1 + delta), with the ceiling kept",
        _tv_repaired,
        proof=by(
            _tv_repaired,
            (1, Lemma("tv_bound.sharper")),
            (K * (sp.exp(epsilon) + delta) / (sp.exp(epsilon) + 1), grows),
            (K * epsilon * phi1(epsilon) * (sp.exp(epsilon) + delta) / (sp.exp(epsilon) + 1), One()),
        ),
    ),
    theorem(
        "tv_bound.sharper",
        "tv_bound",
        "… + K (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _tv_sharper,
        proof=_sharper_proof,
    ),
    statement(
        "tv_bound.convex",
        1198,
        "arctan(x/sqrt(1-x^2)) <= pi x/2 on [0, 1)",
        _convex,
        proof=(
            Step("equal slopes", _convex_slope, Combination(())),
            Step("arcsine", _convex_same, Monotone("equal slopes", y_unit, _arcs, sp.Integer(0), z_unit)),
            Step(
                "below",
                _convex,
                Combination(((1, Lemma("arcsine")), (1, Lemma("tv_bound.arcsine", {x_unit: z_unit})))),
            ),
        ),
    ),
    theorem(
        "tv_bound.arcsine",
        "tv_bound.convex",
        "arcsin x <= pi x/2 on [0, 1]",
        _chord,
        proof=(
            Step(
                "tan",
                _tangent_slope,
                Combination(((y_unit**2 * (1 - y_unit**2) ** sp.Rational(-3, 2), One()),)),
            ),
            Step("tan t >= t", _tangent, Monotone("tan", y_unit, _over, sp.Integer(0), z_unit)),
            Step(
                "ratio", _ratio_slope, Combination(((1 / v_unit**2, Lemma("tan t >= t", {z_unit: v_unit})),))
            ),
            Step(
                "below pi/2",
                _ratio,
                Monotone("ratio", v_unit, sp.asin(v_unit) / v_unit, x_unit, sp.Integer(1)),
            ),
            Step("x > 0", _chord_inside, Combination(((x_unit, Lemma("below pi/2")),))),
            Step("arcsine", _arcsine_slope, Combination((((1 - y_unit**2) ** sp.Rational(-1, 2), One()),))),
            Step(
                "not above 0",
                _arcsine_falls,
                Monotone("arcsine", y_unit, sp.asin(y_unit), x_unit, sp.Integer(0)),
            ),
            Step("x = 0", _chord_at_0, Combination(((1, Lemma("not above 0")), (sp.pi * x_unit / 2, One())))),
            Step("all", _chord, Cases(x_unit, "x > 0", "x = 0")),
        ),
        instances=(case("x = 1: attained", {x_unit: 1}),),
    ),
    step(
        "tv_bound.increasing",
        1198,
        "arctan(x/sqrt(1-x^2)) is increasing: its slope is nonnegative",
        _increasing,
        "tv_bound",
        proof=by(_increasing, ((1 - y_unit**2) ** sp.Rational(-1, 2), One())),
    ),
    step(
        "tv_bound.equal",
        1192,
        "TV(Bin(T, (1+gamma_{2k})/2), Bin(T, (1+gamma_{2k+2})/2)) = sqrt(T)/2 |arcsin … - arcsin …|",
        _link_equal,
        "tv_bound",
        instances=(
            case(
                "T = 1, gamma_{2k} = 3/5, gamma_{2k+2} = 0: TV = 3/10, not arcsin(3/5)/2 = 0.32…",
                {T: 1, gamma_k: Fraction(3, 5), gamma_k_next: 0},
            ),
        ),
        repaired_by="binomial_tv.arcsin",
        note="An upper bound, not an equality; l.1190 has '=' for data processing as well, and l.1191 lost its sum.",
    ),
    step(
        "tv_bound.index",
        1194,
        "|f(gamma_{2K}) - f(gamma_0)| = f(gamma_{2K})",
        _index,
        "tv_bound",
        instances=(case("gamma_{2K} = 0 and gamma_0 = 3/5", {gamma_k: Fraction(3, 5), gamma_k_next: 0}),),
        repaired_by="tv_bound.index.repaired",
        note="gamma_{2K} = 0: the right side must read f(gamma_0).",
    ),
    repair(
        "tv_bound.index.repaired",
        1194,
        "f(gamma_0) - f(gamma_{2K}) = f(gamma_0), because gamma_{2K} = 0",
        _index_repaired,
        proof=by(_index_repaired),
    ),
    step(
        "tv_bound.edge",
        1218,
        "with g = 1 on D_f', the optimum (1-r) gamma_{2k} + r is (1-r) gamma_{2k-1}, k = K included",
        _edge,
        "tv_bound",
        instances=(
            case(
                "r = 1/4, gamma = 1/2, k = K = 1: gamma_2 = 0 and gamma_1 = 1/6, so 1/4 is not 1/8",
                {r: Fraction(1, 4), gamma_k: Fraction(1, 6), gamma_k_next: 0},
            ),
        ),
        repaired_by="tv_bound.edge.repaired",
    ),
    repair(
        "tv_bound.edge.repaired",
        1218,
        "some value g in [-1, 1] on D_f' makes it so: g r = (1-r)(gamma_{2k-1} - gamma_{2k}) is at most r",
        _edge_repaired,
        proof=by(_edge_repaired, (1 - r, Given(0))),
    ),
    step(
        "tv_bound.ceiling",
        1226,
        "K' = ceil(((1-r) gamma - r)_+/(2r)) hops cost ((1-r) gamma - r)_+/(2r) times the price of one",
        _ceiling,
        "tv_bound",
        instances=(
            case(
                "r = 1/4, gamma = 11/30: the quotient is 1/20, its ceiling 1",
                {
                    r: Fraction(1, 4),
                    gamma: Fraction(11, 30),
                    K: 1,
                    y_excess: Fraction(1, 40),
                    epsilon: 1,
                    delta: Fraction(1, 1000),
                },
            ),
        ),
        repaired_by="tv_bound.repaired",
        note="The proof keeps the ceiling, the statement drops it.",
    ),
)
