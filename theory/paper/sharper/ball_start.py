"""The ball of starts without a gradient: every loss may have the kink, and only theta* is seen."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.paper.letters import A_private, L, M_still, R, S_any, delta, epsilon, mu, r
from oubli.theory.paper.sharper.ball_of_starts import (
    BEGINS,
    END,
    IN_SMALL,
    SMALL,
    Starts,
    grown,
    misses,
    paid,
)
from oubli.theory.paper.sharper.miss import SIZE, test, z_ball
from oubli.theory.paper.sharper.rare_kink import (
    FORGOTTEN,
    OTHER_OUT,
    PAIR_OUT,
    RETAINED,
    SMALL_PAIR,
    A_ball,
    a_rare,
    charged,
    p_other,
    p_pair,
    pair,
    wall,
    x_rare,
    y_other,
    y_rare,
)
from oubli.theory.paper.sharper.sphere import RADIUS, E_hop, delta_hop
from oubli.theory.records.build import by, combined, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import PLACE, Object, cut, inner, mean, numeric, out, point, term
from oubli.theory.records.proof import Given, Layers, Lemma, Mean, One, Schema, Step, Term

_STILL = Starts(
    "still_in_ball",
    ".start",
    lambda y: out(A_private, wall(y), 0),
    M_still,
    sp.Integer(1),
    (given(ge(E_hop, sp.exp(epsilon))), given(ge(delta_hop, delta)), SMALL),
    (SMALL, given(eq(a_rare, 1))),
    ((1, Given(1)), (1 - r, One())),
    ((sp.exp(epsilon) - 1, One()),),
)

# --- a hop between two starts, seen from any place of the ball
y_seen = point("y_seen")
n_seen = term("n_seen", inner(y_seen, y_seen), "|y|^2 of the place that a miss is seen from")
_SEEN = test(cut(RADIUS, x_rare) - R * y_seen)


def _tested_mean(name: str, D: Object, words: str) -> sp.Symbol:
    seen = test(cut(RADIUS, out(A_private, D, 0)) - R * y_seen)
    return term(name, mean(seen), f"mean of the test, from any place, {words}")


H_pair = _tested_mean("H_pair", pair(y_rare, y_other), "on a problem of a pair that starts at R y")
H_other = _tested_mean("H_other", pair(y_other, y_rare), "on the one that starts at R y'")
H_wall = _tested_mean("H_wall", wall(y_rare), "where all losses have a kink at R y")
H_wall_other = _tested_mean("H_wall_other", wall(y_other), "where all have one at R y'")
f_seen = term("f_seen", _SEEN, "the test of an output, from any place")


def _between(says: sp.Basic, *more: Hypothesis) -> Statement:
    """A statement about two starts."""
    return state(says, *SMALL_PAIR, *more, also=(L, mu, A_ball))


_idle = _between(eq(H_pair, H_wall))
_idle_proof = by(
    _idle,
    (
        -1,
        Schema(
            "no gradient",
            (A_private, wall(y_rare), pair(y_rare, y_other), x_rare, _SEEN),
            {0: ((1, Lemma("sharp.rare.begin")),), 7: RETAINED, 8: FORGOTTEN},
        ),
    ),
)
_inside = given(le(n_seen, A_ball**2))
_budget = (given(ge(E_hop, sp.exp(epsilon))), given(ge(delta_hop, delta)), _inside)
_pair_steps = (
    combined(
        "hop at an event",
        _between(ge(E_hop * p_pair + delta_hop - p_other, 0), *_budget[:2]),
        (1, Lemma("sharp.rare.pair")),
        (E_hop - sp.exp(epsilon), Schema("chance", (PAIR_OUT, S_any))),
        (1, Given(4)),
    ),
    combined(
        "test at least",
        state(ge(f_seen, 0), also=(A_ball, L, mu)),
        (1, Lemma("sharp.ball.least", {z_ball: cut(RADIUS, x_rare) - R * y_seen})),
    ),
    combined(
        "test at most", state(le(f_seen, SIZE), _inside), (1, Lemma("sharp.ball.most", {y_rare: y_seen}))
    ),
    Step(
        "hop of a pair",
        _between(ge(E_hop * H_pair + delta_hop * SIZE - H_other, 0), *_budget),
        Layers(
            ("hop at an event", "test at least", "test at most"),
            S_any,
            x_rare,
            _SEEN,
            SIZE,
            delta_hop,
            ((E_hop, PAIR_OUT), (-1, OTHER_OUT)),
        ),
    ),
)
_exchanged = {y_rare: y_other, y_other: y_rare}
_hop = _between(ge(E_hop * H_wall + delta_hop * SIZE - H_wall_other, 0), *_budget)
_hop_proof = by(
    _hop,
    (1, Lemma("sharp.ball.pair")),
    (
        1,
        Lemma("sharp.ball.idle", _exchanged, {0: ((1, Given(1)),), 1: ((1, Given(0)),), 2: ((1, Given(2)),)}),
    ),
    (-E_hop, Lemma("sharp.ball.idle")),
)
_small: tuple[Term, ...] = ((1 - r + A_ball, Given(2)),)
_grown = by(
    grown(_STILL),
    (
        1,
        Lemma(
            "sharp.ball.between",
            {y_rare: PLACE, y_other: END, y_seen: PLACE},
            {0: ((1, Given(3)), *_small), 1: ((1, Given(4)), *_small), 2: (), 5: ((1, Given(3)),)},
        ),
    ),
)

# --- what the worst risk is at least
_psi = _STILL.term("psi_mean", mean(charged(_STILL.projected(), PLACE)), "mean cost of the projected output")
_at = {y_rare: PLACE, x_rare: _STILL.release(PLACE)}
_charged = by(
    _STILL.costing(ge(M_still - _psi, 0), BEGINS),
    (1, Schema("worst", (A_private, numeric(r), numeric(0), wall(PLACE)))),
    (1, Mean(Lemma("sharp.rare.still", _at, {0: (IN_SMALL, (1, Given(2))), 1: ((1, Given(1)),)}))),
    (1, Mean(Lemma("sharp.rare.cut", _at, {0: ((1, Given(2)),), 1: _STILL.rare}))),
)

CLAIMS = (
    theorem(
        "sharp.ball.idle",
        "inefficient",
        "without a gradient quadratics and losses with the kink give one output, as theta* is the same: the test of the miss too",
        _idle,
        proof=_idle_proof,
    ),
    theorem(
        "sharp.ball.pair",
        "inefficient",
        "from one to the other problem of a pair the mean of that test grows by at most e^eps and 2 A R delta without a gradient",
        _pair_steps[-1].statement,
        proof=_pair_steps,
    ),
    theorem(
        "sharp.ball.between",
        "inefficient",
        "and from one start to another at most 2 r away, where only the start counts, by Definition 2 alone",
        _hop,
        proof=_hop_proof,
    ),
    theorem(
        "sharp.ball.hop.start",
        "inefficient",
        "so it does over a hop by 2 r in the ball",
        grown(_STILL),
        proof=_grown,
    ),
    theorem(
        "sharp.ball.miss.start",
        "inefficient",
        "and private outputs miss their starts without a gradient too",
        misses(_STILL)[-1].statement,
        proof=misses(_STILL),
    ),
    theorem(
        "sharp.ball.charged.start",
        "inefficient",
        "without a gradient the worst risk is at least what an output costs where all losses have a kink at the start, |y| <= A",
        _charged[0].statement,
        proof=_charged,
    ),
    theorem(
        "sharp.ball.start",
        "inefficient",
        "and without a gradient worst risk >= e0 (zeta^2 + 2 (1 - A) zeta), A <= 1 - r",
        paid(_STILL)[-1].statement,
        proof=paid(_STILL),
    ),
)
