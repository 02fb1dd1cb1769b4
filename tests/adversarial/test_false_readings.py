"""False statements by what is read twice: an expression as it is written, and the normal form of it.

Written by a fourth hostile reader, about the core of the kernel. Those under "accepted once" were theorems.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oubli.theory.kernel.checker import accept_certificate, digest
from oubli.theory.kernel.classes import load
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.test_false_consequences import E1, R2, ZERO, apart, mean, risk, schema, sealed, square
from tests.adversarial.test_false_explicit import OWN_LETTERS
from tests.adversarial.written import combine, instance, leaf, less, positive

R, N, M = [False, False], [True, False], [False, True]
LETTERS = {**OWN_LETTERS, "W": ["learner"], "Z": ["random"]}
NIL, ONE_ = combine(says=[">=", 0]), combine([1], says=[">=", 1])

# The volumes of balls in dimension -1: the one of half the radius is the larger one.
HALVES = ["exp", ["*", "d", ["log", "1/2"]]]
BALLS = [
    NIL, ONE_, combine([1], says=[">", 1]), combine(["1/2"], says=[">", "1/2"]), combine(says=["=", 0]),
    {"by": "sweep", "of": [0, 1, 1], "radius": 1, "smaller": "1/2", "share": "1/2", "shift": ["v*", 0, "u_"]},
    combine([1, 5], says=[">=", less(1, HALVES)], met=[2, 3, 4, 0]), instance(6, d=-1),
    schema("exp of log", "1/2", met=[3]), positive(["exp", ["log", "1/2"]]),
    combine([1, 7, 9], [-1, 8], says=[">=", "-1/2"]), combine([2, 10], says=[">=", -1]),
]  # fmt: skip
# u_ - <u_, e_> e_ is u_ when read, and no longer so when u_ becomes e_.
CROSSED = ["v+", "u_", ["v*", ["*", -1, ["in", "u_", "e_"]], "e_"]]
NO_CAP = [">=", ["*", -1, ["cap", less("d", 1), 0, 0]]]
# A run from s g, where g is a gradient of the run from 0: at s = 0 it is that run.
RUN = ["sgd", "D", ZERO, 1]
DRAWN = ["grad", ["draw", RUN, 0], ["iter", RUN, 0]]
WHOLE = ["grad", ["retain", "D"], ["iter", RUN, 0]]
NO_NOISE = ["=", mean(square(apart(DRAWN, WHOLE)))]


def collapsed(start: Any, h: Any, **values: Any) -> list[Any]:
    run = ["sgd", "D", start, 1]
    return [
        NIL, schema("tower", run, 0, h, met=[0]), instance(1, **values),
        schema("tower", RUN, 0, WHOLE, met=[0]), combine([1, 2], [-1, 3], says=NO_NOISE),
    ]  # fmt: skip


# A rule that sees theta* of a random fraction: its risk is a mean over the fractions, each has its own time.
X_H, X_RANDOM, Z_RANDOM = ["in", "x", "h"], ["in", "X", "h"], ["in", "Z", "h"]
LOTTERY = ["rule", ["opt", ["mix", X_RANDOM, ["forget", "D_"], ["retain", "D_"]]]]
NO_TIME = [">=", ["*", -1, ["time", "algorithm", X_RANDOM, 0, 0, "s"]]]

# What is false, what is given, lines, why they are rejected.
ACCEPTED_ONCE: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "-1 >= 0, from the volumes of balls in dimension -1": ([">=", -1], [], BALLS, "assumes more"),
    "no direction lies in the half space of another one: <u_, e_> = 0 when u_ has become e_": (
        NO_CAP, [[">=", less("d", 2)]],
        [combine(says=["=", 0]), schema("turned cone", CROSSED, 0, 1, 0, 0, met=[0], says=NO_CAP)],
        "depends on e_"),
    "stochastic gradients have no noise: a start that is s times a gradient of the run that it is at s = 0": (
        NO_NOISE, [], collapsed(["v*", "s", DRAWN], DRAWN, s=0), "not known before the draw"),
    "the same, from a start that is the difference of two random vectors": (
        NO_NOISE, [], collapsed(apart("X", "Z"), "X", X=DRAWN, Z=DRAWN), "not known before the draw"),
    "no gradient is needed at any fraction, as theta* of a random one is good in the mean": (
        NO_TIME, [[">=", X_RANDOM], [">=", less(1, X_RANDOM)], [">=", less("s", ["worst", LOTTERY, 0])]],
        [NIL, schema("time", "algorithm", LOTTERY, X_RANDOM, 0, "s", met=[0], says=NO_TIME)],
        "a mean under a random condition"),
}  # fmt: skip


ROOT = ["^", ["^", -1, "1/2"], 2]
RELEASE = ["in", ["out", "W", ["signs", "q", 0], "T"], "h"]
OTHER = ["in", ["out", "W", ["signs", "s", 0], "T"], "h"]
RESPELLED = ["rule", ["opt", ["mix", ["+", "r", 0], ["forget", "D_"], ["retain", "D_"]]]]
HIDDEN = {
    "V": ["is", mean(X_RANDOM)], "G": ["is", ["in", ["iter", ["sgd", "D_", ZERO, 1], 5], E1]],
    "Same": ["is", "D"], "N": M, "E": R,
}  # fmt: skip
AT_E = ["@", "N", {"E": X_RANDOM}]


def over(bound: Any, name: str, found: Any) -> list[Any]:
    return [
        leaf(assume=[">=", less(found, risk("A", "D", "T"))]),
        {"by": "over", "of": 0, "term": ["worst", "A", "T"], "bound": bound, "names": [name]},
    ]


def identity(a: Any, b: Any) -> list[Any]:
    return [combine(says=["=", less(a, b)])]


def rises(function: Any, variable: str, *between: Any) -> list[Any]:
    return [NIL, {"by": "rise", "of": [0], "variable": variable, "function": function, "between": [*between]}]


# The best attempts that were rejected from the start; each concludes -1 >= 0.
REJECTED: dict[str, tuple[list[Any], str]] = {
    "the root of -1 squares to -1": (identity(ROOT, -1), "does not follow"),
    "0/0 is 0": (identity(["*", 0, ["^", 0, -1]], 0), "ZeroDivisionError"),
    "a root rises below 0": (rises(["^", "s", "1/2"], "s", -1, 0), "slope is not shown"),
    "the spread rises in L": (rises(["spread", "q"], "L", 1, 2), "KeyError"),
    "the slope of a mean times that mean": (
        rises(mean(["*", RELEASE, mean(RELEASE)]), "q", 0, "1/2"), "not in the law alone"),
    "the slope of two releases as one": (identity(["dE", ["*", RELEASE, OTHER]], 0), "one hard problem"),
    "two random vectors are not correlated": (
        identity(mean(["*", X_RANDOM, Z_RANDOM]), ["*", mean(X_RANDOM), mean(Z_RANDOM)]), "does not follow"),
    "a parameter called E hides what is random": (
        identity(mean(["*", AT_E, X_RANDOM]), ["*", AT_E, mean(X_RANDOM)]), "mean of a measured letter"),
    "a mean in the mean response, behind a name": (
        [schema("mean response", "q", 1, "x", "y", "h", "V")], "a mean inside"),
    "a coupling of x with its mean": (
        [NIL, NIL, NIL, {"by": "couple", "of": [0, 1, 2], "point": "x", "bound": 0, "laws": ["X", "X"],
                         "numbers": [less(mean(X_H), X_H), 0]}], "a mean inside"),
    "the worst over another name of the problem": (over("b", "Same", "b"), "not a problem"),
    "a bound that an outcome chooses, on one problem": (
        over(X_RANDOM, "D", X_RANDOM), "not arbitrary"),
    "theta* under another spelling of r": (
        [schema("least", "learner", RESPELLED, "r", 0)], "cannot release 'opt'"),
    "five gradients that decide, behind a name": (
        [schema("least", "learner", ["rule", ["response", "q", "G", "x", "y"]], "r", 0)],
        "a gradient decides"),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED)
def test_an_attempt_is_rejected(name: str) -> None:
    lines, why = REJECTED[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", [">=", -1], [], {**LETTERS, **HIDDEN}, lines), {}, {})


@pytest.mark.parametrize("name", ACCEPTED_ONCE)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, given, lines, why = ACCEPTED_ONCE[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, LETTERS, lines), {}, {})


def test_an_abbreviation_of_1_is_not_measured() -> None:
    """<u,v> <= 1 for all u and v, by the unit vectors that the certificate takes them for."""
    letters, says = {"<u,v>": M}, [">=", less(1, "<u,v>")]
    lines = [leaf(norm={"u": 1, "v": -1}), combine(["1/2", 0], says=says)]
    own = {**letters, "<u,u>": ["is", 1], "<v,v>": ["is", 1]}
    with pytest.raises(RejectedError, match="not a combination of vectors"):
        accept_certificate(sealed("proof", says, [], letters, lines, own=own), {}, {})


SPREAD = ["spread", "r"]
AT_SPREAD = ["@", "N", {"s": SPREAD}]
WIDEST = ["*", ["^", "mu", -1], ["^", ["^", "L", 2], "1/2"]]
AT_5 = ["*", 5, ["^", "mu", -1]]


def test_objects_are_seen_where_a_letter_is_measured() -> None:
    """All optima lie within L/mu of one another, so within 5/mu: L is 5, but not in N at the spread."""
    lemmas: Any = {
        "is": {"letters": {"N": M, "s": R}, "given": [], "says": ["=", less("N", "s")]},
        "wide": {"letters": {"r": R, "L": R, "mu": R}, "given": [], "says": [">=", less(WIDEST, SPREAD)]},
    }
    says, letters = [">=", less(AT_5, SPREAD)], {"r": R, "L": R, "mu": R}
    lines = [
        instance("is", s=SPREAD), combine([1, "wide"], [-1, 0], says=[">=", less(WIDEST, AT_SPREAD)]),
        instance(1, L=5), instance("is", s=SPREAD, L=5), combine([1, 2], [1, 3], says=says),
    ]  # fmt: skip
    made = sealed("proof", says, [], letters, lines, own={**letters, "N": M, "s": R})
    made["lemmas"] = {key: digest(lemma) for key, lemma in lemmas.items()}
    with pytest.raises(RejectedError, match="a measured letter beside objects"):
        accept_certificate(made, lemmas, {})


@pytest.mark.parametrize("name", ["L", "mu"])
def test_the_terms_of_the_core_know_their_parameters_in_every_class(name: str) -> None:
    """mu/2 - L/2 is the loss of coins at e_1, whatever the class has for parameters."""
    kind = load(Path(__file__).parents[2] / "examples/gradient_descent/smooth.py")
    letters = {"C": kind, "L": R, "beta": R, "mu": R, "d": N}
    along = ["val", ["retain", ["signs", 1, 0]], E1]
    lines = [
        combine(says=["=", ["+", along, ["*", "-1/2", "mu"], ["*", "1/2", "L"]]]),
        instance(0, **{name: 5}),
    ]
    with pytest.raises(RejectedError, match="belong to its objects"):
        accept_certificate(sealed("proof", [">=", -1], [], letters, lines), {}, {})


def jensen(w: Any) -> Any:
    """The mean with these weights is no worse than the iterates are without weights."""
    count, total = ["sum", 1, "T"], ["sum", ["val", "f", ["iter", RUN, "k_"]], "T"]
    return [">=", ["*", w, less(total, ["*", count, ["val", "f", ["average", RUN, w, "T"]]])]]


def test_a_measured_letter_is_no_constant_weight() -> None:
    """True of a number s, but M may change with the index that the mean binds."""
    count, centre = [">", ["sum", 1, "T"]], [">=", less(R2, square(ZERO))]
    own = {**LETTERS, "M": M}
    letters = {name: kind for name, kind in own.items() if name != "s"}
    lines = [
        leaf(assume=[">", "s"]), leaf(assume=count), combine([1, 0, 1]), combine([1, 0], says=[">=", "s"]),
        {"by": "average", "of": 3, "average": ["average", RUN, "s", "T"], "loss": "f", "met": [2],
         "says": jensen("s")},
        instance(4, s="M"),
    ]  # fmt: skip
    given = [[">", "M"], count, [">", "mu"], [">=", "T"], centre]
    with pytest.raises(RejectedError, match="may change with a name that is bound"):
        accept_certificate(sealed("proof", jensen("M"), given, letters, lines, own=own), {}, {})
