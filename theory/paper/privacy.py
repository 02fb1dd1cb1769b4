"""Privacy: the two definitions, total variation, the Gaussian mechanism and its sensitivity."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, UNIT, Domain, letter, parameter, phi1
from oubli.theory.paper.letters import (
    A_any,
    A_private,
    A_scratch,
    L,
    S_any,
    T,
    centred,
    d,
    delta,
    epsilon,
    kappa,
    mu,
    r,
    rho,
)
from oubli.theory.paper.mirror import f_any, point_any, tag_any
from oubli.theory.paper.optima import theta_all
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import (
    A,
    B,
    P,
    Q,
    U,
    by,
    case,
    definition,
    eq,
    evaluated,
    ge,
    given,
    gt,
    hockey,
    le,
    left,
    mass,
    remark,
    repair,
    some,
    state,
    statement,
    step,
    theorem,
    tv,
)
from oubli.theory.records.objects import (
    ZERO,
    Object,
    beyond,
    chance,
    complement,
    explicit_problem,
    grad,
    inner,
    loss,
    mix,
    norm,
    numeric,
    opt,
    out,
    spread,
    term,
    tilt,
    variation,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Over,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

HALF = Fraction(1, 2)
Sides = dict[int, tuple[Term, ...]]
exp_epsilon = parameter("exp_epsilon", Domain(Fraction(1)), "e^epsilon, where a rational value is wanted")
delta_or_zero = parameter("delta_or_zero", Domain(Fraction(0), Fraction(1), False, True), "delta, 0 allowed")
# Forget data f_one, f_two and a fixed f_zero beside the same retain data f_shared.
f_one, f_two, f_zero, f_shared = loss("f_one"), loss("f_two"), loss("f_zero"), loss("f_shared")
data_one, data_two, data_zero = (explicit_problem(f_shared, f) for f in (f_one, f_two, f_zero))


def unlearned(D: Object, E: Object, S: Object = S_any, because: Sides | None = None) -> Schema:
    """Definition 2: P[U(D) in S] <= e^eps P[U(E) in S] + delta for problems that share the retain data."""
    return Schema("unlearning", (A_private, D, E, numeric(T), S), because or {})


def _in_event(name: str, A: Object, D: Object, meaning: str) -> sp.Symbol:
    return term(name, chance(out(A, D, T), S_any), meaning)


P_unlearned = _in_event("P_unlearned", A_private, data_one, "P[U(D_r, D_f) in S]")
P_unlearned_other = _in_event("P_unlearned_other", A_private, data_two, "P[U(D_r, D_f') in S]")
P_fixed = _in_event("P_fixed", A_private, data_zero, "P[U(D_r, D_0) in S]")
P_tuned = _in_event("P_tuned", A_any, data_one, "P[U(D_r, D_f) in S] of any rule")
P_tuned_other = _in_event("P_tuned_other", A_any, data_two, "P[U(D_r, D_f') in S] of the same")
P_reference = _in_event("P_reference", A_scratch, data_one, "P[reference in S]")
# Definition 1, at one event: the rule and the reference are close.
_from = state(
    le(P_tuned, sp.exp(2 * epsilon) * P_tuned_other + (1 + sp.exp(epsilon)) * delta),
    given(le(P_tuned, sp.exp(epsilon) * P_reference + delta)),
    given(le(P_reference, sp.exp(epsilon) * P_tuned_other + delta)),
)
to_fixed = state(le(P_unlearned, sp.exp(epsilon) * P_fixed + delta))
to_fixed_proof = by(to_fixed, (1, unlearned(data_one, data_zero)))

# A counterexample to `def.to_reference` with T = 1: floor(theta*/unit), unit = r L/mu, released through
# the two-sided geometric law with e^eps = 2, clamped to {0, …, 4}. A learner started at 0 sees one
# gradient, the same in both problems, so it has one law for both.
P_far = letter("P_far", UNIT, "P[U in S] in the problem whose optimum is R")
P_near = letter("P_near", UNIT, "P[U in S] in the problem whose optimum is near 0")
h_neighbours = letter(
    "h_neighbours", NONNEGATIVE, "sum of the hockey-stick divergences between neighbouring outputs"
)
g_far = letter("g_far", meaning="the gradient at 0 in the problem whose optimum is R")
g_near = letter("g_near", meaning="the gradient at 0 in the problem whose optimum is near 0")
slope_far = letter("slope_far", meaning="gradient of the risk at R, 0 if R is the optimum")
slope_near = letter("slope_near", meaning="gradient of the risk at 1/33, 0 if that is the optimum")
_one_reference = state(
    le(P_far, exp_epsilon**2 * P_near + (1 + exp_epsilon) * delta_or_zero),
    given(le(h_neighbours, delta_or_zero)),
    given(eq(g_far, g_near)),
    given(eq(slope_far, 0)),
    given(eq(slope_near, 0)),
    also=(P_far, P_near),
)
_LEVELS = tuple(sp.symbols("U0 U1 U2 U3 U4"))


def _geometric(j: int) -> dict[str, Fraction]:
    """The law of the clamped two-sided geometric release of level j: mass 2^-|k-j|/3, ends doubled."""
    return {str(k): Fraction(2 if k in (0, 4) else 1, 3 * 2 ** abs(k - j)) for k in range(5)}


_between = sum(
    (hockey(a, b, 2) + hockey(b, a, 2) for a, b in pairwise(_LEVELS)),
    sp.Integer(0),
)

# D_0 is the forget distribution of `data`: U(., D_0) starts at theta* of that problem.
theta_start = term("theta_start", inner(theta_all, e_1), "where U(., D_0) starts: theta*(D_r, D_0) along e_1")
_starts_at_zero = state(eq(theta_start, 0), also=(d, L, mu))

hop = variation(out(A_private, data_one, T), out(A_private, data_two, T))
tau_hop = term("tau_hop", hop, "TV between the outputs for two forget data at the same retain data")
w = sp.exp(epsilon) - 1 + delta
price = (sp.exp(epsilon) - 1 + 2 * delta) / (sp.exp(epsilon) + 1)
tv_dp = state(le(tau_hop, w))
_tv_event = state(le(P_unlearned - P_unlearned_other, w))
_tv_first = state(le(P_unlearned - P_unlearned_other, (sp.exp(epsilon) - 1) * P_unlearned_other + delta))
_tv_sharp = state(le(tau_hop, price))
grows = Schema("power series", (Object("exp"), numeric(epsilon)))


def at_an_event(
    D: Object, E: Object, because: Sides | None = None, back: Sides | None = None
) -> tuple[Term, ...]:
    """P(S) - Q(S) <= the price of one hop, by Definition 2 at S and, the other way round, at its complement."""
    share, rest = 1 / (sp.exp(epsilon) + 1), complement(S_any)
    return (share, unlearned(D, E, because=because)), (share, unlearned(E, D, rest, back))


tv_dp_proof = (
    Step(
        "at an event",
        _tv_event,
        Combination(
            (
                (1, unlearned(data_one, data_two)),
                (
                    epsilon * phi1(epsilon),
                    Schema("chance", (out(A_private, data_two, T), complement(S_any))),
                ),
                (1 - P_unlearned_other, grows),
            )
        ),
    ),
    Step("at all", tv_dp, Over("at an event", hop, (S_any,))),
)
tau_PQ = letter("tau_PQ", UNIT, "TV(P, Q) of two finite laws")
h_PQ = letter("h_PQ", UNIT, "hockey-stick divergence of P from Q at e^epsilon")
h_QP = letter("h_QP", UNIT, "hockey-stick divergence of Q from P at e^epsilon")
h_reference = letter(
    "h_reference", UNIT, "largest hockey-stick divergence between a law and the reference, at e^epsilon"
)
_tv_attained = some(
    eq(tau_PQ, (exp_epsilon - 1 + 2 * delta_or_zero) / (exp_epsilon + 1)),
    given(le(h_PQ, delta_or_zero)),
    given(le(h_QP, delta_or_zero)),
)
# The four divergences from and to the reference are equal here, so that their mean is each of them.
_from_attained = some(eq(h_PQ, (1 + exp_epsilon) * delta_or_zero), given(le(h_reference, delta_or_zero)))
_to_reference = (hockey(P, U, 2) + hockey(U, P, 2) + hockey(Q, U, 2) + hockey(U, Q, 2)) / 4

# --- sensitivity: the optima of two mixtures with the same retain loss h
F_one, F_two = mix(r, f_one, f_shared), mix(r, f_two, f_shared)
theta_one, theta_two = opt(F_one), opt(F_two)
between = theta_two - theta_one
D_pair = term("D_pair", norm(theta_one - theta_two), "|theta*(D_f) - theta*(D_f')| of two problems")
D_optima = term(
    "D_optima", spread(r), "the largest |theta*(D_f) - theta*(D_f')| of problems that share the retain loss"
)
_chord_bound = 2 * r * L / ((1 + r) * mu)
_chord_pair, _chord = state(le(D_pair, _chord_bound)), state(le(D_optima, _chord_bound))
g_one, g_two = grad(f_one, theta_two), grad(f_two, theta_one)
_pull = r / ((1 + r) * mu)
# Each optimum is best for its own mixture, so that mu |between|^2 <= r (rise of one + fall of the other).
_both_best = (
    Schema("strong convexity", (F_one, theta_one, theta_two, F_one)),
    Schema("stationary", (F_one, between)),
    Schema("strong convexity", (F_two, theta_two, theta_one, F_two)),
    Schema("stationary", (F_two, -between)),
)
_chord_proof: tuple[Term, ...] = (
    *((2 / ((1 + r) * mu) / (_chord_bound + D_pair), source) for source in _both_best),
    (2 * _pull / (_chord_bound + D_pair), Schema("strong convexity", (f_one, theta_two, theta_one))),
    (2 * _pull / (_chord_bound + D_pair), Schema("strong convexity", (f_two, theta_one, theta_two))),
    (1 / (_chord_bound + D_pair), SquaredNorm(_pull * (g_one - g_two) - between)),
    (2 * _pull**2 / (_chord_bound + D_pair), Schema("Lipschitz", (f_one, theta_two))),
    (2 * _pull**2 / (_chord_bound + D_pair), Schema("Lipschitz", (f_two, theta_one))),
    (_pull**2 / (_chord_bound + D_pair), SquaredNorm(g_one + g_two)),
)

# On the line: the slopes of the forget losses at the optima lie within L/2 of mu theta.
s_pair = term("s_pair", inner(between, e_1), "theta*(D_f') - theta*(D_f) on the line")
_line_top = r * L / mu
_one_line = given(eq(d, 1))


def _slopes(f: Object, x: Object, F: Object) -> dict[Object, Object]:
    return {f_any: f, point_any: x, tag_any: F}


def _one_way(sign: int) -> tuple[Step, ...]:
    """sign s_pair <= r L/mu: where it is positive, by the slopes at both optima."""
    bound = le(sign * s_pair, _line_top)
    here, there = (f_one, theta_one, F_one), (f_two, theta_two, F_two)
    low, high = (here, there) if sign == 1 else (there, here)
    ahead = state(bound, given(gt(sign * s_pair, 0)), _one_line)
    behind = state(bound, given(ge(-sign * s_pair, 0)), _one_line)
    w = 1 / (mu * sign * s_pair)
    jump = grad(f_one, theta_one, F_one) - grad(f_two, theta_two, F_two)
    terms: tuple[Term, ...] = (
        ((1 - r) * w, Schema("strong convexity", (f_shared, theta_one, theta_two, F_one))),
        ((1 - r) * w, Schema("strong convexity", (f_shared, theta_two, theta_one, F_two))),
        (w, Schema("stationary", (F_one, between))),
        (-w, Schema("stationary", (F_two, between))),
        (-r * w, Schema("line", (jump, between))),
        ((1 - r) * mu * w, Schema("line", (between, between))),
        (r / mu, Lemma("setup.gradient_at_zero.line", _slopes(*low))),
        (r / mu, Lemma("setup.gradient_at_zero.line_below", _slopes(*high))),
    )
    way = "right" if sign == 1 else "left"
    return (
        Step(f"{way}, ahead", ahead, Combination(terms)),
        Step(f"{way}, behind", behind, Combination(((1, Given(0)), (_line_top, One())))),
        Step(way, state(bound, _one_line), Cases(sign * s_pair, f"{way}, ahead", f"{way}, behind")),
    )


_line_pair, _line = state(le(D_pair, _line_top), _one_line), state(le(D_optima, _line_top), _one_line)
_line_square = state(le(s_pair**2, _line_top**2), given(le(s_pair, _line_top)), given(ge(s_pair, -_line_top)))
_line_proof = (
    *_one_way(1),
    *_one_way(-1),
    Step("square", _line_square, Combination(((_line_top + s_pair, Given(0)),))),
    Step(
        "pair",
        _line_pair,
        Combination(
            (
                (-1 / (_line_top + D_pair), Schema("line", (between, between))),
                (
                    1 / (_line_top + D_pair),
                    Lemma("square", {}, {0: ((1, Lemma("right")),), 1: ((1, Lemma("left")),)}),
                ),
            )
        ),
    ),
    Step("all", _line, Over("pair", spread(r), (f_one, f_two, f_shared))),
)

# Attained on the line: forget losses tilted to opposite sides, the retain loss centred at 0.
_right, _left, _centre = tilt((L / 2) * e_1), tilt(-(L / 2) * e_1), tilt(ZERO)
_ends = opt(mix(r, _right, _centre)) - opt(mix(r, _left, _centre))
_attained = state(ge(D_optima, r * L / mu))
_room = ((L**2 / 4 * (1 - r) * (1 + r), One()),)

_scale = state(le(D_optima, rho * L / mu), also=(d,))
_scale_line = state(le(D_optima, rho * L / mu), _one_line)
_scale_large = state(le(D_optima, rho * L / mu), given(ge(3 * r, 1)))

# --- noise scaled by the real distance: seen through the event {theta_r*}
_retained = opt(f_shared)


def _scaled_by_the_distance(theta: Object, label: int) -> Object:
    """theta* with Gaussian noise kappa |theta* - theta_r*|."""
    scale = ["*", "kappa", norm(theta - _retained).node]
    return theta + Object(["noise", "gauss", scale, label])


P_hit, P_missed = (
    term(name, chance(_scaled_by_the_distance(theta, 1), S_any), f"P[theta*({data}) + noise in S]")
    for name, theta, data in (("P_hit", theta_one, "D_f"), ("P_missed", theta_two, "D_f'"))
)
_real_distance = state(
    le(P_hit, sp.exp(epsilon) * P_missed + delta),
    given(le(epsilon, 1)),
    given(eq(kappa * epsilon, sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)))),
    also=(d, L, mu),
)
_real_case = case(
    "d = 1, retain loss centred at 0, D_f' = D_r: theta* = theta_r*, the noise is 0, the output is theta_r* = 0 "
    "surely; D_f centred at R, r = 1/2: theta* = 1/2, the output is positive with probability Phi(1/kappa) > 1/2",
    {
        L: 2,
        mu: 1,
        d: 1,
        r: HALF,
        epsilon: 1,
        delta: Fraction(1, 100),
        kappa: sp.sqrt(2 * sp.log(125)),
    },
    objects={"f_shared": tilt(ZERO), "f_one": tilt(e_1), "f_two": tilt(ZERO), "S_any": beyond(e_1, 0)},
)

CLAIMS = (
    definition(
        "def.reference",
        430,
        "(eps, delta)-Reference Unlearning",
        "closeness to a learning algorithm, both ways",
    ),
    definition(
        "def.unlearning",
        439,
        "(eps, delta)-Unlearning",
        "closeness of U(D_r, D_f) and U(D_r, D_f') for all triplets",
        "def:unlearning",
    ),
    statement(
        "def.to_reference",
        454,
        "Unlearning implies Reference Unlearning: one learning algorithm, started at 0 with the same T, is "
        "e^eps-close to U on both problems, so these are e^(2 eps)-close",
        _one_reference,
        "lemma:MU_def",
        instances=(
            case(
                "T = 1, d = 1, e^eps = 2, delta = 0, r = 1/8. Retain loss (theta - 1)^2/2, or one with slope -1 at 0 "
                "and its minimum just right of 0: a learner started at 0 sees the gradient -1 in both. U releases "
                "floor(theta*/(r L/mu)) in {0, …, 4} through the clamped two-sided geometric law: optima "
                "within r L/mu (sensitivity.line) give 2-close outputs, but the two problems are only 16-close",
                {
                    L: 2,
                    mu: 1,
                    exp_epsilon: 2,
                    delta_or_zero: 0,
                    P_far: mass(_LEVELS[4], sp.Symbol("4")),
                    P_near: mass(_LEVELS[0], sp.Symbol("4")),
                    h_neighbours: _between,
                    g_far: left(A, 0),
                    g_near: left(B, 0),
                    slope_far: left(A, 1),
                    slope_near: left(B, Fraction(1, 33)),
                },
                members={"A": centred(1), "B": ((-1, -1), (0, -1), (Fraction(1, 16), 1), (1, 1))},
                laws={f"U{j}": _geometric(j) for j in range(5)},
            ),
        ),
        repaired_by="def.to_reference.repaired",
        note="The reference of the printed proof starts at theta*(D_r, D_0), not at 0: it is not in the class A.",
    ),
    repair(
        "def.to_reference.repaired",
        454,
        "Unlearning implies Reference Unlearning if the reference may be any function of (l, D_r)",
        to_fixed,
        proof=to_fixed_proof,
        note="Take the reference U(D_r, D_0) for a fixed D_0: Definition 2 with D_f' = D_0, in both directions.",
    ),
    step(
        "def.to_reference.member",
        1340,
        "the reference U(., D_0) is a learning algorithm of the class A: it starts at 0",
        _starts_at_zero,
        "def.to_reference",
        instances=(
            case(
                "retain loss centred at R, D_0 centred at 0, r = 1/2: it starts at theta*(D_r, D_0) = 1/2",
                {L: 2, mu: 1, r: HALF, d: 1},
                objects={"data": explicit_problem(tilt(e_1), tilt(ZERO))},
            ),
        ),
        repaired_by="def.to_reference.repaired",
    ),
    statement(
        "def.from_reference",
        455,
        "Reference Unlearning implies (2 eps, (1 + e^eps) delta)-Unlearning",
        _from,
        "lemma:MU_def",
        proof=by(_from, (1, Given(0)), (sp.exp(epsilon), Given(1))),
    ),
    step(
        "def.from_reference.chain",
        1352,
        "P[U] <= e^eps P[A] + delta <= e^eps (e^eps P[U'] + delta) + delta",
        _from,
        "def.from_reference",
        proof=by(_from, (1, Given(0)), (sp.exp(epsilon), Given(1))),
    ),
    remark(
        "def.from_reference.conclusion",
        1354,
        "the last line of the proof says 'Reference Unlearning' where it must say 'Unlearning'",
        "A slip of words only.",
    ),
    statement(
        "def.from_reference.attained",
        455,
        "at e^eps = 2, delta = 1/16 some laws attain (1 + e^eps) delta",
        _from_attained,
        proof=evaluated(_from_attained),
        instances=(
            case(
                "P = (3/16, 13/16, 0), Q = (0, 13/16, 3/16), reference (1/16, 7/8, 1/16)",
                {
                    exp_epsilon: 2,
                    delta_or_zero: Fraction(1, 16),
                    h_PQ: hockey(P, Q, 4),
                    h_reference: _to_reference,
                },
                laws={
                    "P": {"0": Fraction(3, 16), "1": Fraction(13, 16)},
                    "U": {"0": Fraction(1, 16), "1": Fraction(7, 8), "2": Fraction(1, 16)},
                    "Q": {"1": Fraction(13, 16), "2": Fraction(3, 16)},
                },
            ),
        ),
    ),
    statement(
        "tv_dp",
        1322,
        "(eps, delta)-Unlearning keeps total variation below e^eps - 1 + delta",
        tv_dp,
        "lemma:tv_dp",
        proof=tv_dp_proof,
        note="Vacuous for eps >= ln 2.",
    ),
    step(
        "tv_dp.first",
        1332,
        "P[U in S] - P[U' in S] <= (e^eps - 1) P[U' in S] + delta",
        _tv_first,
        "tv_dp",
        proof=by(_tv_first, (1, unlearned(data_one, data_two))),
    ),
    theorem(
        "tv_dp.sharp",
        "tv_dp",
        "… below (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _tv_sharp,
        proof=(
            Step(
                "at an event",
                state(le(P_unlearned - P_unlearned_other, price)),
                Combination(at_an_event(data_one, data_two)),
            ),
            Step("at all", _tv_sharp, Over("at an event", hop, (S_any,))),
        ),
    ),
    statement(
        "tv_dp.attained",
        1322,
        "at e^eps = 2, delta = 1/10 a four-point law attains (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _tv_attained,
        proof=evaluated(_tv_attained),
        instances=(
            case(
                "P = (1/10, 6/10, 3/10, 0), Q = (0, 3/10, 6/10, 1/10)",
                {
                    exp_epsilon: 2,
                    delta_or_zero: Fraction(1, 10),
                    tau_PQ: tv(P, Q),
                    h_PQ: hockey(P, Q, 2),
                    h_QP: hockey(Q, P, 2),
                },
                laws={
                    "P": {"0": Fraction(1, 10), "1": Fraction(6, 10), "2": Fraction(3, 10)},
                    "Q": {"1": Fraction(3, 10), "2": Fraction(6, 10), "3": Fraction(1, 10)},
                },
            ),
        ),
    ),
    statement(
        "gauss.sensitivity",
        1067,
        "noise kappa |theta* - theta_r*| gives Definition 2",
        _real_distance,
        instances=(_real_case,),
        repaired_by="sensitivity",
        note="The scale depends on the data and compares with theta_r*, while Definition 2 compares theta*(D_f) "
        "with theta*(D_f').",
    ),
    statement(
        "experiment.sensitivity",
        756,
        "the experiment's noise, scaled by the real distance |theta* - theta_r*|, certifies (eps, delta)",
        _real_distance,
        instances=(_real_case,),
        repaired_by="sensitivity",
    ),
    statement(
        "gauss.sensitivity.scale",
        1069,
        "the scale that is sampled, rho L/mu, is at least the distance |theta*(D_f) - theta*(D_f')| of Definition 2",
        _scale,
        instances=(
            case(
                "r = 1/20, d = 2: the retain loss is centred at (1/2, 0); the forget loss |x|^2/2 + max(<k, x>, <h, x> - c) with "
                "k = (-4/25, 47/100), h = (1/20, 27/50), c = 97/1000, and its mirror image, put the optima 27/500 apart, "
                "which is more than rho = 1/19",
                {L: 1, mu: 1, r: Fraction(1, 20), d: 2},
                through=((1, Lemma("sharp.sensitivity.wide")),),
            ),
        ),
        repaired_by="sensitivity",
        note="true on the line and for r >= 1/3 (gauss.sensitivity.line, .large)",
    ),
    theorem(
        "gauss.sensitivity.line",
        "gauss.sensitivity.scale",
        "on the line the sampled scale suffices",
        _scale_line,
        proof=by(_scale_line, (1, Lemma("sensitivity.line")), (r * L * rho / mu, One())),
    ),
    theorem(
        "gauss.sensitivity.large",
        "gauss.sensitivity.scale",
        "for r >= 1/3 the sampled scale suffices in every dimension",
        _scale_large,
        proof=by(
            _scale_large,
            (1, Lemma("sensitivity")),
            (r * L / (mu * (1 - r) * (1 + r)), Given(0)),
        ),
    ),
    repair(
        "sensitivity",
        1067,
        "the optima for two forget distributions lie at most 2 r L/((1+r) mu) apart, in every dimension",
        _chord,
        proof=(
            Step("pair", _chord_pair, Combination(_chord_proof)),
            Step("all", _chord, Over("pair", spread(r), (f_one, f_two, f_shared))),
        ),
        note="On the line the supremum is r L/mu (sensitivity.line); in d >= 2 it is larger, and where between "
        "r L/mu and this bound it lies is open.",
    ),
    theorem(
        "sensitivity.line",
        "gauss.sensitivity",
        "on the line they lie at most r L/mu apart",
        _line,
        proof=_line_proof,
        instances=(
            case(
                "r = 1/4, forget losses centred at R and -R, the retain loss at 0: attained",
                {L: 2, mu: 1, r: Fraction(1, 4), d: 1},
                through=((1, Lemma("sensitivity.attained")),),
            ),
        ),
    ),
    theorem(
        "sensitivity.attained",
        "gauss.sensitivity",
        "in every dimension some optima lie r L/mu apart",
        _attained,
        proof=by(
            _attained,
            (1, Schema("spread", (numeric(r), _right, _left, _centre))),
            (1, Schema("Cauchy-Schwarz", (_ends, e_1))),
            (1, Schema("tilted", ((r * L / 2) * e_1, e_1), {1: _room})),
            (-1, Schema("tilted", (-(r * L / 2) * e_1, e_1), {1: _room})),
        ),
    ),
)
