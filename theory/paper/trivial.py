"""The trivial regime (l.531, proof l.1064): noise alone, no gradient."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.paper.gauss import private_kappa
from oubli.theory.paper.letters import (
    A_any,
    A_private,
    L,
    R,
    classical_kappa,
    d,
    data,
    delta,
    e,
    e0,
    epsilon,
    kappa,
    mu,
    r,
    retained,
    rho,
)
from oubli.theory.paper.optima import a_retain, theta_all
from oubli.theory.paper.setup import e_1
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
    cone,
    excess,
    explicit_problem,
    forget,
    gaussian,
    given_data,
    grad,
    inner,
    least,
    mean,
    minus,
    mix,
    numeric,
    opt,
    out,
    point,
    proj,
    retain,
    rule,
    term,
    tilt,
    value,
    worst,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Mean,
    One,
    Over,
    Schema,
    Square,
    SquaredNorm,
    Step,
    Term,
)

root_d = sp.sqrt(d)
# The printed release: noise kappa rho L/mu, not projected.
_printed_release = theta_all + gaussian(kappa * rho * L / mu)
X_excess = term("X_excess", mean(excess(retained, _printed_release)), "E L_r(released) - L_r*")
X_rise = term(
    "X_rise",
    mean(minus(value(retained, _printed_release), value(retained, theta_all))),
    "E L_r(released) - L_r(theta*)",
)
_step1 = state(le(X_excess, X_rise + a_retain))
_step2 = state(le(X_excess, root_d * kappa * rho**2 * L**2 / mu + rho * L**2 / mu))
_step3 = state(le(root_d * kappa * rho**2 * L**2 / mu + rho * L**2 / mu, r * (r + root_d * kappa) * e0))
_step4 = state(le(r * (r + root_d * kappa) * e0, e), given(ge(e, rho * (rho + root_d * kappa) * e0)))

# --- every gradient-free rule: two problems with the same theta*, at t_star e_1
y_any = point("y_any")
M_free = term("M_free", worst(A_any, 0), "worst risk of any rule that uses no gradient")
M_private = term("M_private", worst(A_private, 0), "the same of an (epsilon, delta)-unlearning one")
M_0 = term(
    "M_0",
    least("unlearner", 0, r, epsilon, delta),
    "least worst risk of (epsilon, delta)-unlearning without a gradient",
)
t_star = R * (1 - 2 * r)
place = t_star * e_1
# Problem A: quadratics centred at R e_1 and -R e_1. Problem B: a kink at theta* in all losses.
towards, back, kink = tilt((L / 2) * e_1), tilt(-(L / 2) * e_1), cone(place, L / 2)
problem_A, problem_B = explicit_problem(towards, back), explicit_problem(kink, kink)
y_along = term("y_along", inner(y_any - place, e_1), "first coordinate of a released point minus theta*")
risk_in_A = minus(value(towards, y_any), value(towards, R * e_1))
risk_in_B = minus(value(kink, y_any), value(kink, place))
a_problem_A = term("a_problem_A", risk_in_A, "its excess risk in problem A")
b_problem_B = term("b_problem_B", risk_in_B, "its excess risk in problem B")
weight_a = (1 - r) + r**2 / 2
weight_b = r * (1 - r) / 2 + r / 2
floor = r**2 * (2 - r) ** 2 * e0
_says = ge(weight_a * a_problem_A + weight_b * b_problem_B - floor, 0)
_right = state(_says, given(ge(y_along, 0)))
_left = state(_says, given(ge(-y_along, 0)))
_everywhere = state(_says)
_floor = state(ge(M_free, floor))
_floor_private = state(ge(M_private, floor), also=(epsilon, delta))
_floor_least = state(ge(M_0, floor))
_aside = SquaredNorm(y_any - place - y_along * e_1)
_moved = opt(mix(r, back, towards)) - opt(mix(r, kink, kink))
_room = ((L**2 * r * (1 - r), One()),)
_near = ((L**2 / mu**2 * r * (1 - r), One()),)
# Both problems have theta* at t_star e_1.
_same_start = (
    (1, Schema("tilted", ((mu * t_star) * e_1, _moved), {1: _room})),
    (-1, Schema("kinked", (place, ZERO, numeric(L / 2), _moved), {3: _near, 4: _room})),
)


def _minimal(f: Object, x: Object, weight: sp.Expr, because: dict[int, Any]) -> tuple[Term, ...]:
    """weight (f(x) - min f) >= 0."""
    step_to = x - opt(f)
    return (
        (weight, Schema("strong convexity", (f, opt(f), x, f), because)),
        (weight, Schema("stationary", (f, step_to))),
        (weight * mu / 2, SquaredNorm(step_to)),
    )


_theorem = state(
    le(M_0, e),
    given(ge(e, rho * (rho + root_d * classical_kappa(epsilon, delta)) * e0)),
    given(lt(e, e0)),
)


# --- the repair: theta* with Gaussian noise at the right sensitivity, projected
def _noisy(width: sp.Expr, D: Object) -> Object:
    """What is released for a problem: noise kappa per unit of the width, then the projection."""
    return proj(opt(mix(r, forget(D), retain(D))) + gaussian(kappa * width))


def _released(
    width: sp.Expr, name: str, loss: sp.Expr, by_loss: str, *line: Hypothesis
) -> tuple[Statement, tuple[Step, ...]]:
    """The claim that this rule unlearns without a gradient once e is large enough, and its proof.

    On each problem: strong convexity and the Lipschitz bound at the release, whose distance from theta* has
    mean square at most d (kappa width)^2; the worst over the problems; the rule is one of those allowed.
    """
    z, sigma_ = gaussian(kappa * width), kappa * width
    release, hat = rule(_noisy(width, given_data)), _noisy(width, data)
    slope, moved = grad(retained, hat), hat - theta_all
    X = term(f"X_{name}", mean(excess(retained, hat)), "E L_r(released) - L_r*, of projected Gaussian noise")
    M_noisy = term(f"M_{name}", worst(release, 0), "worst risk of projected Gaussian noise")
    bound = loss + L * root_d * sigma_
    some_noise = given(gt(kappa, 0))
    each = state(le(X, bound), *line, some_noise)
    worst_ = state(le(M_noisy, bound), *line, some_noise)
    says = state(le(M_0, e), given(ge(e, bound)), *line, *private_kappa)
    size = L / (2 * root_d * sigma_)
    terms: tuple[Term, ...] = (
        (1, Lemma(by_loss)),
        (1, Mean(Schema("strong convexity", (retained, hat, theta_all)))),
        (mu / 2, Mean(SquaredNorm(moved))),
        (root_d * sigma_ / (2 * L), Mean(Schema("Lipschitz", (retained, hat)))),
        (1 / (2 * L * root_d * sigma_), Mean(SquaredNorm((root_d * sigma_) * slope - L * moved))),
        (size, Mean(Schema("projection", (theta_all + z, theta_all)))),
        (-size, Schema("moment", (z,))),
    )
    budget = (numeric(r), numeric(0), numeric(epsilon), numeric(delta), numeric(width), numeric(kappa))
    apart = "sensitivity.line" if line else "sensitivity"
    private = {3: ((1, Lemma(apart)),), 9: ((1, Lemma("gauss.kappa.private")),)}
    return says, (
        Step("each problem", each, Combination(terms)),
        Step("worst", worst_, Over("each problem", worst(release, 0), (data,))),
        Step(
            "least",
            says,
            Combination(
                (
                    (1, Given(0)),
                    (1, Lemma("worst")),
                    (1, Schema("least", (Object("unlearner"), release, *budget), private)),
                )
            ),
        ),
    )


WIDTH = 2 * r * L / ((1 + r) * mu)
# The rule itself, and the first steps of the proof: its risk on each problem, and the worst of them.
noisy_release = rule(_noisy(WIDTH, given_data))
_repaired, _repaired_proof = _released(
    WIDTH, "noisy", r**2 * L**2 / (2 * mu * (1 - r) * (1 + r)), "opt_loss.sharper"
)
noisy_steps = _repaired_proof[:2]
_repaired_line, _repaired_line_proof = _released(
    r * L / mu, "noisy_line", r**2 * L**2 / (2 * mu), "opt_loss.line", given(eq(d, 1))
)

COUNTEREXAMPLE = {
    L: 2, mu: 1, r: Fraction(1, 4), d: 1, epsilon: 25, delta: Fraction(1, 100000), e: Fraction(3, 32),
}  # fmt: skip
BELOW = ((1, Lemma("trivial.floor.private")), (sp.Rational(1, 512), One()))

CLAIMS = (
    statement(
        "trivial",
        531,
        "e in [rho (rho + sqrt(d) kappa) e0, e0) implies T^U = 0: some gradient-free rule has worst risk at most e",
        _theorem,
        "theo:trivial_regime",
        printed_uses=("gauss.kappa", "gauss.sensitivity", "opt_dist", "opt_loss"),
        instances=(
            case(
                "r = 1/4, d = 1, eps = 25, delta = 1e-5, e = (3/16) e0. Problem A: quadratics centred at R (retain) and "
                "-R (forget). Problem B: all losses with a kink at theta*. Both have theta* = R(1 - 2r) = 1/2, so a "
                "gradient-free rule releases one law in both, and its worst risk is at least r^2 (2-r)^2 e0 = "
                "(49/256) e0 > e",
                COUNTEREXAMPLE,
                through=BELOW,
            ),
        ),
        repaired_by="trivial.repaired",
        note="False for every gradient-free algorithm whatsoever whenever sqrt(d) kappa < r(1-r)(2-r)^2 - rho, which is below "
        "0.27: this needs eps of about 2.48 at the least. For eps <= 1 the printed mechanism itself misses by up to a factor of about 4.",
    ),
    theorem(
        "trivial.floor",
        "trivial",
        "every rule that uses no gradient has worst risk at least r^2 (2-r)^2 e0",
        _floor,
        proof=(
            Step(
                "right of theta*",
                _right,
                Combination(
                    (
                        (weight_b * L / 2, Schema("Cauchy-Schwarz", (y_any - place, e_1))),
                        (mu / 2, Square(y_along - r**2 * L / (2 * mu))),
                        (mu / 2, _aside),
                    )
                ),
            ),
            Step(
                "left of theta*",
                _left,
                Combination(
                    (
                        (weight_b * L / 2, Schema("Cauchy-Schwarz", (place - y_any, e_1))),
                        (r * L, Given(0)),
                        (mu / 2, Square(y_along)),
                        (mu / 2, _aside),
                        (r**4 * L**2 / (8 * mu), One()),
                    )
                ),
            ),
            Step("everywhere", _everywhere, Cases(y_along, "right of theta*", "left of theta*")),
            Step(
                "worst",
                _floor,
                Combination(
                    (
                        (1, Mean(Lemma("everywhere", {y_any: out(A_any, problem_A, 0)}))),
                        (weight_a, Schema("worst", (A_any, numeric(r), numeric(0), problem_A))),
                        (weight_b, Schema("worst", (A_any, numeric(r), numeric(0), problem_B))),
                        (
                            -weight_b,
                            Schema(
                                "no gradient",
                                (A_any, problem_A, problem_B, y_any, risk_in_B),
                                {0: _same_start},
                            ),
                        ),
                        *_minimal(towards, R * e_1, weight_a, {}),
                        *_minimal(kink, place, weight_b, {4: _near}),
                    )
                ),
            ),
        ),
        note="In every dimension, for randomised rules too: the two problems have the same theta*.",
    ),
    theorem(
        "trivial.floor.private",
        "trivial",
        "(epsilon, delta)-unlearning without a gradient has worst risk at least r^2 (2-r)^2 e0",
        _floor_least,
        proof=(
            Step("each", _floor_private, Combination(((1, Lemma("trivial.floor", {A_any: A_private})),))),
            Step(
                "all",
                _floor_least,
                Over("each", least("unlearner", 0, r, epsilon, delta), (A_private,)),
            ),
        ),
    ),
    step(
        "trivial.step1",
        1075,
        "E L_r(hat) - L_r* <= E[L_r(hat) - L_r(theta*)] + L_r(theta*) - L_r*",
        _step1,
        "trivial",
        proof=by(_step1),
    ),
    step(
        "trivial.step2",
        1076,
        "… <= sqrt(d) kappa rho^2 L^2/mu + rho L^2/mu",
        _step2,
        "trivial",
        instances=(
            case(
                "d = 1, r = 1/401, kappa = 40, all losses theta^2/2: theta* = theta_r* = 0, noise N(0, s^2) with s = "
                "kappa rho L/mu = 1/5, a fifth of the radius: E L_r = s^2/2 = 0.02, and 0.011 is claimed",
                {L: 2, mu: 1, d: 1, kappa: 40, r: Fraction(1, 401)},
                objects={"data": explicit_problem(tilt(ZERO), tilt(ZERO))},
            ),
        ),
        repaired_by="trivial.repaired",
        note="The powers of rho are swapped.",
    ),
    step(
        "trivial.step3",
        1077,
        "… <= r (r + sqrt(d) kappa) e0",
        _step3,
        "trivial",
        instances=(case("r = 1/2, d = kappa = 1", {L: 2, mu: 1, d: 1, kappa: 1, r: Fraction(1, 2)}),),
        repaired_by="trivial.repaired",
        note="L^2/mu is 8 e0, and r is not rho.",
    ),
    step(
        "trivial.step4",
        1078,
        "r (r + sqrt(d) kappa) e0 <= e",
        _step4,
        "trivial",
        proof=by(
            _step4,
            (1, Given(0)),
            ((r**2 * (1 + (1 - r)) * rho / (1 - r) + r * rho * root_d * kappa) * e0, One()),
        ),
    ),
    repair(
        "trivial.repaired",
        531,
        "eps <= 1 and e >= (4 r^2/(1-r^2) + 8 sqrt(d) kappa 2r/(1+r)) e0: projected noise kappa 2rL/((1+r) mu) "
        "unlearns without a gradient",
        _repaired,
        proof=_repaired_proof,
        note="Private by the Gaussian mechanism at that sensitivity; kappa is the classical one where "
        "delta = 1.25 exp(-(kappa eps)^2/2).",
    ),
    theorem(
        "trivial.repaired.line",
        "trivial",
        "on the line, eps <= 1 and e >= (4 r^2 + 8 kappa r) e0 suffice, with noise kappa r L/mu",
        _repaired_line,
        proof=_repaired_line_proof,
    ),
)
