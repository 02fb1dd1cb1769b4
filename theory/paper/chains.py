"""Chains of hard problems: links at the same theta*, where only the signs tell, and private hops back.

The problem with signs of mean m on the retain data and f on the forget data has theta* = R ((1-r) m + r f) e_1.
From m to m - s and from f to f + s/rho it stays where it is (a link); then the forget data go back to f (a hop).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, UNIT, Domain, parameter
from oubli.theory.paper.binomial import gamma_max, gamma_min
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_private, L, S_any, T, mu, rho
from oubli.theory.paper.privacy import Sides, at_an_event, price
from oubli.theory.records.build import ge, given, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    chance,
    coins,
    hard_problem,
    numeric,
    out,
    term,
    total,
    variation,
)
from oubli.theory.records.proof import (
    Combination,
    Given,
    Induction,
    Lemma,
    Monotone,
    One,
    Over,
    Schema,
    Step,
    Term,
)

ZERO = sp.Integer(0)
a_chain = parameter("a_chain", meaning="mean of the signs on the retain data where a chain starts")
s_chain = parameter("s_chain", NONNEGATIVE, "by how much it falls in each link")
f_chain = parameter("f_chain", meaning="mean of the signs on the forget data after each hop")
K = parameter("K", NATURAL, "number of private hops")
K_chain = parameter("K_chain", NATURAL, "number of hops, with gamma_max - gamma_min <= 2 rho (K_chain + 1)")
k = parameter("k", NATURAL, "number of hops made")
f_linked = f_chain + s_chain / rho


def in_chain(hops: sp.Expr, forgotten: sp.Expr = f_chain) -> Object:
    """The problem after some hops, or before the last of them."""
    return hard_problem(a_chain - hops * s_chain, forgotten)


def output(D: Object) -> Object:
    """What an unlearning algorithm releases."""
    return out(A_private, D, T)


def links(count: sp.Expr, signs: sp.Expr = T) -> Object:
    """The sum of the TV of the binomial laws of so many signs at the ends of the first links."""
    ends = (coins(signs, a_chain - i * s_chain) for i in (k_, k_ + 1))
    return total(variation(*ends), count - 1)


LINK = variation(coins(T, a_chain - k_ * s_chain), coins(T, a_chain - (k_ + 1) * s_chain))
_first = output(in_chain(ZERO))
tau_chain = term(
    "tau_chain", variation(_first, output(in_chain(K))), "TV of the outputs at the ends of a chain"
)
tau_k = term(
    "tau_k", variation(_first, output(in_chain(k))), "TV of the outputs at its start and after k hops"
)
_hopped = variation(_first, output(in_chain(k + 1)))
tau_k_next = term("tau_k_next", _hopped, "TV of the outputs at its start and after k + 1 hops")
B_walk, B_k, B_k_next, B_none = (
    term(name, links(count), "sum of the TV of the binomial laws of the links")
    for name, count in (("B_walk", K), ("B_k", k), ("B_k_next", k + 1), ("B_none", ZERO))
)
tau_ends = term(
    "tau_ends",
    variation(coins(T, a_chain - k * s_chain), coins(T, a_chain - (k + 1) * s_chain)),
    "TV of the binomial laws at the ends of one link",
)
p_first = term("p_first", chance(_first, S_any), "P[output in S] at the start of a chain")
p_next = term("p_next", chance(output(in_chain(k + 1)), S_any), "P[output in S] after k + 1 hops")

# All means lie in [-1, 1].
in_range = (given(ge(1 - a_chain, 0)), given(ge(1 + a_chain - K * s_chain, 0)))
inside = (*in_range, given(ge(1 + f_chain, 0)), given(ge(1 - f_linked, 0)))
_below = given(ge(K, k + 1))


def _mean(first: int, hops: sp.Expr, given_: tuple[int, int, int], spare: int) -> Sides:
    """That 1 + m and 1 - m are at least 0 after some hops: conditions number `first` and the next.

    By `in_range` and K > k, which are given under these numbers.
    """
    high, low, below = map(Given, given_)
    return {
        first: ((1, low), (s_chain, below), (s_chain * spare, One())),
        first + 1: ((1, high), (hops * s_chain, One())),
    }


_f_below, _f_above = ((1, Given(3)), (s_chain / rho, One())), ((1, Given(2)), (s_chain / rho, One()))
_from, _linked, _to = in_chain(k), in_chain(k + 1, f_linked), in_chain(k + 1)
_at = (0, 1, 4)
_both = _mean(0, k + 1, _at, 0)
link_sides = {**_mean(3, k, _at, 1), 6: _f_below, **_mean(9, k + 1, _at, 0), 11: _f_above}
_one_event = (
    (1, Schema("total variation", (_first, output(_from), S_any))),
    (1, Schema("same start", (A_private, _from, _linked, numeric(T), S_any), link_sides)),
    *at_an_event(_linked, _to, {**_both, 2: _f_above, 7: _f_below}, {**_both, 3: _f_below, 6: _f_above}),
)
_more = tau_k + tau_ends + price
_room = B_k + k * price - tau_k
held = state(le(tau_chain, B_walk + K * price), *inside, also=(L, mu))
held_proof = (
    Step("no hop", state(ge(B_none, 0)), Combination(((1, Schema("empty sum", (LINK,))),))),
    Step(
        "one more, at an event",
        state(le(p_first - p_next, _more), *inside, _below, also=(L, mu)),
        Combination(_one_event),
    ),
    Step(
        "one more, at all",
        state(le(tau_k_next, _more), *inside, _below, also=(L, mu)),
        Over("one more, at an event", _hopped, (S_any,)),
    ),
    Step(
        "one more",
        state(
            ge(B_k_next + (k + 1) * price - tau_k_next, 0), given(ge(_room, 0)), *inside, _below, also=(L, mu)
        ),
        Combination(
            ((1, Given(0)), (1, Lemma("one more, at all")), (1, Schema("sum step", (LINK, numeric(k - 1)))))
        ),
    ),
    Step("K hops", held, Induction(k, _room, "no hop", "one more", {}, {}, K, last=K)),
)

# --- what the links cost: at most the fall of a function of the mean
q_high = parameter("q_high", meaning="a mean of signs")
q_low = parameter("q_low", meaning="a smaller mean of signs")
_between = tuple(given(ge(x, 0)) for x in (1 - q_high, 1 + q_high, 1 - q_low, 1 + q_low, q_high - q_low))


Cost = Callable[[sp.Expr], sp.Expr]


def one_link(count: sp.Expr, cost: Cost, *terms: Term) -> Step:
    """TV of two binomial laws of `count` signs <= the fall of a cost of the mean."""
    tau = term(
        f"tau_link_{count}", variation(coins(count, q_high), coins(count, q_low)), "TV of two binomial laws"
    )
    return Step("one link", state(le(tau, cost(q_high) - cost(q_low)), *_between), Combination(terms))


def summed(count: sp.Expr, cost: Cost, *link: Step) -> tuple[Statement, tuple[Step, ...]]:
    """K links cost at most the fall of a function, if each does; the last of the steps `link` shows that."""
    none, some, more, whole = (
        term(f"{name}_{count}", links(n, count), "sum of the TV of the binomial laws of the links")
        for name, n in (("B_none", ZERO), ("B_some", k), ("B_more", k + 1), ("B_links", K))
    )

    def fallen(hops: sp.Expr) -> sp.Expr:
        return cost(a_chain) - cost(a_chain - hops * s_chain)

    here, there = _mean(0, k, (1, 2, 3), 1), _mean(2, k + 1, (1, 2, 3), 0)
    sides = {0: here[1], 1: here[0], 2: there[3], 3: there[2]}
    one = Lemma(link[-1].name, {q_high: a_chain - k * s_chain, q_low: a_chain - (k + 1) * s_chain}, sides)
    says = state(le(whole, fallen(K)), *in_range)
    held = fallen(k) - some
    one_more = state(ge(fallen(k + 1) - more, 0), given(ge(held, 0)), *in_range, _below)
    each = variation(coins(count, a_chain - k_ * s_chain), coins(count, a_chain - (k_ + 1) * s_chain))
    return says, (
        *link,
        Step("no link", state(ge(-none, 0)), Combination(((-1, Schema("empty sum", (each,))),))),
        Step(
            "one more link",
            one_more,
            Combination(((1, Given(0)), (1, one), (-1, Schema("sum step", (each, numeric(k - 1)))))),
        ),
        Step("K links", says, Induction(k, held, "no link", "one more link", {}, {}, K, last=K)),
    )


def arc(mean: sp.Expr) -> sp.Expr:
    """sqrt(T)/2 arcsin of a mean, written as it is: sympy would turn signs around."""
    return sp.sqrt(T) / 2 * sp.asin(mean, evaluate=False)


x_odd = parameter("x_odd", UNIT, "a point of [0, 1]")
y_odd = parameter("y_odd", Domain(Fraction(0), Fraction(1), False, True), "a point of [0, 1)")


def _both_arcs(x: sp.Symbol) -> sp.Expr:
    return sp.asin(x) + sp.asin(-x, evaluate=False)


# arcsin(x) + arcsin(-x) has slope 0 and starts at 0.
odd = (
    Step("level", state(ge(0, 0), also=(y_odd,)), Combination(())),
    Step("odd", state(ge(_both_arcs(x_odd), 0)), Monotone("level", y_odd, _both_arcs(y_odd), ZERO, x_odd)),
)
arcs, arcs_proof = summed(
    T,
    arc,
    one_link(T, arc, (1, Lemma("binomial_tv.arcsin", {gamma_max: q_high, gamma_min: q_low}))),
)
p_one_high = term("p_one_high", chance(coins(1, q_high), S_any), "the probability of an event, one sign")
p_one_low = term("p_one_low", chance(coins(1, q_low), S_any), "the same at the smaller mean")
_one_event_link = Step(
    "at an event",
    state(le(p_one_high - p_one_low, (q_high - q_low) / 2), *_between),
    Combination(((1, Schema("one coin", (numeric(q_high), numeric(q_low), S_any))),)),
)
_one_coin = Step(
    "one link",
    state(
        le(term("tau_link_1", variation(coins(1, q_high), coins(1, q_low))), q_high / 2 - q_low / 2),
        *_between,
    ),
    Over("at an event", variation(coins(1, q_high), coins(1, q_low)), (S_any,)),
)
few, few_proof = summed(sp.Integer(1), lambda mean: mean / 2, _one_event_link, _one_coin)

CLAIMS = (
    theorem(
        "tv_bound.chain",
        "tv_bound",
        "after K links and hops, from mean a to a - K s, TV of the outputs <= sum of the TV of the binomial laws at the "
        "ends of the links + K (e^eps - 1 + 2 delta)/(e^eps + 1)",
        held,
        proof=held_proof,
        note="Links change the signs at a fixed theta* (phi_measurable and data processing), hops change the forget "
        "data at fixed signs (Definition 2). That theta* is shared is computed, not assumed.",
    ),
)
