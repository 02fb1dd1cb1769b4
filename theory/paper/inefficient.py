"""The inefficient regime (l.562, proof l.1230 to l.1261): lower bounds on the unlearning time."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, UNIT, parameter, phi1, phi2
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.chains import K, K_chain, odd, output, x_odd
from oubli.theory.paper.lecam import sign_response, x_unit, y_excess
from oubli.theory.paper.letters import (
    T_S,
    T_U,
    A_private,
    L,
    M,
    T,
    classical_kappa,
    data,
    delta,
    e,
    e0,
    epsilon,
    gamma,
    minimax_private,
    mu,
    old_optimum,
    r,
    retained,
    rho,
)
from oubli.theory.paper.optima import M_least, theta_all
from oubli.theory.paper.privacy import grows, w
from oubli.theory.paper.times import at_most
from oubli.theory.records.build import (
    by,
    case,
    eq,
    ge,
    given,
    gt,
    le,
    lt,
    repair,
    state,
    statement,
    step,
    theorem,
)
from oubli.theory.records.objects import (
    ZERO,
    Object,
    excess,
    hard_problem,
    mean,
    numeric,
    point,
    response,
    rule,
    term,
    variation,
    worst,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Monotone,
    One,
    Over,
    Reach,
    Schema,
    Step,
    Subdivision,
)

HALF = Fraction(1, 2)
TINY = Fraction(1, 10**8)
JOIN = 50

# --- the displays of the proof ---------------------------------------------------------------------
_positive_part = (
    given(ge(y_excess, (1 - r) * gamma - r)),
    given(eq(y_excess * (y_excess - (1 - r) * gamma + r), 0)),
)
_forget_mean = (y_excess - (1 - r) * gamma) / r
tau_pair = term(
    "tau_pair",
    variation(output(hard_problem(gamma, _forget_mean)), output(hard_problem(-gamma, -_forget_mean))),
    "TV(P_g, P_-g)",
)
_twice_printed = sp.pi * gamma * sp.sqrt(T) / 2 + y_excess / r * w
_double = state(le(tau_pair, _twice_printed), *_positive_part, also=(L, mu))
_all = state(ge(M_least, gamma**2 * e0 * (1 - _twice_printed)), *_positive_part)
_private = state(
    ge(M, gamma**2 * e0 * (1 - sp.pi * gamma * sp.sqrt(T) / 2 - 2 * K * w)),
    given(ge(2 * r * K, (1 - r) * gamma - r)),
)
_both_ends = {gamma_max: gamma, gamma_min: -gamma, K_chain: 2 * K}
_width = {0: ((2 / (1 - r), Given(0)),), 1: ((2 * gamma, One()),)}
_levels = 2 * K * gamma**2 * e0 * (sp.exp(epsilon) + delta) / (sp.exp(epsilon) + 1)

c_1 = parameter("c_1", POSITIVE, "the constant c_1 of the proof")
c_2 = parameter("c_2", UNIT, "the constant c_2 of the proof")
_choice = (given(ge(T, 1)), given(eq(gamma * sp.sqrt(T), c_1)))
_smaller = c_1**2 / T * e0 * (1 - sp.pi * c_1 / 2 - c_2)
# As in l.1233 the printed minimum runs over all unlearning algorithms.
_fixed_gamma = state(ge(M_least, _smaller), *_choice, given(le(y_excess / r * w, c_2)), *_positive_part)
_fixed_gamma_private = state(
    ge(M, _smaller),
    *_choice,
    given(le(2 * K * w, c_2)),
    *_private.given,
)

# --- the functional analysis with c_3 -----------------------------------------------------------------
LOG = sp.log(125000000)
c3 = 1 / sp.sqrt(32 * LOG)
A_log = sp.sqrt(2 * LOG)
_far_enough = given(ge(epsilon, TINY))
_series = Schema("power series", (Object("phi1"), numeric(epsilon)))
_rescaled = 4 * (1 - c3) * (phi1(epsilon) + 1) - phi2(epsilon)
_c3_body = state(ge(_rescaled, 0), _far_enough, given(ge(JOIN - epsilon, 0)))
_c3_body_strict = state(sp.Gt(_rescaled, 0, evaluate=False), _far_enough, given(ge(JOIN - epsilon, 0)))
_c3_tail = state(ge(_rescaled, 0), _far_enough, given(ge(epsilon - JOIN, 0)))
_c3_all = state(ge(_rescaled, 0), _far_enough)
_middle = 1 + 1 / (2 * (sp.exp(epsilon) - 1 + epsilon))
_c3 = state(ge(_middle, c3 * (1 + A_log / epsilon)), _far_enough)
_c3_first = state(ge(1 + 1 / (2 * w), _middle), given(le(delta, epsilon)))
_kappa = classical_kappa(epsilon, delta)
_log_delta = sp.log(sp.Rational(5, 4) / delta)
x_log = parameter("x_log", POSITIVE, "a positive number")
_log_falls = state(ge(1 / x_log, 0))
_log_at = state(ge(LOG - _log_delta, 0), given(ge(delta, TINY)))
_c3_last = state(
    ge(c3 * (1 + A_log / epsilon), c3 * (1 + _kappa)),
    given(ge(delta, TINY)),
)

# --- the theorem -------------------------------------------------------------------------------------
_time_constant = 1 / (27 * sp.pi**2)
_reaches = (
    given(le(M, e)),
    given(ge(delta, TINY)),
    given(le(delta, epsilon)),
    given(lt(e, e0)),
)
_printed_constant = c3**2 / 3
# The lottery: theta* with probability delta, else 0, whatever the data.
y_drawn = point("y_drawn")
lottery = rule(response(delta, numeric(1), old_optimum, ZERO))
_drawn = response(delta, numeric(1), theta_all, ZERO)
X_lottery = term("X_lottery", mean(excess(retained, _drawn)), "E L_r(lottery) - L_r*")
M_lottery = term("M_lottery", worst(lottery, 0), "worst risk of theta* with probability delta, else 0")
_lottery_bound = (1 - delta) * e0 + delta * 4 * r**2 / ((1 - r) * (1 + r)) * e0
_lottery_each = state(le(X_lottery, _lottery_bound))
_lottery_worst = state(le(M_lottery, _lottery_bound))
_theorem = state(
    ge(T, _time_constant * e0 / e),
    *_reaches,
    given(lt(e, _printed_constant * rho**2 * (1 + _kappa**2) * e0)),
)
_lottery = case(
    "T = 0: with probability delta release theta*, else 0. r = 3/10, delta = 1/100, eps = 3/100, e = 0.995 e0: "
    "(0, delta)-private, worst risk at most (1 - delta) e0 + delta 4 r^2/(1 - r^2) e0 = 0.99396 e0",
    {
        L: 2,
        mu: 1,
        T: 0,
        r: Fraction(3, 10),
        delta: Fraction(1, 100),
        epsilon: Fraction(3, 100),
        e: Fraction(995, 2000),
    },
    objects={"A_private": lottery},
    through=((1, Lemma("inefficient.lottery")),),
)
s13 = sp.Rational(1, 3)
_steps_at = state(
    ge(T, _time_constant * e0 / e),
    given(le(M, e)),
    # c_2 = 1/2 and 1 - pi c_1/2 - c_2 = 1/3, as the proof takes them.
    given(le((sp.sqrt(3 * e / e0) / rho - 1) * w, HALF)),
    also=(mu,),
)

# --- the repair: gamma = sqrt(3 e/e0) must be at most 1, and the ceiling costs one hop more -------------
w_hop = parameter("w_hop", POSITIVE, "bound on one hop, e^eps - 1 + delta")
y_ratio = parameter("y_ratio", NONNEGATIVE, "gamma/rho")
_hop_number = given(lt(K, (y_ratio + 1) / 2))
_few = given(le(3 * y_ratio, 1 + 1 / (2 * w_hop)))
_hops = state(le(2 * K * w_hop, HALF), _hop_number, _few)
_hops_many = state(le(2 * K * w_hop, HALF), _hop_number, _few, given(ge(y_ratio - 1, 0)))
_hops_none = state(le(2 * K * w_hop, HALF), _hop_number, given(ge(1 - y_ratio, 0)))

# K < (y_ratio + 1)/2 <= 1, so that K = 0.
_less_than_one = ((1, Given(0)), (HALF, Given(1)))

_new_constant = c3**2 / 27
_gamma_def = given(eq(gamma**2 * e0, 3 * e))
_ratio_def = given(eq(y_ratio * rho, gamma))
_target = given(le(e, _new_constant * rho**2 * (1 + _kappa**2) * e0))
_squares = state(
    le(3 * y_ratio, c3 * (1 + _kappa)),
    _gamma_def,
    _ratio_def,
    _target,
)
_reached = given(le(M, e))
_repaired = state(
    ge(T, _time_constant * e0 / e),
    _reached,
    given(ge(delta, TINY)),
    given(le(delta, epsilon)),
    _target,
    _gamma_def,
    _ratio_def,
    given(ge(2 * r * K, (1 - r) * gamma - r)),
    _hop_number,
    given(gt(gamma, 0)),
    given(ge(epsilon, TINY)),
)

_reach = state(ge(sp.pi * gamma * sp.sqrt(T) / 2, sp.Rational(1, 6)), *_repaired.given)

_held = tuple(item for item in _repaired.given if item is not _reached)
_every = state(ge(T_U, _time_constant * e0 / e), *_held, also=(mu, epsilon))
_liminf = state(ge(T_U, T_S / (432 * sp.pi**2)), *_held, also=(mu, epsilon))

CLAIMS = (
    step(
        "inefficient.tv",
        1235,
        "TV(P_g, P_-g) <= pi gamma sqrt(T)/2 + ((1-r) gamma - r)_+/r (e^eps - 1 + delta)",
        _double,
        "inefficient",
        instances=(
            case(
                "randomised response on the sign of theta*, e^eps = 4, T = 1, r = 1/100, gamma = 51/5000: theta* > 0 for "
                "g^gamma and < 0 for -g^gamma, so TV = 3/5 > 0.05",
                {
                    L: 2,
                    mu: 1,
                    r: Fraction(1, 100),
                    gamma: Fraction(51, 5000),
                    T: 1,
                    epsilon: sp.log(4),
                    delta: Fraction(1, 1000),
                    y_excess: Fraction(99 * 51, 500000) - Fraction(1, 100),
                },
                objects={"A_private": sign_response(Fraction(4, 5))},
            ),
        ),
        repaired_by="inefficient.step1.repaired",
        note="Twice tv_bound, which is false as printed.",
    ),
    step(
        "inefficient.step1",
        1233,
        "min over ALL unlearning algorithms of the worst risk >= gamma^2 e0 (1 - TV bound)",
        _all,
        "inefficient",
        instances=(
            case(
                "T = 0, release theta*, not private at all: worst risk at most 4 r^2/(1 - r^2) e0 = 4/15 e0 at r = 1/4; "
                "gamma = 1, eps = delta = 1/1000 claim at least 0.99 e0",
                {
                    L: 2,
                    mu: 1,
                    T: 0,
                    r: Fraction(1, 4),
                    gamma: 1,
                    epsilon: Fraction(1, 1000),
                    delta: Fraction(1, 1000),
                    y_excess: HALF,
                },
                through=(
                    (1, Lemma("opt_loss.release")),
                    (
                        HALF * (1 - 2 * (sp.exp(sp.Rational(1, 1000)) - 1 + sp.Rational(1, 1000)))
                        - sp.Rational(2, 15),
                        One(),
                    ),
                ),
            ),
        ),
        repaired_by="inefficient.step1.repaired",
        note="The minimum must run over the (eps, delta) algorithms only.",
    ),
    repair(
        "inefficient.step1.repaired",
        1233,
        "every (eps, delta)-unlearning algorithm has worst risk >= gamma^2 e0 (1 - pi gamma sqrt(T)/2 - 2 K (e^eps - "
        "1 + delta)), K = ceil(((1-r) gamma - r)_+/(2r))",
        _private,
        proof=(
            *odd,
            Step(
                "ends of a chain",
                _private,
                Combination(
                    (
                        (1, Lemma("sharp.two_point", _both_ends, _width)),
                        (gamma**2 * e0, Lemma("sharp.two_point.arcsine", _both_ends, {0: _width[1]})),
                        (gamma**2 * e0 * sp.sqrt(T) / 2, Lemma("odd", {x_odd: gamma})),
                        (gamma**2 * e0 * sp.sqrt(T), Lemma("tv_bound.arcsine", {x_unit: gamma})),
                        (_levels, grows),
                        (_levels * epsilon * phi1(epsilon), One()),
                    )
                ),
            ),
        ),
    ),
    step(
        "inefficient.step2",
        1250,
        "with gamma = c_1/sqrt(T) and the condition: min over ALL unlearning algorithms of the worst risk "
        ">= e0 c_1^2/T (1 - pi c_1/2 - c_2)",
        _fixed_gamma,
        "inefficient",
        instances=(
            case(
                "T = 1, the gradient ignored and theta* released, not private at all: worst risk at most 4 r^2/(1 - r^2) "
                "e0, 4e-4 e0 at r = 1/100; c_1 = 1/5, c_2 = 1/2 and eps = delta = 1/1000 claim more than 7e-3 e0",
                {
                    L: 2,
                    mu: 1,
                    T: 1,
                    r: Fraction(1, 100),
                    gamma: Fraction(1, 5),
                    c_1: Fraction(1, 5),
                    c_2: HALF,
                    epsilon: Fraction(1, 1000),
                    delta: Fraction(1, 1000),
                    y_excess: Fraction(94, 500),
                },
                through=(
                    (1, Lemma("opt_loss.release")),
                    (sp.Rational(1, 50) * (HALF - sp.pi / 10) - sp.Rational(2, 9999), One()),
                ),
            ),
        ),
        repaired_by="inefficient.step2.repaired",
        note="The minimum must run over the (eps, delta) algorithms only, as in l.1233.",
    ),
    repair(
        "inefficient.step2.repaired",
        1250,
        "every (eps, delta)-unlearning algorithm has worst risk >= e0 c_1^2/T (1 - pi c_1/2 - c_2) where gamma = "
        "c_1/sqrt(T) <= 1 and 2 K (e^eps - 1 + delta) <= c_2, K = ceil(((1-r) gamma - r)_+/(2r))",
        _fixed_gamma_private,
        proof=by(
            _fixed_gamma_private,
            (1, Lemma("inefficient.step1.repaired")),
            (gamma**2 * e0, Given(2)),
            (
                e0 * (-sp.pi * gamma**2 / 2 + (1 - sp.pi * c_1 / 2 - c_2) / T * (gamma * sp.sqrt(T) + c_1)),
                Given(1),
            ),
        ),
    ),
    theorem(
        "inefficient.lottery",
        "inefficient",
        "theta* with probability delta, else 0, has worst risk at most (1 - delta) e0 + delta 4 r^2/(1 - r^2) e0",
        _lottery_worst,
        proof=(
            Step(
                "each problem",
                _lottery_each,
                Combination(
                    (
                        (
                            -1,
                            Schema(
                                "mean response",
                                (
                                    numeric(delta),
                                    numeric(1),
                                    theta_all,
                                    ZERO,
                                    y_drawn,
                                    excess(retained, y_drawn),
                                ),
                            ),
                        ),
                        (delta, Lemma("opt_loss.sharper")),
                        (1 - delta, Lemma("e0")),
                    )
                ),
            ),
            Step("worst", _lottery_worst, Over("each problem", worst(lottery, 0), (data,))),
        ),
        note="It is (0, delta)-private, as only theta* tells of the forget data.",
    ),
    step(
        "inefficient.step3",
        1254,
        "if ((sqrt(3 e/e0)/rho - 1)_+ (e^eps - 1 + delta) <= 1/2 then T^U >= e0/(27 pi^2 e)",
        _steps_at,
        "inefficient",
        instances=(_lottery,),
        repaired_by="inefficient.repaired",
        note="gamma = sqrt(3 e/e0) has to be at most 1: the step needs e <= e0/3.",
    ),
    step(
        "inefficient.c3.first",
        1258,
        "1 + 1/(2(e^eps - 1 + delta)) >= 1 + 1/(2(e^eps - 1 + eps)) for delta <= eps",
        _c3_first,
        "inefficient",
        proof=by(
            _c3_first,
            (1 / (2 * (sp.exp(epsilon) - 1 + delta) * (sp.exp(epsilon) - 1 + epsilon)), Given(0)),
        ),
    ),
    step(
        "inefficient.c3",
        1258,
        "1 + 1/(2(e^eps - 1 + eps)) >= c_3 (1 + sqrt(2 ln(1.25e8))/eps) for eps >= 1e-8",
        _c3,
        "inefficient",
        proof=(
            Step("eps <= 50, strictly", _c3_body_strict, Subdivision(at_most=100)),
            Step("eps <= 50", _c3_body, Combination(((1, Lemma("eps <= 50, strictly")),))),
            Step(
                "eps >= 50",
                _c3_tail,
                Combination(
                    (
                        (1, _series),
                        (phi2(epsilon), Given(1)),
                        ((JOIN - 1) * phi2(epsilon), One()),
                        ((3 - 4 * c3) * (phi1(epsilon) + 1), One()),
                        (2, One()),
                    )
                ),
            ),
            Step("both", _c3_all, Cases(epsilon - JOIN, "eps >= 50", "eps <= 50")),
            Step(
                "c3",
                _c3,
                Combination(
                    (
                        (
                            -1 / (2 * (sp.exp(epsilon) - 1 + epsilon) * epsilon * (phi1(epsilon) + 1)),
                            grows,
                        ),
                        (-1 / (4 * epsilon * (phi1(epsilon) + 1)), _series),
                        (1 / (4 * (phi1(epsilon) + 1)), Lemma("both")),
                    )
                ),
            ),
        ),
    ),
    step(
        "inefficient.c3.last",
        1258,
        "c_3 (1 + sqrt(2 ln(1.25e8))/eps) >= c_3 (1 + kappa) for delta >= 1e-8",
        _c3_last,
        "inefficient",
        proof=(
            Step("slope", _log_falls, Combination(((1 / x_log, One()),))),
            Step(
                "log",
                _log_at,
                Monotone("slope", x_log, -sp.log(sp.Rational(5, 4) / x_log), sp.Rational(TINY), delta),
            ),
            Step(
                "last",
                _c3_last,
                Combination(((2 * c3 / (epsilon * (A_log + sp.sqrt(2 * _log_delta))), Lemma("log")),)),
            ),
        ),
    ),
    statement(
        "inefficient",
        562,
        "delta in [1e-8, eps] and e < min{1, c rho^2 (1 + kappa^2)} e0, c = c_3^2/3 from the proof, imply "
        "T^U >= e0/(27 pi^2 e)",
        _theorem,
        "theo:lbunlearn",
        printed_uses=("two_point", "tv_bound", "def.time.order"),
        instances=(_lottery,),
        repaired_by="inefficient.repaired",
        note="The printed 'some c > 0' survives only for a far smaller c than the proof gives.",
    ),
    theorem(
        "inefficient.hops",
        "inefficient.condition",
        "3 gamma/rho <= 1 + 1/(2w) leaves 2 K w <= 1/2",
        _hops,
        proof=(
            Step(
                "gamma >= rho",
                _hops_many,
                Combination(((2 * w_hop, Given(0)), (w_hop, Given(1)), (2 * w_hop, Given(2)))),
            ),
            Step(
                "gamma <= rho",
                _hops_none,
                Combination(
                    ((2 * w_hop, Schema("whole", (numeric(-K),), {0: _less_than_one})), (HALF, One()))
                ),
            ),
            Step("both", _hops, Cases(y_ratio - 1, "gamma >= rho", "gamma <= rho")),
        ),
    ),
    repair(
        "inefficient.repaired",
        562,
        "delta in [1e-8, eps] and e <= min{1/3, c' rho^2 (1 + kappa^2)} e0, c' = c_3^2/27, imply T^U >= e0/(27 pi^2 e)",
        _repaired,
        depends=("def.time",),
        proof=(
            Step(
                "gamma/rho",
                _squares,
                Combination(
                    (
                        (27 / (rho**2 * e0) / (c3 * (1 + _kappa) + 3 * y_ratio), Given(2)),
                        (-9 / (rho**2 * e0) / (c3 * (1 + _kappa) + 3 * y_ratio), Given(0)),
                        (
                            -9 * (y_ratio + gamma / rho) / rho / (c3 * (1 + _kappa) + 3 * y_ratio),
                            Given(1),
                        ),
                        (2 * c3**2 * _kappa / (c3 * (1 + _kappa) + 3 * y_ratio), One()),
                    )
                ),
            ),
            Step(
                "3 gamma/rho",
                state(
                    le(3 * y_ratio, 1 + 1 / (2 * w)),
                    _gamma_def,
                    _ratio_def,
                    _target,
                    given(ge(delta, TINY)),
                    given(le(delta, epsilon)),
                    given(ge(epsilon, TINY)),
                ),
                Combination(
                    (
                        (1, Lemma("gamma/rho")),
                        (1, Lemma("inefficient.c3.last")),
                        (1, Lemma("inefficient.c3")),
                        (1, Lemma("inefficient.c3.first")),
                    )
                ),
            ),
            Step(
                "reach",
                _reach,
                Combination(
                    (
                        (1 / (gamma**2 * e0), Given(0)),
                        (1 / (gamma**2 * e0), Lemma("inefficient.step1.repaired")),
                        (1, Lemma("inefficient.hops", {w_hop: w}, {1: ((1, Lemma("3 gamma/rho")),)})),
                        (1 / (3 * gamma**2 * e0), Given(4)),
                    )
                ),
            ),
            Step(
                "time",
                _repaired,
                Combination(
                    (
                        (
                            4 / (sp.pi**2 * gamma**2) * (sp.pi * gamma * sp.sqrt(T) / 2 + sp.Rational(1, 6)),
                            Lemma("reach"),
                        ),
                        (-1 / (27 * sp.pi**2 * gamma**2 * e), Given(4)),
                    )
                ),
            ),
        ),
    ),
    statement(
        "inefficient.liminf",
        592,
        "liminf of T^U/T^S as e -> 0 is positive: at least 1/(432 pi^2) once e <= min{1/3, c' rho^2 (1 + kappa^2)} e0",
        _liminf,
        proof=(
            *at_most,
            Step("every T", _repaired, Combination(((1, Lemma("inefficient.repaired")),))),
            Step("T^U from below", _every, Reach("every T", minimax_private, (A_private, T))),
            Step(
                "ratio",
                _liminf,
                Combination(((1, Lemma("T^U from below")), (1 / (432 * sp.pi**2), Lemma("T^S from above")))),
            ),
        ),
        depends=("def.time",),
        printed_uses=("inefficient",),
    ),
)
