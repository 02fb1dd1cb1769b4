"""Laws, coins, privacy and times: each schema and rule as it was meant, and what must not follow."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging.judge import judge
from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem
from oubli.theory.paper.binomial import gamma_max, gamma_min, tau
from oubli.theory.paper.chains import B_walk, a_chain, f_chain, output, s_chain, tau_chain
from oubli.theory.paper.efficient import N_steps
from oubli.theory.paper.lecam import m_1, m_2, tau_12, tau_zero
from oubli.theory.paper.ledger import ledger
from oubli.theory.paper.letters import (
    T_S,
    T_U,
    A_private,
    L,
    M,
    M_any,
    M_scratch,
    S_any,
    T,
    delta,
    e,
    e0,
    epsilon,
    gamma,
    mu,
    rho,
)
from oubli.theory.paper.privacy import at_an_event, price, tau_hop
from oubli.theory.paper.sharper.two_point import B_chain
from oubli.theory.records.build import by, ge, given, le, repair, state
from oubli.theory.records.objects import chance, coins, hard_problem, numeric, term, variation
from oubli.theory.records.proof import Schema
from oubli.theory.records.verdict import Status, Verdict
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "e", "u", "v", "m", "n", "f", "g", "b", "kappa"), R),
    **dict.fromkeys(("d", "T", "K", "k", "k_"), N),
    "A": ["algorithm"], "U": ["unlearner"], "W": ["learner"], "S": ["event"], "Z": ["event"],
    "h": ["loss"], "p": ["loss"], "q": ["loss"], "x": ["point"], "y": ["point"], "X": ["random"],
    "M": [False, True],
    "D": ["problem"], "D_": ["problem"], "E": ["problem"],
}  # fmt: skip
ONE, OTHER = ["signs", "m", "f"], ["signs", "n", "g"]
COINS, LESS = ["coins", "T", "u"], ["coins", "T", "v"]
MEANS = {a: [[">=", ["+", 1, a]], [">=", less(1, a)]] for a in ("m", "n", "f", "g", "u", "v")}
SCALE = [[">", "L"], [">", "mu"]]
IN_ONE, IN_OTHER = [*MEANS["m"], *MEANS["f"], *SCALE], [*MEANS["n"], *MEANS["g"], *SCALE]
SAME = [["=", ["+", ["*", less(1, "r"), less("m", "n")], ["*", "r", less("f", "g")]]],
        [">=", "r"], [">=", less(1, "r")]]  # fmt: skip


def within(A: str, D: Any, S: Any = "S") -> Any:
    return ["P", ["out", A, D, "T"], S]


def private(D: Any, E: Any, A: str = "U", S: Any = "S") -> Any:
    return less(["+", ["*", ["exp", "epsilon"], within(A, E, S)], "delta"], within(A, D, S))


LINKED = less(["tv", ["coins", "T", "m"], ["coins", "T", "n"]], less(within("A", ONE), within("A", OTHER)))
PAIR, BESIDE = ["problem", "h", "p"], ["problem", "h", "q"]
HALF = ["*", "1/2", ["^", 2, "1/2"], ["^", ["pi"], "-1/2"]]
P, SLOPE = ["P", COINS, "S"], ["dP", COINS, "S"]
PAYS = [[">=", "epsilon"], [">=", "delta"]]
THEOREMS: dict[str, tuple[list[Any], list[Any], str, Any]] = {
    "a probability is at least 0": (["chance", COINS, "S"], [], ">=", P),
    "and at most 1": (["chance", COINS, ["not", "S"]], [], ">=", less(1, P)),
    "total variation bounds every event": (
        ["total variation", "x", "X", "S"], [], ">=",
        less(["tv", "X", "x"], less(["P", "x", "S"], ["P", "X", "S"]))),
    "unlearning, beside the same retain data": (
        ["unlearning", "U", PAIR, BESIDE, "T", "S"], [[">=", "T"], *PAYS], ">=", private(PAIR, BESIDE)),
    "unlearning, at the complement": (
        ["unlearning", "U", PAIR, BESIDE, "T", ["not", "S"]], [[">=", "T"], *PAYS], ">=",
        ["+", ["exp", "epsilon"], ["*", -1, ["exp", "epsilon"], within("U", BESIDE)], "delta", -1,
         within("U", PAIR)]),
    "unlearning, hard problems": (
        ["unlearning", "U", ONE, ["signs", "m", "g"], "T", "S"],
        [*IN_ONE, *MEANS["g"], [">=", "T"], *PAYS], ">=",
        private(ONE, ["signs", "m", "g"])),
    "what does not look at theta* unlearns": (
        ["unlearning", "W", PAIR, BESIDE, "T", "S"], [[">=", "T"], *PAYS], ">=", private(PAIR, BESIDE, "W")),
    "from the same theta* only the signs tell": (
        ["same start", "A", ONE, OTHER, "T", "S"], [*SAME, *IN_ONE, *IN_OTHER, [">=", "T"]], ">=", LINKED),
    "from scratch only the signs tell": (
        ["same start", "W", ONE, OTHER, "T", "S"], [*IN_ONE, *IN_OTHER, [">=", "T"]], ">=",
        less(["tv", ["coins", "T", "n"], ["coins", "T", "m"]], less(within("W", ONE), within("W", OTHER)))),
    "the slope of a probability": (
        ["score", "T", "u", "S"], [[">", ["+", 1, "u"]], [">", less(1, "u")], [">=", "T"]], ">=",
        less(["*", "T", P, less(1, P)], ["*", less(1, ["^", "u", 2]), ["^", SLOPE, 2]])),
    "one coin": (
        ["one coin", "u", "v", "S"], [MEANS["v"][0], MEANS["u"][1], [">=", less("u", "v")]], ">=",
        ["+", ["*", "1/2", less("u", "v")], ["*", -1, ["P", ["coins", 1, "u"], "S"]],
         ["P", ["coins", 1, "v"], "S"]]),
    "e^x >= 1 + x": (["exponential", "u"], [], ">=", ["+", ["exp", "u"], -1, ["*", -1, "u"]]),
    "ln x >= 1 - 1/x": (["logarithm", "u"], [[">", "u"]], ">=", ["+", ["log", "u"], -1, ["^", "u", -1]]),
    "x <= ceil(x)": (["ceiling", "u"], [], ">=", less(["ceil", "u"], "u")),
    "ceil(x) < x + 1": (["near ceiling", "u"], [], ">", ["+", "u", 1, ["*", -1, ["ceil", "u"]]]),
    "an integer above -1": (["whole", less("K", "T")], [[">", ["+", "K", ["*", -1, "T"], 1]]], ">=",
                            less("K", "T")),
    "a rounded number above -1": (["whole", ["ceil", "u"]], [[">", ["+", ["ceil", "u"], 1]]], ">=",
                                  ["ceil", "u"]),
    "the series of e^x": (["power series", "exp", "u"], [], "=",
                          ["+", ["exp", "u"], -1, ["*", -1, "u", ["phi1", "u"]]]),
    "the next series": (["power series", "phi1", "u"], [], "=",
                        ["+", ["phi1", "u"], -1, ["*", -1, "u", ["phi2", "u"]]]),
    "Mills": (["Mills", "u"], [[">", "u"]], ">",
              less(["*", HALF, ["exp", ["*", "-1/2", ["^", "u", 2]]]], ["*", "u", ["Phi", ["*", -1, "u"]]])),
    "a time is natural": (["natural time", "time", "learner", 0, 0, 0, "e"], [], ">=",
                          ["time", "learner", 0, 0, 0, "e"]),
    "a rule that reaches e in time": (
        ["time", "learner", ["rule", ["zero"]], 0, 0, "e"],
        [[">=", 0], [">=", 1], [">=", less("e", ["worst", ["rule", ["zero"]], 0])]], ">=",
        ["*", -1, ["time", "learner", 0, 0, 0, "e"]]),
}  # fmt: skip


def fresh(**more: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def relations(proof: Proof, items: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(expr).items())) for rel, expr in items}


@pytest.mark.parametrize("name", THEOREMS)
def test_a_schema_is_the_theorem_that_was_meant(name: str) -> None:
    schema, hyps, rel, expr = THEOREMS[name]
    proof = fresh()
    proof.accept({"by": "leaf", "schema": schema}, 0)
    found: Theorem = proof.reached[0]
    assert found.rel == rel
    assert proof.read(found.expr) == proof.read(expr)
    assert relations(proof, found.hyps) == relations(proof, hyps)


REFUSED = {
    "other retain data": (["unlearning", "U", PAIR, ["problem", "q", "q"], "T", "S"], "retain data differ"),
    "signs of another mean": (["unlearning", "U", ONE, OTHER, "T", "S"], "retain data differ"),
    "signs against losses": (["unlearning", "U", ONE, PAIR, "T", "S"], "two explicit problems"),
    "a named problem, whose data nobody knows": (["unlearning", "U", "D", "D", "T", "S"], "two explicit"),
    "a rule that need not unlearn": (["unlearning", "A", PAIR, BESIDE, "T", "S"], "not an unlearning"),
    "a point for an event": (["unlearning", "U", PAIR, BESIDE, "T", "x"], "no event"),
    "losses that are no coins": (["same start", "A", PAIR, BESIDE, "T", "S"], "hard family"),
    "coins of half a gradient": (["score", "1/2", "u", "S"], "no integer"),
    "the slope of something that has none": (["chance", "x", "D"], "no event"),
    "half an integer": (["whole", ["*", "1/2", "K"]], "not an integer"),
    "a real number": (["whole", "u"], "not an integer"),
    "a rule that looks at theta*, from scratch": (
        ["time", "learner", ["rule", ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]], "r", 0, "e"],
        "theta\\* is used"),
    "a rule of theta* without noise": (
        ["time", "unlearner", ["rule", ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]], "r", 0,
         "e", "epsilon", "delta", "b", "kappa"], "without noise"),
    "a named rule at another budget": (
        ["time", "unlearner", "U", "r", 0, "e", 0, 0], "of that sort"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_schema_is_refused(name: str) -> None:
    schema, why = REFUSED[name]
    with pytest.raises((RejectedError, LookupError, TypeError, ValueError), match=why):
        fresh().accept({"by": "leaf", "schema": schema}, 0)


# --- what the schemas say of binomial laws is true of them: probabilities by sums, slopes by differences


def binomial(T: int, u: float, S: tuple[int, ...]) -> float:
    return sum(math.comb(T, k) * ((1 + u) / 2) ** k * ((1 - u) / 2) ** (T - k) for k in S)


@pytest.mark.parametrize("T", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("u", [-0.9, -0.3, 0.0, 0.5, 0.99])
def test_the_score_bounds_the_slope_of_every_event(T: int, u: float) -> None:
    step, nearly = 1e-6, 1.0
    for size in range(T + 2):
        for S in itertools.combinations(range(T + 1), size):
            p = binomial(T, u, S)
            slope = (binomial(T, u + step, S) - binomial(T, u - step, S)) / (2 * step)
            assert (1 - u**2) * slope**2 <= T * p * (1 - p) + 1e-7
            nearly = min(nearly, T * p * (1 - p) - (1 - u**2) * slope**2)
    # One coin attains it, and the empty event.
    assert nearly < 1e-6


def test_one_coin_is_as_far_as_the_schema_says() -> None:
    for u, v in ((1.0, -1.0), (0.5, 0.25), (0.0, 0.0)):
        assert binomial(1, u, (1,)) - binomial(1, v, (1,)) == pytest.approx((u - v) / 2)


# --- normal forms


def test_total_variation_is_symmetric_and_0_from_a_law_to_itself() -> None:
    proof = fresh()
    assert proof.read(["tv", COINS, LESS]) == proof.read(["tv", LESS, COINS])
    assert not proof.read(["tv", COINS, ["coins", "T", ["+", "u", 0]]])
    assert proof.read(["tv", COINS, LESS]) != proof.read(["tv", COINS, ["coins", ["+", "T", 1], "v"]])
    assert not proof.read(["+", ["P", COINS, ["not", ["not", "S"]]], ["*", -1, P]])


def test_a_hard_problem_is_not_the_problem_with_its_losses() -> None:
    """What is drawn from them differs: signs here, anything with that mean there."""
    proof = fresh()
    losses = ["problem", ["retain", ONE], ["forget", ONE]]
    assert proof.read(["val", ["retain", losses], "x"]) == proof.read(["val", ["retain", ONE], "x"])
    assert proof.read(within("A", losses)) != proof.read(within("A", ONE))


def test_a_probability_is_not_random_and_not_chosen_at_random() -> None:
    proof = fresh()
    assert proof.read(["E", ["P", "X", "S"]]) == proof.read(["P", "X", "S"])
    proof.reached[0] = Theorem([], "=", less(["P", "x", "S"], ["^", ["P", "x", "S"], 2]))
    with pytest.raises(RejectedError, match="set at random"):
        proof.instance({"of": 0, "with": {"x": "X"}})


# --- Le Cam

FAR = {"x": ["in", ["v+", "y", ["v*", -1, "x"]], ["v+", "y", ["v*", -1, "x"]]]}
SQUARE, BACK = ["in", "y", "y"], ["in", ["v+", "y", ["e", 1]], ["v+", "y", ["e", 1]]]
OUT, OUT_TOO = ["out", "A", ONE, "T"], ["out", "A", OTHER, "T"]
SUM = less(["+", SQUARE, BACK], "1/2")


def coupled(shown: list[Theorem], **more: Any) -> Theorem:
    proof = fresh()
    proof.reached = dict(enumerate(shown))
    line = {"of": [0, 1, 2], "point": "y", "numbers": [SQUARE, BACK], "bound": "1/2", "laws": [OUT, OUT_TOO]}
    return proof.couple({**line, **more})


SHOWN = [Theorem([], ">=", SUM), Theorem([], ">=", SQUARE), Theorem([], ">=", BACK)]


def test_le_cam() -> None:
    found, proof = coupled(SHOWN), fresh()
    means = [["E", proof.put(f, {"y": law})] for f, law in ((SQUARE, OUT), (BACK, OUT_TOO))]
    meant = less(["+", *means], ["*", "1/2", less(1, ["tv", OUT, OUT_TOO])])
    assert proof.read(found.expr) == proof.read(meant)
    assert (found.hyps, found.rel) == ([], ">=")


LOUDER = less(["+", SQUARE, BACK], 1)
NOT_COUPLED = {
    "a larger bound": (SHOWN, {"bound": 1}, "not what is shown"),
    "at one point only": ([Theorem([[">=", less(1, SQUARE)]], ">=", SUM), *SHOWN[1:]], {}, "not arbitrary"),
    "a number that may be negative": ([*SHOWN[:2], Theorem([], ">=", SQUARE)], {}, "not what is shown"),
    "a random name for the point": (SHOWN, {"point": "X"}, "arbitrary vector"),
    "numbers that are random": (
        [Theorem([], ">=", less(["+", ["in", "X", "X"], BACK], "1/2")), Theorem([], ">=", ["in", "X", "X"]),
         SHOWN[2]], {"numbers": [["in", "X", "X"], BACK]}, "random"),
    "a mean inside": (
        [Theorem([], ">=", less(["+", ["E", SQUARE], BACK], "1/2")), Theorem([], ">=", ["E", SQUARE]),
         SHOWN[2]], {"numbers": [["E", SQUARE], BACK]}, "a mean inside"),
    "a law that depends on the point": (SHOWN, {"laws": ["y", OUT_TOO]}, "not arbitrary"),
    "a measured bound": (
        [Theorem([], ">=", less(["+", SQUARE, BACK], "M")), *SHOWN[1:]], {"bound": "M"}, "measured"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_COUPLED)
def test_no_coupling(name: str) -> None:
    shown, more, why = NOT_COUPLED[name]
    with pytest.raises(RejectedError, match=why):
        coupled(shown, **more)


# --- times

TERM = ["time", "unlearner", "r", "epsilon", "delta", "e"]
REACHES = [">=", less("e", ["worst", "U", "T"])]


def reached(theorem: Theorem, **more: Any) -> Theorem:
    proof = fresh()
    proof.reached[0] = theorem
    return proof.reach({"of": 0, "term": TERM, "bound": "b", "names": ["U", "T"], **more})


def test_a_bound_on_every_time_is_one_on_the_least() -> None:
    found = reached(Theorem([REACHES, [">=", less("T", 0)], [">", "b"]], ">=", less("T", "b")))
    assert found.expr == less(TERM, "b")
    budget = [[">=", "epsilon"], [">=", "delta"]]
    assert found.hyps == [[">", "b"], [">", "e"], [">", "L"], [">", "mu"], *budget]


def test_a_time_from_scratch_needs_no_budget() -> None:
    term = ["time", "algorithm", "r", "epsilon", "delta", "e"]
    proof = fresh()
    proof.reached[0] = Theorem([[">=", less("e", ["worst", "A", "T"])]], ">=", less("T", "b"))
    found = proof.reach({"of": 0, "term": term, "bound": "b", "names": ["A", "T"]})
    assert found.hyps == [[">", "e"], [">", "L"], [">", "mu"]]


LATE = Theorem([REACHES], ">=", less("T", "b"))
NOT_REACHED = {
    "another budget": (LATE, {"term": ["time", "unlearner", "r", 0, "delta", "e"]}, "named at that budget"),
    "another sort": (LATE, {"term": ["time", "algorithm", *TERM[2:]]}, "of that sort"),
    "another target": (LATE, {"term": [*TERM[:5], "u"]}, "not arbitrary"),
    "a bound that is not shown": (LATE, {"bound": "u"}, "not a bound"),
    "where something else of the rule is known": (
        Theorem([REACHES, [">=", ["worst", "U", 0]]], ">=", less("T", "b")), {}, "not arbitrary"),
    "where something else of T is known": (
        Theorem([REACHES, [">=", less("T", 1)]], ">=", less("T", "b")), {}, "not arbitrary"),
    "a real T": (LATE, {"names": ["U", "u"]}, "number of gradients"),
    "a bound with T in it": (Theorem([REACHES], ">=", 0), {"bound": "T"}, "not arbitrary"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_REACHED)
def test_no_bound_on_a_time(name: str) -> None:
    theorem, more, why = NOT_REACHED[name]
    with pytest.raises(RejectedError, match=why):
        reached(theorem, **more)


# --- an induction that ends, and what is squeezed


def inducted(step: Theorem, **more: Any) -> Theorem:
    proof = fresh()
    shown = [">=", less("K", "k")]
    proof.reached = {0: Theorem([[">=", "K"]], ">=", "K"), 1: step}
    return proof.induction({"of": [0, 1], "index": "k", "shows": shown, **more})


BELOW = [">=", less("K", ["+", "k", 1])]
AHEAD = Theorem([BELOW, [">=", less("k", 0)]], ">=", less("K", ["+", "k", 1]))


def test_an_induction_up_to_an_end() -> None:
    found = inducted(AHEAD, last="K")
    assert [">=", less("K", "k")] in found.hyps


def test_without_its_end_it_proves_nothing() -> None:
    with pytest.raises(RejectedError, match="one time only"):
        inducted(AHEAD)
    with pytest.raises(RejectedError, match="one time only"):
        inducted(AHEAD, last="T")
    with pytest.raises(RejectedError, match="the end moves"):
        inducted(AHEAD, last=["+", "k", 5])


def test_what_is_squeezed_is_0() -> None:
    proof = fresh()
    proof.reached = {0: Theorem([[">", "b"]], ">=", "u"), 1: Theorem([], ">=", ["*", -1, "u"])}
    assert proof.squeeze({"of": [0, 1]}) == Theorem([[">", "b"]], "=", "u")
    proof.reached[1] = Theorem([], ">=", ["*", -2, "u"])
    with pytest.raises(RejectedError, match="opposite"):
        proof.squeeze({"of": [0, 1]})


def test_the_slope_of_a_probability_is_its_own() -> None:
    proof, owed = fresh(), list[Any]()
    assert proof.read(proof.slope(less(["^", "u", 2], P), "u", owed)) == proof.read(
        less(["*", 2, "u"], SLOPE)
    )
    for node, x in (
        (["P", ["coins", "T", "u"], "S"], "T"),
        (["tv", COINS, LESS], "u"),
    ):
        with pytest.raises((RejectedError, LookupError)):
            assert proof.slope(["*", x, node], x, owed) != node


def test_only_special_algorithms_take_the_place_of_a_name() -> None:
    proof = fresh()
    for name, accepted in (("A", "AUW"), ("U", "UW"), ("W", "W")):
        proof.reached[0] = Theorem([], ">=", ["worst", name, 0])
        for other in "AUW":
            if other in accepted:
                assert proof.instance({"of": 0, "with": {name: other}}).expr == ["worst", other, 0]
            else:
                with pytest.raises(RejectedError, match="is a name"):
                    proof.instance({"of": 0, "with": {name: other}})


# --- false consequences: each is one number away from a claim of the paper that is proved


def chained(width: Any, cost: Any = price) -> Verdict:
    """One link and one hop: while the mean falls by s the mean of the forget data rises by `width`."""
    f_far = f_chain + width
    there, back = hard_problem(a_chain - s_chain, f_far), hard_problem(a_chain - s_chain, f_chain)
    here = hard_problem(a_chain, f_chain)
    p_here, p_back = (
        term(name, chance(output(D), S_any)) for name, D in (("p_here", here), ("p_back", back))
    )
    tau_one = term("tau_one", variation(coins(T, a_chain), coins(T, a_chain - s_chain)))
    room = (1 - a_chain, 1 + a_chain, 1 - a_chain + s_chain, 1 + a_chain - s_chain, 1 - f_chain, 1 + f_chain)
    inside = [given(ge(x, 0)) for x in (*room, 1 - f_far, 1 + f_far)]
    says = state(le(p_here - p_back, tau_one + cost), *inside, also=(L, mu))
    link = Schema("same start", (A_private, here, there, numeric(T), S_any))
    proof = by(says, (1, link), *at_an_event(there, back))
    return judge(repair("trial", 1, "one hop", says, proof=proof), {}, {})


def test_a_hop_of_the_right_width_is_proved() -> None:
    assert chained(s_chain / rho).status is Status.PROVED


@pytest.mark.parametrize("times", ["1000", "101/100", "99/100", "0", "-1"])
def test_a_hop_of_another_width_is_not(times: str) -> None:
    """`2 rho` cannot be multiplied: theta* would move."""
    assert chained(sp.Rational(times) * s_chain / rho).status is Status.OPEN


@pytest.mark.parametrize("factor", ["99/100", "1/2", "0"])
def test_a_cheaper_hop_is_not(factor: str) -> None:
    assert chained(s_chain / rho, sp.Rational(factor) * price).status is Status.OPEN


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("tv_dp", le(tau_hop, (sp.exp(epsilon) - 1 + delta) / 2)),
        ("tv_dp.sharp", le(tau_hop, delta)),
        ("binomial_tv.arcsin", le(tau, sp.sqrt(T) / 3 * (sp.asin(gamma_max) - sp.asin(gamma_min)))),
        ("two_point.repaired", ge(M_any, L**2 * (m_1 - m_2) ** 2 / (31 * mu) * (1 - tau_12))),
        ("tv_bound.chain", le(tau_chain, B_walk)),
        ("tv_bound.repaired", le(tau_zero, sp.pi * gamma * sp.sqrt(T) / 4)),
        ("scratch.theta", ge(T, e0 / e)),
        ("scratch.positive", ge(M_scratch, sp.Rational(101, 100) * e0)),
        ("sharp.two_point", ge(M, e0 * (gamma_max - gamma_min) ** 2 / 4 * (1 - B_chain))),
        ("inefficient.liminf", ge(T_U, T_S)),
        ("efficient.rounding", le(T_U, N_steps)),
        ("e0.time", le(T_S, -1)),
        ("efficient.steps", le(T_U, T - 1)),
    ],
)
def test_a_stronger_claim_is_not_proved(key: str, says: Any) -> None:
    claims = ledger().claims
    claim = claims[key]
    stronger = replace(claim.statement, says=says)
    steps = (*claim.proof[:-1], replace(claim.proof[-1], statement=stronger))
    known = {k: c.statement for k, c in claims.items() if c.statement is not None}
    found = judge(replace(claim, statement=stronger, proof=steps, instances=()), known, {})
    assert found.status is Status.OPEN
