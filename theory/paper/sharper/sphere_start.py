"""The sphere of starts without a gradient: every loss may have the kink, and only theta* is seen."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.paper.letters import A_private, L, M_still, S_any, d, delta, epsilon, mu, r
from oubli.theory.paper.sharper.cone import test
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
from oubli.theory.paper.sharper.sphere import (
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
    paid,
    shared,
)
from oubli.theory.records.build import by, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    AHEAD,
    Object,
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
)

_STILL = Family(
    "still",
    ".start",
    lambda u: out(A_private, wall(A_ball * u), 0),
    M_still,
    sp.Integer(1),
    (*shared(sp.exp(epsilon), delta), given(eq(a_rare, 1))),
)


def _tested_mean(name: str, D: Object, words: str) -> sp.Symbol:
    return term(name, mean(test(cut(RADIUS, out(A_private, D, 0)))), f"mean of the test {words}")


F_pair = _tested_mean("F_pair", pair(y_rare, y_other), "on a problem of a pair that starts at R y")
F_other = _tested_mean("F_other", pair(y_other, y_rare), "on the one that starts at R y'")
F_wall = _tested_mean("F_wall", wall(y_rare), "where all losses have a kink at R y")
F_wall_other = _tested_mean("F_wall_other", wall(y_other), "where all have one at R y'")


def _between(says: sp.Basic, *more: Hypothesis) -> Statement:
    """A statement about two starts."""
    return state(says, *SMALL_PAIR, *more, given(ge(d, 2)), also=(L, mu, A_ball))


_idle = _between(eq(F_pair, F_wall))
_idle_proof = by(
    _idle,
    (
        -1,
        Schema(
            "no gradient",
            (A_private, wall(y_rare), pair(y_rare, y_other), x_rare, TEST),
            {0: ((1, Lemma("sharp.rare.begin")),), 7: RETAINED, 8: FORGOTTEN},
        ),
    ),
)
_budget = (given(ge(E_hop, sp.exp(epsilon))), given(ge(delta_hop, delta)))
_still_hops = (
    Step(
        "hop at an event",
        _between(ge(E_hop * p_pair + delta_hop - p_other, 0), *_budget),
        Combination(
            (
                (1, Lemma("sharp.rare.pair")),
                (E_hop - sp.exp(epsilon), Schema("chance", (PAIR_OUT, S_any))),
                (1, Given(4)),
            )
        ),
    ),
    *TESTS,
    Step(
        "hop of a pair",
        _between(le(F_other, E_hop * F_pair + delta_hop * RADIUS), *_budget),
        Layers(
            ("hop at an event", "test at least", "test at most"),
            S_any,
            x_rare,
            TEST,
            RADIUS,
            delta_hop,
            ((E_hop, PAIR_OUT), (-1, OTHER_OUT)),
        ),
    ),
)
_exchanged = {y_rare: y_other, y_other: y_rare}
_still_hop = _between(le(F_wall_other, E_hop * F_wall + delta_hop * RADIUS), *_budget)
_still_hop_proof = by(
    _still_hop,
    (1, Lemma("sharp.sphere.pair")),
    (
        1,
        Lemma(
            "sharp.sphere.idle", _exchanged, {0: ((1, Given(1)),), 1: ((1, Given(0)),), 2: ((1, Given(2)),)}
        ),
    ),
    (-E_hop, Lemma("sharp.sphere.idle")),
)
_ENDS = {y_rare: START, y_other: A_ball * TURNED}
_hop_sides = {0: SMALL, 1: SMALL, 2: ((1, Lemma("sharp.cone.length", {}, {0: ((1, Given(4)),)})),)}
_still_out = _STILL.release(AHEAD)
_still_psi = _STILL.term(
    "psi_mean", mean(charged(_STILL.projected(), START)), "mean cost of the projected output"
)
_still_at = {y_rare: START, x_rare: _still_out}
_still_charged = by(
    _STILL.state(ge(M_still - _still_psi, 0)),
    (1, Schema("worst", (A_private, numeric(r), numeric(0), wall(START)))),
    (1, Mean(Lemma("sharp.rare.still", _still_at, {0: SMALL, 1: ((1, Given(7)),)}))),
    (1, Mean(Lemma("sharp.rare.cut", _still_at, {0: (), 1: ((1, Given(7)), (1 - r, One()))}))),
)

CLAIMS = (
    theorem(
        "sharp.sphere.idle",
        "inefficient",
        "without a gradient quadratics and losses with the kink give one output, as theta* is the same",
        _idle,
        proof=_idle_proof,
    ),
    theorem(
        "sharp.sphere.pair",
        "inefficient",
        "from one to the other problem of a pair the mean of the test grows by at most e^eps and delta A without a gradient",
        _still_hops[-1].statement,
        proof=_still_hops,
    ),
    theorem(
        "sharp.sphere.hop.start",
        "inefficient",
        "and without a gradient, where only the start counts, by Definition 2 alone",
        _still_hop,
        proof=_still_hop_proof,
    ),
    theorem(
        "sharp.sphere.hops.start",
        "inefficient",
        "the same in the mean over all directions",
        hops(_STILL),
        proof=(
            Step(
                "hop", grown(_STILL), Combination(((1, Lemma("sharp.sphere.hop.start", _ENDS, _hop_sides)),))
            ),
            Step("hops", hops(_STILL), Spin("hop")),
        ),
    ),
    theorem(
        "sharp.sphere.across.start",
        "inefficient",
        "and so does one without a gradient",
        follows(_STILL)[-1].statement,
        proof=follows(_STILL),
    ),
    theorem(
        "sharp.sphere.charged.start",
        "inefficient",
        "without a gradient the worst risk is at least what an output costs where all losses have a kink at the start",
        _still_charged[0].statement,
        proof=_still_charged,
    ),
    theorem(
        "sharp.sphere.start",
        "inefficient",
        "and without a gradient worst risk >= e0 (2 A cos(alpha) - A^2 - (cos(alpha) - g sin(eta) P)^2 - (g D - sin(alpha))^2 - "
        "2 g delta A), A <= 1 - r, A sin(eta/2) <= r",
        paid(_STILL)[-1].statement,
        proof=paid(_STILL),
    ),
)
