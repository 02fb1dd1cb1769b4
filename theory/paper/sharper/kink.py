"""Lower bound without privacy, up to nearly 4 r^2 e0: a kink at theta* that the model at hand cannot show.

Along e_1. In problem A the retain losses are mu/2 |theta|^2 - (L/2) g <theta, e_1> with signs g of mean m; the
forget data pull the optimum from R m to theta* = R (m - G), G <= r (1 + m). In problem C a part of the losses with
g = 1 has a kink at theta* instead: left of it nothing changes, right of it the mean of the signs is m' = m - G - q.
Then theta* is optimal for the retain data themselves and still for all data: start and forget data are those of A,
and only T signs can tell A, where theta* is R G too low, from C, where it is right and every step up costs.
"""

from __future__ import annotations

from typing import Any

from oubli.theory.kernel.symbols import NONNEGATIVE, UNIT, parameter
from oubli.theory.paper.binomial import SYMMETRIC, gamma_max, gamma_min, tau
from oubli.theory.paper.letters import A_any, L, M_any, R, S_any, T, e0, mu, r
from oubli.theory.paper.setup import e_1
from oubli.theory.paper.sharper.rare_kink import optimal, star
from oubli.theory.records.build import by, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    ZERO,
    Object,
    chance,
    excess,
    forget,
    grad,
    hard_problem,
    inner,
    largest,
    mean,
    mix,
    numeric,
    out,
    plus,
    point,
    retain,
    scaled,
    term,
    turned_problem,
    value,
    variation,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Couple,
    Given,
    Lemma,
    One,
    Over,
    Schema,
    Square,
    SquaredNorm,
    Step,
    Term,
)

G_kink = parameter("G_kink", NONNEGATIVE, "how far theta* lies below the retain optimum of A, in units R")
q_kink = parameter("q_kink", NONNEGATIVE, "slope of the retain risk of C right of theta*, in units mu R")
p_kink = parameter("p_kink", UNIT, "weight of A against C")
f_kink = parameter("f_kink", SYMMETRIC, "mean of the signs on the forget data")
s_kink = parameter("s_kink", SYMMETRIC, "where C turns, in units R")
x_kink = point("x_kink")
x_ahead = term("x_ahead", inner(x_kink, e_1), "<x, e_1>, x an output")

# --- the loss that turns: mu/2 |x|^2 + (L/2) |<x, e_1> - R s|
_turning = plus(largest(*(((c * L / 2) * e_1, -c * L / 2 * R * s_kink, 0) for c in (1, -1))))
slope_turn = term(
    "slope_turn", inner(grad(_turning, x_kink), grad(_turning, x_kink)), "|l'(x)|^2, l(x) = mu/2 |x|^2 + "
    "(L/2) |<x, e_1> - R s|"
)  # fmt: skip
x_kink_square = term("x_kink_square", inner(x_kink, x_kink), "|x|^2")
_member = state(le(slope_turn, L**2), given(le(x_kink_square, R**2)), also=(s_kink,))

# --- the two problems, for any place R s of the turn and any mean n beyond it
A, C = hard_problem(gamma_max, f_kink), turned_problem(gamma_max, gamma_min, s_kink, f_kink)
e_A = term("e_A", excess(retain(A), x_kink), "excess risk of an output on A")
e_C = term("e_C", excess(retain(C), x_kink), "excess risk of an output on C")
_within: tuple[Term, ...] = ((L**2 / 4 * (1 - gamma_max) * (1 + gamma_max), One()),)
# Why the retain loss of C is a member.
_turns: dict[int, tuple[Term, ...]] = {
    1: _within,
    3: ((L**2 / 4 * ((1 - gamma_min) * (1 + gamma_min) + 2), One()),),
    4: ((L**4 / 16 * (1 - gamma_min) * (1 + gamma_min) * (3 + gamma_min) * (3 - gamma_min), One()),),
}

# What the turn adds to the retain loss of A: 0 before it, and a slope beyond it.
_falls = L / 2 * (gamma_max - gamma_min)
_hinge = largest((ZERO, 0, 0), (_falls * e_1, -_falls * R * s_kink, 0))
hinge_kink = term("hinge_kink", value(_hinge, x_kink), "what the turn at R s adds to the loss at x")
w_kink = x_ahead - R * s_kink
_beyond = _falls * w_kink
_left, _right = given(ge(-_beyond, 0)), given(ge(_beyond, 0))
_flat, _steep = (Schema("largest", (_hinge, numeric(i), x_kink), {0: ((1, Given(0)),)}) for i in (0, 1))
_hinged = (
    Step("adds 0", state(ge(hinge_kink, 0), _left), Combination(((1, _flat),))),
    Step("adds a slope", state(ge(hinge_kink, 0), _right), Combination(((1, _steep), (1, Given(0))))),
    Step("at least 0", state(ge(hinge_kink, 0)), Cases(_beyond, "adds a slope", "adds 0")),
    Step("no slope", state(ge(hinge_kink, _beyond), _left), Combination(((1, _flat), (1, Given(0))))),
    Step("a slope", state(ge(hinge_kink, _beyond), _right), Combination(((1, _steep),))),
    Step("at least a slope", state(ge(hinge_kink, _beyond)), Cases(_beyond, "a slope", "no slope")),
)
_at_turn = (R * s_kink) * e_1
_nothing = Schema("largest", (_hinge, numeric(0), _at_turn))
_inside: tuple[Term, ...] = ((R**2 * (1 - s_kink) * (1 + s_kink), One()),)

# --- the start: the slope of A, the left slope of C, is balanced at R s
_mean = (1 - r) * gamma_max + r * f_kink
balanced = given(eq(s_kink, _mean))
_star_A, _star_C = star(A), star(C)
_missed = _at_turn - _star_C
n_missed = term("n_missed", inner(_missed, _missed), "|theta*(C) - R s e_1|^2")
c_ahead = term("c_ahead", inner(_star_C, e_1), "<theta*(C), e_1>")
a_ahead = term("a_ahead", inner(_star_A, e_1), "<theta*(A), e_1>")
n_turned = term("n_turned", inner(_star_A - _star_C, _star_A - _star_C), "|theta*(A) - theta*(C)|^2")
_whole = {3: ((L**2 / 4 * (1 - f_kink) * (1 + f_kink), One()),), **{3 + i: t for i, t in _turns.items()}}
_tilts = {1: ((L**2 / 4 * ((1 - r) * (1 - gamma_max) + r * (1 - f_kink))
               * ((1 - r) * (1 + gamma_max) + r * (1 + f_kink)), One()),)}  # fmt: skip
_hit = state(le(n_missed, 0), balanced, also=(c_ahead, L, mu))
_start = state(le(n_turned, 0), balanced, also=(a_ahead, c_ahead, L, mu))
_start_proof = (
    *_hinged[:3],
    Step(
        "C",
        _hit,
        Combination(
            (
                *(
                    (c / mu, part)
                    for c, part in optimal(mix(r, forget(C), retain(C)), _at_turn, _whole, _inside)[:2]
                ),
                ((1 - r) / mu, Lemma("at least 0", {x_kink: _star_C})),
                (-(1 - r) / mu, _nothing),
                (L / (2 * mu) * (c_ahead - R * s_kink), Given(0)),
            )
        ),
    ),
    Step(
        "A",
        _start,
        Combination(
            (
                *(
                    (-1, Schema("tilted", ((L / 2 * _mean) * e_1, h), _tilts))
                    for h in (_star_A - _star_C, _missed)
                ),
                (R * (a_ahead - 2 * c_ahead + R * s_kink), Given(0)),
                (1, Lemma("C")),
            )
        ),
    ),
)

# --- what an output costs
_aside = x_kink - Object(["v*", inner(x_kink, e_1).node, e_1.node])
_cost_C = (*optimal(retain(C), _at_turn, _turns, _inside), (mu / 2, SquaredNorm(_aside)))
costs = (
    *_hinged,
    Step(
        "on A",
        state(ge(e_A, mu / 2 * (x_ahead - R * gamma_max) ** 2)),
        Combination(
            (
                *optimal(retain(A), (R * gamma_max) * e_1, {1: _within},
                         ((R**2 * (1 - gamma_max) * (1 + gamma_max), One()),)),
                (mu / 2, SquaredNorm(_aside)),
            )
        ),
    ),
    # The left slope at the turn is a subgradient, and so is the right one: they bound from below on both sides.
    Step(
        "on C, by the left slope",
        state(ge(e_C, mu / 2 * w_kink**2 - mu * R * (gamma_max - s_kink) * w_kink)),
        Combination((*_cost_C, (1, Lemma("at least 0")), (-1, _nothing))),
    ),
    Step(
        "on C, by the right slope",
        state(ge(e_C, mu / 2 * w_kink**2 + mu * R * (s_kink - gamma_min) * w_kink)),
        Combination((*_cost_C, (1, Lemma("at least a slope")), (-1, _nothing))),
    ),
)  # fmt: skip
ordered = (given(le(gamma_min, s_kink)), given(le(s_kink, gamma_max)))
_tilt = given(le(p_kink * (gamma_max - s_kink), (1 - p_kink) * (s_kink - gamma_min)))
_least = e0 * p_kink * (gamma_max - s_kink) ** 2
_says = ge(p_kink * e_A + (1 - p_kink) * e_C, _least)
up, down = given(ge(w_kink, 0)), given(ge(-w_kink, 0))
_point = state(_says, ordered[1], _tilt)

# --- T signs, and the risk
X_A, X_C = out(A_any, A, T), out(A_any, C, T)
told_pair = (A_any, A, C, numeric(T))
n_means = {10: ((1, Given(1)), (1, Given(2)))}
p_A, p_C = (
    term(f"p_kink_{name}", chance(X, S_any), f"P[output on {name} in S]")
    for name, X in (("A", X_A), ("C", X_C))
)
tau_kink = term("tau_kink", variation(X_A, X_C), "TV of the outputs on A and on C")
R_A, R_C = (
    term(f"R_kink_{name}", mean(excess(retain(D), X)), f"risk on {name}")
    for name, D, X in (("A", A, X_A), ("C", C, X_C))
)
met = given(le(n_turned, 0))
_share_A, _share_C = scaled(p_kink, excess(retain(A), x_kink)), scaled(1 - p_kink, excess(retain(C), x_kink))
_coupled = state(ge(p_kink * R_A + (1 - p_kink) * R_C, _least * (1 - tau_kink)), *ordered, _tilt)
_event = state(le(p_A - p_C, tau), met, *ordered, also=(L, mu))
_near = state(le(tau_kink, tau), met, *ordered, also=(L, mu))
same_star = {0: ((1, Lemma("sharp.kink.start", {}, {0: ((1, Given(0)),)})),)}
_placed = state(ge(M_any, _least * (1 - tau)), balanced, *ordered, _tilt)
_kink = state(
    ge(M_any, e0 * p_kink * G_kink**2 * (1 - tau)),
    given(le(G_kink, r * (1 + gamma_max))),
    given(eq(gamma_min, gamma_max - G_kink - q_kink)),
    given(le(p_kink * G_kink, (1 - p_kink) * q_kink)),
)
at_most_worst = (
    Schema("worst", (A_any, numeric(r), numeric(T), A)),
    Schema("worst", (A_any, numeric(r), numeric(T), C), {8: ((1, Given(1)), (1, Given(2)))}),
)
# At m - G, where m' = m - G - q, with forget data that pull the optimum there.
placed = {s_kink: gamma_max - G_kink, f_kink: gamma_max - G_kink / r}
because_placed: dict[Any, tuple[Term, ...]] = {
    1: ((-1, Given(1)), (q_kink, One())),
    f_kink: ((1 / r, Given(0)),),
    s_kink: ((-1, Given(1)), (1 + gamma_min + q_kink, One())),
}

CLAIMS = (
    theorem(
        "sharp.kink.member",
        "inefficient",
        "mu/2 |x|^2 + (L/2) |<x, e_1> - R s| has slopes of size at most L on the ball, where it turns too",
        _member,
        proof=by(
            _member,
            (
                1,
                Schema("Lipschitz", (_turning, x_kink)),
            ),
        ),
    ),
    theorem(
        "sharp.kink.start",
        "inefficient",
        "A and C have one theta*, R s e_1 with s = (1 - r) m + r f: the slope of A, the left slope of C, is balanced there",
        _start,
        proof=_start_proof,
    ),
    theorem(
        "sharp.kink.output",
        "inefficient",
        "p (excess on A) + (1 - p) (excess on C) >= p G^2 e0 for every output, if p G <= (1 - p) q, where C turns G below "
        "m and q above m'",
        _point,
        proof=(
            *costs,
            Step(
                "up",
                state(_says, ordered[1], _tilt, up),
                Combination(
                    (
                        (p_kink, Lemma("on A")),
                        (1 - p_kink, Lemma("on C, by the right slope")),
                        (mu * R * w_kink, Given(1)),
                        (mu / 2, Square(w_kink)),
                    )
                ),
            ),
            Step(
                "down",
                state(_says, ordered[1], _tilt, down),
                Combination(
                    (
                        (p_kink, Lemma("on A")),
                        (1 - p_kink, Lemma("on C, by the left slope")),
                        (mu * R * (gamma_max - s_kink), Given(2)),
                        (mu / 2, Square(w_kink)),
                    )
                ),
            ),
            Step("both", _point, Cases(w_kink, "up", "down")),
        ),
    ),
    theorem(
        "sharp.kink",
        "inefficient",
        "every algorithm that starts at theta*, private or not: worst risk >= p G^2 e0 (1 - TV(Bin(T, (1+m)/2), Bin(T, "
        "(1+m')/2))), G <= r (1 + m), m' = m - G - q, p G <= (1 - p) q",
        _kink,
        proof=(
            *costs,
            Step("each output", _point, Combination(((1, Lemma("sharp.kink.output")),))),
            Step(
                "A at least 0",
                state(ge(p_kink * e_A, 0), also=(L, mu)),
                Combination(((p_kink, Lemma("on A")), (p_kink * mu / 2, Square(x_ahead - R * gamma_max)))),
            ),
            *(
                Step(
                    f"C at least 0, {name}",
                    state(ge((1 - p_kink) * e_C, 0), *ordered, given(ge(sign * w_kink, 0)), also=(L, mu)),
                    Combination(
                        (
                            (1 - p_kink, Lemma(f"on C, by the {name} slope")),
                            ((1 - p_kink) * mu * R * slope, Given(2)),
                            ((1 - p_kink) * mu / 2, Square(w_kink)),
                        )
                    ),
                )
                for name, sign, slope in (("right", 1, s_kink - gamma_min), ("left", -1, gamma_max - s_kink))
            ),
            Step(
                "C at least 0",
                state(ge((1 - p_kink) * e_C, 0), *ordered, also=(L, mu)),
                Cases(w_kink, "C at least 0, right", "C at least 0, left"),
            ),
            Step(
                "coupled",
                _coupled,
                Couple(
                    ("each output", "A at least 0", "C at least 0"),
                    x_kink,
                    (_share_A, _share_C),
                    _least,
                    (X_A, X_C),
                ),
            ),
            Step("at an event", _event, Combination(((1, Schema("turn", (*told_pair, S_any), n_means)),))),
            Step("at all", _near, Over("at an event", variation(X_A, X_C), (S_any,))),
            Step(
                "placed",
                _placed,
                Combination(
                    (
                        (p_kink, at_most_worst[0]),
                        (1 - p_kink, at_most_worst[1]),
                        (1, Lemma("coupled")),
                        (_least, Lemma("at all", {}, same_star)),
                    )
                ),
            ),
            Step(
                "risk",
                _kink,
                Combination(
                    (
                        (
                            1,
                            Lemma(
                                "placed",
                                placed,
                                {**because_placed, 3: ((1, Given(2)), (p_kink - 1, Given(1)))},
                            ),
                        ),
                    )
                ),
            ),
        ),
        depends=("phi_measurable",),
        note="theta* itself costs at most 4 r^2/(1 - r^2) e0 (opt_loss.sharper): with m near 1 and q large this comes "
        "near it, where sharp.lower stops at rho^2 e0 without privacy. For differentiable losses put a steep ramp into "
        "one of many disjoint short intervals right of theta*: T gradients meet few of them, so the supremum is the same.",
    ),
)
