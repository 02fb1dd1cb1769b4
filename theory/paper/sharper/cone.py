"""The cone test: of an output O, how far it lies in a direction e, less cot(w0) times what is orthogonal to it.

u and e are orthonormal, uniform; u' = cos(eta) u + sin(eta) e, e' = -sin(eta) u + cos(eta) e are so too. The test is
f = (<O, e> - cot(w0) |O - <O, u> u - <O, e> e|)_+. If O was drawn at the start A u it is independent of e, and the angle
of e and O - <O, u> u is that of two independent directions in d - 1 dimensions; at the start A u' the same holds for
e'. Only means of 1, cos and sin over caps enter. eta is given by the tangent of its half.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, parameter
from oubli.theory.paper.letters import L, R, d, mu, r
from oubli.theory.paper.sharper.rare_kink import A_ball, x_rare
from oubli.theory.records.build import by, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    AHEAD,
    ASIDE,
    Object,
    added,
    cut,
    inner,
    minus,
    norm,
    numeric,
    scaled,
    term,
)
from oubli.theory.records.proof import Given, Lemma, One, Schema, Square, SquaredNorm

k_cone = parameter("k_cone", NONNEGATIVE, "cot(w0), w0 the half angle of the cone")
t_turn = parameter("t_turn", POSITIVE, "tan(eta/2), eta the angle of a hop on the sphere")
sine, cosine = 2 * t_turn / (1 + t_turn**2), (1 - t_turn**2) / (1 + t_turn**2)
_length = state(
    le((A_ball * cosine - A_ball) ** 2 + (A_ball * sine) ** 2, 4 * r**2),
    given(le(A_ball**2 * t_turn**2, r**2 * (1 + t_turn**2))),
)


def across(o: Object, *directions: Object) -> Object:
    """The length of what is orthogonal to some directions."""
    parts = [Object(["v*", ["*", -1, inner(o, v).node], v.node]).node for v in directions]
    return norm(Object(["v+", o.node, *parts]))


def _root(number: Object) -> Object:
    return Object(["^", ["^", number.node, 2], "1/2"])


def positive_part(number: Object) -> Object:
    """The larger of a number and 0."""
    return Object(["*", "1/2", added(number, _root(number)).node])


def _ahead(o: Object) -> Object:
    """What the test takes the positive part of."""
    return minus(inner(o, ASIDE), scaled(k_cone, across(o, AHEAD, ASIDE)))


def test(o: Object) -> Object:
    """The test of an output."""
    return positive_part(_ahead(o))


# --- a positive part is between 0 and a bound on the number
x_part = parameter("x_part", meaning="a number")
m_part = parameter("m_part", POSITIVE, "a number that is not smaller")
part = term("part", positive_part(numeric(x_part)), "the positive part of a number")
root_part = term("root_part", _root(numeric(x_part)), "its absolute value")
_most = state(le(part, m_part), given(le(x_part, m_part)), also=(root_part,))


# --- the test of an output that is projected on the ball of radius A R
o_cut = cut(R * A_ball, x_rare)
f_cone = term("f_cone", test(o_cut), "the test at an output")
o_aside = term("o_aside", inner(o_cut, ASIDE), "<O, e>")
o_rest = term("o_rest", across(o_cut, AHEAD, ASIDE), "|O - <O, u> u - <O, e> e|")
_plane = given(ge(d, 2))
_tested = state(ge(f_cone, 0), _plane, also=(A_ball,))
_unit = Object(["e", 1])
_number = Object(["v*", ["*", -1, _ahead(o_cut).node], _unit.node])
_bounded = state(le(f_cone, R * A_ball), _plane, also=(o_aside, o_rest, L, mu))
_size = 2 * R * A_ball
TESTED = {"least": _tested, "most": _bounded}

CLAIMS = (
    theorem(
        "sharp.cone.length",
        "inefficient",
        "|A u' - A u| <= 2 r once A sin(eta/2) <= r",
        _length,
        proof=by(_length, (4 / (1 + t_turn**2), Given(0))),
    ),
    theorem(
        "sharp.cone.part",
        "inefficient",
        "the positive part of x is at most m if x is, for m > 0",
        _most,
        proof=by(_most, (2 * m_part / (2 * m_part - x_part + root_part), Given(0))),
    ),
    theorem(
        "sharp.cone.least",
        "inefficient",
        "the test is at least 0",
        _tested,
        proof=by(_tested, (sp.Rational(1, 2), Schema("Cauchy-Schwarz", (_number, _unit)))),
    ),
    theorem(
        "sharp.cone.most",
        "inefficient",
        "the test of an output in the ball of radius A R is at most A R",
        _bounded,
        proof=by(
            _bounded,
            (
                1,
                Lemma(
                    "sharp.cone.part",
                    {x_part: _ahead(o_cut), m_part: R * A_ball},
                    {
                        0: (
                            (1 / _size, Schema("cut length", (numeric(R * A_ball), x_rare))),
                            (
                                1 / _size,
                                SquaredNorm(o_cut - Object(["v*", inner(o_cut, ASIDE).node, ASIDE.node])),
                            ),
                            (1 / _size, Square(R * A_ball - o_aside)),
                            (k_cone * o_rest, One()),
                        )
                    },
                ),
            ),
        ),
    ),
)
