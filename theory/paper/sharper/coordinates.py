"""Coins in every coordinate: their means anywhere in a cube, and how far each coordinate of an output is from its own.

The retain data toss d independent coins at once, s in {±1/sqrt(d)}^d of mean m; the forget data pull along one
coordinate. O_i is coordinate i of what is released, in units R, cut to the side of the cube; m is best.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis
from oubli.theory.kernel.symbols import NATURAL, parameter
from oubli.theory.paper.binomial import gamma_high, gamma_low, gamma_max, gamma_min
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_private, L, R, T, d, e0, mu, r
from oubli.theory.paper.sharper.cut import (
    b_root,
    c_cut,
    cut,
    cut_steps,
    inside,
    m_cut,
    n_kept,
    p_root,
    size,
    x_cut,
)
from oubli.theory.paper.sharper.likelihood import j_coin
from oubli.theory.paper.sharper.means import risk, y_worst
from oubli.theory.records.build import combined, ge, given, le, state
from oubli.theory.records.objects import (
    ANYWHERE,
    Object,
    axis,
    box,
    coin_problem,
    inner,
    mean,
    minus,
    numeric,
    opt,
    out,
    retain,
    scaled,
    term,
    total,
)
from oubli.theory.records.proof import Given, Induction, Lemma, One, Schema, Square, Step, Term

width = (gamma_high - gamma_low) / sp.sqrt(d)
low, high = gamma_low / sp.sqrt(d), gamma_high / sp.sqrt(d)
s_ = parameter("s_", meaning="mean of the forget data along the coordinate that they pull")
i_other = parameter("i_other", NATURAL, "the number of another coordinate")
ordered, pulled = given(le(gamma_low, gamma_high)), given(le(s_**2, 1))
at_problem = (ordered, pulled, risk)
still = (r, L, mu, T)
# A problem asks for means of its coins in [-1, 1].
low_end, high_end = ((1 + gamma_low, One()),), ((1 - gamma_high, One()),)
means = box(low, high, ANYWHERE)


def problem_at(j: Any, s: Any = s_, w: Object = ANYWHERE) -> Object:
    """Coins of means somewhere in the cube; the forget data pull along coordinate j."""
    return coin_problem(box(low, high, w), s * axis(j))


def released(j: Any, s: Any = s_, w: Object = ANYWHERE) -> Object:
    """What a private algorithm releases on it."""
    return out(A_private, problem_at(j, s, w), T)


def along(x: Object, i: Any) -> Object:
    """A coordinate, in units R."""
    return scaled(2 * mu / L, inner(x, axis(i)))


def kept(x: Object, i: Any) -> Object:
    """The same, cut to the side of the cube."""
    return cut(along(x, i), low, high)


def coin(i: Any) -> Object:
    """A coordinate of the mean of the coins."""
    return inner(means, axis(i))


def squared(x: Object) -> Object:
    """The square of a number."""
    return Object(["^", x.node, 2])


def error(x: Object, i: Any) -> Object:
    """|O_i - m_i| at an outcome."""
    return size(minus(kept(x, i), coin(i)))


def at_side(x: Object, i: Any) -> dict[Any, Any]:
    """What is cut, and to what: a coordinate, to the side of the cube; around the mean of its coin."""
    return {x_cut: along(x, i), m_cut: coin(i), gamma_min: low, gamma_max: high}


def between(i: Any) -> dict[Any, tuple[Term, ...]]:
    """The mean of each coin lies on the side of the cube."""
    ends = ("above the low side", "below the high side")
    return {n: ((1, Lemma(name, {j_coin: i})),) for n, name in enumerate(ends)}


def summed(
    name: str,
    number: Callable[[Any], Object],
    bound: sp.Expr | int,
    each: Lemma,
    facts: tuple[Hypothesis, ...] = (),
    also: tuple[sp.Symbol, ...] = (),
) -> tuple[Step, ...]:
    """The sum of a number over the coordinates is at most d times what bounds it at each of them."""
    none, some, more, every = (
        term(f"{name.replace(' ', '_')}_{which}", total(number(k_), last), f"{name}: sum over coordinates")
        for which, last in (("none", -1), ("some", j_coin - 1), ("more", j_coin), ("every", d - 1))
    )
    before = j_coin * bound - some
    return (
        combined(
            f"{name}, none", state(ge(-none, 0), *facts, also=also), (-1, Schema("empty sum", (number(k_),)))
        ),
        combined(
            f"{name}, one more",
            state(ge((j_coin + 1) * bound - more, 0), given(ge(before, 0)), *facts, also=also),
            (1, Given(0)),
            (1, each),
            (-1, Schema("sum step", (number(k_), numeric(j_coin - 1)))),
        ),
        Step(
            name,
            state(ge(d * bound - every, 0), *facts, also=also),
            Induction(j_coin, before, f"{name}, none", f"{name}, one more", {}, {}, d),
        ),
    )


# --- the means of the coins lie in the cube, and in the unit ball
y_coin = term("y_coin", inner(ANYWHERE, axis(j_coin)), "a coordinate of a point of the cube [0, 1]^d")
m_coin = term("m_coin", coin(j_coin), "a coordinate of the mean of the coins")
n_coins = term("n_coins", inner(means, means), "|mean of the coins|^2")
_in_cube = Schema("cube", (ANYWHERE, numeric(j_coin)))
on_side = (
    combined("above 0", state(ge(y_coin, 0)), (1, _in_cube), (1, Square(y_coin))),
    combined("below 1", state(ge(1 - y_coin, 0)), (1, _in_cube), (1, Square(1 - y_coin))),
    combined("above the low side", state(ge(m_coin - low, 0), ordered), (width, Lemma("above 0"))),
    combined("below the high side", state(ge(high - m_coin, 0), ordered), (width, Lemma("below 1"))),
)
_short = {
    0: ((1, Lemma("below the high side")), ((1 - gamma_high) / sp.sqrt(d), One())),
    1: ((1, Lemma("above the low side")), ((1 + gamma_low) / sp.sqrt(d), One())),
}
lengths = (
    *cut_steps,
    *on_side,
    combined(
        "one coordinate",
        state(le(m_coin**2, 1 / d), ordered),
        (1, Lemma("product", {p_root: m_coin, b_root: 1 / sp.sqrt(d)}, _short)),
    ),
    *summed("coordinates", lambda i: squared(coin(i)), 1 / d, Lemma("one coordinate"), (ordered,)),
    combined(
        "mean of coins",
        state(le(n_coins, 1), ordered),
        (1, Lemma("coordinates")),
        (1, Schema("Parseval", (means,))),
    ),
)

# --- the risk on one problem
_best = opt(retain(problem_at(j_coin)))
far = (2 * mu / L) * released(j_coin) - means
W_cube = term("W_cube", mean(inner(far, far)), "E|x - m|^2, x the output in units R")
risks = (
    *lengths,
    combined(
        "risk",
        state(le(W_cube, y_worst**2), *at_problem, also=(r,)),
        (1 / e0, Given(2)),
        (
            1 / e0,
            Schema(
                "worst", (A_private, numeric(r), numeric(T), problem_at(j_coin)), {2: low_end, 3: high_end}
            ),
        ),
        (
            -mu / (2 * e0),
            Schema(
                "tilted", ((L / 2) * means, _best - R * means), {1: ((L**2 / 4, Lemma("mean of coins")),)}
            ),
        ),
    ),
)

# --- one coordinate, cut
in_size = combined(
    "in size", state(ge(n_kept**2 - 2 * c_cut * n_kept + c_cut**2, 0)), (1, Square(n_kept - c_cut))
)
nearer_in_size = combined(
    "nearer, in size", state(le(n_kept**2, (x_cut - m_cut) ** 2), *inside), (1, Lemma("nearer"))
)


def off_square(i: Any) -> Object:
    """E(x_i - m_i)^2 for a coordinate that is not cut, where coordinate j is pulled."""
    return mean(squared(minus(along(released(j_coin), i), coin(i))))


def own(i: Any, s: Any = s_) -> Object:
    """E(O_i - m_i)^2 where coordinate i is pulled."""
    return mean(squared(error(released(i, s), i)))


def absolute(i: Any, s: Any = s_) -> Object:
    """E|O_i - m_i| where coordinate i is pulled."""
    return mean(error(released(i, s), i))


Z_asked = term("Z_asked", own(j_coin), "E(O_j - m_j)^2 where j is pulled")
Y_asked = term("Y_asked", absolute(j_coin), "E|O_j - m_j| where j is pulled")
at_asked = at_side(released(j_coin), j_coin)
