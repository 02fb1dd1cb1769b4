"""How far apart optima can lie in d >= 2: explicit forget losses with affine pieces, mirror images of each other.

The forget losses are mu/2 |x|^2 and the largest of affine functions, the last of which is active at the optimum;
the retain loss is mu/2 |x|^2 - L/2 <e_1, x>. The kernel computes that the losses are members and where the optima are.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.letters import L, d, mu, r
from oubli.theory.paper.privacy import D_optima
from oubli.theory.records.build import by, ge, given, le, state, theorem
from oubli.theory.records.claim import Claim
from oubli.theory.records.objects import Object, grad, largest, mix, numeric, opt, plus, tilt, unit
from oubli.theory.records.proof import Given, One, Schema, Term

Piece = tuple[str, str, str, str]  # its gradient in units L, its constant in units L^2/mu, and its multiplier
e_1, e_2 = unit(1), unit(2)
centre = tilt((L / 2) * e_1)


def _slope(piece: Piece, side: int) -> Object:
    along: Object = (sp.Rational(piece[0]) * L) * e_1
    across: Object = (side * sp.Rational(piece[1]) * L) * e_2
    return along + across


def top(pieces: tuple[Piece, ...], side: int) -> Object:
    """The largest of the affine functions, or of their mirror images."""
    return largest(*((_slope(p, side), sp.Rational(p[2]) * L**2 / mu, sp.Rational(p[3])) for p in pieces))


def _optimum(pieces: tuple[Piece, ...], side: int) -> Object:
    """The minimiser of the mixture: (1 - r) R e_1 - r/mu times the last slope."""
    along: Object = ((1 - r) * L / (2 * mu)) * e_1
    moved: Object = (r / mu) * _slope(pieces[-1], side)
    return along - moved


def _ahead(pieces: tuple[Piece, ...], i: int, most: sp.Rational) -> tuple[Term, ...]:
    """At the optimum the last piece is larger than the i-th, for every r <= most."""
    (a, b, c), (k, m, n) = ([sp.Rational(x) for x in pieces[j][:3]] for j in (-1, i))
    level, falls = (a - k) / 2 + c - n, (a - k) * (a + sp.Rational(1, 2)) + (b - m) * b
    return (falls * L**2 / mu, Given(0)), ((level - falls * most) * L**2 / mu, One())


def _in_the_ball(pieces: tuple[Piece, ...], most: sp.Rational) -> tuple[Term, ...]:
    """So is the optimum: |y|^2 = R^2 - r (1/2 + h_1) (L/mu)^2 + r^2 (…)."""
    inward = sp.Rational(pieces[-1][0]) + sp.Rational(1, 2)
    square = inward**2 + sp.Rational(pieces[-1][1]) ** 2
    unit_square = r * L**2 / mu**2
    return (square * unit_square, Given(0)), ((inward - square * most) * unit_square, One())


def _found(pieces: tuple[Piece, ...], side: int, most: sp.Rational) -> Schema:
    """Where the minimiser is, along e_2: there the slope of the last piece balances the retain loss."""
    highest, y, last = top(pieces, side), _optimum(pieces, side), len(pieces) - 1
    ahead = {i: _ahead(pieces, i, most) for i in range(last)}
    off = grad(highest, y) - _slope(pieces[-1], side)
    still = (r**2, Schema("largest slope", (highest, Object(last), y, off), ahead))
    inside = 3 * last + 5  # the conditions of the two losses come first
    return Schema(
        "flat",
        (mix(r, plus(highest), centre), y, e_2),
        {inside: _in_the_ball(pieces, most), inside + 1: (still,)},
    )


TWO: tuple[Piece, ...] = (("-4/25", "47/100", "0", "0"), ("1/20", "27/50", "-97/1000", "2"))
# In units 10^-5, and the multipliers 10^-2: slopes that turn with the direction in which each of them is active.
EIGHT: tuple[Piece, ...] = tuple(
    (f"{a}/100000", f"{b}/100000", f"{c}/100000", f"{k}/100")
    for a, b, c, k in (
        (-39689, 30409, 0, 0),
        (-31606, 40950, -3911, 174),
        (-23596, 48157, -7810, 365),
        (-15636, 53388, -11698, 616),
        (-7743, 57193, -15562, 962),
        (-8, 59844, -19357, 1478),
        (7474, 61518, -23033, 2284),
        (14604, 62304, -26536, 3443),
    )
)


def _wide(key: str, pieces: tuple[Piece, ...], most: sp.Rational) -> Claim:
    """Optima as far apart as the last slopes are, for every r up to some fraction."""
    width = 2 * sp.Rational(pieces[-1][1])
    upper, lower = (plus(top(pieces, side)) for side in (-1, 1))
    apart = opt(mix(r, upper, centre)) - opt(mix(r, lower, centre))
    says = state(ge(D_optima, width * r * L / mu), given(le(r, most)), given(ge(d, 2)))
    return theorem(
        key,
        "gauss.sensitivity.scale",
        f"for r <= {most} in d >= 2 some optima lie {float(width)} r L/mu apart, by losses of {len(pieces)} affine pieces",
        says,
        proof=by(
            says,
            (1, Schema("spread", (numeric(r), upper, lower, centre))),
            (1, Schema("Cauchy-Schwarz", (apart, e_2))),
            (1, _found(pieces, -1, most)),
            (-1, _found(pieces, 1, most)),
        ),
    )


CLAIMS = (
    _wide("sharp.sensitivity.wide", TWO, sp.Rational(51, 1000)),
    _wide("sharp.sensitivity.wider", EIGHT, sp.Rational(11, 1000)),
)
