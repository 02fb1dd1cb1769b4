"""False instances and letters in disguise: values that clash, ends that hide, names nobody declared."""

from typing import Any

import pytest

from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.written import FALSE, combine, instance, leaf, lemma, less, lined, positive, rise

P, I, M = [False, False], [True, False], [False, True]
X = {"x": P}
TWO = {"m": M, "k": M}
# m is s, k is s: at s = 3 and at s = 5 they differ by 2.
BOTH = [["=", less("m", "s")], ["=", less("k", "s")]]
APART = {"taken": {**TWO, "s": P}, "lent": BOTH, "at": {"m": {"s": 3}, "k": {"s": 5}}}
SAME = [lemma(0), lemma(1)]
LATER = ["@", "m", {"x": 5}]
AT_5 = [["=", less("x", 5), "given"]]
HIDDEN = ["@", "x", {"x": 0}]
BELOW = {"letters": {"m": M, "x": P}, "given": [], "says": [">=", less("m", "x")]}
PIECE = {"f": [["-1/2", "1/2", 1, 0, 0]]}
SLOPE = {"L": P, "mu": P, "s": P}
ROOTS = ["=", less(["^", ["*", "x", "y"], "1/2"], ["*", ["^", "x", "1/2"], ["^", "y", "1/2"]])]
MEAN = {"by": "mean", "of": 0, "free": 0, "times": {"m": "k"}}
NULL = [combine(says=["=", less(5, 5)]), combine([1])]


def witness(shown: list[int], model: Any = None, **values: Any) -> dict[str, Any]:
    return {"values": values, "shown": shown, "model": model or {}}


def numerals(shown: list[int], values: dict[str, Any]) -> dict[str, Any]:
    return {"values": values, "shown": shown}


def slope(side: str, point: str) -> dict[str, Any]:
    """An instance that has a slope of x^2 on [-1/2, 1/2]."""
    return witness([0], {"members": PIECE}, L=1, mu=1, s=[side, "f", point])


# Of each: what is said, the lines, and what else there is.
REFUTED: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "letters at two values that are one in the instance": (
        [">", less("k", "m")], [*SAME, combine([1, 0], [-1, 1], says=[">=", ["*", -1, less("k", "m")]])],
        {"letters": TWO, **APART, "witness": witness([2])}),
    "a measured letter that clashes with itself elsewhere": (
        ["=", less(LATER, "m")], NULL,
        {"letters": {"m": M, "x": P}, "given": AT_5, "witness": witness([0, 1], m=1, x=5)}),
    "a measured letter below what a lemma says of it elsewhere": (
        [">=", less("m", LATER)],
        [NULL[0], instance("L", x=5), combine([1, 1], [4], says=[">", ["*", -1, less(1, LATER)]])],
        {"letters": {"m": M, "x": P}, "given": AT_5, "lemmas": {"L": BELOW},
         "witness": witness([0, 2], m=1, x=5)}),
    "a norm that clashes with itself elsewhere": (
        ["=", less("<u,u>", ["@", "<u,u>", {"x": 5}])], NULL,
        {"letters": {"<u,u>": M, "x": P}, "given": AT_5,
         "witness": witness([0, 1], {"vectors": {"u": [1]}}, x=5)}),
    "a norm that is no letter of the statement": (
        [">=", "<u,u>"], [combine([1])],
        {"letters": {}, "taken": {"<u,u>": M}, "witness": numerals([0], {"<u,u>": -1})}),
    "a numeral with another value": (
        [">", ["+", ["^", "x", 2], "1"]], [combine(says=["=", ["*", -1, ["+", ["^", 0, 2], 0]]])],
        {"letters": X, "witness": numerals([0], {"x": 0, "1": 0})}),
    "an exponent with another value": (
        [">=", ["^", "x", "2"]], [combine([1], says=[">", ["*", -1, ["^", -1, 3]]])],
        {"letters": X, "witness": numerals([0], {"x": -1, "2": 3})}),
    "an integer that stays open": (
        ["=", ["*", 0, "n"]], [combine([1])], {"letters": {"n": I, "x": P}, "witness": witness([0], n="x")}),
    "half an integer": (
        ["=", ["*", 0, "n"]], [combine([1])], {"letters": {"n": I}, "witness": witness([0], n="1/2")}),
    "a relation that is not equal": (
        ["!=", ["^", "x", 2]], [combine([1])], {"letters": X, "witness": witness([0], x=1)}),
}  # fmt: skip
EXISTS: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "a numeral with another value, once": (
        ["=", ["+", ["^", "x", 2], "1"]], [combine(says=["=", ["+", ["^", 0, 2], 0]])],
        {"letters": X, "witness": numerals([0], {"x": 0, "1": 0})}),
    "letters at two values that are one, once": (
        ["=", less("k", "m")], [*SAME, combine([-1, 0], [1, 1], says=["=", less("k", "m")])],
        {"letters": TWO, **APART, "witness": witness([2])}),
    "a slope from outside, on the left": (
        ["=", ["+", "s", 1]], [combine(says=["=", ["+", -1, 1]])],
        {"letters": SLOPE, "witness": slope("left", "-1/2")}),
    "a slope from outside, on the right": (
        ["=", less("s", 1)], [combine(says=["=", less(1, 1)])],
        {"letters": SLOPE, "witness": slope("right", "1/2")}),
}  # fmt: skip
PROVED: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "a function that hides its variable": (
        FALSE, [combine(), rise([0], ["*", -1, ["@", "x", {"x": 5}]], 0, 1), combine([1]),
                combine([1, 1], says=FALSE, met=[2])], {}),
    "an end that hides its variable": (
        FALSE, [
            leaf(assume=[">=", less("x", "y")]), leaf(assume=[">=", less("y", 1)]),
            combine([1, 0], [1, 1], says=[">=", ["+", "x", -1]]), instance(2, y=HIDDEN),
            rise([3], ["*", "1/2", ["^", ["+", "x", -1], 2]], 0, 1), instance(4, x=1), combine(),
            combine([1]), combine([2, 5], says=FALSE, met=[6, 7])], {}),
    "a step on a letter that hides its index": (
        [">=", "t"], [leaf(assume=[">=", ["@", "t", {"t": 0}]]),
                      {"by": "induction", "of": [0, 0], "index": "t", "shows": [">=", ["@", "t", {"t": 0}]]}],
        {}),
    "a step on a letter that moves": (
        [">=", "m"], [leaf(assume=[">=", "m"]),
                      {"by": "induction", "of": [0, 0], "index": "t", "shows": [">=", "m"]}], {}),
    "a letter at one value for the letter at others": (
        [">=", less(["@", "m", {"x": 1}], ["@", "m", {"x": 0}])],
        [combine(), rise([0], ["@", "m", {"x": 5}], 0, 1), combine([1]),
         combine([1, 1], says=[">=", less(["@", "m", {"x": 1}], ["@", "m", {"x": 0}])], met=[2])], {}),
    "a function of no name": (
        [">=", 0], [combine(), rise([0], ["foo", "q"], 0, 1)], {}),
    "a lemma whose letters are not all declared": (
        [">=", "m"], [combine([1, "L"])],
        {"lemmas": {"L": {"letters": {}, "given": [[">=", "m", "domain"]], "says": [">=", "m"]}}}),
    "a statement whose letters are not all declared": (
        [">=", "x"], [leaf(assume=[">=", "x"])],
        {"letters": {}, "taken": X, "given": [[">=", "x", "given"]]}),
    "a power of five thirds": (
        [">", ["^", "x", "5/3"]], [positive(["^", "x", "5/3"], box={"x": [-2, -1]}, bits=32)],
        {"given": [[">=", less("x", -2), "given"], [">=", less(-1, "x"), "given"]]}),
    "a root of a product of what may be negative": (
        ROOTS, [combine(using=[[">=", ["*", "x", "y"]]], says=ROOTS)],
        {"given": [[">=", ["*", "x", "y"], "given"]]}),
    "an integer that is a letter at a value": (
        [">=", 0], [leaf(assume=[">=", "n"]), instance(0, n=["@", "m", {"x": 1}])], {}),
    "a mean of a square": (
        [">=", 1], [positive(["^", "k", 2], even=True), MEAN],
        {"means": {"m": ["k", "an event", "x"]}, "constant": [["m", "chance"]]}),
}  # fmt: skip


def rejected(says: Any, lines: list[Any], **more: Any) -> None:
    with pytest.raises(RejectedError):
        lined(says, *lines, **more)


@pytest.mark.parametrize("name", REFUTED)
def test_no_witness_against_what_holds(name: str) -> None:
    says, lines, more = REFUTED[name]
    rejected(says, lines, kind="witness", **more)


@pytest.mark.parametrize("name", EXISTS)
def test_no_instance_of_what_does_not_exist(name: str) -> None:
    says, lines, more = EXISTS[name]
    rejected(says, lines, kind="exact", exists=True, **more)


@pytest.mark.parametrize("name", PROVED)
def test_no_proof_of_what_is_false(name: str) -> None:
    says, lines, more = PROVED[name]
    rejected(says, lines, **more)


def test_letters_at_two_values_differ_in_a_proof() -> None:
    """What the witnesses above would deny."""
    shown = combine([-1, 2], [1, 3], [2], says=[">", less(["@", "k", {"s": 5}], ["@", "m", {"s": 3}])])
    lined([">", less("k", "m")], *SAME, instance(0, s=3), instance(1, s=5), shown, letters=TWO, **APART)


def test_slopes_inside_are_read() -> None:
    said = [["=", ["+", "s", 1]], [combine(says=["=", ["+", -1, 1]])]]
    lined(said[0], *said[1], letters=SLOPE, kind="exact", exists=True, witness=slope("right", "-1/2"))
