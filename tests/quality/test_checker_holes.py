"""False statements that a careless checker would accept, each through another door; all are refused."""

from typing import Any

import pytest

from theory.checker import Rejected, accept_proof, accept_witness

# Domains: [lower, open, upper, open, integer, measured].
REAL = [None, False, None, False, False, False]
NATURAL = [0, False, None, False, True, False]
NONNEGATIVE = [0, False, None, False, False, False]
MEASURED = [None, False, None, False, False, True]


def st(says: list[Any], given: list[list[Any]] | None = None, **quantities: list[Any]) -> dict[str, Any]:
    return {"quantities": quantities, "given": given or [], "says": says}


def step(name: str, statement: dict[str, Any], **by: Any) -> dict[str, Any]:
    return {"name": name, "statement": statement, "by": by}


def combined(name: str, statement: dict[str, Any], *terms: dict[str, Any]) -> dict[str, Any]:
    return step(name, statement, rule="combination", terms=list(terms))


ONE = {"times": 1, "one": True}
IMAGINARY = ["^", -1, "1/2"]
FALSE = [">=", -1]
JUMP = ["*", -1, ["^", ["^", "x", 2], "1/2"], ["^", "x", -1]]
KINK = ["*", -1, ["^", ["^", "x", 2], "1/2"]]
BOTH_SIDES = [-1, False, 1, False, False, False]
FALLING = ["+", 2, ["*", -1, "q"]]

HOLES: dict[str, list[dict[str, Any]]] = {
    "the square of an imaginary number": [combined("a", st(FALSE), {"times": 1, "square": IMAGINARY})],
    "an imaginary coefficient": [
        combined(
            "a", st([">=", ["*", -1, "<u,u>"]], **{"<u,u>": REAL}), {"times": 1, "norm": {"u": IMAGINARY}}
        )
    ],
    "a lemma at an imaginary number": [
        combined("sq", st([">=", ["^", "x", 2]], x=REAL), {"times": 1, "square": "x"}),
        combined("b", st(FALSE), {"times": 1, "lemma": "sq", "with": {"x": IMAGINARY}}),
    ],
    "an unknown reason": [combined("a", st(FALSE, [[">=", -1, "because"]]), {"times": 1, "given": 0})],
    "a measured letter set to a number": [
        combined("a", st([">=", "m"], [[">=", "m", "definition"]], m=MEASURED), {"times": 1, "given": 0}),
        combined("b", st(FALSE), {"times": 1, "lemma": "a", "with": {"m": -1}}),
    ],
    "a rise that is no letter": [
        combined("a", st([">=", 0], x=REAL)),
        step(
            "b",
            st([">=", -5]),
            rule="integrate",
            step="a",
            variable="x",
            function=0,
            slope=0,
            rise=5,
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
            "step",
            st([">=", ["*", ["+", "t", 1], "t"]], t=NATURAL),
            {"times": ["*", ["+", "t", 1], "t"], "one": True},
        ),
        step(
            "end",
            st([">=", "-1/4"]),
            rule="induction",
            index="t",
            invariant=["*", "t", ["+", "t", -1]],
            base="base",
            step="step",
            start={},
            next={},
            end="1/2",
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
            "end",
            st([">=", -20]),
            rule="induction",
            index="t",
            invariant=["*", "t", ["+", "t", -9]],
            base="base",
            step="step",
            start={},
            next={},
            end=5,
        ),
    ],
    "an induction over a letter that can be chosen": [
        combined("base", st([">=", ["+", 2, -1]]), ONE),
        combined(
            "step",
            st([">=", ["+", 2, ["*", "-1/2", "q"]]], [[">=", FALLING, "given"]], q=REAL),
            {"times": "1/2", "given": 0},
            ONE,
        ),
        step(
            "end",
            st([">=", FALLING], q=REAL),
            rule="induction",
            index="t",
            invariant=FALLING,
            base="base",
            step="step",
            start={"q": 1},
            next={"q": ["*", "1/2", "q"]},
            end=7,
        ),
    ],
    "a monotone function with a jump": [
        combined("slope", st([">=", 0], x=BOTH_SIDES)),
        step(
            "b",
            st([">=", -2]),
            rule="integrate",
            step="slope",
            variable="x",
            function=JUMP,
            **{"from": -1, "to": 1},
        ),
    ],
    "a convex function with a kink the wrong way": [
        combined("curve", st([">=", 0], x=BOTH_SIDES)),
        step(
            "b",
            st([">=", -2]),
            rule="convex",
            step="curve",
            variable="x",
            function=KINK,
            at=0,
            **{"from": -1, "to": 1},
        ),
    ],
    "a logarithm from 0": [
        combined(
            "slope",
            st([">=", ["^", "x", -1]], x=[0, True, None, False, False, False]),
            {"times": ["^", "x", -1], "one": True},
        ),
        step(
            "b",
            st([">=", ["+", ["log", 1], ["*", -1, ["log", 0]]]]),
            rule="integrate",
            step="slope",
            variable="x",
            function=["log", "x"],
            **{"from": 0, "to": 1},
        ),
    ],
    "cases over two domains": [
        combined(
            "a",
            st(FALSE, [[">=", "x", "given"]], x=[-2, False, -1, False, False, False]),
            {"times": 1, "given": 0},
            {"times": ["+", -1, ["*", -1, "x"]], "one": True},
        ),
        combined(
            "b",
            st(FALSE, [[">=", ["*", -1, "x"], "given"]], x=[1, False, 2, False, False, False]),
            {"times": 1, "given": 0},
            {"times": ["+", "x", -1], "one": True},
        ),
        step("c", st(FALSE), rule="cases", on="x", nonnegative="a", nonpositive="b"),
    ],
    "two model functions taken for one": [
        step("a", st(["=", ["+", ["tv", "P", "Q"], ["*", -1, ["tv", "P", "P"]]]]), rule="identity")
    ],
    "a sum that is typed": [
        step(
            "a", st(["=", ["+", 1, -2]]), rule="sum", index="n", closed="n", term=1, first=1, last=1, total=2
        )
    ],
    "a sum over no range": [
        step(
            "a",
            st(["=", ["+", -5, ["*", -1, "S"]]], S=MEASURED),
            rule="sum",
            index="n",
            closed="n",
            term=1,
            first=1,
            last=-5,
            total="S",
        )
    ],
    "a domain nobody can read": [
        combined(
            "a", st([">=", "x"], x=["-1.5", False, None, False, False, False]), {"times": "x", "one": True}
        )
    ],
    "a number for a name": [
        combined("a", st(FALSE, **{"-1": NONNEGATIVE}), {"times": -1, "one": True}),
    ],
    "a letter taken at two values of its parameter": [
        combined(
            "rise",
            st(
                [">=", ["+", "q", ["*", -1, "m"]]],
                [[">=", ["+", "q", ["*", -1, "m"]], "Lipschitz"]],
                m=MEASURED,
                q=REAL,
            ),
            {"times": 1, "given": 0},
        ),
        combined(
            "b",
            st([">=", ["*", -1, "q"]], [["=", ["+", "m", ["*", -1, "q"]], "definition"]], m=MEASURED, q=REAL),
            {"times": 1, "lemma": "rise", "with": {"q": 0}},
            {"times": 1, "given": 0},
        ),
    ],
    "a total that stands for two sums": [
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
    "a box that is smaller than the domain": [
        step(
            "a",
            st([">", ["+", 2, ["*", -1, "x"]]], x=[0, False, 3, False, False, False]),
            rule="subdivision", box={"x": [0, 1]}, tree="positive", bits=64,
        )
    ],
    "a division by nothing": [step("a", st(["=", ["+", ["*", 0, ["^", 0, -1]], -1]]), rule="identity")],
    "an own name for a lemma": [
        combined("a", st([">=", 1]), ONE),
        combined("a", st(FALSE), {"times": -1, "lemma": "a", "with": {}}),
    ],
}


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_refused(name: str) -> None:
    steps = HOLES[name]
    with pytest.raises(Rejected):
        accept_proof({"statement": steps[-1]["statement"], "steps": steps}, {})


def test_inner_products_of_no_vectors_are_refused() -> None:
    says = [">=", ["+", 4, ["*", -1, ["+", "<a,a>", ["*", -2, "<a,b>"], "<b,b>"]]]]
    statement = st(says, **dict.fromkeys(("<a,a>", "<a,b>", "<b,b>"), MEASURED))
    bogus = {"<a,a>": 1, "<a,b>": -100, "<b,b>": 1}
    with pytest.raises(Rejected, match="no vectors"):
        accept_witness({"statement": statement, "witness": {"values": bogus}}, {})
    accept_witness({"statement": statement, "witness": {"values": {"<a,a>": 4, "<a,b>": -4, "<b,b>": 4}}}, {})


def test_an_imaginary_value_is_no_witness() -> None:
    statement = st([">", ["+", ["^", "x", 2], 1]], x=REAL)
    with pytest.raises(Rejected, match="radicand"):
        accept_witness({"statement": statement, "witness": {"values": {"x": IMAGINARY}}}, {})


@pytest.mark.parametrize("bomb", [["^", 10**1000, 64], ["+", 1, ["^", 3, -64]], ["exp", 20_000]])
def test_towers_of_powers_are_refused_at_once(bomb: Any) -> None:
    for _ in range(12):
        bomb = ["^", bomb, 64]
    with pytest.raises(Rejected):
        accept_proof({"statement": st([">", bomb]), "steps": [combined("a", st([">", bomb]), ONE)]}, {})
    with pytest.raises(Rejected):
        accept_witness({"statement": st([">=", "x"], x=REAL), "witness": {"values": {"x": bomb}}}, {})


def test_a_witness_must_value_every_letter_of_the_hypotheses() -> None:
    statement = st([">=", "x"], [[">=", ["+", "x", "y"], "Lipschitz"]], x=MEASURED, y=MEASURED)
    with pytest.raises(Rejected, match="left open"):
        accept_witness({"statement": statement, "witness": {"values": {"x": -1}}}, {})


@pytest.mark.parametrize(
    "junk", [None, 3, [], {}, {"steps": 1}, {"statement": {}, "steps": [{}]}, {"steps": [[]]}]
)
def test_junk_is_refused_not_crashed_on(junk: Any) -> None:
    with pytest.raises(Rejected):
        accept_proof(junk, {})
    with pytest.raises(Rejected):
        accept_witness(junk, {})
