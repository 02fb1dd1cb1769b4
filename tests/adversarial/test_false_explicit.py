"""False statements over explicit objects, each with its most plausible proof: the kernel rejects all of them.

A hostile reader wrote a problem inside a problem, vectors with more parts than their head takes, parameters
that are no longer arbitrary, and means that are not finite. Those under "accepted once" were theorems.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof, accept_certificate, digest
from oubli.theory.kernel.objects import ARITY, HEADS, NUMBERS, term
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.still_valid import VECTORS
from tests.adversarial.test_false_consequences import (
    E1,
    E2,
    GAUSS,
    LETTERS,
    LOSS,
    ONE_,
    POINT,
    R2,
    RUN,
    STAR,
    ZERO,
    Y,
    apart,
    mean,
    risk,
    schema,
    sealed,
    square,
)
from tests.adversarial.written import combine, instance, leaf, less, positive

CLASS = [[">", "L"], [">", "mu"]]
HALF_L = ["*", "1/2", "L"]
AT_0 = positive(["^", ["*", HALF_L, ["^", "mu", -1]], 2], even=True, says=[">=", less(R2, square(ZERO))])
SHARE = [[">=", "r"], [">=", less(1, "r")]]
STEEP = ["l*", 1000, ["lin", E1]]
STEEP_L = [">=", less(["^", "L", 2], 10**6)]


def within(f: Any) -> Any:
    """|grad f(0)| <= L."""
    return schema("Lipschitz", f, ZERO, met=[0], says=STEEP_L)


def retained(f: Any) -> Any:
    return ["retain", ["problem", f, f]]


def free(rule: Any, T: Any = 0, sort: str = "algorithm") -> Any:
    """That a rule is one of those that make T gradients."""
    return [">=", less(["worst", rule, T], ["least", sort, "r", 0, 0, T])]


FIVE = ["rule", ["proj", ["zero", ["iter", ["sgd", "D_", ZERO, 1], 5]]]]
FIRST = ["average", ["sgd", "D", ZERO, 1], 1, 1]
_BENT = ["sum", ["val", ["quad"], ["iter", ["sgd", "D", ZERO, 1], "k_"]], 1]
_COUNT = [
    schema("empty sum", 1),
    combine(says=[">=", 0]),
    schema("sum step", 1, -1, met=[3]),
    ONE_,
    schema("sum step", 1, 0, met=[5]),
    combine([1, 2], [1, 4], [1, 6], [2], says=[">", ["sum", 1, 1]]),
]
# Two releases of one law, one from each problem.
ONE_LAW = [
    ["=", square(apart(*[["opt", ["mix", "r", ["forget", P], ["retain", P]]] for P in ("D", "G")]))],
    *SHARE,
]
_OUT_D, _OUT_G = ["out", "A", "D", 0], ["out", "A", "G", 0]


def against(f: Any) -> Any:
    """The mean of exp(-|z|^2) and what it is at least."""
    return ["exp", ["*", -1, square(f)]]


# E exp(|z|^2) for noise z of density proportional to exp(-2 |z|) on the line: it is infinite, and no number.
TAIL = ["noise", "radial", 2, 1]
SHIFT, S2 = ["v*", "s", E1], ["^", "s", 2]
SIZE, HALF_S2 = ["^", S2, "1/2"], ["*", "1/2", S2]
PRICE, AFTER = ["*", 2, SIZE], less(HALF_S2, ["*", 2, SIZE])
HERE, THERE = ["v+", SHIFT, TAIL], ["v+", ZERO, TAIL]
ENDLESS, BUMP = mean(["exp", square(TAIL)]), against(apart("x", SHIFT))
SHIFTED, MIDDLE = against(apart(TAIL, SHIFT)), apart(TAIL, ["v*", "1/2", SHIFT])
INFINITE = [
    combine([2], says=[">", 2]), combine(says=[">=", 0]), leaf(assume=["=", less("d", 1)]),
    combine([1, 2], says=[">=", less("d", 1)]), schema("moment", TAIL, met=[0, 3]),
    schema("exponential", ["*", -1, square(TAIL)]), {"by": "expect", "of": 5},
    combine([1, 6], [-1, 4], [["*", "-1/4", ["+", "d", 2]], 2], 
            says=[">=", less(mean(against(TAIL)), "1/2")]),
    leaf(assume=[">", "s"]), combine([1, 8, 8], says=[">", S2]), positive(SIZE, met=[9]),
    combine([2, 10], says=[">", PRICE]),
    schema("noise", TAIL, SHIFT, ZERO, "S", PRICE, 0, SIZE, met=[1, 10, 11, 0]),
    positive(BUMP), leaf(square=apart("x", SHIFT)), schema("exponential", square(apart("x", SHIFT))),
    combine([1, 13, 15], [1, 14, 13], says=[">=", less(1, BUMP)]),
    {"by": "layers", "of": [12, 13, 16], "event": "S", "point": "x", "number": BUMP, "bound": 1, "free": 0,
     "laws": [[["exp", PRICE], THERE], [-1, HERE]]},
    leaf(square=MIDDLE), schema("exponential", ["*", 2, square(MIDDLE)]),
    positive(["exp", less(HALF_S2, square(apart(TAIL, SHIFT)))]),
    combine([1, 19, 20], [2, 18, 20],
            says=[">=", less(["exp", square(TAIL)], ["*", ["exp", HALF_S2], SHIFTED])]),
    {"by": "expect", "of": 21}, positive(["exp", AFTER]), schema("exponential", AFTER),
    combine([1, 22], [1, 23, 17], [1, 23, 7], ["1/2", 24],
            says=[">=", less(ENDLESS, ["*", "1/2", ["+", 1, AFTER]])]),
    combine(says=["=", less(["^", SIZE, 2], S2)], using=[[">=", S2]], met=[9]),
    combine([1, 10], [1, 8], says=[">", ["+", SIZE, "s"]]),
    combine([["^", ["+", SIZE, "s"], -1], 26], says=["=", less(SIZE, "s")], using=[[">", ["+", SIZE, "s"]]],
            met=[27]),
    combine([1, 25], [-1, 28], says=[">=", ["+", ENDLESS, "-1/2", ["*", "-1/4", "s", "s"], "s"]]),
    positive(["exp", square(TAIL)]), {"by": "expect", "of": 30},
    combine([2, 31], [4], says=[">", ["+", 4, ["*", 2, ENDLESS]]]),
    {**instance(29, s=["+", 4, ["*", 2, ENDLESS]]), "met": [32]},
    combine([2, 33], [2, 31], [2, 31, 31], says=[">=", -1]),
]  # fmt: skip


# A sum as long as the place in the cube says: its mean is no sum of means, else -3 >= 0 from s = 0 and s = 2.
def steps_up(s: Any) -> Any:
    return ["^", ["ceil", s], 2]


def counted(n: Any) -> Any:
    """n + 1, counted."""
    return ["sum", 1, n]


def count_at(s: Any) -> list[Any]:
    """Lines that count there; the induction is line 9."""
    natural = positive(steps_up(s), even=True, says=[">=", less(steps_up(s), 0)])
    return [natural, instance(9, t=steps_up(s))]


_NUMBERED = ["=", ["+", counted("t"), ["*", -1, "t"], -1]]
_LENGTH = counted(steps_up("s_"))
LONG_SUMS = [
    combine(says=[">=", 0]), schema("empty sum", 1), schema("sum step", 1, -1, met=[0]),
    combine([1, 1], [1, 2], says=["=", less(counted(0), 1)]), leaf(assume=[">=", less("t", 0)]),
    combine([1], [1, 4], says=[">=", ["+", "t", 1]]), schema("sum step", 1, "t", met=[5]),
    leaf(assume=_NUMBERED),
    combine([1, 6], [1, 7], says=["=", ["+", counted(["+", "t", 1]), ["*", -1, ["+", "t", 1]], -1]]),
    {"by": "induction", "of": [3, 8], "index": "t", "shows": _NUMBERED},
    *count_at(0), {**count_at(0)[1], "met": [10]}, *count_at(2), {**count_at(2)[1], "met": [13]},
    combine(says=["=", less(["cubed", _LENGTH], _LENGTH)]), instance(16, s_=0), instance(16, s_=2),
    combine([1, 17], [-1, 18], [1, 12], [-1, 15], says=["=", less(steps_up(2), steps_up(0))]),
    schema("ceiling", 2), schema("ceiling", 0), schema("near ceiling", 0),
    combine([1, 20, 20], [4, 20], [1, 21, 22], [1, 22], [-1, 19], says=[">=", -3]),
]  # fmt: skip

# What is false, what is given, lines, why they are rejected.
ACCEPTED_ONCE: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "L >= 1000: the retain loss of a problem whose loss is that of another problem, outside the class": (
        STEEP_L, [], [AT_0, within(retained(retained(STEEP)))], "strongly convex"),
    "L >= 1000, by such a loss in a mixture": (
        STEEP_L, [], [AT_0, schema("Lipschitz", ["mix", 1, retained(retained(STEEP)), "f"], ZERO, met=[0])],
        "strongly convex"),
    "L >= 1000, by a problem of such losses": (
        STEEP_L, [], [AT_0, schema("worst", "A", "r", 0, ["problem", retained(retained(STEEP)), "f"])],
        "strongly convex"),
    "L/(2 mu) >= 1000: a vector that is called the origin lies in the ball": (
        [">=", less(R2, 10**6)], CLASS,
        [schema("ball", ["zero", ["v*", 1000, E1]], says=[">=", less(R2, 10**6)])], "arguments of 'zero'"),
    "five gradients for nothing, inside what is called the origin": (
        free(FIVE), SHARE, [combine(says=[">=", 0]), schema("least", "algorithm", FIVE, "r", 0, met=[0])],
        "arguments of 'zero'"),
    "Jensen for losses that bend downwards, mu < 0": (
        [">=", less(_BENT, ["*", ["sum", 1, 1], ["val", ["quad"], FIRST]])], [[">=", "L"]],
        [ONE_, leaf(assume=[">=", "L"]), *_COUNT, AT_0, combine(["1/2", 1], says=[">=", HALF_L]),
         positive(["^", HALF_L, 2], even=True),
         {"by": "average", "of": 0, "average": FIRST, "loss": ["quad"], "met": [7, 8, 9, 10, 0]}],
        "assumes more"),
    "-1 >= 0 on the line, from a mean that is infinite": (
        [">=", -1], [["=", less("d", 1)]], INFINITE, "need not be finite"),
    "-3 >= 0, from a sum whose length changes in the cube, over which it is averaged": (
        [">=", -3], [], LONG_SUMS, "does not follow"),
    "two draws of one law are one draw": (
        ["=", mean(square(apart(_OUT_D, _OUT_G)))], ONE_LAW,
        [schema("no gradient", "A", "D", "G", "x", mean(["in", "x", "X"])), instance(0, X=_OUT_D),
         schema("no gradient", "A", "D", "G", "x", square("x")),
         combine([2, 1], [-1, 2], says=["=", mean(square(apart(_OUT_D, _OUT_G)))])], "another chance"),
}  # fmt: skip

ROOM = [combine([1], says=[">=", 1]), combine(says=[">=", 0])]
NOISE = ["noise", "gauss", 1, 1]
STAIR = ["stair", "epsilon", "s", "q", 1]
ALONG_U = ["in", ["out", "A", ["tosses", ["v*", "s", "u_"], ZERO], "T"], "e_"]


def length(u: Any) -> Any:
    return ["^", square(u), "1/2"]


def rule(u: Any, sort: str = "algorithm", *more: Any) -> list[Any]:
    """That a rule is one without gradients, and nothing else."""
    return [schema("least", sort, ["rule", u], "r", 0, *more)]


def descent(D: Any, start: Any, t: Any, eta: Any = 1) -> Any:
    return ["iter", ["sgd", D, start, eta], t]


def tell(shown: Any, f: Any = 0, b: Any = 0, weights: Any = ("v", "w")) -> list[Any]:
    """What T signs of mean 0 tell from signs of mean -1 beyond a turn, by one test."""
    problems = ["A", ["signs", 0, 0], ["turns", 0, -1, "s", 0], "T"]
    by = {"by": "tell", "of": 0, "point": "x", "weights": [*weights], "numbers": [f, 0], "bound": b}
    return [shown, {**by, "shares": [1, 1], "problems": problems}]


def sweep(smaller: Any = "s", share: Any = "q", direction: str = "u_") -> list[Any]:
    """Means over two balls, of numbers that are 0."""
    by = {"by": "sweep", "of": [0, 0, 0], "radius": "w", "smaller": smaller, "share": share}
    return [combine(says=[">=", 0]), {**by, "shift": ["v*", "b", direction]}]


ALONG_E1, AT_E1 = (["sum", 1, ["^", ["ceil", ["in", place, E1]], 2]] for place in ("u_", "b_"))
OF_W, UP_TO_W = ["in", "w_", ["axis", "k_"]], ["^", ["ceil", ["in", "w_", ["axis", 0]]], 2]

# Of each: lines whose last should be a false statement, and why one of them is rejected.
REJECTED: dict[str, tuple[list[Any], str]] = {
    # Rules: what they see, cost and release.
    "a rule that goes on where the retain loss of another problem is": (
        rule(["proj", descent("D", ZERO, 1)]), "own problem"),
    "a rule that sees the optimum of a problem's forget loss": (
        rule(["opt", ["forget", "D_"]]), "release|unpack"),
    "a rule that sees a gradient, not an iterate": (
        rule(["proj", ["grad", ["retain", "D_"], ZERO]]), "release"),
    "a rule that sees a drawn loss": (
        rule(["proj", ["grad", ["draw", ["sgd", "D_", ZERO, 1], 0], ZERO]]), "release"),
    "a rule that releases what is random under a name": (rule(["proj", "X"]), "public vector"),
    "a rule that leaves the ball by a factor": (
        [combine(says=[">=", 0]), *rule(["v*", 2, STAR]), combine([-1, 1], says=[">=", 0])], "not positive"),
    "a rule that leaves the ball by noise": (rule(["v+", STAR, NOISE]), "lie in the ball"),
    "a rule that leaves the ball by weights of both signs": (
        rule(["average", ["sgd", "D_", ZERO, 1], less(1, "k_"), 0]), "may not be positive"),
    "a learner that looks at theta*": (rule(STAR, "learner"), "theta\\* is used"),
    "a learner that starts at theta*": (rule(descent("D_", STAR, 0), "learner"), "theta\\* is used"),
    "theta* of another fraction": (
        rule(["opt", ["mix", "s", ["forget", "D_"], ["retain", "D_"]]]), "release|unpack"),
    "theta* of the fraction 1 - r": (
        rule(["opt", ["mix", "r", ["retain", "D_"], ["forget", "D_"]]]), "release|unpack"),
    "noise that hides theta* and is released beside it": (
        rule(["proj", ["v+", ["v+", STAR, GAUSS], ["proj", GAUSS]]], "unlearner", "epsilon", "delta", "w",
             "kappa"), "used twice"),
    "two noises, each for a part of theta*": (
        rule(["proj", ["v+", *[["v*", "1/2", ["v+", STAR, ["noise", "gauss", "s", i]]] for i in (1, 2)]]],
             "unlearner", "epsilon", "delta", "w", "kappa"), "used twice"),
    "noise whose scale the data choose": (
        rule(["proj", ["v+", STAR, ["noise", "gauss", ["val", ["retain", "D_"], ZERO], 1]]], "unlearner",
             "epsilon", "delta", "w", "kappa"), "depends on the data"),
    "staircase noise taken for Gaussian": (
        rule(["proj", ["v+", STAR, STAIR]], "unlearner", "epsilon", "delta", "w", "kappa"), "release|unpack"),
    "a step size that an algorithm's risk sets": (
        [schema("least", "algorithm", ["rule", descent("D_", ZERO, "T", ["worst", "A", "T"])], "r", "T")],
        "depends on the data"),
    "an algorithm that is at least as good as the best learner's name": (
        [schema("least", "learner", "A", "r", "T")], "of that sort"),
    "a prior against those who see theta*": (
        [schema("prior", "A", "T", 0, "1/2", [0], [[1, [-1, 1]]])], "not a learner"),
    # Laws and coins.
    "coins whose mean is random": (
        [combine(says=["=", less(*[["P", ["coins", "T", Y], "S"]] * 2)])], "mean of a sign is random"),
    "a hard problem with a third mean": (
        [*ROOM, schema("unlearning", "U", ["signs", 0, 0, 1], ["signs", 0, 1, 0], 0, "S", met=[0, 1])],
        "arguments of 'signs'|unpack"),
    "a hard problem without the mean of the forget data": (
        [*ROOM, schema("unlearning", "U", ["signs", 0], ["signs", 0], 0, "S", met=[0, 1])],
        "arguments of 'signs'|unpack"),
    "privacy across retain data": (
        [schema("unlearning", "U", ["signs", 0, 0], ["signs", "1/2", 0], 0, "S")], "retain data differ"),
    "privacy of named problems": ([schema("unlearning", "U", "D", "G", 0, "S")], "explicit problems"),
    "privacy of an algorithm that promises none": (
        [schema("unlearning", "A", ["signs", 0, 0], ["signs", 0, 1], 0, "S")], "not an unlearning"),
    "what explicit rules see is T signs": (
        [schema("same start", ["rule", ["opt", ["retain", "D_"]]], ["signs", 0, 0], ["signs", 1, -1], 0,
                "S")], "unhashable|more than it may see"),
    "noise that hides a random shift": (
        [schema("noise", GAUSS, "X", ZERO, "S", "epsilon", "delta", "w", "kappa")], "fixed vectors"),
    "staircase noise hides a shift as Gaussian noise does": (
        [schema("noise", STAIR, "x", "y", "S", "epsilon", "delta", "w", "kappa")], "not noise"),
    "staircase noise has the moment of Gaussian noise": ([schema("moment", STAIR)], "not noise|unpack"),
    "a staircase whose height is random": (
        [schema("staircase", ["stair", Y, "s", "q", 1])], "random condition|fixed size"),
    "what two laws share, seen from a random point": ([schema("common", GAUSS, NOISE, "X")], "fixed vector"),
    "a shift seen by a random test": (
        [combine(says=[">=", 0]), combine(says=[">=", 0]), combine(says=[">=", 0]),
         {"by": "couple", "of": [0, 1, 2], "point": "y", "numbers": [0, 0], "bound": ["*", 0, Y],
          "laws": ["k_", GAUSS]}], "bound name|no vector"),
    # Means.
    "the exponential of Gaussian noise has a mean": (
        [schema("exponential", square(GAUSS)), {"by": "expect", "of": 0}], "need not be finite"),
    "the exponential of a random name has a mean": (
        [schema("exponential", Y), {"by": "expect", "of": 0}], "need not be finite"),
    "the exponential of |z| has a mean": (
        [schema("exponential", length(TAIL)), {"by": "expect", "of": 0}], "need not be finite"),
    "the exponential of 2 |z| - |z - x| has a mean": (
        [schema("exponential", less(["*", 2, length(TAIL)], length(apart(TAIL, "x")))),
         {"by": "expect", "of": 0}], "need not be finite"),
    "the exponential of |z| - |y| for two noises has a mean": (
        [schema("exponential", less(length(TAIL), length(NOISE))), {"by": "expect", "of": 0}],
        "need not be finite"),
    "the exponential of |z| - |2 z| has a mean": (
        [schema("exponential", less(length(TAIL), length(["v*", 2, TAIL]))), {"by": "expect", "of": 0}],
        "need not be finite"),
    "the exponential of |z|^2 - |z - x|^2 has a mean": (
        [schema("exponential", less(square(TAIL), square(apart(TAIL, "x")))), {"by": "expect", "of": 0}],
        "need not be finite"),
    "a power series of noise has a mean": (
        [schema("power series", "phi1", square(GAUSS)), {"by": "expect", "of": 0}], "need not be finite"),
    "the exponential of a start that is noise has a mean": (
        [schema("exponential", square(descent("D", GAUSS, 0))), {"by": "expect", "of": 0}],
        "need not be finite"),
    "the inverse of noise has a mean": (
        [combine(says=["=", less(*[["^", square(GAUSS), -1]] * 2)]),
         combine(says=["=", less(*[mean(["^", square(GAUSS), -1])] * 2)])], "need not be finite"),
    "a gradient is known before it is drawn": (
        [schema("tower", RUN, "T", ["grad", ["draw", RUN, "T"], ZERO])], "before the draw"),
    "noise is centred along a vector it makes": ([schema("centred", GAUSS, descent("D", GAUSS, 1))], "fixed"),
    # Directions.
    "e_ is any unit vector": (
        [leaf(square=["v*", ALONG_U, "e_"]), instance(0, e_=E1)], "every direction"),
    "the cone around e_ of a vector that knows e_": ([schema("cone", ["e"], "s")], "arguments of 'e'"),
    "the mean test of a vector along e_": ([schema("cone", "e_", "s")], "depends on e_"),
    "a cone as steep as an outcome": ([schema("cone", "u_", Y)], "not a number"),
    "coordinates by an index that the vector has": (
        [schema("Parseval", ["v*", "k_", E1])], "index is bound"),
    # Losses.
    "the last of two pieces, counted from the end": (
        [schema("largest", ["max", E1, 0, 0, E2, 0, 0], -1, "x")], "no such function"),
    "a maximum of half a piece": ([schema("largest", ["max", E1, 0], 0, "x")], "zip"),
    "a maximum of nothing": ([schema("largest", ["max"], 0, "x")], "affine functions"),
    "two quadratic parts": ([schema("Lipschitz", ["l+", ["quad"], ["quad"]], ZERO)], "strongly convex"),
    "a quadratic part with a factor": ([schema("Lipschitz", ["l*", 2, ["quad"]], ZERO)], "strongly convex"),
    "two maxima": (
        [schema("Lipschitz", ["l+", ["quad"], *[["max", E1, 0, 0]] * 2], ZERO)], "more than one maximum"),
    "a named loss beside the quadratic part": (
        [schema("Lipschitz", ["l+", ["quad"], "f"], ZERO)], "strongly convex|explicit loss"),
    "a loss that is the drawn loss of an explicit problem outside the class": (
        [schema("Lipschitz", ["draw", ["sgd", ["problem", STEEP, "f"], ZERO, 1], 0], ZERO)],
        "strongly convex"),
    "rare losses outside the class": (
        [schema("rare", "A", ["rarely", "s", STEEP, "D", "f"], "T", "S")], "strongly convex"),
    # Suprema.
    "the time of an arbitrary algorithm, by its own number of gradients": (
        [combine(says=[">=", 0]), {"by": "reach", "of": 0, "term": ["time", "algorithm", "r", "epsilon",
         "delta", "s"], "bound": "T", "names": ["A", "T"]}], "not arbitrary"),
    "the time of unlearners, by a learner": (
        [combine(says=[">=", ["*", 0, "T"]]), {"by": "reach", "of": 0, "term": ["time", "unlearner", "r",
         "epsilon", "delta", "s"], "bound": "T", "names": ["B", "T"]}], "of that sort"),
    "a total variation at one event": (
        [schema("total variation", GAUSS, NOISE, "S"), combine(says=[">=", 0]),
         {"by": "over", "of": 1, "term": ["tv", GAUSS, NOISE], "bound": less(["P", GAUSS, "S"], ["P", NOISE,
          "S"]), "names": ["S"]}], "not arbitrary"),
    "a spread of two losses": (
        [combine(says=[">=", 0]), {"by": "over", "of": 0, "term": ["spread", "r"], "bound": 0, "names": ["f",
         "g"]}], "three losses"),
    # Cubes, balls, turns, responses, half spaces.
    "a bound that a number of the test itself weighs": (
        tell(combine(says=[">=", 0]), f="v", b=["^", "v", 2]), "not arbitrary"),
    "a bound that changes with the release": (
        tell(leaf(assume=[">=", "v"]), f=["in", "x", E1], b=["*", "v", ["in", "x", E1]]),
        "not what is shown"),
    "two laws that one number weighs": (
        tell(combine(says=[">=", 0]), weights=["v", "v"]), "two numbers"),
    "two laws that the Lipschitz constant weighs": (
        tell(combine(says=[">=", 0]), f=square("x"), b=["*", "L", square("x")], weights=["L", "v"]),
        "not arbitrary"),
    "a turn with another mean before it": (
        [schema("turn", "A", ["signs", 0, 0], ["turns", "1/2", 0, "s", 0], "T", "S")], "another mean"),
    "a hop along the other direction": (sweep(direction="e_"), "not a hop along u_"),
    "a ball whose radius its place chooses": (
        sweep(smaller=["in", "b_", E1]), "not for every place"),
    "a share that an outcome chooses": (sweep(share=Y), "random"),
    "the mean of 1/|b|^2 over a ball": (
        [combine(says=[">=", ["inside", "w", ["^", square("b_"), -1]]])], "may not be finite"),
    "the mean of 1/s over [-1, 1]": ([combine(says=[">=", ["cubed", ["^", "s_", -1]]])], "may not be finite"),
    "the mean of 1/<u, e_1>^2 over directions": (
        [combine(says=[">=", ["spun", ["^", ["in", "u_", E1], -2]]])], "may not be finite"),
    "the mean of an outcome over the cube": (
        [combine(says=[">=", ["cubed", ["in", "X", "w_"]]])], "may not be random"),
    "what holds for one half of [-1, 1]": (
        [leaf(assume=[">=", "s_"]), {"by": "fill", "of": 0}], "every point of the cube"),
    "what holds at some points of the cube": (
        [leaf(assume=[">=", ["in", "w_", E1]]), {"by": "fill", "of": 0}], "every point of the cube"),
    "every point has coordinates between 0 and 1": ([schema("cube", "x", 0)], "not a point of the cube"),
    "an end of the cube at 1/2": ([schema("cube", ["set", "w_", 0, "1/2"], 0)], "not an end of the cube"),
    "the information between ends that move": ([schema("information", "s_", 0, "w_", 0)], "end that changes"),
    "the information between random ends": ([schema("information", Y, 1, "w_", 0)], "end that changes"),
    "the mean over a ball of the information at its places": (
        [combine(says=["=", ["inside", "w", ["info", 0, ["in", "b_", E1], "w_", 0]]])], "end that changes"),
    "the mean over directions of the information along them": (
        [combine(says=["=", ["spun", ["info", ["in", "u_", E1], 1, "w_", 0]]])], "end that changes"),
    "the integral of the information in the coordinate that is larger": (
        [schema("total information", 0, "b", ["ceil", less(["*", 2, ["in", "w_", ["axis", 0]]], 1)])],
        "not a fixed number"),
    "the flow along another axis for each s_": (
        [schema("flow", "A", "T", 0, "b", ["ceil", "s_"], "x", ["in", "x", "h"])], "not a fixed number"),
    "the flow of as many gradients as s_ says": (
        [schema("flow", "A", ["^", ["ceil", "s_"], 2], 0, "b", 0, "x", ["in", "x", "h"])],
        "not a fixed number"),
    "the mean time to an error that is random": (
        [combine(says=["=", mean(["time", "learner", "r", 0, 0, square("X")])])], "need not be finite"),
    "the mean of what the best learner risks at a random fraction": (
        [combine(says=["=", mean(["least", "learner", Y, 0, 0, 1])])], "need not be finite"),
    "its integral between ends that move": ([schema("total information", "s_", 1, 0)], "not a fixed number"),
    "the flow of a number that knows the cube": (
        [schema("flow", "A", "T", 0, "b", 0, "x", ["in", "x", "w_"])], "another number for each"),
    "the score of a coin that is in no box": (
        [schema("score of a coin", "A", ["tosses", ZERO, ZERO], "T", 0, "x", ["in", "x", "h"])],
        "coins of a box"),
    "a response that an outcome decides": (
        [combine(says=[">=", ["in", ["response", "q", Y, "x", "y"], "h"]])], "what decides is random"),
    "the mean response of a random test": (
        [schema("mean response", "q", 1, "x", "y", "h", ["in", "h", "X"])], "another chance"),
    "the mean response of a mean": (
        [schema("mean response", "q", 1, "x", "y", "h", mean(["in", "h", "X"]))], "a mean inside"),
    "radial noise beyond a plane, as Gaussian noise": (
        [schema("beyond", ["noise", "radial", "s", 1], "x", "h", "q")], "not Gaussian"),
    "a random point beyond a plane": ([schema("beyond", GAUSS, "X", "h", "q")], "a random vector"),
    "how many of a vector are 1": (
        [combine(says=[">=", ["P", GAUSS, ["count", 1]]])], "another law"),
    "coins beyond a plane": (
        [combine(says=[">=", ["P", ["coins", 1, 0], ["beyond", E1, 0]]])], "another law"),
    "a plane that an outcome moves": (
        [combine(says=[">=", ["P", GAUSS, ["beyond", E1, Y]]])], "a random event"),
    "a response of which both answers tell": (
        rule(["response", "q", 1, STAR, STAR], "unlearner", "epsilon", "delta"), "both answers"),
    "a response that five gradients decide for nothing": (
        rule(["response", "q", ["in", descent("D_", ZERO, 5), E1], ZERO, ZERO]), "a gradient decides"),
    "a learner whose response theta* decides": (
        rule(["response", "q", ["in", STAR, E1], ZERO, ZERO], "learner"), "theta\\* is used"),
    # Names that sums and means bind.
    "a sum whose length a direction says, taken out of its mean": (
        [combine(says=["=", less(["spun", ALONG_E1], ALONG_E1)])], "does not follow"),
    "a sum whose length a place says, taken out of its mean": (
        [combine(says=["=", less(["inside", "w", AT_E1], AT_E1)])], "does not follow"),
    "a sum whose length a point of the cube says, as a sum of means": (
        [combine(says=["=", less(["cubed", ["sum", OF_W, UP_TO_W]], ["sum", ["cubed", OF_W], UP_TO_W])])],
        "does not follow"),
    "an inner sum up to the index, taken out of the outer one": (
        [combine(says=["=", less(["sum", ["sum", 1, "k_"], "T"], ["*", ["sum", 1, "k_"], ["sum", 1, "T"]])])],
        "does not follow"),
    "step sizes by the index, taken for those by the time": (
        [combine(says=["=", less(*[["in", ["average", ["sgd", "D", "x", eta], "k_", "k_"], "h"]
                                   for eta in ("k_", "T")])])], "does not follow"),
    "a number that becomes the one that a mean over the cube binds": (
        [combine(says=["=", less(["cubed", ["*", "s", "s_"]], ["*", "s", ["cubed", "s_"]])]),
         instance(0, s="s_")], "is bound there"),
    "a point that becomes the direction of a mean": (
        [combine(says=["=", less(*[["spun", ["in", "x", "u_"]]] * 2)]), instance(0, x="u_")],
        "is bound there"),
    "a point that becomes the place of a mean": (
        [combine(says=["=", less(*[["inside", "w", ["in", "x", "b_"]]] * 2)]), instance(0, x="b_")],
        "is bound there"),
    "a number that becomes the index of a sum": (
        [combine(says=["=", less(*[["sum", "s", "T"]] * 2)]), instance(0, s="k_")], "is bound"),
    "coins whose means an outcome says": (
        [schema("likelihood", "A", ["tosses", "X", ZERO], ["tosses", ZERO, ZERO], "T", "S", 0, 1)],
        "random means"),
    "the mean response of a distance of laws": (
        [schema("mean response", "q", 1, "x", "y", "h", ["tv", "h", "y"])], "a mean inside"),
    "a response that is projected, as if it did not tell": (
        rule(["proj", ["response", "q", ["in", STAR, E1], ZERO, E1]], "unlearner", "epsilon", "delta"),
        "without noise"),
}  # fmt: skip
FALSE = {**ACCEPTED_ONCE, **{name: ([">=", -1], [], *rest) for name, rest in REJECTED.items()}}
OWN_LETTERS = {
    **LETTERS, "u_": ["direction"], "e_": ["direction"], "w_": ["cube"], "s_": [False, False], "b_": POINT,
    "v": [False, False],
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, given, lines, why = FALSE[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, OWN_LETTERS, lines), {}, {})


def test_there_are_many() -> None:
    assert len(FALSE) >= 100


# Every loss has gradients of norm at most 1 where |x| <= 1/2: true for L = mu = 1, which nothing says.
FLAT = {
    "letters": {"f": LOSS, "x": POINT},
    "given": [[">=", less("1/4", square("x")), "given"]],
    "says": [">=", less(1, square(["grad", "f", "x"]))],
}


def at(**own: Any) -> Any:
    """A proof of that where the parameters of the class stand for something."""
    takes = {**NOTHING, "letters": {**FLAT["letters"], **own}}
    lines = [
        leaf(assume=[">=", less("1/4", square("x"))]),
        schema("Lipschitz", "f", "x", says=FLAT["says"], met=[0]),
    ]
    name = digest({"statement": FLAT, "takes": takes})
    return {
        "claim": "flat", "kind": "proof", "lemmas": {}, "statement": FLAT, "takes": takes, "hash": name,
        "lines": lines,
    }  # fmt: skip


@pytest.mark.parametrize("kind", [["is", 1], [True, False], [False, True], ["loss"]], ids=str)
def test_the_parameters_of_a_class_stand_for_nothing(kind: Any) -> None:
    with pytest.raises(RejectedError, match=r"not arbitrary|no number|not follow"):
        accept_certificate(at(L=kind, mu=kind), {}, {})


def test_the_fraction_of_a_named_algorithm_stands_for_nothing() -> None:
    """What is shown at r = 1/2 is no theorem about all algorithms, which are named at every r."""
    says = [">=", risk("A", "D", 0)]
    letters = {"A": ["algorithm"], "D": ["problem"]}
    made = sealed("proof", says, [], letters, [leaf(square=ZERO)], own={**letters, "r": ["is", "1/2"]})
    with pytest.raises(RejectedError, match="parameter of the objects"):
        accept_certificate(made, {}, {})


@pytest.mark.parametrize("head", ARITY)
def test_every_head_takes_so_many_arguments(head: str) -> None:
    proof = Proof({**NOTHING, "letters": OWN_LETTERS})
    for count in ARITY[head]:
        assert term(proof, [head, *["x"] * count])
    for count in {*range(7)} - {*ARITY[head]}:
        with pytest.raises(RejectedError, match="not the arguments"):
            term(proof, [head, *["x"] * count])


# One place for each kind of term; the first argument is one too many.
PLACES = {
    "a number": ["in", "x", "x", "x"], "a vector": ["in", ["opt", "f", "f"], "x"],
    "a loss": ["val", ["lin", "x", "x"], "x"], "a problem": ["val", ["retain", ["signs", 0, 0, 0]], "x"],
    "a problem in an algorithm": ["in", ["out", "A", ["signs", 0, 0, 0], 0], "x"],
    "a run": ["in", ["iter", ["sgd", "D", "x", 1, 1], 0], "x"], "a law": ["P", ["coins", 0, 0, 0], "S"],
    "an event": ["P", "x", ["not", "S", "S"]],
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_arguments_are_counted_in_every_place(name: str) -> None:
    says = ["=", less(PLACES[name], PLACES[name])]
    with pytest.raises(RejectedError, match="not the arguments"):
        accept_certificate(sealed("proof", says, [], OWN_LETTERS, [combine(says=says)]), {}, {})


# What builds a loss, a problem, a run, an algorithm, a law, an event.
OTHERS = ("retain", "forget", "mix", "quad", "lin", "cone", "max", "l+", "l*", "draw", "problem", "signs",
          "turns", "tosses", "rarely", "sgd", "rule", "coins", "not", "beyond", "count")  # fmt: skip
MANY = {"v+", "l+", "max"}  # a sum and a maximum have any number of parts


def test_every_head_has_a_number_of_arguments() -> None:
    assert {*HEADS} == {*NUMBERS, *VECTORS, *OTHERS}
    assert {*HEADS} - ARITY.keys() == MANY


# 2 (y z + y z) = (y + y)(z + z), the sums from k_ = 0 to 1: true of all numbers y and z, which are not k_.
_YZ = ["*", "y", "z"]
_PRODUCT = less(["*", 2, ["sum", _YZ, 1]], ["*", ["sum", "y", 1], ["sum", "z", 1]])


def summed(f: Any) -> list[Any]:
    return [schema("empty sum", f), schema("sum step", f, -1, met=[0]), schema("sum step", f, 0, met=[1])]


_CAUGHT = [
    *reversed(ROOM), *summed("y"), *summed(_YZ),
    combine([1, 2], [1, 3], [1, 4], says=["=", less(["sum", "y", 1], 1)]),
    combine([1, 5], [1, 6], [1, 7], says=["=", less(["sum", _YZ, 1], 1)]),
    combine([2, 9], [["*", -1, ["+", 1, ["sum", "y", 1]]], 8], [1], says=[">", _PRODUCT]),
]  # fmt: skip
ALWAYS_ABOUT = {"N": ["is", ["sum", _YZ, 1]]}


@pytest.mark.parametrize(
    "value", ["k_", ["*", 2, "s_"], ["in", "u_", "e_"], ["in", "w_", ["axis", 0]]], ids=str
)
def test_a_number_is_not_what_a_sum_or_a_mean_binds(value: Any) -> None:
    """A true statement about all numbers was refuted by the index of the sum that it has."""
    letters = {"y": [False, False], "z": [False, False], **ALWAYS_ABOUT}
    own = {**OWN_LETTERS, "y": ["is", value], "z": ["is", value], **ALWAYS_ABOUT}
    own = {n: kind for n, kind in own.items() if n not in ("L", "mu", "d")}
    lines = _CAUGHT if value == "k_" else [combine([1])] * 11
    made = sealed(
        "witness", ["=", _PRODUCT], [], letters, lines, own=own, witness={"values": {}, "shown": [10]}
    )
    with pytest.raises(RejectedError, match="a bound name in y"):
        accept_certificate(made, {}, {})


@pytest.mark.parametrize(
    "value",
    ["u_", "b_", ["box", 0, "s_", "w_"], ["opt", ["retain", "D_"]], ["axis", "k_"]],
    ids=str,
)
def test_a_point_is_not_what_a_mean_or_a_rule_binds(value: Any) -> None:
    """That the mean of <x, h>^2 over directions is <x, h>^2, for all x: is x = u_ another such x?"""
    square_ = ["^", ["in", "x", E1], 2]
    letters = {"x": POINT}
    own = {**OWN_LETTERS, "x": ["is", value]}
    own = {n: kind for n, kind in own.items() if n not in ("L", "mu", "d")}
    says = ["=", less(["spun", square_], square_)]
    made = sealed("witness", says, [], letters, [combine([1])], own=own, witness={"values": {}, "shown": [0]})
    with pytest.raises(RejectedError, match=r"a bound name in x|is bound|are bound"):
        accept_certificate(made, {}, {})
