"""The sphere of starts with T gradients: coins that cannot undo a hop, and kinks that they hardly show."""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.letters import A_private, M, S_any, T, d, r
from oubli.theory.paper.sharper.hop_coins import growth_coins, loss_coins, y_here, y_there
from oubli.theory.paper.sharper.likelihood import U_coins, rare_enough, wide
from oubli.theory.paper.sharper.rare_kink import (
    A_ball,
    a_rare,
    charged,
    plain,
    walled,
    x_rare,
    y_rare,
)
from oubli.theory.paper.sharper.sphere import (
    PROJECTED,
    RADIUS,
    SMALL,
    START,
    TEST,
    TESTS,
    TURNED,
    E_hop,
    Family,
    delta_hop,
    follows,
    grown,
    hops,
    most_paid,
    paid,
    psi_out,
    shared,
    unseen,
)
from oubli.theory.records.build import ge, given, le, lt, theorem
from oubli.theory.records.objects import (
    AHEAD,
    chance,
    cut,
    mean,
    numeric,
    out,
    term,
)
from oubli.theory.records.proof import (
    Combination,
    Given,
    Layers,
    Lemma,
    Mean,
    One,
    Schema,
    Spin,
    Step,
    Term,
)

_COINS = Family(
    "coins",
    "",
    lambda u: out(A_private, plain(A_ball * u), T),
    M,
    unseen,
    (*shared(growth_coins, loss_coins), wide, rare_enough, given(le(r, a_rare)), given(lt(a_rare, 1))),
)
_wall = out(A_private, walled(START), T)
p_wall = term("p_wall", chance(_wall, S_any), "P[output in S] on W_(A u)")
p_plain = term("p_plain", chance(_COINS.release(AHEAD), S_any), "P[output in S] on N_(A u)")
p_turned = term("p_turned", chance(_COINS.release(TURNED), S_any), "P[output in S] on N_(A u')")
_share = 1 / (1 - r) ** 2
_coins: tuple[Term, ...] = (
    (_share * ((1 - r) * U_coins + sp.sqrt(d) * A_ball), Given(7)),
    ((1 - U_coins) * (1 + U_coins), One()),
)
_same = ((1, Lemma("sharp.rare.start", {y_rare: START}, {0: SMALL})),)
_hop = Lemma(
    "sharp.hop",
    {y_there: A_ball * TURNED, y_here: START},
    {
        0: ((1, Given(7)),),
        1: ((1, Given(8)),),
        2: (),
        3: (),
        4: ((1, Lemma("sharp.cone.length", {}, {0: ((1, Given(4)),)})),),
    },
)
_hop_steps = (
    Step(
        "hop at an event",
        _COINS.state(ge(E_hop * p_plain + delta_hop - p_turned, 0)),
        Combination(
            (
                (1, _hop),
                (E_hop - growth_coins, Schema("chance", (_COINS.release(AHEAD), S_any))),
                (1, Given(1)),
            )
        ),
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
            RADIUS,
            delta_hop,
            ((E_hop, _COINS.release(AHEAD)), (-1, _COINS.release(TURNED))),
        ),
    ),
)
_psi = charged(PROJECTED, START)
_member = {8: _coins}
_walled_psi = term(
    "psi_wall", mean(charged(cut(RADIUS, _wall), START)), "mean cost of the projected output on W_(A u)"
)
_plain_psi = _COINS.term(
    "psi_mean", mean(charged(_COINS.projected(), START)), "the same of the output on N_(A u)"
)
_at_out = {y_rare: START, x_rare: _wall}
_ball_of = {0: SMALL}
_charged = (
    Step(
        "rarely",
        _COINS.state(ge(p_wall - unseen * p_plain, 0)),
        Combination(
            ((1, Schema("rare", (A_private, walled(START), numeric(T), S_any), {0: _same, 10: _coins})),)
        ),
    ),
    Step(
        "cost at least",
        _COINS.state(ge(psi_out, 0)),
        Combination(((1, Lemma("sharp.rare.least", {y_rare: START, x_rare: PROJECTED}, _ball_of)),)),
    ),
    Step(
        "cost at most", _COINS.state(le(psi_out, most_paid)), Combination(((1, Lemma("sharp.sphere.paid")),))
    ),
    Step(
        "unseen",
        _COINS.state(ge(_walled_psi - unseen * _plain_psi, 0)),
        Layers(
            ("rarely", "cost at least", "cost at most"),
            S_any,
            x_rare,
            _psi,
            most_paid,
            sp.Integer(0),
            ((1, _wall), (-unseen, _COINS.release(AHEAD))),
        ),
    ),
    Step(
        "charged",
        _COINS.state(ge(M - unseen * _plain_psi, 0)),
        Combination(
            (
                (1, Schema("worst", (A_private, numeric(r), numeric(T), walled(START)), _member)),
                (1, Mean(Lemma("sharp.rare.excess", _at_out, _ball_of))),
                (1, Mean(Lemma("sharp.rare.cut", _at_out, {0: ()}))),
                (1, Lemma("unseen")),
            )
        ),
    ),
)

CLAIMS = (
    theorem(
        "sharp.sphere.hops",
        "inefficient",
        "over hops on the sphere the mean of the test grows by at most E_hop and delta_hop A, by sharp.hop",
        hops(_COINS),
        proof=(*_hop_steps, Step("hops", hops(_COINS), Spin("hop"))),
    ),
    theorem(
        "sharp.sphere.across",
        "inefficient",
        "a private output follows the start badly: D E q >= sin(eta) P E p - delta' A, p and q its parts along and across",
        follows(_COINS)[-1].statement,
        proof=follows(_COINS),
    ),
    theorem(
        "sharp.sphere.charged",
        "inefficient",
        "the worst risk is at least (1 - a)^T times what an output drawn on N_(A u) would cost on W_(A u)",
        _charged[-1].statement,
        proof=_charged,
    ),
    theorem(
        "sharp.sphere",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients in dimension d: worst risk >= (1 - a)^T e0 (A^2 (1 - 2 a') + "
        "2 a A cos(alpha) - ((1 - a') A + a cos(alpha) - g sin(eta) P)^2 - (g D - a sin(alpha))^2 - 2 g delta_hop A), E_hop and "
        "delta_hop as in sharp.hop, A <= 1 - r, A sin(eta/2) <= r, sqrt(d) A < 1 - r, r <= a < 1",
        paid(_COINS)[-1].statement,
        proof=paid(_COINS),
    ),
)
