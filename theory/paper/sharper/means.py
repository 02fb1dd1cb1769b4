"""Means of what is released on a hard problem: how far it is from best, and how it rises at a fixed theta*.

Problem (m, f): the signs have mean m on the retain data and f on the forget data, so theta* = R ((1-r) m + r f).
O is the first coordinate of what is released, in units R, cut to [gamma_min, gamma_max]; m is best. While f falls
by s/rho the mean m can rise by s at a fixed theta*: only the T signs tell, and E O rises by at most the covariance
with their score.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min, u
from oubli.theory.paper.chains import output
from oubli.theory.paper.letters import A_private, L, M, T, e0, mu, r, rho
from oubli.theory.paper.setup import e_1
from oubli.theory.paper.sharper.cut import (
    below,
    c_cut,
    cut,
    cut_steps,
    m_cut,
    size,
    x_cut,
)
from oubli.theory.records.build import combined, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    hard_problem,
    inner,
    mean,
    mean_slope,
    minus,
    numeric,
    opt,
    point,
    retain,
    scaled,
    term,
)
from oubli.theory.records.proof import (
    Given,
    Lemma,
    Mean,
    Monotone,
    One,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

root = sp.sqrt(T)
y_worst = parameter("y_worst", NONNEGATIVE, "sqrt(x), where the worst risk is at most x e0")
m_hop = parameter("m_hop", meaning="mean of the signs on the retain data")
f_hop = parameter("f_hop", meaning="mean of the signs on the forget data")
x_out = point("x_out")


def along(x: Object) -> Object:
    """The first coordinate in units R."""
    return scaled(2 * mu / L, inner(x, e_1))


def kept(m: Any, f: Any) -> Object:
    """What is released on a hard problem, in units R, cut to [gamma_min, gamma_max]."""
    return cut(along(output(hard_problem(m, f))))


def off(m: Any, f: Any) -> Object:
    """How far that is from m, the minimiser."""
    return minus(kept(m, f), numeric(m))


# --- the risk at one problem
risk = given(le(M, y_worst**2 * e0))
inside_at = given(ge(m_hop - gamma_min, 0)), given(ge(gamma_max - m_hop, 0))
data_at = given(ge(1 + f_hop, 0)), given(ge(1 - f_hop, 0))
at_problem = (*inside_at, *data_at, risk)
# 1 + m and 1 - m are at least 0.
low_at, high_at = ((1, Given(0)), (1 + gamma_min, One())), ((1, Given(1)), (1 - gamma_max, One()))
_problem, released_at = hard_problem(m_hop, f_hop), output(hard_problem(m_hop, f_hop))
_far = minus(along(released_at), numeric(m_hop))
W_line = term("W_line", mean(Object(["^", _far.node, 2])), "E(first coordinate - m)^2, in units R")
W_cut = term("W_cut", mean(Object(["^", off(m_hop, f_hop).node, 2])), "E(O - m)^2")
Y_near = term("Y_near", mean(size(off(m_hop, f_hop))), "E|O - m|")
_tilt = (L / 2 * m_hop) * e_1
_best = opt(retain(_problem))
_slack = {1: ((L**2 / 4, Lemma("means")),)}
_line = state(ge(M - e0 * W_line, 0), *at_problem[:4], also=(r,))
_square = state(le(W_cut, y_worst**2), *at_problem, also=(r,))
_square_proof = (
    *cut_steps,
    combined("low", state(ge(1 + m_hop, 0), *inside_at), *low_at),
    combined("high", state(ge(1 - m_hop, 0), *inside_at), *high_at),
    combined(
        "product of means",
        state(ge((1 - m_cut) * (1 + m_cut), 0), given(ge(1 - m_cut, 0)), given(ge(1 + m_cut, 0))),
        (1 + m_cut, Given(0)),
    ),
    combined(
        "means",
        state(ge((1 - m_hop) * (1 + m_hop), 0), *inside_at),
        (1, Lemma("product of means", {m_cut: m_hop}, {0: high_at, 1: low_at})),
    ),
    combined(
        "on the line",
        _line,
        (1, Schema("worst", (A_private, numeric(r), numeric(T), _problem), {1: low_at, 2: high_at})),
        (-mu / 2, Schema("tilted", (_tilt, _best), _slack)),
        (L * m_hop / 4, Schema("tilted", (_tilt, e_1), _slack)),
        (mu / 2, Mean(SquaredNorm(released_at - Object(["v*", inner(released_at, e_1).node, e_1.node])))),
    ),
    combined(
        "in mean square",
        _square,
        (1, Mean(Lemma("nearer", {x_cut: along(released_at), m_cut: m_hop}))),
        (1 / e0, Lemma("on the line")),
        (1 / e0, Given(4)),
    ),
)
_near = state(le(Y_near, y_worst), *at_problem, also=(r,))
_near_proof = (
    *cut_steps,
    combined(
        "around any number",
        state(ge(W_cut - 2 * c_cut * Y_near + c_cut**2, 0), also=(L, mu)),
        (1, Mean(Lemma("in square", {x_cut: along(released_at), m_cut: m_hop}))),
    ),
    combined(
        "near",
        _near,
        (
            1,
            below(
                Y_near,
                y_worst,
                ((1, Lemma("around any number", {c_cut: Y_near})), (1, Lemma("sharp.lower.risk"))),
            ),
        ),
    ),
)

# --- at a fixed start
m_low = parameter("m_low", meaning="where m starts on a segment")
m_high = parameter("m_high", meaning="where m ends on it")
f_low = parameter("f_low", meaning="mean of the signs on the forget data where a segment starts")


def f_on(m: sp.Expr) -> sp.Expr:
    """The mean on the forget data that keeps theta* where it is at the start of the segment."""
    return f_low - (m - m_low) / rho


f_u, f_high = f_on(u), f_on(m_high)
O_u = term("O_u", mean(kept(u, f_u)), "E O where the signs have mean u")
O_slope = term("O_slope", mean_slope(kept(u, f_u)), "derivative in u of E O at a fixed start")
O_rise = term(
    "O_rise",
    minus(mean(kept(m_high, f_high)), mean(kept(m_low, f_low))),
    "rise of E O as m goes from m_low to m_high at a fixed start",
)
_ordered = given(le(m_low, m_high))
_segment_data = given(ge(m_low - gamma_min, 0)), given(ge(gamma_max - m_high, 0))
_forget_data = given(ge(1 - f_low, 0)), given(ge(1 + f_high, 0))
_on_segment = (given(ge(u, m_low)), given(ge(m_high, u)), *_segment_data, *_forget_data, risk)
# What the problem at u needs, by the ends.
_f_above = ((1, Given(5)), ((1 - r) / r, Given(1)))
_f_below = ((1, Given(4)), ((1 - r) / r, Given(0)))
_u_sides = {0: ((1, Given(0)), (1, Given(2))), 1: ((1, Given(1)), (1, Given(3))), 2: _f_above, 3: _f_below}
_score = Schema(
    "score of a mean",
    (
        A_private,
        hard_problem(u, f_u),
        numeric(T),
        x_out,
        minus(cut(along(x_out)), numeric(u)),
    ),
    {2: _f_above, 3: _f_below},
)
climb = y_worst * root * sp.asin(u)


def risen(low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """By how much a mean output can rise while the signs go from one mean to another."""
    return y_worst * root * sp.asin(high) - y_worst * root * sp.asin(low)


_segment = state(le(O_rise, risen(m_low, m_high)), _ordered, *_segment_data, *_forget_data, risk)
_ends = tuple(given(ge(x, 0)) for x in (1 + m_low, 1 - m_low, 1 + m_high, 1 - m_high))
_means_of_ends: dict[Any, tuple[Term, ...]] = {
    6: ((1, Given(1)), (1 + gamma_min, One())),
    7: ((1, Given(0)), (1, Given(2)), (1 - gamma_max, One())),
    8: ((1, Given(0)), (1, Given(1)), (1 + gamma_min, One())),
    9: ((1, Given(2)), (1 - gamma_max, One())),
}
_segment_proof = (
    *cut_steps[:3],
    combined(
        "squares",
        state(ge(y_worst**2 * T - (1 - u**2) * O_slope**2, 0), *_on_segment),
        (1, _score),
        (T, Lemma("sharp.lower.risk", {m_hop: u, f_hop: f_u}, _u_sides)),
    ),
    combined(
        "roots",
        state(le(O_slope * sp.sqrt(1 - u**2), y_worst * root), *_on_segment),
        (1, below(O_slope * sp.sqrt(1 - u**2), y_worst * root, ((1, Lemma("squares")),))),
    ),
    combined(
        "slope",
        state(ge(sp.diff(climb, u) - O_slope, 0), *_on_segment, also=(O_u,)),
        (1 / sp.sqrt(1 - u**2), Lemma("roots")),
    ),
    Step(
        "integrated",
        state(ge(risen(m_low, m_high) - O_rise, 0), *_segment.given, *_ends),
        Monotone("slope", u, climb - O_u, m_low, m_high),
    ),
    combined("segment", _segment, (1, Lemma("integrated", {}, _means_of_ends))),
)


CLAIMS = (
    theorem(
        "sharp.lower.risk",
        "inefficient.step1",
        "on the hard problem with signs of mean m, the output in units R, cut to [gamma_min, gamma_max], has mean square "
        "distance at most x from m, x e0 the worst risk",
        _square,
        proof=_square_proof,
        note="Cutting changes the distance from an m inside for the better, and so does what leaves the line.",
    ),
    theorem(
        "sharp.lower.near",
        "inefficient.step1",
        "and mean distance at most sqrt(x)",
        _near,
        proof=_near_proof,
    ),
    theorem(
        "sharp.lower.segment",
        "inefficient.step1",
        "at a fixed start the mean output rises by at most sqrt(x T) (arcsin m' - arcsin m) while the mean of the "
        "signs goes from m to m', x e0 the worst risk",
        _segment,
        proof=_segment_proof,
        note="That the start is fixed is computed: the mean of the forget data falls by 1/rho times what m rises by.",
    ),
)
