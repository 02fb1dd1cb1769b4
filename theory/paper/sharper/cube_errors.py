"""An output cannot be wrong mostly in the coordinate that the forget data pull: its share of the error is 1/d.

The laws for forget data along e_1, …, e_d are private neighbours: they share the retain data. So the square error
in coordinate i is nearly the same where another coordinate is pulled, and summed over i it is at most the risk.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_private, L, S_any, T, d, delta, mu, r
from oubli.theory.paper.sharper.coordinates import (
    Y_asked,
    Z_asked,
    absolute,
    at_asked,
    at_problem,
    at_side,
    between,
    coin,
    error,
    far,
    high,
    high_end,
    i_other,
    in_size,
    kept,
    low,
    low_end,
    m_coin,
    nearer_in_size,
    off_square,
    on_side,
    ordered,
    own,
    problem_at,
    pulled,
    released,
    risks,
    s_,
    squared,
    still,
    summed,
    width,
)
from oubli.theory.paper.sharper.cut import (
    b_root,
    below,
    c_cut,
    cut_steps,
    p_root,
    side,
    side_steps,
    size,
)
from oubli.theory.paper.sharper.likelihood import j_coin
from oubli.theory.paper.sharper.lower import E, tanh
from oubli.theory.paper.sharper.means import risk, x_out, y_worst
from oubli.theory.records.build import combined, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    axis,
    chance,
    inner,
    mean,
    minus,
    numeric,
    scaled,
    term,
    total,
)
from oubli.theory.records.proof import (
    Given,
    Induction,
    Layers,
    Lemma,
    Mean,
    Schema,
    Square,
    SquaredNorm,
    Step,
)

z_level = parameter("z_level", POSITIVE, "bound on the mean error in the coordinate that is pulled")
_fixed = (ordered, pulled)


# --- all coordinates on one problem
def _crossed(i: Any) -> Object:
    """E(O_i - m_i)^2 where coordinate j is pulled."""
    return mean(squared(error(released(j_coin), i)))


def _nearer(i: Any) -> Object:
    """By how much cutting takes a coordinate away from the mean of its coin."""
    return minus(_crossed(i), off_square(i))


Z_crossed = term("Z_crossed", _crossed(i_other), "E(O_i - m_i)^2 where j is pulled")
X_crossed = term("X_crossed", off_square(i_other), "E(x_i - m_i)^2, not cut")
Z_summed = term("Z_summed", total(_crossed(k_), d - 1), "sum over i of E(O_i - m_i)^2 where j is pulled")
_cut_none, _cut_some, _cut_more, _cut_all = (
    term(f"X_{name}", total(_nearer(k_), last), "what cutting changes, summed over coordinates")
    for name, last in (("none", -1), ("some", i_other - 1), ("more", i_other), ("all", d - 1))
)
_risk = state(le(Z_summed, y_worst**2), *at_problem)
_risk_proof = (
    *risks,
    nearer_in_size,
    combined(
        "one nearer",
        state(le(Z_crossed - X_crossed, 0), *_fixed, also=still),
        (1, Mean(Lemma("nearer, in size", at_side(released(j_coin), i_other), between(i_other)))),
    ),
    combined("none nearer", state(le(_cut_none, 0)), (-1, Schema("empty sum", (_nearer(k_),)))),
    combined(
        "one more nearer",
        state(le(_cut_more, 0), given(le(_cut_some, 0)), *_fixed, also=still),
        (1, Given(0)),
        (1, Lemma("one nearer")),
        (-1, Schema("sum step", (_nearer(k_), numeric(i_other - 1)))),
    ),
    Step(
        "all nearer",
        state(ge(-_cut_all, 0), *_fixed, also=still),
        Induction(i_other, -_cut_some, "none nearer", "one more nearer", {}, {}, d),
    ),
    combined(
        "all coordinates",
        _risk,
        (1, Lemma("all nearer")),
        (1, Lemma("risk")),
        (-1, Mean(Schema("Parseval", (far,)))),
    ),
)

# --- the coordinate that is pulled, on one problem
_near = state(le(Y_asked, y_worst), *at_problem, also=(r,))
_near_proof = (
    *risks,
    nearer_in_size,
    in_size,
    combined(
        "in its square",
        state(le(Z_asked, y_worst**2), *at_problem, also=(r,)),
        (1, Mean(Lemma("nearer, in size", at_asked, between(j_coin)))),
        (1, Lemma("risk")),
        (1, Mean(SquaredNorm(far - Object(["v*", inner(far, axis(j_coin)).node, axis(j_coin).node])))),
    ),
    combined(
        "around any number",
        state(ge(Z_asked - 2 * c_cut * Y_asked + c_cut**2, 0), also=(L, mu)),
        (1, Mean(Lemma("in size", at_asked))),
    ),
    combined(
        "near",
        _near,
        (
            1,
            below(
                Y_asked,
                y_worst,
                ((1, Lemma("around any number", {c_cut: Y_asked})), (1, Lemma("in its square"))),
            ),
        ),
    ),
)

# --- privacy between pulls along two coordinates
_loss = delta * width**2
p_pulled = term("p_pulled", chance(released(i_other), S_any), "P[output in S] where coordinate i is pulled")
p_crossed = term("p_crossed", chance(released(j_coin), S_any), "P[output in S] where j is")
Z_own = term("Z_own", own(i_other), "E(O_i - m_i)^2 where i is pulled")
z_off = term("z_off", error(x_out, i_other), "|O_i - m_i| at one outcome")
o_other = term("o_other", kept(x_out, i_other), "O_i at one outcome")
m_other = term("m_other", coin(i_other), "m_i")
_ends = at_side(x_out, i_other)
_above_low, _below_high = between(i_other).values()
_private = state(le(Z_own - E * Z_crossed, _loss), *_fixed, also=still)
_private_proof = (
    *side_steps,
    *on_side,
    combined(
        "at an event",
        state(ge(E * p_crossed + delta - p_pulled, 0), *_fixed, also=still),
        (
            1,
            Schema(
                "unlearning",
                (A_private, problem_at(i_other), problem_at(j_coin), numeric(T), S_any),
                {1: low_end, 2: high_end},
            ),
        ),
    ),
    combined("from 0", state(ge(z_off**2, 0), also=(L, mu)), (1, Square(z_off))),
    combined(
        "to the side",
        state(ge(width**2 - z_off**2, 0), ordered, also=(L, mu)),
        (
            1,
            Lemma(
                "product",
                {p_root: o_other - m_other, b_root: width},
                {
                    0: ((1, Lemma("below the high end", _ends)), *_above_low),
                    1: ((1, Lemma("above the low end", _ends)), *_below_high),
                },
            ),
        ),
    ),
    Step(
        "in the mean",
        state(ge(E * Z_crossed + _loss - Z_own, 0), *_fixed, also=still),
        Layers(
            ("at an event", "from 0", "to the side"),
            S_any,
            x_out,
            squared(error(x_out, i_other)),
            width**2,
            delta,
            ((E, released(j_coin)), (-1, released(i_other))),
        ),
    ),
    combined("private", _private, (1, Lemma("in the mean"))),
)


# --- summed over the coordinates: up to the one that is pulled, and after it
def _gap(i: Any) -> Object:
    """By how much an error is larger than privacy allows, but for delta."""
    return minus(own(i), scaled(E, _crossed(i)))


_gap_none, _gap_some, _gap_more, _gap_before, _gap_to, _gap_past, _gap_next, _gap_all = (
    term(f"G_{name}", total(_gap(k_), last), "what privacy does not explain, summed over coordinates")
    for name, last in (
        ("none", -1),
        ("some", i_other - 1),
        ("more", i_other),
        ("before", j_coin - 1),
        ("to", j_coin),
        ("past", j_coin + i_other),
        ("next", j_coin + i_other + 1),
        ("every", d - 1),
    )
)
_after = d - 1 - j_coin
_past = (j_coin + i_other) * _loss + (1 - E) * Z_asked
_among = given(ge(_after, 0))
Z_all = term("Z_all", total(own(k_), d - 1), "sum over i of E(O_i - m_i)^2 where i is pulled")
_priced = E * y_worst**2 + (d - 1) * _loss - Z_all
_asked = state(ge(_priced, (E - 1) * Z_asked), *at_problem, _among, also=(r,))
_asked_proof = (
    combined("no gap", state(ge(-_gap_none, 0)), (-1, Schema("empty sum", (_gap(k_),)))),
    combined(
        "one more gap",
        state(
            ge((i_other + 1) * _loss - _gap_more, 0),
            given(ge(i_other * _loss - _gap_some, 0)),
            *_fixed,
            also=still,
        ),
        (1, Given(0)),
        (1, Lemma("sharp.cube.private")),
        (-1, Schema("sum step", (_gap(k_), numeric(i_other - 1)))),
    ),
    Step(
        "gaps before",
        state(ge(j_coin * _loss - _gap_before, 0), *_fixed, also=still),
        Induction(i_other, i_other * _loss - _gap_some, "no gap", "one more gap", {}, {}, j_coin),
    ),
    # At j itself both errors are one, and nothing is lost.
    combined(
        "gaps up to it",
        state(ge(j_coin * _loss + (1 - E) * Z_asked - _gap_to, 0), *_fixed, also=still),
        (1, Lemma("gaps before")),
        (-1, Schema("sum step", (_gap(k_), numeric(j_coin - 1)))),
    ),
    combined(
        "a gap after it",
        state(ge(_past + _loss - _gap_next, 0), given(ge(_past - _gap_past, 0)), *_fixed, also=still),
        (1, Given(0)),
        (1, Lemma("sharp.cube.private", {i_other: j_coin + i_other + 1})),
        (-1, Schema("sum step", (_gap(k_), numeric(j_coin + i_other)))),
    ),
    Step(
        "all gaps",
        state(ge((d - 1) * _loss + (1 - E) * Z_asked - _gap_all, 0), *_fixed, _among, also=still),
        Induction(i_other, _past - _gap_past, "gaps up to it", "a gap after it", {}, {}, _after),
    ),
    combined("asked", _asked, (1, Lemma("all gaps")), (E, Lemma("sharp.cube.risk"))),
)

# --- summed over the pulls
Z_square = term(
    "Z_square", scaled(1 / d, total(own(k_), d - 1)), "E(O_i - m_i)^2 where i is pulled, averaged over i"
)
level = given(ge(z_level**2 * (d - 1 + E), E * y_worst**2 + (d - 1) * _loss))
_spread = state(le(Z_square, z_level**2), *at_problem, level, also=(r,))
_own_none, _own_some, _own_more = (
    term(f"Z_{name}", total(own(k_), last), "errors where they are asked for, summed over coordinates")
    for name, last in (("none", -1), ("some", j_coin - 1), ("more", j_coin))
)
_so_far = j_coin * _priced - (E - 1) * _own_some
_spread_proof = (
    combined("none", state(ge(-(E - 1) * _own_none, 0)), (-(E - 1), Schema("empty sum", (own(k_),)))),
    combined(
        "one more",
        state(
            ge((j_coin + 1) * _priced - (E - 1) * _own_more, 0),
            given(ge(_so_far, 0)),
            *at_problem,
            _among,
            also=(r,),
        ),
        (1, Given(0)),
        (1, Lemma("sharp.cube.asked")),
        (-(E - 1), Schema("sum step", (own(k_), numeric(j_coin - 1)))),
    ),
    Step(
        "all",
        state(ge(d * _priced - (E - 1) * Z_all, 0), *at_problem, also=(r,)),
        Induction(j_coin, _so_far, "none", "one more", {}, {}, d, last=d),
    ),
    combined("spread", _spread, (1 / (d * (d - 1 + E)), Lemma("all")), (1 / (d - 1 + E), Given(3))),
)


# --- from squares to errors
def _beyond(i: Any) -> Object:
    """By how much an error is larger than its square explains."""
    return minus(absolute(i), scaled(1 / (2 * z_level), own(i)))


Z_error = term(
    "Z_error", scaled(1 / d, total(absolute(k_), d - 1)), "E|O_i - m_i| where i is pulled, averaged over i"
)
_error = state(le(Z_error, z_level), *at_problem, level, also=(r,))
_error_proof = (
    *cut_steps,
    in_size,
    combined(
        "one error",
        state(le(Y_asked - Z_asked / (2 * z_level), z_level / 2), also=still),
        (1 / (2 * z_level), Mean(Lemma("in size", {**at_asked, c_cut: z_level}))),
    ),
    *summed("errors", _beyond, z_level / 2, Lemma("one error"), also=still),
    combined("error", _error, (1 / d, Lemma("errors")), (1 / (2 * z_level), Lemma("sharp.cube.spread"))),
)

# --- a hop: the forget data, that were e_j, are -e_j
ONE = sp.Integer(1)
price = 2 * tanh * z_level + (1 - tanh) * width * delta


def _part(x: Object, sign: int) -> Object:
    """The part of O_j - m_j of one sign."""
    away = minus(kept(x, j_coin), coin(j_coin))
    return scaled(sp.Rational(1, 2), Object(["+", size(away).node, ["*", sign, away.node]]))


def _one_side(sign: int) -> tuple[Step, ...]:
    """On one side of m: E of the part before is at most e^eps times that after, and delta times its range."""
    name, room = ("above", high - m_coin) if sign == 1 else ("below", m_coin - low)
    sides = [(which, released(j_coin, s * ONE)) for which, s in (("P", sign), ("Q", -sign))]
    P, Q = (term(f"Z_{which}_{name}", mean(_part(x, sign)), "E (O_j - m_j)_+") for which, x in sides)
    p, q = (term(f"p_{which}_{name}", chance(x, S_any), "P[output in S]") for which, x in sides)
    g = term(f"g_coin_{name}", _part(x_out, sign), "part of O_j - m_j of one sign at one outcome")
    (_, before), (_, after) = sides
    problems = (problem_at(j_coin, s * ONE) for s in (sign, -sign))
    held = at_side(x_out, j_coin)
    return (
        *side(sign),
        combined(
            f"{name}, at an event",
            state(ge(E * q + delta - p, 0), ordered, also=still),
            (1, Schema("unlearning", (A_private, *problems, numeric(T), S_any), {1: low_end, 2: high_end})),
        ),
        combined(f"{name}, from 0", state(ge(g, 0), also=(L, mu)), (1, Lemma(f"{name}, at least 0", held))),
        combined(
            f"{name}, to the end",
            state(ge(room - g, 0), ordered, also=(L, mu)),
            (1, Lemma(f"{name}, at most", held, between(j_coin))),
        ),
        Step(
            f"{name}, in the mean",
            state(ge(E * Q + delta * room - P, 0), ordered, also=still),
            Layers(
                (f"{name}, at an event", f"{name}, from 0", f"{name}, to the end"),
                S_any,
                x_out,
                _part(x_out, sign),
                room,
                delta,
                ((E, after), (-1, before)),
            ),
        ),
    )


def fall(i: Any) -> Object:
    """By how much the mean output falls over a hop."""
    return minus(mean(kept(released(i, ONE), i)), mean(kept(released(i, -ONE), i)))


def _fallen(i: Any) -> Object:
    """By how much it falls more than a share of the errors before and after."""
    both = Object(["+", absolute(i, ONE).node, absolute(i, -ONE).node])
    return minus(fall(i), scaled(tanh, both))


O_fallen = term("O_fallen", _fallen(j_coin), "fall of E O_j over a hop, less tanh(eps/2) times both errors")
O_hop_cube = term(
    "O_hop_cube", scaled(1 / d, total(fall(k_), d - 1)), "E O_i for e_i minus E O_i for -e_i, averaged over i"
)
hop = state(le(O_hop_cube, price), ordered, risk, level, also=(r,))
_lost = (1 - tanh) * width * delta
_hop_proof = (
    *side_steps,
    *on_side,
    *_one_side(1),
    *_one_side(-1),
    combined(
        "one hop",
        state(le(O_fallen, _lost), ordered, also=still),
        (2 / (E + 1), Lemma("above, in the mean")),
        (2 / (E + 1), Lemma("below, in the mean")),
    ),
    *summed("hops", _fallen, _lost, Lemma("one hop"), (ordered,), still),
    combined(
        "hop",
        hop,
        (1 / d, Lemma("hops")),
        (tanh, Lemma("sharp.cube.error", {s_: ONE}, {1: ()})),
        (tanh, Lemma("sharp.cube.error", {s_: -ONE}, {1: ()})),
    ),
)

CLAIMS = (
    theorem(
        "sharp.cube.risk",
        "inefficient",
        "coins of means m anywhere in the cube, forget data along any coordinate: summed over the coordinates, the mean "
        "square error of the output, in units R and cut to the cube, is at most x, x e0 the worst risk",
        _risk,
        proof=_risk_proof,
    ),
    theorem(
        "sharp.cube.near",
        "inefficient",
        "and the mean error in the coordinate that the forget data pull is at most sqrt(x)",
        _near,
        proof=_near_proof,
    ),
    theorem(
        "sharp.cube.private",
        "inefficient",
        "the mean square error in coordinate i is where i is pulled at most e^eps times what it is where j is, and "
        "delta w^2",
        _private,
        proof=_private_proof,
    ),
    theorem(
        "sharp.cube.asked",
        "inefficient",
        "so summed over i, where i is pulled, the mean square errors are at most e^eps x + (d-1) delta w^2 - (e^eps - 1) "
        "times that in any one coordinate j",
        _asked,
        proof=_asked_proof,
    ),
    theorem(
        "sharp.cube.spread",
        "inefficient",
        "averaged over the coordinate asked for, the mean square error is at most l^2 with l^2 (d - 1 + e^eps) >= "
        "e^eps x + (d-1) delta w^2, x e0 the worst risk, w the side of the cube",
        _spread,
        proof=_spread_proof,
    ),
    theorem(
        "sharp.cube.error",
        "inefficient",
        "averaged over the coordinate asked for, the mean error is at most l",
        _error,
        proof=_error_proof,
    ),
    theorem(
        "sharp.cube.hop",
        "inefficient",
        "averaged over the coordinates, a hop moves the mean output by at most 2 tanh(eps/2) l + (1 - tanh(eps/2)) w delta",
        hop,
        proof=_hop_proof,
    ),
)
