"""Means of what is released: from events to means by layers, and their slope along hard problems."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "a", "b", "c", "m", "f", "s", "u"), R),
    **dict.fromkeys(("d", "T", "k_"), N), "M": [False, True],
    "A": ["algorithm"], "U": ["unlearner"], "C": ["learner"], "S": ["event"], "x": ["point"], "y": ["point"],
    "X": ["random"], "h": ["loss"], "D": ["problem"], "D_": ["problem"],
    "B": ["is", ["rule", ["opt", ["retain", "D_"]]]],
}  # fmt: skip
HERE, THERE = ["signs", "m", "f"], ["signs", "m", "c"]
E1 = ["e", 1]


def fresh(**more: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def out(D: Any, A: str = "U", T: Any = "T") -> Any:
    return ["out", A, D, T]


# --- from events to means

ROOM = less(["+", ["*", ["exp", "epsilon"], ["P", out(THERE), "S"]], "delta"], ["P", out(HERE), "S"])
SQUARE = ["in", "x", "x"]
SHOWN = [Theorem([], ">=", ROOM), Theorem([], ">=", SQUARE), Theorem([], ">=", less("b", SQUARE))]
LINE = {"of": [0, 1, 2], "event": "S", "point": "x", "number": SQUARE, "bound": "b", "free": "delta",
        "laws": [[["exp", "epsilon"], out(THERE)], [-1, out(HERE)]]}  # fmt: skip


def layered(shown: list[Theorem], **more: Any) -> Theorem:
    proof = fresh()
    proof.reached = dict(enumerate(shown))
    return proof.layers({**LINE, **more})


def test_what_holds_at_every_event_holds_for_means() -> None:
    found, proof = layered(SHOWN), fresh()
    means = [["E", proof.put(SQUARE, {"x": law})] for law in (out(THERE), out(HERE))]
    meant = less(["+", ["*", ["exp", "epsilon"], means[0]], ["*", "delta", "b"]], means[1])
    assert (found.hyps, found.rel) == ([], ">=")
    assert proof.read(found.expr) == proof.read(meant)


def test_the_layers_of_a_number_on_two_laws() -> None:
    """E g under P <= e E g under Q + delta M, where e Q(S) + delta >= P(S) at every S; it may be attained."""
    p, q, e = (0.5, 0.25, 0.25), (0.125, 0.5, 0.375), 1.5
    delta = max(
        sum(p[i] - e * q[i] for i in S) for n in range(4) for S in itertools.combinations(range(3), n)
    )
    gaps = [
        e * sum(b * g for b, g in zip(q, values, strict=True)) + delta * 2
        - sum(a * g for a, g in zip(p, values, strict=True))
        for values in itertools.product((0, 0.5, 1, 2), repeat=3)
    ]  # fmt: skip
    assert min(gaps) == pytest.approx(0)


MEAN = ["E", ["in", out(HERE), E1]]
ONE_LAW = {"laws": [[-1, out(HERE)]]}


def only(free: Any, c: Any) -> list[Theorem]:
    return [Theorem([], ">=", ["+", free, ["*", c, ["P", out(HERE), "S"]]])]


NOT_LAYERED: dict[str, tuple[list[Theorem], dict[str, Any], str]] = {
    "a number that may be negative": ([SHOWN[0], SHOWN[2], SHOWN[2]], {}, "not what is shown"),
    "a number without a bound": ([*SHOWN[:2], SHOWN[1]], {}, "not what is shown"),
    "a smaller bound": (SHOWN, {"bound": "c"}, "not what is shown"),
    "less to spare": (SHOWN, {"free": 0}, "not what is shown"),
    "other laws": (SHOWN, {"laws": [[["exp", "epsilon"], out(HERE)], [-1, out(THERE)]]}, "not what is"),
    "one event only": ([Theorem([["=", ["P", "y", "S"]]], ">=", ROOM), *SHOWN[1:]], {}, "not arbitrary"),
    "one point only": ([*SHOWN[:2], Theorem([[">=", SQUARE]], ">=", SHOWN[2].expr)], {}, "not arbitrary"),
    "a law that is the point": (
        [Theorem([], ">=", less("delta", ["P", "x", "S"])), *SHOWN[1:]], {"laws": [[-1, "x"]]},
        "not arbitrary"),
    "a named event for a point": (SHOWN, {"point": "S"}, "not arbitrary"),
    "a random vector for the point": (SHOWN, {"point": "X"}, "not arbitrary"),
    "a mean inside": (
        [SHOWN[0], Theorem([], ">=", ["E", SQUARE]), Theorem([], ">=", less("b", ["E", SQUARE]))],
        {"number": ["E", SQUARE]}, "a mean inside"),
    "a number that is random anyway": (
        [SHOWN[0], Theorem([], ">=", ["in", "X", "X"]), Theorem([], ">=", less("b", ["in", "X", "X"]))],
        {"number": ["in", "X", "X"]}, "random"),
    "a measured bound": (
        [*SHOWN[:2], Theorem([], ">=", less("M", SQUARE))], {"bound": "M"}, "a measured letter"),
    "an index that a sum binds": (
        [*SHOWN[:2], Theorem([], ">=", less("k_", SQUARE))], {"bound": "k_"}, "not arbitrary"),
    "an index to spare": ([*only("k_", -1), *SHOWN[1:]], {**ONE_LAW, "free": "k_"}, "not arbitrary"),
    "an index times a chance": (
        [*only("delta", "k_"), *SHOWN[1:]], {"laws": [["k_", out(HERE)]]}, "not arbitrary"),
    "an index in the number": (
        [SHOWN[0], Theorem([], ">=", ["*", "k_", SQUARE]), Theorem([], ">=", less("b", ["*", "k_", SQUARE]))],
        {"number": ["*", "k_", SQUARE]}, "a mean inside"),
    "a measured number": (
        [SHOWN[0], Theorem([], ">=", ["*", "M", SQUARE]), Theorem([], ">=", less("b", ["*", "M", SQUARE]))],
        {"number": ["*", "M", SQUARE]}, "a measured letter"),
    "a measured law": (
        [Theorem([], ">=", less("delta", ["P", out(["signs", "M", "f"]), "S"])), *SHOWN[1:]],
        {"laws": [[-1, out(["signs", "M", "f"])]]}, "a measured letter"),
    "a measured number to spare": ([*only("M", -1), *SHOWN[1:]], {**ONE_LAW, "free": "M"}, "a measured"),
    "a random number to spare": (
        [*only(["in", "X", "X"], -1), *SHOWN[1:]], {**ONE_LAW, "free": ["in", "X", "X"]}, "random"),
    "a random bound": (
        [*SHOWN[:2], Theorem([], ">=", less(["in", "X", "X"], SQUARE))], {"bound": ["in", "X", "X"]},
        "random"),
    "a random hypothesis": ([Theorem([[">=", ["in", "X", E1]]], ">=", ROOM), *SHOWN[1:]], {}, "random"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_LAYERED)
def test_no_mean_follows(name: str) -> None:
    shown, more, why = NOT_LAYERED[name]
    with pytest.raises(RejectedError, match=why):
        layered(shown, **more)


def test_no_mean_without_all_that_is_asked() -> None:
    with pytest.raises(ValueError, match="longer"):
        layered(SHOWN[:2], of=[0, 1])
    one = [Theorem([["=", ["P", "y", "S"]]], ">=", ["+", "delta", -1, ["P", out(HERE), "S"]]), *SHOWN[1:]]
    other = {"event": ["not", "S"], "free": "delta", **ONE_LAW}
    with pytest.raises((RejectedError, TypeError)):
        layered(one, **other)


# --- the slope of a mean along hard problems with one theta*

FALL = ["*", -1, less(1, "r"), ["^", "r", -1]]
LEVEL = ["signs", "u", ["+", "s", ["*", "u", FALL]]]


def slope(node: Any) -> Any:
    owed: list[Any] = []
    return fresh().slope(node, "u", owed), owed


def test_the_slope_of_a_mean_at_a_fixed_start() -> None:
    g = ["in", out(LEVEL, "A"), E1]
    found, owed = slope(["E", g])
    assert fresh().read(found) == fresh().read(["dE", g])
    assert ("r", False) in owed


def test_what_starts_from_scratch_does_not_see_theta_star_move() -> None:
    g = ["in", out(["signs", "u", 0], "C"), E1]
    found, owed = slope(["E", g])
    assert fresh().read(found) == fresh().read(["dE", g])
    assert owed == []


def test_it_is_linear_and_0_for_what_is_not_random() -> None:
    proof, g = fresh(), ["in", out(HERE), E1]
    assert proof.read(["dE", ["+", ["*", "a", g], "b", ["E", g]]]) == proof.read(["*", "a", ["dE", g]])
    assert proof.read(["E", ["dE", g]]) == proof.read(["dE", g])
    ((mono, c),) = proof.read(["dE", g]).items()
    assert (c, [gen[0] for gen, _ in mono]) == (1, ["dE"])


MOVED = {
    "theta* moves with the signs": ["E", ["in", out(["signs", "u", 0]), E1]],
    "theta* moves the other way": ["E", ["in", out(["signs", "u", less("s", FALL)]), E1]],
    "how many gradients a learner takes changes": ["E", ["in", out(["signs", "u", 0], "C", "u"), E1]],
    "a learner on two hard problems": [
        "E", ["*", ["in", out(["signs", "u", 0], "C"), E1], ["in", out(["signs", "u", "f"], "C"), E1]]],
    "what is asked changes too": ["E", ["*", "u", ["in", out(LEVEL), E1]]],
    "two hard problems": ["E", ["*", ["in", out(LEVEL), E1], ["in", out(["signs", "u", "f"]), E1]]],
    "a mean in the mean": ["E", ["*", ["in", out(LEVEL), E1], ["E", ["in", out(LEVEL), E1]]]],
    "a rule that is spelled out, whose release is not random": [
        "E", ["in", out(LEVEL, ["rule", ["opt", ["retain", "D_"]]]), E1]],
    "the same under a name": ["E", ["in", out(LEVEL, "B"), E1]],
    "losses that are no coins": [
        "E", ["in", out(["problem", ["l*", "u", "h"], "h"]), E1]],
}  # fmt: skip


def test_no_slope_in_the_fraction_of_which_the_algorithm_is_one() -> None:
    with pytest.raises(RejectedError, match="more than the signs"):
        fresh().slope(["E", ["in", out(["signs", "m", "m"]), E1]], "r", [])


@pytest.mark.parametrize("name", MOVED)
def test_no_slope(name: str) -> None:
    with pytest.raises(RejectedError):
        slope(MOVED[name])


NO_DERIVATIVE = {
    "another law": ["in", "X", E1],
    "a named problem": ["in", out("D"), E1],
    "a release and another chance": ["*", ["in", out(HERE), E1], ["in", "X", E1]],
    "two releases": ["*", ["in", out(HERE), E1], ["in", out(THERE), E1]],
    "what may be infinite": ["^", ["in", out(HERE), E1], -1],
    "what may be infinite, by a logarithm": ["log", ["in", out(HERE), E1]],
    "a rule that is spelled out": ["in", out(HERE, "X"), E1],
}


@pytest.mark.parametrize("name", NO_DERIVATIVE)
def test_no_derivative(name: str) -> None:
    with pytest.raises(RejectedError):
        fresh().read(["dE", NO_DERIVATIVE[name]])


# --- its size

RANGE = [[">=", ["+", 1, "m"]], [">=", less(1, "m")], [">=", ["+", 1, "f"]], [">=", less(1, "f")],
         [">", "L"], [">", "mu"], [">", ["+", 1, "m"]], [">", less(1, "m")], [">=", "T"]]  # fmt: skip


def test_the_score_of_a_mean() -> None:
    proof, g = fresh(), less(["in", "x", E1], "a")
    proof.accept({"by": "leaf", "schema": ["score of a mean", "A", HERE, "T", "x", g]}, 0)
    found, h = proof.reached[0], less(["in", out(HERE, "A"), E1], "a")
    slope_squared = ["^", ["dE", ["in", out(HERE, "A"), E1]], 2]
    meant = less(["*", "T", ["E", ["^", h, 2]]], ["*", less(1, ["^", "m", 2]), slope_squared])
    assert found.rel == ">="
    assert proof.read(found.expr) == proof.read(meant)
    assert [*map(repr, found.hyps)] == [*map(repr, RANGE)]


REFUSED = {
    "losses that are no coins": ["A", ["problem", "h", "h"], "T", "x", ["in", "x", E1]],
    "a named problem": ["A", "D", "T", "x", ["in", "x", E1]],
    "a rule under a name": ["B", HERE, "T", "x", ["in", "x", E1]],
    "half a gradient": ["A", HERE, "1/2", "x", ["in", "x", E1]],
    "what another problem releases": ["A", HERE, "T", "x", ["in", out(["signs", "c", "c"]), E1]],
    "a random name for the point": ["A", HERE, "T", "X", ["in", "X", E1]],
    "means that a rule binds": [
        "A",
        ["signs", ["in", ["opt", ["retain", "D_"]], E1], "f"],
        "T",
        "x",
        ["in", "x", E1],
    ],
    "means that a sum binds": ["A", ["signs", "k_", "f"], "T", "x", ["sum", ["in", "x", E1], "T"]],
    "what may be infinite": ["A", HERE, "T", "x", ["^", ["in", "x", E1], -1]],
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_score_is_refused(name: str) -> None:
    with pytest.raises((RejectedError, ValueError)):
        fresh().accept({"by": "leaf", "schema": ["score of a mean", *REFUSED[name]]}, 0)


@pytest.mark.parametrize("T", [0, 1, 2, 4])
@pytest.mark.parametrize("u", [-0.8, 0.0, 0.4])
def test_the_score_bounds_the_slope_of_every_mean(T: int, u: float) -> None:
    """What is released is a function of the number of signs that are 1, and of chance of its own."""

    def mean(g: tuple[float, ...], u: float) -> float:
        law = [math.comb(T, k) * ((1 + u) / 2) ** k * ((1 - u) / 2) ** (T - k) for k in range(T + 1)]
        return sum(p * v for p, v in zip(law, g, strict=True))

    least = 1.0
    for g in itertools.product((-1.0, 0.25, 1.0), repeat=T + 1):
        slope = (mean(g, u + 1e-6) - mean(g, u - 1e-6)) / 2e-6
        room = T * mean(tuple(v * v for v in g), u) - (1 - u * u) * slope**2
        assert room >= -1e-7
        least = min(least, room)
    # Two signs of one mean attain it only at mean 0; none, and one sign, do.
    assert T > 1 or u or least == pytest.approx(0, abs=1e-6)


# --- which exponentials have a mean: distances from one noise whose factors sum to 0 differ by a fixed length

NOISE, OTHER_NOISE = ["noise", "radial", "a", 1], ["noise", "gauss", "b", 2]


def far(z: Any, u: Any) -> Any:
    """|z - u|."""
    away = ["v+", z, ["v*", -1, u]]
    return ["^", ["in", away, away], "1/2"]


SIZE, ALONG, ACROSS = far(NOISE, ["zero"]), ["in", NOISE, "x"], ["in", NOISE, "y"]
LENGTH = ["in", NOISE, NOISE]
BOUNDED = {
    "two distances": less(far(NOISE, "x"), far(NOISE, "y")),
    "three distances": ["+", SIZE, far(NOISE, "x"), ["*", -2, far(NOISE, "y")]],
    "each times one number": less(["*", "s", SIZE], ["*", "s", far(NOISE, ["v*", "c", "x"])]),
    "a release, which lies in the ball": ["in", out(HERE), E1],
}


@pytest.mark.parametrize("name", BOUNDED)
def test_an_exponential_that_is_bounded_has_a_mean(name: str) -> None:
    proof, g = fresh(), ["exp", BOUNDED[name]]
    assert proof.read(["E", ["*", "c", g]]) == proof.read(["*", "c", ["E", g]])
    if name == "a release, which lies in the ball":
        assert all(proof.read(["E", [phi, BOUNDED[name]]]) for phi in ("phi1", "phi2"))


def root(*parts: Any) -> Any:
    return ["^", ["+", *parts], "1/2"]


PULL = ["in", NOISE, ["grad", "h", NOISE]]  # grows as |z|^2 does
ENDLESS = {
    "one distance": ["exp", SIZE],
    "what is random and any number": ["exp", ["in", "X", "x"]],
    "staircase noise": ["exp", far(["stair", "a", "s", "b", 3], "x")],
    "two inner products": ["exp", less(ALONG, ACROSS)],
    "products of distances": ["exp", less(["*", SIZE, far(NOISE, "x")], ["*", SIZE, far(NOISE, "y")])],
    "third powers of distances": ["exp", less(["^", SIZE, 3], ["^", far(NOISE, "x"), 3])],
    "other factors": ["exp", less(["*", "s", SIZE], ["*", "c", far(NOISE, "x")])],
    "a square of an inner product in the root": ["exp", less(root(LENGTH, ["^", ALONG, 2]), SIZE)],
    "a product of two in the root": ["exp", less(root(LENGTH, ["*", ALONG, ACROSS]), SIZE)],
    "more of the length in the root": ["exp", less(root(LENGTH, ["*", "s", LENGTH]), SIZE)],
    "less than all of the length": ["exp", less(SIZE, root(["*", "1/4", LENGTH]))],
    "an inner product with what grows": ["exp", less(root(LENGTH, PULL), SIZE)],
    "an inner product of what grows": ["exp", less(root(LENGTH, ["in", ["grad", "h", NOISE], "x"]), SIZE)],
    "roots without a length": ["exp", less(root(ALONG), root(ALONG, "s"))],
    "two noises": ["exp", less(root(["in", NOISE, OTHER_NOISE], ALONG), root(["in", NOISE, OTHER_NOISE]))],
    "noises of each other": ["exp", less(SIZE, far(OTHER_NOISE, ["zero"]))],
    "a power series": ["phi1", SIZE],
    "the next power series": ["phi2", SIZE],
}  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
def test_an_exponential_that_need_not_be_bounded_has_none(name: str) -> None:
    proof = fresh()
    proof.read(ENDLESS[name])
    with pytest.raises(RejectedError, match="need not be finite"):
        proof.read(["E", ENDLESS[name]])
