"""The kink of sharp.kink with the exact Bayes risk of its two problems in place of a total variation.

A learner sees k of T signs +1, with probability A_k in problem A and C_k in C. Against the prior p, 1 - p no output
costs less than p A_k G^2 - (p A_k G - (1-p) C_k q)_+^2/(p A_k + (1-p) C_k) at this k. Summed over k this is what
the two problems force, exactly, whatever p, G and q are.
"""

from __future__ import annotations

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, letter
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.letters import M_any, T, e0, r
from oubli.theory.paper.sharper.kink import G_kink, p_kink, q_kink, v_kink
from oubli.theory.records.build import eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Cases, Combination, Expectation, Given, Lemma, One, Square, Step

# --- one outcome: a number k of signs +1, and a seed
w_A = letter("w_A", NONNEGATIVE, "p A_k: the prior weight of A times the probability of the outcome there")
w_C = letter("w_C", NONNEGATIVE, "(1 - p) C_k: the same for C")
w_both = letter("w_both", POSITIVE, "their sum; outcomes without weight are left out")
y_A = letter("y_A", NONNEGATIVE, "w_A times the excess risk of the output on A, in units e0")
y_C = letter("y_C", NONNEGATIVE, "w_C times the excess risk of the output on C, in units e0")
h_gain = letter("h_gain", NONNEGATIVE, "(w_A G - w_C q)_+: what a first step up gains")
s_gain = letter("s_gain", NONNEGATIVE, "h_gain^2/(w_A + w_C): what the best step up gains")
_says = ge(y_A + y_C - w_A * G_kink**2 + s_gain, 0)
_quadratic = fact("definition", eq(y_A, w_A * (v_kink - G_kink) ** 2))
# The right slope mu R q of C is a subgradient at theta*, so it bounds from below on both sides.
_convex = fact("strong convexity", ge(y_C, w_C * (v_kink**2 + 2 * q_kink * v_kink)))
_sum = fact("definition", eq(w_both, w_A + w_C))
_gain = fact("definition", ge(h_gain, w_A * G_kink - w_C * q_kink))
_best = fact("definition", eq(s_gain * w_both, h_gain**2))
_up = state(_says, _quadratic, _convex, _sum, _gain, _best, given(ge(v_kink, 0)))
_down = state(_says, _quadratic, given(ge(-v_kink, 0)))
_outcome = state(_says, _quadratic, _convex, _sum, _gain, _best)

# --- all outcomes
Y_A = letter("Y_A", NONNEGATIVE, "sum of y_A over all outcomes: p times the risk on A, in units e0")
Y_C = letter("Y_C", NONNEGATIVE, "sum of y_C over all outcomes: 1 - p times the risk on C, in units e0")
W_A = letter("W_A", NONNEGATIVE, "sum of w_A over all outcomes")
S_bayes = letter(
    "S_bayes",
    NONNEGATIVE,
    "sum over k of (p A_k G - (1-p) C_k q)_+^2/(p A_k + (1-p) C_k), A_k and C_k the probabilities of k under "
    "Bin(T, (1 + gamma_max)/2) and Bin(T, (1 + gamma_min)/2)",
)
_summed = state(ge(Y_A + Y_C - W_A * G_kink**2 + S_bayes, 0))
_bayes = state(
    ge(M_any, e0 * (p_kink * G_kink**2 - S_bayes)),
    given(le(G_kink, r * (1 + gamma_max))),
    given(eq(gamma_min, gamma_max - G_kink - q_kink)),
    fact("definition", eq(W_A, p_kink)),
    # A step right of theta* shows one sign of mean m or m', a step left of it shows the same in A and C: T signs of
    # mean m or m' are enough to run the algorithm, on A and on C alike.
    fact("data processing", le(e0 * Y_A, p_kink * M_any)),
    fact("data processing", le(e0 * Y_C, (1 - p_kink) * M_any)),
    also=(T,),
)

CLAIMS = (
    theorem(
        "sharp.kink.outcome",
        "inefficient",
        "a (excess on A) + c (excess on C) >= (a G^2 - (a G - c q)_+^2/(a + c)) e0 for every output and all weights a, c",
        _outcome,
        proof=(
            Step(
                "up",
                _up,
                Combination(
                    (
                        (1, Given(0)),
                        (1, Given(1)),
                        (-(v_kink**2), Given(2)),
                        (2 * v_kink, Given(3)),
                        (1 / w_both, Given(4)),
                        (1 / w_both, Square(w_both * v_kink - h_gain)),
                    )
                ),
            ),
            Step(
                "down",
                _down,
                Combination(
                    (
                        (1, Given(0)),
                        (2 * w_A * G_kink, Given(1)),
                        (w_A, Square(v_kink)),
                        (y_C + s_gain, One()),
                    )
                ),
            ),
            Step("both", _outcome, Cases(v_kink, "up", "down")),
        ),
    ),
    theorem(
        "sharp.kink.bayes",
        "inefficient",
        "every algorithm that starts at theta*, private or not: worst risk >= e0 (p G^2 - sum over k of (p A_k G - "
        "(1-p) C_k q)_+^2/(p A_k + (1-p) C_k)), G <= r (1 + m), m' = m - G - q, A and C the laws of T signs",
        _bayes,
        proof=(
            Step("each outcome", _outcome, Combination(((1, Lemma("sharp.kink.outcome")),))),
            Step(
                "summed",
                _summed,
                Expectation("each outcome", {y_A: Y_A, y_C: Y_C, w_A: W_A, s_gain: S_bayes}),
            ),
            Step(
                "risk",
                _bayes,
                Combination(
                    (
                        (1, Given(3)),
                        (1, Given(4)),
                        (e0, Lemma("summed")),
                        (e0 * G_kink**2, Given(2)),
                    )
                ),
            ),
        ),
        depends=(
            "sharp.kink.member",
            "sharp.kink.start",
            "setup.lift",
            "setup.hard_family",
            "phi_measurable",
        ),
        note="For these two problems nothing is lost: the best learner attains the sum. With T = 0 and p = 1 - r it is "
        "4 r^2 (1 - r) e0, against 4 r^2/(1 - r^2) e0 that theta* costs (opt_loss.sharper).",
    ),
)
