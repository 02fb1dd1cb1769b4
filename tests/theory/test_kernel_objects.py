"""Objects are equal only if built alike: no two of these are the same; what is computed of them is right."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    "L": R, "mu": R, "s": R, "a": R, "d": N, "k_": N, "T": N, "n": N, "x": ["point"], "h": ["point"],
        "y": ["point"],
    "f": ["loss"], "g": ["loss"], "D": ["problem"], "E_": ["problem"], "X": ["random"], "A": ["algorithm"],
        "quad": ["loss"],
        "B": ["algorithm"],
}  # fmt: skip


def sgd(D: Any = "D", start: Any = "x", eta: Any = 1) -> Any:
    return ["sgd", D, start, eta]


RUNS = [sgd(), sgd("E_"), sgd(["problem", "f", "g"]), sgd(["problem", "f", "f"]), sgd(["problem", "g", "g"]),
    sgd(start="h"), sgd(eta="s"),
        sgd(eta=["^", ["+", "k_", 1], -1]), sgd(eta=["+", "T", 1])]  # fmt: skip
VECTORS: list[Any] = [
    "x", "h", "X", ["e", 1], ["e", 2], ["v*", 2, "x"], ["v*", "s", "x"], ["v+", "x", "h"], ["v+", "x", "h",
        "y"],
    ["opt", "f"], ["opt", "g"], ["opt", ["mix", "s", "f", "g"]], ["opt", ["mix", "s", "g", "f"]], ["opt",
        ["l*", 2, "f"]],
    ["opt", ["retain", "D"]], ["opt", ["forget", "D"]], ["opt", ["retain", "E_"]], ["opt", ["quad"]], ["opt",
        ["cone", "x"]], ["opt", ["cone", "h"]],
    ["opt", ["lin", "x"]], ["opt", ["lin", "h"]], ["opt", ["draw", sgd(), "T"]],
    ["proj", "x"], ["proj", "h"], ["proj", ["opt", "f"]], ["proj", ["proj", "x"]],
    ["grad", "f", "x"], ["grad", "g", "x"], ["grad", "f", "h"], ["grad", "f", "x", "f"], ["grad", "f", "x",
        "g"], ["grad", ["cone", "h"], "x"],
    *(["iter", run, "T"] for run in RUNS), ["iter", sgd(), ["+", "T", 1]], ["iter", sgd(), 0],
    *(["grad", ["draw", run, "T"], "x"] for run in RUNS), ["grad", ["draw", sgd(), 0], "x"],
    *(["average", run, 1, "T"] for run in RUNS), ["average", sgd(), 1, "n"], ["average", sgd(), "s", "T"],
        ["average", sgd(), "k_", "T"],
    ["average", sgd(), ["+", "k_", "s"], "T"], ["average", sgd(), ["+", "k_", "a"], "T"],
    ["out", "A", "D", "T"], ["out", "B", "D", "T"], ["out", "A", "E_", "T"], ["out", "A", "D", "n"],
    ["noise", "gauss", "s", 1], ["noise", "radial", "s", 1], ["noise", "gauss", "a", 1], ["noise", "gauss",
        "s", 2],
]  # fmt: skip
LOSSES: list[Any] = [
    "f", "g", ["retain", "D"], ["forget", "D"], ["retain", "E_"], ["mix", "s", "f", "g"], ["mix", "s", "g",
        "f"], ["mix", "a", "f", "g"],
    ["quad"], ["lin", "x"], ["lin", "h"], ["cone", "x"], ["cone", "h"], ["l*", 2, "f"], ["l+", "f", "g"],
        ["draw", sgd(), "T"], ["draw", sgd(), 0],
]  # fmt: skip
Z, STEP = ["noise", "gauss", "s", 1], ["iter", sgd(), "T"]
SUM = ["sum", ["in", ["iter", sgd(), "k_"], "h"], "T"]
EQUAL: dict[str, tuple[Any, Any]] = {
    "the quadratic is mu/2 |x|^2": (["val", ["quad"], "x"], ["*", "1/2", "mu", ["in", "x", "x"]]),
    "its gradient is mu x": (["in", ["grad", ["quad"], "x"], "h"], ["*", "mu", ["in", "x", "h"]]),
    "the gradient of three of it": (["in", ["grad", ["l*", 3, ["quad"]], "x"], "h"], ["*", 3, "mu", ["in",
        "x", "h"]]),
    "a linear loss": (["val", ["lin", "h"], "x"], ["in", "h", "x"]),
    "its gradient": (["in", ["grad", ["l*", "s", ["lin", "h"]], "x"], "y"], ["*", "s", ["in", "h", "y"]]),
    "a cone": (["^", ["val", ["cone", "h"], "x"], 1], ["^", ["in", ["v+", "x", ["v*", -1, "h"]], ["v+", "x",
        ["v*", -1, "h"]]], "1/2"]),
    "the gradient of a sum": (["in", ["grad", ["l+", "f", ["l*", 2, "g"]], "x"], "h"], ["+", ["in", ["grad",
        "f", "x"], "h"], ["*", 2, ["in", ["grad", "g", "x"], "h"]]]),
    "a mixture": (["val", ["mix", "s", "f", "g"], "x"], ["+", ["*", "s", ["val", "f", "x"]], ["*", less(1,
        "s"), ["val", "g", "x"]]]),
    "the retain loss of an explicit problem": (["val", ["retain", ["problem", "f", "g"]], "x"], ["val", "f",
        "x"]),
    "its forget loss": (["val", ["forget", ["problem", "f", "g"]], "x"], ["val", "g", "x"]),
    "unit vectors are orthogonal": (["in", ["e", 1], ["e", 2]], 0),
    "unit vectors have length 1": (["in", ["e", 2], ["e", 2]], 1),
    "inner products are symmetric": (["in", "x", "h"], ["in", "h", "x"]),
    "0 is no vector at all": (["in", ["zero"], "x"], 0),
    "a vector minus itself": (["in", ["v+", "x", ["v*", -1, "x"]], "h"], 0),
    "what is fixed is its mean": (["E", ["*", "s", ["in", "x", "h"]]], ["*", "s", ["in", "x", "h"]]),
    "a mean is linear": (["E", ["+", ["*", 2, ["in", Z, "h"]], ["in", "x", "h"]]], ["+", ["*", 2, ["E",
        ["in", Z, "h"]]], ["in", "x", "h"]]),
    "a factor that is fixed": (["E", ["*", ["in", "x", "h"], ["in", Z, "h"]]], ["*", ["in", "x", "h"], ["E",
        ["in", Z, "h"]]]),
    "a mean of a mean": (["E", ["E", ["in", Z, "h"]]], ["E", ["in", Z, "h"]]),
    "a mean of a sum": (["E", ["sum", ["*", "k_", ["in", ["iter", sgd(), "k_"], "h"]], "T"]], ["sum", ["*",
        "k_", ["E", ["in", ["iter", sgd(), "k_"], "h"]]], "T"]),
    "a sum of what does not move": (["sum", ["*", "s", "k_"], "T"], ["*", "s", ["sum", "k_", "T"]]),
    "a sum of a sum of terms": (["sum", ["+", "k_", "s"], "T"], ["+", ["sum", "k_", "T"], ["*", "s", ["sum",
        1, "T"]]]),
    "an average under another name of its index": (["in", ["average", sgd(), "k_", "T"], "h"], ["in",
        ["average", sgd(), ["*", 1, "k_"], "T"], "h"]),
}  # fmt: skip
DIFFERENT: dict[str, tuple[Any, Any]] = {
    "the mean of a product is no product of means": (["E", ["*", ["in", Z, "h"], ["in", STEP, "h"]]], ["*",
        ["E", ["in", Z, "h"]], ["E", ["in", STEP, "h"]]]),
    "the mean of a square is no square of a mean": (["E", ["^", ["in", Z, "h"], 2]], ["^", ["E", ["in", Z,
        "h"]], 2]),
    "what is random is not its mean": (["E", ["in", Z, "h"]], ["in", Z, "h"]),
    "a drawn value is not its mean": (["E", ["val", ["draw", sgd(), "T"], "x"]], ["val", ["draw", sgd(),
        "T"], "x"]),
    "a random name is not its mean": (["E", ["in", "X", "h"]], ["in", "X", "h"]),
    "an output is not its mean": (["E", ["val", "f", ["out", "A", "D", "T"]]], ["val", "f", ["out", "A", "D",
        "T"]]),
    "an average is not its mean": (["E", ["val", "f", ["average", sgd(), 1, "T"]]], ["val", "f", ["average",
        sgd(), 1, "T"]]),
    "a gradient at an iterate is not its mean": (["E", ["in", ["grad", "f", STEP], "h"]], ["in", ["grad",
        "f", STEP], "h"]),
    "a projection of noise is not its mean": (["E", ["in", ["proj", Z], "h"]], ["in", ["proj", Z], "h"]),
    "the mean of a root of what is random": (["E", ["^", ["in", Z, Z], "1/2"]], ["^", ["in", Z, Z], "1/2"]),
    "the mean of a square of a sum": (["E", ["^", ["sum", ["in", ["iter", sgd(), "k_"], "h"], "T"], 2]],
        ["^", ["E", ["sum", ["in", ["iter", sgd(), "k_"], "h"], "T"]], 2]),
    "the mean of a sum times something random": (
        ["E", ["*", ["sum", ["in", ["iter", sgd(), "k_"], "h"], "T"], ["in", Z, "h"]]], ["*", ["E", ["sum",
            ["in", ["iter", sgd(), "k_"], "h"], "T"]], ["in", Z, "h"]]),
    "the mean of a square of a sum is no mean of the sum": (["E", ["^", SUM, 2]], ["E", SUM]),
    "the mean of a sum times something random is no mean of the sum": (["E", ["*", SUM, ["in", Z, "h"]]],
        ["E", SUM]),
    "the mean of a sum times something random is no mean of that": (
        ["E", ["*", SUM, ["in", Z, "h"]]], ["E", ["in", Z, "h"]]),
    "two sums, each times the term of the other": (
        ["*", ["sum", "k_", "T"], ["in", ["iter", sgd(), "k_"], "h"]], ["*", "k_", SUM]),
    "a loss that is called like the quadratic": (["val", "quad", "x"], ["val", ["quad"], "x"]),
    "sums of other lengths": (["sum", "k_", "T"], ["sum", "k_", "n"]),
    "a sum of squares is no square of a sum": (["sum", ["^", "k_", 2], "T"], ["^", ["sum", "k_", "T"], 2]),
    "a sum that moves": (["sum", ["*", "k_", "s"], "T"], ["*", "k_", ["sum", "s", "T"]]),
    "the first and the second unit vector": (["in", ["e", 1], "x"], ["in", ["e", 2], "x"]),
    "values at two points": (["val", "f", "x"], ["val", "f", "h"]),
}  # fmt: skip


def zero(node: Any) -> bool:
    """Whether an expression is 0 for all objects, as the kernel sees it."""
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": LETTERS}).zero(node)


def test_no_two_vectors_are_the_same() -> None:
    WORK[:] = [float("inf"), float("inf")]
    proof = Proof({**NOTHING, "letters": LETTERS})
    found = [proof.read(["in", u, "y"]) for u in VECTORS]
    same = [(VECTORS[i], VECTORS[j]) for i, j in combinations(range(len(found)), 2) if found[i] == found[j]]
    assert same == []


RANDOM: list[Any] = [
    "X", *(["iter", sgd(), t] for t in (0, "T")), ["average", sgd(), 1, "T"], ["out", "A", "D", "T"],
    ["noise", "gauss", "s", 1], ["stair", "s", "a", "s", 1], ["common", "x", "X"], ["common", "x", "h"],
    ["response", "s", "a", "x", "h"], ["grad", ["draw", sgd(), "T"], "x"], ["opt", ["draw", sgd(), "T"]],
]  # fmt: skip


@pytest.mark.parametrize("u", RANDOM, ids=str)
def test_what_is_random_is_not_its_mean(u: Any) -> None:
    WORK[:] = [BUDGET, float("inf")]
    proof, along = Proof({**NOTHING, "letters": LETTERS}), ["in", u, "y"]
    assert proof.read(["E", along]) != proof.read(along)
    assert proof.read(["E", ["^", along, 2]]) != proof.read(["^", ["E", along], 2])


def test_the_mean_of_two_sums_is_that_of_neither() -> None:
    WORK[:] = [BUDGET, float("inf")]
    proof = Proof({**NOTHING, "letters": LETTERS})
    one, other = (["sum", ["in", ["iter", sgd(), "k_"], u], "T"] for u in ("x", "h"))
    means = [proof.read(["E", part]) for part in (one, other)]
    assert proof.read(["E", ["*", one, other]]) not in means


def test_a_name_may_begin_like_a_head() -> None:
    WORK[:] = [BUDGET, float("inf")]
    proof = Proof({**NOTHING, "letters": {"edge": ["point"], "Ends": ["point"], "Pi": ["loss"]}})
    assert proof.read(["in", "edge", "Ends"]) == proof.read(["in", "Ends", "edge"])
    assert proof.read(["val", "Pi", "edge"])


def test_no_two_losses_are_the_same() -> None:
    WORK[:] = [float("inf"), float("inf")]
    proof = Proof({**NOTHING, "letters": LETTERS})
    for node in (lambda f: ["val", f, "y"], lambda f: ["in", ["opt", f], "y"]):
        found = [proof.read(node(f)) for f in LOSSES]
        assert [
            (LOSSES[i], LOSSES[j]) for i, j in combinations(range(len(found)), 2) if found[i] == found[j]
        ] == []


@pytest.mark.parametrize("name", EQUAL)
def test_what_is_equal(name: str) -> None:
    assert zero(less(*EQUAL[name]))


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_not(name: str) -> None:
    assert not zero(less(*DIFFERENT[name]))


NO_OBJECTS = {
    "a loss for a vector": (["in", "f", "x"], "no vector"), "a parameter for a vector": (["in", "s", "x"],
        "no vector"),
    "a point for a loss": (["val", "x", "x"], "no loss"), "a loss for a problem": (["val", ["retain", "f"],
        "x"], "no problem"),
    "three losses for a problem": (["val", ["retain", ["problem", "f", "g", "f"]], "x"],
        "arguments of 'problem'"),
    "another head for a problem": (["val", ["retain", ["l*", "f", "g"]], "x"], "not a problem"),
    "a unit vector 0": (["in", ["e", 0], "x"], "basis vector"), "a unit vector -1": (["in", ["e", -1], "x"],
        "basis vector"),
    "a unit vector 1/2": (["in", ["e", "1/2"], "x"], "basis vector"), "a unit vector of two numbers": (["in",
        ["e", 1, 2], "x"], "arguments of 'e'"),
    "a unit vector True": (["in", ["e", True], "x"], "basis vector"), "a unit vector by a letter": (["in",
        ["e", "n"], "x"], "basis vector"),
    "a gradient at no point": (["in", ["grad", "f"], "x"], "arguments of 'grad'"),
        "a gradient with two tags": (["in", ["grad", "f", "x", "f", "g"], "x"], "arguments of 'grad'"),
    "a vector nobody knows": (["in", ["curl", "f", "x"], "x"], "unknown vector"),
        "a loss nobody knows": (["val", ["hinge"], "x"], "unknown loss"),
    "a loss with a cone's argument": (["val", ["quad", "x"], "x"], "arguments of 'quad'"),
        "a cone without a centre": (["val", ["cone"], "x"], "arguments of 'cone'"),
    "a cone with two centres": (["val", ["cone", "x", "h"], "x"], "arguments of 'cone'"),
        "another loss with a centre": (["val", ["hinge", "x"], "x"], "unknown loss"),
    "time 1/2": (["in", ["iter", sgd(), "1/2"], "x"], "no integer"), "a real time": (["in", ["iter", sgd(),
        "s"], "x"], "no integer"),
    "a sum up to a real number": (["sum", "k_", "s"], "no integer"),
        "an average up to a real number": (["in", ["average", sgd(), 1, "s"], "x"], "no integer"),
    "an output at a real time": (["in", ["out", "A", "D", "s"], "x"], "no integer"), "time pi": (["in",
        ["iter", sgd(), ["pi"]], "x"], "no integer|malformed|range"),
    "time n/n": (["in", ["iter", sgd(), ["*", "n", ["^", "n", -1]]], "x"], "no integer"),
    "a loss for an algorithm": (["in", ["out", "f", "D", "T"], "x"], "no algorithm|unknown algorithm"),
        "a list for an algorithm": (["in", ["out", ["A"], "D", "T"], "x"], "no algorithm|unknown algorithm"),
    "a random vector that is no noise": (["in", ["random", "gauss", "s", 1], "x"], "unknown noise"),
    "stairs of random width": (["in", ["stair", "s", ["in", Z, "h"], "s", 1], "x"], "fixed size"),
    "stairs of random fall": (["in", ["stair", ["in", Z, "h"], "s", "s", 1], "x"], "fixed size"),
    "stairs that begin at random": (["in", ["stair", "s", "s", ["in", Z, "h"], 1], "x"], "fixed size"),
    "stairs labelled by a letter": (["in", ["stair", "s", "s", "s", "n"], "x"], "fixed size"),
    "stairs labelled True": (["in", ["stair", "s", "s", "s", True], "x"], "fixed size"),
    "shells that fall at random": (["shells", ["in", Z, "h"], "s", 1], "random shells"),
    "shells that begin at random": (["shells", "s", ["in", Z, "h"], 1], "random shells"),
    "shells to half a power": (["shells", "s", "s", "1/2"], "no integer"),
    "noise of no law": (["in", ["noise", "cauchy", "s", 1], "x"], "unknown noise"),
        "noise labelled by a letter": (["in", ["noise", "gauss", "s", "n"], "x"], "unknown noise"),
    "noise labelled True": (["in", ["noise", "gauss", "s", True], "x"], "unknown noise"),
    "noise of random scale": (["in", ["noise", "gauss", ["in", Z, "h"], 1], "x"], "scale"),
    "another head than sgd": (["in", ["iter", ["adam", "D", "x", 1], "T"], "x"], "unknown run"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_OBJECTS)
def test_no_object(name: str) -> None:
    node, why = NO_OBJECTS[name]
    with pytest.raises((RejectedError, ValueError, TypeError, IndexError), match=why):
        zero(node)
