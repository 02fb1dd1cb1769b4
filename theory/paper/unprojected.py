"""SGD as printed at l.1277 does not project: from a start other than 0 an iterate can leave the ball.

Outside the ball nothing is assumed of a loss. Two losses of the class may agree on the ball and be as steep as one
likes beyond it; so there is no rate for a run that leaves it. In one dimension none does.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis
from oubli.theory.paper.letters import L, R, d, mu
from oubli.theory.paper.mirror import f_any
from oubli.theory.paper.setup import e_1
from oubli.theory.paper.sharper.wide import TWO, Piece, top
from oubli.theory.records.build import case, eq, given, le, state, statement
from oubli.theory.records.objects import (
    ZERO,
    Object,
    grad,
    inner,
    minus,
    plus,
    point,
    term,
    unit,
    value,
)

e_2 = unit(2)
x_first, x_second, x_third, x_rival = (
    point(f"x_{name}") for name in ("first_step", "second", "third", "rival")
)


def _vector(a: Fraction, b: Fraction) -> Object:
    along, across = a * e_1, b * e_2
    return along + across


def _stepped(name: str, before: Object, after: Object, eta: sp.Expr) -> Hypothesis:
    """That `after` is `before` minus eta times the gradient there."""
    moved: Object = eta * grad(f_any, before)
    off = after - before + moved
    return given(eq(term(name, inner(off, off), "squared distance from where the step leads"), 0))


def _in_ball(name: str, x: Object) -> Hypothesis:
    return given(le(term(name, inner(x, x), "squared norm"), R**2))


_middle, _last = 2 * x_second, 3 * x_third
_released: Object = sp.Rational(1, 10) * (x_first + _middle + _last)
G_third = term(
    "G_third",
    minus(value(f_any, _released), value(f_any, x_rival)),
    "F(what is released for T = 3) - F(a point of the ball)",
)
_third_step = state(
    le(G_third, 2 * L**2 / (5 * mu)),
    _in_ball("start_square", x_first),
    _in_ball("rival_square", x_rival),
    _stepped("off_second", x_first, x_second, 1 / mu),
    _stepped("off_third", x_second, x_third, 2 / (3 * mu)),
    also=(d,),
)
# The losses of gauss.sensitivity.scale with a third piece, which is active beyond the ball alone.
WALL: tuple[Piece, ...] = (*TWO, ("0", "-100", "-53", "2500"))

CLAIMS = (
    statement(
        "sgd.rate.start",
        1277,
        "SGD as printed, from any point of the ball: at T = 3, where all data have one loss, the gap is at most 2 L^2/(5 mu)",
        _third_step,
        instances=(
            case(
                "d = 2, from (1/2, 0): |x|^2/2 + max(<k, x>, <h, x> - 97/1000, -100 x_2 - 53), the loss of "
                "gauss.sensitivity.scale with a wall beyond the ball; theta_1 = -h lies outside, at the wall, and theta_2 "
                "at a height of 66",
                {L: 1, mu: 1, d: 2},
                objects={
                    "f_any": plus(top(WALL, 1)),
                    "x_first_step": _vector(Fraction(1, 2), Fraction(0)),
                    "x_second": _vector(Fraction(-1, 20), Fraction(-27, 50)),
                    "x_third": _vector(Fraction(-1, 60), Fraction(200, 3) - Fraction(9, 50)),
                    "x_rival": ZERO,
                },
            ),
        ),
        repaired_by="sgd.rate.repaired",
        note="The display names no start, and this is what it says of any; the lemma uses it from 0 (l.366), which is "
        "sgd.rate.",
    ),
)
