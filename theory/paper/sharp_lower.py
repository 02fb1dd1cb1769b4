"""Unlearning, lower bound on the line, valid in every dimension (setup.lift): means along a chain of problems.

Problem (m, f): the signs have mean m on the retain data and f on the forget data, so theta* = R ((1-r) m + r f).
While f runs from 1 to -1 the mean m can rise by 2 rho at a fixed theta*: only the T signs tell, and the mean
output O (in units R, cut to [gamma_3, gamma_4]) rises by at most the covariance with their score. Then f hops
back at fixed m: privacy bounds what O can do. No total variation is summed, and T = 0 is included.
"""

from __future__ import annotations

import sympy as sp

from theory.paper.binomial import SYMMETRIC, c_hi, c_lo, u
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.lecam import k, worst
from theory.proof import Combination, Expectation, Given, Induction, Integrate, Lemma, One, Step
from theory.symbols import NATURAL, NONNEGATIVE, T, delta, e0, eps, letter, parameter, r_f, rho

E = sp.exp(eps)
tanh = (E - 1) / (E + 1)
root = sp.sqrt(T)

# --- at a fixed start
off = letter("y_o2", NONNEGATIVE, "sqrt(worst risk/e0): E(O - m)^2 <= y_o2^2 in every problem")
slope = letter("o_u", meaning="derivative in m of E O at a fixed start")
cov = letter("o_c", meaning="covariance of O with the score of the signs")
dev = letter("o_d", NONNEGATIVE, "standard deviation of O")
score = letter("o_s", NONNEGATIVE, "standard deviation of the score sum (g_i - m)/(1 - m^2) of T signs")
m_lo = parameter("m_lo", SYMMETRIC, "where m starts on a segment")
m_hi = parameter("m_hi", SYMMETRIC, "where m ends on it")
rise = letter("o_r", meaning="rise of E O as m goes from m_lo to m_hi at a fixed start")
_slope = state(
    ge(off * root / sp.sqrt(1 - u**2) - slope, 0),
    # binomial_tv.score: the derivative of a mean is a covariance with the score.
    fact("definition", eq(slope, cov)),
    fact("Cauchy-Schwarz", le(cov, dev * score)),
    fact("moments", eq(score, root / sp.sqrt(1 - u**2))),
    # The variance is at most the mean square around m.
    fact("definition", le(dev, off)),
)
_bound = off * root * sp.asin(u)
_segment = state(le(rise, off * root * sp.asin(m_hi) - off * root * sp.asin(m_lo)), given(le(m_lo, m_hi)))

# --- one hop: P and Q are the laws of O for two forget distributions; y = |O - m|
yp = letter("y_P", NONNEGATIVE, "|O - m| times the density of P, at one outcome")
yq = letter("y_Q", NONNEGATIVE, "|O - m| times the density of Q")
yh = letter("y_H", NONNEGATIVE, "|O - m| times the positive part of (density of P) - e^eps (density of Q)")
mp = letter("Y_P", NONNEGATIVE, "sum of y_P over the outcomes on one side of m")
mq = letter("Y_Q", NONNEGATIVE, "sum of y_Q over these outcomes")
mh = letter("Y_H", NONNEGATIVE, "sum of y_H over these outcomes")
_says = tanh * (yp + yq) + (1 - tanh) * yh - yp + yq
_outcome = state(ge(_says, 0), fact("definition", ge(yh, yp - E * yq)))
_side = state(ge(_says.subs({yp: mp, yq: mq, yh: mh}), 0))

hop = letter("o_h", meaning="E O under P minus E O under Q, P and Q two hops apart")
pr = letter("Y_Pr", NONNEGATIVE, "E_P (O - m)_+")
pl = letter("Y_Pl", NONNEGATIVE, "E_P (m - O)_+")
qr = letter("Y_Qr", NONNEGATIVE, "E_Q (O - m)_+")
ql = letter("Y_Ql", NONNEGATIVE, "E_Q (m - O)_+")
hr = letter("Y_Hr", NONNEGATIVE, "sum of (O - m)_+ (P - e^eps Q)_+")
hl = letter("Y_Hl", NONNEGATIVE, "sum of (m - O)_+ (Q - e^eps P)_+")
middle = letter("o_m", SYMMETRIC, "m at the hop")
_price = 2 * tanh * off + (1 - tanh) * (c_hi - c_lo) * delta
_hop_facts = (
    fact("definition", eq(hop, pr - pl - qr + ql)),
    fact("Jensen", le(pr + pl, off)),
    fact("Jensen", le(qr + ql, off)),
    # O lies in [gamma_3, gamma_4], and the positive parts have total mass at most delta.
    fact("privacy", le(hr, (c_hi - middle) * delta)),
    fact("privacy", le(hl, (middle - c_lo) * delta)),
    fact("exponential", ge(E, 1)),
)
_hop = state(le(hop, _price), *_hop_facts)

# However little privacy there is, both means lie within y_o2 of m.
_cap = state(le(hop, 2 * off), *_hop_facts[:3])

# --- the chain
hops = parameter("K_c", NATURAL, "number of hops, with gamma_4 - gamma_3 <= 2 rho (K_c + 1)")
most = parameter("h_c", meaning="a bound on what one hop does to the mean output")
g_k = letter("m_k", SYMMETRIC, "m after k hops")
g_n = letter("m_n", SYMMETRIC, "m after k + 1 hops")
o_k = letter("o_k", meaning="E O after k hops")
o_n = letter("o_n", meaning="E O after k + 1 hops")
o_0 = letter("o_0", meaning="E O at the start of the chain, where m = gamma_3")
o_1 = letter("o_1", meaning="E O at its end, where m = gamma_4")
_chain = off * root * sp.asin(g_k) - off * root * sp.asin(c_lo) + k * most - o_k + o_0
_next = {g_k: g_n, o_k: o_n}
_at_most = given(le(hop, most))
_one = state(
    ge(_chain.subs({k: k + 1, **_next}, simultaneous=True), 0),
    given(ge(_chain, 0)),
    fact("definition", eq(o_n, o_k + rise + hop)),
    fact("definition", le(g_k, g_n)),
    _at_most,
)
_held = state(ge(_chain.subs(k, hops), 0), _at_most)


def _forced(price: sp.Expr) -> sp.Basic:
    """What the risk must satisfy when a hop moves the mean output by at most a price."""
    climb = off * root * sp.asin(c_hi) - off * root * sp.asin(c_lo)
    return le(c_hi - c_lo, 2 * off + climb + hops * price)


_width = (given(ge(2 * rho * (hops + 1), c_hi - c_lo)), given(le(c_lo, c_hi)))
_risk = fact("definition", eq(off**2 * e0, worst))
_any_price = state(
    _forced(most),
    *_width,
    _at_most,
    fact("definition", eq(o_1, o_k + rise)),
    fact("definition", le(g_k, c_hi)),
    # |E O - m| <= sqrt(E(O - m)^2) at both ends.
    fact("Jensen", ge(o_1, c_hi - off)),
    fact("Jensen", le(o_0, c_lo + off)),
    _risk,
    also=(r_f,),
)
_lower = state(_forced(_price), *_width, _risk, also=(hop,))
_capped = state(_forced(2 * off), *_width, _risk, also=(hop,))

CLAIMS = (
    repair(
        "sharp.lower.segment",
        1233,
        "at a fixed start the mean output rises by at most sqrt(x T) (arcsin m' - arcsin m) while the mean of the "
        "signs goes from m to m', x e0 the worst risk",
        _segment,
        proof=(
            Step(
                "slope",
                _slope,
                Combination(
                    (
                        (-1, Given(0)),
                        (1, Given(1)),
                        (-dev, Given(2)),
                        (root / sp.sqrt(1 - u**2), Given(3)),
                    )
                ),
            ),
            Step("integrated", _segment, Integrate("slope", u, _bound, slope, rise, m_lo, m_hi)),
        ),
        leans=("binomial_tv.score", "phi_measurable", "setup.hard_family"),
    ),
    repair(
        "sharp.lower.side",
        1233,
        "on one side of m: the rise of E|O - m| is at most tanh(eps/2) (Y_P + Y_Q) + (1 - tanh(eps/2)) Y_H",
        _side,
        proof=(
            Step("outcome", _outcome, Combination(((2 / (E + 1), Given(0)),))),
            Step("side", _side, Expectation("outcome", {yp: mp, yq: mq, yh: mh})),
        ),
    ),
    repair(
        "sharp.lower.hop",
        1233,
        "a change of the forget data at fixed signs moves the mean output by at most 2 tanh(eps/2) sqrt(x) + "
        "(1 - tanh(eps/2)) (gamma_4 - gamma_3) delta",
        _hop,
        proof=by(
            _hop,
            (1, Lemma("sharp.lower.side", {mp: pr, mq: qr, mh: hr})),
            (1, Lemma("sharp.lower.side", {mp: ql, mq: pl, mh: hl})),
            (-1, Given(0)),
            ((E - 1) / (E + 1), Given(1)),
            ((E - 1) / (E + 1), Given(2)),
            (2 / (E + 1), Given(3)),
            (2 / (E + 1), Given(4)),
        ),
        note="Half the delta term of the two-sided bound: on each side of m only one of the two positive parts counts.",
    ),
    repair(
        "sharp.lower.hop.cap",
        1233,
        "and by at most 2 sqrt(x), whatever the budget: both mean outputs lie within sqrt(x) of m",
        _cap,
        proof=by(_cap, (-1, Given(0)), (1, Given(1)), (1, Given(2)), (2 * pl + 2 * qr, One())),
    ),
    repair(
        "sharp.lower.chain",
        562,
        "every algorithm with T gradients and worst risk x e0 whose mean output hops by at most h: gamma_4 - gamma_3 <= "
        "sqrt(x) (2 + sqrt(T) (arcsin gamma_4 - arcsin gamma_3)) + K h, for K hops with gamma_4 - gamma_3 <= 2 rho (K + 1)",
        _any_price,
        proof=(
            Step("no hop", state(ge(0, 0)), Combination(())),
            Step(
                "one more hop",
                _one,
                Combination(
                    (
                        (1, Given(0)),
                        (-1, Given(1)),
                        (1, Lemma("sharp.lower.segment", {m_lo: g_k, m_hi: g_n})),
                        (1, Given(3)),
                    )
                ),
            ),
            Step(
                "K hops",
                _held,
                Induction(k, _chain, "no hop", "one more hop", {g_k: c_lo, o_k: o_0}, _next, hops, (off,)),
            ),
            Step(
                "all",
                _any_price,
                Combination(
                    (
                        (1, Lemma("K hops")),
                        (1, Lemma("sharp.lower.segment", {m_lo: g_k, m_hi: c_hi})),
                        (-1, Given(3)),
                        (1, Given(5)),
                        (1, Given(6)),
                    )
                ),
            ),
        ),
        leans=("tv_bound.edge.repaired", "setup.lift"),
        note="Cutting O to [gamma_3, gamma_4] changes neither privacy nor, for m inside, the risk for the worse.",
    ),
    repair(
        "sharp.lower",
        562,
        "every (eps, delta)-unlearning algorithm with T gradients and worst risk x e0: the chain with the hop "
        "h = 2 tanh(eps/2) sqrt(x) + (1 - tanh(eps/2)) (gamma_4 - gamma_3) delta",
        _lower,
        proof=by(
            _lower, (1, Lemma("sharp.lower.chain", {most: _price}, {2: ((1, Lemma("sharp.lower.hop")),)}))
        ),
    ),
    repair(
        "sharp.lower.capped",
        562,
        "the same with h = 2 sqrt(x): a hop never costs more, so the bound does not fall as eps grows",
        _capped,
        proof=by(
            _capped,
            (1, Lemma("sharp.lower.chain", {most: 2 * off}, {2: ((1, Lemma("sharp.lower.hop.cap")),)})),
        ),
    ),
)
