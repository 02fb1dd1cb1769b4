"""Two points with exact total variations: the chain of sharp.lower, at whose ends the outputs must differ.

Each segment costs the total variation of two binomial laws, each hop what tv_dp.sharp allows; gamma is free, so
the best one may be taken for every T. This beats the chain of means where no hop is needed, gamma = rho, and
near e0 where gamma cannot exceed 1; elsewhere the chain of means is better.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.claim import Statement
from theory.paper.binomial import absolute, c_hi, c_lo, part, slope, u
from theory.paper.binomial import tau as rise
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.lecam import k, m1, m2, tau, worst
from theory.paper.privacy import close, p_u, p_v
from theory.paper.sharp_lower import E, g_k, g_n, hops, m_hi, m_lo
from theory.proof import Combination, Given, Induction, Integrate, Lemma, Step
from theory.symbols import NONNEGATIVE, UNIT, T, e0, letter, parameter, r_f, rho
from theory.symbols import delta as budget

HALF = Fraction(1, 2)

# --- one hop, and the chain
moved = letter("tau_j", UNIT, "TV of the outputs before and after one hop: same signs, other forget data")
price = (E - 1 + 2 * budget) / (E + 1)
_event = (
    # An event at which the two laws differ by their total variation.
    fact("definition", le(moved, p_u - p_v)),
    close(p_u, p_v),
    close(1 - p_v, 1 - p_u),
)
_hop = state(le(moved, price), *_event)

coins = letter("B_k", NONNEGATIVE, "sum of the TV of the binomial laws at the ends of the first k segments")
all_coins = letter("B_c", NONNEGATIVE, "the same sum over all K_c + 1 segments")
ends = letter("tau_b", UNIT, "TV of the binomial laws of T signs at the ends of one segment")
segment = letter("tau_s", UNIT, "TV of the outputs at the ends of one segment: same start, other signs")
far_k = letter("tau_f", meaning="TV of the output at the start of the chain and after k hops")
far_n = letter("tau_g", meaning="TV of the output at the start of the chain and after k + 1 hops")
most = parameter("h_t", meaning="a bound on the TV of one hop")
_room = coins + k * most - far_k
_next = {coins: coins + ends, far_k: far_n}
_at_most = given(le(moved, most))
# The output is the same function of the signs (phi_measurable).
_processed = fact("data processing", le(segment, ends))
_one = state(
    ge(_room.subs({k: k + 1, **_next}, simultaneous=True), 0),
    given(ge(_room, 0)),
    fact("triangle", le(far_n, far_k + segment + moved)),
    _processed,
    _at_most,
)
_held = state(ge(_room.subs(k, hops), 0), _at_most)
_width = (given(ge(2 * rho * (hops + 1), c_hi - c_lo)), given(le(c_lo, c_hi)))
_chain = state(
    le(tau, all_coins + hops * most),
    *_width,
    _at_most,
    fact("triangle", le(tau, far_k + segment)),
    _processed,
    fact("definition", eq(all_coins, coins + ends)),
    also=(r_f,),
)
_two = state(
    ge(worst, e0 * (c_hi - c_lo) ** 2 / 4 * (1 - all_coins - hops * price)), *_width, also=(moved, tau)
)

# --- what the coins cost: at most the rise of a function from one end of the chain to the other
_parts = (fact("definition", eq(all_coins, coins + ends)), fact("definition", le(g_k, m_hi)))
_once = given(eq(T, 1))
_arc = sp.sqrt(T) / 2 * sp.asin(u)
_arcs = state(le(all_coins, _arc.subs(u, m_hi) - _arc.subs(u, m_lo)), *_parts, also=(hops,))
_few = state(le(all_coins, m_hi / 2 - m_lo / 2), *_parts, _once, also=(hops,))


def _summed(cost: sp.Expr, key: str, whole: Statement) -> tuple[Step, ...]:
    """Segment by segment: each costs at most the rise of `cost`, by the claim of that key."""
    held = cost.subs(u, g_k) - cost.subs(u, m_lo) - coins
    following = {coins: coins + ends, g_k: g_n}
    given_only = [item for item in whole.given if item.why == "given"]
    later = state(
        ge(held.subs(following, simultaneous=True), 0),
        given(ge(held, 0)),
        fact("definition", le(g_k, g_n)),
        *given_only,
    )
    some = state(ge(held, 0), *given_only, also=(hops,))
    one = Lemma(key, {c_lo: g_k, c_hi: g_n, rise: ends})
    last = Lemma(key, {c_lo: g_k, c_hi: m_hi, rise: ends})
    walk = Induction(k, held, "none", "one more", {coins: 0, g_k: m_lo}, following, hops)
    return (
        Step("none", state(ge(0, 0)), Combination(())),
        Step("one more", later, Combination(((1, Given(0)), (1, one)))),
        Step("some", some, walk),
        Step("all", whole, Combination(((1, Lemma("some")), (-1, Given(0)), (1, last)))),
    )


_slope = state(
    ge(HALF - slope, 0),
    fact("definition", eq(slope, 2 * part / (1 - u**2))),
    fact("moments", le(part, absolute / 2)),
    # X is 0 or 1: E|X - x| = 2 x (1-x), x = (1+u)/2.
    fact("moments", eq(absolute, (1 - u**2) / 2)),
    _once,
)
_single = state(le(rise, c_hi / 2 - c_lo / 2), given(le(c_lo, c_hi)), _once)

CLAIMS = (
    repair(
        "sharp.two_point.hop",
        1233,
        "a change of the forget data at fixed signs: TV of the outputs <= (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _hop,
        proof=by(_hop, (1, Given(0)), (1, Lemma("tv_dp.sharp"))),
    ),
    repair(
        "sharp.two_point.chain",
        1170,
        "from mean gamma_3 to gamma_4 the output changes in TV by at most the binomial TV of K + 1 segments and K hops",
        _chain,
        proof=(
            Step("no hop", state(ge(0, 0)), Combination(())),
            Step(
                "one more hop",
                _one,
                Combination(((1, Given(0)), (1, Given(1)), (1, Given(2)), (1, Given(3)))),
            ),
            Step(
                "K hops",
                _held,
                Induction(k, _room, "no hop", "one more hop", {coins: 0, far_k: 0}, _next, hops),
            ),
            Step(
                "all",
                _chain,
                Combination(((1, Given(3)), (1, Lemma("K hops")), (1, Given(4)), (1, Given(5)))),
            ),
        ),
        leans=("phi_measurable", "setup.hard_family", "setup.lift", "tv_bound.edge.repaired"),
    ),
    repair(
        "sharp.two_point",
        562,
        "every (eps, delta)-unlearning algorithm: worst risk >= e0 ((gamma_4 - gamma_3)/2)^2 (1 - B - K (e^eps - 1 + "
        "2 delta)/(e^eps + 1)), B the binomial TV of K + 1 segments, gamma_4 - gamma_3 <= 2 rho (K + 1)",
        _two,
        proof=by(
            _two,
            (1, Lemma("two_point.repaired", {m1: c_hi, m2: c_lo})),
            (
                e0 * (c_hi - c_lo) ** 2 / 4,
                Lemma("sharp.two_point.chain", {most: price}, {2: ((1, Lemma("sharp.two_point.hop")),)}),
            ),
        ),
        note="Without gradients B = 0; without hops it is one total variation of two binomial laws, known exactly.",
    ),
    repair(
        "sharp.two_point.arcsine",
        1373,
        "B <= sqrt(T)/2 (arcsin m_hi - arcsin m_lo) for a chain from m_lo to m_hi, however many segments it has",
        _arcs,
        proof=_summed(_arc, "binomial_tv.arcsin", _arcs),
    ),
    repair(
        "sharp.two_point.one",
        1373,
        "one coin: TV(Bin(1, (1+gamma)/2), Bin(1, (1+gamma')/2)) <= (gamma' - gamma)/2",
        _single,
        proof=(
            Step(
                "slope",
                _slope,
                Combination(
                    (
                        (-1, Given(0)),
                        (2 / (1 - u**2), Given(1)),
                        (-1 / (1 - u**2), Given(2)),
                    )
                ),
            ),
            Step("integrated", _single, Integrate("slope", u, u / 2, slope, rise, c_lo, c_hi)),
        ),
    ),
    repair(
        "sharp.two_point.few",
        1373,
        "one gradient: B <= (m_hi - m_lo)/2 for a chain from m_lo to m_hi, however many segments it has",
        _few,
        proof=_summed(u / 2, "sharp.two_point.one", _few),
    ),
)
