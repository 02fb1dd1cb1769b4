"""Two points with exact total variations: the chain of sharp.lower, at whose ends the outputs must differ.

Each segment costs the total variation of two binomial laws, each hop what tv_dp.sharp allows; gamma is free, so
the best one may be taken for every T. This beats the chain of means where no hop is needed, gamma = rho, and
near e0 where gamma cannot exceed 1; elsewhere the chain of means is better.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, UNIT, letter, parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min, p_slope, tau, u, y_abs, y_event
from oubli.theory.paper.lecam import M, k, m_1, m_2, tau_12
from oubli.theory.paper.letters import T, delta, e0, r, rho
from oubli.theory.paper.privacy import P_unlearned, P_unlearned_other, close
from oubli.theory.paper.sharper.lower import E, K_chain, m_high, m_k, m_k_next, m_low
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Given, Induction, Integrate, Lemma, Step

HALF = Fraction(1, 2)

# --- one hop, and the chain
tau_moved = letter(
    "tau_moved", UNIT, "TV of the outputs before and after one hop: same signs, other forget data"
)
price = (E - 1 + 2 * delta) / (E + 1)
_event = (
    # An event at which the two laws differ by their total variation.
    fact("definition", le(tau_moved, P_unlearned - P_unlearned_other)),
    close(P_unlearned, P_unlearned_other),
    close(1 - P_unlearned_other, 1 - P_unlearned),
)
_hop = state(le(tau_moved, price), *_event)

B_k = letter("B_k", NONNEGATIVE, "sum of the TV of the binomial laws at the ends of the first k segments")
B_chain = letter("B_chain", NONNEGATIVE, "the same sum over all K_chain + 1 segments")
tau_ends = letter("tau_ends", UNIT, "TV of the binomial laws of T signs at the ends of one segment")
tau_segment = letter(
    "tau_segment", UNIT, "TV of the outputs at the ends of one segment: same start, other signs"
)
tau_far = letter("tau_far", meaning="TV of the output at the start of the chain and after k hops")
tau_far_next = letter(
    "tau_far_next", meaning="TV of the output at the start of the chain and after k + 1 hops"
)
tau_bound = parameter("tau_bound", meaning="a bound on the TV of one hop")
_room = B_k + k * tau_bound - tau_far
_next = {B_k: B_k + tau_ends, tau_far: tau_far_next}
_at_most = given(le(tau_moved, tau_bound))
# The output is the same function of the signs (phi_measurable).
_processed = fact("data processing", le(tau_segment, tau_ends))
_one = state(
    ge(_room.subs({k: k + 1, **_next}, simultaneous=True), 0),
    given(ge(_room, 0)),
    fact("triangle", le(tau_far_next, tau_far + tau_segment + tau_moved)),
    _processed,
    _at_most,
)
_held = state(ge(_room.subs(k, K_chain), 0), _at_most)
_width = (given(ge(2 * rho * (K_chain + 1), gamma_max - gamma_min)), given(le(gamma_min, gamma_max)))
_chain = state(
    le(tau_12, B_chain + K_chain * tau_bound),
    *_width,
    _at_most,
    fact("triangle", le(tau_12, tau_far + tau_segment)),
    _processed,
    fact("definition", eq(B_chain, B_k + tau_ends)),
    also=(r,),
)
_two = state(
    ge(M, e0 * (gamma_max - gamma_min) ** 2 / 4 * (1 - B_chain - K_chain * price)),
    *_width,
    also=(tau_moved, tau_12),
)

# --- what the coins cost: at most the rise of a function from one end of the chain to the other
_parts = (fact("definition", eq(B_chain, B_k + tau_ends)), fact("definition", le(m_k, m_high)))
_once = given(eq(T, 1))
_arc = sp.sqrt(T) / 2 * sp.asin(u)
_arcs = state(le(B_chain, _arc.subs(u, m_high) - _arc.subs(u, m_low)), *_parts, also=(K_chain,))
_few = state(le(B_chain, m_high / 2 - m_low / 2), *_parts, _once, also=(K_chain,))


def _summed(cost: sp.Expr, key: str, whole: Statement) -> tuple[Step, ...]:
    """Segment by segment: each costs at most the rise of `cost`, by the claim of that key."""
    held = cost.subs(u, m_k) - cost.subs(u, m_low) - B_k
    following = {B_k: B_k + tau_ends, m_k: m_k_next}
    given_only = [item for item in whole.given if item.why == "given"]
    later = state(
        ge(held.subs(following, simultaneous=True), 0),
        given(ge(held, 0)),
        fact("definition", le(m_k, m_k_next)),
        *given_only,
    )
    some = state(ge(held, 0), *given_only, also=(K_chain,))
    one = Lemma(key, {gamma_min: m_k, gamma_max: m_k_next, tau: tau_ends})
    last = Lemma(key, {gamma_min: m_k, gamma_max: m_high, tau: tau_ends})
    walk = Induction(k, held, "none", "one more", {B_k: 0, m_k: m_low}, following, K_chain)
    return (
        Step("none", state(ge(0, 0)), Combination(())),
        Step("one more", later, Combination(((1, Given(0)), (1, one)))),
        Step("some", some, walk),
        Step("all", whole, Combination(((1, Lemma("some")), (-1, Given(0)), (1, last)))),
    )


_slope = state(
    ge(HALF - p_slope, 0),
    fact("definition", eq(p_slope, 2 * y_event / (1 - u**2))),
    fact("moments", le(y_event, y_abs / 2)),
    # X is 0 or 1: E|X - x| = 2 x (1-x), x = (1+u)/2.
    fact("moments", eq(y_abs, (1 - u**2) / 2)),
    _once,
)
_single = state(le(tau, gamma_max / 2 - gamma_min / 2), given(le(gamma_min, gamma_max)), _once)

CLAIMS = (
    theorem(
        "sharp.two_point.hop",
        "inefficient.step1",
        "a change of the forget data at fixed signs: TV of the outputs <= (e^eps - 1 + 2 delta)/(e^eps + 1)",
        _hop,
        proof=by(_hop, (1, Given(0)), (1, Lemma("tv_dp.sharp"))),
    ),
    theorem(
        "sharp.two_point.chain",
        "tv_bound",
        "from mean gamma_min to gamma_max the output changes in TV by at most the binomial TV of K + 1 segments and K hops",
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
                Induction(k, _room, "no hop", "one more hop", {B_k: 0, tau_far: 0}, _next, K_chain),
            ),
            Step(
                "all",
                _chain,
                Combination(((1, Given(3)), (1, Lemma("K hops")), (1, Given(4)), (1, Given(5)))),
            ),
        ),
        depends=("phi_measurable", "setup.hard_family", "setup.lift", "tv_bound.edge.repaired"),
    ),
    theorem(
        "sharp.two_point",
        "inefficient",
        "every (eps, delta)-unlearning algorithm: worst risk >= e0 ((gamma_max - gamma_min)/2)^2 (1 - B - K (e^eps - 1 + "
        "2 delta)/(e^eps + 1)), B the binomial TV of K + 1 segments, gamma_max - gamma_min <= 2 rho (K + 1)",
        _two,
        proof=by(
            _two,
            (1, Lemma("two_point.repaired", {m_1: gamma_max, m_2: gamma_min})),
            (
                e0 * (gamma_max - gamma_min) ** 2 / 4,
                Lemma("sharp.two_point.chain", {tau_bound: price}, {2: ((1, Lemma("sharp.two_point.hop")),)}),
            ),
        ),
        note="Without gradients B = 0; without hops it is one total variation of two binomial laws, known exactly.",
    ),
    theorem(
        "sharp.two_point.arcsine",
        "binomial_tv",
        "B <= sqrt(T)/2 (arcsin m_high - arcsin m_low) for a chain from m_low to m_high, however many segments it has",
        _arcs,
        proof=_summed(_arc, "binomial_tv.arcsin", _arcs),
    ),
    theorem(
        "sharp.two_point.one",
        "binomial_tv",
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
            Step("integrated", _single, Integrate("slope", u, u / 2, p_slope, tau, gamma_min, gamma_max)),
        ),
    ),
    theorem(
        "sharp.two_point.few",
        "binomial_tv",
        "one gradient: B <= (m_high - m_low)/2 for a chain from m_low to m_high, however many segments it has",
        _few,
        proof=_summed(u / 2, "sharp.two_point.one", _few),
    ),
)
