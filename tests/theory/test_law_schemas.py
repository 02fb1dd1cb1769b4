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
    "D": ["problem"], "D_": ["problem"], "E": ["problem"], "B": ["is", ["rule", ["opt", ["retain", "D_"]]]],
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


def far(u: Any) -> Any:
    """|u - y|^2."""
    away = ["v+", u, ["v*", -1, "y"]]
    return ["in", away, away]


STAIRS = ["stair", "b", "f", "e", 1]
TURNS = ["turns", "m", "n", "u", "g"]
IN_TURN = [*MEANS["m"], *MEANS["g"], *SCALE, [">=", ["+", 1, "n"]], [">=", less("m", "n")]]


def star(D: Any) -> Any:
    """theta*."""
    return ["opt", ["mix", "r", ["forget", D], ["retain", D]]]


MISS = ["v+", star(ONE), ["v*", -1, star(TURNS)]]
SAME_STAR = [["=", ["in", MISS, MISS]], [">=", "r"], [">=", less(1, "r")]]
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
    "a turn at theta* shows no more than the signs beyond it": (
        ["turn", "A", ONE, TURNS, "T", "S"], [*SAME_STAR, *IN_ONE, *IN_TURN, [">=", "T"]], ">=",
        less(["tv", ["coins", "T", "m"], ["coins", "T", "n"]], less(within("A", ONE), within("A", TURNS)))),
    "a turn, from scratch": (
        ["turn", "W", ONE, TURNS, "T", "S"], [*IN_ONE, *IN_TURN, [">=", "T"]], ">=",
        less(["tv", ["coins", "T", "m"], ["coins", "T", "n"]], less(within("W", ONE), within("W", TURNS)))),
    "two hard problems with one theta*": (
        ["turn", "W", ONE, OTHER, "T", "S"], [*IN_ONE, *IN_OTHER, [">=", "T"]], ">=",
        less(["tv", ["coins", "T", "m"], ["coins", "T", "n"]], less(within("W", ONE), within("W", OTHER)))),
    "so many signs or so many": (
        ["counts", "T", "u"], [*MEANS["u"], [">=", "T"]], "=",
        less(["sum", ["P", COINS, ["count", "k_"]], "T"], 1)),
    "so many signs, at least 0": (["chance", COINS, ["count", "K"]], [], ">=", ["P", COINS, ["count", "K"]]),
    "the size of staircase noise": (
        ["staircase", STAIRS], [[">", "b"], [">", "f"], [">", "e"], [">=", less("d", 1)]], "=",
        less(["E", ["in", STAIRS, STAIRS]],
             ["*", ["^", "f", 2], "d", ["^", ["+", "d", 2], -1], ["shells", "b", "e", ["+", "d", 2]],
              ["^", ["shells", "b", "e", "d"], -1]])),
    "what two laws have in common": (
        ["common", "X", "x", "y"], [], ">=",
        less(["E", far("X")], ["*", less(1, ["tv", "x", "X"]), ["E", far(["common", "x", "X"])]])),
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


NOISE = ["noise", "gauss", "b", 1]
BUDGET_OF = ["S", "epsilon", "delta", "u", "v"]
REFUSED = {
    "noise on something random": (["noise", NOISE, "X", "y", *BUDGET_OF], "two fixed vectors"),
    "noise on opposite random vectors": (
        ["noise", NOISE, "X", ["v*", -1, "X"], *BUDGET_OF], "two fixed vectors"),
    "the same noise twice": (["noise", NOISE, NOISE, "y", *BUDGET_OF], "two fixed vectors"),
    "a vector in place of noise": (["noise", ["v+", "x", NOISE], "x", "y", *BUDGET_OF], "not noise"),
    "another mean before the turn": (["turn", "A", OTHER, TURNS, "T", "S"], "another mean before"),
    "a turn in both": (["turn", "A", TURNS, TURNS, "T", "S"], "not two problems of the hard"),
    "a turn in the first": (["turn", "A", TURNS, ONE, "T", "S"], "not two problems of the hard"),
    "a turn against losses": (["turn", "A", ONE, PAIR, "T", "S"], "not two problems of the hard"),
    "a turn, for a rule that releases the new optimum": (["turn", "B", ONE, TURNS, "T", "S"], "no named"),
    "a turn at a random place": (
        ["turn", "A", ONE, ["turns", "m", "n", ["in", "X", "y"], "g"], "T", "S"], "not two fixed"),
    "a random mean and a turn": (
        ["turn", "A", ["signs", ["in", "X", "y"], "f"], ["turns", ["in", "X", "y"], "n", "u", "g"], "T", "S"],
        "not two fixed"),
    "a turn for each index": (["turn", "A", ONE, ["turns", "m", "n", "k_", "g"], "T", "S"], "not two fixed"),
    "a mean for each index and a turn": (
        ["turn", "A", ["signs", "m", "k_"], TURNS, "T", "S"], "not two fixed"),
    "a turn after half a gradient": (["turn", "A", ONE, TURNS, "1/2", "S"], "no integer"),
    "unlearning with a turn": (["unlearning", "U", TURNS, TURNS, "T", "S"], "two explicit problems"),
    "stars of a turn in numbers": (["same start", "A", ONE, TURNS, "T", "S"], "hard family|unpack"),
    "how many of so many": (["counts", "k_", "u"], "index is bound"),
    "how many, of a mean for each": (["counts", "T", "k_"], "index is bound"),
    "how many of half a sign": (["counts", "1/2", "u"], "no integer"),
    "half a sign": (["chance", COINS, ["count", "1/2"]], "no integer"),
    "so many signs of a vector": (["chance", "x", ["count", "K"]], "another law"),
    "a half space of signs": (["chance", COINS, ["beyond", "x", "u"]], "another law"),
    "the size of another noise": (["staircase", NOISE], "not staircase noise|unpack"),
    "the size of an answer": (["staircase", ["response", "b", "f", "x", "y"]], "not staircase noise"),
    "the size of a vector": (["staircase", ["v+", "x", STAIRS]], "not staircase noise|unpack"),
    "the size of stairs, as if they were Gaussian": (["moment", STAIRS], "unpack|not noise"),
    "stairs that hide theta*": (["noise", STAIRS, "x", "y", *BUDGET_OF], "not noise"),
    "what is common, from a random vector": (["common", "X", "x", "X"], "not a fixed vector"),
    "what is common, from what is common": (["common", "X", "x", ["common", "X", "x"]], "not a fixed vector"),
    "a random budget": (["noise", NOISE, "x", "y", "S", ["in", "X", "y"], *BUDGET_OF[2:]], "random"),
    "other retain data": (["unlearning", "U", PAIR, ["problem", "q", "q"], "T", "S"], "retain data differ"),
    "signs of another mean": (["unlearning", "U", ONE, OTHER, "T", "S"], "retain data differ"),
    "signs against losses": (["unlearning", "U", ONE, PAIR, "T", "S"], "two explicit problems"),
    "a named problem, whose data nobody knows": (["unlearning", "U", "D", "D", "T", "S"], "two explicit"),
    "a rule that need not unlearn": (["unlearning", "A", PAIR, BESIDE, "T", "S"], "not an unlearning"),
    "a point for an event": (["unlearning", "U", PAIR, BESIDE, "T", "x"], "no event"),
    "a rule under a name, which releases the new optimum": (
        ["same start", "B", ONE, OTHER, "T", "S"], "no named algorithm"),
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


@pytest.mark.parametrize("eps", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_noise_hides_shifts_up_to_its_width_and_no_more(eps: float, share: float) -> None:
    """On the line, by half lines, which tell two shifts apart best; width 1, a shift by a share of it."""

    def normal(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    def laplace(x: float) -> float:
        return 1 - math.exp(-x) / 2 if x > 0 else math.exp(x) / 2

    kappa, ends = 0.8, [k / 50 for k in range(-400, 401)]
    delta = normal(1 / (2 * kappa) - eps * kappa) - math.exp(eps) * normal(-1 / (2 * kappa) - eps * kappa)
    leaks = [normal((x + share) / kappa) - math.exp(eps) * normal(x / kappa) for x in ends]
    assert max(leaks) <= delta + 1e-12
    assert max(laplace(eps * (x + share)) - math.exp(eps) * laplace(eps * x) for x in ends) <= 1e-12
    # At the whole width the bounds are attained, and a little beyond it they fail.
    if share == 1:
        assert max(leaks) >= delta - 1e-3
        farther = [normal((x + 1.1) / kappa) - math.exp(eps) * normal(x / kappa) for x in ends]
        assert max(farther) > delta
        assert max(laplace(eps * (x + 1.1)) - math.exp(eps) * laplace(eps * x) for x in ends) > 0


def test_a_problem_with_a_turn_has_signs_of_a_mean_before_it() -> None:
    """|x|^2/2 - 9 <e_1, x> is steeper than L = 1: the losses of a mean of 9 are no members."""
    proof = fresh()
    proof.accept({"by": "leaf", "schema": ["worst", "A", "r", "T", TURNS]}, 0)
    assert relations(proof, IN_TURN) <= relations(proof, proof.reached[0].hyps)


def query_trees(T: int) -> list[Any]:
    """All ways to ask T times before or beyond a turn, where each question may depend on the answers."""
    if T == 0:
        return [None]
    below = query_trees(T - 1)
    return list(itertools.product((False, True), below, below))


def answers(tree: Any, before: float, beyond: float) -> list[float]:
    """The probability of each row of answers, where signs have one mean before the turn and one beyond it."""
    if tree is None:
        return [1.0]
    after, up, down = tree
    p = (1 + (beyond if after else before)) / 2
    return [
        *(p * x for x in answers(up, before, beyond)),
        *((1 - p) * x for x in answers(down, before, beyond)),
    ]


@pytest.mark.parametrize("T", [0, 1, 2, 3])
@pytest.mark.parametrize(("m", "n"), [(0.8, 0.1), (0.9, -0.2), (0.5, 0.5), (1.0, 0.3)])
def test_asking_before_and_beyond_a_turn_tells_no_more_than_signs(T: int, m: float, n: float) -> None:
    """Total variation of all answers, for every way to ask; with another mean before the turn it is more."""
    most = sum(max(binomial(T, m, (k,)) - binomial(T, n, (k,)), 0.0) for k in range(T + 1))
    found = [distance(answers(tree, m, m), answers(tree, m, n)) for tree in query_trees(T)]
    assert max(found) == pytest.approx(most)
    other = [distance(answers(tree, m, m), answers(tree, -m, n)) for tree in query_trees(T)]
    assert T == 0 or max(other) > most + 1e-3


def distance(P: list[float], Q: list[float]) -> float:
    return sum(max(p - q, 0.0) for p, q in zip(P, Q, strict=True))


@pytest.mark.parametrize(("eps", "d", "q"), [(0.7, 1, 0.3), (1.0, 2, 0.5), (3.0, 5, 1.0), (0.5, 3, 1.7)])
def test_the_size_of_staircase_noise_is_that_of_its_density(eps: float, d: int, q: float) -> None:
    """By midpoints on 200 shells of width 2: r^(d-1) times the density, k the least with r <= 2 (q + k)."""
    edges = [0.0, *(2 * (q + k) for k in range(200))]
    mass = square = 0.0
    for k, (low, high) in enumerate(itertools.pairwise(edges)):
        for i in range(100):
            r = low + (high - low) * (i + 0.5) / 100
            weight = math.exp(-eps * k) * r ** (d - 1) * (high - low)
            mass, square = mass + weight, square + weight * r**2
    below, above = (sum(math.exp(-eps * k) * (q + k) ** n for k in range(400)) for n in (d, d + 2))
    assert square / mass == pytest.approx(4 * d / (d + 2) * above / below, rel=2e-3)
    for other in (below, sum(math.exp(-eps * k) * (q + k) ** (d + 1) for k in range(400))):
        assert square / mass != pytest.approx(4 * d / (d + 2) * other / below, rel=2e-2)


def test_what_two_laws_have_in_common_is_in_the_first() -> None:
    """Laws on three points: with the other law itself, or without the total variation, it may be more."""
    shares = [(a, b, 1 - a - b) for a, b in itertools.product((0.0, 0.25, 0.5), repeat=2)]
    larger = {"no total variation": False, "the other law": False}
    for P, Q, y in itertools.product(shares, shares, (-1.0, 0.0, 3.0)):
        both = [min(a, b) for a, b in zip(P, Q, strict=True)]
        first, other, common = (
            sum(p * (x - y) ** 2 for p, x in zip(law, (0.0, 1.0, 5.0), strict=True)) for law in (P, Q, both)
        )
        assert common <= first
        larger["no total variation"] |= sum(both) > 0 and common / sum(both) > first
        larger["the other law"] |= sum(both) * other > first
    assert all(larger.values())


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
    "a law of the problem of a rule": (SHOWN, {"laws": [["opt", ["retain", "D_"]], OUT_TOO]}, "a bound name"),
    "a measured bound": (
        [Theorem([], ">=", less(["+", SQUARE, BACK], "M")), *SHOWN[1:]], {"bound": "M"}, "measured"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_COUPLED)
def test_no_coupling(name: str) -> None:
    shown, more, why = NOT_COUPLED[name]
    with pytest.raises(RejectedError, match=why):
        coupled(shown, **more)


# --- what T signs tell

LOSS_PAIR = less(["+", ["*", "b", SQUARE], ["*", "kappa", BACK]], ["*", "b", "kappa", "v"])
TELLS: dict[str, Any] = {
    "of": 0, "point": "y", "weights": ["b", "kappa"], "numbers": [SQUARE, BACK],
    "bound": ["*", "b", "kappa", "v"], "shares": ["e", less(1, "e")], "problems": ["A", ONE, TURNS, "T"],
}  # fmt: skip
WEIGHTS = [[">=", less("b", 0)], [">=", "kappa"]]


def told(theorem: Theorem, **more: Any) -> Theorem:
    proof = fresh()
    proof.reached[0] = theorem
    return proof.tell({**TELLS, **more})


def test_what_signs_tell() -> None:
    found, proof = told(Theorem([*WEIGHTS, [">", "v"]], ">=", LOSS_PAIR)), fresh()
    on_one, on_turns = (
        ["*", p, ["P", ["coins", "T", u], ["count", "k_"]]] for p, u in (("e", "m"), (less(1, "e"), "n"))
    )
    means = [["E", proof.put(f, {"y": ["out", "A", P, "T"]})] for f, P in ((SQUARE, ONE), (BACK, TURNS))]
    most = ["+", ["*", "e", means[0]], ["*", less(1, "e"), means[1]]]
    assert proof.read(found.expr) == proof.read(less(most, ["sum", ["*", on_one, on_turns, "v"], "T"]))
    shares = [[">=", "e"], [">=", less(1, "e")], [">", "v"]]
    meant = [*SAME_STAR, *IN_ONE, *IN_TURN, [">=", "T"], *shares]
    assert (relations(proof, found.hyps), found.rel) == (relations(proof, meant), ">=")
    assert told(Theorem([], "=", LOSS_PAIR)).rel == ">="


def says(**more: Any) -> Theorem:
    """A theorem with some of its parts replaced, so that it is what the line asks for."""
    f, g = more.get("numbers", [SQUARE, BACK])
    v, w = more.get("weights", ["b", "kappa"])
    return Theorem(WEIGHTS, ">=", less(["+", ["*", v, f], ["*", w, g]], more.get("bound", TELLS["bound"])))


DRAWN = ["in", "X", "x"]
NOT_TOLD: dict[str, tuple[dict[str, Any], str]] = {
    "a random name for the point": ({"point": "X"}, "arbitrary vector"),
    "one weight for both": ({"weights": ["b", "b"]}, "arbitrary vector"),
    "an integer for a weight": ({"weights": ["b", "K"]}, "arbitrary vector"),
    "a measured weight": ({"weights": ["b", "M"]}, "arbitrary vector"),
    "a weight that losses depend on": ({"weights": ["L", "b"], "bound": ["worst", "A", 0]}, "the class"),
    "a weight that algorithms depend on": ({"weights": ["b", "r"], "bound": ["worst", "U", 0]}, "budget"),
    "a number with a weight in it": ({"numbers": [["*", "b", SQUARE], BACK]}, "not arbitrary"),
    "a share with a weight in it": ({"shares": ["b", "e"]}, "not arbitrary"),
    "a share of the point": ({"shares": [SQUARE, "e"]}, "not arbitrary"),
    "a share for each number of signs": ({"shares": ["e", "k_"]}, "not arbitrary"),
    "a bound that knows the point": ({"bound": ["*", "b", SQUARE]}, "not arbitrary"),
    "a bound for each number of signs": ({"bound": ["*", "b", "k_"]}, "not arbitrary"),
    "a number for each number of signs": ({"numbers": [SQUARE, ["*", "k_", BACK]]}, "not arbitrary"),
    "another number with a weight in it": ({"numbers": [SQUARE, ["*", "b", BACK]]}, "not arbitrary"),
    "the first number for each number of signs": ({"numbers": [["*", "k_", SQUARE], BACK]}, "not arbitrary"),
    "a first problem that knows a weight": (
        {"problems": ["A", ["signs", "m", "b"], TURNS, "T"]}, "not arbitrary"),
    "a second problem that knows a weight": (
        {"problems": ["A", ONE, ["turns", "m", "b", "u", "g"], "T"]}, "not arbitrary"),
    "as many gradients as a weight says": ({"problems": ["A", ONE, TURNS, ["ceil", "b"]]}, "not arbitrary"),
    "for each number of signs as many gradients": ({"problems": ["A", ONE, TURNS, "k_"]}, "not arbitrary"),
    "another mean inside": ({"numbers": [SQUARE, ["E", BACK]]}, "a mean inside"),
    "another measured number": ({"numbers": [SQUARE, ["*", "M", BACK]]}, "measured"),
    "problems that know a weight": (
        {"problems": ["A", ["signs", "b", "f"], ["turns", "b", "n", "u", "g"], "T"]}, "not arbitrary"),
    "a mean inside": ({"numbers": [["E", SQUARE], BACK]}, "a mean inside"),
    "a worst risk inside": ({"numbers": [["*", ["worst", "A", 0], SQUARE], BACK]}, "a mean inside"),
    "a random number": ({"numbers": [["+", SQUARE, DRAWN], BACK]}, "random"),
    "a random bound": ({"bound": ["*", "b", DRAWN]}, "random"),
    "a random share": ({"shares": ["e", DRAWN]}, "random"),
    "a measured number": ({"numbers": [["*", "M", SQUARE], BACK]}, "measured"),
    "a measured bound": ({"bound": ["*", "b", "M"]}, "measured"),
    "a measured share": ({"shares": ["M", "e"]}, "measured"),
    "another mean before the turn": ({"problems": ["A", OTHER, TURNS, "T"]}, "another mean"),
    "a rule that releases the new optimum": ({"problems": ["B", ONE, TURNS, "T"]}, "no named algorithm"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_TOLD)
def test_signs_tell_nothing(name: str) -> None:
    more, why = NOT_TOLD[name]
    with pytest.raises(RejectedError, match=why):
        told(says(**more), **more)


NOT_SHOWN = {
    "a larger bound": (Theorem(WEIGHTS, ">=", LOSS_PAIR), {"bound": ["*", 2, "b", "kappa", "v"]}, "not what"),
    "the other number": (Theorem(WEIGHTS, ">=", LOSS_PAIR), {"numbers": [BACK, SQUARE]}, "not what"),
    "at one point": (Theorem([[">=", less(1, SQUARE)]], ">=", LOSS_PAIR), {}, "not arbitrary"),
    "for large weights": (Theorem([[">=", less("b", 1)]], ">=", LOSS_PAIR), {}, "not arbitrary"),
    "for weights above 0": (Theorem([[">", "b"]], ">=", LOSS_PAIR), {}, "not arbitrary"),
    "for one weight": (Theorem([["=", "kappa"]], ">=", LOSS_PAIR), {}, "not arbitrary"),
    "for one number of signs": (Theorem([[">=", "k_"]], ">=", LOSS_PAIR), {}, "not arbitrary"),
    "for some outcomes": (Theorem([[">=", DRAWN]], ">=", LOSS_PAIR), {}, "random"),
    "for a measured letter": (Theorem([[">=", "M"]], ">=", LOSS_PAIR), {}, "measured"),
    "where a risk is, which the weight of the class changes": (
        Theorem([[">=", ["worst", "A", 0]]], ">=", ["+", ["*", "L", "u"], ["*", "kappa", "v"]]),
        {"weights": ["L", "kappa"], "numbers": ["u", "v"], "bound": 0},
        "the class",
    ),
}


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_signs_tell_no_more_than_is_shown(name: str) -> None:
    theorem, more, why = NOT_SHOWN[name]
    with pytest.raises(RejectedError, match=why):
        told(theorem, **more)


@pytest.mark.parametrize(("m", "n"), [(0.8, 0.1), (0.9, -0.2), (1.0, 0.3)])
@pytest.mark.parametrize("p", [0.3, 0.7])
def test_the_best_output_for_each_row_of_answers_does_no_better(m: float, n: float, p: float) -> None:
    """The least of p x^2 + (1 - p) (x - 1)^2 after three questions; less with other means before the turn."""
    likely = [(p * binomial(3, m, (k,)), (1 - p) * binomial(3, n, (k,))) for k in range(4)]
    least = sum(best(v, w) for v, w in likely)
    found = {m: 1.0, -m: 1.0}
    for before, tree in itertools.product(found, query_trees(3)):
        rows = zip(answers(tree, m, m), answers(tree, before, n), strict=True)
        found[before] = min(found[before], sum(best(p * v, (1 - p) * w) for v, w in rows))
    assert found[m] == pytest.approx(least)
    assert found[-m] < least - 1e-6


def best(v: float, w: float) -> float:
    """The least of v x^2 + w (x - 1)^2."""
    return v * w / (v + w) if v + w else 0.0


def test_a_number_of_signs_that_moves_has_no_slope() -> None:
    proof = fresh()
    assert proof.slope(["P", COINS, ["count", "K"]], "u", []) == ["*", ["dP", COINS, ["count", "K"]], 1]
    with pytest.raises(RejectedError, match="slope"):
        proof.slope(["P", COINS, ["count", ["ceil", "u"]]], "u", [])


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
        term(name, chance(output(D), S_any)) for name, D in (("p_hop_here", here), ("p_hop_back", back))
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
