"""Lower bound without privacy, up to nearly 4 r^2 e0: a kink at theta* that the model at hand cannot show.

On the line. In problem A the retain losses are mu/2 theta^2 - (L/2) g theta with signs g of mean m; the forget data
pull the optimum from R m to theta* = R (m - G), G <= r (1 + m). In problem C a part of the losses with g = 1 has a
kink at theta* instead: left of it nothing changes, right of it the mean of the signs is m' = m - G - q. Then
theta* is optimal for the retain data themselves and still for all data: start and forget data are those of A,
and only T signs can tell A, where theta* is R G too low, from C, where it is right and every step up costs.
"""

from __future__ import annotations

from theory.paper.binomial import SYMMETRIC, c_hi, c_lo
from theory.paper.binomial import tau as coins
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.lecam import worst
from theory.proof import Cases, Combination, Expectation, Given, Identity, Lemma, One, Square, Step
from theory.symbols import NONNEGATIVE, UNIT, L, R, e0, letter, mu, parameter, r_f

G = parameter("G_kink", NONNEGATIVE, "how far theta* lies below the retain optimum of A, in units R")
q = parameter("q_kink", NONNEGATIVE, "slope of the retain risk of C right of theta*, in units mu R")
p = parameter("p_kink", UNIT, "weight of A against C")

# --- the members, and the start
x = letter("x_kink", meaning="a point of the ball, on the line")
sign = letter("h_kink", SYMMETRIC, "slope of l - mu/2 theta^2 over L/2; it rises from -1 to 1 at a kink")
_member = state(le((mu * x + L / 2 * sign) ** 2, L**2), fact("ball", le(x**2, R**2)))
pull = parameter(
    "f_kink", SYMMETRIC, "mean of the signs on the forget data: m - G/r, at least -1 for G <= r (1 + m)"
)
_start = state(
    eq(
        (1 - r_f) * (mu * R * (c_hi - r_f * (c_hi - pull)) - L / 2 * c_hi)
        + r_f * (mu * R * (c_hi - r_f * (c_hi - pull)) - L / 2 * pull),
        0,
    )
)

# --- one output, v = output - theta* in units R
v = letter("v_kink", meaning="output minus theta*, in units R")
on_a = letter("e_A", NONNEGATIVE, "excess risk of the output on A, in units e0")
on_c = letter("e_C", NONNEGATIVE, "excess risk of the output on C, in units e0")
_tilt = given(le(p * G, (1 - p) * q))
_quadratic = fact("definition", eq(on_a, (v - G) ** 2))
# The right slope mu R q of C is a subgradient at theta*, so it bounds from below on both sides.
_convex = fact("strong convexity", ge(on_c, v**2 + 2 * q * v))
_says = ge(p * on_a + (1 - p) * on_c - p * G**2, 0)
_up = state(_says, _quadratic, _convex, _tilt, given(ge(v, 0)))
_down = state(_says, _quadratic, _tilt, given(ge(-v, 0)))
_point = state(_says, _quadratic, _convex, _tilt)

# --- two problems, coupled
tau = letter("tau_kink", UNIT, "TV of the outputs on A and on C")
mean_a = letter("E_A", NONNEGATIVE, "E[excess on A, 1{equal outputs}], in units e0")
mean_c = letter("E_C", NONNEGATIVE, "E[excess on C, 1{equal outputs}], in units e0")
_coupled = state(ge(p * mean_a + (1 - p) * mean_c - (1 - tau) * p * G**2, 0), _tilt)
_kink = state(
    ge(worst, e0 * p * G**2 * (1 - coins)),
    _tilt,
    given(le(G, r_f * (1 + c_hi))),
    given(eq(c_lo, c_hi - G - q)),
    fact("coupling", ge(worst, e0 * mean_a)),
    fact("coupling", ge(worst, e0 * mean_c)),
    # A step right of theta* shows one sign of mean m or m', a step left of it shows the same in A and C.
    fact("data processing", le(tau, coins)),
)

CLAIMS = (
    repair(
        "sharp.kink.member",
        562,
        "on the line mu x + (L/2) h, |h| <= 1, is at most L in size: h may jump from -1 to 1",
        _member,
        proof=by(
            _member,
            (2 * mu**2, Given(0)),
            (1, Square(mu * x - L / 2 * sign)),
            (L**2 / 2 * (1 - sign) * (1 + sign), One()),
        ),
    ),
    repair(
        "sharp.kink.start",
        562,
        "theta* = R (m - r (m - f)) is optimal for all data: the slope of A, the left slope of C, is balanced there",
        _start,
        proof=(Step("identity", _start, Identity()),),
    ),
    repair(
        "sharp.kink.output",
        562,
        "p (excess on A) + (1 - p) (excess on C) >= p G^2 e0 for every output, if p G <= (1 - p) q",
        _point,
        proof=(
            Step(
                "up",
                _up,
                Combination(((p, Given(0)), (1 - p, Given(1)), (2 * v, Given(2)), (1, Square(v)))),
            ),
            Step(
                "down",
                _down,
                Combination(((p, Given(0)), (2 * p * G, Given(2)), (p, Square(v)), ((1 - p) * on_c, One()))),
            ),
            Step("both", _point, Cases(v, "up", "down")),
        ),
    ),
    repair(
        "sharp.kink",
        562,
        "every algorithm that starts at theta*, private or not: worst risk >= p G^2 e0 (1 - TV(Bin(T, (1+m)/2), Bin(T, "
        "(1+m')/2))), G <= r (1 + m), m' = m - G - q, p G <= (1 - p) q",
        _kink,
        proof=(
            Step("each output", _point, Combination(((1, Lemma("sharp.kink.output")),))),
            Step("coupled", _coupled, Expectation("each output", {on_a: mean_a, on_c: mean_c}, 1 - tau)),
            Step(
                "risk",
                _kink,
                Combination(
                    (
                        (p, Given(3)),
                        (1 - p, Given(4)),
                        (e0, Lemma("coupled")),
                        (e0 * p * G**2, Given(5)),
                    )
                ),
            ),
        ),
        leans=("sharp.kink.member", "sharp.kink.start", "setup.lift", "setup.hard_family", "phi_measurable"),
        note="theta* itself costs at most 4 r^2/(1 - r^2) e0 (opt_loss.sharper): with m near 1 and q large this comes "
        "near it, where sharp.lower stops at rho^2 e0 without privacy. For differentiable losses put a steep ramp into "
        "one of many disjoint short intervals right of theta*: T gradients meet few of them, so the supremum is the same.",
    ),
)
