"""Le Cam's method: two points, and total variation along a chain of problems (l.1147 to l.1227)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, OPEN_UNIT, UNIT, Domain, letter, parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min, tau
from oubli.theory.paper.letters import L, T, centred, delta, epsilon, gamma, mu, r, rho
from oubli.theory.paper.privacy import P_unlearned, P_unlearned_other, close
from oubli.theory.records.build import (
    A,
    B,
    P,
    Q,
    by,
    case,
    eq,
    fact,
    ge,
    given,
    gt,
    hockey,
    le,
    repair,
    state,
    statement,
    step,
    theorem,
    tv,
    value,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Expectation,
    Given,
    Induction,
    Lemma,
    Monotone,
    Norm,
    One,
    Step,
)
from oubli.theory.records.vectors import inner, square, vector

HALF = Fraction(1, 2)

# --- two points -----------------------------------------------------------------------------------
m_1 = parameter("m_1", Domain(Fraction(-1), Fraction(1)), "E g(xi'), xi' ~ D_r")
m_2 = parameter("m_2", Domain(Fraction(-1), Fraction(1)), "E g'(xi'), xi' ~ D_r")
tau_12 = letter("tau_12", UNIT, "TV(P_g, P_g')")
M = letter("M", meaning="worst expected excess risk over the problems considered")
M_1 = letter("M_1", meaning="expected excess risk on g, started at theta_0")
M_2_printed = letter("M_2_printed", meaning="expected excess risk on g', started at theta_0 (as printed)")
M_2_own = letter("M_2_own", meaning="expected excess risk on g', started at theta_0'")
_bound = L**2 * (m_1 - m_2) ** 2 / (32 * mu) * (1 - tau_12)
_two_printed = state(
    ge(M, _bound),
    fact("definition", ge(M, M_1)),
    fact("definition", ge(M, M_2_printed)),
    fact("definition", eq((M - M_1) * (M - M_2_printed), 0)),
)

a, b, X = vector("a"), vector("b"), vector("X")
E_X_X = letter("E<X,X>", meaning="E[|X|^2 1{X = Y}]")
E_X_a = letter("E<X,a>", meaning="E[<X, a> 1{X = Y}]")
E_X_b = letter("E<X,b>", meaning="E[<X, b> 1{X = Y}]")
_pointwise_value = square(a - X) + square(b - X) - square(a - b) / 2
_pointwise = state(ge(_pointwise_value, 0))
_means = {square(X): E_X_X, inner(X, a): E_X_a, inner(X, b): E_X_b}
_mean_value = 2 * E_X_X - 2 * E_X_a - 2 * E_X_b + (1 - tau_12) * (square(a) / 2 + square(b) / 2 + inner(a, b))
_on_event = state(ge(_mean_value, 0), fact("coupling", ge(1 - tau_12, 0)))
_two = state(
    ge(M, _bound),
    fact("definition", ge(M, M_1)),
    fact("definition", ge(M, M_2_own)),
    fact("coupling", ge(M_1, mu / 2 * ((1 - tau_12) * square(a) - 2 * E_X_a + E_X_X))),
    fact("coupling", ge(M_2_own, mu / 2 * ((1 - tau_12) * square(b) - 2 * E_X_b + E_X_X))),
    fact("definition", eq(square(a - b), L**2 / (4 * mu**2) * (m_1 - m_2) ** 2)),
)

# --- total variation along a chain of problems ------------------------------------------------------
y_excess = parameter("y_excess", NONNEGATIVE, "((1-r) gamma - r)_+")
tau_0 = letter(
    "tau_0",
    UNIT,
    "TV(U on g^gamma, U on g^0), or on -g^gamma, whichever is larger: the bounds hold for both by reflection",
)
h_output = letter(
    "h_output", UNIT, "hockey-stick divergence between the two outputs at e^eps, the larger direction"
)
K = letter("K", NATURAL, "number of private hops, at least ((1-r) gamma - r)/(2r)")
w = sp.exp(epsilon) - 1 + delta
_positive_part = (
    fact("definition", ge(y_excess, (1 - r) * gamma - r)),
    fact("definition", eq(y_excess * (y_excess - (1 - r) * gamma + r), 0)),
)
_printed_tv = sp.pi * gamma * sp.sqrt(T) / 4 + y_excess / (2 * r) * w
_tv_printed = state(le(tau_0, _printed_tv), *_positive_part, given(le(h_output, delta)))

k = parameter("k", NATURAL, "number of hops made")
gamma_k = letter("gamma_k", UNIT, "gamma_{2k} = (gamma - 2 k rho)_+")
gamma_k_next = letter("gamma_k_next", UNIT, "gamma_{2k+2}")
tau_k = letter("tau_k", meaning="TV(theta_{0,0}, theta_{k,k})")
tau_k_next = letter("tau_k_next", meaning="TV(theta_{0,0}, theta_{k+1,k+1})")
tau_link = letter("tau_link", meaning="TV(theta_{k,k}, theta_{k,k+1}): same start, other signs")
tau_hop = letter("tau_hop", meaning="TV(theta_{k,k+1}, theta_{k+1,k+1}): same signs, other forget data")
w_private = parameter("w_private", NONNEGATIVE, "a bound on one private hop")
_chain = sp.sqrt(T) / 2 * sp.asin(gamma) - sp.sqrt(T) / 2 * sp.asin(gamma_k) + k * w_private - tau_k
_chain_next = {gamma_k: gamma_k_next, tau_k: tau_k_next}
_hop_price = given(le(tau_hop, w_private))
_chain_step = state(
    ge(_chain.subs({k: k + 1, **_chain_next}, simultaneous=True), 0),
    given(ge(_chain, 0)),
    fact("triangle", le(tau_k_next, tau_k + tau_link + tau_hop)),
    fact("definition", le(gamma_k_next, gamma_k)),
    _hop_price,
)
_chain_held = state(ge(_chain.subs(k, K), 0), _hop_price)
_enough_hops = given(ge(2 * r * K, (1 - r) * gamma - r))
_tv_chain = state(
    le(tau_0, sp.pi * gamma * sp.sqrt(T) / 4 + K * w_private),
    _enough_hops,
    _hop_price,
    # After K hops the start is 0, like that of the problem with gamma = 0: only the signs differ.
    fact("triangle", le(tau_0, tau_k + tau_link)),
    also=(gamma_k,),
)
# A hop compares two outputs of U at one event: its price is what privacy allows there.
_hop_event = (
    fact("definition", le(tau_hop, P_unlearned - P_unlearned_other)),
    close(P_unlearned, P_unlearned_other),
    close(1 - P_unlearned_other, 1 - P_unlearned),
    fact("exponential", ge(sp.exp(epsilon), 1)),
)
_sharp_price = (sp.exp(epsilon) - 1 + 2 * delta) / (sp.exp(epsilon) + 1)
_tv_repaired = state(le(tau_0, sp.pi * gamma * sp.sqrt(T) / 4 + K * w), _enough_hops, *_hop_event)
_tv_sharper = state(le(tau_0, sp.pi * gamma * sp.sqrt(T) / 4 + K * _sharp_price), _enough_hops, *_hop_event)

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

# --- slips in the printed proof of the chain
_link_equal = state(
    eq(tau_link, sp.sqrt(T) / 2 * sp.asin(gamma_k) - sp.sqrt(T) / 2 * sp.asin(gamma_k_next)),
    given(ge(gamma_k, gamma_k_next)),
    also=(tau_link,),
)
_index = state(
    eq(sp.asin(gamma_k) - sp.asin(gamma_k_next), sp.asin(gamma_k_next)), given(ge(gamma_k, gamma_k_next))
)
_index_repaired = state(eq(sp.asin(gamma_k) - sp.asin(0), sp.asin(gamma_k)))
_edge = state(
    eq((1 - r) * gamma_k_next + r, (1 - r) * gamma_k),
    fact("definition", le((1 - r) * (gamma_k - gamma_k_next), r)),
)
_edge_repaired = state(
    le((1 - r) * (gamma_k - gamma_k_next), r), fact("definition", le(gamma_k - gamma_k_next, rho))
)
_ceiling = state(
    le(K * w, y_excess / (2 * r) * w),
    *_positive_part,
    fact("definition", le(2 * r * K, y_excess + 2 * r)),
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
                "T = 1, d = 1, g = 1, g' = -1. The rule reads the sign off its gradient and releases the optimum if "
                "started at theta_0 = 0, and releases R if started at theta_0' = R: both printed risks are 0, and "
                "P_g = P_g' = {R}",
                {
                    L: 2,
                    mu: 1,
                    m_1: 1,
                    m_2: -1,
                    M: 0,
                    M_1: value(A, 1) - value(A, 1),
                    M_2_printed: value(B, -1) - value(B, -1),
                    tau_12: tv(P, Q),
                },
                members={"A": centred(1), "B": centred(-1)},
                laws={"P": {"R": 1}, "Q": {"R": 1}},
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
            Step(
                "where they agree",
                _pointwise,
                Combination(((2, Norm(X - sp.Rational(1, 2) * a - sp.Rational(1, 2) * b)),)),
            ),
            Step("in the mean", _on_event, Expectation("where they agree", _means, 1 - tau_12)),
            Step(
                "risk",
                _two,
                Combination(
                    (
                        (HALF, Given(0)),
                        (HALF, Given(1)),
                        (HALF, Given(2)),
                        (HALF, Given(3)),
                        (mu / 4, Lemma("in the mean")),
                        (mu / 8 * (1 - tau_12), Given(4)),
                    )
                ),
            ),
        ),
        instances=(
            case(
                "T = 0, output 0, g = 1, g' = -1: attained",
                {
                    L: 2,
                    mu: 1,
                    m_1: 1,
                    m_2: -1,
                    tau_12: 0,
                    M: HALF,
                    M_1: value(A, 0) - value(A, 1),
                    M_2_own: value(B, 0) - value(B, -1),
                    E_X_X: 0,
                    E_X_a: 0,
                    E_X_b: 0,
                    square(a): 1,
                    square(b): 1,
                    inner(a, b): -1,
                },
                members={"A": centred(1), "B": centred(-1)},
                vectors={"a": (1,), "b": (-1,)},
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
                    r: Fraction(1, 4),
                    gamma: Fraction(11, 30),
                    T: 1,
                    epsilon: sp.log(4),
                    delta: Fraction(1, 1000),
                    y_excess: Fraction(1, 40),
                    tau_0: tv(P, Q),
                    h_output: (hockey(P, Q, 4) + hockey(Q, P, 4)) / 2,
                },
                laws={
                    "P": {"+": Fraction(4, 5), "-": Fraction(1, 5)},
                    "Q": {"+": Fraction(1, 5), "-": Fraction(4, 5)},
                },
            ),
        ),
        repaired_by="tv_bound.repaired",
        note="The proof has a ceiling that the statement drops; at the last hop D_f' needs a smaller weight than 1.",
    ),
    theorem(
        "tv_bound.chain",
        "tv_bound",
        "TV(U on g^gamma, U on g^0) <= pi gamma sqrt(T)/4 + K w_private, K = ceil(((1-r) gamma - r)_+/(2r)) hops of at "
        "most w_private each",
        _tv_chain,
        proof=(
            Step("no hop", state(ge(0, 0)), Combination(())),
            Step(
                "one more hop",
                _chain_step,
                Combination(
                    (
                        (1, Given(0)),
                        (1, Given(1)),
                        (1, Given(3)),
                        (
                            1,
                            Lemma(
                                "binomial_tv.arcsin",
                                {gamma_min: gamma_k_next, gamma_max: gamma_k, tau: tau_link},
                            ),
                        ),
                    )
                ),
            ),
            Step(
                "K hops",
                _chain_held,
                Induction(k, _chain, "no hop", "one more hop", {gamma_k: gamma, tau_k: 0}, _chain_next, K),
            ),
            Step(
                "all",
                _tv_chain,
                Combination(
                    (
                        (1, Given(2)),
                        (1, Lemma("K hops")),
                        (
                            1,
                            Lemma(
                                "binomial_tv.arcsin",
                                {gamma_min: sp.Integer(0), gamma_max: gamma_k, tau: tau_link},
                            ),
                        ),
                        (sp.sqrt(T) / 2, Lemma("tv_bound.arcsine", {x_unit: gamma})),
                    )
                ),
            ),
        ),
        depends=("phi_measurable", "setup.hard_family"),
        note="Links change the signs at a fixed start (phi_measurable and data processing), hops change the forget "
        "data at fixed signs (Definition 2). The weight of g on D_f' is chosen so that the hop lands exactly.",
    ),
    repair(
        "tv_bound.repaired",
        1170,
        "TV(U on g^gamma, U on g^0) <= pi gamma sqrt(T)/4 + K (e^eps - 1 + delta), with the ceiling kept",
        _tv_repaired,
        proof=by(
            _tv_repaired,
            (1, Lemma("tv_bound.chain", {w_private: w}, {1: ((1, Given(1)), (1, Lemma("tv_dp")))})),
        ),
    ),
    theorem(
        "tv_bound.sharper",
        "tv_bound",
        "… + K (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _tv_sharper,
        proof=by(
            _tv_sharper,
            (
                1,
                Lemma(
                    "tv_bound.chain",
                    {w_private: _sharp_price},
                    {1: ((1, Given(1)), (1, Lemma("tv_dp.sharp")))},
                ),
            ),
        ),
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
                {T: 1, gamma_k: Fraction(3, 5), gamma_k_next: 0, tau_link: tv(P, Q)},
                laws={
                    "P": {"+": Fraction(4, 5), "-": Fraction(1, 5)},
                    "Q": {"+": Fraction(1, 2), "-": Fraction(1, 2)},
                },
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
