"""The trivial regime (l.531, proof l.1064): noise alone, no gradient."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.paper.lecam import M
from oubli.theory.paper.letters import (
    L,
    centred,
    classical_kappa,
    d,
    delta,
    e,
    e0,
    epsilon,
    kappa,
    mu,
    private_noise,
    r,
    rho,
)
from oubli.theory.paper.optima import a_retain
from oubli.theory.records.build import (
    A,
    C,
    by,
    case,
    eq,
    fact,
    ge,
    given,
    le,
    lt,
    repair,
    state,
    statement,
    step,
    theorem,
    value,
)
from oubli.theory.records.proof import Cases, Combination, Expectation, Given, Lemma, One, Square, Step

root_d = sp.sqrt(d)
X_excess = letter("X_excess", meaning="E L_r(released) - L_r*")
X_rise = letter("X_rise", meaning="E L_r(released) - L_r(theta*)")
z_mean = letter("z_mean", NONNEGATIVE, "E|z|, mean length of the noise before projection")
sigma = letter("sigma", NONNEGATIVE, "standard deviation of the noise in each coordinate")

_split = fact("definition", eq(X_excess, X_rise + a_retain))
_step1 = state(le(X_excess, X_rise + a_retain), _split)
_step2 = state(le(X_excess, root_d * kappa * rho**2 * L**2 / mu + rho * L**2 / mu))
_step3 = state(le(root_d * kappa * rho**2 * L**2 / mu + rho * L**2 / mu, r * (r + root_d * kappa) * e0))
_step4 = state(le(r * (r + root_d * kappa) * e0, e), given(ge(e, rho * (rho + root_d * kappa) * e0)))
_sigma_w = sp.Rational(20, 99)

# --- every gradient-free rule: two problems on the line with the same theta*
y_released = letter("y_released", meaning="released point minus theta*")
a_problem_A = letter(
    "a_problem_A", meaning="excess risk of the released point in problem A: quadratics centred at ±R"
)
b_problem_B = letter(
    "b_problem_B",
    NONNEGATIVE,
    "… in problem B: retain loss with a kink at theta*, right slope L/2 + mu theta",
)
E_problem_A = letter("E_problem_A", meaning="mean excess risk in problem A")
E_problem_B = letter("E_problem_B", meaning="mean excess risk in problem B")
weight_a = (1 - r) + r**2 / 2
weight_b = r * (1 - r) / 2 + r / 2
floor = r**2 * (2 - r) ** 2 * e0
_in_a = fact("definition", eq(a_problem_A, mu / 2 * (r * L / mu - y_released) ** 2))
_says = ge(weight_a * a_problem_A + weight_b * b_problem_B - floor, 0)
_right = state(
    _says,
    _in_a,
    fact("definition", ge(b_problem_B, L * (1 - r) * y_released + mu / 2 * y_released**2)),
    given(ge(y_released, 0)),
)
_left = state(_says, _in_a, given(ge(-y_released, 0)))
_everywhere = state(_says, _in_a)
_in_mean = state(ge(weight_a * E_problem_A + weight_b * E_problem_B - floor, 0))
_floor = state(ge(M, floor), fact("definition", ge(M, E_problem_A)), fact("definition", ge(M, E_problem_B)))

_theorem = state(
    le(M, e),
    given(ge(e, rho * (rho + root_d * classical_kappa(epsilon, delta)) * e0)),
    given(lt(e, e0)),
)

# --- the repair: projected Gaussian noise at the right sensitivity
_noise_facts = (
    _split,
    # Projection on the ball keeps both ends in it, where every loss is L-Lipschitz.
    fact("Lipschitz", le(X_rise, L * z_mean)),
    fact("Jensen", le(z_mean, root_d * sigma)),
)
_repaired = state(
    le(X_excess, e),
    *_noise_facts,
    fact("definition", eq(sigma, kappa * 2 * r * L / ((1 + r) * mu))),
    given(ge(e, (4 * r**2 / ((1 - r) * (1 + r)) + 8 * root_d * kappa * 2 * r / (1 + r)) * e0)),
    *private_noise(),
)
_repaired_line = state(
    le(X_excess, e),
    *_noise_facts,
    fact("definition", eq(sigma, kappa * r * L / mu)),
    fact("definition", eq(d, 1)),
    given(ge(e, (4 * r**2 + 8 * kappa * r) * e0)),
    *private_noise(),
)

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
                "-R (forget). Problem B: retain loss with a kink at theta* whose right slope is L/2 + mu theta, forget "
                "loss flat there. Both have theta* = R(1 - 2r) = 1/2, so a gradient-free rule releases one law in both, "
                "and its worst risk is at least r^2 (2-r)^2 e0 = (49/256) e0 > e",
                {
                    L: 2,
                    mu: 1,
                    r: Fraction(1, 4),
                    d: 1,
                    epsilon: 25,
                    delta: Fraction(1, 100000),
                    e: Fraction(3, 32),
                },
                through=(
                    (
                        1,
                        Lemma("trivial.floor", {r: sp.Rational(1, 4), L: sp.Integer(2), mu: sp.Integer(1)}),
                    ),
                    (sp.Rational(1, 512), One()),
                ),
            ),
        ),
        repaired_by="trivial.repaired",
        note="False for every gradient-free algorithm whatsoever whenever sqrt(d) kappa < r(1-r)(2-r)^2 - rho, which is below "
        "0.27: this needs eps of at least 2.5. For eps <= 1 the printed mechanism itself misses by up to a factor of about 4.",
    ),
    theorem(
        "trivial.floor",
        "trivial",
        "every rule that uses no gradient has worst risk at least r^2 (2-r)^2 e0",
        _floor,
        instances=(
            case(
                "r = 1/4: A is the quadratic centred at R, C has a kink at theta* = 1/2 with right slope 1 + theta; release "
                "theta* + 1/16: attained",
                {
                    L: 2,
                    mu: 1,
                    r: Fraction(1, 4),
                    M: Fraction(49, 512),
                    E_problem_A: value(A, Fraction(9, 16)) - value(A, 1),
                    E_problem_B: value(C, Fraction(9, 16)) - value(C, Fraction(1, 2)),
                },
                members={"A": centred(1), "C": ((-1, -1), (Fraction(1, 2), -1), (Fraction(1, 2), 1), (1, 1))},
            ),
        ),
        proof=(
            Step(
                "right of theta*",
                _right,
                Combination(
                    (
                        (weight_a, Given(0)),
                        (weight_b, Given(1)),
                        (mu / 2, Square(y_released - r**2 * L / (2 * mu))),
                    )
                ),
            ),
            Step(
                "left of theta*",
                _left,
                Combination(
                    (
                        (weight_a, Given(0)),
                        (weight_b * b_problem_B, One()),
                        (weight_a * r * L, Given(1)),
                        (weight_a * mu / 2, Square(y_released)),
                        (r**4 * L**2 / (8 * mu), One()),
                    )
                ),
            ),
            Step("everywhere", _everywhere, Cases(y_released, "right of theta*", "left of theta*")),
            Step(
                "in the mean",
                _in_mean,
                Expectation("everywhere", {a_problem_A: E_problem_A, b_problem_B: E_problem_B}),
            ),
            Step(
                "worst",
                _floor,
                Combination(((1, Lemma("in the mean")), (weight_a, Given(0)), (weight_b, Given(1)))),
            ),
        ),
    ),
    step(
        "trivial.step1",
        1075,
        "E L_r(hat) - L_r* <= E[L_r(hat) - L_r(theta*)] + L_r(theta*) - L_r*",
        _step1,
        "trivial",
        proof=by(_step1, (-1, Given(0))),
    ),
    step(
        "trivial.step2",
        1076,
        "… <= sqrt(d) kappa rho^2 L^2/mu + rho L^2/mu",
        _step2,
        "trivial",
        instances=(
            case(
                "d = 1, r = 1/100, kappa = 10, all losses theta^2/2 + |theta|: theta* = theta_r* = 0, noise N(0, s^2) with "
                "s = kappa rho L/mu = 20/99, E L_r = s^2/2 + s sqrt(2/pi) = 0.18 > 0.05",
                {
                    L: 2,
                    mu: 1,
                    d: 1,
                    kappa: 10,
                    r: Fraction(1, 100),
                    X_excess: _sigma_w**2 / 2 + _sigma_w * sp.sqrt(2 / sp.pi),
                },
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
        proof=by(
            _repaired,
            (1, Given(4)),
            (-1, Given(0)),
            (1, Given(1)),
            (L, Given(2)),
            (-L * root_d, Given(3)),
            (1, Lemma("opt_loss.sharper")),
        ),
        depends=("gauss.kappa.small", "sensitivity"),
        note="Private by the Gaussian mechanism at that sensitivity and by data processing (the projection).",
    ),
    theorem(
        "trivial.repaired.line",
        "trivial",
        "on the line, eps <= 1 and e >= (4 r^2 + 8 kappa r) e0 suffice, with noise kappa r L/mu",
        _repaired_line,
        proof=by(
            _repaired_line,
            (1, Given(5)),
            (-1, Given(0)),
            (1, Given(1)),
            (L, Given(2)),
            (-L * root_d, Given(3)),
            (1, Lemma("opt_loss.line")),
            (-L * kappa * r * L / mu / (root_d + 1), Given(4)),
        ),
        depends=("gauss.kappa.small", "sensitivity.line"),
    ),
)
