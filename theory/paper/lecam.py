"""Le Cam's method: two points, and total variation along a chain of problems (l.1147 to l.1227)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.paper.binomial import c_hi, c_lo
from theory.paper.binomial import tau as link_tau
from theory.paper.build import (
    A,
    B,
    P,
    Q,
    by,
    case,
    centred,
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
    tv,
    value,
)
from theory.paper.privacy import close, p_u, p_v
from theory.proof import (
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
from theory.symbols import (
    NATURAL,
    NONNEGATIVE,
    OPEN_UNIT,
    UNIT,
    Domain,
    L,
    T,
    delta,
    eps,
    gamma,
    letter,
    mu,
    parameter,
    r_f,
    rho,
)
from theory.vectors import inner, square, vector

HALF = Fraction(1, 2)

# --- two points -----------------------------------------------------------------------------------
m1 = parameter("m_1", Domain(Fraction(-1), Fraction(1)), "E g(xi'), xi' ~ D_r")
m2 = parameter("m_2", Domain(Fraction(-1), Fraction(1)), "E g'(xi'), xi' ~ D_r")
tau = letter("tau_12", UNIT, "TV(P_g, P_g')")
worst = letter("M", meaning="worst expected excess risk over the problems considered")
risk1 = letter("M_1", meaning="expected excess risk on g, started at theta_0")
risk2 = letter("M_2", meaning="expected excess risk on g', started at theta_0 (as printed)")
risk3 = letter("M_3", meaning="expected excess risk on g', started at theta_0'")
_bound = L**2 * (m1 - m2) ** 2 / (32 * mu) * (1 - tau)
_two_printed = state(
    ge(worst, _bound),
    fact("definition", ge(worst, risk1)),
    fact("definition", ge(worst, risk2)),
    fact("definition", eq((worst - risk1) * (worst - risk2), 0)),
)

a, b, x = vector("a"), vector("b"), vector("X")
xx = letter("E<X,X>", meaning="E[|X|^2 1{X = Y}]")
ax = letter("E<X,a>", meaning="E[<X, a> 1{X = Y}]")
bx = letter("E<X,b>", meaning="E[<X, b> 1{X = Y}]")
_pointwise_value = square(a - x) + square(b - x) - square(a - b) / 2
_pointwise = state(ge(_pointwise_value, 0))
_means = {square(x): xx, inner(x, a): ax, inner(x, b): bx}
_mean_value = 2 * xx - 2 * ax - 2 * bx + (1 - tau) * (square(a) / 2 + square(b) / 2 + inner(a, b))
_on_event = state(ge(_mean_value, 0), fact("coupling", ge(1 - tau, 0)))
_two = state(
    ge(worst, _bound),
    fact("definition", ge(worst, risk1)),
    fact("definition", ge(worst, risk3)),
    fact("coupling", ge(risk1, mu / 2 * ((1 - tau) * square(a) - 2 * ax + xx))),
    fact("coupling", ge(risk3, mu / 2 * ((1 - tau) * square(b) - 2 * bx + xx))),
    fact("definition", eq(square(a - b), L**2 / (4 * mu**2) * (m1 - m2) ** 2)),
)

# --- total variation along a chain of problems ------------------------------------------------------
excess = letter("y_p", NONNEGATIVE, "((1-r) gamma - r)_+")
tau_0 = letter(
    "tau_0",
    UNIT,
    "TV(U on g^gamma, U on g^0), or on -g^gamma, whichever is larger: the bounds hold for both by reflection",
)
h_u = letter("h_U", UNIT, "hockey-stick divergence between the two outputs at e^eps, the larger direction")
K = letter("K", NATURAL, "number of private hops, at least ((1-r) gamma - r)/(2r)")
w = sp.exp(eps) - 1 + delta
_positive_part = (
    fact("definition", ge(excess, (1 - r_f) * gamma - r_f)),
    fact("definition", eq(excess * (excess - (1 - r_f) * gamma + r_f), 0)),
)
_printed_tv = sp.pi * gamma * sp.sqrt(T) / 4 + excess / (2 * r_f) * w
_tv_printed = state(le(tau_0, _printed_tv), *_positive_part, given(le(h_u, delta)))

k = parameter("k", NATURAL, "number of hops made")
g_k = letter("g_k", UNIT, "gamma_{2k} = (gamma - 2 k rho)_+")
g_n = letter("g_n", UNIT, "gamma_{2k+2}")
tau_k = letter("tau_k", meaning="TV(theta_{0,0}, theta_{k,k})")
tau_n = letter("tau_n", meaning="TV(theta_{0,0}, theta_{k+1,k+1})")
link = letter("tau_l", meaning="TV(theta_{k,k}, theta_{k,k+1}): same start, other signs")
hop = letter("tau_h", meaning="TV(theta_{k,k+1}, theta_{k+1,k+1}): same signs, other forget data")
hop_bound = parameter("w_h", NONNEGATIVE, "a bound on one private hop")
_chain = sp.sqrt(T) / 2 * sp.asin(gamma) - sp.sqrt(T) / 2 * sp.asin(g_k) + k * hop_bound - tau_k
_chain_next = {g_k: g_n, tau_k: tau_n}
_hop_price = given(le(hop, hop_bound))
_chain_step = state(
    ge(_chain.subs({k: k + 1, **_chain_next}, simultaneous=True), 0),
    given(ge(_chain, 0)),
    fact("triangle", le(tau_n, tau_k + link + hop)),
    fact("definition", le(g_n, g_k)),
    _hop_price,
)
_chain_held = state(ge(_chain.subs(k, K), 0), _hop_price)
_enough_hops = given(ge(2 * r_f * K, (1 - r_f) * gamma - r_f))
_tv_chain = state(
    le(tau_0, sp.pi * gamma * sp.sqrt(T) / 4 + K * hop_bound),
    _enough_hops,
    _hop_price,
    # After K hops the start is 0, like that of the problem with gamma = 0: only the signs differ.
    fact("triangle", le(tau_0, tau_k + link)),
    also=(g_k,),
)
# A hop compares two outputs of U at one event: its price is what privacy allows there.
_hop_event = (
    fact("definition", le(hop, p_u - p_v)),
    close(p_u, p_v),
    close(1 - p_v, 1 - p_u),
    fact("exponential", ge(sp.exp(eps), 1)),
)
_sharp_price = (sp.exp(eps) - 1 + 2 * delta) / (sp.exp(eps) + 1)
_tv_repaired = state(le(tau_0, sp.pi * gamma * sp.sqrt(T) / 4 + K * w), _enough_hops, *_hop_event)
_tv_sharper = state(le(tau_0, sp.pi * gamma * sp.sqrt(T) / 4 + K * _sharp_price), _enough_hops, *_hop_event)

y = parameter("y", Domain(Fraction(0), Fraction(1), False, True), "a point of [0, 1)")
_f = sp.atan(y / sp.sqrt(1 - y**2))
_arcs = sp.asin(y) - _f
z = parameter("z", Domain(Fraction(0), Fraction(1), False, True), "a point of [0, 1)")
_f_z = _f.subs(y, z)
_convex_slope = state(ge(sp.diff(_arcs, y), 0))
_convex_same = state(ge(sp.asin(z) - _f_z - sp.asin(0) + sp.atan(0), 0))
x01 = parameter("x_01", UNIT, "a point of [0, 1]")
_chord = state(le(sp.asin(x01), sp.pi * x01 / 2))
# tan t >= t, so arcsin(v)/v rises, up to pi/2 at 1; at 0 the arcsine is 0.
v = parameter("v_01", OPEN_UNIT, "a point of (0, 1)")
_over = y / sp.sqrt(1 - y**2) - sp.asin(y)
_tangent_slope = state(ge(sp.diff(_over, y), 0))
_tangent = state(ge(_over.subs(y, z) - _over.subs(y, 0), 0))
_ratio_slope = state(ge(sp.diff(sp.asin(v) / v, v), 0))
_ratio = state(ge(sp.asin(1) - sp.asin(x01) / x01, 0), given(gt(x01, 0)))
_chord_inside = state(le(sp.asin(x01), sp.pi * x01 / 2), given(gt(x01, 0)))
_arcsine_slope = state(ge(sp.diff(sp.asin(y), y), 0))
_arcsine_falls = state(ge(sp.asin(0) - sp.asin(x01), 0), given(le(x01, 0)))
_chord_at_0 = state(le(sp.asin(x01), sp.pi * x01 / 2), given(le(x01, 0)))
_convex = state(le(_f_z, sp.pi * z / 2))
_increasing = state(ge(sp.diff(_f, y), 0))

# --- slips in the printed proof of the chain
_link_equal = state(
    eq(link, sp.sqrt(T) / 2 * sp.asin(g_k) - sp.sqrt(T) / 2 * sp.asin(g_n)), given(ge(g_k, g_n)), also=(link,)
)
_index = state(eq(sp.asin(g_k) - sp.asin(g_n), sp.asin(g_n)), given(ge(g_k, g_n)))
_index_repaired = state(eq(sp.asin(g_k) - sp.asin(0), sp.asin(g_k)))
_edge = state(
    eq((1 - r_f) * g_n + r_f, (1 - r_f) * g_k),
    fact("definition", le((1 - r_f) * (g_k - g_n), r_f)),
)
_edge_repaired = state(le((1 - r_f) * (g_k - g_n), r_f), fact("definition", le(g_k - g_n, rho)))
_ceiling = state(
    le(K * w, excess / (2 * r_f) * w),
    *_positive_part,
    fact("definition", le(2 * r_f * K, excess + 2 * r_f)),
    given(ge(2 * r_f * K, (1 - r_f) * gamma - r_f)),
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
                    m1: 1,
                    m2: -1,
                    worst: 0,
                    risk1: value(A, 1) - value(A, 1),
                    risk2: value(B, -1) - value(B, -1),
                    tau: tv(P, Q),
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
                Combination(((2, Norm(x - sp.Rational(1, 2) * a - sp.Rational(1, 2) * b)),)),
            ),
            Step("in the mean", _on_event, Expectation("where they agree", _means, 1 - tau)),
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
                        (mu / 8 * (1 - tau), Given(4)),
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
                    m1: 1,
                    m2: -1,
                    tau: 0,
                    worst: HALF,
                    risk1: value(A, 0) - value(A, 1),
                    risk3: value(B, 0) - value(B, -1),
                    xx: 0,
                    ax: 0,
                    bx: 0,
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
                    r_f: Fraction(1, 4),
                    gamma: Fraction(11, 30),
                    T: 1,
                    eps: sp.log(4),
                    delta: Fraction(1, 1000),
                    excess: Fraction(1, 40),
                    tau_0: tv(P, Q),
                    h_u: (hockey(P, Q, 4) + hockey(Q, P, 4)) / 2,
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
    repair(
        "tv_bound.chain",
        1170,
        "TV(U on g^gamma, U on g^0) <= pi gamma sqrt(T)/4 + K w_h, K = ceil(((1-r) gamma - r)_+/(2r)) hops of at "
        "most w_h each",
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
                        (1, Lemma("binomial_tv.arcsin", {c_lo: g_n, c_hi: g_k, link_tau: link})),
                    )
                ),
            ),
            Step(
                "K hops",
                _chain_held,
                Induction(k, _chain, "no hop", "one more hop", {g_k: gamma, tau_k: 0}, _chain_next, K),
            ),
            Step(
                "all",
                _tv_chain,
                Combination(
                    (
                        (1, Given(2)),
                        (1, Lemma("K hops")),
                        (1, Lemma("binomial_tv.arcsin", {c_lo: sp.Integer(0), c_hi: g_k, link_tau: link})),
                        (sp.sqrt(T) / 2, Lemma("tv_bound.arcsine", {x01: gamma})),
                    )
                ),
            ),
        ),
        leans=("phi_measurable", "setup.hard_family"),
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
            (1, Lemma("tv_bound.chain", {hop_bound: w}, {1: ((1, Given(1)), (1, Lemma("tv_dp")))})),
        ),
    ),
    repair(
        "tv_bound.sharper",
        1170,
        "… + K (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _tv_sharper,
        proof=by(
            _tv_sharper,
            (
                1,
                Lemma(
                    "tv_bound.chain",
                    {hop_bound: _sharp_price},
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
            Step("arcsine", _convex_same, Monotone("equal slopes", y, _arcs, sp.Integer(0), z)),
            Step(
                "below",
                _convex,
                Combination(((1, Lemma("arcsine")), (1, Lemma("tv_bound.arcsine", {x01: z})))),
            ),
        ),
    ),
    repair(
        "tv_bound.arcsine",
        1198,
        "arcsin x <= pi x/2 on [0, 1]",
        _chord,
        proof=(
            Step("tan", _tangent_slope, Combination(((y**2 * (1 - y**2) ** sp.Rational(-3, 2), One()),))),
            Step("tan t >= t", _tangent, Monotone("tan", y, _over, sp.Integer(0), z)),
            Step("ratio", _ratio_slope, Combination(((1 / v**2, Lemma("tan t >= t", {z: v})),))),
            Step("below pi/2", _ratio, Monotone("ratio", v, sp.asin(v) / v, x01, sp.Integer(1))),
            Step("x > 0", _chord_inside, Combination(((x01, Lemma("below pi/2")),))),
            Step("arcsine", _arcsine_slope, Combination((((1 - y**2) ** sp.Rational(-1, 2), One()),))),
            Step("not above 0", _arcsine_falls, Monotone("arcsine", y, sp.asin(y), x01, sp.Integer(0))),
            Step("x = 0", _chord_at_0, Combination(((1, Lemma("not above 0")), (sp.pi * x01 / 2, One())))),
            Step("all", _chord, Cases(x01, "x > 0", "x = 0")),
        ),
        instances=(case("x = 1: attained", {x01: 1}),),
    ),
    step(
        "tv_bound.increasing",
        1198,
        "arctan(x/sqrt(1-x^2)) is increasing: its slope is nonnegative",
        _increasing,
        "tv_bound",
        proof=by(_increasing, ((1 - y**2) ** sp.Rational(-1, 2), One())),
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
                {T: 1, g_k: Fraction(3, 5), g_n: 0, link: tv(P, Q)},
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
        instances=(case("gamma_{2K} = 0 and gamma_0 = 3/5", {g_k: Fraction(3, 5), g_n: 0}),),
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
                {r_f: Fraction(1, 4), g_k: Fraction(1, 6), g_n: 0},
            ),
        ),
        repaired_by="tv_bound.edge.repaired",
    ),
    repair(
        "tv_bound.edge.repaired",
        1218,
        "some value g in [-1, 1] on D_f' makes it so: g r = (1-r)(gamma_{2k-1} - gamma_{2k}) is at most r",
        _edge_repaired,
        proof=by(_edge_repaired, (1 - r_f, Given(0))),
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
                    r_f: Fraction(1, 4),
                    gamma: Fraction(11, 30),
                    K: 1,
                    excess: Fraction(1, 40),
                    eps: 1,
                    delta: Fraction(1, 1000),
                },
            ),
        ),
        repaired_by="tv_bound.repaired",
        note="The proof keeps the ceiling, the statement drops it.",
    ),
)
