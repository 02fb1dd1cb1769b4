"""Every schema of the kernel as a theorem written by hand, hypotheses and all; what no schema may be given.

A hypothesis that is dropped, a relation that is stronger, another constant: each is another theorem.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem
from oubli.theory.kernel.schemas import SCHEMAS
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    "L": R, "mu": R, "s": R, "a": R, "d": N, "k_": N, "T": N, "x": ["point"], "h": ["point"], "y": ["point"],
        "g_": ["point"], "f": ["loss"],
    "g": ["loss"], "D": ["problem"], "X": ["random"], "A": ["algorithm"], "F": ["is", ["mix", "s", "f", "g"]],
}  # fmt: skip
RUN = ["sgd", "D", "x", ["^", ["+", "k_", 1], -1]]
AT, AHEAD, ZERO = ["iter", RUN, "T"], ["iter", RUN, ["+", "T", 1]], ["zero"]
DRAWN = ["grad", ["draw", RUN, "T"], AT]
GAUSS, RADIAL = ["noise", "gauss", "s", 1], ["noise", "radial", "s", 2]
SHARE = [[">=", "a"], [">=", less(1, "a")]]
POSITIVE, WEIGHT, TIME = [[">", "L"], [">", "mu"]], [[">=", "s"], [">=", less(1, "s")]], [[">=", "T"]]
CONED = ["l+", ["quad"], ["l*", "s", ["cone", "h"]], ["lin", "x"], ["l*", 3, ["cone", "y"]]]
TILTED = ["l+", ["quad"], ["l*", -1, ["lin", "x"]]]
PAIR = ["problem", CONED, "F"]


def apart(a: Any, b: Any) -> Any:
    return ["v+", a, ["v*", -1, b]]


def square(u: Any) -> Any:
    return ["in", u, u]


def size(u: Any) -> Any:
    return ["^", square(u), "1/2"]


def ball(point: Any) -> list[Any]:
    return [">=", less(["*", "1/4", ["^", "L", 2], ["^", "mu", -2]], square(point))]


def rise(f: Any, x: Any, y: Any, *tag: Any) -> Any:
    """f(y) - f(x) - <grad f(x), y - x> - mu/2 |y - x|^2."""
    line, bend = ["in", ["grad", f, x, *tag], apart(y, x)], ["*", "-1/2", "mu", square(apart(y, x))]
    return ["+", ["val", f, y], ["*", -1, ["val", f, x]], ["*", -1, line], bend]


def at_opt(f: Any, direction: Any) -> Any:
    return ["in", ["grad", f, ["opt", f], f], direction]


# |x| <= L/2 - (s + 3), without roots.
_LEFT = less(["*", "1/2", "L"], ["+", "s", 3])
ROOM = [[">=", _LEFT], [">=", less(["^", _LEFT, 2], square("x"))], [">=", "s"], [">=", 3]]
CURVED = [">", "mu"]
TIGHT = [[">=", ["*", "1/2", "L"]], [">=", ["*", "1/4", ["^", "L", 2]]]]
# The largest of <x, .> + s and <h, .> + a; where the second one is, its slope is held by the multiplier 3.
TOPS = ["max", "x", "s", 0, "h", "a", 3]
TOPPED = ["l+", ["quad"], ["lin", "y"], TOPS]
_HIGH, _TURNED = ["v+", "y", "h"], ["v+", "y", ["v*", 4, "h"], ["v*", -3, "x"]]
_NORM = ["+", ["*", "3/4", ["^", "L", 2]], ["*", 6, "mu", less("s", "a")], ["*", -1, square(_HIGH)]]
CAPPED = [[">=", ["*", "1/2", "L"]], [">=", less(["*", "1/4", ["^", "L", 2]], square(["v+", "y", "x"]))],
          [">=", ["*", 3, "mu"]], [">=", _NORM],
          [">=", less(["^", _NORM, 2], ["*", ["^", "L", 2], square(_TURNED)])]]  # fmt: skip
_ABOVE = less(["+", ["in", "h", "y"], "a"], ["+", ["in", "x", "y"], "s"])
FROM_X = ["sgd", "D", "X", 1]  # its first iterate is its start
# Of each: the schema with its arguments, the hypotheses, the relation and the expression.
THEOREMS: dict[str, tuple[list[Any], list[Any], str, Any]] = {
    "a loss is strongly convex on the ball": (
        ["strong convexity", "f", "x", "y"], [ball("x"), ball("y")], ">=", rise("f", "x", "y")),
    "with the subgradient of a tag": (
        ["strong convexity", "f", "x", "y", "g"], [ball("x"), ball("y")], ">=", rise("f", "x", "y", "g")),
    "a mixture is, if its weights are weights": (
        ["strong convexity", "F", "x", "y"], [*WEIGHT, ball("x"), ball("y")], ">=", rise("F", "x", "y")),
    "an explicit loss is, if it has room": (
        ["strong convexity", CONED, "x", "y"], [*ROOM, ball("x"), ball("y")], ">=", rise(CONED, "x", "y")),
    "the retain loss of an explicit problem is": (
        ["strong convexity", ["retain", PAIR], "x", "y"], [*ROOM, ball("x"), ball("y")], ">=", rise(CONED,
            "x", "y")),
    "subgradients on the ball are at most L": (
        ["Lipschitz", "f", "x"], [ball("x")], ">=", less(["^", "L", 2], square(["grad", "f", "x"]))),
    "those of the forget loss of an explicit problem": (
        ["Lipschitz", ["forget", ["problem", "f", CONED]], "x"], [*ROOM, ball("x")], ">=",
        less(["^", "L", 2], square(["grad", CONED, "x"]))),
    "those of a mixture with an explicit first part": (
        ["Lipschitz", ["mix", "a", CONED, "g"], "x"], [*SHARE, *ROOM, ball("x")], ">=",
        less(["^", "L", 2], square(["grad", ["mix", "a", CONED, "g"], "x"]))),
    "those of a mixture with an explicit second part": (
        ["Lipschitz", ["mix", "a", "g", CONED], "x"], [*SHARE, *ROOM, ball("x")], ">=",
        less(["^", "L", 2], square(["grad", ["mix", "a", "g", CONED], "x"]))),
    "those of the quadratic alone": (
        ["Lipschitz", ["quad"], "x"], [*TIGHT, ball("x")], ">=",
        less(["^", "L", 2], square(["v*", "mu", "x"]))),
    "those of a mixture too": (
        ["Lipschitz", "F", "x", "g"], [*WEIGHT, ball("x")], ">=", less(["^", "L", 2], square(["grad", "F",
            "x", "g"]))),
    "those of a loss with affine pieces, if each later one is held on its cap": (
        ["Lipschitz", TOPPED, "g_"], [*CAPPED, ball("g_")], ">=",
        less(["^", "L", 2], square(["grad", TOPPED, "g_"]))),
    "the minimiser is where the gradient vanishes": (
        ["flat", "F", "y", "h"], [*WEIGHT, ball("y"), ["=", square(["grad", "F", "y"])], CURVED], "=",
        ["in", apart(["opt", "F"], "y"), "h"]),
    "that of a loss with affine pieces": (
        ["flat", TOPPED, "x", "h"], [*CAPPED, ball("x"), ["=", square(["grad", TOPPED, "x"])], CURVED], "=",
        ["in", apart(["opt", TOPPED], "x"), "h"]),
    "the largest of two affine functions is the second": (
        ["largest", TOPS, 1, "y"], [[">=", _ABOVE]], "=",
        less(["val", TOPS, "y"], ["+", ["in", "h", "y"], "a"])),
    "its slope, where that is larger": (
        ["largest slope", TOPS, 1, "y", "x"], [[">", _ABOVE]], "=",
        ["in", apart(["grad", TOPS, "y"], "h"), "x"]),
    "any slope of it there": (
        ["largest slope", TOPS, 0, "y", "x", "g"], [[">", ["*", -1, _ABOVE]]], "=",
        ["in", apart(["grad", TOPS, "y", "g"], "x"), "x"]),
    "at a minimiser over the ball": (
        ["normal cone", "f", "y"], [ball("y"), CURVED], ">=", at_opt("f", apart("y", ["opt", "f"]))),
    "at a minimiser of a mixture": (
        ["normal cone", "F", "y"], [*WEIGHT, ball("y"), CURVED], ">=", at_opt("F", apart("y", ["opt", "F"]))),
    "the gradient vanishes at the minimiser": (["stationary", "f", "h"], [CURVED], "=", at_opt("f", "h")),
    "the gradient of a mixture too": (["stationary", "F", "h"], [*WEIGHT, CURVED], "=", at_opt("F", "h")),
    "a minimiser lies in the ball": (["ball", ["opt", "f"]], POSITIVE, *ball(["opt", "f"])),
    "that of a mixture": (["ball", ["opt", "F"]], [*WEIGHT, *POSITIVE], *ball(["opt", "F"])),
    "a projection lies in the ball": (["ball", ["proj", "x"]], POSITIVE, *ball(["proj", "x"])),
    "0 lies in the ball": (["ball", ZERO], POSITIVE, *ball(ZERO)),
    "an iterate lies in the ball, if its start does": (
        ["ball", AT], [ball("x"), *TIME, *POSITIVE], *ball(AT)),
    "an iterate on an explicit problem": (
        ["ball", ["iter", ["sgd", PAIR, "x", 1], "T"]], [*ROOM, *WEIGHT, ball("x"), *TIME, *POSITIVE],
        *ball(["iter", ["sgd", PAIR, "x", 1], "T"])),
    "a projection is nearer to points of the ball": (
        ["projection", "x", "y"], [ball("y")], ">=", less(square(apart("x", "y")), square(apart(["proj",
            "x"], "y")))),
    "Cauchy and Schwarz": (["Cauchy-Schwarz", "x", "y"], [], ">=", less(["*", size("x"), size("y")], ["in",
        "x", "y"])),
    "in one dimension": (
        ["line", "x", "y"], [["=", less("d", 1)]], "=",
        less(["in", "x", "y"], ["*", ["in", "x", ["e", 1]], ["in", ["e", 1], "y"]])),
    "the minimiser of a tilted quadratic": (
        ["tilted", "x", "h"], [TIGHT[0], [">=", less(["*", "1/4", ["^", "L", 2]], square("x"))],
                                  CURVED], "=",
        ["in", apart(["opt", TILTED], ["v*", ["^", "mu", -1], "x"]), "h"]),
    "a run starts at its start": (["start", RUN, "h"], [], "=", ["in", apart(["iter", RUN, 0], "x"), "h"]),
    "one step of a run": (
        ["step", RUN, "T", "h"], TIME, "=",
        ["in", apart(AHEAD, ["proj", apart(AT, ["v*", ["^", ["+", "T", 1], -1], DRAWN])]), "h"]),
    "the drawn gradient in the mean": (
        ["tower", RUN, "T", "h"], TIME, "=", ["E", ["in", apart(DRAWN, ["grad", ["retain", "D"], AT]), "h"]]),
    "the drawn gradient along the iterate": (
        ["tower", RUN, "T", apart(AT, "h")], TIME, "=",
        ["E", ["in", apart(DRAWN, ["grad", ["retain", "D"], AT]), apart(AT, "h")]]),
    "the drawn gradient along a random start": (
        ["tower", FROM_X, 0, ["iter", FROM_X, 0]], [[">=", 0]], "=",
        ["E", ["in", apart(["grad", ["draw", FROM_X, 0], ["iter", FROM_X, 0]],
                           ["grad", ["retain", "D"], ["iter", FROM_X, 0]]), ["iter", FROM_X, 0]]]),
    "noise is centred": (["centred", GAUSS, "h"], [], "=", ["E", ["in", GAUSS, "h"]]),
    "the size of Gaussian noise": (
        ["moment", GAUSS], [[">=", "s"], [">=", less("d", 1)]], "=",
        less(["E", square(GAUSS)], ["*", "d", ["^", "s", 2]])),
    "the size of radial noise": (
        ["moment", RADIAL], [[">", "s"], [">=", less("d", 1)]], "=",
        less(["E", square(RADIAL)], ["*", "d", ["+", "d", 1], ["^", "s", -2]])),
    "a sum over nothing": (["empty sum", "k_"], [], "=", ["sum", "k_", -1]),
    "a sum with one more term": (
        ["sum step", ["*", "s", "k_"], "T"], [[">=", ["+", "T", 1]]], "=",
        less(["sum", ["*", "s", "k_"], ["+", "T", 1]],
             ["+", ["sum", ["*", "s", "k_"], "T"], ["*", "s", ["+", "T", 1]]])),
}  # fmt: skip


def fresh() -> Proof:
    """A proof that has reached nothing."""
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": LETTERS})


def facts(proof: Proof, relations: list[Any]) -> set[Any]:
    """Relations as the kernel compares them."""
    return {(rel, frozenset(proof.read(expr).items())) for rel, expr in relations}


@pytest.mark.parametrize("name", THEOREMS)
def test_a_schema_is_the_theorem_that_was_meant(name: str) -> None:
    schema, hyps, rel, expr = THEOREMS[name]
    proof = fresh()
    proof.accept({"by": "leaf", "schema": schema}, 0)
    found: Theorem = proof.reached[0]
    assert found.rel == rel
    assert proof.read(found.expr) == proof.read(expr)
    assert facts(proof, found.hyps) == facts(proof, hyps)


def test_every_schema_has_its_theorem_here() -> None:
    # New schemas bring their own tests; none of those that there are may lose its theorem.
    assert {schema[0] for schema, *_ in THEOREMS.values()} <= SCHEMAS.keys()
    assert len({schema[0] for schema, *_ in THEOREMS.values()}) >= 16


REFUSED = {
    "a loss without its quadratic": (["Lipschitz", ["l+", ["cone", "x"]], "x"], "strongly convex"),
    "twice the quadratic": (["Lipschitz", ["l*", 2, ["quad"]], "x"], "strongly convex"),
    "two quadratics": (["Lipschitz", ["l+", ["quad"], ["quad"]], "x"], "strongly convex"),
    "a named loss in an explicit one": (["Lipschitz", ["l+", ["quad"], "f"], "x"],
        "explicit|malformed|index"),
    "a sum of sums": (["Lipschitz", ["l+", ["quad"], ["l*", 1, ["l+", ["lin", "x"]]]], "x"], "explicit loss"),
    "a point for a loss": (["Lipschitz", "x", "y"], "no loss"),
    "a point that may lie anywhere": (["ball", "x"], "not known to lie"),
    "a combination of points of the ball": (["ball", ["v+", ZERO, ZERO]], "not known to lie"),
    "an average, which may have no weights": (["ball", ["average", RUN, 1, "T"]], "not known to lie"),
    "a direction that is drawn": (["tower", RUN, "T", DRAWN], "before the draw"),
    "a direction that comes later": (["tower", RUN, "T", AHEAD], "before the draw"),
    "a direction that is noise": (["tower", RUN, "T", GAUSS], "before the draw"),
    "noise along itself": (["centred", GAUSS, GAUSS], "not noise and a fixed"),
    "noise along an iterate": (["centred", GAUSS, AT], "not noise and a fixed"),
    "an iterate as noise": (["centred", AT, "h"], "not noise and a fixed"),
    "a random name as a fixed vector": (["centred", GAUSS, "X"], "not noise and a fixed"),
    "the size of what is no noise": (["moment", ["iter", RUN, "T", 1]], "not noise"),
    "the size of another law": (["moment", ["noise", "cauchy", "s", 1]], "unknown noise|KeyError|cauchy"),
    "a sum up to its own index": (["sum step", "k_", "k_"], "index is bound"),
    "a schema nobody wrote": (["trust me", "x"], "unknown schema"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_schema_is_refused(name: str) -> None:
    schema, why = REFUSED[name]
    with pytest.raises((RejectedError, LookupError, TypeError), match=why):
        fresh().accept({"by": "leaf", "schema": schema}, 0)


WEIGHTED = ["average", RUN, ["+", "k_", 1], "T"]
INDEX = [[">=", less("k_", 0)], [">=", less("T", "k_")]]
TOTAL, EACH = ["sum", ["+", "k_", 1], "T"], ["val", "f", ["iter", RUN, "k_"]]
JENSEN = less(["sum", ["*", ["+", "k_", 1], EACH], "T"], ["*", TOTAL, ["val", "f", WEIGHTED]])


def weighted(average: Any, *assumed: Any, weight: Any = ("+", "k_", 1), rel: str = ">=", f: Any = "f") -> Any:
    """Lines that assume some relations, show the weight from these, and average."""
    lines = [{"by": "leaf", "assume": list(relation)} for relation in assumed]
    shown = {"by": "combine", "terms": [[1, i] for i in range(len(assumed))], "says": [rel, list(weight)]}
    return [*lines, shown, {"by": "average", "of": len(lines), "average": average, "loss": f}]


def after(*lines: Any) -> Proof:
    """The proof after some lines."""
    proof = fresh()
    for i, line in enumerate(lines):
        proof.accept(line, i)
    return proof


def test_jensen_is_the_theorem_that_was_meant() -> None:
    lines = [{"by": "leaf", "assume": [">=", less("k_", 0)]}, {"by": "leaf", "assume": [">=", less("T",
        "k_")]},
             {"by": "positive", "of": 1, "box": {}, "bits": 16},
             {"by": "combine", "terms": [[1, 0], [1, 2]], "says": [">", ["+", "k_", 1]]},
             {"by": "combine", "terms": [[1, 3]], "says": [">=", ["+", "k_", 1]]},
             {"by": "average", "of": 4, "average": WEIGHTED, "loss": "f"}]  # fmt: skip
    proof = after(*lines)
    found = proof.reached[5]
    assert found.rel == ">="
    assert proof.read(found.expr) == proof.read(JENSEN)
    assert facts(proof, found.hyps) == facts(proof, [ball("x"), [">", TOTAL], [">=", "T"], CURVED])


def test_jensen_keeps_what_the_problem_the_loss_and_the_weights_need() -> None:
    run = ["sgd", PAIR, "x", 1]
    average = ["average", run, "s", "T"]
    proof = after(*weighted(average, [">=", "s"], weight=["*", 1, "s"], f="F"))
    total = ["*", "s", ["sum", 1, "T"]]
    needed = [[">=", "s"], *ROOM, *WEIGHT, ball("x"), [">", total], [">=", "T"], CURVED]
    assert facts(proof, proof.reached[2].hyps) == facts(proof, needed)


def test_jensen_keeps_what_the_loss_and_the_weights_need_alone() -> None:
    proof = after(*weighted(["average", RUN, "L", "T"], [">=", "L"], weight=["*", 1, "L"], f="F"))
    needed = [[">=", "L"], *WEIGHT, ball("x"), [">", ["*", "L", ["sum", 1, "T"]]], [">=", "T"], CURVED]
    assert facts(proof, proof.reached[2].hyps) == facts(proof, needed)


def test_weights_may_be_shown_for_the_times_of_the_sum_alone() -> None:
    left = less("T", "k_")
    proof = after(*weighted(["average", RUN, left, "T"], [">=", left], weight=left))
    needed = [ball("x"), [">", ["sum", left, "T"]], [">=", "T"], CURVED]
    assert facts(proof, proof.reached[2].hyps) == facts(proof, needed)


NOT_AVERAGED = {
    "weights that are shown 0": (weighted(["average", RUN, ["*", 0, "s"], "T"], weight=["*", 0, "s"],
        rel="="), "no weights"),
    "other weights than those shown": (weighted(["average", RUN, "s", "T"], [">=", "mu"], weight=["*", 1,
        "mu"]), "no weights"),
    "an iterate for an average": (weighted(["iter", RUN, "s", "T"], [">=", "s"], weight=["*", 1, "s"]),
        "no weights"),
    "weights that are >= 0 at one time only": (
        weighted(["average", RUN, "k_", "T"], [">=", less("k_", 1)], [">=", 1], weight=["+", "k_", 0]),
            "one time only"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_AVERAGED)
def test_no_average(name: str) -> None:
    lines, why = NOT_AVERAGED[name]
    with pytest.raises(RejectedError, match=why):
        after(*lines)


def test_a_mean_of_what_is_assumed_of_an_outcome_is_no_theorem() -> None:
    with pytest.raises(RejectedError, match="random"):
        after({"by": "leaf", "assume": [">=", ["in", "X", "h"]]}, {"by": "expect", "of": 0})
    with pytest.raises(RejectedError, match="random"):
        after(
            {"by": "leaf", "assume": [">=", "s"], "says": [">=", "s"], "using": [[">=", ["in", "X", "h"]],
                [">=", "L"]]},
            {"by": "expect", "of": 0},
        )  # fmt: skip


RELATIONS = {">": ">=", ">=": ">=", "=": "="}


@pytest.mark.parametrize("rel", RELATIONS)
def test_the_mean_keeps_a_weak_relation(rel: str) -> None:
    proof = after({"by": "leaf", "assume": [rel, "s"]}, {"by": "expect", "of": 0})
    assert (proof.reached[1].rel, proof.reached[1].hyps) == (RELATIONS[rel], [[rel, "s"]])


def test_unit_vectors_ask_for_dimensions() -> None:
    third = {"by": "leaf", "square": ["v+", ["e", 3], "x"]}
    proof = after(
        third,
        {"by": "leaf", "assume": [">=", "s"], "says": [">=", "s"], "using": [[">=", ["in", ["e", 2], "h"]]]},
    )
    assert facts(proof, proof.reached[0].hyps) == facts(proof, [[">=", less("d", 3)]])
    needed = [[">=", "s"], [">=", ["in", ["e", 2], "h"]], [">=", less("d", 2)]]
    assert facts(proof, proof.reached[1].hyps) == facts(proof, needed)
