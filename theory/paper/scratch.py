"""Retraining from scratch: e0, and upper and lower bounds on T^S (l.502 to l.526, l.1265 to l.1288)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, Domain, parameter
from oubli.theory.paper.algorithms import G_retrain
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.chains import arc, odd, x_odd
from oubli.theory.paper.lecam import f_1, f_2, m_1, m_2, x_unit
from oubli.theory.paper.letters import (
    T_S,
    A_any,
    A_scratch,
    L,
    M_scratch,
    R,
    S_any,
    T,
    d,
    data,
    e,
    e0,
    gamma,
    mu,
    r,
    retained,
)
from oubli.theory.paper.mirror import f_any, tag_any
from oubli.theory.paper.optima import theta_r
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import (
    by,
    case,
    definition,
    eq,
    ge,
    given,
    le,
    remark,
    repair,
    state,
    statement,
    step,
    theorem,
)
from oubli.theory.records.objects import (
    ZERO,
    Object,
    chance,
    excess,
    explicit_problem,
    grad,
    hard_problem,
    inner,
    norm,
    numeric,
    out,
    rule,
    term,
    tilt,
    variation,
    worst,
)
from oubli.theory.records.proof import Combination, Given, Lemma, One, Over, Same, Schema, Square, Step

# theta_r = theta_r*; the excess risk of 0, and the gradients at 0 and at the mirror image of theta_r*.
slope_zero, slope_mirror = grad(retained, ZERO, retained), grad(retained, -theta_r)
x_opt = term("x_opt", norm(theta_r), "|theta_r*|")
G_0 = term("G_0", excess(retained, ZERO), "L_r(0) - L_r*")
alpha = term("alpha", inner(slope_zero, theta_r), "<grad L_r(0), theta_r*>")
n_mirror = term("n_mirror", norm(slope_mirror), "|grad L_r(-theta_r*)|")
_rises = Schema("strong convexity", (retained, ZERO, theta_r, retained))
_e0 = state(le(G_0, e0), also=(x_opt,))
_sign = state(le(G_0, alpha - mu / 2 * x_opt**2), also=(L,))
_sign_repaired = state(le(G_0, -alpha - mu / 2 * x_opt**2), also=(L,))
_mirror = state(le(G_0, L * x_opt - 3 * mu / 2 * x_opt**2), also=(n_mirror,))
_inside = ((1, Schema("ball", (theta_r,))),)
mirrored = (
    Schema("strong convexity", (retained, ZERO, -theta_r, retained), {1: _inside}),
    Schema("strong convexity", (retained, -theta_r, ZERO), {0: _inside}),
)
x = parameter("x", NONNEGATIVE, "a length, at most R")
_peak = state(le(L * x - 3 * mu / 2 * x**2, L * R - 3 * mu / 2 * R**2), given(le(x, R)))
_peak_repaired = state(le(L * x / 2 - mu / 2 * x**2, L**2 / (8 * mu)), given(le(x, R)))
_value_at_R = state(eq(L * R - 3 * mu / 2 * R**2, L**2 / (8 * mu)))
release_zero = rule(ZERO)
M_output_zero = term("M_output_zero", worst(release_zero, 0), "worst risk of the output 0")
_zero_each = state(le(G_0, e), given(ge(e, e0)), also=(x_opt,))
_zero_worst = state(le(M_output_zero, e), given(ge(e, e0)))
_zero = state(le(T_S, 0), given(ge(e, e0)))
_no_gradient = Schema(
    "time",
    (Object("learner"), release_zero, *map(numeric, (0, 0, e))),
    {2: ((1, Lemma("worst")),)},
)

# --- upper bound: T = floor(16 e0/e) gradients suffice
_upper = state(le(G_retrain, e), given(ge((T + 1) * e, 2 * L**2 / mu)))

# --- lower bound: two points with means ±gamma, gamma = c_1/sqrt(T)
c_scratch = parameter(
    "c_scratch", Domain(Fraction(0), Fraction(1), True, False), "the constant c_1 of the proof, in (0, 1]"
)
_signs = given(eq(gamma * sp.sqrt(T), c_scratch))
# Both rules start from scratch: only the signs differ, whatever the forget data.
_plus, _minus = hard_problem(gamma, 0), hard_problem(-gamma, 0)
_outputs = tuple(out(A_scratch, D, T) for D in (_plus, _minus))
tau_scratch = term("tau_scratch", variation(*_outputs), "TV(P_g, P_-g) of a rule that starts from scratch")
p_plus, p_minus = (
    term(name, chance(x, S_any), "P[output in S] from scratch")
    for name, x in zip(("p_plus", "p_minus"), _outputs, strict=True)
)
_fall = arc(gamma) - arc(-gamma)
_apart = (
    Step(
        "at an event",
        state(le(p_plus - p_minus, _fall), also=(L, mu)),
        Combination(
            (
                (1, Schema("same start", (A_scratch, _plus, _minus, numeric(T), S_any))),
                (1, Lemma("binomial_tv.arcsin", {gamma_min: -gamma, gamma_max: gamma})),
            )
        ),
    ),
    Step(
        "at all",
        state(le(tau_scratch, _fall), also=(L, mu)),
        Over("at an event", variation(*_outputs), (S_any,)),
    ),
)
_two = {A_any: A_scratch, f_1: sp.Integer(0), f_2: sp.Integer(0)}
_close = state(le(tau_scratch, sp.pi * c_scratch / 2), given(ge(T, 1)), _signs, also=(L, mu))
_printed_lower = L**2 * c_scratch**2 / (8 * mu * e) * (1 - sp.pi * c_scratch / 2)
_reach = (given(le(M_scratch, e)), given(ge(T, 1)))
_lower = state(ge(T, _printed_lower), *_reach, _signs, also=(r,))
_positive = state(ge(M_scratch, e0), given(le(T, 0)), also=(r,))
_full_fall = (sp.asin(1) - sp.asin(-1, evaluate=False)) / 2
BEST = Fraction(21, 50)
LOWER = Fraction(3, 50)
_theta = state(ge(T, LOWER * e0 / e), *_reach, also=(r,))
_best_constant = state(
    le(c_scratch**2 * (1 - sp.pi * c_scratch / 2), sp.Rational(16, 27) / sp.pi**2),
)

_values = {L: 2, mu: 1, d: 1, r: Fraction(1, 4)}
_centred = {"data": explicit_problem(tilt(e_1), tilt(-e_1))}

CLAIMS = (
    definition(
        "def.time",
        480,
        "T_e is the least T at which the worst expected excess risk over the class is at most e",
        "As printed (l.470 to l.484), T_e = inf over algorithms of the supremum over losses of min{T : risk <= e}: each loss "
        "may be reached at a time of its own. Le Cam's argument bounds the risk at one T over two losses, so the lower "
        "bounds of the paper are about the formalisation used here, where one T must serve all losses; see def.time.order.",
    ),
    statement(
        "e0",
        505,
        "L_r(0) - L_r* <= e0 = L^2/(8 mu)",
        _e0,
        "lemma:scratch_e0",
        proof=by(
            _e0,
            (1, _rises),
            (1, Schema("Cauchy-Schwarz", (-slope_zero, theta_r))),
            (x_opt, Lemma("setup.gradient_at_zero", {f_any: retained, tag_any: retained})),
            (mu / 2, Square(x_opt - R)),
        ),
        instances=(case("the quadratic centred at R: attained", _values, objects=_centred),),
    ),
    statement(
        "e0.zero",
        507,
        "if e >= e0 the output 0, which no data enter, is good enough: T^S = T^U = 0",
        _zero_each,
        proof=by(_zero_each, (1, Given(0)), (1, Lemma("e0"))),
        printed_uses=("e0",),
    ),
    theorem(
        "e0.time",
        "e0.zero",
        "so that T^S = 0 for e >= e0",
        _zero,
        proof=(
            Step("each problem", _zero_each, Combination(((1, Lemma("e0.zero")),))),
            Step("worst", _zero_worst, Over("each problem", worst(release_zero, 0), (data,))),
            Step("time", _zero, Combination(((1, _no_gradient),))),
        ),
    ),
    step(
        "e0.sign",
        1268,
        "L_r(0) - L_r* <= <grad L(0), theta_r*> - mu/2 |theta_r*|^2",
        _sign,
        "e0",
        instances=(
            case("the quadratic centred at R: left side 1/2, right side -3/2", _values, objects=_centred),
        ),
        repaired_by="e0.sign.repaired",
    ),
    repair(
        "e0.sign.repaired",
        1268,
        "L_r(0) - L_r* <= -<grad L_r(0), theta_r*> - mu/2 |theta_r*|^2",
        _sign_repaired,
        proof=by(_sign_repaired, (1, _rises)),
    ),
    step(
        "e0.mirror",
        1272,
        "L_r(0) - L_r* <= |grad L_r(-theta_r*)| |theta_r*| - 3 mu/2 |theta_r*|^2, that gradient being at most L",
        _mirror,
        "e0",
        proof=by(
            _mirror,
            (1, _rises),
            *((1, source) for source in mirrored),
            (1, Schema("Cauchy-Schwarz", (-slope_mirror, theta_r))),
            (x_opt / (L + n_mirror), Schema("Lipschitz", (retained, -theta_r), {0: _inside})),
        ),
    ),
    step(
        "e0.step",
        1272,
        "L x - 3 mu x^2/2 <= L R - 3 mu R^2/2 for x in [0, R]",
        _peak,
        "e0",
        instances=(case("x = L/(3 mu), where the left side is L^2/(6 mu)", {L: 3, mu: 1, x: 1}),),
        repaired_by="e0.step.repaired",
        note="Use the gradient at -R theta_r*/|theta_r*| instead: it gives L x/2 - mu x^2/2.",
    ),
    repair(
        "e0.step.repaired",
        1272,
        "L x/2 - mu x^2/2 <= L^2/(8 mu)",
        _peak_repaired,
        proof=by(_peak_repaired, (mu / 2, Square(x - R))),
        instances=(case("x = R: attained", {L: 2, mu: 1, x: 1}),),
    ),
    step(
        "e0.value",
        1272,
        "L R - 3 mu R^2/2 = L^2/(8 mu)",
        _value_at_R,
        "e0",
        proof=by(_value_at_R),
    ),
    statement(
        "scratch.upper",
        1281,
        "T^S <= 2 L^2/(mu e) = 16 e0/e: floor(2 L^2/(mu e)) gradients reach e",
        _upper,
        proof=by(
            _upper,
            (1, Lemma("sgd.rate.repaired")),
            (1 / (T + 2), Given(0)),
            (e / (T + 2), One()),
        ),
        printed_uses=("sgd.rate",),
    ),
    statement(
        "scratch.positive",
        521,
        "T^S >= 1 for e < e0: without a gradient the worst risk is at least e0",
        _positive,
        proof=(
            *_apart,
            Step(
                "nothing tells",
                _positive,
                Combination(
                    (
                        (1, Lemma("two_point.repaired", {**_two, m_1: sp.Integer(1), m_2: sp.Integer(-1)})),
                        (e0, Lemma("at all", {gamma: sp.Integer(1)})),
                        (-e0 * _full_fall, Same("root", T, sp.Integer(0))),
                    )
                ),
            ),
        ),
    ),
    statement(
        "scratch.lower",
        1286,
        "T^S >= c_1^2 (1 - pi c_1/2) e0/e (T >= 1 by scratch.positive)",
        _lower,
        proof=(
            *odd,
            *_apart,
            Step(
                "close",
                _close,
                Combination(
                    (
                        (1, Lemma("at all")),
                        (sp.sqrt(T) / 2, Lemma("odd", {x_odd: gamma})),
                        (sp.sqrt(T), Lemma("tv_bound.arcsine", {x_unit: gamma})),
                        (-sp.pi / 2, Given(1)),
                    )
                ),
            ),
            Step(
                "time",
                _lower,
                Combination(
                    (
                        (T / e, Given(0)),
                        (T / e, Lemma("two_point.repaired", {**_two, m_1: gamma, m_2: -gamma})),
                        (T / e * gamma**2 * e0, Lemma("close")),
                        (
                            e0 / e * (1 - sp.pi * c_scratch / 2) * (gamma * sp.sqrt(T) + c_scratch),
                            Given(2),
                        ),
                    )
                ),
            ),
        ),
        depends=("def.time",),
        printed_uses=("inefficient", "def.time.order"),
        note="The printed proof takes it from the inefficient theorem 'with kappa = 0'; absolute privacy is kappa = oo.",
    ),
    statement(
        "scratch.lower.best",
        1286,
        "c_1^2 (1 - pi c_1/2) <= 16/(27 pi^2) = 0.0600…, attained at c_1 = 4/(3 pi)",
        _best_constant,
        proof=by(
            _best_constant,
            (
                (sp.pi / 2) * (c_scratch + sp.Rational(2, 3) / sp.pi),
                Square(c_scratch - sp.Rational(4, 3) / sp.pi),
            ),
        ),
    ),
    statement(
        "scratch.theta",
        519,
        "T^S = Theta(e0/e), lower half: T^S >= (3/50) e0/e for e < e0",
        _theta,
        "lemma:scratch_speed",
        proof=by(
            _theta,
            (
                1,
                Lemma("scratch.lower", {c_scratch: sp.Rational(BEST), gamma: sp.Rational(BEST) / sp.sqrt(T)}),
            ),
            (
                (sp.Rational(BEST) ** 2 * (1 - sp.pi * sp.Rational(BEST) / 2) - sp.Rational(LOWER)) * e0 / e,
                One(),
            ),
        ),
        depends=("def.time", "scratch.positive", "scratch.upper"),
        printed_uses=("scratch.upper", "scratch.lower", "e0.step", "sgd.average"),
        note="The upper half is scratch.upper.",
    ),
    remark(
        "scratch.lower.kappa",
        1284,
        "'with kappa = 0 … absolute privacy'",
        "Absolute privacy (eps = 0) is kappa = oo; kappa = 0 is no privacy at all.",
    ),
)
