"""False statements that were theorems: by a bound name that is caught, or one object taken for another.

Written by a second hostile reader. Each is the shortest certificate that the kernel accepted; the condition
that rejects it now was missing.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import accept_certificate, digest
from oubli.theory.kernel.families import LAST, across
from oubli.theory.kernel.families import test as cone_test
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.test_false_consequences import (
    E1,
    LETTERS,
    NOISE,
    ONE_,
    POINT,
    ZERO,
    mean,
    schema,
    sealed,
    square,
)
from tests.adversarial.written import combine, instance, leaf, less

MORE = {
    **LETTERS, "Y": ["learner"], "u_": ["direction"], "e_": ["direction"], "M": [False, True],
    "V": ["is", ["in", "x", "h"]],
}  # fmt: skip
AT_0 = ["=", "k_"]
XH = ["in", "x", "h"]
COIN = ["signs", "s", "q"]
LATER = ["sum", ["in", ["out", "Y", COIN, "k_"], "h"], 1]
FLAT_SLOPE = [">=", ["*", -1, less(1, ["^", "s", 2]), ["^", ["dE", LATER], 2]]]
OPEN = [[">", ["+", 1, "s"]], [">", less(1, "s")], [">", "L"], [">", "mu"]]
CLOSED = [[">=", side] for m in "sq" for side in (["+", 1, m], less(1, m))]

ALONG = ["v*", ["sum", ["in", "u_", "h"], 0], "h"]
TURNED = ["v*", ["sum", ["in", ["v+", ["v*", "k_", "u_"], ["v*", 0, "e_"]], "h"], 0], "h"]
SEEN = ["spun", mean(["*", "k_", ["cap", LAST, 0, 1], across(ALONG, "u_")])]
UNIT = ["=", less(1, ["+", ["^", "k_", 2], ["^", 0, 2]])]

FAIR, TOSSED = ["signs", 0, 0], ["tosses", ZERO, ZERO]
PRIME = ["problem", ["retain", "D"], ["forget", "D"]]


def chance(D: Any) -> Any:
    return ["P", ["out", "A", D, "T"], "S"]


def moving(x: Any) -> Any:
    """A release on problems whose signs have the means 0 and x, summed."""
    return ["sum", ["in", ["out", "Y", ["signs", ["*", x, "k_"], 0], "T"], "h"], 1]


COUNT = ["sum", 1, ["ceil", ["in", "X", "h"]]]
AT_K = ["@", "M", {"q": "k_"}]
WRITTEN = {"by": "instance", "of": 1, "met": [0]}
# What is false, what is given, lines, why they are rejected.
BINDINGS: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "nothing is learned from one sign: the score at a time that a sum binds": (
        FLAT_SLOPE, [AT_0, *OPEN, *CLOSED],
        [leaf(assume=AT_0), combine([1, 0], says=[">=", "k_"]),
         schema("score of a mean", "Y", COIN, "k_", "x", ["sum", XH, 1], met=[1]),
         combine([["*", -1, mean(["^", LATER, 2])], 0], [1, 2], says=FLAT_SLOPE)], "bound there"),
    "a mean does not move with its signs: their slope, taken out of a sum": (
        [">=", less(mean(moving("w")), mean(moving("s")))], [AT_0, [">=", less("w", "s")]],
        [leaf(assume=AT_0), combine([["dE", moving("q")], 0], says=["=", ["*", ["dE", moving("q")], "k_"]]),
         {"by": "rise", "of": [1], "variable": "q", "function": mean(moving("q")), "between": ["s", "w"]}],
        "one problem for each index"),
    "0 >= |o|: a vector turned by the index of its own sum": (
        [">=", less(["spun", mean(cone_test(TURNED, 0))], SEEN)], [UNIT, [">=", less("d", 2)]],
        [schema("turned cone", ALONG, "k_", 0, 0, 0)], "bound there"),
    "E<X, h> <= 1 if <x, h> is in [0, 1] at one x, under another name": (
        [">=", less(1, mean(["in", "X", "h"]))], [[">=", XH], [">=", less(1, XH)]],
        [schema("chance", "X", ["not", "S"]), *(leaf(assume=[">=", a]) for a in ("V", less(1, "V"))),
         *(leaf(assume=[">=", a]) for a in (XH, less(1, XH))),
         {"by": "layers", "of": [0, 1, 2], "event": "S", "point": "x", "number": "V", "bound": 1, "free": 1,
          "laws": [[-1, "X"]], "met": [3, 4]}], "not arbitrary"),
    "coins of one and of d coordinates look alike: random data for those that all have their mean loss": (
        ["=", less(chance(FAIR), chance(TOSSED))], [[">", "L"], [">", "mu"], [">=", less("d", 1)]],
        [ONE_, combine(says=["=", less(chance("D"), chance(PRIME))]), {**WRITTEN, "with": {"D": FAIR}},
         {**WRITTEN, "with": {"D": TOSSED}},
         combine([1, 2], [-1, 3], says=["=", less(chance(FAIR), chance(TOSSED))])], "not follow"),
    "a number that changes with the index leaves the sum: the index is where a letter is measured": (
        [">=", 0], [],
        [combine(says=["=", less(["sum", "s", 1], ["*", "s", ["sum", 1, 1]])]), instance(0, s=AT_K)],
        "index is bound"),
    "a sum up to a random number is its own mean": (
        ["=", less(mean(COUNT), COUNT)], [], [combine(says=["=", less(mean(COUNT), COUNT)])],
        "time is random"),
    "the mean of 1/z is a number like any other": (
        [">=", 0], [], [combine(says=["=", ["*", 0, mean(["^", ["in", NOISE, E1], -1])]])], "finite"),
}  # fmt: skip


@pytest.mark.parametrize("name", BINDINGS)
def test_a_false_binding_is_rejected(name: str) -> None:
    says, given, lines, why = BINDINGS[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, MORE, lines), {}, {})


def test_a_value_may_bind_the_same_name_itself() -> None:
    """An iterate has an index of its own: it may stand where another one is bound."""
    run = ["sgd", "D", "x", ["^", ["+", "k_", 1], -1]]
    inside = ["v*", ["sum", ["in", "y", "h"], 1], "h"]
    lines = [leaf(square=inside), instance(0, y=["iter", run, "T"])]
    put_in = ["v*", ["sum", ["in", ["iter", run, "T"], "h"], 1], "h"]
    accept_certificate(sealed("proof", [">=", square(put_in)], [], LETTERS, lines), {}, {})


def test_no_dimension_is_between_1_and_2() -> None:
    """(E|z|^2 - 1)(E|z|^2 - 2) >= 0 for standard normal noise, against it d = 3/2."""
    size = mean(square(NOISE))
    product = ["*", less(size, 1), less(size, 2)]
    lines = [
        ONE_,
        combine(["1/2"], says=[">=", less("d", 1)]),
        schema("moment", NOISE, met=[0, 1]),
        combine([["+", "3/2", ["*", -1, size]], 2], ["1/4"], says=[">", ["*", -1, product]]),
    ]
    own = {"h": ["is", E1], "d": ["is", "3/2"]}
    shown = {"values": {}, "shown": [3]}
    made = sealed("witness", [">=", product], [], {"h": POINT}, lines, own=own, witness=shown)
    with pytest.raises(RejectedError, match="whole number"):
        accept_certificate(made, {}, {})


def test_a_condition_on_what_is_measured_is_one_on_an_outcome() -> None:
    """M is Y, and M >= 0 in one outcome: that does not make E Y >= 0."""
    along = ["in", "X", "h"]
    lines = [
        leaf(assume=[">=", "M"]),
        {"by": "instance", "of": "le", "with": {}},
        combine([1, 0], [1, 1], says=[">=", along]),
    ]
    made = sealed("proof", [">=", mean(along)], [[">=", "M"]], MORE, [*lines, {"by": "expect", "of": 2}])
    lemma = {"letters": MORE, "given": [], "says": ["=", less(along, "M")]}
    made["lemmas"] = {"le": digest(lemma)}
    with pytest.raises(RejectedError, match="measured letter"):
        accept_certificate(made, {"le": lemma}, {})
