"""Cubes of means of coins: terms, schemas and the mean over a cube as they were meant, false neighbours."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "a", "b", "c", "s_"), R),
    **dict.fromkeys(("d", "T", "t", "j", "k_"), N), **{n: ["point"] for n in "uvfgxy"},
    "w_": ["cube"], "A": ["algorithm"], "U": ["unlearner"], "W": ["learner"], "S": ["event"], "h": ["loss"],
    "X": ["random"], "D": ["problem"], "D_": ["problem"], "B": ["is", ["rule", ["opt", ["retain", "D_"]]]],
    "M": [False, True],
}  # fmt: skip
ROOT = ["^", "d", "1/2"]
BOX = ["box", "a", "b", "w_"]
PULLED = ["v*", "s_", ["axis", "t"]]
HERE = ["tosses", BOX, PULLED]
OUT = ["out", "A", HERE, "T"]
G = ["in", "x", ["axis", "t"]]
UNIT = less(1, ["^", "s_", 2])


def fresh() -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": LETTERS})


def reached(name: str, *args: Any) -> tuple[Proof, Theorem]:
    proof = fresh()
    proof.accept({"by": "leaf", "schema": [name, *args]}, 0)
    return proof, proof.reached[0]


def facts(proof: Proof, hyps: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(e).items())) for rel, e in hyps}


def coin(box: Any, t: Any = "t") -> Any:
    return ["*", ROOT, ["in", box, ["axis", t]]]


def sides(rel: str) -> list[Any]:
    return [[rel, ["+", 1, ["*", ROOT, "a"]]], [rel, less(1, ["*", ROOT, "b"])]]


IN_ORDER, COUNTED = [">=", less("b", "a")], [">=", less("d", 1)]
OPEN = [IN_ORDER, *sides(">"), COUNTED]
MEMBERS = [IN_ORDER, *sides(">="), COUNTED, [">", "L"], [">", "mu"]]


# --- terms


def test_coordinates_of_points_of_the_cube() -> None:
    proof = fresh()
    y = ["in", "w_", ["axis", "t"]]
    assert proof.read(["in", BOX, ["axis", "t"]]) == proof.read(["+", "a", ["*", less("b", "a"), y]])
    for end in (0, 1):
        there = ["set", "w_", "t", end]
        assert proof.read(["in", there, ["axis", "t"]]) == proof.read(end)
        assert proof.read(["in", ["box", "a", "b", there], ["axis", "t"]]) == proof.read("ab"[end])
        assert proof.read(["in", there, ["axis", "j"]]) != proof.read(end)
    assert proof.read(["in", ["ones"], ["axis", "t"]]) == proof.read(1)


@pytest.mark.parametrize(
    "node",
    [
        ["box", "a", "b", "x"],
        ["box", "a", "b", ["axis", "t"]],
        ["set", "x", "t", 0],
        ["set", "w_", "t", 2],
        ["set", "w_", "t", "a"],
        ["set", "w_", "t", True],
        ["set", "w_", "t", 1.0],
        ["set", "w_", "t", "1/2"],
        ["set", "w_", "a", 0],
    ],
)
def test_what_is_no_point_of_the_cube(node: Any) -> None:
    with pytest.raises((RejectedError, TypeError)):  # any error is a rejection
        fresh().read(["in", node, "x"])


def test_a_mean_over_the_cube() -> None:
    proof = fresh()
    y, e = ["in", "w_", ["axis", "t"]], ["E", ["in", OUT, "x"]]
    assert proof.read(["cubed", less(["*", "a", y], "b")]) == proof.read(less(["*", "a", ["cubed", y]], "b"))
    assert proof.read(["cubed", ["^", y, 2]]) != proof.read(["^", ["cubed", y], 2])
    assert proof.read(["cubed", e]) != proof.read(e)
    each = ["in", "w_", ["axis", "k_"]]
    inside, outside = ["cubed", ["sum", each, "T"]], ["sum", ["cubed", each], "T"]
    assert proof.read(inside) == proof.read(outside)
    for of in (["^", ["sum", each, "T"], 2], ["*", "s_", ["sum", each, "T"]]):
        assert proof.read(["cubed", of]) not in (proof.read(["^", outside, 2]), proof.read(outside))
    squares = ["sum", ["^", each, 2], "T"]
    both = proof.read(["cubed", ["*", ["sum", each, "T"], squares]])
    assert both not in (proof.read(outside), proof.read(["cubed", squares]))
    assert proof.put(["cubed", y], {"w_": ["set", "w_", "t", 0]}) == ["cubed", y]


@pytest.mark.parametrize(
    "node",
    [
        ["^", ["in", "w_", ["axis", "t"]], -1],
        ["log", ["+", 1, "s_"]],
        ["exp", ["^", "s_", -1]],
        ["worst", ["rule", ["v*", "s_", "x"]], 0],
        ["E", ["in", ["noise", "radial", ["+", 1, "s_"], 1], ["noise", "radial", ["+", 1, "s_"], 1]]],
        ["info", "s_", "b", "w_", "t"],
        ["E", ["in", ["stair", ["+", 1, "s_"], "a", "b", 1], ["stair", ["+", 1, "s_"], "a", "b", 1]]],
        ["shells", ["+", 1, "s_"], "a", "T"],
        ["*", "M", "s_"],
        ["in", OUT, "x"],
    ],
)
def test_no_mean_of_what_need_not_be_bounded(node: Any) -> None:
    with pytest.raises(RejectedError):
        fresh().read(["cubed", node])


def test_the_derivative_in_the_mean_of_one_coin() -> None:
    proof = fresh()
    o = ["in", OUT, "x"]
    assert proof.read(["dE", less(o, "a"), "t"]) == proof.read(["dE", o, "t"])
    assert proof.read(["dE", o, "t"]) != proof.read(["dE", o, "j"])
    for number, *at in ([o], [["in", "X", "x"], "t"], [["+", o, ["in", ["out", "U", HERE, "T"], "x"]], "t"]):
        if number[0] != "+":
            with pytest.raises(RejectedError, match="one hard problem"):
                proof.read(["dE", number, *at])
    with pytest.raises(RejectedError, match="one hard problem"):
        proof.read(["dE", ["*", o, ["in", ["out", "U", HERE, "T"], "x"]], "t"])
    with pytest.raises(RejectedError, match="one hard problem"):
        proof.read(["dE", ["in", ["out", "A", ["signs", "a", "b"], "T"], "x"], "t"])


# --- schemas


def test_what_a_problem_with_coins_of_a_box_needs() -> None:
    proof, found = reached("worst", "A", "r", "T", HERE)
    assert facts(proof, found.hyps) == facts(proof, [[">=", "T"], [">=", UNIT], *MEMBERS])


def test_a_point_of_the_cube() -> None:
    proof, found = reached("cube", "w_", "t")
    y = ["in", "w_", ["axis", "t"]]
    assert (found.hyps, found.rel) == ([], ">=")
    assert proof.read(found.expr) == proof.read(["*", y, less(1, y)])


def test_the_information_of_a_coin() -> None:
    proof, found = reached("information", "a", "b", "w_", "t")
    assert (facts(proof, found.hyps), found.rel) == (facts(proof, OPEN), "=")
    v = coin(BOX)
    each = ["*", less(1, ["^", v, 2]), ["info", "a", "b", "w_", "t"]]
    assert proof.read(found.expr) == proof.read(less(each, 1))


def artanh(v: Any) -> Any:
    return ["*", "1/2", less(["log", ["+", 1, v]], ["log", less(1, v)])]


def test_the_information_over_the_cube() -> None:
    proof, found = reached("total information", "a", "b", "t")
    assert (facts(proof, found.hyps), found.rel) == (facts(proof, OPEN), "=")
    mean = ["*", ROOT, less("b", "a"), ["cubed", ["info", "a", "b", "w_", "t"]]]
    rise = less(artanh(["*", ROOT, "b"]), artanh(["*", ROOT, "a"]))
    assert proof.read(found.expr) == proof.read(less(mean, rise))


@pytest.mark.parametrize("seed", range(10))
def test_the_integral_of_the_information(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 6))
    a, b = np.sort(rng.uniform(-0.99, 0.99, 2)) / math.sqrt(d)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    u = (a + b) / 2 + (b - a) / 2 * nodes
    mean = float((weights / 2 / (1 - d * u**2)).sum())
    total = math.atanh(math.sqrt(d) * b) - math.atanh(math.sqrt(d) * a)
    assert math.sqrt(d) * (b - a) * mean == pytest.approx(total)


def test_the_score_of_a_coin() -> None:
    g = less(G, ["in", BOX, ["axis", "t"]])
    proof, found = reached("score of a coin", "A", HERE, "T", "t", "x", g)
    hyps = [[">=", "T"], [">=", UNIT], *MEMBERS, *OPEN]
    assert (facts(proof, found.hyps), found.rel) == (facts(proof, hyps), ">=")
    o = ["in", OUT, ["axis", "t"]]
    far = ["E", ["^", less(o, ["in", BOX, ["axis", "t"]]), 2]]
    slope = ["*", less(1, ["^", coin(BOX), 2]), ["^", ["dE", o, "t"], 2]]
    assert proof.read(found.expr) == proof.read(less(["*", "d", "T", far], slope))


def likelihood(signs: np.ndarray, u: np.ndarray) -> float:
    """Probability of T sign vectors with coins of means sqrt(d) u."""
    return float(((1 + signs * u * math.sqrt(len(u))) / 2).prod())


def slope_of(signs: np.ndarray, u: np.ndarray, t: int) -> float:
    """Its derivative in coordinate t."""
    root = math.sqrt(len(u))
    return likelihood(signs, u) * float((root * signs[:, t] / (1 + signs[:, t] * root * u[t])).sum())


def tosses(d: int, T: int) -> list[np.ndarray]:
    return [np.array(s).reshape(T, d) for s in itertools.product((1.0, -1.0), repeat=d * T)]


@pytest.mark.parametrize("seed", range(12))
def test_the_score_bounds_slopes_and_is_met_by_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d, T = int(rng.integers(1, 4)), int(rng.integers(0, 4))
    u = rng.uniform(-0.95, 0.95, d) / math.sqrt(d)
    P = np.array([likelihood(s, u) for s in tosses(d, T)])
    slopes = np.array([slope_of(s, u, 0) for s in tosses(d, T)])
    for g in (rng.normal(size=len(P)), slopes / P):
        room = d * T * (P * g**2).sum() - (1 - d * u[0] ** 2) * (slopes * g).sum() ** 2
        assert room >= -1e-9 * (1 + abs(room))
    own = slopes / P
    met = (1 - d * u[0] ** 2) * (slopes * own).sum() ** 2
    assert d * T * (P * own**2).sum() == pytest.approx(met)


def test_what_flows_through_the_cube() -> None:
    proof, found = reached("flow", "A", "T", "a", "b", "t", "x", G)
    hyps = [*MEMBERS, [">=", 1], [">", "r"], [">=", less(1, "r")], [">=", "T"]]
    assert (facts(proof, found.hyps), found.rel) == (facts(proof, hyps), "=")

    def mean(w: Any, s: Any) -> Any:
        D = ["tosses", ["box", "a", "b", w], ["v*", s, ["axis", "t"]]]
        return ["cubed", ["E", ["in", ["out", "A", D, "T"], ["axis", "t"]]]]

    gain = less(mean(["set", "w_", "t", 1], "s_"), mean(["set", "w_", "t", 0], "s_"))
    rise = ["*", less("b", "a"), ["cubed", ["dE", ["in", OUT, ["axis", "t"]], "t"]]]
    hop = ["*", "1/2", less("b", "a"), less(1, "r"), ["^", "r", -1], less(mean("w_", 1), mean("w_", -1))]
    assert proof.read(found.expr) == proof.read(less(gain, ["+", rise, hop]))


@pytest.mark.parametrize("seed", range(6))
def test_the_divergence_theorem_by_quadrature(seed: int) -> None:
    """A release that follows theta* and the signs in any way: what flows out is what rises, and the hops."""
    rng = np.random.default_rng(seed)
    d, T = 2, int(rng.integers(0, 3))
    r = float(rng.uniform(0.2, 0.9))
    a, b = np.sort(rng.uniform(-0.9, 0.9, 2)) / math.sqrt(d)
    outcomes = tosses(d, T)
    phase, turn = rng.normal(size=len(outcomes)), rng.normal(size=(len(outcomes), d))
    nodes, weights = np.polynomial.legendre.leggauss(12)
    places = list(zip(nodes, weights / 2, strict=True))

    def g(u: np.ndarray, s: float) -> np.ndarray:
        """The release at each outcome, as theta* is at coins u and forget data s e_1."""
        star = (1 - r) * u + r * s * np.eye(d)[0]
        return np.asarray(np.cos(turn @ star + phase))

    def mean(u: np.ndarray, s: float) -> float:
        return float(np.dot([likelihood(x, u) for x in outcomes], g(u, s)))

    def slope(u: np.ndarray, s: float) -> float:
        return float(np.dot([slope_of(x, u, 0) for x in outcomes], g(u, s)))

    def place(y: float) -> float:
        return float((a + b) / 2 + (b - a) / 2 * y)

    def over(f: Any, along: list[float] | None, pulls: list[float] | None) -> float:
        """The mean over the cube and over s, but for coordinates that are said."""
        first = [(v, 1.0) for v in along] if along else [(place(y), q) for y, q in places]
        pull = [(s, 1.0) for s in pulls] if pulls else places
        every = itertools.product(first, places, pull)
        return float(sum(p * q * k * f(np.array([u, place(y)]), s) for (u, p), (y, q), (s, k) in every))

    gain = over(mean, [b], None) - over(mean, [a], None)
    rise = (b - a) * over(slope, None, None)
    hop = (b - a) * (1 - r) / (2 * r) * (over(mean, None, [1.0]) - over(mean, None, [-1.0]))
    assert gain == pytest.approx(rise + hop, abs=1e-9)
    assert abs(hop) > 1e-5


FALSE_CALLS: dict[str, tuple[list[Any], str]] = {
    "a coordinate of any vector": (["cube", "x", "t"], "point of the cube"),
    "information at another vector": (["information", "a", "b", "x", "t"], "point of the cube"),
    "ends that move": (["information", "s_", "b", "w_", "t"], "fixed number|changes in the cube"),
    "a random end": (["total information", ["in", "X", "x"], "b", "t"], "fixed number"),
    "the same, of what flows": (["flow", "A", "T", ["in", "X", "x"], "b", "t", "x", G], "fixed number"),
    "an end that moves": (["total information", "a", "s_", "t"], "fixed number|changes in the cube"),
    "flow between ends that move": (["flow", "A", "T", "a", ["in", "w_", "y"], "t", "x", G], "fixed number"),
    "flow of a rule under a name": (["flow", "B", "T", "a", "b", "t", "x", G], "named algorithm"),
    "score of a rule under a name": (["score of a coin", "B", HERE, "T", "t", "x", G], "named algorithm"),
    "flow of a number that moves": (["flow", "A", "T", "a", "b", "t", "x", ["*", "s_", G]], "another number"),
    "the same, with the place": (
        ["flow", "A", "T", "a", "b", "t", "x", ["*", ["in", "w_", "y"], G]], "another number"),
    "flow of a square of a mean": (
        ["flow", "A", "T", "a", "b", "t", "x", ["^", ["E", G], 2]], "another number"),
    "flow of a number with an index": (
        ["flow", "A", "T", "a", "b", "t", "x", ["*", "k_", G]], "another number"),
    "flow of another chance": (["flow", "A", "T", "a", "b", "t", "x", ["*", ["in", "X", "y"], G]], "chance"),
    "flow of what is no vector": (["flow", "A", "T", "a", "b", "t", "S", G], "chance"),
    "flow along a direction that is no coordinate": (["flow", "A", "T", "a", "b", "c", "x", G], "no integer"),
    "flow with a time that is none": (["flow", "A", "c", "a", "b", "t", "x", G], "no integer"),
    "flow of an unbounded number": (
        ["flow", "A", "T", "a", "b", "t", "x", ["^", G, -1]], "finite|bounded|may not be"),
    "score of another chance": (
        ["score of a coin", "A", HERE, "T", "t", "x", ["*", ["in", "X", "y"], G]], "chance"),
    "score on another family": (
        ["score of a coin", "A", ["signs", "a", "b"], "T", "t", "x", G], "coins of a box"),
    "score on coins of any means": (
        ["score of a coin", "A", ["tosses", "u", "f"], "T", "t", "x", G], "coins of a box"),
    "score with a random pull": (
        ["score of a coin", "A", ["tosses", BOX, "X"], "T", "t", "x", G], "random problem"),
    "score at an index": (
        ["score of a coin", "A", ["tosses", BOX, ["axis", "k_"]], "T", "t", "x", G], "bound name"),
    "the same, at the problem of a rule": (
        ["score of a coin", "A", ["tosses", BOX, ["opt", ["retain", "D_"]]], "T", "t", "x", G], "bound name"),
    "flow of a number of the problem of a rule": (
        ["flow", "A", "T", "a", "b", "t", "x", ["*", ["val", ["retain", "D_"], ["zero"]], G]],
        "another number"),
    "information up to a random end": (["total information", "a", ["in", "X", "x"], "t"], "fixed number"),
    "privacy between coins of other cubes": (
        ["unlearning", "U", HERE, ["tosses", ["box", "a", "c", "w_"], PULLED], "T", "S"], "differ"),
    "the same, at other places": (
        ["unlearning", "U", HERE, ["tosses", ["box", "a", "b", ["set", "w_", "t", 0]], PULLED], "T", "S"],
        "differ"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE_CALLS)
def test_what_no_schema_is_given(name: str) -> None:
    call, why = FALSE_CALLS[name]
    with pytest.raises((RejectedError, ValueError), match=why):
        reached(*call)


# --- the mean over the cube, as a rule
def filled(theorem: Theorem) -> Theorem:
    proof = fresh()
    proof.reached[0] = theorem
    proof.accept({"by": "fill", "of": 0}, 1)
    return proof.reached[1]


Y = ["in", "w_", ["axis", "t"]]


def test_what_holds_everywhere_holds_in_the_mean() -> None:
    for rel, says in ((">=", ">="), (">", ">="), ("=", "=")):
        found = filled(Theorem([[">=", "a"], [">=", UNIT]], rel, ["*", "s_", Y]))
        assert found == Theorem([[">=", "a"]], says, ["cubed", ["*", "s_", Y]])


@pytest.mark.parametrize(
    ("hyps", "expr", "why"),
    [
        ([[">=", Y]], "s_", "every point"),
        ([[">", UNIT]], "s_", "every point"),
        ([["=", UNIT]], "s_", "every point"),
        ([[">=", less(2, ["^", "s_", 2])]], Y, "every point"),
        ([[">=", "s_"]], Y, "every point"),
        ([[">=", "M"]], Y, "measured"),
        ([], ["*", "M", Y], "measured"),
        ([], ["^", ["+", 1, Y], -1], "may not be"),
    ],
)
def test_what_holds_at_some_places_only(hyps: Any, expr: Any, why: str) -> None:
    with pytest.raises(RejectedError, match=why):
        filled(Theorem(hyps, ">=", expr))


FALSE_LINES: dict[str, tuple[Any, str]] = {
    "any vector in place of a point of the cube": ("x", "point of the cube"),
    "its double": (["v*", 2, "w_"], "point of the cube"),
    "a box": (BOX, "point of the cube"),
    "an index": (["set", "w_", "k_", 0], "index is bound"),
}


@pytest.mark.parametrize("name", FALSE_LINES)
def test_what_takes_the_place_of_a_point_of_the_cube(name: str) -> None:
    value, why = FALSE_LINES[name]
    proof = fresh()
    proof.reached[0] = Theorem([], ">=", ["*", Y, less(1, Y)])
    with pytest.raises(RejectedError, match=why):
        proof.accept({"by": "instance", "of": 0, "with": {"w_": value}}, 1)
    proof.accept({"by": "instance", "of": 0, "with": {"w_": ["set", "w_", "t", 1]}}, 1)
    assert proof.read(proof.reached[1].expr) == proof.read(0)


def test_a_name_that_a_mean_over_the_cube_binds() -> None:
    proof = fresh()
    proof.reached[0] = Theorem([], "=", less(["cubed", ["*", "a", Y]], ["*", "a", ["cubed", Y]]))
    for value in ("s_", Y):
        with pytest.raises(RejectedError, match="bound there"):
            proof.accept({"by": "instance", "of": 0, "with": {"a": value}}, 1)


@pytest.mark.parametrize("letters", [{"w_": ["point"]}, {"s_": [True, False]}, {"z": ["cube"]}])
def test_the_cube_has_its_own_names(letters: Any) -> None:
    with pytest.raises(RejectedError, match=r"reserved|point of the cube"):
        Proof({**NOTHING, "letters": {**LETTERS, **letters}})
