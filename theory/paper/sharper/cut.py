"""Cutting a number to an interval: it comes no farther from what lies inside, and its distances are bounded.

A number is cut by absolute values, |y| = sqrt(y^2): (low + high + |x - low| - |x - high|)/2. What is shown here
is about numbers; the lower bounds put into it what algorithms release.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import combined, ge, given, gt, le, state
from oubli.theory.records.objects import Object, minus, numeric, term
from oubli.theory.records.proof import Cases, Given, Lemma, One, Schema, Square, Step, Term

HALF = sp.Rational(1, 2)


def size(x: Object) -> Object:
    """|x|, for a number."""
    return Object(["^", ["^", x.node, 2], "1/2"])


def cut(x: Object, low: Any = gamma_min, high: Any = gamma_max) -> Object:
    """A number cut to [low, high]."""
    a, b = numeric(low), numeric(high)
    ends = ["+", a.node, b.node, size(minus(x, a)).node, ["*", -1, size(minus(x, b)).node]]
    return Object(["*", "1/2", ends])


x_cut = parameter("x_cut", meaning="a number to be cut")
m_cut = parameter("m_cut", meaning="a number of the interval that it is cut to")
c_cut = parameter("c_cut", meaning="any number")
p_root = parameter("p_root", meaning="a number whose square is at most that of another")
b_root = parameter("b_root", meaning="the other, at least 0")
_x = numeric(x_cut)
_low, _high, _away = (minus(_x, numeric(c)) for c in (gamma_min, gamma_max, m_cut))
o_held = term("o_held", cut(_x), "the number cut to [gamma_min, gamma_max]")
_off = minus(cut(_x), numeric(m_cut))
n_away = term("n_away", size(_away), "its distance from m_cut")
n_low, n_high = term("n_low", size(_low), "from gamma_min"), term("n_high", size(_high), "from gamma_max")
n_kept = term("n_kept", size(_off), "the distance from m_cut after it is cut")

inside = given(ge(m_cut - gamma_min, 0)), given(ge(gamma_max - m_cut, 0))
_ordered = given(ge(gamma_max - gamma_min, 0))


def at_most_size(x: Object, sign: int = 1) -> Schema:
    """x <= |x|, or -x <= |x|."""
    return Schema("Cauchy-Schwarz", (Object(["v*", ["*", sign, x.node], e_1.node]), e_1))


_root = state(le(p_root, b_root), given(ge(b_root**2 - p_root**2, 0)), given(ge(b_root, 0)))
root_steps = (
    combined(
        "root, ahead",
        state(_root.says, *_root.given, given(gt(p_root + b_root, 0))),
        (1 / (p_root + b_root), Given(0)),
    ),
    combined(
        "root, behind",
        state(_root.says, *_root.given, given(ge(-p_root - b_root, 0))),
        (2, Given(1)),
        (1, Given(2)),
    ),
    Step("root", _root, Cases(p_root + b_root, "root, ahead", "root, behind")),
)


def below(p: sp.Expr, y: sp.Expr, square: tuple[Term, ...], sign: tuple[Term, ...] = ()) -> Lemma:
    """p <= y, by y^2 - p^2 >= 0 and y >= 0."""
    return Lemma("root", {p_root: p, b_root: y}, {0: square, **({1: sign} if sign else {})})


_up, _down = gamma_max - m_cut, m_cut - gamma_min
# |x - c| is at most |x - m| + |m - c|, and at least |m - c| - |x - m|, at both ends c.
_near = (
    ("not above the low end", n_low, n_away + _down, 2 * _down, 1),
    ("not below the low end", _down - n_away, n_low, 2 * _down, -1),
    ("not above the high end", n_high, n_away + _up, 2 * _up, -1),
    ("not below the high end", _up - n_away, n_high, 2 * _up, 1),
)
_twice = 2 * n_away
cut_steps = (
    *root_steps,
    *(
        combined(name, state(ge(y - p, 0), *inside), (1, below(p, y, ((times, at_most_size(_away, sign)),))))
        for name, p, y, times, sign in _near
    ),
    combined(
        "product",
        state(le(p_root**2, b_root**2), given(ge(b_root - p_root, 0)), given(ge(b_root + p_root, 0))),
        (b_root + p_root, Given(0)),
    ),
    combined(
        "nearer",
        state(le((o_held - m_cut) ** 2, (x_cut - m_cut) ** 2), *inside),
        (
            1,
            Lemma(
                "product",
                {p_root: o_held - m_cut, b_root: n_away},
                {
                    0: ((HALF, Lemma("not above the low end")), (HALF, Lemma("not below the high end"))),
                    1: ((HALF, Lemma("not below the low end")), (HALF, Lemma("not above the high end"))),
                },
            ),
        ),
    ),
    combined(
        "in square",
        state(ge((o_held - m_cut) ** 2 - 2 * c_cut * n_kept + c_cut**2, 0)),
        (1, Square(n_kept - c_cut)),
    ),
)
_above_low = combined(
    "above the low end",
    state(ge(o_held - gamma_min, 0), _ordered),
    (HALF, Lemma("not above the high end", {m_cut: gamma_min})),
)
_below_high = combined(
    "below the high end",
    state(ge(gamma_max - o_held, 0), _ordered),
    (HALF, Lemma("not above the low end", {m_cut: gamma_max})),
)


def side(sign: int) -> tuple[Step, Step]:
    """0 <= (sign (o - m))_+, which is at most what lies between m and the end on that side."""
    room = _up if sign == 1 else _down
    end = Lemma(
        "below the high end" if sign == 1 else "above the low end", {}, {0: ((1, Given(0)), (1, Given(1)))}
    )
    part = (n_kept + sign * (o_held - m_cut)) / 2
    name = "above" if sign == 1 else "below"
    return (
        combined(f"{name}, at least 0", state(ge(part, 0)), (HALF, at_most_size(_off, -sign))),
        combined(
            f"{name}, at most",
            state(ge(room - part, 0), *inside),
            (
                HALF,
                below(
                    n_kept,
                    2 * room - sign * (o_held - m_cut),
                    ((4 * room, end),),
                    ((1, end), (room, One())),
                ),
            ),
        ),
    )


side_steps = (*cut_steps, _above_low, _below_high)
