"""Lower bound without privacy, up to nearly 4 r^2 e0: a kink at theta* that the model at hand cannot show.

On the line. In problem A the retain losses are mu/2 theta^2 - (L/2) g theta with signs g of mean m; the forget data
pull the optimum from R m to theta* = R (m - G), G <= r (1 + m). In problem C a part of the losses with g = 1 has a
kink at theta* instead: left of it nothing changes, right of it the mean of the signs is m' = m - G - q. Then
theta* is optimal for the retain data themselves and still for all data: start and forget data are those of A,
and only T signs can tell A, where theta* is R G too low, from C, where it is right and every step up costs.
"""

from __future__ import annotations

from oubli.theory.kernel.symbols import NONNEGATIVE, UNIT, letter, parameter
from oubli.theory.paper.binomial import SYMMETRIC, gamma_max, gamma_min, tau
from oubli.theory.paper.letters import L, M_any, R, e0, mu, r
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Expectation,
    Given,
    Identity,
    Lemma,
    One,
    Square,
    Step,
)

G_kink = parameter("G_kink", NONNEGATIVE, "how far theta* lies below the retain optimum of A, in units R")
q_kink = parameter("q_kink", NONNEGATIVE, "slope of the retain risk of C right of theta*, in units mu R")
p_kink = parameter("p_kink", UNIT, "weight of A against C")

# --- the members, and the start
x_kink = letter("x_kink", meaning="a point of the ball, on the line")
h_kink = letter("h_kink", SYMMETRIC, "slope of l - mu/2 theta^2 over L/2; it rises from -1 to 1 at a kink")
_member = state(le((mu * x_kink + L / 2 * h_kink) ** 2, L**2), fact("ball", le(x_kink**2, R**2)))
f_kink = parameter(
    "f_kink", SYMMETRIC, "mean of the signs on the forget data: m - G/r, at least -1 for G <= r (1 + m)"
)
_start = state(
    eq(
        (1 - r) * (mu * R * (gamma_max - r * (gamma_max - f_kink)) - L / 2 * gamma_max)
        + r * (mu * R * (gamma_max - r * (gamma_max - f_kink)) - L / 2 * f_kink),
        0,
    )
)

# --- one output, v = output - theta* in units R
v_kink = letter("v_kink", meaning="output minus theta*, in units R")
e_A = letter("e_A", NONNEGATIVE, "excess risk of the output on A, in units e0")
e_C = letter("e_C", NONNEGATIVE, "excess risk of the output on C, in units e0")
_tilt = given(le(p_kink * G_kink, (1 - p_kink) * q_kink))
_quadratic = fact("definition", eq(e_A, (v_kink - G_kink) ** 2))
# The right slope mu R q of C is a subgradient at theta*, so it bounds from below on both sides.
_convex = fact("strong convexity", ge(e_C, v_kink**2 + 2 * q_kink * v_kink))
_says = ge(p_kink * e_A + (1 - p_kink) * e_C - p_kink * G_kink**2, 0)
_up = state(_says, _quadratic, _convex, _tilt, given(ge(v_kink, 0)))
_down = state(_says, _quadratic, _tilt, given(ge(-v_kink, 0)))
_point = state(_says, _quadratic, _convex, _tilt)

# --- two problems, coupled
tau_kink = letter("tau_kink", UNIT, "TV of the outputs on A and on C")
E_equal_A = letter("E_equal_A", NONNEGATIVE, "E[excess on A, 1{equal outputs}], in units e0")
E_equal_C = letter("E_equal_C", NONNEGATIVE, "E[excess on C, 1{equal outputs}], in units e0")
_coupled = state(
    ge(p_kink * E_equal_A + (1 - p_kink) * E_equal_C - (1 - tau_kink) * p_kink * G_kink**2, 0), _tilt
)
_kink = state(
    ge(M_any, e0 * p_kink * G_kink**2 * (1 - tau)),
    _tilt,
    given(le(G_kink, r * (1 + gamma_max))),
    given(eq(gamma_min, gamma_max - G_kink - q_kink)),
    fact("coupling", ge(M_any, e0 * E_equal_A)),
    fact("coupling", ge(M_any, e0 * E_equal_C)),
    # A step right of theta* shows one sign of mean m or m', a step left of it shows the same in A and C.
    fact("data processing", le(tau_kink, tau)),
)

CLAIMS = (
    theorem(
        "sharp.kink.member",
        "inefficient",
        "on the line mu x + (L/2) h, |h| <= 1, is at most L in size: h may jump from -1 to 1",
        _member,
        proof=by(
            _member,
            (2 * mu**2, Given(0)),
            (1, Square(mu * x_kink - L / 2 * h_kink)),
            (L**2 / 2 * (1 - h_kink) * (1 + h_kink), One()),
        ),
    ),
    theorem(
        "sharp.kink.start",
        "inefficient",
        "theta* = R (m - r (m - f)) is optimal for all data: the slope of A, the left slope of C, is balanced there",
        _start,
        proof=(Step("identity", _start, Identity()),),
    ),
    theorem(
        "sharp.kink.output",
        "inefficient",
        "p (excess on A) + (1 - p) (excess on C) >= p G^2 e0 for every output, if p G <= (1 - p) q",
        _point,
        proof=(
            Step(
                "up",
                _up,
                Combination(
                    ((p_kink, Given(0)), (1 - p_kink, Given(1)), (2 * v_kink, Given(2)), (1, Square(v_kink)))
                ),
            ),
            Step(
                "down",
                _down,
                Combination(
                    (
                        (p_kink, Given(0)),
                        (2 * p_kink * G_kink, Given(2)),
                        (p_kink, Square(v_kink)),
                        ((1 - p_kink) * e_C, One()),
                    )
                ),
            ),
            Step("both", _point, Cases(v_kink, "up", "down")),
        ),
    ),
    theorem(
        "sharp.kink",
        "inefficient",
        "every algorithm that starts at theta*, private or not: worst risk >= p G^2 e0 (1 - TV(Bin(T, (1+m)/2), Bin(T, "
        "(1+m')/2))), G <= r (1 + m), m' = m - G - q, p G <= (1 - p) q",
        _kink,
        proof=(
            Step("each output", _point, Combination(((1, Lemma("sharp.kink.output")),))),
            Step(
                "coupled",
                _coupled,
                Expectation("each output", {e_A: E_equal_A, e_C: E_equal_C}, 1 - tau_kink),
            ),
            Step(
                "risk",
                _kink,
                Combination(
                    (
                        (p_kink, Given(3)),
                        (1 - p_kink, Given(4)),
                        (e0, Lemma("coupled")),
                        (e0 * p_kink * G_kink**2, Given(5)),
                    )
                ),
            ),
        ),
        depends=(
            "sharp.kink.member",
            "sharp.kink.start",
            "setup.lift",
            "setup.hard_family",
            "phi_measurable",
        ),
        note="theta* itself costs at most 4 r^2/(1 - r^2) e0 (opt_loss.sharper): with m near 1 and q large this comes "
        "near it, where sharp.lower stops at rho^2 e0 without privacy. For differentiable losses put a steep ramp into "
        "one of many disjoint short intervals right of theta*: T gradients meet few of them, so the supremum is the same.",
    ),
)
