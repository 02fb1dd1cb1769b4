"""False statements by joins: sums, means, integrals, inductions and cases that do not fit.

Each is refused, or rests on something false that its certificate tells.
"""

from typing import Any

import pytest

from tests.adversarial.written import (
    BELOW_ONE,
    BOTH_SIDES,
    FALLING,
    FALSE,
    FRACTION,
    JUMP,
    KINK,
    MEASURED,
    NATURAL,
    NONNEGATIVE,
    ONE,
    ONES,
    REAL,
    accepted,
    combined,
    less,
    refused,
    st,
    step,
)

HOLES: dict[str, list[dict[str, Any]]] = {
    "a rise that is no letter": [
        combined("a", st([">=", 0], x=REAL)),
        step(
            "b", st([">=", -5]), rule="integrate", step="a", variable="x", function=0, slope=0, rise=5,
            **{"from": 0, "to": 1},
        ),
    ],
    "a negative probability": [
        combined("a", st([">=", 1]), ONE),
        step("b", st(FALSE), rule="expectation", step="a", means={}, mass=-1),
    ],
    "a mean that is chosen": [
        combined("a", st([">=", "y"], y=NONNEGATIVE), {"times": "y", "one": True}),
        step("b", st([">=", -5]), rule="expectation", step="a", means={"y": -5}, mass=1),
    ],
    "an induction that ends between two integers": [
        combined("base", st([">=", 0])),
        combined(
            "step", st([">=", ["*", ["+", "t", 1], "t"]], t=NATURAL),
            {"times": ["*", ["+", "t", 1], "t"], "one": True},
        ),
        step(
            "end", st([">=", "-1/4"]), rule="induction", index="t", invariant=["*", "t", ["+", "t", -1]],
            base="base", step="step", start={}, next={}, end="1/2",
        ),
    ],
    "an induction whose step starts late": [
        combined("base", st([">=", 0])),
        combined(
            "step",
            st([">=", ["*", ["+", "t", 1], ["+", "t", -8]]], t=[10, False, None, False, True, False]),
            {"times": ["*", ["+", "t", 1], ["+", ["+", "t", -10], 2]], "one": True},
        ),
        step(
            "end", st([">=", -20]), rule="induction", index="t", invariant=["*", "t", ["+", "t", -9]],
            base="base", step="step", start={}, next={}, end=5,
        ),
    ],
    "an induction over a letter that can be chosen": [
        combined("base", st([">=", ["+", 2, -1]]), ONE),
        combined(
            "step", st([">=", ["+", 2, ["*", "-1/2", "q"]]], [[">=", FALLING, "given"]], q=REAL),
            {"times": "1/2", "given": 0}, ONE,
        ),
        step(
            "end", st([">=", FALLING], q=REAL), rule="induction", index="t", invariant=FALLING, base="base",
            step="step", start={"q": 1}, next={"q": ["*", "1/2", "q"]}, end=7,
        ),
    ],
    "a monotone function with a jump": [
        combined("slope", st([">=", 0], x=BOTH_SIDES)),
        step(
            "b", st([">=", -2]), rule="integrate", step="slope", variable="x", function=JUMP,
            **{"from": -1, "to": 1},
        ),
    ],
    "a convex function with a kink the wrong way": [
        combined("curve", st([">=", 0], x=BOTH_SIDES)),
        step(
            "b", st([">=", -2]), rule="convex", step="curve", variable="x", function=KINK, at=0,
            **{"from": -1, "to": 1},
        ),
    ],
    "a logarithm from 0": [
        combined(
            "slope", st([">=", ["^", "x", -1]], x=[0, True, None, False, False, False]),
            {"times": ["^", "x", -1], "one": True},
        ),
        step(
            "b", st([">=", ["+", ["log", 1], ["*", -1, ["log", 0]]]]), rule="integrate", step="slope",
            variable="x", function=["log", "x"], **{"from": 0, "to": 1},
        ),
    ],
    "cases over two domains": [
        combined(
            "a", st(FALSE, [[">=", "x", "given"]], x=[-2, False, -1, False, False, False]),
            {"times": 1, "given": 0}, {"times": ["+", -1, ["*", -1, "x"]], "one": True},
        ),
        combined(
            "b", st(FALSE, [[">=", ["*", -1, "x"], "given"]], x=[1, False, 2, False, False, False]),
            {"times": 1, "given": 0}, {"times": ["+", "x", -1], "one": True},
        ),
        step("c", st(FALSE), rule="cases", on="x", nonnegative="a", nonpositive="b"),
    ],
    "a sum that is typed": [
        step(
            "a", st(["=", ["+", 1, -2]]), rule="sum", index="n", closed="n", term=1, first=1, last=1, total=2
        )
    ],
    "a sum over no range": [
        step(
            "a", st(["=", ["+", -5, ["*", -1, "S"]]], S=MEASURED), rule="sum", index="n", closed="n", term=1,
            first=1, last=-5, total="S",
        )
    ],
    "a slope without its rise": [
        combined("a", st([">=", 0], x=REAL)),
        step(
            "b", st(FALSE), rule="integrate", step="a", variable="x", function=["*", -1, "x"], slope=-1,
            **{"from": 0, "to": 1},
        ),
    ],
    "an induction that starts at another index": [
        combined("base", st([">=", 0])),
        combined(
            "s", st([">=", ["+", "t", -99]], [[">=", ["+", "t", -100], "given"]], t=NATURAL),
            {"times": 1, "given": 0}, ONE,
        ),
        step(
            "e", st([">=", -100]), rule="induction", index="t", invariant=["+", "t", -100], base="base",
            step="s", start={"t": 100}, next={}, end=0,
        ),
    ],
    "an induction that fixes a free letter": [
        combined("base", st([">=", 1]), ONE),
        combined("s", st([">=", "q"], [[">=", "q", "given"]], q=REAL), {"times": 1, "given": 0}),
        step(
            "e", st([">=", "q"], q=REAL), rule="induction", index="t", invariant="q", base="base", step="s",
            start={"q": 1}, next={}, end=0,
        ),
        combined("f", st(FALSE), {"times": 1, "lemma": "e", "with": {"q": -1}}),
    ],
    "an induction whose index is bound by a hypothesis": [
        combined("base", st([">=", 0])),
        combined(
            "s",
            st([">=", ["*", ["+", "t", 1], ["+", "t", -8]]], [[">=", ["+", "t", -8], "given"]], t=NATURAL),
            {"times": ["+", "t", 1], "given": 0},
        ),
        step(
            "e", st([">=", -20], [[">=", ["+", "t", -8], "given"]], t=NATURAL), rule="induction", index="t",
            invariant=["*", "t", ["+", "t", -9]], base="base", step="s", start={}, next={}, end=5,
        ),
        combined("f", st([">=", -20]), {"times": 1, "lemma": "e", "with": {"t": 8}}),
    ],
    "an induction whose state is bound by a hypothesis about its end": [
        combined("base", st([">=", 0])),
        combined(
            "s",
            st(
                [">=", ["+", "t", 1, ["*", -1, "k2"]]],
                [
                    [">=", ["+", "t", ["*", -1, "k"]], "given"],
                    [">=", ["+", 1, ["*", -1, "m"]], "given"],
                    ["=", ["+", "k2", ["*", -1, "k"], ["*", -1, "m"]], "definition"],
                ],
                t=NATURAL, k=MEASURED, m=MEASURED, k2=MEASURED,
            ),
            {"times": 1, "given": 0}, {"times": 1, "given": 1}, {"times": -1, "given": 2},
        ),
        step(
            "e",
            st(
                [">=", ["+", 4, ["*", -1, "k"]]],
                [[">=", ["+", 1, ["*", -1, "m"]], "given"]],
                k=MEASURED, m=MEASURED,
            ),
            rule="induction", index="t", invariant=["+", "t", ["*", -1, "k"]], base="base", step="s",
            start={"k": 0, "m": 8}, next={"k": "k2", "m": ["*", "1/2", "m"]}, end=4,
        ),
    ],
    "0/0 taken for 1 in a case": [
        combined(
            "a", st([">", ["^", "x", 2]], [[">", ["*", "x", ["^", "x", -1]], "given"]], x=REAL),
            {"times": ["^", "x", 2], "one": True},
        ),
        step(
            "b", st([">", ["^", "x", 2]], [[">", 1, "given"]], x=REAL), rule="cases", on=0, nonnegative="a",
            nonpositive="a",
        ),
        combined("c", st([">", 0]), {"times": 1, "lemma": "b", "with": {"x": 0}}),
    ],
    "a total laundered through a step without its parameter": [
        ONES,
        combined(
            "five", st(["=", ["+", 5, ["*", -1, "S"]]], S=MEASURED),
            {"times": 1, "lemma": "ones", "with": {"T": 5}},
        ),
        combined(
            "c", st(["=", ["+", "T", -5]], T=NATURAL), {"times": 1, "lemma": "ones", "with": {}},
            {"times": -1, "lemma": "five", "with": {}},
        ),
    ],
    "a total laundered through another name of its parameter": [
        ONES,
        combined(
            "re", st(["=", ["+", "N", ["*", -1, "S"]]], N=NATURAL, S=MEASURED),
            {"times": 1, "lemma": "ones", "with": {"T": "N"}},
        ),
        combined(
            "c", st(["=", ["+", "T", ["*", -1, "N"]]], T=NATURAL, N=NATURAL),
            {"times": 1, "lemma": "ones", "with": {}}, {"times": -1, "lemma": "re", "with": {}},
        ),
    ],
    "a total inside its own sum": [
        step(
            "a", st(["=", ["+", ["*", "T", "S"], ["*", -1, "S"]]], T=NATURAL, S=MEASURED),
            rule="sum", index="n", closed=["*", "n", "S"], term="S", first=1, last="T", total="S",
        )
    ],
    "a mean whose meaning is hidden": [
        BELOW_ONE,
        combined(
            "a2", st([">=", ["+", "z", -2]], z=[2, False, 3, False, False, True]),
            {"times": ["+", "z", -2], "one": True},
        ),
        step(
            "b", st([">=", ["+", 1, ["*", -1, "m"]]], m=MEASURED), rule="expectation", step="a",
            means={"y": "m"}, mass=1,
        ),
        step(
            "c", st([">=", ["+", "m", -2]], m=MEASURED), rule="expectation", step="a2", means={"z": "m"},
            mass=1, rise="j", slope="g", variable="x", **{"from": 0, "to": 1},
        ),
        combined(
            "d", st(FALSE), {"times": 1, "lemma": "b", "with": {}}, {"times": 1, "lemma": "c", "with": {}}
        ),
    ],
    "a printed hypothesis on what is random": [
        combined("a", st([">=", "y"], [[">=", "y", "given"]], y=MEASURED), {"times": 1, "given": 0}),
        step(
            "b", st([">=", "m"], [[">=", "y", "given"]], y=MEASURED, m=MEASURED), rule="expectation",
            step="a", means={"y": "m"}, mass=1,
        ),
    ],
    "an integral over a letter that is measured": [
        combined(
            "a", st([">=", ["*", 2, ["+", "x", -5]]], [[">=", ["+", "x", -5], "definition"]], x=MEASURED),
            {"times": 2, "given": 0},
        ),
        step(
            "b", st([">=", -225]), rule="integrate", step="a", variable="x",
            function=["^", ["+", "x", -5], 2], **{"from": -10, "to": 5},
        ),
    ],
}  # fmt: skip

AT_END, COUNTED = ["@", "S", {"n": "T"}], ["@", "S", {"n": ["+", "n", 1]}]
AREA = less(["@", "int_g", {"x": "1/2"}], ["@", "int_g", {"x": 0}])
# What is assumed in each, and cannot all hold: parts of `takes` with what is in them.
DISCLOSED: dict[str, tuple[dict[str, list[Any]], list[dict[str, Any]]]] = {
    # Each step adds one, and each step adds two.
    "a total that stands for two sums": (
        {"facts": [["=", less(COUNTED, ["+", "S", k]), "sum", []] for k in (1, 2)]},
        [
            step(
                "ones",
                st(["=", ["+", "T", ["*", -1, "S"]]], T=NATURAL, S=MEASURED),
                rule="sum", index="n", closed="n", term=1, first=1, last="T", total="S",
            ),
            step(
                "twos",
                st(["=", ["+", ["*", 2, "T"], ["*", -1, "S"]]], T=NATURAL, S=MEASURED),
                rule="sum", index="n", closed=["*", 2, "n"], term=2, first=1, last="T", total="S",
            ),
            combined(
                "no steps at all",
                st(["=", "T"], T=NATURAL, S=MEASURED),
                {"times": 1, "lemma": "twos", "with": {}},
                {"times": -1, "lemma": "ones", "with": {}},
            ),
        ],
    ),
    # A sum of T ones that is at most 1 for every T: who uses the domain of the total, tells it.
    "a total in a narrow domain": (
        {"facts": [[">=", less(1, AT_END), "domain", [[">=", less("T", 0)]]]]},
        [
            step(
                "a",
                st(["=", ["+", "T", ["*", -1, "S"]]], T=NATURAL, S=FRACTION),
                rule="sum", index="n", closed="n", term=1, first=1, last="T", total="S",
            ),
            combined(
                "b",
                st([">=", less(1, "T")], T=NATURAL, S=FRACTION),
                {"times": -1, "lemma": "a", "with": {}},
                {"times": less(1, "S"), "one": True},
            ),
        ],
    ),
    # y is the mean of y over half of all outcomes, and that of 1 is 1/2.
    "a mean named as what is random": (
        {"means": [("y", ["y", "event of b", "1/2"])]},
        [
            BELOW_ONE,
            step(
                "b", st([">=", ["+", "1/2", ["*", -1, "y"]]], y=FRACTION), rule="expectation", step="a",
                means={"y": "y"}, mass="1/2",
            ),
        ],
    ),
    # g is 1, and the integral of g over half of the line.
    "a rise that is its slope": (
        {"slopes": [("int_g", ["x", "g"])], "facts": [["=", less("g", AREA), "integral", []]]},
        [
            combined(
                "a",
                st(
                    [">=", ["+", 1, ["*", -1, "g"]]],
                    [["=", ["+", 1, ["*", -1, "g"]], "definition"]],
                    x=REAL, g=MEASURED,
                ),
                {"times": 1, "given": 0},
            ),
            step(
                "b", st([">=", ["+", "1/2", ["*", -1, "g"]]], g=MEASURED), rule="integrate", step="a",
                variable="x", function="x", slope="g", rise="g", **{"from": 0, "to": "1/2"},
            ),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_refused(name: str) -> None:
    assert refused(accepted, HOLES[name])


@pytest.mark.parametrize("name", DISCLOSED)
def test_a_false_statement_rests_on_what_is_told(name: str) -> None:
    assumed, steps = DISCLOSED[name]
    takes = {part: [*row.items()] if isinstance(row, dict) else row for part, row in accepted(steps).items()}
    assert all(item in takes[part] for part, items in assumed.items() for item in items)
