"""False statements by a third hostile reader: chance, existence and slopes where they do not belong.

Those under "accepted once" were theorems until the condition that now rejects them was found to be missing.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.test_false_consequences import (
    E1,
    GAUSS,
    R2,
    RUN,
    STAR,
    ZERO,
    apart,
    mean,
    risk,
    schema,
    sealed,
    square,
)
from tests.adversarial.test_false_explicit import OWN_LETTERS
from tests.adversarial.written import combine, instance, leaf, less, positive

LETTERS = {**OWN_LETTERS, "W": ["learner"], "z": ["point"]}
HALF_L = ["*", "1/2", "L"]
BACK = ["v*", -1, "x"]
TOSS = ["response", "1/2", 1, "x", BACK]


def kink(z: Any) -> Any:
    """mu/2 |y|^2 + L/2 |y + z|: its minimiser is -z."""
    return ["l+", ["quad"], ["l*", HALF_L, ["cone", ["v*", -1, z]]]]


def gap(z: Any) -> Any:
    """What the release of z risks on the kink at -z: L |z|."""
    return less(["val", kink(z), z], ["val", kink(z), ["opt", kink(z)]])


def held(z: Any, first: int) -> list[Any]:
    """Lines from the one of that number on: the minimiser o of the kink at y = -z is y."""
    y, o = ["v*", -1, z], ["opt", kink(z)]
    lines = [schema("kinked", y, ZERO, HALF_L, h, met=[0, 6, 5, 8, 4]) for h in (apart(o, y), y, o)]
    return [*lines, leaf(equal=["root", square(apart(o, y)), 0], met=[first])]


# A fair toss between x and -x, on the kink at the point that was not released.
TURNED_AGAINST = [
    combine(says=[">=", 0]), combine(["1/2"], says=[">=", "1/2"]), combine([1]), leaf(assume=[">", "L"]),
    leaf(assume=[">", "mu"]), leaf(assume=[">=", less(R2, square("x"))]),
    combine(["1/2", 3], says=[">=", HALF_L]), combine([1, 4, 4], says=[">", ["^", "mu", 2]]),
    combine([1, 7, 5], says=[">=", less(["^", HALF_L, 2], ["*", ["^", "mu", 2], square("x")])],
            using=[[">", "mu"]]),
    schema("worst", ["rule", TOSS], "r", 0, ["problem", kink(TOSS), "f"], met=[0, 1, 5, 6]),
    schema("mean response", "1/2", 1, "x", BACK, "z", gap("z"), met=[2, 1]), *held("x", 11), *held(BACK, 15),
    combine([1, 9], [1, 10], *[[["*", "-1/4", "mu"], i] for i in (12, 13, 16, 17)],
            *[[["*", "-1/4", "L"], i] for i in (14, 18)],
            says=[">=", less(["worst", ["rule", TOSS], 0], ["*", HALF_L, ["^", ["*", 4, square("x")],
                                                                           "1/2"]])]),
]  # fmt: skip

# What is false, what is given, lines, why they are rejected.
ACCEPTED_ONCE: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "the worst risk of a fair toss between x and -x is L |x|: its problem knows how the toss falls": (
        TURNED_AGAINST[-1]["says"],
        [[">", "L"], [">", "mu"], [">=", "r"], [">=", less(1, "r")], [">=", less(R2, square("x"))]],
        TURNED_AGAINST, "a random problem"),
    "the least worst risk is finite where no rule unlearns: a name stands for one": (
        [">=", less(["worst", "U", "T"], ["least", "unlearner", "r", "epsilon", "delta", "T"])],
        [[">=", "T"]], [schema("least", "unlearner", "U", "r", "T", "epsilon", "delta")], "assumes more"),
    "a time is at most T where no rule unlearns": (
        [">=", less("T", ["time", "unlearner", "r", "epsilon", "delta", "s"])],
        [[">=", "T"], [">=", less("s", ["worst", "U", "T"])]],
        [schema("time", "unlearner", "U", "r", "T", "s", "epsilon", "delta")], "assumes more"),
}  # fmt: skip


NOTHING_SHOWN = combine(says=[">=", 0])
MOVED = ["signs", "q", 0]
ALONG = ["in", ["out", "A", MOVED, "T"], "h"]
KINK_AT = ["l+", ["quad"], ["l*", HALF_L, ["cone", "X"]]]


def unlearns(u: Any) -> list[Any]:
    """That a rule without gradients is an unlearning one."""
    return [schema("least", "unlearner", ["rule", u], "r", 0, "epsilon", "delta", "w", "kappa")]


def rises(function: Any, slope: Any = NOTHING_SHOWN) -> list[Any]:
    """That a function of q rises from s to w."""
    return [slope, {"by": "rise", "of": [0], "variable": "q", "function": function, "between": ["s", "w"]}]


def sloped(of: Any, *coordinate: Any) -> list[Any]:
    """That the derivative of a mean is a number."""
    return [combine(says=["=", less(*[["dE", of, *coordinate]] * 2)])]


# Of each: lines whose last should be a false statement, and why one of them is rejected.
REJECTED: dict[str, tuple[list[Any], str]] = {
    "a problem whose kink is random, shown to be the worst one": (
        [schema("worst", "A", "r", "T", ["problem", KINK_AT, "f"])], "a random problem"),
    "privacy on problems that are sometimes none": (
        [schema("unlearning", "U", *[["problem", ["l+", ["quad"], ["l*", -1, ["lin", "X"]]], f]
                                     for f in "fg"], 0, "S")], "mean under a random condition"),
    "a response whose chance is the index of the sum that it is put in": (
        [schema("mean response", "k_", 1, "x", "y", "z", ["sum", ["in", "z", "h"], "T"])], "is bound there"),
    "a response along the direction over which its test is averaged": (
        [schema("mean response", "q", 1, "u_", "y", "z", ["spun", ["^", ["in", "z", "u_"], 2]])],
        "is bound there"),
    "a coupling with the direction over which its number is averaged": (
        [*[NOTHING_SHOWN] * 3, {"by": "couple", "of": [0, 1, 2], "point": "y", "bound": 0,
         "numbers": [["spun", ["*", 0, ["in", "y", "u_"]]], 0], "laws": ["u_", GAUSS]}], "is bound there"),
    "a mean whose factor moves with the signs": (
        rises(mean(["*", "q", ALONG]), combine(says=["=", less(["dE", ["*", "q", ALONG]], ["*", "q", ["dE",
                                                                                                ALONG]])])),
        "not in the law alone"),
    "a risk, whose loss moves with the signs": (rises(risk("A", MOVED, "T")), "not in the law alone"),
    "the slope of a mean where theta* moves with the signs": (rises(mean(ALONG)), "theta\\* moves"),
    "the slope of what an explicit rule releases": (
        sloped(["in", ["out", ["rule", ["proj", ["iter", ["sgd", "D_", ZERO, 1], 1]]], MOVED, 1], "h"]),
        "one hard problem"),
    "the slope in the mean of one sign, of coins": (
        sloped(["in", ["out", "A", ["tosses", ZERO, ZERO], "T"], "h"]), "one hard problem"),
    "the slope in a coordinate, of one sign": (sloped(ALONG, 0), "one hard problem"),
    "the slope of what is released on two hard problems at once": (
        sloped(["*", ALONG, ["in", ["out", "A", ["signs", 0, 0], "T"], "h"]]), "one hard problem"),
    "theta* hidden by noise and another point": (
        unlearns(["proj", ["v+", STAR, GAUSS, "x"]]), "without noise"),
    "noise that hides theta* of another fraction": (
        unlearns(["proj", ["v+", ["opt", ["mix", "s", ["forget", "D_"], ["retain", "D_"]]], GAUSS]]),
        "cannot release"),
    "a response that chooses between theta* and a point by theta*": (
        unlearns(["response", "q", ["in", STAR, E1], STAR, ZERO]), "depends on the data"),
    "a run that starts where theta* decides": (
        unlearns(["iter", ["sgd", "D_", ["response", "q", ["in", STAR, E1], ZERO, E1], 1], 0]),
        "without noise"),
    "a response that a noisy copy of theta* decides": (
        unlearns(["response", "q", ["in", ["v+", STAR, GAUSS], E1], ZERO, E1]), "what decides is random"),
    "a response that a gradient decides, and none is paid": (
        unlearns(["response", "q", ["in", ["grad", ["retain", "D_"], ZERO], E1], ZERO, E1]),
        "cannot release"),
    "noise as large as the spread, whatever that is": (
        unlearns(["proj", ["v+", STAR, ["noise", "gauss", ["*", "kappa", ["spread", "r"]], 1]]]),
        "depends on the data"),
    "how many of a vector are 1, by another name of the event": (
        [schema("chance", "X", "S"), instance(0, S=["count", 1])], "event for another law"),
    "a sign beyond a plane, by another name of the event": (
        [schema("chance", ["coins", "T", 0], "S"), instance(0, S=["beyond", E1, 0])],
        "event for another law"),
    "every point lies in the cube, as w_ does": (
        [schema("cube", "w_", 0), instance(0, w_="x")], "not a point of the cube"),
    "a time is at least 1, by those who take a gradient": (
        [leaf(assume=[">=", less("T", 1)]),
         {"by": "reach", "of": 0, "term": ["time", "algorithm", "r", "epsilon", "delta", "s"], "bound": 1,
          "names": ["A", "T"]}], "not arbitrary"),
    "the least of algorithms at another fraction than theirs": (
        [NOTHING_SHOWN, {"by": "over", "of": 0, "term": ["least", "algorithm", "s", "epsilon", "delta", "T"],
                         "bound": 0, "names": ["A"]}], "of that sort"),
    "what holds in half of the directions": (
        [leaf(assume=[">=", ["in", "u_", "h"]]), {"by": "spin", "of": 0}], "every direction"),
    "what is between 0 and 1 is 0": (
        [leaf(assume=[">=", "s"]), leaf(assume=[">=", less(1, "s")]), {"by": "squeeze", "of": [0, 1]}],
        "not the opposite"),
    "an earlier iterate is known before the draw, of the run that another one starts from": (
        [schema("tower", ["sgd", "D", ["iter", RUN, 3], 1], 0, ["iter", RUN, 2])], "before the draw"),
    "weights that fall": (
        [schema("least", "algorithm", ["rule", ["average", ["sgd", "D_", ZERO, 1], ["^", ["+", "k_", 1], -1],
                                                2]], "r", 2)], "may not be positive"),
    "a total of weight 0": (
        [schema("least", "algorithm", ["rule", ["average", ["sgd", "D_", ZERO, 1], "k_", 0]], "r", 0)],
        "may not be positive"),
    "a root is positive where its argument need not be": (
        [positive(["^", "s", "1/2"], box={"s": [-1, 1]}, bits=64)], "root of a negative"),
    "the inverse of a square is bounded around 0": (
        [positive(["^", "s", -2], box={"s": [-1, 1]}, bits=64)], "interval around 0"),
}  # fmt: skip
FALSE = {**ACCEPTED_ONCE, **{name: ([">=", -1], [], *rest) for name, rest in REJECTED.items()}}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, given, lines, why = FALSE[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, LETTERS, lines), {}, {})


def at_time(t: int) -> Any:
    """Values at which a measured letter is meant."""
    return {**NOTHING, "letters": {"N": [False, True]}, "at": {"N": {"k_": t}}}


def test_a_measured_letter_at_one_index_is_not_that_at_another() -> None:
    """N >= 1 at k_ = 0, so at k_ = 7: the sum of N is no multiple of N, which may change with the index."""
    said = {"letters": {"N": [False, True]}, "given": [], "says": [">=", less("N", 1)]}
    takes = {**at_time(7), "letters": {"N": [False, True], "k_": [True, False]}}
    first, last = (less(["@", "N", {"k_": t}], "N") for t in (0, 7))
    lines = [
        combine(says=[">=", 0]),
        combine([7], says=[">=", 7]),
        *(schema("sum step", of, t, met=[i]) for i, t in enumerate((-1, 6)) for of in ("N", 1)),
        combine([-1, 2], ["N", 3], says=["=", first]),
        combine([-1, 4], ["N", 5], says=["=", last]),
        {"by": "instance", "of": "before", "with": {}},
        combine([1, 8], [-1, 6], [1, 7], says=[">=", less(["@", "N", {"k_": 7}], 1)]),
    ]
    made = sealed("proof", said["says"], [], said["letters"], lines, own=takes["letters"])
    made |= {"takes": takes, "hash": digest({"statement": said, "takes": takes})}
    made["lemmas"] = {"before": digest(said)}
    with pytest.raises(RejectedError, match="a measured letter beside objects"):
        accept_certificate(made, {"before": said}, {"before": at_time(0)})
