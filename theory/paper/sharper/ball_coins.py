"""The ball of starts with T gradients: coins that cannot undo a hop, and kinks that they hardly show."""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.letters import A_private, M, S_any, T, d, epsilon, r
from oubli.theory.paper.sharper.ball_of_starts import (
    BEGINS,
    COST,
    COSTS,
    END,
    ENDS,
    IN_SMALL,
    RARE,
    SMALL,
    TEST,
    TESTS,
    Starts,
    grown,
    misses,
    paid,
)
from oubli.theory.paper.sharper.hop_coins import growth_coins, loss_coins, y_here, y_there
from oubli.theory.paper.sharper.likelihood import U_coins, eps_coins, rare_enough, wide
from oubli.theory.paper.sharper.miss import SIZE
from oubli.theory.paper.sharper.rare_kink import A_ball, a_rare, charged, plain, walled, x_rare, y_rare
from oubli.theory.paper.sharper.sphere import RADIUS, E_hop, delta_hop, most_paid, unseen
from oubli.theory.records.build import combined, ge, given, lt, theorem
from oubli.theory.records.objects import PLACE, chance, cut, mean, numeric, out, term
from oubli.theory.records.proof import Given, Layers, Lemma, Mean, One, Schema, Step, Term

_COINS = Starts(
    "in_ball",
    "",
    lambda y: out(A_private, plain(y), T),
    M,
    unseen,
    (given(ge(E_hop, growth_coins)), given(ge(delta_hop, loss_coins)), wide, rare_enough),
    (SMALL, RARE, wide, given(lt(a_rare, 1))),
    ((1, Given(1)),),
    (
        ((sp.exp(epsilon) - 1) * sp.exp(eps_coins) ** 2, One()),
        ((sp.exp(eps_coins) - 1) * (sp.exp(eps_coins) + 1), One()),
    ),
)
_here, _there = _COINS.release(PLACE), _COINS.release(END)
_wall = out(A_private, walled(PLACE), T)
p_begins = term("p_begins", chance(_here, S_any), "P[output in S] on N_y")
p_ends = term("p_ends", chance(_there, S_any), "P[output in S] on N_y' where a hop ends")
p_walled = term("p_walled", chance(_wall, S_any), "P[output in S] on W_y")
_hop = Lemma(
    "sharp.hop",
    {y_there: END, y_here: PLACE},
    {0: ((1, Given(2)),), 1: ((1, Given(3)),), 2: ((1, Given(4)),), 3: ((1, Given(5)),), 4: ()},
)
_hop_steps = (
    combined(
        "hop at an event",
        _COINS.hopping(ge(E_hop * p_begins + delta_hop - p_ends, 0), BEGINS, ENDS),
        (1, _hop),
        (E_hop - growth_coins, Schema("chance", (_here, S_any))),
        (1, Given(1)),
    ),
    *TESTS,
    Step(
        "hop",
        grown(_COINS),
        Layers(
            ("hop at an event", "test at least", "test at most"),
            S_any,
            x_rare,
            TEST,
            SIZE,
            delta_hop,
            ((E_hop, _here), (-1, _there)),
        ),
    ),
)
_share = 1 / (1 - r) ** 2
_coins: tuple[Term, ...] = (
    (_share * d, Given(4)),
    (_share * ((1 - r) * U_coins + sp.sqrt(d) * A_ball), Given(2)),
    ((1 - U_coins) * (1 + U_coins), One()),
)
_small: tuple[Term, ...] = ((1, Given(4)), IN_SMALL)
_ball_of = {0: _small}
_same = ((1, Lemma("sharp.rare.start", {y_rare: PLACE}, _ball_of)),)
_walled_psi = term(
    "psi_walled", mean(charged(cut(RADIUS, _wall), PLACE)), "mean cost of the projected output on W_y"
)
_plain_psi = _COINS.term(
    "psi_mean", mean(charged(_COINS.projected(), PLACE)), "the same of the output on N_y"
)
_at_out = {y_rare: PLACE, x_rare: _wall}
_charged = (
    combined(
        "rarely",
        _COINS.costing(ge(p_walled - unseen * p_begins, 0), BEGINS),
        (1, Schema("rare", (A_private, walled(PLACE), numeric(T), S_any), {0: _same, 10: _coins})),
    ),
    *COSTS,
    Step(
        "unseen",
        _COINS.costing(ge(_walled_psi - unseen * _plain_psi, 0), BEGINS),
        Layers(
            ("rarely", "cost at least", "cost at most"),
            S_any,
            x_rare,
            COST,
            most_paid,
            sp.Integer(0),
            ((1, _wall), (-unseen, _here)),
        ),
    ),
    combined(
        "charged",
        _COINS.costing(ge(M - unseen * _plain_psi, 0), BEGINS),
        (1, Schema("worst", (A_private, numeric(r), numeric(T), walled(PLACE)), {8: _coins})),
        (1, Mean(Lemma("sharp.rare.excess", _at_out, _ball_of))),
        (1, Mean(Lemma("sharp.rare.cut", _at_out, {0: ((1, Given(4)),)}))),
        (1, Lemma("unseen")),
    ),
)

CLAIMS = (
    theorem(
        "sharp.ball.hop",
        "inefficient",
        "over a hop by 2 r in the ball the mean of the test of the miss grows by at most E_hop and 2 A R delta_hop, by sharp.hop",
        grown(_COINS),
        proof=_hop_steps,
    ),
    theorem(
        "sharp.ball.miss",
        "inefficient",
        "E_hop X K - nu X_1 K_inside >= 2 r nu P - 2 A delta_hop, K and K_inside the mean of |z|/R over all starts and over those "
        "within A - 2 r of the centre: private outputs miss their starts",
        misses(_COINS)[-1].statement,
        proof=misses(_COINS),
    ),
    theorem(
        "sharp.ball.charged",
        "inefficient",
        "the worst risk is at least (1 - a)^T times what an output drawn on N_y would cost on W_y, |y| <= A",
        _charged[-1].statement,
        proof=_charged,
    ),
    theorem(
        "sharp.ball",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients in dimension d: worst risk >= (1 - a)^T e0 (zeta^2 + 2 a (1 - A) "
        "zeta), zeta (E_hop X - nu X_1) <= 2 r nu P - 2 A delta_hop for the hop of sharp.hop, nu = (1 - 2 r/A)^d, "
        "sqrt(d) A < 1 - r, r <= a < 1",
        paid(_COINS)[-1].statement,
        proof=paid(_COINS),
    ),
)
