"""Each rule of the checker accepts a true example and rejects its false neighbours: one thing is changed."""

from copy import deepcopy
from typing import Any

import pytest

from oubli.theory.kernel.checker import RULES
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.written import LETTERS, combine, instance, leaf, lemma, less, lined, positive

Neighbour = tuple[tuple[Any, ...], Any, str]
# Without inner products, of which an instance has to show vectors.
PLAIN = {name: kind for name, kind in LETTERS.items() if name[0] != "<"}
X, Y = [">=", "x", "given"], [">", "y", "given"]
START, AFTER = (["@", "m", {"t": value}] for value in (0, ["+", "t", 1]))
NATURAL, BEFORE = [">=", less("t", 0)], less("m", "t")
SQUARES = ["=", less("m", ["^", "t", 2])]
NORM = ["+", "<u,u>", ["*", 2, "x", "<u,v>"], ["*", ["^", "x", 2], "<v,v>"]]
WHOLE = {
    "letters": {"n": [True, False], "m": [False, True]},
    "given": [[">=", less("n", 0), "domain"]],
    "says": [">=", ["+", ["^", "n", 2], ["*", -1, "n"]]],
}
TWICE = ["+", ["^", ["+", "n", "n"], 2], ["*", -1, ["+", "n", "n"]]]

# These have their examples in test_schemas.py and test_law_schemas.py.
ABOUT_OBJECTS = {"expect", "average", "over", "reach", "couple", "layers", "tell", "spin", "fill", "sweep",
                 "squeeze"}  # fmt: skip
# Of each example: what is proved, and (where, what instead, why it is rejected) for each neighbour.
EXAMPLES: dict[str, tuple[dict[str, Any], list[Neighbour]]] = {
    "assume": (
        {"says": [">=", "x"], "given": [X], "lines": [leaf(assume=[">=", "x"])]},
        [
            (("says", 0), ">", "not the claim"), (("says", 1), "y", "not the claim"),
            (("given", 0, 1), "y", "assumes more"), (("given",), [], "assumes more"),
            (("lines", 0, "assume", 0), "<=", "odd relation"),
            (("lines", 0, "by"), "trust me", "unknown rule"),
        ],
    ),
    "a lemma": (
        {"says": [">=", "m"], "given": [X], "lines": [lemma(0)], "lent": [[">", "m", [">=", "x"]]]},
        [
            (("given",), [], "assumes more"), (("says", 1), ["+", "m", -1], "not the claim"),
            (("says", 0), "=", "not the claim"), (("lent", 0, 1), "x", "not the claim"),
            (("lent", 0, 0), "!=", "not a statement"), (("lines", 0, "of"), "1", "malformed"),
            (("facts",), [], "for granted"),
            (("facts",), [[">", "m", "definition", [[">=", "x"]]]], "for granted"),
        ],
    ),
    "equal": (
        {"says": ["=", less(["exp", "x"], ["exp", "y"])], "given": [["=", less("x", "y"), "given"]],
         "lines": [leaf(equal=["exp", "x", "y"])]},
        [
            (("given", 0, 0), ">=", "assumes more"), (("given", 0, 1), less("x", "a"), "assumes more"),
            (("says", 1), less(["exp", "x"], ["exp", "a"]), "not the claim"),
        ],
    ),
    "norm": (
        {"says": [">=", NORM], "lines": [leaf(norm={"u": 1, "v": "x"}, says=[">=", NORM])]},
        [
            (("lines", 0, "norm"), {"u": 1, "v": "y"}, "does not follow"),
            (("lines", 0, "says", 0), ">", "does not follow"),
            (("lines", 0, "norm"), {"u": 1, "w": "x"}, "combination of vectors"),
            (("letters", "<u,v>"), [False, False], "combination of vectors"),
        ],
    ),
    "positive on a box": (
        {"says": [">", less(2, "x")], "given": [[">=", less("x", 0), "given"], [">=", less(1, "x"), "given"]],
         "lines": [positive(less(2, "x"), box={"x": [0, 1]}, bits=64)]},
        [
            (("lines", 0, "box", "x", 1), 2, "not positive"), (("lines", 0, "box"), {}, "malformed"),
            (("lines", 0, "bits"), 4, "not positive"),
            (("given",), [[">=", less("x", 0), "given"]], "assumes more"),
            (("lines", 0, "of"), ["log", "x"], "not positive"),
        ],
    ),
    "an even power": (
        {"says": [">=", ["+", ["^", "x", 2], ["*", -2, "x"], 1]],
         "lines": [positive(["^", less("x", 1), 2], even=True), combine([1, 0], says="says")]},
        [
            (("lines", 0, "of", 2), 3, "even power"), (("lines", 0, "of", 2), -2, "even power"),
            (("lines", 0, "of", 0), "*", "even power"), (("lines", 0, "of", 2), "1/2", "does not follow"),
            (("lines", 0, "of", 1), less("x", 2), "does not follow"), (("says", 0), ">", "does not follow"),
        ],
    ),
    "a power of what is positive": (
        {"says": [">", ["^", "y", "-1/2"]], "given": [Y], "lines": [positive(["^", "y", "-1/2"])]},
        [
            (("given", 0, 0), ">=", "assumes more"), (("given", 0, 1), ["*", -1, "y"], "assumes more"),
            (("lines", 0, "of", 0), "*", "not positive"),
        ],
    ),
    "an exponential": (
        {"says": [">", ["exp", "x"]], "lines": [positive(["exp", "x"])]},
        [
            (("lines", 0, "of", 0), "log", "not positive"),
            (("lines", 0, "of"), ["*", -1, ["exp", "x"]], "not positive"),
            (("says", 1), less(["exp", "x"], 1), "not the claim"),
        ],
    ),
    "combine": (
        {"says": [">", ["+", ["*", 2, "x"], ["*", 3, "y", "x"], "y"]], "given": [X, Y],
         "lines": [leaf(assume=X[:2]), leaf(assume=Y[:2]), combine([2, 0], [3, 1, 0], [1, 1], says="says")]},
        [
            (("lines", 2, "terms", 0, 0), -2, "not positive"),
            (("lines", 2, "terms", 0, 0), "a", "malformed"),
            (("lines", 2, "terms", 0, 0), 3, "does not follow"),
            (("lines", 2, "terms", 2), [1, 0], "does not follow"),
            (("lines", 2, "terms", 2), [1, 5], "malformed"), (("says", 0), "=", "does not follow"),
            (("given", 0, 1), "a", "assumes more"),
        ],
    ),
    "an equation times anything": (
        {"says": ["=", ["*", "a", "x"]], "given": [["=", "x", "given"]],
         "lines": [leaf(assume=["=", "x"]), combine(["a", 0], says="says")]},
        [
            (("lines", 0, "assume", 0), ">=", "malformed"),
            (("lines", 1, "terms", 0, 0), "b", "does not follow"), (("given", 0, 0), ">=", "assumes more"),
        ],
    ),
    "a divisor that is not 0": (
        {"says": ["=", ["+", ["*", "y", ["^", "y", -1]], -1]], "given": [Y],
         "lines": [combine(says="says", using=[[">", "y"]])]},
        [
            (("lines", 0, "using"), [], "does not follow"),
            (("lines", 0, "using", 0, 0), ">=", "does not follow"),
            (("lines", 0, "using", 0, 1), "x", "does not follow"), (("given", 0, 0), ">=", "assumes more"),
        ],
    ),
    "a root squared": (
        {"says": ["=", less(["^", ["^", "x", "1/2"], 2], "x")], "given": [X],
         "lines": [combine(says="says", using=[[">=", "x"]])]},
        [
            (("lines", 0, "using"), [], "does not follow"), (("given",), [], "assumes more"),
        ],
    ),
    "a hypothesis that is met": (
        {"says": [">", ["^", ["+", "x", "y"], -1]], "given": [X, Y],
         "lines": [leaf(assume=X[:2]), leaf(assume=Y[:2]), combine([1, 0], [1, 1]),
                   positive(["^", ["+", "x", "y"], -1], met=[2])]},
        [
            (("lines", 3, "met"), [], "assumes more"), (("lines", 3, "met"), [1], "assumes more"),
            (("lines", 2, "terms"), [[1, 0]], "assumes more"),
            (("lines", 1, "assume", 0), ">=", "assumes more"),
        ],
    ),
    "instance": (
        {"says": [">=", TWICE], "given": [[">=", less(["+", "n", "n"], 0), "given"]],
         "lemmas": {"whole": WHOLE}, "lines": [instance("whole", n=["+", "n", "n"])]},
        [
            (("lines", 0, "with", "n"), ["*", "1/2", "n"], "no integer"),
            (("lines", 0, "with", "n"), ["^", "n", -1], "no integer"),
            (("lines", 0, "with", "n"), "x", "no integer"),
            (("lines", 0, "with"), {"m": 0}, "cannot be chosen"),
            (("lines", 0, "with", "n"), "n", "not the claim"), (("says", 1, 2), "m", "not the claim"),
            (("given",), [], "assumes more"), (("letters", "n"), [False, False], "two kinds"),
        ],
    ),
    "cases": (
        {"says": [">=", ["^", "x", 2]],
         "lines": [leaf(assume=[">=", "x"]), leaf(assume=[">=", ["*", -1, "x"]]),
                   combine([1, 0, 0], says="says"), combine([1, 1, 1], says="says"),
                   {"by": "cases", "of": [2, 3], "on": "x"}]},
        [
            (("lines", 4, "on"), "y", "assumes more"), (("lines", 4, "of"), [2, 2], "assumes more"),
            (("lines", 4, "of"), [3, 2], "assumes more"), (("lines", 4, "of"), [0, 3], "cases differ"),
            (("lines", 1, "assume", 0), ">", "assumes more"),
        ],
    ),
    "induction": (
        {"says": [">=", BEFORE], "given": [[*NATURAL, "given"]], "lent": [SQUARES, [*NATURAL, NATURAL]],
         "lines": [lemma(0), instance(0, t=0), instance(0, t=["+", "t", 1]), leaf(assume=[">=", BEFORE]),
                   lemma(1), combine([1, 1], says=[">=", less(START, 0)]),
                   combine([1, 2], [-1, 0], [1, 3], [2, 4], says=[">=", less(AFTER, ["+", "t", 1])]),
                   {"by": "induction", "of": [5, 6], "index": "t", "shows": [">=", BEFORE]}]},
        [
            (("lent", 0, 1), less("m", ["^", "t", 3]), "does not follow"),
            (("lent", 0, 1), less("m", ["+", ["^", "t", 2], "x"]), "does not follow"),
            (("lent", 1, 2), [">=", less("t", 8)], "one time only"),
            (("lines", 7, "of"), [6, 6], "not shown at 0"), (("lines", 7, "of"), [5, 5], "not shown at"),
            (("lines", 7, "shows", 0), ">", "not shown at 0"),
            (("letters", "t"), [False, False], "an index is an integer"), (("given",), [], "assumes more"),
        ],
    ),
    "rise": (
        {"says": [">=", less(["log", "y"], ["log", 1])], "given": [[">=", less("y", 1), "given"]],
         "lines": [leaf(assume=[">", less("x", 0)]), combine([1, 0], says=[">", "x"]),
                   positive(["^", "x", -1], met=[1]), combine([1]), leaf(assume=[">=", less("y", 1)]),
                   combine([1, 4], [1], says=[">", "y"]), combine([1], says=[">=", less(1, 0)]),
                   {"by": "rise", "of": [2, 1, 3, 5], "variable": "x", "function": ["log", "x"],
                    "between": [1, "y"], "met": [6]}]},
        [
            (("lines", 7, "between"), ["y", 1], "not the claim"),
            (("lines", 7, "between"), [0, "y"], "not shown positive"),
            (("lines", 7, "between"), [1, "x"], "no free real variable"),
            (("lines", 7, "function"), ["*", -1, ["log", "x"]], "slope is not shown"),
            (("lines", 7, "function"), ["phi1", "x"], "KeyError"),
            (("lines", 7, "of"), [2, 1, 3], "not shown positive"),
            (("lines", 7, "of"), [2, 3, 5], "not shown positive"),
            (("lines", 0, "assume"), [">", less(less("x", 0), 0)], "is no end"),
            (("letters", "x"), [True, False], "no free real variable"), (("given",), [], "assumes more"),
        ],
    ),
    "mean": (
        {"says": [">=", ["+", ["*", "x", -3], ["*", 1, "m"]]], "given": [X, [">=", less(1, "x"), "given"]],
         "lent": [[">=", ["+", "k", -3]]], "means": {"m": ["k", "an event", "x"]},
         "lines": [lemma(0), {"by": "mean", "of": 0, "free": -3, "times": {"m": 1}}]},
        [
            (("means", "m", 2), "y", "not the claim"), (("means", "m", 0), "<u,u>", "not linear"),
            (("lent", 0, 1), ["+", ["^", "k", 2], -3], "not linear"),
            (("lent", 0), [">=", ["+", "k", -3], [">=", "k"]], "something else is random"),
            (("lines", 1, "free"), ["+", "<u,u>", -3], "something else is random"),
            (("lines", 1, "times"), {"m": "k"}, "something else is random"),
            (("lines", 1, "times"), {}, "malformed"), (("lines", 1, "times"), {"k": 1}, "malformed"),
            (("given", 1, 1), less(2, "x"), "assumes more"), (("says", 0), ">", "not the claim"),
        ],
    ),
    "a witness": (
        {"says": [">=", ["+", ["*", 2, "x"], "n", -1]], "given": [[">=", ["+", "x", "-1/3"], "given"]],
         "letters": PLAIN, "kind": "witness", "witness": {"values": {"x": "2/5", "n": 0}, "shown": [0, 1]},
         "lines": [combine(["1/15"]), combine(["1/5"])]},
        [
            (("witness", "values", "x"), "1/2", "not shown at the instance"),
            (("witness", "values", "n"), "1/10", "no integer"),
            (("witness", "shown"), [1], "not shown at the instance"),
            (("witness", "shown"), [0, 0], "not shown at the instance"),
            (("given", 0, 0), "=", "not shown at the instance"),
            (("lines", 1), leaf(assume=[">", "1/5"]), "not shown at the instance"),
            (("kind",), "exact", "not the claim|malformed"),
        ],
    ),
    "that something exists": (
        {"says": ["=", less(["^", "x", 2], 2)], "given": [X], "letters": PLAIN, "kind": "exact",
         "exists": True, "witness": {"values": {"x": ["^", 2, "1/2"]}, "shown": [0, 2]},
         "lines": [positive(["^", 2, "1/2"], even=True), combine([2]),
                   combine(says=["=", less(["^", ["^", 2, "1/2"], 2], 2)], using=[[">=", 2]], met=[1])]},
        [
            (("says", 1), less(["^", "x", 2], 3), "not shown at the instance"),
            (("witness", "values", "x"), 2, "not shown at the instance"),
            (("lines", 2, "met"), [], "not shown at the instance"),
            (("kind",), "proof", "not the claim|malformed"), (("exists",), False, "not the claim|malformed"),
        ],
    ),
}  # fmt: skip

PIECE = ["-1", "1", "1/2", 0, 0]
MODEL: tuple[dict[str, Any], list[Neighbour]] = (
    {"says": [">=", ["+", "m", -1, ["*", -1, "k"]]], "kind": "witness", "letters": PLAIN,
     "witness": {
         "values": {"m": ["left", "A", 1], "k": ["tv", "P", "Q"], "L": 2, "mu": 1}, "shown": [0],
         "model": {"members": {"A": [PIECE]}, "laws": {"P": {"1": "1/2", "2": "1/2"}, "Q": {"2": 1}}},
     },
     "lines": [combine(["1/2"])]},
    [
        (("witness", "model", "members", "A", 0, 2), "1/3", "not in the class"),
        (("witness", "model", "members", "A", 0, 3), 2, "not in the class"),
        (("witness", "model", "members", "A", 0, 1), "1/2", "not in the class"),
        (("witness", "model", "members", "A"), [["-1", 0, 1, 1, 0], [0, 1, 1, -1, 0]], "not in the class"),
        (("witness", "model", "members", "A"), [["-1", 0, 1, 0, 0], [0, 1, 1, 0, 1]], "not continuous"),
        (("witness", "model", "laws", "P", "1"), "1/4", "not a law"),
        (("witness", "model", "laws", "P"), {"1": "3/2", "2": "-1/2"}, "not a law"),
        (("witness", "values", "m", 0), "right", "malformed"),
        (("witness", "values", "m", 2), -1, "malformed"),
        (("witness", "values", "m", 2), 5, "malformed"), (("witness", "values", "L"), 1, "not in the class"),
    ],
)  # fmt: skip
ALL = {**EXAMPLES, "a model": MODEL}


def check(example: dict[str, Any]) -> None:
    said = {"says": example["says"]}
    lines = [{**line, **said} if line.get("says") == "says" else line for line in example["lines"]]
    lined(*said.values(), *lines, **{k: v for k, v in example.items() if k not in ("says", "lines")})


def changed(example: dict[str, Any], where: tuple[Any, ...], value: Any) -> dict[str, Any]:
    out: Any = {"letters": LETTERS, "given": [], **example}
    at = out = deepcopy(out)
    for key in where[:-1]:
        at = at[key]
    at[where[-1]] = value
    return out  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", ALL)
def test_a_true_example_is_accepted(name: str) -> None:
    check(ALL[name][0])


@pytest.mark.parametrize(("name", "i"), [(name, i) for name in ALL for i in range(len(ALL[name][1]))])
def test_a_false_neighbour_is_rejected(name: str, i: int) -> None:
    example, neighbours = ALL[name]
    where, value, why = neighbours[i]
    with pytest.raises(RejectedError, match=why):
        check(changed(example, where, value))


def test_every_rule_has_an_example() -> None:
    assert {line["by"] for example, _ in ALL.values() for line in example["lines"]} | ABOUT_OBJECTS == set(
        RULES
    )
