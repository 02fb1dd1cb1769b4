"""Measured letters: false statements by letters that change their meaning on the way, refused or disclosed.

A letter may depend on parameters, on what is random, on an index. It remembers at which values it is taken,
through steps and across certificates; what cannot be followed is disclosed in what is assumed.
"""

from typing import Any

import pytest

from tests.adversarial.written import MEASURED as M
from tests.adversarial.written import (
    NATURAL,
    ONES,
    REAL,
    accepted,
    combined,
    instanced,
    less,
    refused,
    st,
    step,
)

# Domains: [lower, open, upper, open, integer, measured].
FROM_TEN = [10, False, None, False, True, False]
BOX = [-1, False, 1, False, False, False]
COUNT = [0, False, None, False, True, True]


def cite(key: str, times: Any = 1, because: dict[str, Any] | None = None, **values: Any) -> dict[str, Any]:
    return {"times": times, "lemma": key, "with": values, "because": because or {}}


def fact(index: int, times: Any = 1) -> dict[str, Any]:
    return {"times": times, "given": index}


def one(times: Any) -> dict[str, Any]:
    return {"times": times, "one": True}


def defined(letter: str, parameter: str, value: Any, domain: list[Any] = REAL) -> dict[str, Any]:
    """letter = value(parameter), a true fact under the formalisation that says so."""
    says = ["=", less(letter, value)]
    return combined(letter, st(says, [[*says, "definition"]], **{letter: M, parameter: domain}), fact(0))


def induction(name: str, statement: dict[str, Any], invariant: Any, at: str, end: Any) -> dict[str, Any]:
    return step(
        name, statement, rule="induction", index="t", invariant=invariant, base="base", step=at,
        start={"k": 0}, next={"k": "k2"}, end=end,
    )  # fmt: skip


BASE = combined("base", st([">=", 0]))
GROWS = ["=", ["+", "k2", ["*", -1, "k"], ["*", -1, "q"]], "definition"]
TEN_AT_LEAST = [
    ONES,
    combined("A", st(["=", less("N", "S")], N=FROM_TEN, S=M), cite("ones", T="N")),
    combined("A2", st([">=", ["+", "S", -10]], N=FROM_TEN, S=M), cite("A", -1), one(["+", "N", -10])),
    combined("B", st([">=", ["+", "S", -10]], S=M), cite("A2")),
]
FIVE = [ONES, combined("five", st(["=", less(5, "S")], S=M), cite("ones", T=5))]
HALF_SQUARE = ["*", "1/2", "t", ["+", "t", -1]]
BELOW_LINE = combined(
    "dn",
    st(
        [">=", less(["*", "q", ["+", "t", 1]], "k2")],
        [[">=", less(["*", "q", "t"], "k"), "given"], GROWS],
        k=M, k2=M, q=REAL, t=NATURAL,
    ),
    fact(0),
    fact(1, -1),
)  # fmt: skip
UNDER = induction(
    "D", st([">=", less(["*", "q", "T"], "k")], k=M, T=NATURAL, q=REAL), less(["*", "q", "t"], "k"), "dn", "T"
)

REFUSED: dict[str, list[dict[str, Any]]] = {
    "a parameter that is gone, set again": [
        *TEN_AT_LEAST,
        combined("C", st([">=", -5], S=M), cite("B", N=5), cite("ones", T=5)),
    ],
    "a value whose own value is lost": [
        defined("f", "x", "x"),
        defined("g", "q", "q"),
        combined("s1", st(["=", less("f", "g")], f=M, g=M), cite("f", x="g")),
        combined("s2", st(["=", ["+", "f", -5]], f=M, g=M), cite("s1"), cite("g", q=5)),
        combined("s3", st(["=", ["+", "f", -7]], f=M, g=M), cite("s1"), cite("g", q=7)),
        combined("s4", st(["=", -2], f=M), cite("s3"), cite("s2", -1)),
    ],
    "two letters taken at one another": [
        defined("f", "x", ["+", "x", 1]),
        defined("g", "y", ["+", "y", 1]),
        combined("b", st(["=", -2], f=M, g=M), cite("f", x="g"), cite("g", y="f")),
    ],
    "a mean of a letter taken at a value": [
        defined("y", "T", "T"),
        combined("a", st([">=", less("y", "T")], y=M, T=REAL), cite("y")),
        combined("b", st([">=", less(5, "y")], y=M), cite("y", -1, T=5)),
        step(
            "Ea", st([">=", less("m", "T")], m=M, T=REAL), rule="expectation", step="a", means={"y": "m"},
            mass=1,
        ),
        step("Eb", st([">=", less(5, "m")], m=M), rule="expectation", step="b", means={"y": "m"}, mass=1),
        combined("c", st([">=", less(5, "T")], m=M, T=REAL), cite("Ea"), cite("Eb")),
    ],
    "an integral of a letter taken at a value": [
        combined(
            "g",
            st(["=", less("q", "g")], [["=", less("q", "g"), "definition"]], g=M, q=REAL, x=REAL),
            fact(0),
        ),
        combined("b", st([">=", less(5, "g")], g=M, x=REAL), cite("g", q=5)),
        step(
            "Ib", st([">=", less(5, "j")], j=M), rule="integrate", step="b", variable="x",
            function=["*", 5, "x"], slope="g", rise="j", **{"from": 0, "to": 1},
        ),
        defined("j", "q", "q"),
        combined("c", st([">=", less(5, "q")], j=M, q=REAL), cite("Ib"), cite("j")),
    ],
    "an induction that ends at its own state": [
        combined(
            "s",
            st(
                [">=", ["+", "k2", ["*", -2, ["+", "t", 1]], -1]],
                [
                    [">=", ["+", "k", ["*", -2, "t"], -1], "given"],
                    ["=", ["+", "k2", ["*", -1, "k"], -2], "definition"],
                ],
                k=COUNT, k2=COUNT, t=NATURAL,
            ),
            fact(0),
            fact(1),
        ),
        BASE,
        step(
            "e", st([">=", ["+", "k", ["*", -2, "k"], -1]], k=COUNT), rule="induction", index="t",
            invariant=["+", "k", ["*", -2, "t"], -1], base="base", step="s", start={"k": 1}, next={"k": "k2"},
            end="k",
        ),
    ],
    "an undefined conclusion of cases": [
        combined("a", st([">=", 0])),
        step(
            "b", st([">=", ["+", 1, ["^", ["^", -1, "1/2"], 2]]]), rule="cases", on=0, nonnegative="a",
            nonpositive="a",
        ),
    ],
    "an undefined conclusion of a mean": [
        combined("a", st([">=", 0])),
        step(
            "b", st([">=", ["+", 1, ["^", ["^", -1, "1/2"], 2]]]), rule="expectation", step="a", means={},
            mass=1,
        ),
    ],
}  # fmt: skip

VARYING = combined("s", st([">=", ["*", 2, "x"]], [[">=", "z", "given"]], z=M, x=BOX), fact(0), cite("z", -1))
# Of each: a part of `takes`, and what must be disclosed there.
DISCLOSED: dict[str, tuple[str, Any, list[dict[str, Any]]]] = {
    # f is x + 1, and does not depend on x.
    "a letter taken at itself": (
        "constant", ["f", "x"],
        [
            defined("f", "x", ["+", "x", 1]),
            combined("b", st(["=", -1], f=M), cite("f", x="f")),
        ],
    ),
    # k grows by q in each step, and by 5, and does not depend on q.
    "an induction that forgets the other parameters of its state": (
        "constant", ["k", "q"],
        [
            BASE,
            combined(
                "up",
                st(
                    [">=", less("k2", ["*", "q", ["+", "t", 1]])],
                    [[">=", less("k", ["*", "q", "t"]), "given"], GROWS],
                    k=M, k2=M, q=REAL, t=NATURAL,
                ),
                fact(0),
                fact(1),
            ),
            combined(
                "up5",
                st(
                    [">=", less("k2", ["*", 5, ["+", "t", 1]])],
                    [[">=", less("k", ["*", 5, "t"]), "given"]],
                    k=M, k2=M, t=NATURAL,
                ),
                cite("up", q=5),
            ),
            induction(
                "U", st([">=", less("k", ["*", 5, "T"])], k=M, T=NATURAL), less("k", ["*", 5, "t"]), "up5",
                "T",
            ),
            BELOW_LINE,
            UNDER,
            combined(
                "c", st([">=", less(["*", "q", "T"], ["*", 5, "T"])], k=M, T=NATURAL, q=REAL), cite("U"),
                cite("D"),
            ),
        ],
    ),
    "a letter that cancels is written for another": (
        "facts", ["=", less("u", "S"), "meaning", []],
        [
            ONES,
            combined("c", st(["=", 0], T=NATURAL, u=M), cite("ones", S="u"), cite("ones", -1, S="u")),
        ],
    ),
    "a printed hypothesis on a letter under an integral": (
        "constant", ["z", "x"],
        [
            defined("z", "x", ["*", 2, "x"], BOX),
            VARYING,
            step(
                "i", st([">=", -1], [[">=", "z", "given"]], z=M), rule="integrate", step="s", variable="x",
                function=["^", "x", 2], **{"from": -1, "to": 0},
            ),
        ],
    ),
    "a printed hypothesis on a letter under a mean": (
        "constant", ["z", "chance"],
        [
            combined(
                "a",
                st([">=", "y"], [[">=", "z", "given"], ["=", less("y", "z"), "definition"]], y=M, z=M),
                fact(0),
                fact(1),
            ),
            step(
                "b", st([">=", "m"], [[">=", "z", "given"]], m=M, z=M), rule="expectation", step="a",
                means={"y": "m"}, mass=1,
            ),
        ],
    ),
    "a letter of the invariant that does not move": (
        "constant", ["z", "t"],
        [
            combined(
                "s",
                st(
                    [">=", less(["*", ["+", "t", 1], "z"], "k2")],
                    [
                        [">=", less(["*", "t", "z"], "k"), "given"],
                        ["=", ["+", "k2", ["*", -1, "k"], ["*", -1, "z"]], "definition"],
                    ],
                    k=M, k2=M, z=M, t=NATURAL,
                ),
                fact(0),
                fact(1, -1),
            ),
            BASE,
            induction(
                "A", st([">=", less(["*", "T", "z"], "k")], k=M, z=M, T=NATURAL), less(["*", "t", "z"], "k"),
                "s", "T",
            ),
        ],
    ),
    "a state along a parameter that moves with it": (
        "constant", ["k", "q"],
        [
            combined("mv", st(GROWS[:2], [GROWS], k=M, k2=M, q=REAL, t=NATURAL), fact(0)),
            combined(
                "s",
                st(
                    [">=", less("k2", ["*", "1/2", "t", ["+", "t", 1]])],
                    [[">=", less("k", HALF_SQUARE), "given"]],
                    k=M, k2=M, t=NATURAL,
                ),
                fact(0),
                cite("mv", q="t"),
            ),
            BASE,
            induction(
                "U", st([">=", less("k", ["*", "1/2", "T", ["+", "T", -1]])], k=M, T=NATURAL),
                less("k", HALF_SQUARE), "s", "T",
            ),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_letter_that_changes_its_meaning_is_refused(name: str) -> None:
    assert refused(accepted, REFUSED[name])


@pytest.mark.parametrize("name", DISCLOSED)
def test_what_cannot_be_followed_is_disclosed(name: str) -> None:
    part, assumed, steps = DISCLOSED[name]
    assert assumed in accepted(steps)[part]


def test_a_state_that_forgets_a_parameter_moves_in_two_ways() -> None:
    assumed = accepted(DISCLOSED["an induction that forgets the other parameters of its state"][2])["facts"]
    after = ["@", "k", {"t": ["+", "t", 1]}]
    moves = [expr for _, expr, why, _ in assumed if why == "state"]
    assert less(after, ["@", "k2", {"q": 5}]) in moves
    assert less(after, "k2") in moves


def test_a_parameter_that_is_gone_is_not_captured_across_certificates() -> None:
    at, said = accepted(TEN_AT_LEAST)["at"], TEN_AT_LEAST[-1]["statement"]
    steps = [
        ONES,
        combined("n", st(["=", less("N", "S")], N=NATURAL, S=M), cite("ones", T="N")),
        combined("c", st([">=", ["+", "N", -10]], N=NATURAL, S=M), cite("B"), cite("n")),
    ]
    assert refused(accepted, steps, {"B": said}, {"B": at})


def test_a_value_is_remembered_across_certificates() -> None:
    at, said = accepted(FIVE)["at"], FIVE[-1]["statement"]
    assert at["S"]["n"] == 5
    true = combined("c", st(["=", ["+", 5, ["*", -1, "S"]]], S=M), cite("five"))
    assert accepted([true], {"five": said}, {"five": at})["at"] == at
    steps = [ONES, combined("c", st(["=", ["+", "T", -5]], T=NATURAL, S=M), cite("ones"), cite("five", -1))]
    assert refused(accepted, steps, {"five": said}, {"five": at})


def test_a_witness_does_not_take_a_lemma_elsewhere() -> None:
    at, lemmas = accepted(FIVE)["at"], {"five": FIVE[-1]["statement"]}
    true = st([">=", less("S", "T")], T=NATURAL, S=M)
    witness = {"values": {"T": 10}, "terms": [cite("five"), one(5)]}
    assert refused(instanced, true, witness, lemmas, {"five": at})


def test_a_witness_discloses_what_it_writes_for_a_letter() -> None:
    terms = [cite("l", T=10, S="m"), one(1)]
    statement = st([">=", ["+", "m", ["*", -1, "T"], -1]], T=NATURAL, m=M)
    lemma = st(["=", less("T", "S")], T=NATURAL, S=M)
    takes = instanced(statement, {"values": {"T": 10}, "terms": terms}, {"l": lemma})
    assert ["=", less("m", "S"), "meaning", []] in takes["facts"]


def test_what_exists_is_cited_by_no_rule() -> None:
    some = {**st([">=", "x"], x=REAL), "exists": True}
    both = step("a", st([">=", "x"], x=REAL), rule="cases", on=0, nonnegative="some", nonpositive="some")
    assert refused(accepted, [both], {"some": some})
    cited = combined("a", st([">=", "x"], x=REAL), cite("some"))
    assert "exists" in refused(accepted, [cited], {"some": some})
