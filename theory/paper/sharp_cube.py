"""Unlearning, lower bound that gains the dimension: coins in every coordinate.

The retain data toss d independent coins at once: l(theta, s) = mu/2 |theta|^2 - (L/2) <s, theta> with s in
{±1/sqrt(d)}^d, a unit vector, so this is a member of the class; the coin of coordinate i has mean u_i, and
m_i = u_i/sqrt(d). The forget mean is a multiple f e_i. Along a line in coordinate i the chain of sharp.lower runs:
segments at a fixed theta*, where coin i changes while f runs from 1 to -1, and hops of f from -1 to 1 at a fixed m.
All is averaged over i, over the other coordinates in the cube of means, and over the place of the first hop; so
hops and segments are spread evenly over the cube. At each m the laws for f e_1, …, f e_d are private neighbours,
so an output cannot be wrong in coordinate i mostly when i is asked for: what is seen is about 1/d of the error.
"""

from __future__ import annotations

import sympy as sp

from theory.paper.binomial import g_hi, g_lo, u
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.lecam import worst
from theory.paper.sharp_lower import E, mh, mp, mq, off, tanh
from theory.paper.sharp_scratch import mean_risk
from theory.proof import Combination, Expectation, Given, Integrate, Lemma, Norm, Square, Step
from theory.symbols import NONNEGATIVE, POSITIVE, L, R, T, d, delta, e0, letter, mu, parameter, rho
from theory.vectors import square, vector

width = parameter("w_c", NONNEGATIVE, "side of the cube of means: (gamma_2 - gamma_1)/sqrt(d)")
level = parameter("l_c", POSITIVE, "bound on the mean error in the coordinate asked for")

# --- the family: a unit vector s of the first d coordinates tilts the quadratic, in any dimension
x, s, inside, beyond = vector("x_c"), vector("s_c"), vector("i_c"), vector("o_c")
_member = state(
    le(square(sp.sympify(mu) * x - (L / 2) * s), L**2),
    fact("definition", eq(square(s), 1)),
    fact("ball", le(square(x), R**2)),
)
excess = letter("M_cube", NONNEGATIVE, "excess risk of an output: mu/2 |output - theta_r*|^2")
_subspace = state(
    ge(excess, mu / 2 * square(inside)),
    # theta_r* = R m lies in the first d coordinates; i_c and o_c are the two parts of output - theta_r*.
    fact("definition", eq(excess, mu / 2 * (square(inside) + square(beyond)))),
)

# --- the error in the coordinate asked for
one_error = letter("z_c", NONNEGATIVE, "|O_i - m_i| at one outcome")
one_square = letter("z_cc", NONNEGATIVE, "(O_i - m_i)^2 at one outcome")
error = letter("Z_1", NONNEGATIVE, "E|O_i - m_i| under the laws for ±e_i, averaged over i and the cube")
squared = letter(
    "Z_f", NONNEGATIVE, "E(O_i - m_i)^2 under the law for f e_i, averaged over i and some problems"
)
crossed = letter("Z_x", NONNEGATIVE, "E(O_i - m_i)^2 under the law for f e_j, averaged over i != j and these")
at_hops = letter("Z_fh", NONNEGATIVE, "E(O_i - m_i)^2 for ±e_i, averaged over both, over i and over the hops")
on_way = letter("Z_fs", NONNEGATIVE, "E(O_i - m_i)^2 for f e_i, averaged over i and along the segments")
_level = given(ge(level**2 * (d - 1 + E), E * off**2 + (d - 1) * delta * width**2))
_spread = state(
    le(squared, level**2),
    # The laws for f e_i and f e_j are neighbours, and (O_i - m_i)^2 <= w_c^2.
    fact("privacy", le(squared, E * crossed + delta * width**2)),
    # Summed over i, under the mixture of the d laws: the mean of |O - m|^2, whose risk is no larger (subspace).
    fact("definition", le(e0 * ((d - 1) * crossed + squared), mean_risk)),
    fact("definition", eq(off**2 * e0, worst)),
    _level,
)
_pointwise = state(
    ge(level / 2 + one_square / (2 * level) - one_error, 0), fact("definition", eq(one_square, one_error**2))
)
_in_mean = state(ge(level / 2 + at_hops / (2 * level) - error, 0))
_error = state(le(error, level), _level, also=(at_hops, off, width, L, mu))

# --- the segments
inverse = letter("i_u", NONNEGATIVE, "1/(1 - u^2), the information of one coin of mean u")
info = letter("I_c", NONNEGATIVE, "integral of 1/(1 - u^2) from gamma_1 to gamma_2")
_artanh = sp.log(1 + u) / 2 - sp.log(1 - u) / 2
_density = state(ge(sp.diff(_artanh, u) - inverse, 0), fact("moments", eq(inverse, 1 / (1 - u**2))))
_total = _artanh.subs(u, g_hi) - _artanh.subs(u, g_lo)
_info = state(le(info, _total), given(le(g_lo, g_hi)))
rise = letter("O_r", meaning="rise of E O_i along the segments of a line, averaged over the lines")
climb = parameter("s_c", POSITIVE, "bound on the rise along the segments")
_climb = given(ge(climb**2, (g_hi - g_lo) * T * level**2 * _total))
_segments = state(
    le(rise, climb),
    # The slope is a covariance with the score of T coins, whose variance is T/(1 - u^2); Cauchy-Schwarz for the
    # covariance and once more for the mean over the cube.
    fact("Cauchy-Schwarz", le(rise**2, (g_hi - g_lo) * on_way * T * info)),
    given(le(g_lo, g_hi)),
    _level,
    _climb,
    also=(L, mu),
)

# --- one hop, averaged over the coordinates
hop = letter("Z_h", meaning="E O_i for e_i minus E O_i for -e_i, averaged over i and the grid")
pr = letter("Z_pr", NONNEGATIVE, "E(O_i - m_i)_+ for e_i, averaged over i")
pl = letter("Z_pl", NONNEGATIVE, "E(m_i - O_i)_+ for e_i, averaged over i")
qr = letter("Z_qr", NONNEGATIVE, "E(O_i - m_i)_+ for -e_i, averaged over i")
ql = letter("Z_ql", NONNEGATIVE, "E(m_i - O_i)_+ for -e_i, averaged over i")
hr = letter(
    "Z_hr", NONNEGATIVE, "sum of (O_i - m_i)_+ times the positive part of P - e^eps Q, averaged over i"
)
hl = letter(
    "Z_hl", NONNEGATIVE, "sum of (m_i - O_i)_+ times the positive part of Q - e^eps P, averaged over i"
)
_price = 2 * tanh * level + (1 - tanh) * width * delta
_hop_facts = (
    fact("definition", eq(hop, pr - pl - qr + ql)),
    fact("definition", eq(pr + pl + qr + ql, 2 * error)),
    # O_i and m_i lie in one interval of length w_c: on the two sides at most w_c delta together.
    fact("privacy", le(hr + hl, width * delta)),
    fact("exponential", ge(E, 1)),
)
_hop = state(le(hop, _price), *_hop_facts, _level, also=(L, mu))

# --- the chains along all coordinate lines, averaged
o_0 = letter("O_0", meaning="E O_i at the start of the lines, where u_i = gamma_1, averaged")
o_1 = letter("O_1", meaning="E O_i at their end, where u_i = gamma_2, averaged")
count = parameter("n_c", NONNEGATIVE, "mean number of hops on a line")
_cube = state(
    le(width, 2 * off + climb + count * _price),
    given(le(g_lo, g_hi)),
    given(eq(sp.sqrt(d) * width, g_hi - g_lo)),
    given(eq(2 * rho * count, width)),
    _level,
    _climb,
    fact("definition", eq(o_1, o_0 + rise + count * hop)),
    fact("Jensen", ge(o_1, g_hi / sp.sqrt(d) - off)),
    fact("Jensen", le(o_0, g_lo / sp.sqrt(d) + off)),
    fact("definition", eq(off**2 * e0, worst)),
)

CLAIMS = (
    repair(
        "sharp.cube.member",
        562,
        "mu/2 |theta|^2 - (L/2) <s, theta> with a unit vector s, of a coordinate subspace say, has slopes of at most L",
        _member,
        proof=by(
            _member,
            (2 * mu**2, Given(1)),
            (-(L**2) / 2, Given(0)),
            (1, Norm(sp.sympify(mu) * x + (L / 2) * s)),
        ),
        note="Its strong convexity mu is that of mu/2 |theta|^2: a linear term changes nothing.",
    ),
    repair(
        "sharp.cube.subspace",
        562,
        "an output that leaves the coordinate subspace of the family only does worse than its part in it",
        _subspace,
        proof=by(_subspace, (1, Given(0)), (mu / 2, Norm(beyond))),
    ),
    repair(
        "sharp.cube.spread",
        562,
        "averaged over the coordinate asked for, the mean square error is at most l^2 with l^2 (d - 1 + e^eps) >= "
        "e^eps x + (d-1) delta w^2, x e0 the worst risk",
        _spread,
        proof=by(
            _spread,
            ((d - 1) / (d - 1 + E), Given(0)),
            (E / (d - 1 + E) / e0, Given(1)),
            (E / (d - 1 + E) / e0, Lemma("sharp.worst_mean")),
            (E / (d - 1 + E) / e0, Given(2)),
            (1 / (d - 1 + E), Given(3)),
        ),
    ),
    repair(
        "sharp.cube.error",
        562,
        "averaged over the coordinate asked for, the mean error is at most l",
        _error,
        proof=(
            Step(
                "pointwise",
                _pointwise,
                Combination(((1 / (2 * level), Square(level - one_error)), (1 / (2 * level), Given(0)))),
            ),
            Step("mean", _in_mean, Expectation("pointwise", {one_error: error, one_square: at_hops})),
            Step(
                "error",
                _error,
                Combination(
                    ((1, Lemma("mean")), (1 / (2 * level), Lemma("sharp.cube.spread", {squared: at_hops})))
                ),
            ),
        ),
    ),
    repair(
        "sharp.cube.hop",
        562,
        "averaged over coordinates and cube, a hop moves the mean output by at most 2 tanh(eps/2) l + "
        "(1 - tanh(eps/2)) w delta",
        _hop,
        proof=by(
            _hop,
            (1, Lemma("sharp.lower.side", {mp: pr, mq: qr, mh: hr})),
            (1, Lemma("sharp.lower.side", {mp: ql, mq: pl, mh: hl})),
            (-1, Given(0)),
            (-(E - 1) / (E + 1), Given(1)),
            (2 / (E + 1), Given(2)),
            (2 * (E - 1) / (E + 1), Lemma("sharp.cube.error")),
        ),
    ),
    repair(
        "sharp.cube.info",
        562,
        "the integral of 1/(1 - u^2) from gamma_1 to gamma_2 is artanh gamma_2 - artanh gamma_1",
        _info,
        proof=(
            Step("density", _density, Combination(((-1, Given(0)),))),
            Step("integrated", _info, Integrate("density", u, _artanh, inverse, info, g_lo, g_hi)),
        ),
    ),
    repair(
        "sharp.cube.segments",
        562,
        "along the segments the mean output rises by at most s, s^2 >= T l^2 (gamma_2 - gamma_1) (artanh gamma_2 - "
        "artanh gamma_1)",
        _segments,
        proof=by(
            _segments,
            (1 / (2 * climb), Given(0)),
            (1 / (2 * climb), Given(3)),
            (1 / (2 * climb), Square(climb - rise)),
            ((g_hi - g_lo) * T * level**2 / (2 * climb), Lemma("sharp.cube.info")),
            ((g_hi - g_lo) * T * info / (2 * climb), Lemma("sharp.cube.spread", {squared: on_way})),
        ),
        leans=("binomial_tv.score", "phi_measurable"),
    ),
    repair(
        "sharp.cube",
        562,
        "every (eps, delta)-unlearning algorithm in dimension d with T gradients and worst risk x e0: w <= 2 sqrt(x) + s + "
        "n (2 tanh(eps/2) l + (1 - tanh(eps/2)) w delta), w = (gamma_2 - gamma_1)/sqrt(d) = 2 rho n",
        _cube,
        proof=by(
            _cube,
            (1, Lemma("sharp.cube.segments")),
            (count, Lemma("sharp.cube.hop")),
            (-1, Given(5)),
            (1, Given(6)),
            (1, Given(7)),
            (-1 / sp.sqrt(d), Given(1)),
        ),
        leans=("sharp.cube.member", "sharp.cube.subspace", "tv_bound.edge.repaired"),
        note="The paper leaves the factor d between its bounds open; this closes it for small eps, up to ln(1/delta). "
        "In dimension D every d <= D may be used (sharp.cube.subspace). Cutting O to the cube changes neither privacy nor, "
        "for m inside, the risk for the worse.",
    ),
)
