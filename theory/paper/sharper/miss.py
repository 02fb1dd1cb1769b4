"""By how much an output misses its start: the cone test of the miss in all directions, and what a miss costs.

The test of the miss z = O - y is f = (<z, u> - cot(w0) |z - <z, u> u|)_+. At the start y its mean over the directions u is
|z| X; after a hop to y + 2 r u, where the miss seen from y is z + 2 r u, it is at least 2 r P + |z| X_1. Here directions live
in d dimensions, on a sphere of starts in d - 1.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, parameter
from oubli.theory.paper.letters import L, R, d, e0, mu, r
from oubli.theory.paper.sharper.cone import across, k_cone, m_part, positive_part, x_part
from oubli.theory.paper.sharper.rare_kink import (
    A_ball,
    a_rare,
    charged,
    tilt_rare,
    x_less,
    x_rare,
    y_more,
    y_rare,
)
from oubli.theory.paper.sharper.sphere import RADIUS, k_cap, most_paid
from oubli.theory.records.build import by, combined, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    AHEAD,
    Object,
    cap,
    cut,
    inner,
    mean,
    minus,
    norm,
    numeric,
    random,
    scaled,
    spun,
    term,
    unit,
)
from oubli.theory.records.proof import (
    Given,
    Lemma,
    Mean,
    One,
    Schema,
    Spin,
    Square,
    SquaredNorm,
    Step,
    Term,
)

HOP = 2 * r
PUSH = (R * HOP) * AHEAD


# --- means over caps, omega the angle of two directions in R^d
def _straight(cotangent: sp.Expr) -> Object:
    """E[cos(omega) - cot(w0) sin(omega); omega in the cap]."""
    return minus(cap(d, cotangent, 1), scaled(k_cone, cap(d, cotangent, 2)))


X_cone = term("X_cone", _straight(k_cone), "E(cos(omega) - cot(w0) sin(omega))_+")
N_cap = term("N_cap", scaled(-1, _straight(k_cap)), "-X_1 = E[cot(w0) sin(omega) - cos(omega); omega <= w1]")
Q_cap = term("Q_cap", minus(numeric(1), cap(d, k_cap, 0)), "P(omega > w1)")


# --- the test of a miss
def _ahead(z: Object) -> Object:
    """What the test takes the positive part of."""
    return minus(inner(z, AHEAD), scaled(k_cone, across(z, AHEAD)))


def test(z: Object) -> Object:
    """The test of a miss."""
    return positive_part(_ahead(z))


z_ball = random("z_ball")
f_ball = term("f_ball", test(z_ball), "the cone test of a miss")
_tested = state(ge(f_ball, 0))
_unit = unit(1)
_tested_proof = by(
    _tested,
    (
        sp.Rational(1, 2),
        Schema("Cauchy-Schwarz", (Object(["v*", ["*", -1, _ahead(z_ball).node], _unit.node]), _unit)),
    ),
)
OUTPUT, MISS = cut(RADIUS, x_rare), cut(RADIUS, x_rare) - R * y_rare
f_miss = term("f_miss", test(MISS), "the cone test of the miss of an output")
o_ahead = term("o_ahead", inner(OUTPUT, AHEAD), "<O, u>")
y_ahead = term("y_ahead", inner(y_rare, AHEAD), "<y, u>")
z_rest = term("z_rest", across(MISS, AHEAD), "|z - <z, u> u|")
n_start = term("n_start", inner(y_rare, y_rare), "|y|^2")
SIZE = 2 * R * A_ball
_start_inside = given(le(n_start, A_ball**2))
_bounded = state(le(f_miss, SIZE), _start_inside, also=(o_ahead, y_ahead, z_rest, L, mu))
_at_most: tuple[Term, ...] = (
    (1 / SIZE, Schema("cut length", (numeric(RADIUS), x_rare))),
    (1 / SIZE, SquaredNorm(OUTPUT - Object(["v*", inner(OUTPUT, AHEAD).node, AHEAD.node]))),
    (1 / SIZE, Square(RADIUS - o_ahead)),
    (R / (2 * A_ball), Given(0)),
    (R / (2 * A_ball), SquaredNorm(y_rare - Object(["v*", inner(y_rare, AHEAD).node, AHEAD.node]))),
    (R / (2 * A_ball), Square(A_ball + y_ahead)),
    (k_cone * z_rest, One()),
)
_bounded_proof = by(
    _bounded, (1, Lemma("sharp.cone.part", {x_part: _ahead(MISS), m_part: SIZE}, {0: _at_most}))
)

# --- one output, all directions
n_ball = term("n_ball", mean(norm(z_ball)), "E|z|")
F_ball = term(
    "F_ball", spun(mean(test(z_ball + PUSH))), "mean of the test over directions, where the hop ends"
)
F_near_ball = term(
    "F_near_ball", spun(mean(test(z_ball))), "mean of the test over directions, where it begins"
)
_far = state(ge(F_ball - R * HOP * (1 - Q_cap) + N_cap * n_ball, 0))
_near = state(eq(F_near_ball, n_ball * X_cone))
_order = state(ge(X_cone + N_cap, 0))
_positive = state(ge(X_cone, 0))
f_unit = term("f_unit", mean(test(_unit)), "the test of a unit vector")
F_unit = term("F_unit", spun(mean(test(_unit))), "its mean over directions")
_over_all = combined(
    "over all", state(eq(F_unit, X_cone)), (1, Schema("free cone", (_unit, numeric(k_cone))))
)

# --- what a miss costs
zeta_ball = parameter("zeta_ball", NONNEGATIVE, "what outputs must miss their starts by, on average")
slope_ball = 2 * a_rare * (1 - A_ball)
rate_ball = 2 * zeta_ball + slope_ball
psi_ball = term("psi_ball", charged(x_rare, y_rare), "what an output costs at least on W_y")
n_miss = term("n_miss", norm(x_rare - R * y_rare), "|z| for an output, in the units of theta")
radius_rare = term("radius_rare", norm(y_rare), "|y|")
_cost = state(
    ge(psi_ball - e0 * (rate_ball * n_miss / R - zeta_ball**2), 0), _start_inside, given(le(r, a_rare))
)
_cost_proof = by(
    _cost,
    (e0, Square(n_miss / R - zeta_ball)),
    (mu * tilt_rare * R, Schema("Cauchy-Schwarz", (-y_rare, x_rare - R * y_rare))),
    (
        mu * tilt_rare * R * n_miss,
        Lemma("sharp.rare.root", {x_less: radius_rare, y_more: A_ball}, {0: ((1, Given(0)),)}),
    ),
    (mu * R * r * (1 - a_rare) / (1 - r) * A_ball * n_miss, One()),
)

PAID = charged(OUTPUT, y_rare)
psi_paid = term("psi_paid", PAID, "what the projected output costs at least on W_y")
n_paid = term("n_paid", norm(MISS), "|z| for the projected output")
_left = (1 - a_rare) / (1 - r)  # 1 - a'
_most = state(le(psi_paid, most_paid), _start_inside, also=(n_paid,))
_most_proof = by(
    _most,
    (mu / 2 * (_left + a_rare), SquaredNorm(OUTPUT + R * y_rare)),
    (mu / 2 * (1 + _left + 2 * a_rare), Schema("cut length", (numeric(RADIUS), x_rare))),
    (e0 * (1 + _left * (1 + 2 * r)), Given(0)),
    (a_rare * e0, Square(1 - n_paid / R)),
)

CLAIMS = (
    theorem(
        "sharp.ball.least", "inefficient", "the test of a miss is at least 0", _tested, proof=_tested_proof
    ),
    theorem(
        "sharp.ball.most",
        "inefficient",
        "the test of the miss of an output in the ball of radius A R is at most 2 A R",
        _bounded,
        proof=_bounded_proof,
    ),
    theorem(
        "sharp.ball.far",
        "inefficient",
        "where a hop ends the test is at least 2 r P + (C - cot(w0) S) |z| in the mean over directions",
        _far,
        proof=by(
            _far,
            (1, Schema("pushed cone", (z_ball, *map(numeric, (R * HOP, k_cone, k_cap))))),
        ),
    ),
    theorem(
        "sharp.ball.near",
        "inefficient",
        "where a hop begins the test is |z| E(cos(omega) - cot(w0) sin(omega))_+ in the mean over directions",
        _near,
        proof=by(_near, (1, Schema("free cone", (z_ball, numeric(k_cone))))),
    ),
    theorem(
        "sharp.ball.order",
        "inefficient",
        "X_1 <= X: the mean over a cap is at most that of the positive part",
        _order,
        proof=(
            combined(
                "over the cap",
                state(ge(F_unit + N_cap, 0)),
                (1, Schema("pushed cone", (_unit, *map(numeric, (0, k_cone, k_cap))))),
            ),
            _over_all,
            combined("mean", _order, (1, Lemma("over the cap")), (-1, Lemma("over all"))),
        ),
    ),
    theorem(
        "sharp.ball.cap",
        "inefficient",
        "X >= 0",
        _positive,
        proof=(
            combined("test", state(ge(f_unit, 0)), (1, Mean(Lemma("sharp.ball.least", {z_ball: _unit})))),
            Step("directions", state(ge(F_unit, 0)), Spin("test")),
            _over_all,
            combined("mean", _positive, (1, Lemma("directions")), (-1, Lemma("over all"))),
        ),
    ),
    theorem(
        "sharp.ball.cost",
        "inefficient",
        "a miss z of a start y, |y| <= A, costs at least ((2 zeta + 2 a (1 - A)) |z|/R - zeta^2) e0 on W_y, any zeta",
        _cost,
        proof=_cost_proof,
    ),
    theorem(
        "sharp.ball.paid",
        "inefficient",
        "and an output in the ball of radius A R at most a constant",
        _most,
        proof=_most_proof,
    ),
)
