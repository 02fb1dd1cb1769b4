"""Two points with exact total variations: a chain of hard problems, at whose ends the outputs must differ.

Each link costs the total variation of two binomial laws, each hop what tv_dp.sharp allows; gamma is free, so
the best one may be taken for every T. This beats the chain of means where no hop is needed, gamma = rho, and
near e0 where gamma cannot exceed 1; elsewhere the chain of means is better.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.chains import (
    LINK,
    K,
    K_chain,
    a_chain,
    arc,
    arcs_proof,
    f_chain,
    few_proof,
    links,
    output,
    s_chain,
)
from oubli.theory.paper.descent import k_
from oubli.theory.paper.lecam import f_1, f_2, m_1, m_2
from oubli.theory.paper.letters import A_any, A_private, L, M, S_any, T, e0, mu, r, rho
from oubli.theory.paper.privacy import hop, price
from oubli.theory.records.build import by, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import Object, chance, coins, hard_problem, numeric, term, total, variation
from oubli.theory.records.proof import Combination, Given, Lemma, One, Over, Same, Schema, Step

tau_moved = term(
    "tau_moved", hop, "TV of the outputs before and after one hop: same signs, other forget data"
)
_hop = state(le(tau_moved, price))

# --- from mean a to a - (K + 1) s in K hops; the forget data have mean -s/(2 rho), and s/(2 rho) at the end
_tilt, _bottom = s_chain / (2 * rho), a_chain - (K + 1) * s_chain
_top_data, _last_data = hard_problem(a_chain, -_tilt), hard_problem(a_chain - K * s_chain, -_tilt)
_bottom_data = hard_problem(_bottom, _tilt)
_between = variation(output(_top_data), output(_bottom_data))
tau_far = term("tau_far", _between, "TV of the outputs at the ends of K + 1 links and K hops")
p_top = term("p_top", chance(output(_top_data), S_any), "P[output in S] at its start")
p_bottom = term("p_bottom", chance(output(_bottom_data), S_any), "P[output in S] at its end")
B_links = term("B_links", links(K + 1), "sum of the TV of the binomial laws at the ends of K + 1 links")
_means = tuple(
    given(ge(x, 0)) for x in (1 - a_chain, 1 + a_chain, 1 - _bottom, 1 + _bottom, 1 - _tilt, 1 + _tilt)
)
_low, _high = ((1, Given(3)), (s_chain, One())), ((1, Given(0)), (K * s_chain, One()))
_far_event = state(le(p_top - p_bottom, B_links + K * price), *_means, also=(L, mu))
_far = state(le(tau_far, B_links + K * price), *_means, also=(L, mu))
_far_proof = (
    Step(
        "at an event",
        _far_event,
        Combination(
            (
                (1, Schema("total variation", (output(_top_data), output(_last_data), S_any))),
                (1, Lemma("tv_bound.chain", {f_chain: -_tilt}, {1: _low})),
                (1, Schema("sum step", (LINK, numeric(K - 1)))),
                (
                    1,
                    Schema(
                        "same start",
                        (A_private, _last_data, _bottom_data, numeric(T), S_any),
                        {3: _low, 4: _high},
                    ),
                ),
            )
        ),
    ),
    Step("at all", _far, Over("at an event", _between, (S_any,))),
)
_two_far = state(
    ge(M, e0 * (K + 1) ** 2 * s_chain**2 / 4 * (1 - B_links - K * price)), *_means, also=(L, mu, r)
)
_ends = {A_any: A_private, m_1: a_chain, f_1: -_tilt, m_2: _bottom, f_2: _tilt}
_risk = Step(
    "two points",
    _two_far,
    Combination(
        (
            (1, Lemma("two_point.repaired", _ends)),
            (e0 * (K + 1) ** 2 * s_chain**2 / 4, Lemma("sharp.two_point.chain")),
        )
    ),
)

# --- from gamma_max to gamma_min in equal links
_drop = (gamma_max - gamma_min) / (K_chain + 1)


def _segments(signs: sp.Expr) -> Object:
    ends = (coins(signs, gamma_max - i * _drop) for i in (k_, k_ + 1))
    return total(variation(*ends), K_chain)


B_chain = term("B_chain", _segments(T), "sum of the TV of the binomial laws over all K_chain + 1 segments")
B_few = term("B_few", _segments(sp.Integer(1)), "the same with one gradient")
_width = (given(ge(2 * rho * (K_chain + 1), gamma_max - gamma_min)), given(le(gamma_min, gamma_max)))
_two = state(
    ge(M, e0 * (gamma_max - gamma_min) ** 2 / 4 * (1 - B_chain - K_chain * price)), *_width, also=(L, mu, r)
)
_count = 1 / (K_chain + 1)
_evenly = {a_chain: gamma_max, s_chain: _drop}
_two_sides = {
    2: ((1 - gamma_min, One()),),
    3: ((1 + gamma_min, One()),),
    4: ((_count / (2 * rho), Given(0)),),
    5: ((_count / (2 * rho), Given(1)), (1, One())),
}
_arcs = state(le(B_chain, arc(gamma_max) - arc(gamma_min)), _width[1], also=(K_chain,))
# Whoever takes B_few for B_chain must have T = 1.
_few = state(le(B_few, gamma_max / 2 - gamma_min / 2), _width[1], given(eq(T, 1)), also=(K_chain,))
_last = {1: ((1 + gamma_min, One()),)}
_split = Lemma("K links", {**_evenly, K: K_chain + 1}, _last)

# The last mean is gamma_min, written as the chain has it.
_last_mean = Object(["+", gamma_max.name, ["*", -1, numeric(K_chain + 1).node, numeric(_drop).node]])
_there = Same("asin", _last_mean, gamma_min)

tau_once = term("tau_once", variation(coins(1, gamma_max), coins(1, gamma_min)), "TV of two signs")
p_once = term("p_once", chance(coins(1, gamma_max), S_any), "the probability of an event, one sign")
p_once_low = term("p_once_low", chance(coins(1, gamma_min), S_any), "the same at the smaller mean")
_single = state(le(tau_once, gamma_max / 2 - gamma_min / 2), _width[1])

CLAIMS = (
    theorem(
        "sharp.two_point.hop",
        "inefficient.step1",
        "a change of the forget data at fixed signs: TV of the outputs <= (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _hop,
        proof=by(_hop, (1, Lemma("tv_dp.sharp"))),
    ),
    theorem(
        "sharp.two_point.chain",
        "tv_bound",
        "from mean a to a - (K + 1) s <= a, s <= 2 rho, the output changes in TV by at most the binomial TV of K + 1 "
        "links and K hops",
        _far,
        proof=_far_proof,
    ),
    theorem(
        "sharp.two_point",
        "inefficient",
        "every (eps, delta)-unlearning algorithm: worst risk >= e0 ((gamma_max - gamma_min)/2)^2 (1 - B - K (e^eps - 1 + "
        "2 delta)/(e^eps + 1)), B the binomial TV of K + 1 segments, gamma_max - gamma_min <= 2 rho (K + 1)",
        _two,
        proof=(
            _risk,
            Step(
                "equal links",
                _two,
                Combination(((1, Lemma("two points", {**_evenly, K: K_chain}, _two_sides)),)),
            ),
        ),
        note="Without gradients B = 0; without hops it is one total variation of two binomial laws, known exactly.",
    ),
    theorem(
        "sharp.two_point.arcsine",
        "binomial_tv",
        "B <= sqrt(T)/2 (arcsin gamma_max - arcsin gamma_min), however many segments there are",
        _arcs,
        proof=(*arcs_proof, Step("equal links", _arcs, Combination(((1, _split), (sp.sqrt(T) / 2, _there))))),
    ),
    theorem(
        "sharp.two_point.one",
        "binomial_tv",
        "one coin: TV(Bin(1, (1+gamma)/2), Bin(1, (1+gamma')/2)) <= (gamma' - gamma)/2",
        _single,
        proof=(
            Step(
                "at an event",
                state(le(p_once - p_once_low, gamma_max / 2 - gamma_min / 2), _width[1]),
                Combination(((1, Schema("one coin", (numeric(gamma_max), numeric(gamma_min), S_any))),)),
            ),
            Step(
                "at all",
                _single,
                Over("at an event", variation(coins(1, gamma_max), coins(1, gamma_min)), (S_any,)),
            ),
        ),
    ),
    theorem(
        "sharp.two_point.few",
        "binomial_tv",
        "one gradient: B <= (gamma_max - gamma_min)/2, however many segments there are",
        _few,
        proof=(*few_proof, Step("equal links", _few, Combination(((1, _split),)))),
    ),
)
