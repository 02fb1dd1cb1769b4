"""Unlearning, lower bound that gains the dimension: coins in every coordinate.

The retain data toss d independent coins at once: l(theta, s) = mu/2 |theta|^2 - (L/2) <s, theta> with s in
{±1/sqrt(d)}^d, a unit vector, so this is a member of the class; the forget mean is s e_i. In coordinate i the chain
of sharp.lower runs: at a fixed theta* the mean of coin i rises while s falls from 1 to -1, and then s hops back.
All is averaged over i, over the means of the coins in a cube, and over s: by the divergence theorem what the mean
output O_i gains from one end of the cube to the other is what it rises by at a fixed theta*, and over hops. So hops
and segments are spread evenly over the cube, and there sharp.cube.spread bounds the error.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, parameter
from oubli.theory.paper.binomial import gamma_high, gamma_low
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_private, L, R, T, d, mu, r, rho
from oubli.theory.paper.sharper.coordinates import (
    Z_asked,
    at_asked,
    at_problem,
    coin,
    high,
    high_end,
    kept,
    lengths,
    low,
    low_end,
    m_coin,
    ordered,
    own,
    problem_at,
    pulled,
    released,
    s_,
    still,
    summed,
    width,
)
from oubli.theory.paper.sharper.cube_errors import fall, hop, level, price, z_level
from oubli.theory.paper.sharper.cut import at_most_size, b_root, below, m_cut, n_kept, o_held, p_root
from oubli.theory.paper.sharper.likelihood import j_coin
from oubli.theory.paper.sharper.means import risk, x_out, y_worst
from oubli.theory.records.build import by, combined, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    ANYWHERE,
    Object,
    cubed,
    grad,
    information,
    inner,
    mean,
    mean_slope,
    minus,
    numeric,
    opt,
    placed,
    point,
    scaled,
    term,
    tilt,
    total,
    value,
)
from oubli.theory.records.proof import (
    Fill,
    Given,
    Lemma,
    Mean,
    Schema,
    Square,
    SquaredNorm,
    Step,
)

# --- the family: a unit vector s of the first d coordinates tilts the quadratic, in any dimension
x_cube, s_cube, mean_cube = point("x_cube"), point("s_cube"), point("mean_cube")
inside_cube, beyond_cube = point("inside_cube"), point("beyond_cube")
_slope = grad(tilt((L / 2) * s_cube), x_cube)
n_steep = term("n_steep", inner(_slope, _slope), "|slope at x|^2 of the quadratic with tilt (L/2) s")
n_sign = term("n_sign", inner(s_cube, s_cube), "|s|^2")
n_spot = term("n_spot", inner(x_cube, x_cube), "|x|^2")
_member = state(le(n_steep, L**2), given(eq(n_sign, 1)), given(le(n_spot, R**2)))
# The coins have a mean of norm at most 1; an output is theta_r* and its two parts beside it.
_mean_loss = tilt((L / 2) * mean_cube)
_left, _best = inside_cube + beyond_cube, opt(_mean_loss)
M_cube = term(
    "M_cube",
    minus(value(_mean_loss, _best + _left), value(_mean_loss, _best)),
    "excess risk of an output: its value at theta_r* and two parts beside it, less that at theta_r*",
)
n_within = term("n_within", inner(inside_cube, inside_cube), "|part in the subspace|^2")
n_skew = term("n_skew", inner(inside_cube, beyond_cube), "<part in the subspace, part beyond it>")
n_mean = term("n_mean", inner(mean_cube, mean_cube), "|mean of the coins|^2")
_room = given(le(n_mean, 1))
_subspace = state(ge(M_cube, mu / 2 * n_within), _room, given(eq(n_skew, 0)))

# --- the information of the coins
_ends = {1: low_end, 2: high_end}


def _artanh(v: sp.Expr) -> sp.Expr:
    return sp.log(1 + v) / 2 - sp.log(1 - v) / 2


_total = _artanh(gamma_high) - _artanh(gamma_low)


def _info(i: Any) -> Object:
    """1/(1 - v^2), v the mean of a coin."""
    return information(low, high, ANYWHERE, i)


def _integral(i: Any) -> Object:
    """Its integral over the means of the coin."""
    return scaled(gamma_high - gamma_low, cubed(_info(i)))


i_coin = term("i_coin", _info(j_coin), "1/(1 - v^2), the information of a coin of mean v")
I_coins = term("I_coins", _integral(j_coin), "its integral from gamma_low to gamma_high")
_info_says = state(eq(_total, I_coins), ordered)

# --- the segments: at a fixed theta* the mean of a coin rises
s_climb = parameter("s_climb", POSITIVE, "bound on the rise along the segments")
_climb = given(ge(s_climb**2, (gamma_high - gamma_low) * T * z_level**2 * _total))
_for_info, _for_error = T * d * width**2 * z_level**2 / (2 * s_climb), s_climb / (2 * z_level**2)


def _rising(i: Any) -> Object:
    """The derivative of the mean output in the mean of its coin at a fixed theta*."""
    return mean_slope(kept(released(i), i), i)


def _steep(i: Any) -> Object:
    """What rises over the side of the cube, less what information explains."""
    return minus(scaled(width, _rising(i)), scaled(_for_info, _info(i)))


def _steeper(i: Any) -> Object:
    """The same, less what the error explains."""
    return minus(_steep(i), scaled(_for_error, own(i)))


O_tilt = term("O_tilt", _rising(j_coin), "derivative of E O_j in the mean of its coin at a fixed theta*")
O_steep = term("O_steep", total(_steep(k_), d - 1), "what rises, less what information explains, summed")
O_steep_cube = term("O_steep_cube", cubed(total(_steep(k_), d - 1)), "the same in the mean over the cube")
O_rise_cube = term(
    "O_rise_cube",
    scaled(width / d, total(cubed(_rising(k_)), d - 1)),
    "rise of E O_i over the side of the cube at a fixed theta*, averaged over i and the cube",
)
_coin_info = Schema("information", (numeric(low), numeric(high), ANYWHERE, numeric(j_coin)), _ends)
_score = Schema(
    "score of a coin",
    (
        A_private,
        problem_at(j_coin),
        numeric(T),
        numeric(j_coin),
        x_out,
        minus(kept(x_out, j_coin), coin(j_coin)),
    ),
    {1: low_end, 2: high_end, 7: low_end, 8: high_end},
)
_scored = Lemma(
    "of one sign",
    {p_root: i_coin, b_root: d * T * Z_asked - (1 - d * m_coin**2) * O_tilt**2},
    {0: ((1, Lemma("not negative")),), 1: ((1, _score), (d * T, Mean(Lemma("as large", at_asked))))},
)
# Cauchy-Schwarz, as an inequality of two means: (rise)^2 = 4 (one) (other) at most.
_explained = _for_info * i_coin + _for_error * Z_asked
_segments = state(le(O_rise_cube, s_climb), ordered, risk, level, _climb, also=(r,))
_segments_proof = (
    *lengths,
    combined("size", state(ge(n_kept**2, 0)), (1, Square(n_kept))),
    combined("as large", state(ge(n_kept**2 - (o_held - m_cut) ** 2, 0)), (1, Square(sp.Integer(0)))),
    combined("error", state(ge(Z_asked, 0), also=still), (1, Mean(Lemma("size", at_asked)))),
    combined(
        "of one sign",
        state(ge(p_root * b_root, 0), given(ge(p_root, 0)), given(ge(b_root, 0))),
        (p_root, Given(1)),
    ),
    combined(
        "not negative",
        state(ge(i_coin, 0), ordered),
        (-i_coin, _coin_info),
        (d * i_coin**2, Lemma("one coordinate")),
    ),
    combined(
        "one rise",
        state(le(width * O_tilt - _explained, 0), ordered, pulled, also=still),
        (
            1,
            below(
                width * O_tilt,
                _explained,
                (
                    (1, Square(_for_info * i_coin - _for_error * Z_asked)),
                    (width**2, _scored),
                    (width**2 * O_tilt**2, _coin_info),
                ),
                ((_for_info, Lemma("not negative")), (_for_error, Lemma("error"))),
            ),
        ),
    ),
    *summed("rises", _steeper, sp.Integer(0), Lemma("one rise"), (ordered, pulled), still),
    combined(
        "at a place",
        state(le(O_steep, d * s_climb / 2), *at_problem, level, also=(r,)),
        (1, Lemma("rises")),
        (d * _for_error, Lemma("sharp.cube.spread")),
    ),
    Step(
        "over the cube",
        state(ge(d * s_climb / 2 - O_steep_cube, 0), ordered, risk, level, also=(r,)),
        Fill("at a place"),
    ),
    *summed("information", _integral, _total, Lemma("sharp.cube.info"), (ordered,)),
    combined(
        "segments",
        _segments,
        (1 / d, Lemma("over the cube")),
        (T * width * z_level**2 / (2 * s_climb * sp.sqrt(d)), Lemma("information")),
        (1 / (2 * s_climb), Given(3)),
    ),
)


# --- from one end of the cube to the other
def _end(i: Any, end: int) -> Object:
    """The mean output where a coin is at an end of the cube."""
    return mean(kept(released(i, s_, placed(ANYWHERE, i, end)), i))


def _flow(i: Any) -> Object:
    """What the mean output gains between the ends, less what rises in the cube and over hops."""
    within = Object(["+", scaled(width, cubed(_rising(i))).node, scaled(_per_hop, cubed(fall(i))).node])
    return minus(minus(cubed(_end(i, 1)), cubed(_end(i, 0))), within)


def _loss(i: Any) -> Object:
    """How far the mean output at the low end is above that at the high end."""
    return minus(_end(i, 0), _end(i, 1))


_per_hop = width / (2 * rho)
O_flow, O_loss = (term(f"O_{n}", f(j_coin)) for n, f in (("flow", _flow), ("loss", _loss)))
O_loss_cube = term("O_loss_cube", cubed(total(_loss(k_), d - 1)), "what is lost, in the mean over the cube")
_high_sum, _low_sum = (total(cubed(_end(k_, end)), d - 1) for end in (1, 0))
O_gain = term(
    "O_gain",
    scaled(1 / d, minus(_high_sum, _low_sum)),
    "E O_i where coin i is at the high end less that at the low end, averaged over i and the cube",
)
O_falls = term(
    "O_falls",
    scaled(1 / d, total(cubed(fall(k_)), d - 1)),
    "fall of E O_i over a hop, averaged over i and the cube",
)
_flow_says = state(le(O_gain, O_rise_cube + _per_hop * O_falls), ordered, also=still)
_across = Schema(
    "flow",
    (A_private, numeric(T), numeric(low), numeric(high), numeric(j_coin), x_out, kept(x_out, j_coin)),
    _ends,
)
_flow_proof = (
    combined("one coordinate", state(le(O_flow, 0), ordered, also=still), (-1, _across)),
    *summed("flows", _flow, sp.Integer(0), Lemma("one coordinate"), (ordered,), still),
    combined("flow", _flow_says, (1 / d, Lemma("flows"))),
)


def _off(end: int) -> Object:
    """How far the output is from the end where its coin is."""
    there = released(j_coin, s_, placed(ANYWHERE, j_coin, end))
    return minus(kept(there, j_coin), numeric(high if end else low))


_near = {end: Lemma("sharp.cube.near", {ANYWHERE: placed(ANYWHERE, j_coin, end)}) for end in (0, 1)}
_gain = state(ge(O_gain, width - 2 * y_worst), ordered, risk, also=(r,))
_lost = 2 * y_worst - width
_gain_proof = (
    combined(
        "one coordinate",
        state(le(O_loss, _lost), *at_problem, also=(r,)),
        (1, Mean(at_most_size(_off(1), -1))),
        (1, Mean(at_most_size(_off(0)))),
        (1, _near[1]),
        (1, _near[0]),
    ),
    *summed("losses", _loss, _lost, Lemma("one coordinate"), at_problem, (r,)),
    Step(
        "over the cube",
        state(ge(d * _lost - O_loss_cube, 0), ordered, risk, also=(r,)),
        Fill("losses"),
    ),
    combined("gain", _gain, (1 / d, Lemma("over the cube"))),
)

n_hops = parameter("n_hops", NONNEGATIVE, "mean number of hops from end to end")
O_hops_cube = term(
    "O_hops_cube", cubed(scaled(1 / d, total(fall(k_), d - 1))), "fall over a hop in the mean over the cube"
)
_cube = state(
    le(width, 2 * y_worst + s_climb + n_hops * price),
    ordered,
    risk,
    level,
    _climb,
    given(eq(2 * rho * n_hops, width)),
)
_cube_proof = (
    combined("hop", hop, (1, Lemma("sharp.cube.hop"))),
    Step("over the cube", state(ge(price - O_hops_cube, 0), ordered, risk, level, also=(r,)), Fill("hop")),
    combined(
        "cube",
        _cube,
        (1, Lemma("sharp.cube.flow")),
        (1, Lemma("sharp.cube.gain")),
        (1, Lemma("sharp.cube.segments")),
        (_per_hop, Lemma("over the cube")),
        (price / (2 * rho), Given(4)),
    ),
)

CLAIMS = (
    theorem(
        "sharp.cube.member",
        "inefficient",
        "mu/2 |theta|^2 - (L/2) <s, theta> with a unit vector s, of a coordinate subspace say, has slopes of at most L",
        _member,
        proof=by(
            _member,
            (2 * mu**2, Given(1)),
            (-(L**2) / 2, Given(0)),
            (1, SquaredNorm(mu * x_cube + (L / 2) * s_cube)),
        ),
        note="Its strong convexity mu is that of mu/2 |theta|^2: a linear term changes nothing.",
    ),
    theorem(
        "sharp.cube.subspace",
        "inefficient",
        "an output that leaves the coordinate subspace of the family only does worse than its part in it",
        _subspace,
        proof=by(
            _subspace,
            (mu, Schema("tilted", ((L / 2) * mean_cube, _left), {1: ((L**2 / 4, Given(0)),)})),
            (mu, Given(1)),
            (mu / 2, SquaredNorm(beyond_cube)),
        ),
    ),
    theorem(
        "sharp.cube.info",
        "inefficient",
        "the integral of 1/(1 - u^2) from gamma_low to gamma_high is artanh gamma_high - artanh gamma_low",
        _info_says,
        proof=by(
            _info_says,
            (-1, Schema("total information", (numeric(low), numeric(high), numeric(j_coin)), _ends)),
        ),
    ),
    theorem(
        "sharp.cube.segments",
        "inefficient",
        "over the side of the cube the mean output rises at a fixed theta* by at most s, s^2 >= T l^2 (gamma_high - "
        "gamma_low) (artanh gamma_high - artanh gamma_low), averaged over the coordinates and the cube",
        _segments,
        proof=_segments_proof,
        note="The slope is a covariance with the score of T coins, of variance T/(1 - u^2).",
    ),
    theorem(
        "sharp.cube.flow",
        "inefficient",
        "what the mean output gains from one end of a coordinate to the other is at most what it rises by at a fixed "
        "theta*, and w/(2 rho) times what it falls by over a hop, averaged over the coordinates and the cube",
        _flow_says,
        proof=_flow_proof,
        note="The divergence theorem along the lines on which theta* stays where it is.",
    ),
    theorem(
        "sharp.cube.gain",
        "inefficient",
        "it gains at least w - 2 sqrt(x), x e0 the worst risk",
        _gain,
        proof=_gain_proof,
    ),
    theorem(
        "sharp.cube",
        "inefficient",
        "every (eps, delta)-unlearning algorithm in dimension d with T gradients and worst risk x e0: w <= 2 sqrt(x) + s + "
        "n (2 tanh(eps/2) l + (1 - tanh(eps/2)) w delta), w = (gamma_high - gamma_low)/sqrt(d) = 2 rho n",
        _cube,
        proof=_cube_proof,
        depends=("sharp.cube.member", "sharp.cube.subspace"),
        note="The paper leaves the factor d between its bounds open; this closes it for small eps, up to ln(1/delta). "
        "In dimension D every d <= D may be used (sharp.cube.subspace).",
    ),
)
