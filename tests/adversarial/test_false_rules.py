"""False statements about explicit rules: what a rule binds, what it costs, and what is put into it.

Written by a sixth hostile reader. Those under "accepted once" were theorems.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import accept_certificate
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.test_false_consequences import (
    GAUSS,
    R2,
    STAR,
    ZERO,
    apart,
    risk,
    schema,
    sealed,
    square,
)
from tests.adversarial.test_false_explicit import OWN_LETTERS
from tests.adversarial.written import combine, instance, leaf, less

LETTERS = {
    **OWN_LETTERS, "W": ["learner"], "T_": [True, False],
    "M": [False, True], "Twice": ["is", ["iter", ["sgd", "D_", ZERO, 1], 3]],
}  # fmt: skip
NIL, ONE_, MANY = combine(says=[">=", 0]), combine([1], says=[">=", 1]), combine([1000], says=[">=", 1000])
NOWHERE = ["v+"]  # the sum of no vectors
SHARE = [[">=", "r"], [">=", less(1, "r")]]
IN_THE_BALL = [">=", less(R2, square(NOWHERE))]


def from_scratch(t: Any, start: Any = ZERO) -> Any:
    return ["iter", ["sgd", "D_", start, 1], t]


def best(A: Any, r: Any, T: Any = 0, sort: str = "algorithm") -> Any:
    """That a rule is at most as good as the best of a sort."""
    return [">=", less(["worst", A, T], ["least", sort, r, 0, 0, T])]


LONG, STILL = ["rule", from_scratch(1000, NOWHERE)], ["rule", ["proj", NOWHERE]]
# 1 where all data have one optimum, and 0 elsewhere: theta* of that fraction is always the retain optimum.
AWAY = apart(["opt", ["retain", "D_"]], ["opt", ["forget", "D_"]])
AGREE = less(1, ["ceil", ["*", ["^", "mu", 2], ["^", "L", -2], square(AWAY)]])
CLAIRVOYANT = ["rule", ["opt", ["mix", AGREE, ["forget", "D_"], ["retain", "D_"]]]]
# Fraction 0, so the retain optimum, without a gradient; fraction 1 with one.
TIMED = ["rule", ["proj", ["opt", ["mix", "T_", ["forget", "D_"], ["retain", "D_"]]]]]

# M is measured, so it may be random and take back what noise does, as far as it reaches.
TAIL, MOVED = ["noise", "radial", 1, 1], ["v*", "M", "x"]
IN_S = [["P", ["v+", u, TAIL], "S"] for u in (MOVED, "y")]
# What is false, what is given, lines, why they are rejected.
ACCEPTED_ONCE: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "without gradients a learner is as good as with a thousand, from the sum of no vectors": (
        best(LONG, "r", sort="learner"), [*SHARE, IN_THE_BALL],
        [MANY, schema("least", "learner", LONG, "r", 0, met=[0])], "assumes more"),
    "a time is at most -1": (
        [">=", less(-1, ["time", "learner", "r", 0, 0, "s"])],
        [*SHARE, [">=", less("s", ["worst", STILL, -1])]],
        [schema("time", "learner", STILL, "r", -1, "s")], "assumes more"),
    "at every fraction theta* tells the retain optimum: the rule has a fraction for each problem": (
        best(CLAIRVOYANT, AGREE), [[">=", AGREE], [">=", less(1, AGREE)]],
        [NIL, schema("least", "algorithm", CLAIRVOYANT, AGREE, 0, met=[0])], "the fraction is bound"),
    "theta* of all data to forget tells the retain optimum: the fraction is the number of gradients": (
        best(TIMED, 1), [],
        [NIL, ONE_, schema("least", "algorithm", TIMED, "T_", 0), {**instance(2, T_=1), "met": [0, 1]}],
        "the fraction is bound"),
    "noise hides a move that knows the noise": (
        [">=", less(["*", ["exp", 1], IN_S[1]], IN_S[0])],
        [[">=", less(1, ["^", square(apart(MOVED, "y")), "1/2"])]],
        [NIL, ONE_, combine([1]), schema("noise", TAIL, MOVED, "y", "S", 1, 0, 1, met=[0, 2])],
        "a measured letter beside objects"),
}  # fmt: skip


def least(u: Any, T: Any = 0, sort: str = "learner", *budget: Any) -> list[Any]:
    return [schema("least", sort, ["rule", u], "r", T, *budget)]


BUDGET = ("epsilon", "delta", "w", "kappa")
HARD, X_H, X_RANDOM = ["signs", "q", 0], ["in", "x", "h"], ["in", "X", "h"]

# The best attempts that were rejected from the start; each concludes -1 >= 0.
REJECTED: dict[str, tuple[list[Any], str]] = {
    "one run in two parts of a sum, behind a name": (
        least(["proj", ["v+", "Twice", "Twice"]], 3), "two runs in one sum"),
    "the mean of iterates with no weights": (
        least(["average", ["sgd", "D_", ZERO, 1], ["+"], 3]), "may not be positive"),
    "as many gradients as the data ask for": (
        least(from_scratch(["ceil", ["val", ["retain", "D_"], ZERO]]), "T"), "depends on the data"),
    "private at one time, so at all": (
        least(from_scratch("T_"), 3, "unlearner", *BUDGET), "one release at all times"),
    "noise that grows with the number of gradients": (
        least(["proj", ["v+", STAR, ["noise", "gauss", ["*", "kappa", "T_"], 1]]], 0, "unlearner", *BUDGET),
        "one release at all times"),
    "a number of gradients that becomes the one that a rule binds": (
        [schema("worst", ["rule", from_scratch("T")], "r", "T", "D"), instance(0, T="T_")],
        "the data of a rule are bound"),
    "a fixed point that becomes one for each number of gradients": (
        [leaf(assume=[">=", less(["worst", ["rule", "x"], 1], ["worst", ["rule", "x"], 0])]),
         instance(0, x=["v*", "T_", ["e", 1]])], "the data of a rule are bound"),
    "the time that a rule binds as an arbitrary one": (
        [leaf(assume=[">=", less("T_", 1)]),
         {"by": "reach", "of": 0, "term": ["time", "learner", "r", 0, 0, "s"], "bound": 1,
          "names": ["W", "T_"]}], "not an arbitrary number of gradients"),
    "a worst risk after as many gradients as chance says": (
        [schema("worst", "A", "r", ["ceil", X_RANDOM], "D")], "a mean under a random condition"),
    "a spread at a random fraction has a mean": (
        [schema("spread", X_RANDOM, "f", "g", "f"), {"by": "expect", "of": 0}], "random"),
    "the worst risk of one rule, by that of another": (
        [leaf(assume=[">=", less("b", risk(["rule", ZERO], "D_", "T"))]),
         {"by": "over", "of": 0, "term": ["worst", ["rule", STAR], "T"], "bound": "b", "names": ["D_"]}],
        "not a bound on it"),
    "a flow of another number at each mean of the coins": (
        [schema("flow", "W", "T", "s", "q", 0, "x", ["in", "x", "w_"])], "another number for each"),
    "the score of a random mean": (
        [schema("score of a mean", "W", ["signs", X_RANDOM, 0], "T", "x", X_H)], "random condition"),
    "a turn from another mean": (
        [schema("turn", "W", HARD, ["turns", "s", 0, 0, 0], "T", "S")], "another mean before the turn"),
    "no gradient, and a release that is compared with itself": (
        [schema("no gradient", "A", HARD, HARD, "x",
                ["E", ["*", X_H, ["in", ["out", "A", HARD, 0], "h"]]])], "another chance"),
    "one weight twice": (
        [leaf(assume=[">=", less("v", 1)]),
         {"by": "tell", "of": 0, "point": "x", "weights": ["v", "v"], "numbers": [1, 0], "bound": 1,
          "shares": [1, 1], "problems": ["W", HARD, HARD, "T"]}], "not an arbitrary vector and two numbers"),
    "a half space whose distance is random": (
        [schema("beyond", GAUSS, "x", "h", X_RANDOM)], "a random event"),
}  # fmt: skip
FALSE = {**ACCEPTED_ONCE, **{name: ([">=", -1], [], *rest) for name, rest in REJECTED.items()}}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, given, lines, why = FALSE[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, LETTERS, lines), {}, {})
