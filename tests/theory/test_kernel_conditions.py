"""One false statement for each condition of the checker: drop the condition, and the statement is accepted.

Every entry below is a derivation that is right but for one thing, in the words of what it would prove. The
mutants of tests/mutants/ drop the conditions one by one; a mutant that accepts one of these dies here.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof, known
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from tests.adversarial.written import combine, instance, leaf, lemma, less, lined, positive, rise

R, N, M = [False, False], [True, False], [False, True]
NUMBERS = dict.fromkeys("xyab", R) | {"n": N, "t": N, "m": M, "k": M}
OBJECTS = {
    "L": R, "mu": R, "s": R, "d": N, "k_": N, "T": N, "x": ["point"], "h": ["point"], "f": ["loss"],
        "D": ["problem"],
    "X": ["random"],
}  # fmt: skip
X, Y = [">=", "x", "given"], [">", "y", "given"]
NATURAL = [">=", less("t", 0)]
GRADIENT = ["grad", "f", ["zero"]]
STEEP = ["in", GRADIENT, GRADIENT]
AT_ZERO = [
    positive(["^", ["*", "1/2", "L", ["^", "mu", -1]], 2], even=True),
    leaf(schema=["Lipschitz", "f", ["zero"]], met=[0]),
]
NOISE = ["noise", "gauss", "s", 1]
# 1 + 2^-80 has the root 1 + 2^-81 - …; at 16 bits its digits are cut to 1.
ROOT = ["^", f"{2**80 + 1}/{2**80}", "1/2"]

# Of each: what is said, the lines, why they are rejected, and what else there is.
Case = tuple[Any, list[Any], str, dict[str, Any]]


def induction(of: list[int], rel: str, expr: Any) -> dict[str, Any]:
    return {"by": "induction", "of": of, "index": "t", "shows": [rel, expr]}


def cases(of: list[int], on: Any) -> dict[str, Any]:
    return {"by": "cases", "of": of, "on": on}


def given(*relations: list[Any]) -> dict[str, Any]:
    return {"given": [[*relation[:2], "given"] for relation in relations]}


def mean(of: int, free: Any, **times: Any) -> dict[str, Any]:
    return {"by": "mean", "of": of, "free": free, "times": times}


# k is random and at least 0, m its mean over an event of probability y.
MEANS = {"means": {"m": ["k", "an event", "y"]}, "lent": [[">=", "k"]],
         "constant": [["m", "chance"]]}  # fmt: skip
FALSE: dict[str, Case] = {
    "x >= 0 and y > 0 give xy > 0": (
        [">", ["*", "x", "y"]],
        [leaf(assume=X[:2]), leaf(assume=Y[:2]), combine([1, 0, 1], says=[">", ["*", "x", "y"]])],
        "does not follow", given(X, Y)),
    "x >= 0 gives x > 0, by a sum with nothing in it": (
        [">", "x"], [leaf(assume=X[:2]), combine([1, 0], says=[">", "x"])], "does not follow", given(X)),
    "x^2 > 0 for every x: > 0 where x > 0, >= 0 elsewhere": (
        [">", ["*", "x", "x"]],
        [leaf(assume=[">", "x"]), combine([1, 0, 0]),
         leaf(assume=[">=", ["*", -1, "x"]]), combine([1, 2, 2], says=[">=", ["*", "x", "x"]]),
         combine([1, 1], says=[">", ["*", "x", "x"]]), cases([4, 3], "x")],
        "cases differ", {}),
    "a + x >= 0 gives a >= 0: the first case assumes it": (
        [">=", "a"],
        [leaf(assume=[">=", "a"]), leaf(assume=[">=", ["+", "a", "x"]]), leaf(assume=[">=", ["*", -1, "x"]]),
         combine([1, 1], [1, 2], says=[">=", "a"]), cases([0, 3], "x")],
        "assumes more", given([">=", ["+", "a", "x"]])),
    "a >= 0 whatever x: the second case assumes it": (
        [">=", "a"],
        [leaf(assume=[">=", "x"]), leaf(assume=[">=", ["+", "a", ["*", -1, "x"]]]),
         combine([1, 0], [1, 1], says=[">=", "a"]), leaf(assume=[">=", "a"]), cases([2, 3], "x")],
        "assumes more", given([">=", ["+", "a", ["*", -1, "x"]]])),
    "cases on x, the second on 2x": (
        [">=", "x"],
        [leaf(assume=[">=", "x"]), leaf(assume=[">=", ["*", -2, "x"]]),
         combine([1, 1], says=[">=", ["*", -2, "x"]]), cases([0, 0], "x")],
        "assumes more", {}),
    "a + t >= 0 for all natural t: a >= 0 is the base": (
        [">=", ["+", "a", "t"]],
        [leaf(assume=[">=", "a"]), combine([1, 0], says=[">=", ["+", "a", 0]]),
         leaf(assume=[">=", ["+", "a", "t"]]), combine(says=[">=", ["*", 0, 1]]),
         positive(1, box={}, bits=16), combine([1, 2], [1, 4], says=[">=", ["+", "a", ["+", "t", 1]]]),
         induction([1, 5], ">=", ["+", "a", "t"])],
        "assumes more", given(NATURAL)),
    "t >= 0 for every integer t": (
        [">=", "t"],
        [combine(says=[">=", 0]), leaf(assume=[">=", "t"]), positive(1, box={}, bits=16),
         combine([1, 1], [1, 2], says=[">=", ["+", "t", 1]]), induction([0, 3], ">=", "t")],
        "assumes more", {}),
    "b - a >= 0 for all a and b, since x rises": (
        [">=", less("b", "a")], [positive(1, box={}, bits=16), rise([0], "x", "a", "b")], "assumes more", {}),
    "2a >= 0 whatever a: the step of an induction assumes it": (
        [">=", ["*", "a", "t"]],
        [combine(says=[">=", ["*", "a", 0]]), leaf(assume=[">=", ["*", "a", "t"]]), leaf(assume=[">=", "a"]),
         combine([1, 1], [1, 2], says=[">=", ["*", "a", ["+", "t", 1]]]), induction([0, 3], ">=", ["*", "a",
             "t"])],
        "assumes more", given(NATURAL)),
    "y (b - a) >= 0 whatever y: the slope assumes it": (
        [">=", less(["*", "y", "b"], ["*", "y", "a"])],
        [leaf(assume=[">=", "y"]), rise([0], ["*", "y", "x"], "a", "b")], "assumes more", given([">=",
            less("b", "a")])),
    "b - a > 0 for b >= a": (
        [">", less("b", "a")], [positive(1, box={}, bits=16), rise([0], "x", "a", "b")],
        "not the claim", given([">=", less("b", "a")])),
    "from the variable itself": (
        [">=", less("b", "x")], [positive(1, box={}, bits=16), rise([0], "x", "x", "b")],
        "no free real variable", given([">=", less("b", "x")])),
    "to the variable itself": (
        [">=", less("x", "a")], [positive(1, box={}, bits=16), rise([0], "x", "a", "x")],
        "no free real variable", given([">=", less("x", "a")])),
    "-1/x rises through 0": (
        [">=", less(["*", -1, ["^", "b", -1]], ["*", -1, ["^", "a", -1]])],
        [leaf(assume=[">", less("x", 0)]), combine([1, 0], says=[">", "x"]), positive(["^", "x", -1],
            met=[1]),
         combine([1, 2, 2], says=[">", ["^", "x", -2]]), leaf(assume=[">=", less("x", 0)]),
             leaf(assume=[">=", "a"]),
         leaf(assume=[">=", "b"]), rise([3, 4, 5, 6], ["*", -1, ["^", "x", -1]], "a", "b")],
        "not shown positive", given([">=", less("b", "a")], [">=", less("a", 0)], [">=", "a"], [">=", "b"])),
    "-x^2/2 rises from -1 to 5, where x - 2x >= 0": (
        [">=", less(["*", "-1/2", ["^", 5, 2]], ["*", "-1/2", ["^", -1, 2]])],
        [leaf(assume=[">=", ["+", "x", ["*", "x", -2]]]), combine([1, 0], says=[">=", ["*", -1, "x"]]),
         combine(says=[">=", 0]), positive(6, box={}, bits=16), positive(1, box={}, bits=16),
         rise([1], ["*", "-1/2", ["^", "x", 2]], -1, 5, met=[3, 4])],
        "no end", {}),
    "x^2/2 - x^3/3 rises from 0 to 2, where x - x^2 >= 0": (
        [">=", less(["+", ["*", "1/2", ["^", 2, 2]], ["*", "-1/3", ["^", 2, 3]]], 0)],
        [leaf(assume=[">=", less("x", ["^", "x", 2])]), positive(2, box={}, bits=16), combine(says=[">=", 0]),
         rise([0], ["+", ["*", "1/2", ["^", "x", 2]], ["*", "-1/3", ["^", "x", 3]]], 0, 2, met=[1, 2])],
        "no end", {}),
    "x - x^2/2 rises from 0 to 5, where 1 - x >= 0": (
        [">=", less(["+", 5, ["*", "-1/2", ["^", 5, 2]]], 0)],
        [leaf(assume=[">=", less(1, "x")]), positive(5, box={}, bits=16), positive(1, box={}, bits=16),
         rise([0], ["+", "x", ["*", "-1/2", ["^", "x", 2]]], 0, 5, met=[1, 2])],
        "assumes more", {}),
    "a mean over an event whose probability is random": (
        [">=", ["+", ["*", "k", 0], "m"]], [lemma(0), mean(0, 0, m=1)],
        "something else is random", {**MEANS, "means": {"m": ["k", "an event", "k"]}}),
    "a mean without what it assumes": (
        [">=", ["+", ["*", "y", "x"], "m"]], [lemma(0), leaf(assume=X[:2]), combine([1, 0], [1, 1]),
            mean(2, "x", m=1)],
        "assumes more", {**MEANS, **given([">=", "y"], [">=", less(1, "y")])}),
    "a mean over an event of negative probability": (
        [">=", ["+", ["*", "y", 0], "m"]], [lemma(0), mean(0, 0, m=1)],
        "assumes more", {**MEANS, **given([">=", less(1, "y")])}),
    "a mean over an event more than certain": (
        [">=", ["+", ["*", "y", 0], "m"]], [lemma(0), mean(0, 0, m=1)],
        "assumes more", {**MEANS, **given([">=", "y"])}),
    "a mean that is equal, of what is at least": (
        ["=", ["+", ["*", "y", 0], "m"]], [lemma(0), mean(0, 0, m=1)],
        "not the claim", {**MEANS, **given([">=", "y"], [">=", less(1, "y")])}),
    "a mean that is more, of what is at least": (
        [">", ["+", ["*", "y", 0], "m"]], [lemma(0), mean(0, 0, m=1)],
        "not the claim", {**MEANS, **given([">=", "y"], [">=", less(1, "y")])}),
    "a lemma under something unreadable": (
        [">=", "m"], [lemma(0), lemma(1)], "no number",
        {"lent": [[">=", "m", [">=", "zz"]], [">=", "m"]]}),
    "a lemma whose hypothesis is no relation": (
        [">=", "x"], [instance("odd", x="x")], "not a statement",
        {"lemmas": {"odd": {"letters": {"x": R}, "given": [["<=", "x", "given"]], "says": [">=", "x"]}}}),
    "a lemma whose hypothesis is unreadable": (
        [">=", "x"], [instance("odd", x="x")], "no number",
        {"lemmas": {"odd": {"letters": {"x": R}, "given": [[">=", "zz", "given"]], "says": [">=", "x"]}}}),
    "a lemma that is no relation": (
        [">=", "x"], [instance("odd", x="x")], "not a statement",
        {"lemmas": {"odd": {"letters": {"x": R}, "given": [], "says": ["<=", "x"]}}}),
    "m at b is at least m at a, though m depends on y": (
        [">=", ["+", ["@", "m", {"y": "b"}], ["*", -1, ["@", "m", {"y": "a"}]]]],
        [combine(says=[">=", 0]), rise([0], ["@", "m", {"y": "x"}], "a", "b")],
        "malformed", {"constant": [["m", "x"]], **given([">=", less("b", "a")])}),
    "x + 2 > 0 for x <= 1: the box begins at -1": (
        [">", ["+", "x", 2]], [positive(["+", "x", 2], box={"x": [-1, 1]}, bits=64)],
        "assumes more", given([">=", less(1, "x")])),
    "2 - x > 0 for x >= -1: the box ends at 1": (
        [">", less(2, "x")], [positive(less(2, "x"), box={"x": [-1, 1]}, bits=64)],
        "assumes more", given([">=", less("x", -1)])),
    "1 + 2^-90 exceeds the root of 1 + 2^-80": (
        [">", ["+", ["*", -1, ROOT], f"{2**90 + 1}/{2**90}"]],
        [positive(["+", ["*", -1, ROOT], f"{2**90 + 1}/{2**90}"], box={}, bits=16)], "not positive", {}),
    "x^(3/2) = x^2 for x >= 0": (
        ["=", less(["^", "x", "3/2"], ["^", "x", 2])],
        [combine(says=["=", less(["^", "x", "3/2"], ["^", "x", 2])], using=[[">=", "x"]])],
        "does not follow", given(X)),
    "the root of x is 1 for x >= 0": (
        ["=", less(["^", "x", "1/2"], 1)], [combine(says=["=", less(["^", "x", "1/2"], 1)], using=[[">=",
            "x"]])],
        "does not follow", given(X)),
    "x^(3/2) = x for x >= 0": (
        ["=", less(["^", "x", "3/2"], "x")], [combine(says=["=", less(["^", "x", "3/2"], "x")], using=[[">=",
            "x"]])],
        "does not follow", given(X)),
    "x = x^(3/2) for x >= 0": (
        ["=", less(["^", ["^", "x", "1/2"], 2], ["^", "x", "3/2"])], [combine(says=["=", less(["^", ["^",
            "x", "1/2"], 2], ["^", "x", "3/2"])], using=[[">=", "x"]])],
        "does not follow", given(X)),
    "1/2 = 1": (
        ["=", less(["^", 2, -1], 1)], [combine(says=["=", less(["^", 2, -1], 1)])],
        "does not follow", {}),
    "1/2 = 2": (
        ["=", less(["^", 2, -1], 2)], [combine(says=["=", less(["^", 2, -1], 2)])],
        "does not follow", {}),
    "Phi(0) = 0": (
        ["=", less(["Phi", 0], 0)], [combine(says=["=", less(["Phi", 0], 0)])],
        "does not follow", {}),
    "phi1(0) = 0": (
        ["=", less(["phi1", 0], 0)], [combine(says=["=", less(["phi1", 0], 0)])],
        "does not follow", {}),
    "asin x = pi/2 for every x": (
        ["=", less(["asin", "x"], ["*", "1/2", ["pi"]])], [combine(says=["=", less(["asin", "x"], ["*",
            "1/2", ["pi"]])])],
        "does not follow", {}),
    "atan 1 = pi/2": (
        ["=", less(["atan", 1], ["*", "1/2", ["pi"]])], [combine(says=["=", less(["atan", 1], ["*", "1/2",
            ["pi"]])])],
        "does not follow", {}),
    "log 2 = 0": (
        ["=", less(["log", 2], 0)], [combine(says=["=", less(["log", 2], 0)])],
        "does not follow", {}),
    "the root of -4 is 2": (
        ["=", less(["^", -4, "1/2"], 2)], [combine(says=["=", less(["^", -4, "1/2"], 2)])],
        "does not follow", {}),
    "the root of 2 is 1": (
        ["=", less(["^", 2, "1/2"], 1)], [combine(says=["=", less(["^", 2, "1/2"], 1)])],
        "does not follow", {}),
    "x/x = 1 for x >= 0": (
        ["=", ["+", ["*", "x", ["^", "x", -1]], -1]],
        [combine(says=["=", ["+", ["*", "x", ["^", "x", -1]], -1]], using=[[">=", "x"]])],
        "does not follow", given(X)),
    "a measured letter taken at another measured letter": (
        ["=", 0], [combine(says=["=", ["*", 0, ["@", "m", {"k": 1, "x": 1}]]]), combine(says=["=", 0])],
        "only parameters", {}),
}  # fmt: skip

ABOUT_OBJECTS: dict[str, Case] = {
    "<x, x> > 0 for every x": (
        [">", ["in", "x", "x"]], [leaf(square="x")], "not the claim", {}),
    "|grad f(0)| <= 1 for every L": (
        [">=", less(1, STEEP)], [*AT_ZERO, instance(1, L=1)], "belong to its objects", {}),
    "|grad f(0)| <= 1 for every L, in a sum": (
        [">=", ["+", "s", ["*", -1, "s"], less(1, STEEP)]],
        [*AT_ZERO, combine([1, 1], says=[">=", ["+", "s", ["*", -1, "s"], less(["^", "L", 2], STEEP)]]),
            instance(2, L=1)],
        "belong to its objects", {}),
    "1 >= 0 only where |grad f(0)| <= L, then at L = 2": (
        [">=", "s"], [leaf(assume=[">=", "s"], says=[">=", "s"], using=[[">=", less("L", STEEP)]]),
            instance(0, L=2)],
        "belong to its objects", {}),
    "|x| <= L for every x, as the gradient of |y|^2/2 + <x, y> at 0": (
        [">=", less(["^", "L", 2], ["in", "x", "x"])],
        [*AT_ZERO, instance(1, f=["l+", ["quad"], ["lin", "x"]]), combine([1, 2], says=[">=", less(["^", "L",
            2], ["in", "x", "x"])])],
        "assumes more", {}),
    "|x| <= L for every x, as the gradient of a retain loss at 0": (
        [">=", less(["^", "L", 2], ["in", "x", "x"])],
        [AT_ZERO[0], leaf(schema=["Lipschitz", ["retain", "D"], ["zero"]], met=[0]),
         instance(1, D=["problem", ["l+", ["quad"], ["lin", "x"]], "f"]),
         combine([1, 2], says=[">=", less(["^", "L", 2], ["in", "x", "x"])])],
        "assumes more", {}),
    "|x|^2 <= 2 for every L, by names alone": (
        [">=", less(2, ["in", "x", "x"])], [leaf(assume=[">=", less("L", ["in", "x", "x"])]), instance(0,
            L=2)],
        "belong to its objects", given([">=", less(2, ["in", "x", "x"])])),
    "10 - 25 >= 0 where mu <= 2: the hypothesis hides mu in an object": (
        [">=", less(["+", 10, ["*", "-1/4", ["^", 10, 2]]], 0)],
        [leaf(assume=[">=", less(1, ["val", ["quad"], ["e", 1]])]), positive(10, box={}, bits=16),
         rise([0], ["+", "mu", ["*", "-1/4", ["^", "mu", 2]]], 0, 10, variable="mu", met=[1])],
        "no end", given([">=", less(1, ["val", ["quad"], ["e", 1]])])),
    "0 + 1 + … + T = k_ (T + 1)": (
        ["=", less(["sum", "k_", "T"], ["*", "k_", ["sum", 1, "T"]])],
        [combine(says=["=", less(["sum", "s", "T"], ["*", "s", ["sum", 1, "T"]])]), instance(0, s="k_")],
            "index is bound", {}),
    "the index itself is chosen": (
        [">=", 0], [combine(says=["=", less("k_", "k_")]), instance(0, k_=3), combine(says=[">=", 0])],
            "index is bound", {}),
    "an abbreviation is chosen": (
        [">=", 5], [leaf(assume=[">=", "S"]), instance(0, S=5)], "cannot be chosen",
        {"taken": {**OBJECTS, "S": ["is", ["in", "x", "x"]]}}),
    "noise along itself, set with another point": (
        ["=", ["E", ["in", NOISE, NOISE]]], [leaf(schema=["centred", NOISE, "h"]), instance(0, h=NOISE,
            x=["zero"])],
        "set at random", {}),
    "a hypothesis on a mean of something fixed, set at random": (
        [">=", "s"],
        [leaf(assume=[">=", "s"], says=[">=", "s"], using=[[">=", ["E", ["in", "h", "X"]]]]), instance(0,
            h=NOISE)],
        "set at random", {}),
    "L^3/3 >= |grad f(0)|^2 L for every L, by the slope": (
        [">=", ["+", ["*", "1/3", ["^", "s", 3]], ["*", -1, "s", STEEP]]],
        [*AT_ZERO, rise([1], ["+", ["*", "1/3", ["^", "L", 3]], ["*", -1, "L", STEEP]], 0, "s",
            variable="L")],
        "malformed", given([">=", less("s", 0)])),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, lines, why, more = FALSE[name]
    with pytest.raises(RejectedError, match=why):
        lined(says, *lines, letters=NUMBERS, **more)


@pytest.mark.parametrize("name", ABOUT_OBJECTS)
def test_a_false_statement_about_objects_is_rejected(name: str) -> None:
    says, lines, why, more = ABOUT_OBJECTS[name]
    with pytest.raises(RejectedError, match=why):
        lined(says, *lines, letters=OBJECTS, **more)


TRUE: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "cases, the first strict": (
        [">=", ["*", "x", "x"]],
        [leaf(assume=[">", "x"]), combine([1, 0, 0], says=[">=", ["*", "x", "x"]]),
         leaf(assume=[">=", ["*", -1, "x"]]), combine([1, 2, 2], says=[">=", ["*", "x", "x"]]), cases([1, 3],
             "x")], {}),
    "the mean of an equation is one": (
        ["=", ["+", ["*", "y", "x"], "m"]], [lemma(0), mean(0, "x", m=1)],
        {**MEANS, "lent": [["=", ["+", "k", "x"]]], **given([">=", "y"], [">=", less(1,
            "y")])}),
    "x^(3/2) is x times its root": (
        ["=", less(["^", "x", "3/2"], ["*", "x", ["^", "x", "1/2"]])],
        [combine(says=["=", less(["^", "x", "3/2"], ["*", "x", ["^", "x", "1/2"]])], using=[[">=", "x"]])],
            given(X)),
    "a negative divisor": (
        ["=", ["+", ["*", "x", ["^", ["*", -1, "x"], -1]], 1]],
        [combine(says=["=", ["+", ["*", "x", ["^", ["*", -1, "x"], -1]], 1]], using=[[">", "x"]])],
            given([">", "x"])),
    "Phi is positive": ([">", ["Phi", "x"]], [positive(["Phi", "x"])], {}),
    "phi1 is positive": ([">", ["phi1", "x"]], [positive(["phi1", "x"])], {}),
    "phi2 is positive": ([">", ["phi2", "x"]], [positive(["phi2", "x"])], {}),
    "an induction may show less than its base": (
        [">=", "t"],
        [combine(says=["=", 0]), leaf(assume=[">=", "t"]), positive(1, box={}, bits=16),
         combine([1, 1], [1, 2], says=[">", ["+", "t", 1]]), induction([0, 3], ">=", "t")], given(NATURAL)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_accepted(name: str) -> None:
    says, lines, more = TRUE[name]
    lined(says, *lines, letters=NUMBERS, **more)


def test_a_parameter_of_the_class_may_be_chosen_where_no_object_is() -> None:
    lined([">=", 4], leaf(assume=[">=", "L"]), instance(0, L=4), letters=OBJECTS, **given([">=", 4]))
    more = leaf(assume=[">=", ["+", "L", 1]])
    lined([">=", ["+", 4, 1]], more, instance(0, L=4), letters=OBJECTS, **given([">=", ["+", 4, 1]]))


def reached(*lines: Any, letters: Any = OBJECTS, **takes: Any) -> Proof:
    """The proof after some lines."""
    WORK[:] = [BUDGET, float("inf")]
    proof = Proof({**NOTHING, "letters": letters, **takes})
    for i, line in enumerate(lines):
        proof.accept(line, i)
    return proof


KINDS = {
    "a parameter": ([False, False], True), "an integer that is measured": ([True, True], True),
        "a sort": (["point"], True),
    "an abbreviation of a term": (["is", ["+", 1, "x"]], True), "of a name": (["is", "x"], True),
        "of a number": (["is", 1], True),
    "of nothing": (["is", None], False), "of a float": (["is", 0.5], False), "another word": (["was", "x"],
        False),
    "an integer for a truth value": ([True, 1], False), "no sort": (["thing"], False),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_letters_are_of_known_kinds(name: str) -> None:
    kind, good = KINDS[name]
    assert bool(known(kind)) is good
    letters = {"x": R, "y": kind}
    if good:
        reached(letters=letters)
    else:
        with pytest.raises(RejectedError, match="not a letter"):
            reached(letters=letters)


NESTED = ["*", "k_", ["sum", "k_", 2]]
UP_TO = ["sum", 1, "k_"]
WEIGHTED = ["in", ["average", ["sgd", "D", "x", 1], "k_", 2], "h"]
STEPPED = ["in", ["iter", ["sgd", "D", "x", ["^", ["+", "k_", 1], -1]], 2], "h"]
SUMS = {
    "the index of a sum inside a sum is its own": (NESTED, ["*", 1, ["sum", "k_", 2]]),
    "the index of weights is their own": (["*", "k_", WEIGHTED], ["*", 1, WEIGHTED]),
    "the index of step sizes is their own": (["*", "k_", STEPPED], ["*", 1, STEPPED]),
    "the last index of a sum inside a sum is that of the outer": (UP_TO, ["sum", 1, 1]),
}


@pytest.mark.parametrize("name", SUMS)
def test_one_more_term(name: str) -> None:
    of, last = SUMS[name]
    more = ["=", less(["sum", of, 1], ["+", ["sum", of, 0], last])]
    WORK[:] = [BUDGET, float("inf")]
    step = {"by": "leaf", "schema": ["sum step", of, 0], "says": more}
    assert reached(step).reached[0].expr == more[1]


WITNESSES = {
    "x >= 0 at x = 0": ([">=", "x"], [combine(says=[">=", 0])], 0),
    "x = 0 at x = 0": (["=", "x"], [combine(says=[">=", 0])], 0),
    "x > 0 at x = 1": ([">", "x"], [combine(says=["=", 0])], 1),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_a_witness_does_not_refute_what_holds(name: str) -> None:
    says, lines, value = WITNESSES[name]
    with pytest.raises(RejectedError, match="not shown"):
        lined(says, *lines, letters={"x": R}, kind="witness", witness={"values": {"x": value}, "shown": [0]})


def test_a_witness_refutes_what_fails() -> None:
    shown = {"values": {"x": 0}, "shown": [0]}
    lined([">", "x"], combine(says=[">=", 0]), letters={"x": R}, kind="witness", witness=shown)
