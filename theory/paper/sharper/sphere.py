"""Unlearning, lower bound that gains the dimension by rotations: starts on a sphere, a rare kink at each.

The starts are A u, u uniform on the unit sphere of d coordinates. An output that is private cannot follow the start: with
p the part of it along u and q the part across, D E q >= sin(eta) P E p - delta' A by the cone test over a hop of the angle eta.
But a rare kink at A u charges what misses it, and completing squares gives the least that can be paid.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, UNIT, letter, parameter
from oubli.theory.paper.letters import M, M_still, T, d, delta, e0, epsilon, r
from oubli.theory.paper.sharper.cone import (
    A_ball,
    C_cap,
    E_p,
    E_q,
    G_far,
    G_near,
    P_cap,
    S_cap,
    X_cone,
    cosine,
    k_cone,
    p_out,
    q_out,
    sine,
    t_turn,
)
from oubli.theory.paper.sharper.hop_coins import H_far, H_near, growth_coins, loss_coins
from oubli.theory.paper.sharper.likelihood import rare_enough, wide
from oubli.theory.paper.sharper.rare_kink import a_rare, n_rare, psi_rare, tilt_rare, y_rare, z_rare
from oubli.theory.records.build import by, eq, fact, ge, given, le, lt, state, theorem
from oubli.theory.records.proof import Cases, Combination, Expectation, Given, Lemma, One, Square, Step
from oubli.theory.records.vectors import inner, square

E_hop = parameter("E_hop", NONNEGATIVE, "factor by which a test of the output may grow over a hop")
delta_hop = parameter("delta_hop", NONNEGATIVE, "what it may grow by besides, per unit of its largest value")
P_cone = parameter("P_cone", NONNEGATIVE, "a lower bound on the probability of the cap")
D_cone = parameter("D_cone", NONNEGATIVE, "an upper bound on E_hop X - X_1 + (1 - cos(eta)) C")
Q_cap = letter("Q_cap", UNIT, "P(omega > w1), omega as for P_cap")
N_cap = letter("N_cap", meaning="-X_1 = E[cot(w0) sin(omega) - cos(omega); omega <= w1]")

# --- an output cannot follow the start
_hop = given(le(G_far, E_hop * G_near + delta_hop * A_ball))
_caps = (
    given(le(P_cone, 1 - Q_cap)),
    given(ge(D_cone, E_hop * X_cone + N_cap + (1 - cosine) * C_cap)),
)
caps_meant = (
    fact("definition", eq(Q_cap, 1 - P_cap)),
    fact("definition", eq(N_cap, k_cone * S_cap - C_cap)),
)
_says = ge(D_cone * E_q - sine * P_cone * E_p + delta_hop * A_ball, 0)
_ahead = state(_says, _hop, *_caps, *caps_meant, given(ge(E_p, 0)))
_behind = state(_says, given(ge(-E_p, 0)))
_across = state(_says, _hop, *_caps, *caps_meant)

# --- what an output costs
t_slope = parameter(
    "t_slope", NONNEGATIVE, "tan(alpha/2): the kink is replaced by its slope at the angle alpha"
)
sine_slope, cosine_slope = 2 * t_slope / (1 + t_slope**2), (1 - t_slope**2) / (1 + t_slope**2)
g_multiplier = parameter("g_multiplier", NONNEGATIVE, "multiplier of what an output cannot do")
_along = (1 - tilt_rare) * A_ball + a_rare * cosine_slope - g_multiplier * sine * P_cone
_aside = g_multiplier * D_cone - a_rare * sine_slope
_constant = A_ball**2 * (1 - 2 * tilt_rare) + 2 * a_rare * A_ball * cosine_slope - _along**2 - _aside**2
_cost = state(
    ge(psi_rare - 2 * g_multiplier * (D_cone * q_out - sine * P_cone * p_out) - _constant, 0),
    # y = A u, o = p u + q v with v orthogonal to u.
    fact("definition", eq(square(z_rare), (p_out - A_ball) ** 2 + q_out**2)),
    fact("definition", eq(inner(y_rare, z_rare), A_ball * (p_out - A_ball))),
    fact(
        "Cauchy-Schwarz",
        le((A_ball - p_out) * (1 - t_slope**2) + q_out * 2 * t_slope, n_rare * (1 + t_slope**2)),
    ),
)
E_psi = letter(
    "E_psi", NONNEGATIVE, "mean excess risk on W_y under the laws of N_y, over the starts; in units e0"
)
_mean_cost = state(ge(E_psi - 2 * g_multiplier * (D_cone * E_q - sine * P_cone * E_p) - _constant, 0))
forced = _constant - 2 * g_multiplier * delta_hop * A_ball
_risk = state(ge(E_psi, forced), _hop, *_caps, also=(k_cone,))

# --- with T gradients, and without one
P_unseen = letter("P_unseen", NONNEGATIVE, "probability that T retain losses have no kink")
unseen = sp.exp(T * sp.log(1 - a_rare))


def _shared(growth: sp.Expr, loss: sp.Expr) -> tuple[Fact, ...]:
    """The hypotheses on hop, cone and ball."""
    return (
        given(ge(E_hop, growth)),
        given(ge(delta_hop, loss)),
        *_caps,
        # The test is at most |O| <= A.
        fact("definition", eq(G_far, A_ball * H_far)),
        fact("definition", eq(G_near, A_ball * H_near)),
        given(le(A_ball**2 * t_turn**2, r**2 * (1 + t_turn**2))),
        given(le(A_ball, 1 - r)),
        given(ge(d, 2)),
    )


_sphere = state(
    ge(M, e0 * unseen * forced),
    *_shared(growth_coins, loss_coins),
    wide,
    rare_enough,
    given(le(r, a_rare)),
    given(lt(a_rare, 1)),
    fact("moments", eq(P_unseen, unseen)),
    # If no kink is seen the run is one on N_y; otherwise the excess is not negative (sharp.rare.least).
    fact("coupling", ge(M, e0 * P_unseen * E_psi)),
    also=(k_cone,),
)
_start = state(
    ge(M_still, e0 * forced),
    *_shared(sp.exp(epsilon), delta),
    given(eq(a_rare, 1)),
    fact("privacy", le(H_far, sp.exp(epsilon) * H_near + delta)),
    # Without a gradient the output depends on the start alone, and every loss may have the kink.
    fact("coupling", ge(M_still, e0 * E_psi)),
    also=(k_cone,),
)


def _risen(growth: sp.Expr, hop: Lemma | Given) -> Lemma:
    """What sharp.sphere.risk says of a hop."""
    tested = ((-1, Given(4)), (growth, Given(5)), (A_ball, hop), (G_near, Given(0)), (A_ball, Given(1)))
    return Lemma("sharp.sphere.risk", {}, {0: tested, 1: ((1, Given(2)),), 2: ((1, Given(3)),)})


_DEPENDS = (
    "sharp.rare.member",
    "sharp.rare.start",
    "sharp.rare.least",
    "sharp.rare.cut",
    "sharp.cone.length",
    "sharp.hop.start",
    "sharp.hop.forget",
)

CLAIMS = (
    theorem(
        "sharp.sphere.across",
        "inefficient",
        "a private output follows the start badly: D E q >= sin(eta) P E p - delta' A, p and q its parts along and across",
        _across,
        proof=(
            Step(
                "ahead",
                _ahead,
                Combination(
                    (
                        (1, Given(0)),
                        (1, Lemma("sharp.cone.mean_far")),
                        (-E_hop, Lemma("sharp.cone.mean_near")),
                        (sine * E_p, Given(1)),
                        (E_q, Given(2)),
                        (sine * E_p, Given(3)),
                        (E_q, Given(4)),
                    )
                ),
            ),
            Step(
                "behind",
                _behind,
                Combination(((sine * P_cone, Given(0)), (D_cone * E_q + delta_hop * A_ball, One()))),
            ),
            Step("both", _across, Cases(E_p, "ahead", "behind")),
        ),
    ),
    theorem(
        "sharp.sphere.cost",
        "inefficient",
        "an output p u + q v costs at least a constant plus 2 g (D q - sin(eta) P p) on W_(A u)",
        _cost,
        proof=by(
            _cost,
            (1, Lemma("sharp.rare.excess")),
            (1, Given(0)),
            (2 * tilt_rare, Given(1)),
            (2 * a_rare / (1 + t_slope**2), Given(2)),
            (1, Square(p_out - _along)),
            (1, Square(q_out - _aside)),
        ),
    ),
    theorem(
        "sharp.sphere.risk",
        "inefficient",
        "whoever can hop by the factor E_hop and delta_hop only pays on average A^2 (1 - 2 a') + 2 a A cos(alpha) - ((1 - a') A + "
        "a cos(alpha) - g sin(eta) P)^2 - (g D - a sin(alpha))^2 - 2 g delta_hop A",
        _risk,
        proof=(
            Step("each", _cost, Combination(((1, Lemma("sharp.sphere.cost")),))),
            Step("mean", _mean_cost, Expectation("each", {psi_rare: E_psi, q_out: E_q, p_out: E_p})),
            Step(
                "risk",
                _risk,
                Combination(((1, Lemma("mean")), (2 * g_multiplier, Lemma("sharp.sphere.across")))),
            ),
        ),
    ),
    theorem(
        "sharp.sphere",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients in dimension d: worst risk >= (1 - a)^T e0 times what "
        "sharp.sphere.risk says of the hop of sharp.hop, A <= 1 - r, A sin(eta/2) <= r, sqrt(d) A < 1 - r, r <= a < 1",
        _sphere,
        proof=by(
            _sphere,
            (1, Given(14)),
            (e0 * E_psi, Given(13)),
            (e0 * unseen, _risen(growth_coins, Lemma("sharp.hop"))),
        ),
        depends=_DEPENDS,
    ),
    theorem(
        "sharp.sphere.start",
        "inefficient",
        "and without a gradient worst risk >= e0 (2 A cos(alpha) - A^2 - (cos(alpha) - g sin(eta) P)^2 - (g D - sin(alpha))^2 - "
        "2 g delta A), A <= 1 - r, A sin(eta/2) <= r",
        _start,
        proof=by(_start, (1, Given(11)), (e0, _risen(sp.exp(epsilon), Given(10)))),
        depends=_DEPENDS,
    ),
)
