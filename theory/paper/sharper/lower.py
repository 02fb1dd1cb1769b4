"""Unlearning, lower bound on the line, valid in every dimension (setup.lift): means along a chain of problems.

The mean output rises along segments at a fixed theta* (sharp.lower.segment), while the forget data change; then
these hop back at fixed signs: privacy bounds what O can do. No total variation is summed, and T = 0 is included.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.chains import K_chain, k, output, s_chain
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_private, L, S_any, T, delta, epsilon, mu, r, rho
from oubli.theory.paper.sharper.cut import (
    at_most_size,
    cut,
    m_cut,
    side,
    side_steps,
    size,
    x_cut,
)
from oubli.theory.paper.sharper.means import (
    along,
    data_at,
    f_hop,
    f_low,
    high_at,
    inside_at,
    kept,
    low_at,
    m_high,
    m_hop,
    m_low,
    off,
    released_at,
    risen,
    risk,
    root,
    x_out,
    y_worst,
)
from oubli.theory.records.build import combined, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    chance,
    hard_problem,
    mean,
    minus,
    numeric,
    scaled,
    term,
    total,
)
from oubli.theory.records.proof import (
    Given,
    Induction,
    Layers,
    Lemma,
    Mean,
    One,
    Same,
    Schema,
    Step,
    Term,
)

E = sp.exp(epsilon)
tanh = (E - 1) / (E + 1)

# --- one hop: other forget data, the same retain data
f_next = parameter("f_next", meaning="mean of the signs on other forget data")
_next_data = given(ge(1 + f_next, 0)), given(ge(1 - f_next, 0))
_hop_given = (*inside_at, *data_at, *_next_data)
_other = output(hard_problem(m_hop, f_next))
p_unhopped = term("p_unhopped", chance(released_at, S_any), "P[output in S] before a hop")
p_hopped = term("p_hopped", chance(_other, S_any), "P[output in S] after it")
_private = state(ge(E * p_hopped + delta - p_unhopped, 0), *_hop_given, also=(L, mu, T))
_back = state(ge(E * p_unhopped + delta - p_hopped, 0), *_hop_given, also=(L, mu, T))
O_here, O_there = (
    term(name, mean(kept(m_hop, f)), f"E O {when} a hop")
    for name, f, when in (("O_here", f_hop, "before"), ("O_there", f_next, "after"))
)


def part(x: Object, sign: int) -> Object:
    """The part of O - m of one sign, for a number that is cut: |.| is (.)_+ + (-.)_+."""
    away = minus(cut(x), numeric(m_hop))
    return scaled(sp.Rational(1, 2), Object(["+", size(away).node, ["*", sign, away.node]]))


Y_side_P = term("Y_side_P", mean(part(along(released_at), 1)), "E (O - m)_+ before a hop")
Y_side_Q = term("Y_side_Q", mean(part(along(_other), 1)), "E (O - m)_+ after it")
Y_below_P = term("Y_below_P", mean(part(along(released_at), -1)), "E (m - O)_+ before a hop")
Y_below_Q = term("Y_below_Q", mean(part(along(_other), -1)), "E (m - O)_+ after it")
g_above = term("g_above", part(along(x_out), 1), "(O - m)_+ at one outcome")
g_below = term("g_below", part(along(x_out), -1), "(m - O)_+ at one outcome")


def _one_side(sign: int, P: sp.Symbol, Q: sp.Symbol) -> tuple[Any, tuple[Step, ...]]:
    """On one side of m: E of the part under P is at most e^eps times that under Q, and delta times its range."""
    name, g = ("above", g_above) if sign == 1 else ("below", g_below)
    D, F, f, h = (released_at, _other, f_hop, f_next) if sign == 1 else (_other, released_at, f_next, f_hop)
    room = gamma_max - m_hop if sign == 1 else m_hop - gamma_min
    at = {x_cut: along(x_out), m_cut: m_hop}
    here, there = ((hard_problem(m_hop, v)) for v in (f, h))
    private = _private if sign == 1 else _back
    says = state(le(P - Q, tanh * (P + Q) + (1 - tanh) * room * delta), *_hop_given, also=(L, mu, T))
    return says, (
        *side_steps,
        *side(sign),
        combined(
            f"{name}, at an event",
            private,
            (1, Schema("unlearning", (A_private, here, there, numeric(T), S_any), {0: low_at, 1: high_at})),
        ),
        combined(f"{name}, from 0", state(ge(g, 0), also=(L, mu)), (1, Lemma(f"{name}, at least 0", at))),
        combined(
            f"{name}, to the end",
            state(ge(room - g, 0), *inside_at, also=(L, mu)),
            (1, Lemma(f"{name}, at most", at)),
        ),
        Step(
            f"{name}, in the mean",
            state(ge(E * Q + delta * room - P, 0), *_hop_given, also=(L, mu, T)),
            Layers(
                (f"{name}, at an event", f"{name}, from 0", f"{name}, to the end"),
                S_any,
                x_out,
                part(along(x_out), sign),
                room,
                delta,
                ((E, F), (-1, D)),
            ),
        ),
        combined(f"{name} m", says, (2 / (E + 1), Lemma(f"{name}, in the mean"))),
    )


_above, _above_proof = _one_side(1, Y_side_P, Y_side_Q)
_under, _under_proof = _one_side(-1, Y_below_Q, Y_below_P)
O_hop = term(
    "O_hop", minus(mean(kept(m_hop, f_hop)), mean(kept(m_hop, f_next))), "E O before a hop minus E O after it"
)
price = 2 * tanh * y_worst + (1 - tanh) * (gamma_max - gamma_min) * delta
_at_next = {f_hop: f_next}
_hop = state(le(O_hop, price), *_hop_given, risk, also=(r,))
_hop_proof = (
    *_above_proof,
    *_under_proof[len(side_steps) :],
    combined(
        "both sides",
        _hop,
        (1, Lemma("above m")),
        (1, Lemma("below m")),
        (tanh, Lemma("sharp.lower.near")),
        (tanh, Lemma("sharp.lower.near", _at_next)),
    ),
)

# However little privacy there is, both means lie within y_worst of m.
_cap = state(le(O_hop, 2 * y_worst), *_hop_given, risk, also=(r,))
_cap_proof = (
    combined(
        "both near m",
        _cap,
        (1, Mean(at_most_size(off(m_hop, f_hop)))),
        (1, Mean(at_most_size(off(m_hop, f_next), -1))),
        (1, Lemma("sharp.lower.near")),
        (1, Lemma("sharp.lower.near", _at_next)),
    ),
)

# --- the chain: K_chain + 1 segments of s_chain, and a hop back after each but the last
_tip = s_chain / (2 * rho)


def _at(hops: Any, f: sp.Expr, step: sp.Expr = s_chain) -> Object:
    """The mean output after some segments of a length."""
    return mean(kept(gamma_min + hops * step, f))


def hops(count: sp.Expr, step: sp.Expr = s_chain) -> Object:
    """By how much the hops after the first segments move the mean output, in sum."""
    tip = step / (2 * rho)
    return total(minus(_at(k_ + 1, tip, step), _at(k_ + 1, -tip, step)), count - 1)


_one_hop = minus(_at(k_ + 1, _tip), _at(k_ + 1, -_tip))
O_start, O_k, O_k_next, O_walk = (
    term(name, _at(n, _tip), f"E O after {n} segments and hops")
    for name, n in (("O_start", 0), ("O_k", k), ("O_k_next", k + 1), ("O_walk", K_chain))
)
H_none, H_k, H_k_next, H_walk = (
    term(name, hops(n), "by how much hops move the mean output, in sum")
    for name, n in (("H_none", sp.Integer(0)), ("H_k", k), ("H_k_next", k + 1), ("H_walk", K_chain))
)
_drop = (gamma_max - gamma_min) / (K_chain + 1)
H_hops = term("H_hops", hops(K_chain, _drop), "by how much the hops of a chain move the mean output, in sum")
_walk = (
    given(ge(1 - _tip, 0)),
    given(ge(gamma_max - gamma_min - (K_chain + 1) * s_chain, 0)),
    risk,
)
_before_last = given(ge(K_chain, k + 1))
_end = gamma_min + (K_chain + 1) * s_chain
# After k + 1 segments, of K_chain + 1, the mean is at most gamma_max; conditions by their numbers.
_then: tuple[Term, ...] = ((1, Given(2)), (s_chain, Given(4)), (s_chain, One()))


def _height(count: sp.Expr, H: sp.Expr, here: sp.Expr) -> sp.Expr:
    """By how much less the mean output has risen than segments and hops allow."""
    return risen(gamma_min, gamma_min + count * s_chain) + H - here + O_start


def _segment_at(count: sp.Expr, tip: int, inside: tuple[Term, ...]) -> Lemma:
    """The segment after some hops."""
    ends = {m_low: gamma_min + count * s_chain, m_high: gamma_min + (count + 1) * s_chain, f_low: _tip}
    return Lemma("sharp.lower.segment", ends, {2: inside, 4: ((1, Given(tip)),)})


_room = _height(k, H_k, O_k)
_held = state(ge(_height(K_chain, H_walk, O_walk), 0), *_walk, also=(r,))
_through = state(le(_end - gamma_min, 2 * y_worst + risen(gamma_min, _end) + H_walk), *_walk, also=(r,))


def _forced(hops: sp.Expr) -> sp.Basic:
    """What the risk must satisfy when the hops move the mean output by at most so much in sum."""
    return le(gamma_max - gamma_min, 2 * y_worst + risen(gamma_min, gamma_max) + hops)


_width = (given(ge(2 * rho * (K_chain + 1), gamma_max - gamma_min)), given(le(gamma_min, gamma_max)), risk)
_chain = state(_forced(H_hops), *_width, also=(r,))
_equal = Lemma(
    "from end to end",
    {s_chain: _drop},
    {0: ((1 / (2 * rho * (K_chain + 1)), Given(0)),), 1: (), "s_chain": ((1 / (K_chain + 1), Given(1)),)},
)
# The last mean is gamma_max, written as the chain has it.
_last_mean = Object(["+", gamma_min.name, ["*", numeric(K_chain + 1).node, numeric(_drop).node]])
_chain_proof = (
    combined("no hop", state(ge(H_none, 0)), (1, Schema("empty sum", (_one_hop,)))),
    combined(
        "one more hop",
        state(
            ge(_height(k + 1, H_k_next, O_k_next), 0), given(ge(_room, 0)), *_walk, _before_last, also=(r,)
        ),
        (1, Given(0)),
        (1, _segment_at(k, 1, _then)),
        (1, Schema("sum step", (_one_hop, numeric(k - 1)))),
    ),
    Step("K hops", _held, Induction(k, _room, "no hop", "one more hop", {}, {}, K_chain, last=K_chain)),
    combined(
        "from end to end",
        _through,
        (1, Lemma("K hops")),
        (1, _segment_at(K_chain, 0, ((1, Given(1)),))),
        (1, Mean(at_most_size(off(_end, -_tip), -1))),
        (1, Lemma("sharp.lower.near", {m_hop: _end, f_hop: -_tip}, {1: ((1, Given(1)),)})),
        (1, Mean(at_most_size(off(gamma_min, _tip)))),
        (
            1,
            Lemma(
                "sharp.lower.near",
                {m_hop: gamma_min, f_hop: _tip},
                {1: ((1, Given(1)), ((K_chain + 1) * s_chain, One()))},
            ),
        ),
    ),
    combined("equal segments", _chain, (1, _equal), (-y_worst * root, Same("asin", _last_mean, gamma_max))),
)


def _paid(cost: sp.Expr, hop: str) -> tuple[Any, tuple[Step, ...]]:
    """The chain where each hop moves the mean output by at most a cost, which a claim says."""
    says = state(_forced(K_chain * cost), *_width, also=(r,))
    room = k * cost - H_k
    at = {m_hop: gamma_min + (k + 1) * s_chain, f_hop: _tip, f_next: -_tip}
    return says, (
        combined("no hop", state(ge(-H_none, 0)), (-1, Schema("empty sum", (_one_hop,)))),
        combined(
            "one more hop",
            state(ge((k + 1) * cost - H_k_next, 0), given(ge(room, 0)), *_walk, _before_last, also=(r,)),
            (1, Given(0)),
            (1, Lemma(hop, at, {1: _then})),
            (-1, Schema("sum step", (_one_hop, numeric(k - 1)))),
        ),
        Step(
            "from end to end",
            state(ge(K_chain * cost - H_walk, 0), *_walk, also=(r,)),
            Induction(k, room, "no hop", "one more hop", {}, {}, K_chain, last=K_chain),
        ),
        combined("paid", says, (1, Lemma("sharp.lower.chain")), (1, _equal)),
    )


_lower, _lower_proof = _paid(price, "sharp.lower.hop")
_capped, _capped_proof = _paid(2 * y_worst, "sharp.lower.hop.cap")


CLAIMS = (
    theorem(
        "sharp.lower.side",
        "inefficient.step1",
        "other forget data, the same retain data: on one side of m the rise of E (O - m)_+ is at most tanh(eps/2) times "
        "the sum of both, and (1 - tanh(eps/2)) (gamma_max - m) delta",
        _above,
        proof=_above_proof,
    ),
    theorem(
        "sharp.lower.hop",
        "inefficient.step1",
        "a change of the forget data at fixed signs moves the mean output by at most 2 tanh(eps/2) sqrt(x) + "
        "(1 - tanh(eps/2)) (gamma_max - gamma_min) delta",
        _hop,
        proof=_hop_proof,
        note="Half the delta term of the two-sided bound: on each side of m one direction of privacy is used.",
    ),
    theorem(
        "sharp.lower.hop.cap",
        "inefficient.step1",
        "and by at most 2 sqrt(x), whatever the budget: both mean outputs lie within sqrt(x) of m",
        _cap,
        proof=_cap_proof,
    ),
    theorem(
        "sharp.lower.chain",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients and worst risk x e0: gamma_max - gamma_min <= sqrt(x) (2 + "
        "sqrt(T) (arcsin gamma_max - arcsin gamma_min)) + H, where H is by how much K hops move its mean output, in sum, and "
        "gamma_max - gamma_min <= 2 rho (K + 1)",
        _chain,
        proof=_chain_proof,
        depends=("setup.lift",),
    ),
    theorem(
        "sharp.lower",
        "inefficient",
        "every (eps, delta)-unlearning algorithm with T gradients and worst risk x e0: the chain with K hops of "
        "2 tanh(eps/2) sqrt(x) + (1 - tanh(eps/2)) (gamma_max - gamma_min) delta",
        _lower,
        proof=_lower_proof,
    ),
    theorem(
        "sharp.lower.capped",
        "inefficient",
        "the same with hops of 2 sqrt(x): a hop never costs more, so the bound does not fall as eps grows",
        _capped,
        proof=_capped_proof,
    ),
)
