"""False statements in lines of the checker: hypotheses dropped, letters captured, odd words; all rejected.

Parameters are x, y, a, b, integers n, t; m, k and inner products are measured. What is assumed is
mostly true under some reading (m = x, say): it is the lines that do not follow.
"""

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.written import (
    FALSE,
    KINK,
    LETTERS,
    combine,
    instance,
    leaf,
    lemma,
    less,
    lined,
    positive,
    rise,
)

P, I, M = [False, False], [True, False], [False, True]
EQUAL_X = ["=", less("m", "x")]
SWAPPED = ["=", less("m", less("x", "y"))]
RANDOM = [">=", less("k", 3)]
OVER = {"m": ["k", "an event", "x"]}
UNIT = [[">=", "x", "given"], [">=", less(1, "x"), "given"]]
NATURAL, LATE = [">=", less("t", 0)], [">=", less("t", 8)]
COUNT = ["*", "t", ["+", "t", -9]]
AFTER = ["*", ["+", "t", 1], ["+", "t", 1, -9]]
STEP = [leaf(assume=NATURAL), leaf(assume=LATE), combine(says=[">=", ["*", 0, -9]])]
UP = combine([1, 0, 1], [1, 1], says=[">=", AFTER])
INVERSE = ["^", "x", -1]
ABOVE_0 = [leaf(assume=[">", less("x", 0)]), combine([1, 0], says=[">", "x"]), positive(INVERSE, met=[1])]
LEMMA = {"letters": {"n": I, "x": P}, "given": [[">=", less("n", 1), "domain"]], "says": [">=", less("n", 1)]}
SMALL = {"letters": {"x": P}, "given": [[">=", "x", "because"]], "says": [">=", "x"]}
MEANT = {"letters": {"m": M}, "given": [[">=", "m", "definition"]], "says": [">=", "m"]}
TAUGHT = {"letters": {"x": P}, "given": [[">=", "x", "exponential"]], "says": [">=", "x"]}
ABOUT = {"letters": {"m": M, "x": P}, "given": [], "says": ["=", less("m", "x")]}
SOME = {"letters": {"x": P}, "given": [], "says": [">=", "x"], "exists": True}
ODD, EVEN = {">=": 1, "x": 1}, {"x": 1, ">=": 1}
WILD = ["@", "k", {"chance": 0}]
X = {"x": P}


def mean(of: int, free: Any, **times: Any) -> dict[str, Any]:
    return {"by": "mean", "of": of, "free": free, "times": times}


def induction(of: list[int], rel: str, expr: Any, index: str = "t") -> dict[str, Any]:
    return {"by": "induction", "of": of, "index": index, "shows": [rel, expr]}


# Of each: what is said, the lines, why they are rejected (if not to be disclosed), and what else there is.
HOLES: dict[str, tuple[Any, list[Any], str, dict[str, Any]]] = {
    # Letters that are captured, chosen, or forget where they are taken.
    "a measured letter that is chosen": (
        FALSE, [lemma(0), instance(0, m=-1)], "chosen", {"lent": [[">=", "m"]]}),
    "one letter at two values": (
        ["=", 1], [lemma(0), instance(0, x=0), instance(0, x=1), combine([1, 1], [-1, 2], says=["=", 1])],
        "follow", {"lent": [EQUAL_X]}),
    "a letter at a value taken for the letter": (
        ["=", less("y", "x")], [lemma(0), instance(0, x="y"),
        combine([1, 0], [-1, 1], says=["=", less("y", "x")])], "follow", {"lent": [EQUAL_X]}),
    "two parameters that change places": (
        ["=", less("x", "y")], [lemma(0), instance(0, x="y", y="x"),
        combine(["-1/2", 0], ["1/2", 1], says=["=", less("x", "y")])], "follow", {"lent": [SWAPPED]}),
    "a value inside a value that is lost": (
        ["=", 2], [lemma(0), instance(0, x="y"), instance(1, y=5), instance(1, y=7),
        combine([1, 2], [-1, 3], says=["=", 2])], "follow", {"lent": [EQUAL_X]}),
    "a parameter taken at a value": (
        ["=", less(["@", "x", {"y": 0}], "x")], [combine(says=["=", less(["@", "x", {"y": 0}], "x")])],
        "parameters are replaced", {}),
    "a letter taken at a letter": (
        ["=", less(["@", "m", {"k": 0}], "m")], [combine(says=["=", less(["@", "m", {"k": 0}], "m")])],
        "parameters are replaced", {}),
    "a claim taken at another value of its parameter": (
        ["=", less("m", 5)], [lemma(0), instance(0, x=5)], "elsewhere",
        {"lent": [EQUAL_X], "at": {"m": {"x": 5}}}),
    "a lemma taken at another value of its parameter": (
        ["=", less(5, "x")], [combine([-1, "about"], says=["=", less(5, "x")])], "elsewhere",
        {"lemmas": {"about": ABOUT}, "where": {"about": {"m": {"x": 5}}}}),
    "a constant that is none": (
        ["=", less("x", "y")], [lemma(0), instance(0, x="y"),
        combine([-1, 0], [1, 1], says=["=", less("x", "y")])], "",
        {"lent": [EQUAL_X], "constant": [["m", "k"]]}),
    # Hypotheses that get lost.
    "a condition of a lemma": (
        [">=", "m"], [lemma(0)], "assumes more", {"lent": [[">=", "m", [">=", "x"]]]}),
    "a hypothesis of a lemma for another reason": (
        FALSE, [instance("small", x=-1)], "assumes more", {"lemmas": {"small": SMALL}}),
    "a hypothesis of a lemma about what is measured": (
        [">=", "m"], [instance("meant")], "assumes more", {"lemmas": {"meant": MEANT}}),
    "a hypothesis of a lemma that a textbook has": (
        FALSE, [instance("taught", x=-1)], "assumes more", {"lemmas": {"taught": TAUGHT}}),
    "the domain of a lemma": (
        [">=", less(0, 1)], [instance("whole", n=0)], "assumes more", {"lemmas": {"whole": LEMMA}}),
    "a lemma with its domain assumed": (
        FALSE, [instance("whole", n=0), combine([1, 0], says=FALSE, met=[0])], "assumes more",
        {"lemmas": {"whole": LEMMA}}),
    "cases that leave 0 out": (
        [">", ["^", "x", 2]], [leaf(assume=[">", "x"]), leaf(assume=[">", ["*", -1, "x"]]),
        combine([1, 0, 0], says=[">", ["^", "x", 2]]), combine([1, 1, 1], says=[">", ["^", "x", 2]]),
        {"by": "cases", "of": [2, 3], "on": "x"}], "assumes more", {}),
    "cases of one side": (
        [">=", "x"], [leaf(assume=[">=", "x"]), {"by": "cases", "of": [0, 0], "on": ["*", -1, "x"]}],
        "assumes more", {}),
    "an equation met by an inequality": (
        ["=", "x"], [leaf(assume=["=", "x"]), leaf(assume=[">=", "x"]),
        combine([1, 0], says=["=", "x"], met=[1])], "assumes more", {"given": [[">=", "x", "given"]]}),
    "a strict hypothesis met by a weak one": (
        [">", INVERSE], [leaf(assume=[">=", "x"]), positive(INVERSE, met=[0])], "assumes more",
        {"given": [[">=", "x", "given"]]}),
    "a divisor that may be 0": (
        ["=", less(["*", "x", INVERSE], 1)],
        [combine(says=["=", less(["*", "x", INVERSE], 1)], using=[[">=", "x"]])], "follow",
        {"given": [[">=", "x", "given"]]}),
    "the square of a root of what may be negative": (
        ["=", less(["^", ["^", "x", "1/2"], 2], "x")],
        [combine(says=["=", less(["^", ["^", "x", "1/2"], 2], "x")], using=[[">=", ["*", -1, "x"]]])],
        "follow", {}),
    "an equation of functions of what is not equal": (
        ["=", less(["exp", "x"], ["exp", "y"])], [leaf(equal=["exp", "x", "y"])], "assumes more", {}),
    # Inductions.
    "a step that starts late": (
        [">=", COUNT], [*STEP, UP, induction([2, 3], ">=", COUNT)], "one time only",
        {"given": [[*NATURAL, "given"]]}),
    "a step that starts late, for all": (
        [">=", COUNT], [*STEP, UP, induction([2, 3], ">=", COUNT)], "one time only",
        {"given": [[*NATURAL, "given"], [*LATE, "given"]]}),
    "a step from more than is shown": (
        [">=", ["*", -1, "t"]], [combine(says=[">=", ["*", -1, 0]]), leaf(assume=[">", ["*", -1, "t"]]),
        induction([0, 1], ">=", ["*", -1, "t"])], "not shown at", {"given": [[*NATURAL, "given"]]}),
    "a step that stays": (
        [">=", "m"], [lemma(0), leaf(assume=[">=", "m"]), induction([0, 1], ">=", "m")], "not shown at",
        {"given": [[*NATURAL, "given"]], "lent": [[">=", "m"]],
        "where": {"0": {"m": {"t": 0}}}}),
    "an index below 0": (
        [">=", "t"], [combine(says=[">=", 0]), leaf(assume=[">=", "t"]),
        combine([1, 1], [1], says=[">=", ["+", "t", 1]]), induction([0, 2], ">=", "t")], "assumes more", {}),
    "an index that is real": (
        [">=", "x"], [combine(says=[">=", 0]), leaf(assume=[">=", "x"]),
        combine([1, 1], [1], says=[">=", ["+", "x", 1]]), induction([0, 2], ">=", "x", "x")], "index",
        {"given": [[">=", less("x", 0), "given"]]}),
    "an equation from inequalities": (
        ["=", "t"], [combine(says=["=", 0]), leaf(assume=[">=", "t"]),
        combine([1, 1], [1], says=[">=", ["+", "t", 1]]), induction([0, 2], "=", "t")], "not shown at",
        {"given": [[*NATURAL, "given"]]}),
    # Integers.
    "an integer that is a half": (
        [">=", "-1/2"], [instance("whole", n="1/2")], "no integer", {"lemmas": {"whole": LEMMA}}),
    "an integer that is real": (
        ["=", 0], [instance("whole", n="x")], "no integer", {"lemmas": {"whole": LEMMA}}),
    "an integer that is a root": (
        ["=", 0], [instance("whole", n=["^", "n", "1/2"])], "no integer", {"lemmas": {"whole": LEMMA}}),
    "an integer that is a quotient": (
        ["=", 0], [instance("whole", n=["^", "n", -1])], "no integer", {"lemmas": {"whole": LEMMA}}),
    "an integer that is measured and real": (
        ["=", 0], [instance("whole", n="m")], "no integer", {"lemmas": {"whole": LEMMA}}),
    "an integer that was a parameter of a lemma": (
        [">=", less("n", 1)], [combine([1, "whole"], says=[">=", less("n", 1)])], "two kinds",
        {"lemmas": {"whole": LEMMA}, "letters": {**LETTERS, "n": P}}),
    "a parameter that is neither measured nor not": (
        [">=", less("n", 1)], [combine([1, "whole"], says=[">=", less("n", 1)])], "",
        {"lemmas": {"whole": LEMMA}, "taken": {"n": [1, 0], "x": [0, 0]}, "letters": {"n": I, "x": P}}),
    # Means.
    "a random coefficient": (
        [">=", ["*", "k", "m"]], [positive(["^", "k", 2], even=True), mean(0, 0, m="k")], "random",
        {"means": OVER, "given": UNIT}),
    "a random rest": (
        [">=", ["+", ["*", "x", less("k", 3)], ["*", 0, "m"]]], [lemma(0), mean(0, less("k", 3), m=0)],
        "random", {"lent": [RANDOM], "means": OVER, "given": UNIT}),
    "a rest at one outcome": (
        [">=", ["+", ["*", "x", less(WILD, 3)], ["*", 0, "m"]]], [lemma(0), mean(0, less(WILD, 3), m=0)],
        "no number", {"lent": [RANDOM], "means": OVER, "given": UNIT}),
    "a random hypothesis": (
        [">=", ["+", ["*", "x", 0], ["*", 1, "m"]]], [leaf(assume=[">=", "k"]), mean(0, 0, m=1)], "random",
        {"means": OVER, "given": [*UNIT, [">=", "k", "given"]]}),
    "the mean of a square": (
        [">=", ["+", ["*", "x", -9], ["*", ["^", "m", 1], "m"]]],
        [lemma(0), combine([1, 0, 0]), mean(1, -9, m="m")], "linear", {"constant": [["m", "chance"]],
        "lent": [RANDOM], "means": OVER, "given": UNIT}),
    "means over two events": (
        [">=", ["+", ["*", "x", -3], ["*", 1, "m"], ["*", 0, "<u,u>"]]],
        [lemma(0), mean(0, -3, **{"m": 1, "<u,u>": 0})], "one event", {"lent": [RANDOM],
        "means": {**OVER, "<u,u>": ["k", "another", "x"]}, "given": UNIT}),
    "a strict mean": (
        [">", ["+", ["*", "x", -3], ["*", 1, "m"]]], [lemma(0), mean(0, -3, m=1)], "claim",
        {"lent": [[">", *RANDOM[1:]]], "means": OVER, "given": UNIT}),
    "a probability of 2": (
        [">=", ["+", ["*", "x", -3], ["*", 1, "m"]]], [lemma(0), mean(0, -3, m=1)], "assumes more",
        {"lent": [RANDOM], "means": OVER, "given": UNIT[:1]}),
    "a mean that is a parameter": (
        [">=", ["+", ["*", "x", -3], ["*", 1, "y"]]], [lemma(0), mean(0, -3, y=1)], "event",
        {"lent": [RANDOM], "means": {"y": OVER["m"]}, "given": UNIT}),
    "a mean that nobody disclosed": (
        [">=", ["+", ["*", 1, -3], ["*", 1, "m"]]], [lemma(0), mean(0, -3, m=1)], "",
        {"lent": [RANDOM]}),
    # Slopes.
    "across a pole": (
        [">=", less(["*", -1, 1], ["*", -1, -1])], [*ABOVE_0, combine([1, 2, 2]), combine([1]),
        rise([3, 1, 4], ["*", -1, INVERSE], -1, 1)], "positive", {}),
    "a logarithm from 0": (
        [">=", less(["log", 1], ["log", 0])], [*ABOVE_0, combine([1]), rise([2, 1, 3], ["log", "x"], 0, 1)],
        "positive", {}),
    "a kink": (
        FALSE, [leaf(assume=[">=", ["*", -1, "x", ["^", ["^", "x", 2], "-1/2"]]]), rise([0], KINK, -1, 1)],
        "positive", {}),
    "a slope where it is not shown": (
        FALSE, [*ABOVE_0[:1], combine([2, 0], says=[">=", ["*", 2, "x"]]), rise([1], ["^", "x", 2], -1, 0),
        combine([1, 2], says=FALSE)], "assumes more", {}),
    "a slope at one point": (
        [">=", less(["^", "y", 2], ["^", "a", 2])], [leaf(assume=["=", less("x", 0)]),
        combine([2, 0], says=[">=", ["*", 2, "x"]]), rise([1], ["^", "x", 2], "a", "y")], "no end",
        {"given": [[">=", less("y", "a"), "given"]]}),
    "a slope under a condition that moves": (
        [">=", less(["^", "y", 2], ["^", "a", 2])], [leaf(assume=[">=", less("m", 0)]), lemma(0),
        combine([2, 0], [-2, 1], says=[">=", ["*", 2, "x"]]), rise([2], ["^", "x", 2], "a", "y")], "no end",
        {"lent": [EQUAL_X], "given": [[">=", less("y", "a"), "given"], [">=", less("m", 0), "given"]]}),
    "a measured letter without a slope": (
        [">=", less(["@", "m", {"x": 1}], ["@", "m", {"x": 0}])], [combine(), rise([0], "m", 0, 1)], "depend",
        {}),
    "a slope in another variable": (
        [">=", less(["@", "m", {"x": 1}], ["@", "m", {"x": 0}])], [combine(), rise([0], "m", 0, 1)], "depend",
        {"slopes": {"m": ["y", 0]}}),
    "a letter that moves inside another": (
        FALSE, [combine(), rise([0], ["@", "m", {"y": "x"}], 0, 1)], "KeyError", {}),
    "an end that moves": (FALSE, [combine([2]), rise([0], ["*", 2, "x"], 0, "x")], "free real", {}),
    "a cube root": (
        [">", ["+", ["^", "1/8", "1/3"], "-9/10"]],
        [positive(["+", ["^", "1/8", "1/3"], "-9/10"], box={}, bits=64)], "", {}),
    "an integer variable": (FALSE, [combine(), {**rise([0], 0, 0, 1), "variable": "n"}], "free real", {}),
    # Numbers, names and words.
    "a number for a name": (
        FALSE, [leaf(assume=[">=", "-1"]), instance(0, **{"-1": 5})], "letter", {"letters": {"-1": P}}),
    "chance for a name": (
        [">=", "x"], [lemma(0), instance(0, chance=0)], "letter|malformed",
        {"taken": {"x": P, "chance": P, "m": M}, "letters": X, "lent": [RANDOM]}),
    "a name that reads as a power": (
        FALSE, [positive("^a2", even=True), instance(0, **{"^a2": -1})], "not a letter",
        {"taken": {"^a2": P}, "letters": {}}),
    "a name that reads as a power of what is positive": (
        FALSE, [positive("^a"), combine([1]), instance(0, **{"^a": -1, "a": 1})], "not a letter",
        {"taken": {"^a": P, "a": P}, "letters": {}}),
    "no name at all": (
        FALSE, [lemma(0), instance(0, **{"": -1})], "", {"taken": {"": P}, "letters": {},
        "lent": [[">=", ""]]}),
    "a fact about parameters": (
        FALSE, [leaf(fact=0), instance(0, x=-1)], "for granted", {"facts": [[">=", "x", "definition", []]]}),
    "a fact about what is measured": (
        [">=", "m"], [leaf(fact=0)], "for granted", {"facts": [[">=", "m", "definition", []]]}),
    "a fact about nothing": (FALSE, [leaf(fact=0)], "for granted", {"facts": [[*FALSE, "exponential", []]]}),
    "no fact at all": (FALSE, [leaf(fact=0)], "for granted", {"facts": []}),
    "facts that are no list": (
        FALSE, [leaf(fact="?m? ")], "for granted", {"facts": {"?m? ": [">=", -1, "definition", []]}}),
    "a line with a fact of its own": (FALSE, [leaf(fact=0)], "malformed", {}),
    "a fraction that is not exact": ([">", "x"], [combine([0.5], says=[">", 0.5])], "malformed", {}),
    "a truth for a number": ([">", 1], [combine([True], says=[">", True])], "malformed", {}),
    "a factor that is a letter": ([">=", "x"], [combine(["x"], says=[">=", "x"])], "malformed", {}),
    "a factor of 0": ([">", 0], [combine([0], says=[">", 0])], "factor", {}),
    "a line that rests on itself": (FALSE, [combine([1, 0], says=FALSE)], "malformed", {}),
    "a relation the other way": (
        [">=", "m"], [lemma(0, says=[">=", "m"])], "", {"lent": [["<=", "m"]]}),
    "a hypothesis the other way": (
        FALSE, [leaf(assume=["<=", -1], says=FALSE)], "", {"given": [["<=", -1, "given"]]}),
    "a relation that is not equal": (
        [">", "x"], [leaf(assume=["!=", "x"])], "relation", {"given": [["!=", "x", "given"]]}),
    "an inequality read as an equation": (
        ["=", "x"], [leaf(assume=[">=", "x"], says=["=", "x"])], "follow", {"given": [[">=", "x", "given"]]}),
    "two hypotheses in two orders": (
        FALSE, [leaf(assume=ODD), leaf(assume=EVEN, says=[">=", ">="]), combine([1, 0], [1, 1]),
        instance(2, **{"x": 0, ">=": -1}), combine(), combine([1, 3], says=FALSE, met=[4])], "",
        {"taken": {"x": P, ">=": P}, "letters": {}}),
    # Expressions that nobody can read.
    "a power with more": (
        [">=", "y"], [positive(["^", "x", 2, "y"], even=True, says=[">=", "y"])], "power", {}),
    "an exponential of two": (
        [">", "y"], [positive(["exp", 0, "y"], box={}, bits=64, says=[">", "y"])], "function", {}),
    "pi of something": ([">", -1], [positive(["pi", -1], says=[">", -1])], "function", {}),
    "a sum of nothing": ([">", ["+"]], [combine(says=[">", ["+"]])], "follow", {}),
    "0/0": (["=", 1], [combine(says=["=", less(["*", 0, ["^", 0, -1]], 1)])], "ZeroDivisionError", {}),
    "a power too high": (
        [">=", ["^", "x", 66]], [combine(says=["=", less(["^", "x", 66], ["^", "x", 66])])], "power", {}),
    "a precision that is no integer": (
        [">", 0], [positive(["+", 1, -1], box={}, bits=64.0)], "positive|malformed", {}),
    "a precision of one bit": ([">", 0], [positive(less(1, 1), box={}, bits=1)], "positive", {}),
    "a root of a negative number": (
        [">", ["exp", ["^", -1, "1/2"]]], [ positive(["+", 1, ["^", -1, "1/2"]], box={}, bits=64)], "root",
        {}),
    "an arcsine of 2": (FALSE, [positive(["asin", 2], box={}, bits=64)], "root", {}),
    "vectors that can be chosen": (
        [">=", "<u,v>"], [leaf(norm={"u": 1})], "vectors", {"letters": {"<u,u>": P, "<u,v>": M}}),
    "a vector of two names": (
        [">=", "<u,v,u,v>"], [leaf(norm={"u,v": 1})], "vectors", {"letters": {"<u,v,u,v>": M}}),
    # Certificates.
    "one instance for all": (
        [">=", "x"], [combine([1])], "claim|malformed|kind", {"kind": "exact",
        "witness": {"values": {"x": 1}, "shown": [0]}, "letters": X}),
    "one instance against one that exists": (
        [">=", "x"], [combine([1])], "claim|malformed|kind", {"kind": "witness",
        "witness": {"values": {"x": -1}, "shown": [0]}, "letters": X, "exists": True}),
    "a lemma that says that something exists": (
        FALSE, [instance("some", x=-1)], "exists", {"lemmas": {"some": SOME}}),
    "a witness under a hypothesis": (
        [">=", "x"], [leaf(assume=[">", ["*", -1, "x"]])], "instance", {"kind": "witness",
        "witness": {"values": {}, "shown": [0]}, "letters": X}),
    "a witness that shows too little": (
        [">=", "x"], [combine([1])], "instance|malformed", {"kind": "witness",
        "witness": {"values": {"x": -1}, "shown": [0]}, "letters": X, "given": [["=", "x", "given"]]}),
    "a witness at half an integer": (
        [">=", ["*", "n", less("n", 1)]], [combine(["1/4"])], "integer", {"kind": "witness",
        "witness": {"values": {"n": "1/2"}, "shown": [0]}, "letters": {"n": I}}),
    "inner products of no vectors": (
        [">=", "<u,u>"], [combine([1])], "vectors", {"kind": "witness",
        "witness": {"values": {"<u,u>": -1}, "shown": [0]}, "letters": {"<u,u>": M}}),
    "vectors of two lengths": (
        [">=", less(1, "<u,v>")], [combine([1])], "malformed", {"kind": "witness", "letters": {"<u,v>": M},
        "witness": {"values": {}, "shown": [0], "model": {"vectors": {"u": [1, 5], "v": [2]}}}}),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, lines, why, more = HOLES[name]
    with pytest.raises(RejectedError, match=why or "."):
        lined(says, *lines, **more)


def test_what_grows_at_each_line_is_rejected_in_time() -> None:
    """A square of a square of …: short lines, a long expression; reading it costs, writing it has to, too."""
    doubled = [instance(i, x=["*", "x", "x"]) for i in range(21)]
    with pytest.raises(RejectedError, match="too long"):
        lined(FALSE, positive(["^", "x", 2], even=True), *doubled)


SQUARE, ROOT, AT = ["^", "n", 2], ["^", "1/2", "1/2"], {"m": {"t": ["^", "n", 2]}}


def test_an_integer_stays_one_across_certificates() -> None:
    """m is t (t - 1): not negative at t = n^2, n an integer; who cites this must not take n real."""
    about, moved = {"letters": {"m": M}, "given": [], "says": [">=", "m"]}, ["@", "m", {"t": ["+", "t", 1]}]
    defined = ["=", less("m", ["*", "t", ["+", "t", -1]])]
    lines = [
        lemma(0), instance(0, t=0), combine([1, 1], says=[">=", ["@", "m", {"t": 0}]]),
        instance(0, t=["+", "t", 1]), leaf(assume=[">=", "m"]), leaf(assume=NATURAL),
        combine([1, 3], [-1, 0], [1, 4], [2, 5], says=[">=", moved]),
        induction([2, 6], ">=", "m"), instance(7, t=SQUARE), positive(SQUARE, even=True),
        combine([1, 8], says=[">=", ["@", "m", AT["m"]]], met=[9]),
    ]  # fmt: skip
    lined(about["says"], *lines, letters=about["letters"], taken={"m": M, "t": I, "n": I}, lent=[defined],
          at=AT)  # fmt: skip
    half = [
        instance("about", n=ROOT), lemma(0), instance(1, t=["^", ROOT, 2], n=ROOT), combine(["1/2"]),
        combine([1, 0], [-1, 2], says=[">=", "-1/4"], using=[[">=", "1/2"]], met=[3]),
    ]  # fmt: skip
    whole = {**NOTHING, "letters": {"m": M, "t": I, "n": I}, "at": AT}
    with pytest.raises(RejectedError):
        lined([">=", "-1/4"], *half, letters={}, taken={"m": M, "t": P, "n": P}, lent=[defined],
              lemmas={"about": about}, where={"about": whole})  # fmt: skip
