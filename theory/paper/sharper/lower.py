"""Unlearning, lower bound on the line, valid in every dimension (setup.lift): means along a chain of problems.

Problem (m, f): the signs have mean m on the retain data and f on the forget data, so theta* = R ((1-r) m + r f).
While f runs from 1 to -1 the mean m can rise by 2 rho at a fixed theta*: only the T signs tell, and the mean
output O (in units R, cut to [gamma_min, gamma_max]) rises by at most the covariance with their score. Then f hops
back at fixed m: privacy bounds what O can do. No total variation is summed, and T = 0 is included.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, letter, parameter
from oubli.theory.paper.binomial import SYMMETRIC, gamma_max, gamma_min, u
from oubli.theory.paper.chains import K_chain, k
from oubli.theory.paper.letters import M, T, delta, e0, epsilon, r, rho
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Induction, Integrate, Lemma, One, Step

E = sp.exp(epsilon)
tanh = (E - 1) / (E + 1)
root = sp.sqrt(T)

# --- at a fixed start
y_worst = letter("y_worst", NONNEGATIVE, "sqrt(worst risk/e0): E(O - m)^2 <= y_worst^2 in every problem")
O_slope = letter("O_slope", meaning="derivative in m of E O at a fixed start")
O_covariance = letter("O_covariance", meaning="covariance of O with the score of the signs")
O_deviation = letter("O_deviation", NONNEGATIVE, "standard deviation of O")
score_deviation = letter(
    "score_deviation", NONNEGATIVE, "standard deviation of the score sum (g_i - m)/(1 - m^2) of T signs"
)
m_low = parameter("m_low", SYMMETRIC, "where m starts on a segment")
m_high = parameter("m_high", SYMMETRIC, "where m ends on it")
O_rise = letter("O_rise", meaning="rise of E O as m goes from m_low to m_high at a fixed start")
_slope = state(
    ge(y_worst * root / sp.sqrt(1 - u**2) - O_slope, 0),
    # binomial_tv.score: the derivative of a mean is a covariance with the score.
    fact("definition", eq(O_slope, O_covariance)),
    fact("Cauchy-Schwarz", le(O_covariance, O_deviation * score_deviation)),
    fact("moments", eq(score_deviation, root / sp.sqrt(1 - u**2))),
    # The variance is at most the mean square around m.
    fact("definition", le(O_deviation, y_worst)),
)
_bound = y_worst * root * sp.asin(u)
_segment = state(
    le(O_rise, y_worst * root * sp.asin(m_high) - y_worst * root * sp.asin(m_low)), given(le(m_low, m_high))
)

# --- one hop: P and Q are the laws of O for two forget distributions; y = |O - m|
y_P = letter("y_P", NONNEGATIVE, "|O - m| times the density of P, at one outcome")
y_Q = letter("y_Q", NONNEGATIVE, "|O - m| times the density of Q")
y_H = letter("y_H", NONNEGATIVE, "|O - m| times the positive part of (density of P) - e^eps (density of Q)")
Y_side_P = letter("Y_side_P", NONNEGATIVE, "sum of y_P over the outcomes on one side of m")
Y_side_Q = letter("Y_side_Q", NONNEGATIVE, "sum of y_Q over these outcomes")
Y_side_H = letter("Y_side_H", NONNEGATIVE, "sum of y_H over these outcomes")
_says = tanh * (y_P + y_Q) + (1 - tanh) * y_H - y_P + y_Q
_outcome = state(ge(_says, 0), fact("definition", ge(y_H, y_P - E * y_Q)))
_side = state(ge(_says.subs({y_P: Y_side_P, y_Q: Y_side_Q, y_H: Y_side_H}), 0))

O_hop = letter("O_hop", meaning="E O under P minus E O under Q, P and Q two hops apart")
Y_P_above = letter("Y_P_above", NONNEGATIVE, "E_P (O - m)_+")
Y_P_below = letter("Y_P_below", NONNEGATIVE, "E_P (m - O)_+")
Y_Q_above = letter("Y_Q_above", NONNEGATIVE, "E_Q (O - m)_+")
Y_Q_below = letter("Y_Q_below", NONNEGATIVE, "E_Q (m - O)_+")
Y_H_above = letter("Y_H_above", NONNEGATIVE, "sum of (O - m)_+ (P - e^eps Q)_+")
Y_H_below = letter("Y_H_below", NONNEGATIVE, "sum of (m - O)_+ (Q - e^eps P)_+")
m_hop = letter("m_hop", SYMMETRIC, "m at the hop")
_price = 2 * tanh * y_worst + (1 - tanh) * (gamma_max - gamma_min) * delta
_hop_facts = (
    fact("definition", eq(O_hop, Y_P_above - Y_P_below - Y_Q_above + Y_Q_below)),
    fact("Jensen", le(Y_P_above + Y_P_below, y_worst)),
    fact("Jensen", le(Y_Q_above + Y_Q_below, y_worst)),
    # O lies in [gamma_min, gamma_max], and the positive parts have total mass at most delta.
    fact("privacy", le(Y_H_above, (gamma_max - m_hop) * delta)),
    fact("privacy", le(Y_H_below, (m_hop - gamma_min) * delta)),
    fact("exponential", ge(E, 1)),
)
_hop = state(le(O_hop, _price), *_hop_facts)

# However little privacy there is, both means lie within y_worst of m.
_cap = state(le(O_hop, 2 * y_worst), *_hop_facts[:3])

# --- the chain
h_hop = parameter("h_hop", meaning="a bound on what one hop does to the mean output")
m_k = letter("m_k", SYMMETRIC, "m after k hops")
m_k_next = letter("m_k_next", SYMMETRIC, "m after k + 1 hops")
O_k = letter("O_k", meaning="E O after k hops")
O_k_next = letter("O_k_next", meaning="E O after k + 1 hops")
O_start = letter("O_start", meaning="E O at the start of the chain, where m = gamma_min")
O_end = letter("O_end", meaning="E O at its end, where m = gamma_max")
_chain = y_worst * root * sp.asin(m_k) - y_worst * root * sp.asin(gamma_min) + k * h_hop - O_k + O_start
_next = {m_k: m_k_next, O_k: O_k_next}
_at_most = given(le(O_hop, h_hop))
_one = state(
    ge(_chain.subs({k: k + 1, **_next}, simultaneous=True), 0),
    given(ge(_chain, 0)),
    fact("definition", eq(O_k_next, O_k + O_rise + O_hop)),
    fact("definition", le(m_k, m_k_next)),
    _at_most,
)
_held = state(ge(_chain.subs(k, K_chain), 0), _at_most)


def _forced(price: sp.Expr) -> sp.Basic:
    """What the risk must satisfy when a hop moves the mean output by at most a price."""
    climb = y_worst * root * sp.asin(gamma_max) - y_worst * root * sp.asin(gamma_min)
    return le(gamma_max - gamma_min, 2 * y_worst + climb + K_chain * price)


_width = (given(ge(2 * rho * (K_chain + 1), gamma_max - gamma_min)), given(le(gamma_min, gamma_max)))
_risk = fact("definition", eq(y_worst**2 * e0, M))
_any_price = state(
    _forced(h_hop),
    *_width,
    _at_most,
    fact("definition", eq(O_end, O_k + O_rise)),
    fact("definition", le(m_k, gamma_max)),
    # |E O - m| <= sqrt(E(O - m)^2) at both ends.
    fact("Jensen", ge(O_end, gamma_max - y_worst)),
    fact("Jensen", le(O_start, gamma_min + y_worst)),
    _risk,
    also=(r,),
)
_lower = state(_forced(_price), *_width, _risk, also=(O_hop,))
_capped = state(_forced(2 * y_worst), *_width, _risk, also=(O_hop,))

CLAIMS = (
    theorem(
        "sharp.lower.segment",
        "inefficient.step1",
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
                        (-O_deviation, Given(2)),
                        (root / sp.sqrt(1 - u**2), Given(3)),
                    )
                ),
            ),
            Step("integrated", _segment, Integrate("slope", u, _bound, O_slope, O_rise, m_low, m_high)),
        ),
        depends=("binomial_tv.score", "phi_measurable", "setup.hard_family"),
    ),
    theorem(
        "sharp.lower.side",
        "inefficient.step1",
        "on one side of m: the rise of E|O - m| is at most tanh(eps/2) (Y_side_P + Y_side_Q) + (1 - tanh(eps/2)) Y_side_H",
        _side,
        proof=(
            Step("outcome", _outcome, Combination(((2 / (E + 1), Given(0)),))),
            Step("side", _side, Expectation("outcome", {y_P: Y_side_P, y_Q: Y_side_Q, y_H: Y_side_H})),
        ),
    ),
    theorem(
        "sharp.lower.hop",
        "inefficient.step1",
        "a change of the forget data at fixed signs moves the mean output by at most 2 tanh(eps/2) sqrt(x) + "
        "(1 - tanh(eps/2)) (gamma_max - gamma_min) delta",
        _hop,
        proof=by(
            _hop,
            (1, Lemma("sharp.lower.side", {Y_side_P: Y_P_above, Y_side_Q: Y_Q_above, Y_side_H: Y_H_above})),
            (1, Lemma("sharp.lower.side", {Y_side_P: Y_Q_below, Y_side_Q: Y_P_below, Y_side_H: Y_H_below})),
            (-1, Given(0)),
            ((E - 1) / (E + 1), Given(1)),
            ((E - 1) / (E + 1), Given(2)),
            (2 / (E + 1), Given(3)),
            (2 / (E + 1), Given(4)),
        ),
        note="Half the delta term of the two-sided bound: on each side of m only one of the two positive parts counts.",
    ),
    theorem(
        "sharp.lower.hop.cap",
        "inefficient.step1",
        "and by at most 2 sqrt(x), whatever the budget: both mean outputs lie within sqrt(x) of m",
        _cap,
        proof=by(_cap, (-1, Given(0)), (1, Given(1)), (1, Given(2)), (2 * Y_P_below + 2 * Y_Q_above, One())),
    ),
    theorem(
        "sharp.lower.chain",
        "inefficient",
        "every algorithm with T gradients and worst risk x e0 whose mean output hops by at most h: gamma_max - gamma_min <= "
        "sqrt(x) (2 + sqrt(T) (arcsin gamma_max - arcsin gamma_min)) + K h, for K hops with gamma_max - gamma_min <= 2 rho (K + 1)",
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
                        (1, Lemma("sharp.lower.segment", {m_low: m_k, m_high: m_k_next})),
                        (1, Given(3)),
                    )
                ),
            ),
            Step(
                "K hops",
                _held,
                Induction(
                    k,
                    _chain,
                    "no hop",
                    "one more hop",
                    {m_k: gamma_min, O_k: O_start},
                    _next,
                    K_chain,
                    (y_worst,),
                ),
            ),
            Step(
                "all",
                _any_price,
                Combination(
                    (
                        (1, Lemma("K hops")),
                        (1, Lemma("sharp.lower.segment", {m_low: m_k, m_high: gamma_max})),
                        (-1, Given(3)),
                        (1, Given(5)),
                        (1, Given(6)),
                    )
                ),
            ),
        ),
        depends=("tv_bound.edge.repaired", "setup.lift"),
        note="Cutting O to [gamma_min, gamma_max] changes neither privacy nor, for m inside, the risk for the worse.",
    ),
    theorem(
        "sharp.lower",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients and worst risk x e0: the chain with the hop "
        "h = 2 tanh(eps/2) sqrt(x) + (1 - tanh(eps/2)) (gamma_max - gamma_min) delta",
        _lower,
        proof=by(
            _lower, (1, Lemma("sharp.lower.chain", {h_hop: _price}, {2: ((1, Lemma("sharp.lower.hop")),)}))
        ),
    ),
    theorem(
        "sharp.lower.capped",
        "inefficient",
        "the same with h = 2 sqrt(x): a hop never costs more, so the bound does not fall as eps grows",
        _capped,
        proof=by(
            _capped,
            (1, Lemma("sharp.lower.chain", {h_hop: 2 * y_worst}, {2: ((1, Lemma("sharp.lower.hop.cap")),)})),
        ),
    ),
)
