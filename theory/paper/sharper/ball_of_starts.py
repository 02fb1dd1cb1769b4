"""Unlearning, lower bound over a ball of starts with rare kinks: what a private output must miss its start by.

The starts fill the ball of radius A in d coordinates, and hops of length 2 r go in all directions v. The cone test of the
miss z = O - y is f = (<z, v> - cot(w0) |z - <z, v> v|)_+: at y its mean over v is |z| X, and at y + 2 r v, where the miss
is z + 2 r v seen from y, at least 2 r P + |z| X_1. Starts within A - 2 r of the centre are reached from all directions; they
are the share nu of the ball. Here directions live in d dimensions, on a sphere of starts in d - 1.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, letter, parameter
from oubli.theory.paper.letters import M, M_still, d, delta, e0, epsilon, r
from oubli.theory.paper.sharper.cone import (
    A_ball,
    C_cap,
    P_cap,
    S_cap,
    X_cone,
    c_angle,
    c_cap,
    f_cone,
    i_cap,
    k_cone,
    s_angle,
    s_cap,
    x_cone,
)
from oubli.theory.paper.sharper.hop_coins import H_far, H_near, growth_coins, loss_coins
from oubli.theory.paper.sharper.likelihood import rare_enough, wide
from oubli.theory.paper.sharper.rare_kink import a_rare, n_rare, n_start, psi_rare, tilt_rare, y_rare, z_rare
from oubli.theory.paper.sharper.sphere import (
    E_hop,
    N_cap,
    P_cone,
    P_unseen,
    Q_cap,
    caps_meant,
    delta_hop,
    unseen,
)
from oubli.theory.records.build import by, eq, fact, ge, given, le, lt, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Lemma, One, Square, Step
from oubli.theory.records.vectors import inner, square

# --- one output, all directions
v_far = letter("v_far", meaning="<z + 2 r v, v> - cot(w0) |z - <z, v> v|")
F_ball = letter(
    "F_ball", NONNEGATIVE, "mean of the test over directions, at an output drawn where the hop ends"
)
_tested = state(
    ge(f_cone - 2 * r * i_cap - n_rare * c_cap + k_cone * n_rare * s_cap, 0),
    fact("definition", ge(f_cone, i_cap * v_far)),
    fact("definition", eq(v_far, n_rare * c_angle + 2 * r - k_cone * n_rare * s_angle)),
    fact("definition", eq(c_cap, i_cap * c_angle)),
    fact("definition", eq(s_cap, i_cap * s_angle)),
)
_far = state(ge(F_ball - 2 * r * P_cap - (C_cap - k_cone * S_cap) * n_rare, 0))
F_near_ball = letter("F_near_ball", NONNEGATIVE, "mean of the test over directions, where the hop begins")
_seen = state(eq(f_cone, n_rare * x_cone), fact("definition", eq(f_cone, n_rare * x_cone)))
_near = state(eq(F_near_ball, n_rare * X_cone), also=(k_cone,))
_above = state(
    ge(x_cone - c_cap + k_cone * s_cap, 0),
    # A positive part is at least what it is part of, and at least 0.
    fact("definition", ge(x_cone, i_cap * (c_angle - k_cone * s_angle))),
    fact("definition", eq(c_cap, i_cap * c_angle)),
    fact("definition", eq(s_cap, i_cap * s_angle)),
)
_order = state(ge(X_cone - C_cap + k_cone * S_cap, 0))

# --- all outputs: inside, and in the shell
nu_ball = letter("nu_ball", NONNEGATIVE, "share of the starts within A - 2 r of the centre")
nu_shell = letter("nu_shell", NONNEGATIVE, "share of the other starts")
K_inside = letter("K_inside", NONNEGATIVE, "mean of |z| over the starts within A - 2 r of the centre")
K_shell = letter("K_shell", NONNEGATIVE, "mean of |z| over the other starts")
G_inside = letter("G_inside", NONNEGATIVE, "mean of the test where hops end, over the starts within A - 2 r")
G_ends = letter("G_ends", NONNEGATIVE, "mean of the test where hops end, over all hops inside the ball")
G_begins = letter("G_begins", NONNEGATIVE, "mean of the test where hops begin, over all hops inside the ball")
G_begins_inside = letter(
    "G_begins_inside", NONNEGATIVE, "mean of the test over the inner starts, all directions"
)
G_begins_shell = letter(
    "G_begins_shell", NONNEGATIVE, "mean of the test over the other starts, all directions"
)
_inside = state(ge(G_inside - 2 * r * P_cap - (C_cap - k_cone * S_cap) * K_inside, 0))
_begins_inside = state(eq(G_begins_inside, K_inside * X_cone), also=(k_cone,))
_begins_shell = state(eq(G_begins_shell, K_shell * X_cone), also=(k_cone,))

zeta_ball = parameter("zeta_ball", NONNEGATIVE, "what outputs must miss their starts by, on average")
D_ball = parameter("D_ball", POSITIVE, "an upper bound on E_hop X - nu X_1")
_hop = given(le(G_ends, E_hop * G_begins + 2 * A_ball * delta_hop))
_caps = (
    given(le(P_cone, 1 - Q_cap)),
    given(ge(D_ball, E_hop * X_cone + nu_ball * N_cap)),
    given(le(zeta_ball * D_ball, 2 * r * nu_ball * P_cone - 2 * A_ball * delta_hop)),
)
_grows = given(ge(E_hop, 1))
_meant = (
    *caps_meant,
    # The inner starts are reached from all directions, and translations keep volumes; other hops only add.
    fact("definition", ge(G_ends, nu_ball * G_inside)),
    # Hops that leave the ball are left out.
    fact("definition", le(G_begins, nu_ball * G_begins_inside + nu_shell * G_begins_shell)),
    fact("definition", eq(nu_shell, 1 - nu_ball)),
)
_weight = E_hop * X_cone - C_cap + k_cone * S_cap
_miss = state(
    ge(nu_ball * _weight * K_inside + nu_shell * E_hop * X_cone * K_shell, zeta_ball * D_ball),
    _hop,
    *_caps,
    *_meant,
)

# --- what a miss costs
_slope = 2 * a_rare * (1 - A_ball)
_cost = state(
    ge(psi_rare - (2 * zeta_ball + _slope) * n_rare + zeta_ball**2, 0),
    given(le(r, a_rare)),
    fact("definition", eq(square(z_rare), n_rare**2)),
    fact("Cauchy-Schwarz", ge(inner(y_rare, z_rare), -n_start * n_rare)),
    fact("definition", le(n_start, A_ball)),
)
E_psi_inside = letter("E_psi_inside", NONNEGATIVE, "mean excess risk over the inner starts, in units e0")
E_psi_shell = letter("E_psi_shell", NONNEGATIVE, "mean excess risk over the other starts, in units e0")
_cost_inside = state(
    ge(E_psi_inside - (2 * zeta_ball + _slope) * K_inside + zeta_ball**2, 0), given(le(r, a_rare))
)
_cost_shell = state(
    ge(E_psi_shell - (2 * zeta_ball + _slope) * K_shell + zeta_ball**2, 0), given(le(r, a_rare))
)
x_starts = letter(
    "x_starts", NONNEGATIVE, "the larger of the mean excess risks over the inner and the other starts"
)
forced_ball = zeta_ball**2 + _slope * zeta_ball
_larger = (
    fact("definition", ge(x_starts, E_psi_inside)),
    fact("definition", ge(x_starts, E_psi_shell)),
)
_room = (given(le(A_ball, 1 - r)), given(le(r, a_rare)), given(lt(2 * r, A_ball)))
_ordered = given(ge(X_cone - C_cap + k_cone * S_cap, 0))
_weighed = state(
    ge(x_starts, forced_ball), _hop, *_caps, _grows, *_room, _ordered, *_larger, *_meant, also=(k_cone,)
)
_risk = state(
    ge(x_starts, forced_ball),
    _hop,
    *_caps,
    _grows,
    *_room,
    also=(k_cone, S_cap, E_psi_inside, E_psi_shell, nu_shell),
)


def _weighed_by(weight: sp.Expr, larger: int, key: str) -> tuple[tuple[sp.Expr, Given | Lemma], ...]:
    """What some starts cost, in terms of the larger mean, with a weight."""
    cost = Lemma(f"sharp.ball.cost_{key}")
    return (weight / D_ball, Given(larger)), (weight / D_ball, cost)


_parts = (
    *_weighed_by(nu_ball * (E_hop - 1) * X_cone, 9, "inside"),
    *_weighed_by(nu_ball * (X_cone - C_cap + k_cone * S_cap), 9, "inside"),
    *_weighed_by(nu_shell * E_hop * X_cone, 10, "shell"),
)


def _shared(growth: sp.Expr, loss: sp.Expr) -> tuple[Fact, ...]:
    """The hypotheses on hop, cone and ball."""
    return (
        given(ge(E_hop, growth)),
        given(ge(delta_hop, loss)),
        *_caps,
        _grows,
        *_room,
        # O and y lie in the ball: the test is at most |O - y| <= 2 A.
        fact("definition", eq(G_ends, 2 * A_ball * H_far)),
        fact("definition", eq(G_begins, 2 * A_ball * H_near)),
        fact("moments", eq(nu_ball, sp.exp(d * sp.log(1 - 2 * r / A_ball)))),
    )


_ball = state(
    ge(M, e0 * unseen * forced_ball),
    wide,
    rare_enough,
    *_shared(growth_coins, loss_coins),
    given(lt(a_rare, 1)),
    fact("moments", eq(P_unseen, unseen)),
    # If no kink is seen the run is one on N_y; otherwise the excess is not negative (sharp.rare.least).
    fact("coupling", ge(M, e0 * P_unseen * x_starts)),
    also=(k_cone,),
)
_start = state(
    ge(M_still, e0 * forced_ball),
    *_shared(sp.exp(epsilon), delta),
    given(eq(a_rare, 1)),
    fact("privacy", le(H_far, sp.exp(epsilon) * H_near + delta)),
    # Without a gradient the output depends on the start alone, and every loss may have the kink.
    fact("coupling", ge(M_still, e0 * x_starts)),
    also=(k_cone,),
)


def _risen(first: int, growth: sp.Expr, hop: Lemma | Given) -> Lemma:
    """What sharp.ball.risk says of a hop; the shared hypotheses begin at `first`."""
    tested = (
        (-1, Given(first + 9)),
        (growth, Given(first + 10)),
        (2 * A_ball, hop),
        (G_begins, Given(first)),
        (2 * A_ball, Given(first + 1)),
    )
    rest = {i: ((1, Given(first + i + 1)),) for i in range(1, 8)}
    return Lemma("sharp.ball.risk", {}, {0: tested, **rest})


_DEPENDS = (
    "sharp.rare.member",
    "sharp.rare.start",
    "sharp.rare.least",
    "sharp.rare.cut",
    "sharp.hop.start",
    "sharp.hop.forget",
)

CLAIMS = (
    theorem(
        "sharp.ball.far",
        "inefficient",
        "where a hop ends the test is at least 2 r P + (C - cot(w0) S) |z| in the mean over directions",
        _far,
        proof=(
            Step(
                "test",
                _tested,
                Combination(
                    (
                        (1, Given(0)),
                        (i_cap, Given(1)),
                        (-n_rare, Given(2)),
                        (k_cone * n_rare, Given(3)),
                    )
                ),
            ),
            Step(
                "directions",
                _far,
                Expectation("test", {f_cone: F_ball, i_cap: P_cap, c_cap: C_cap, s_cap: S_cap}),
            ),
        ),
    ),
    theorem(
        "sharp.ball.near",
        "inefficient",
        "where a hop begins the test is |z| E(cos(omega) - cot(w0) sin(omega))_+ in the mean over directions",
        _near,
        proof=(
            Step("test", _seen, Combination(((1, Given(0)),))),
            Step("directions", _near, Expectation("test", {f_cone: F_near_ball, x_cone: X_cone})),
        ),
    ),
    theorem(
        "sharp.ball.order",
        "inefficient",
        "X_1 <= X: the mean over a cap is at most that of the positive part",
        _order,
        proof=(
            Step(
                "each",
                _above,
                Combination(((1, Given(0)), (-1, Given(1)), (k_cone, Given(2)))),
            ),
            Step("directions", _order, Expectation("each", {x_cone: X_cone, c_cap: C_cap, s_cap: S_cap})),
        ),
    ),
    theorem(
        "sharp.ball.miss",
        "inefficient",
        "nu (E_hop X - X_1) K_inside + (1 - nu) E_hop X K_shell >= zeta D: private outputs miss their starts",
        _miss,
        proof=(
            Step("each end", _far, Combination(((1, Lemma("sharp.ball.far")),))),
            Step("ends", _inside, Expectation("each end", {F_ball: G_inside, n_rare: K_inside})),
            Step(
                "miss",
                _miss,
                Combination(
                    (
                        (1, Given(0)),
                        (2 * r * nu_ball, Given(1)),
                        (1, Given(3)),
                        (2 * r * nu_ball, Given(4)),
                        (1, Given(6)),
                        (E_hop, Given(7)),
                        (nu_ball, Lemma("ends")),
                        (-E_hop * nu_ball, Lemma("sharp.ball.begins_inside")),
                        (-E_hop * nu_shell, Lemma("sharp.ball.begins_shell")),
                    )
                ),
            ),
        ),
    ),
    theorem(
        "sharp.ball.begins_inside",
        "inefficient",
        "sharp.ball.near in the mean over the outputs of the inner starts",
        _begins_inside,
        proof=(
            Step("each", _near, Combination(((1, Lemma("sharp.ball.near")),))),
            Step(
                "outputs",
                _begins_inside,
                Expectation("each", {F_near_ball: G_begins_inside, n_rare: K_inside}),
            ),
        ),
    ),
    theorem(
        "sharp.ball.begins_shell",
        "inefficient",
        "sharp.ball.near in the mean over the outputs of the other starts",
        _begins_shell,
        proof=(
            Step("each", _near, Combination(((1, Lemma("sharp.ball.near")),))),
            Step(
                "outputs", _begins_shell, Expectation("each", {F_near_ball: G_begins_shell, n_rare: K_shell})
            ),
        ),
    ),
    theorem(
        "sharp.ball.cost",
        "inefficient",
        "a miss z of a start y, |y| <= A, costs at least (2 zeta + 2 a (1 - A)) |z| - zeta^2 on W_y, any zeta",
        _cost,
        proof=by(
            _cost,
            (1, Lemma("sharp.rare.excess")),
            (1, Given(1)),
            (2 * tilt_rare, Given(2)),
            (2 * tilt_rare * n_rare, Given(3)),
            (2 * (a_rare - tilt_rare) * A_ball * n_rare, One()),
            (1, Square(n_rare - zeta_ball)),
        ),
    ),
    theorem(
        "sharp.ball.cost_inside",
        "inefficient",
        "the same in the mean over the inner starts",
        _cost_inside,
        proof=(
            Step("each", _cost, Combination(((1, Lemma("sharp.ball.cost")),))),
            Step("mean", _cost_inside, Expectation("each", {psi_rare: E_psi_inside, n_rare: K_inside})),
        ),
    ),
    theorem(
        "sharp.ball.cost_shell",
        "inefficient",
        "the same in the mean over the other starts",
        _cost_shell,
        proof=(
            Step("each", _cost, Combination(((1, Lemma("sharp.ball.cost")),))),
            Step("mean", _cost_shell, Expectation("each", {psi_rare: E_psi_shell, n_rare: K_shell})),
        ),
    ),
    theorem(
        "sharp.ball.risk",
        "inefficient",
        "whoever can hop by the factor E_hop and delta_hop only pays zeta^2 + 2 a (1 - A) zeta, on average over the inner starts "
        "or over the others, zeta (E_hop X - nu X_1) <= 2 r nu P - 2 A delta_hop",
        _risk,
        proof=(
            Step(
                "weighed",
                _weighed,
                Combination(
                    (
                        *_parts,
                        ((2 * zeta_ball + _slope) / D_ball, Lemma("sharp.ball.miss")),
                        ((x_starts + zeta_ball**2) / D_ball, Given(2)),
                        ((x_starts + zeta_ball**2) * nu_ball / D_ball, Given(12)),
                        (-(x_starts + zeta_ball**2) * E_hop * X_cone / D_ball, Given(15)),
                    )
                ),
            ),
            Step(
                "risk",
                _risk,
                Combination(((1, Lemma("weighed", {}, {8: ((1, Lemma("sharp.ball.order")),)})),)),
            ),
        ),
    ),
    theorem(
        "sharp.ball",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients in dimension d: worst risk >= (1 - a)^T e0 (zeta^2 + 2 a (1 - A) "
        "zeta), zeta as in sharp.ball.risk for the hop of sharp.hop, nu = (1 - 2 r/A)^d, sqrt(d) A < 1 - r, r <= a < 1",
        _ball,
        proof=by(
            _ball,
            (1, Given(16)),
            (e0 * x_starts, Given(15)),
            (e0 * unseen, _risen(2, growth_coins, Lemma("sharp.hop"))),
        ),
        depends=_DEPENDS,
    ),
    theorem(
        "sharp.ball.start",
        "inefficient",
        "and without a gradient worst risk >= e0 (zeta^2 + 2 (1 - A) zeta), A <= 1 - r",
        _start,
        proof=by(_start, (1, Given(14)), (e0, _risen(0, sp.exp(epsilon), Given(13)))),
        depends=_DEPENDS,
    ),
)
