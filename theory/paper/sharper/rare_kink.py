"""A rare kink: retain losses that turn at theta*, so few that T gradients likely meet none of them.

Problem N_y: retain losses mu/2 |theta|^2 - (L/2) <s, theta>, s coins of mean y/(1 - r); forget loss mu/2 |theta|^2. Problem
W_y: with probability a the retain loss is mu/2 |theta|^2 + (L/2) |theta - R y| instead. Both have the optimum R y of all
data, in W_y it is that of the retain data too, and whatever misses it by z pays a (L/2) |z|: a private release cannot hit it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, UNIT, parameter
from oubli.theory.paper.letters import A_private, L, R, S_any, delta, epsilon, mu, r
from oubli.theory.records.build import by, eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import (
    ZERO,
    Object,
    added,
    chance,
    coin_problem,
    cone,
    cut,
    excess,
    explicit_problem,
    forget,
    inner,
    mix,
    norm,
    numeric,
    opt,
    out,
    point,
    rarely,
    retain,
    scaled,
    term,
    tilt,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

A_ball = parameter("A_ball", POSITIVE, "radius of the sphere of starts, in units R")
a_rare = parameter("a_rare", UNIT, "share of the retain losses with a kink at theta*")
tilt_rare = (a_rare - r) / (1 - r)

# --- a root is monotone
x_less = parameter("x_less", meaning="a number")
y_more = parameter("y_more", NONNEGATIVE, "a number whose square is not smaller")
_larger = given(ge(y_more**2 - x_less**2, 0))
_root_says = ge(y_more - x_less, 0)
_root = state(_root_says, _larger)
_ahead, _behind = state(_root_says, _larger, given(gt(x_less, 0))), state(_root_says, given(ge(-x_less, 0)))

# --- the two problems, and their start
y_rare, x_rare = point("y_rare"), point("x_rare")
QUAD = Object(["quad"])


def plain(y: Object) -> Object:
    """N_y."""
    return coin_problem((1 / (1 - r)) * y, ZERO)


def kinked(y: Object) -> Object:
    """The retain loss with a kink at R y."""
    return cone(R * y, L / 2)


def walled(y: Object) -> Object:
    """W_y."""
    return rarely(a_rare, kinked(y), plain(y), QUAD)


def star(D: Object) -> Object:
    """theta*."""
    return opt(mix(r, forget(D), retain(D)))


_moved = star(walled(y_rare)) - star(plain(y_rare))
n_moved = term("n_moved", inner(_moved, _moved), "squared distance of the two theta*")
n_start = term("n_start", inner(y_rare, y_rare), "|y|^2")
room = given(le(n_start, (1 - r) ** 2))
_start = state(eq(n_moved, 0), room, also=(a_rare, L, mu))
_HALF = L**2 / 4
_pull = (1 / (1 - r)) * y_rare
_inside: tuple[Term, ...] = ((R**2, Given(0)), (R**2 * r * (2 - r), One()))
_start_proof = by(
    _start,
    (
        1,
        Schema(
            "kinked",
            (
                R * y_rare,
                ((1 - r) * (1 - a_rare) * L / 2) * _pull,
                numeric((1 - r) * a_rare * L / 2),
                _moved,
            ),
            {
                0: ((L / 2 * (r + (1 - r) * (1 - a_rare)), One()),),
                1: (
                    (_HALF * (1 - a_rare) ** 2, Given(0)),
                    (_HALF * r * (r + 2 * (1 - r) * (1 - a_rare)), One()),
                ),
                3: _inside,
                4: ((_HALF * a_rare**2, Given(0)),),
            },
        ),
    ),
    (
        -1,
        Schema(
            "tilted",
            (((1 - r) * L / 2) * _pull, _moved),
            {1: ((_HALF, Given(0)), (_HALF * r * (2 - r), One()))},
        ),
    ),
)


# --- what an output costs
def charged(v: Object, y: Object, share: sp.Expr = a_rare, tilt: sp.Expr = tilt_rare) -> Object:
    """mu/2 |z|^2 + mu a' R <y, z> + a (L/2) |z| for the miss z = v - R y."""
    z = v - R * y
    parts = ((mu / 2, inner(z, z)), (mu * tilt * R, inner(y, z)), (share * L / 2, norm(z)))
    return added(*(scaled(c, number) for c, number in parts))


_wall = retain(walled(y_rare))
X_wall = term("X_wall", excess(_wall, x_rare), "excess risk of an output on W_y")
psi_rare = term(
    "psi_rare", charged(x_rare, y_rare), "mu/2 |z|^2 + mu a' R <y, z> + a (L/2) |z| for an output"
)
_excess = state(ge(X_wall, psi_rare), room)


def optimal(f: Object, x: Object, slope: dict[int, Any], inside: tuple[Term, ...]) -> tuple[Term, ...]:
    """f(x) >= min f at a point of the ball; `slope` shows a condition for f to be in the class."""
    step, last = x - opt(f), 1 + max(slope, default=2)
    in_ball = {last: ((1, Schema("ball", (opt(f),), slope)),), last + 1: inside}
    return (
        (1, Schema("strong convexity", (f, opt(f), x, f), {**slope, **in_ball})),
        (1, Schema("stationary", (f, step), slope)),
        (mu / 2, SquaredNorm(step)),
    )


_slope = {6: ((_HALF / (1 - r) ** 2, Given(0)),)}
_radius = term("radius_rare", norm(y_rare), "|y|")
n_miss = term("n_miss", norm(x_rare - R * y_rare), "|z| for an output, in the units of theta")
_least = state(ge(psi_rare, 0), room, given(le(r, a_rare)), also=(n_miss,))
_towards = Schema("Cauchy-Schwarz", (-y_rare, x_rare - R * y_rare))
_short = Lemma("sharp.rare.root", {x_less: _radius, y_more: 1 - r}, {0: ((1, Given(0)),)})

# --- cutting the output to a ball that contains y
_cut_out = cut(R * A_ball, x_rare)
psi_cut = term(
    "psi_cut", charged(_cut_out, y_rare), "the same for the output projected on the ball of radius A R"
)
n_cut = term("n_cut", norm(_cut_out - R * y_rare), "|z| for the projected output")
o_length = term("o_length", norm(x_rare), "|O|, O the output")
o_cut_length = term("o_cut_length", norm(_cut_out), "the same for the projected output")
_cut = state(
    ge(psi_rare, psi_cut),
    given(le(n_start, A_ball**2)),
    given(le(r, a_rare)),
    also=(n_miss, n_cut, o_length, o_cut_length),
)
_nearer = Schema("cut", (numeric(R * A_ball), x_rare, R * y_rare), {1: ((R**2, Given(0)),)})
_shorter = Schema("cut", (numeric(R * A_ball), x_rare, ZERO))


# --- without a gradient: every loss may have the kink, and two starts share a retain loss
def wall(y: Object) -> Object:
    """W_y with a = 1, the forget data too."""
    return explicit_problem(kinked(y), kinked(y))


def pair(y: Object, other: Object) -> Object:
    """The start R y; with the two exchanged R times the other, and the retain data stay."""
    return explicit_problem(tilt((L / (4 * (1 - r))) * (y + other)), tilt((L / (4 * r)) * (y - other)))


y_other = point("y_other")
_begun = star(wall(y_rare)) - star(pair(y_rare, y_other))
n_begun = term("n_begun", inner(_begun, _begun), "squared distance of the two theta*")
_begin = state(eq(n_begun, 0), room, also=(L, mu))
_kink = (R * y_rare, ZERO, numeric(L / 2), _begun)
_both = (1 - r) * ((L / (4 * (1 - r))) * (y_rare + y_other)) + r * ((L / (4 * r)) * (y_rare - y_other))
_bent: tuple[Term, ...] = ((_HALF, Given(0)), (_HALF * r * (2 - r), One()))
X_still = term(
    "X_still", excess(kinked(y_rare), x_rare), "excess risk of an output where all losses have the kink"
)
yz_miss = term("yz_miss", inner(y_rare, x_rare - R * y_rare), "<y, z>")
_still = state(ge(X_still, psi_rare), room, given(eq(a_rare, 1)), also=(n_miss, yz_miss))
n_other = term("n_other", inner(y_other, y_other), "|y'|^2")
n_pair = term("n_pair", inner(y_rare - y_other, y_rare - y_other), "|y - y'|^2")
SMALL_PAIR = (room, given(le(n_other, (1 - r) ** 2)), given(le(n_pair, 4 * r**2)))
_QUARTER = L / 4
# The losses of a pair are in the class.
RETAINED: tuple[Term, ...] = (
    ((_QUARTER / (1 - r)) ** 2, SquaredNorm(y_rare - y_other)),
    (2 * (_QUARTER / (1 - r)) ** 2, Given(0)),
    (2 * (_QUARTER / (1 - r)) ** 2, Given(1)),
)
FORGOTTEN: tuple[Term, ...] = (((_QUARTER / r) ** 2, Given(2)),)
PAIR_OUT, OTHER_OUT = (out(A_private, D, 0) for D in (pair(y_rare, y_other), pair(y_other, y_rare)))
p_pair = term("p_pair", chance(PAIR_OUT, S_any), "P[output in S] on a problem of a pair that starts at R y")
p_other = term("p_other", chance(OTHER_OUT, S_any), "P[output in S] on the one that starts at R y'")
_pair = state(le(p_other, sp.exp(epsilon) * p_pair + delta), *SMALL_PAIR, also=(L, mu))
_pair_members = {1: RETAINED, 2: FORGOTTEN, 3: RETAINED, 4: FORGOTTEN}
_pair_proof = by(
    _pair,
    (
        1,
        Schema(
            "unlearning",
            (A_private, pair(y_other, y_rare), pair(y_rare, y_other), numeric(0), S_any),
            _pair_members,
        ),
    ),
)

CLAIMS = (
    theorem(
        "sharp.rare.root",
        "inefficient",
        "x <= y if x^2 <= y^2 and y >= 0",
        _root,
        proof=(
            Step("ahead", _ahead, Combination(((1 / (x_less + y_more), Given(0)),))),
            Step("behind", _behind, Combination(((1, Given(0)), (y_more, One())))),
            Step("both", _root, Cases(x_less, "ahead", "behind")),
        ),
    ),
    theorem(
        "sharp.rare.start",
        "inefficient",
        "R y is optimal for all data of W_y and of N_y: the kink there takes what is left of the slope, for |y| <= 1 - r",
        _start,
        proof=_start_proof,
    ),
    theorem(
        "sharp.rare.excess",
        "inefficient",
        "an output that misses R y by z costs at least mu/2 |z|^2 + mu a' R <y, z> + a (L/2) |z| on W_y, a' = (a - r)/(1 - r)",
        _excess,
        proof=by(_excess, *optimal(_wall, R * y_rare, _slope, _inside)),
        note="That is (|z|^2 + 2 a' <y, z> + 2 a |z|) e0 with z in units R.",
    ),
    theorem(
        "sharp.rare.least",
        "inefficient",
        "that is nonnegative for |y| <= 1 - r and a >= r: R y is the retain optimum of W_y",
        _least,
        proof=by(
            _least,
            (mu / 2, SquaredNorm(x_rare - R * y_rare)),
            (mu * tilt_rare * R, _towards),
            (mu * tilt_rare * R * n_miss, _short),
            (r * n_miss * L / 2, One()),
        ),
    ),
    theorem(
        "sharp.rare.cut",
        "inefficient",
        "projecting the output on the ball of radius A R does not raise that, |y| <= A and a >= r",
        _cut,
        proof=by(
            _cut,
            (mu / 2 * (1 - tilt_rare) * (n_miss + n_cut) + a_rare * L / 2, _nearer),
            (mu / 2 * tilt_rare * (o_length + o_cut_length), _shorter),
        ),
    ),
    theorem(
        "sharp.rare.begin",
        "inefficient",
        "R y is optimal for all data if all losses have a kink there, and for quadratics with the retain data of R y and R y'",
        _begin,
        proof=by(
            _begin,
            (1, Schema("kinked", _kink, {3: _inside, 4: _bent})),
            (-1, Schema("tilted", (_both, _begun), {1: _bent})),
        ),
    ),
    theorem(
        "sharp.rare.pair",
        "inefficient",
        "without a gradient any event has on one problem of a pair at most e^eps times its probability on the other and delta",
        _pair,
        proof=_pair_proof,
    ),
    theorem(
        "sharp.rare.still",
        "inefficient",
        "where all losses have the kink an output costs at least as much as on W_y with a = 1",
        _still,
        proof=by(
            _still,
            *optimal(kinked(y_rare), R * y_rare, {}, _inside),
            (-(mu * R / (1 - r) * yz_miss + L / 2 * n_miss), Given(1)),
        ),
    ),
)
