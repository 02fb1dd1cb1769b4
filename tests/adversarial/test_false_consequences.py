"""False statements about objects, each with its most plausible proof: the kernel rejects all of them.

Written by a hostile reader who did not write the kernel. Those under "accepted once" were theorems until the
condition that now rejects them was found to be missing.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.written import combine, instance, leaf, less, positive

R, N, POINT, LOSS, PROBLEM = [False, False], [True, False], ["point"], ["loss"], ["problem"]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "s", "q", "w", "kappa", "b"), R),
    **dict.fromkeys(("d", "k_", "T", "t"), N), **dict.fromkeys(("x", "y", "h"), POINT), "X": ["random"],
    **dict.fromkeys(("f", "g"), LOSS), **dict.fromkeys(("D", "G", "D_"), PROBLEM),
    "A": ["algorithm"], "B": ["algorithm"], "U": ["unlearner"], "S": ["event"],
}  # fmt: skip
ZERO, E1, E2 = ["zero"], ["e", 1], ["e", 2]
RUN = ["sgd", "D", "x", ["^", ["+", "k_", 1], -1]]
NOISE, GAUSS = ["noise", "gauss", 1, 1], ["noise", "gauss", "s", 1]
STAR = ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]
MIX = ["mix", "s", "f", "g"]
Y = ["in", "X", "h"]
BUDGET = ["r", "epsilon", "delta"]


def mean(a: Any) -> Any:
    return ["E", a]


def apart(u: Any, v: Any) -> Any:
    return ["v+", u, ["v*", -1, v]]


def square(u: Any) -> Any:
    return ["in", u, u]


def schema(*parts: Any, **more: Any) -> Any:
    return leaf(schema=list(parts), **more)


def risk(A: Any, D: Any, T: Any) -> Any:
    f = ["retain", D]
    return mean(less(["val", f, ["out", A, D, T]], ["val", f, ["opt", f]]))


def tilted(c: Any) -> Any:
    """mu/2 |x|^2 - c <e_1, x>."""
    return ["l+", ["quad"], ["l*", -1, ["lin", ["v*", c, E1]]]]


def sealed(kind: str, says: Any, given: Any, letters: Any, lines: Any, **more: Any) -> Any:
    statement = {"letters": letters, "given": [[*g, "given"] for g in given], "says": says}
    takes = {**NOTHING, "letters": more.pop("own", letters)}
    frame = {"claim": "false", "kind": kind, "lemmas": {}, "statement": statement, "takes": takes}
    return {**frame, "hash": digest({"statement": statement, "takes": takes}), "lines": lines, **more}


ONE_ = combine([1], says=[">=", 1])
# The dimension, of which Gaussian noise knows: E|z|^2 = d.
SIZE = [ONE_, schema("moment", NOISE, met=[0]), leaf(square=NOISE), {"by": "expect", "of": 2}]
_NEXT = ["+", "d", 1]
_Z2 = mean(square(NOISE))
_SINKS = ["+", ["*", -10, "d", _Z2], ["*", 10, "d", "d"], ["*", -1, "d"]]
_SINKS_NEXT = ["+", ["*", -10, _NEXT, _Z2], ["*", 10, _NEXT, _NEXT], ["*", -1, _NEXT]]
# A problem with gradients of norm 1000, whatever L is.
STEEP = ["problem", tilted(-1000), tilted(-1000)]
FAR = ["sgd", STEEP, ZERO, 1]
_X0, _G0 = ["iter", FAR, 0], ["grad", ["draw", FAR, 0], ["iter", FAR, 0]]
R2 = ["*", "1/4", ["^", "L", 2], ["^", "mu", -2]]
MOVED = ["problem", tilted("k_"), "f"]
COPY = ["v+", ["v+", STAR, GAUSS], ["v*", -1, ["noise", "gauss", "q", 1]]]
LEAST = ["least", "unlearner", *BUDGET, 0]
ROOT = ["^", ["^", Y, 2], "1/2"]

# What is false, what is given, lines, why they are rejected.
_COIN, _ROOM = ["signs", 0, 0], [combine([1], says=[">=", 1]), combine(says=[">=", 0])]
ACCEPTED_ONCE: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "-1 >= 0, from a budget that no rule has": (
        [">=", -1], [[">", "L"], [">", "mu"]],
        [*_ROOM, schema("unlearning", "U", _COIN, _COIN, 0, "S", met=[0, 1]),
         schema("unlearning", "U", _COIN, _COIN, 0, ["not", "S"], met=[0, 1]),
         combine([1, 2], [1, 3], says=[">=", ["+", ["exp", "epsilon"], -1, ["*", 2, "delta"]]]),
         instance(4, epsilon=0, delta="-1/2")], "assumes more"),
    "a coupling of iterates whose time a sum inside it binds": (
        [">=", 0], [],
        [combine(says=[">=", 0]), combine(says=[">=", 0]), combine(says=[">=", 0]),
         {"by": "couple", "of": [0, 1, 2], "point": "y", "numbers": [0, 0], "bound": 0,
          "laws": [["iter", RUN, "k_"], ["iter", RUN, "k_"]]}], "bound name"),
    "-1 >= 0, from noise in dimension -1": (
        [">=", -1], [], [*SIZE, combine([1, 3], [-1, 1], says=[">=", "d"]), instance(4, d=-1)], "more"),
    "every dimension is 0, by induction over the space itself": (
        [">=", ["*", -1, "d"]], [[">=", less("d", 0)]],
        [ONE_, schema("moment", NOISE, met=[0]), combine(says=[">=", 0]), leaf(assume=[">=", less("d", 0)]),
         combine([["*", -10, _NEXT], 1], [9, 3], [9], says=[">=", _SINKS_NEXT]),
         {"by": "induction", "of": [2, 4], "index": "d", "shows": [">=", _SINKS]},
         combine([1, 5], [["*", 10, "d"], 1], says=[">=", ["*", -1, "d"]])], "belong to its objects"),
    "1 = 0 on the line, from a second unit vector said in other words": (
        [">=", -1], [["=", less("d", 1)]],
        [schema("line", E2, E2, says=["=", 1]), combine([-1, 0], says=[">=", -1])], "assumes more"),
    "E Y^2 = Y E Y: a random number for a parameter that was taken out of a mean": (
        ["=", less(mean(["*", Y, Y]), ["*", Y, mean(Y)])], [],
        [combine(says=["=", less(mean(["*", "s", Y]), ["*", "s", mean(Y)])]), instance(0, s=Y)], "at random"),
    "the same, beside a number that is not random": (
        ["=", less(mean(["*", "q", Y, Y]), ["*", "q", Y, mean(Y)])], [],
        [combine(says=["=", less(mean(["*", "w", "s", Y]), ["*", "w", "s", mean(Y)])]),
         instance(0, w="q", s=Y)], "at random"),
    "what is 0 in one outcome is 0 in the mean": (
        ["=", mean(Y)], [["=", Y]], [leaf(equal=["E", Y, 0], says=["=", mean(Y)])], "function of a number"),
    "(E|Y|)^2 = (E Y)^2, by the sign of one outcome": (
        ["=", less(["^", mean(ROOT), 2], ["^", mean(Y), 2])], [],
        [leaf(equal=["E", ROOT, Y]), combine([["+", mean(ROOT), mean(Y)], 0])], "function of a number"),
    "L >= 1000: gradients that are drawn from losses outside the class": (
        [">=", less(["^", "L", 2], 10**6)], [[">", "L"], [">", "mu"]],
        [schema("start", FAR, _X0, says=["=", square(_X0)]),
         positive(["^", ["*", "1/2", "L", ["^", "mu", -1]], 2], even=True),
         combine([1, 1], [-1, 0], says=[">=", less(R2, square(_X0))]),
         schema("Lipschitz", ["draw", FAR, 0], _X0, met=[2]), {"by": "expect", "of": 3},
         combine(says=[">=", 0]), schema("tower", FAR, 0, E1, met=[5]),
         schema("start", FAR, E1, says=["=", ["in", _X0, E1]]), {"by": "expect", "of": 7},
         leaf(square=apart(_G0, ["v*", 1000, E1])), {"by": "expect", "of": 9},
         combine([1, 4], [1, 10], [2000, 6], [["*", 2000, "mu"], 8],
                 says=[">=", less(["^", "L", 2], 10**6)])], "assumes more"),
    "a mean of iterates by losses that change with the index": (
        [">=", less(["sum", ["val", ["mix", "k_", "f", "g"], ["iter", RUN, "k_"]], "T"],
                    ["*", ["sum", 1, "T"], ["val", "g", ["average", RUN, 1, "T"]]])],
        [["=", "k_"], [">=", "T"], [">", ["sum", 1, "T"]], [">=", less(R2, square("x"))]],
        [ONE_, {"by": "average", "of": 0, "average": ["average", RUN, 1, "T"],
                "loss": ["mix", "k_", "f", "g"]}], "index is bound"),
    "a mean of iterates of runs that change with the index": (
        [">=", 0], [], [ONE_, {"by": "average", "of": 0, "loss": "f",
                               "average": ["average", ["sgd", "D", ["v*", "k_", "x"], 1], 1, "T"]}],
        "index is bound"),
    "problems that share theta* at one index share it at all": (
        ["=", mean(["sum", less(["in", ["out", "A", MOVED, 0], "h"], ["in", ["out", "A", "D", 0], "h"]),
                    "T"])], [["=", "k_"]],
        [schema("no gradient", "A", MOVED, "D", "x", ["sum", ["in", "x", "h"], "T"])], "bound name"),
    "the data of a rule as another problem": (
        [">=", 0], [], [schema("no gradient", "A", "D_", "D", "x", ["worst", ["rule", ["proj", "x"]], 0])],
        "bound name"),
    "theta* is private: its noise is taken off again under another name of the scale": (
        [">=", less(["worst", ["rule", ["proj", STAR]], 0], LEAST)],
        [[">=", less("w", ["spread", "r"])], [">", "w"], [">", "epsilon"], [">=", "delta"]],
        [schema("least", "unlearner", ["rule", ["proj", COPY]], "r", 0, "epsilon", "delta", "w", "kappa"),
         instance(0, q="s")], "used twice"),
    "the worst risk is at least the mean over problems that are sometimes none": (
        [">=", less(["worst", "A", "T"], risk("A", ["problem", tilted(Y), "f"], "T"))], [[">=", "T"]],
        [schema("worst", "A", "r", "T", ["problem", tilted(Y), "f"])], "random problem"),
    "L = 0, if mu = 0: the minimiser of a loss that has none": (
        ["=", "L"], [["=", "mu"], [">=", "L"]],
        [schema("stationary", tilted(["*", "1/2", "L"]), E1), leaf(assume=["=", "mu"]),
         leaf(assume=[">=", "L"]), combine(["1/2", 2]), combine(says=[">=", 0]),
         combine([-2, 0], [["*", 2, ["in", ["opt", tilted(["*", "1/2", "L"])], E1]], 1], says=["=", "L"],
                 met=[3, 4])], "assumes more"),
    "a rule on a problem that changes with an index that it binds": (
        [">=", 0], [], [combine(says=["=", less(*[["in", ["out", ["rule", ["v*", ["sum", ["val", ["retain",
            "D_"], ZERO], "T"], E1]], MOVED, 0], E1]] * 2)])], "index is bound"),
}  # fmt: skip

_GRADIENT = ["grad", ["draw", RUN, "T"], ["iter", RUN, "T"]]
WRONG_STEP = ["proj", apart(["iter", RUN, "T"], ["v*", ["^", ["+", "T", 2], -1], _GRADIENT])]
REJECTED: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    # One letter for two algorithms; the order of least and worst.
    "one algorithm is as good as another": (
        [">=", less(["worst", "A", "T"], risk("B", "D", "T"))], [[">=", "T"]],
        [schema("worst", "A", "r", "T", "D", says=[">=", less(["worst", "A", "T"], risk("B", "D", "T"))])],
        "not follow"),
    "the risk on one problem bounds the worst": (
        [">=", less(risk("A", "D", "T"), ["worst", "A", "T"])], [],
        [combine(says=[">=", less(*[risk("A", "D", "T")] * 2)]),
         {"by": "over", "of": 0, "term": ["worst", "A", "T"], "bound": risk("A", "D", "T"), "names": ["D"]}],
        "not arbitrary"),
    "a bound under a condition on the problem bounds the worst": (
        [">=", less("b", ["worst", "A", "T"])], [],
        [leaf(assume=[">=", less("b", risk("A", "D", "T"))]),
         {"by": "over", "of": 0, "term": ["worst", "A", "T"], "bound": "b", "names": ["D"]}],
        "not arbitrary"),
    "the worst of one algorithm bounds the least from below": (
        [">=", less(["least", "algorithm", *BUDGET, "T"], "b")], [],
        [leaf(assume=[">=", less(["worst", "A", "T"], "b")]),
         {"by": "over", "of": 0, "term": ["least", "algorithm", *BUDGET, "T"], "bound": "b", "names": ["A"]}],
        "not arbitrary"),
    "what holds for unlearners holds for all algorithms": (
        [">=", less(["least", "algorithm", *BUDGET, "T"], "b")], [],
        [combine(says=[">=", 0]), {"by": "over", "of": 0, "term": ["least", "algorithm", *BUDGET, "T"],
                                   "bound": "b", "names": ["U"]}], "of that sort"),
    "any algorithm is an unlearner": (
        [">=", less(["worst", "A", 0], LEAST)], [], [schema("least", "unlearner", "A", "r", 0, "epsilon",
                                                            "delta")], "of that sort"),
    "an algorithm in place of an unlearner": (
        [">=", less(["worst", "A", 0], LEAST)], [],
        [schema("least", "unlearner", "U", "r", 0, "epsilon", "delta"), instance(0, U="A")],
        "an algorithm is a name"),
    "an unlearner at another budget": (
        [">=", less(["worst", "U", 0], ["least", "unlearner", "r", 100, "delta", 0])], [],
        [schema("least", "unlearner", "U", "r", 0, "epsilon", "delta"), instance(0, epsilon=100)],
        "belong to the algorithms"),
    "a supremum over one problem twice": (
        [">=", less("b", ["spread", "r"])], [],
        [combine(says=[">=", 0]), {"by": "over", "of": 0, "term": ["spread", "r"], "bound": "b",
                                   "names": ["f", "f", "g"]}], "not distinct"),
    # T = 0 and the start.
    "after T gradients as without any": (
        ["=", less(risk("A", "D", "T"), risk("A", "D", 0))], [],
        [schema("no gradient", "A", "D", "D", "x", ["val", ["retain", "D"], "x"],
                says=["=", less(risk("A", "D", "T"), risk("A", "D", 0))])], "not follow"),
    "problems with other old optima look alike": (
        ["=", less(mean(["in", ["out", "A", "D", 0], "h"]), mean(["in", ["out", "A", "G", 0], "h"]))], [],
        [schema("no gradient", "A", "D", "G", "x", ["in", "x", "h"])], "assumes more"),
    "a run starts at 0": (
        ["=", ["in", ["iter", RUN, 0], "h"]], [],
        [schema("start", RUN, "h", says=["=", ["in", ["iter", RUN, 0], "h"]])], "not follow"),
    "runs from two starts meet": (
        ["=", ["in", apart(["iter", RUN, 0], ["iter", ["sgd", "D", "y", 1], 0]), "h"]], [],
        [schema("start", RUN, "h"), schema("start", ["sgd", "D", "y", 1], "h"),
         combine([1, 0], [-1, 1], says=["=", ["in", apart(["iter", RUN, 0], ["iter", ["sgd", "D", "y", 1],
                                                                            0]), "h"]])], "not follow"),
    "a step before the first": (
        ["=", ["in", apart(["iter", RUN, 0], ["proj", apart(["iter", RUN, -1], ["v*", 1, ["grad", ["draw",
            RUN, -1], ["iter", RUN, -1]]])]), "h"]], [],
        [schema("step", RUN, -1, "h")], "more|Division|claim"),
    "a step of the next size": (
        ["=", ["in", apart(["iter", RUN, ["+", "T", 1]], WRONG_STEP), "h"]], [[">=", "T"]],
        [schema("step", RUN, "T", "h", says=["=", ["in", apart(["iter", RUN, ["+", "T", 1]], WRONG_STEP),
                                                   "h"]])], "not follow"),
    "half a step": (["=", 0], [], [schema("start", RUN, "h"), schema("step", RUN, "1/2", "h")], "no integer"),
    # Noise and chance.
    "two draws of one noise are independent": (
        ["=", mean(["*", ["in", GAUSS, "h"], ["in", GAUSS, "h"]])], [],
        [schema("centred", GAUSS, ["v*", ["in", GAUSS, "h"], "h"])], "fixed vector"),
    "the gradient in the mean, along itself": (
        ["=", 0], [], [schema("tower", RUN, "T", ["v*", ["in", ["grad", ["draw", RUN, "T"], ["iter", RUN,
            "T"]], "h"], "h"])], "before the draw"),
    "noise of a random scale is centred": (
        ["=", 0], [], [schema("centred", ["noise", "gauss", ["in", "X", "h"], 1], "h")], "scale"),
    "the root of the mean is the mean of the root": (
        ["=", less(["^", mean(square("X")), "1/2"], mean(["^", square("X"), "1/2"]))], [],
        [combine(says=["=", less(["^", mean(square("X")), "1/2"], mean(["^", square("X"), "1/2"]))])],
        "not follow"),
    "a factor that changes with the index leaves the sum": (
        ["=", less(["sum", ["*", "k_", ["in", ["iter", RUN, "k_"], "h"]], "T"],
                   ["*", "k_", ["sum", ["in", ["iter", RUN, "k_"], "h"], "T"]])], [],
        [combine(says=["=", less(["sum", ["*", "s", ["in", ["iter", RUN, "k_"], "h"]], "T"],
                                 ["*", "s", ["sum", ["in", ["iter", RUN, "k_"], "h"], "T"]])]),
         instance(0, s="k_")], "index is bound"),
    "a sum over nothing is 1": ([">", ["sum", 1, -1]], [], [schema("empty sum", 1, says=[">", ["sum", 1,
        -1]])], "not follow"),
    "a sum grows below nothing": (
        ["=", less(["sum", 1, -4], ["+", ["sum", 1, -5], 1])], [], [schema("sum step", 1, -5)], "more|claim"),
    # The class.
    "every point lies in the ball": ([">=", less(R2, square("x"))], [], [schema("ball", "x")], "not known"),
    "a mixture with weight 2 is in the class": (
        [">=", less(["^", "L", 2], square(["grad", ["mix", 2, "f", "g"], ZERO]))],
        [[">", "L"], [">", "mu"]],
        [schema("ball", ZERO), schema("Lipschitz", ["mix", 2, "f", "g"], ZERO, met=[0])], "assumes more"),
    "the forget loss is stationary at the old optimum": (
        ["=", ["in", ["grad", "f", ["opt", MIX], MIX], "h"]], [[">=", "s"], [">=", less(1, "s")]],
        [schema("stationary", MIX, "h", says=["=", ["in", ["grad", "f", ["opt", MIX], MIX], "h"]])],
        "not follow"),
    "another subgradient at the minimiser vanishes too": (
        ["=", ["in", ["grad", "f", ["opt", "f"], "g"], "h"]], [],
        [schema("stationary", "f", "h", says=["=", ["in", ["grad", "f", ["opt", "f"], "g"], "h"]])],
        "not follow"),
    "twice the Lipschitz constant in the same class": (
        [">=", less(["^", ["*", "1/2", "L"], 2], square(["grad", "f", ZERO]))], [[">", "L"], [">", "mu"]],
        [schema("Lipschitz", "f", ZERO), instance(0, L=["*", "1/2", "L"])], "belong to its objects"),
    "convexity from a linear loss": (
        [">=", 0], [], [schema("strong convexity", ["lin", "x"], "y", "h")], "strongly convex"),
    "a kink that does not hold its point": (
        ["=", ["in", apart(["opt", ["l+", ["quad"], ["l*", -1, ["lin", "x"]], ["l*", "s", ["cone", "y"]]]],
                           "y"), "h"]], [[">=", "s"]], [schema("kinked", "y", "x", "s", "h")],
        "assumes more"),
    # Rules: what they see, cost, and hide.
    "a rule that releases the answer": (
        [">=", 0], [], [schema("least", "algorithm", ["rule", ["opt", ["retain", "D_"]]], "r", 0)],
        "cannot release|unpack"),
    "five gradients for nothing": (
        [">=", less(["worst", ["rule", ["iter", ["sgd", "D_", ZERO, 1], 5]], 0], ["least", "algorithm", "r",
            0, 0, 0])], [[">=", "r"], [">=", less(1, "r")]],
        [schema("least", "algorithm", ["rule", ["iter", ["sgd", "D_", ZERO, 1], 5]], "r", 0)],
        "assumes more"),
    "two runs for the price of one": (
        [">=", 0], [], [schema("least", "algorithm", ["rule", ["proj", ["v+", *[["iter", ["sgd", "D_", ZERO,
            c], "T"] for c in (1, 2)]]]], "r", "T")], "two runs"),
    "theta* itself is private": (
        [">=", 0], [], [schema("least", "unlearner", ["rule", ["proj", STAR]], "r", 0, "epsilon", "delta",
            "w", "kappa")], "without noise"),
    "a step size that the data choose": (
        [">=", 0], [], [schema("least", "algorithm", ["rule", ["iter", ["sgd", "D_", ZERO, ["val",
            ["retain", "D_"], ZERO]], "T"]], "r", "T")], "depends on the data"),
    "less noise than the budget asks for": (
        [">=", less(["worst", ["rule", ["proj", ["v+", STAR, GAUSS]]], 0], LEAST)],
        [[">=", less("w", ["spread", "r"])], [">", "w"], [">", "epsilon"], [">=", "delta"], [">=", "r"],
         [">=", less(1, "r")]],
        [schema("least", "unlearner", ["rule", ["proj", ["v+", STAR, GAUSS]]], "r", 0, "epsilon", "delta",
                "w", "kappa")], "assumes more"),
    "a number of the data that a rule binds": (
        [">=", 0], [], [combine(says=["=", less(*[["worst", ["rule", ["proj", ["v*", "s", STAR]]], 0]] * 2)]),
                        instance(0, s=["val", ["retain", "D_"], ZERO])], "data of a rule are bound"),
}  # fmt: skip
FALSE = {**ACCEPTED_ONCE, **REJECTED}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_consequence_is_rejected(name: str) -> None:
    says, given, lines, why = FALSE[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, LETTERS, lines), {}, {})


def test_there_are_many() -> None:
    assert len(FALSE) >= 45


_ALONG = ["in", "x", E1]
MODELS: dict[str, tuple[Any, Any, Any, Any, Any, str]] = {
    "(E<x, e>)^2 >= E<x, e>^2 for fixed x, against it a random one": (
        [">=", less(["^", mean(_ALONG), 2], mean(["^", _ALONG, 2]))], [], {"x": ["point"], "d": N},
        {"x": ["is", NOISE], "d": ["is", 1]},
        [ONE_, combine(says=[">=", less("d", 1)]), schema("moment", NOISE, met=[0, 1]),
         combine(says=["=", less("d", 1)]), schema("line", NOISE, NOISE, met=[3]), {"by": "expect", "of": 4},
         schema("centred", NOISE, E1),
         combine([1, 2], [-1, 5], [["*", -1, mean(["in", NOISE, E1])], 6], [1],
                 says=[">", less(mean(["^", _ALONG, 2]), ["^", mean(_ALONG), 2])])], "x is random"),
    "E s^2 = s^2 for a number, against it a random one": (
        ["=", less(mean(["*", "s", "s"]), ["*", "s", "s"])], [], {"s": R, "h": POINT},
        {"s": ["is", ["in", NOISE, E1]], "h": ["is", E1]},
        [combine([1])], "s is random"),
    "mu/2 |e|^2 = mu/2, against it another mu than that of the losses": (
        ["=", less(["*", 2, ["val", ["quad"], E1]], "mu")], [], {"mu": R}, {"mu": R}, [combine([1])],
        "shown in a model"),
    "f(e) >= f(0) for f = mu/2 |x|^2, against it mu = -1": (
        [">=", ["val", ["quad"], "x"]], [], {"x": POINT}, {"x": ["is", E1], "mu": ["is", -1]},
        [combine(["1/2"])], "no class"),
    "the same, against it mu = 0": (
        [">", ["val", ["quad"], "x"]], [], {"x": POINT}, {"x": ["is", E1], "mu": ["is", 0]},
        [combine(says=["=", 0])], "no class"),
    "the same, against it L = 2 and mu = -1": (
        [">=", ["val", ["quad"], "x"]], [], {"x": POINT}, {"x": ["is", E1], "L": ["is", 2], "mu": ["is", -1]},
        [combine(["1/2"])], "no class"),
    "<x, y>^2 = |x|^2 |y|^2 on the line, against it two unit vectors": (
        [">=", less(["^", ["in", "x", "y"], 2], ["*", square("x"), square("y")])], [["=", less("d", 1)]],
        {"x": ["point"], "y": ["point"], "d": N}, {"x": ["is", E1], "y": ["is", E2], "d": ["is", 1]},
        [combine(says=["=", 0]), combine([1])], "more unit vectors"),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_a_true_statement_is_not_refuted(name: str) -> None:
    says, given, letters, own, lines, why = MODELS[name]
    shown = [0, len(lines) - 1] if given else [len(lines) - 1]
    made = sealed("witness", says, given, letters, lines, own=own, witness={"values": {}, "shown": shown})
    with pytest.raises(RejectedError, match=why):
        accept_certificate(made, {}, {})


def test_a_measured_letter_may_be_random_and_leaves_no_mean() -> None:
    """m >= Y in every outcome, so E m >= E Y; m itself need not be."""
    letters = {**LETTERS, "m": [False, True]}
    made = sealed("proof", [">=", less("m", mean(Y))], [], letters, [{"by": "expect", "of": "le"}])
    lemma = {"letters": letters, "given": [], "says": [">=", less("m", Y)]}
    made["lemmas"] = {"le": digest(lemma)}
    with pytest.raises(RejectedError, match="a measured letter beside objects"):
        accept_certificate(made, {"le": lemma}, {})


def in_the_plane(d: int) -> Any:
    """Two unit vectors against <x, y>^2 >= |x|^2 |y|^2, in dimension d."""
    says = [">=", less(["^", ["in", "x", "y"], 2], ["*", square("x"), square("y")])]
    own = {"x": ["is", E1], "y": ["is", E2], "d": ["is", d]}
    letters = {"x": POINT, "y": POINT, "d": N}
    return sealed("witness", says, [], letters, [combine([1])], own=own, witness={"values": {}, "shown": [0]})


def test_in_two_dimensions_there_are_two_unit_vectors() -> None:
    accept_certificate(in_the_plane(2), {}, {})
    accept_certificate(in_the_plane(3), {}, {})
    with pytest.raises(RejectedError, match="more unit vectors"):
        accept_certificate(in_the_plane(1), {}, {})


def test_a_lemma_about_fixed_vectors_is_not_used_of_a_random_one_in_a_model() -> None:
    """|x|^2 = E|x|^2 holds for every fixed x: a model where x is noise may not use it."""
    lemma = {"letters": {"x": POINT}, "given": [], "says": ["=", less(square("x"), mean(square("x")))]}
    says = [">=", less(mean(square("x")), ["*", 2, square("h")])]
    letters, own = {"h": POINT}, {"h": ["is", E1], "x": ["is", NOISE]}
    made = sealed("witness", says, [], letters, [combine([1])], own=own, witness={"values": {}, "shown": [0]})
    with pytest.raises(RejectedError, match="x is random"):
        accept_certificate({**made, "lemmas": {"fixed": digest(lemma)}}, {"fixed": lemma}, {})
