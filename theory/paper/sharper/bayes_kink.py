"""The kink of sharp.kink with the exact Bayes risk of its two problems in place of a total variation.

A learner sees k of T signs +1, with probability A_k in problem A and C_k in C. Against the prior p, 1 - p no output
costs less than p A_k G^2 - (p A_k G - (1-p) C_k q)_+^2/(p A_k + (1-p) C_k) at this k. Summed over k this is what
the two problems force, exactly, whatever p, G and q are.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_any, M_any, R, T, e0, mu, r
from oubli.theory.paper.setup import e_1
from oubli.theory.paper.sharper.cone import positive_part
from oubli.theory.paper.sharper.kink import (
    R_A,
    R_C,
    A,
    C,
    G_kink,
    at_most_worst,
    balanced,
    because_placed,
    costs,
    down,
    e_A,
    e_C,
    f_kink,
    met,
    ordered,
    p_kink,
    placed,
    q_kink,
    s_kink,
    same_star,
    up,
    w_kink,
    x_kink,
)
from oubli.theory.records.build import eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    chance,
    coins,
    count,
    excess,
    numeric,
    retain,
    term,
    total,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Schema,
    Square,
    Step,
    Tell,
)

# --- one outcome, of weight w_A on A and w_C on C: a number k of signs +1, and a seed
w_A = parameter("w_A", NONNEGATIVE, "a weight of A, as p A_k")
w_C = parameter("w_C", NONNEGATIVE, "a weight of C, as (1 - p) C_k")
_G, _q = gamma_max - s_kink, s_kink - gamma_min


def _gained(v: Any, w: Any, G: sp.Expr, q: sp.Expr) -> tuple[Object, Object]:
    """(v G - w q)_+, which a first step up gains, and its square over v + w, which the best step up gains."""
    up_first = Object(["+", ["*", v, numeric(G).node], ["*", -1, w, numeric(q).node]])
    step_up = positive_part(up_first)
    return step_up, Object(["*", ["^", step_up.node, 2], ["^", ["+", v, w], -1]])


_step, _best = _gained("w_A", "w_C", _G, _q)
h_gain = term("h_gain", _step, "(w_A G - w_C q)_+: what a first step up gains")
s_gain = term("s_gain", _best, "h_gain^2/(w_A + w_C): what the best step up gains")
_first = w_A * _G - w_C * _q
_both = w_A + w_C
_least = e0 * (w_A * _G**2 - s_gain)
_says = ge(w_A * e_A + w_C * e_C, _least)
_some, _none = given(gt(_both, 0)), given(ge(-_both, 0))
_zero = (given(eq(w_A, 0)), given(eq(w_C, 0)))
_outcome = state(_says, ordered[1])


def _size(sign: int) -> Schema:
    """|t| >= t, or >= -t."""
    return Schema("Cauchy-Schwarz", ((sign * _first) * e_1, e_1))


_outcome_proof = (
    *costs,
    Step(
        "up",
        state(_says, ordered[1], _some, up, also=(h_gain,)),
        Combination(
            (
                (w_A, Lemma("on A")),
                (w_C, Lemma("on C, by the right slope")),
                (mu / (2 * _both), Square(_both * w_kink - R * h_gain)),
                (mu * R * w_kink / 2, _size(1)),
            )
        ),
    ),
    Step(
        "down",
        state(_says, ordered[1], _some, down, also=(h_gain,)),
        Combination(
            (
                (w_A, Lemma("on A")),
                (w_C, Lemma("on C, by the left slope")),
                (mu / 2 * _both, Square(w_kink)),
                (mu * R * _G * _both, Given(2)),
                (e0 / _both, Square(h_gain)),
            )
        ),
    ),
    Step("some weight", state(_says, ordered[1], _some), Cases(w_kink, "up", "down")),
    Step(
        "weight 0",
        state(_says, ordered[1], *_zero, also=(h_gain,)),
        Combination(
            (
                (e_A - e0 * _G**2 + e0 * _G * h_gain / _both, Given(1)),
                (e_C - e0 * _q * h_gain / _both, Given(2)),
            )
        ),
    ),
    Step("no weight", state(_says, ordered[1], _none), Combination(((1, Lemma("weight 0")),))),
    Step("every weight", _outcome, Cases(_both, "some weight", "no weight")),
)


# --- all outcomes
def _summed(m: sp.Expr, n: sp.Expr, G: sp.Expr, q: sp.Expr) -> Object:
    """The sum over k of what the best step up gains, for signs of mean m and n."""
    on_A, on_C = (
        ["*", numeric(p).node, chance(coins(T, u), count(k_)).node] for p, u in ((p_kink, m), (1 - p_kink, n))
    )
    return total(_gained(on_A, on_C, G, q)[1], T)


S_placed = term("S_placed", _summed(gamma_max, gamma_min, _G, _q), "the sum of s_gain over all outcomes")
S_bayes = term(
    "S_bayes",
    _summed(gamma_max, gamma_max - G_kink - q_kink, G_kink, q_kink),
    "sum over k of (p A_k G - (1-p) C_k q)_+^2/(p A_k + (1-p) C_k), A_k and C_k the probabilities of k under "
    "Bin(T, (1 + m)/2) and Bin(T, (1 + m - G - q)/2), m = gamma_max",
)
W_A = term("W_A", total(chance(coins(T, gamma_max), count(k_)), T), "sum of A_k over all outcomes")
_ordered_means = given(le(gamma_min, gamma_max))
_told = state(
    ge(p_kink * R_A + (1 - p_kink) * R_C, e0 * (p_kink * _G**2 * W_A - S_placed)),
    *ordered,
    _ordered_means,
    met,
)
_told_proof = (
    Step("each outcome", _outcome, Combination(((1, Lemma("sharp.kink.outcome")),))),
    Step(
        "all outcomes",
        _told,
        Tell(
            "each outcome",
            x_kink,
            (w_A, w_C),
            (excess(retain(A), x_kink), excess(retain(C), x_kink)),
            numeric(_least),
            (p_kink, 1 - p_kink),
            (A_any, A, C, T),
        ),
    ),
)
_placed = state(ge(M_any, e0 * (p_kink * _G**2 - S_placed)), balanced, *ordered)
_because_told = {2: ((1, Given(1)), (1, Given(2))), 3: same_star[0]}
_bayes = state(
    ge(M_any, e0 * (p_kink * G_kink**2 - S_bayes)),
    given(le(G_kink, r * (1 + gamma_max))),
    given(le(G_kink + q_kink, 1 + gamma_max)),
)
_values = {**placed, gamma_min: gamma_max - G_kink - q_kink}
_because = {
    f_kink: because_placed[f_kink],
    gamma_min: ((1, Given(1)),),
    s_kink: ((1, Given(1)), (q_kink, One())),
}
CLAIMS = (
    theorem(
        "sharp.kink.outcome",
        "inefficient",
        "a (excess on A) + c (excess on C) >= (a G^2 - (a G - c q)_+^2/(a + c)) e0 for every output and all weights a, c",
        _outcome,
        proof=_outcome_proof,
    ),
    theorem(
        "sharp.kink.bayes",
        "inefficient",
        "every algorithm that starts at theta*, private or not: worst risk >= e0 (p G^2 - sum over k of (p A_k G - "
        "(1-p) C_k q)_+^2/(p A_k + (1-p) C_k)), G <= r (1 + m), m' = m - G - q, A and C the laws of T signs",
        _bayes,
        proof=(
            *_told_proof,
            Step(
                "placed",
                _placed,
                Combination(
                    (
                        (p_kink, at_most_worst[0]),
                        (1 - p_kink, at_most_worst[1]),
                        (1, Lemma("all outcomes", {}, _because_told)),
                        (e0 * p_kink * _G**2, Schema("counts", (numeric(T), numeric(gamma_max)))),
                    )
                ),
            ),
            Step("risk", _bayes, Combination(((1, Lemma("placed", _values, _because)),))),
        ),
        depends=("phi_measurable",),
        note="For these two problems nothing is lost: the best learner attains the sum. With T = 0 and p = 1 - r it is "
        "4 r^2 (1 - r) e0, against 4 r^2/(1 - r^2) e0 that theta* costs (opt_loss.sharper).",
    ),
)
