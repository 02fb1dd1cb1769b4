"""Measured letters: false statements by letters that change their meaning on the way, refused or disclosed.

A letter may depend on parameters, on what is random, on an index. It remembers at which values it is taken,
through steps and across certificates; what cannot be followed is disclosed in what is assumed.
"""

from typing import Any

import pytest

from tests.adversarial.written import (
    FALSE,
    IMAGINARY,
    NATURAL,
    ONES,
    REAL,
    accepted,
    cite,
    combined,
    expectation,
    fact,
    induction,
    instanced,
    integrate,
    less,
    one,
    read,
    refused,
    st,
    step,
)
from tests.adversarial.written import MEASURED as M

# Domains: [lower, open, upper, open, integer, measured].
FROM_TEN = [10, False, None, False, True, False]
BOX = [-1, False, 1, False, False, False]
COUNT = [0, False, None, False, True, True]


def defined(letter: str, parameter: str, value: Any, domain: list[Any] = REAL) -> dict[str, Any]:
    """letter = value(parameter), a true fact under the formalisation that says so."""
    says = ["=", less(letter, read(value))]
    return combined(letter, st(says, [*says, "definition"], **{letter: M, parameter: domain}), fact(0))


STATE = {"k": 0}, {"k": "k2"}
BASE = combined("base", st("0 >= 0"))
TEN_AT_LEAST = [
    ONES,
    combined("A", st("N - S == 0", N=FROM_TEN, S=M), cite("ones", T="N")),
    combined("A2", st("S - 10 >= 0", N=FROM_TEN, S=M), cite("A", -1), one("N - 10")),
    combined("B", st("S - 10 >= 0", S=M), cite("A2")),
]
FIVE = [ONES, combined("five", st("5 - S == 0", S=M), cite("ones", T=5))]
GROWING = {"k": M, "k2": M, "q": REAL, "t": NATURAL}
BELOW_LINE = combined(
    "dn",
    st("q*(t + 1) - k2 >= 0", "q*t - k >= 0 given", "k2 - k - q == 0 definition", **GROWING),
    fact(0),
    fact(1, -1),
)
UNDER = induction("D", st("q*T - k >= 0", k=M, T=NATURAL, q=REAL), "q*t - k", "dn", "T", *STATE)

REFUSED: dict[str, list[dict[str, Any]]] = {
    "a parameter that is gone, set again": [
        *TEN_AT_LEAST,
        combined("C", st("-5 >= 0", S=M), cite("B", N=5), cite("ones", T=5)),
    ],
    "a value whose own value is lost": [
        defined("f", "x", "x"),
        defined("g", "q", "q"),
        combined("s1", st("f - g == 0", f=M, g=M), cite("f", x="g")),
        combined("s2", st("f - 5 == 0", f=M, g=M), cite("s1"), cite("g", q=5)),
        combined("s3", st("f - 7 == 0", f=M, g=M), cite("s1"), cite("g", q=7)),
        combined("s4", st("-2 == 0", f=M), cite("s3"), cite("s2", -1)),
    ],
    "two letters taken at one another": [
        defined("f", "x", "x + 1"),
        defined("g", "y", "y + 1"),
        combined("b", st("-2 == 0", f=M, g=M), cite("f", x="g"), cite("g", y="f")),
    ],
    "a mean of a letter taken at a value": [
        defined("y", "T", "T"),
        combined("a", st("y - T >= 0", y=M, T=REAL), cite("y")),
        combined("b", st("5 - y >= 0", y=M), cite("y", -1, T=5)),
        expectation("Ea", st("m - T >= 0", m=M, T=REAL), "a", y="m"),
        expectation("Eb", st("5 - m >= 0", m=M), "b", y="m"),
        combined("c", st("5 - T >= 0", m=M, T=REAL), cite("Ea"), cite("Eb")),
    ],
    "an integral of a letter taken at a value": [
        combined("g", st("q - g == 0", "q - g == 0 definition", g=M, q=REAL, x=REAL), fact(0)),
        combined("b", st("5 - g >= 0", g=M, x=REAL), cite("g", q=5)),
        integrate("Ib", st("5 - j >= 0", j=M), "b", "5*x", 0, 1, slope="g", rise="j"),
        defined("j", "q", "q"),
        combined("c", st("5 - q >= 0", j=M, q=REAL), cite("Ib"), cite("j")),
    ],
    "an induction that ends at its own state": [
        combined("s",
            st("k2 + (-2)*(t + 1) - 1 >= 0", "k + (-2)*t - 1 >= 0 given", "k2 - k - 2 == 0 definition",
                k=COUNT, k2=COUNT, t=NATURAL),
            fact(0), fact(1)),
        BASE,
        induction("e", st("k + (-2)*k - 1 >= 0", k=COUNT), "k + (-2)*t - 1", "s", "k", {"k": 1}, {"k": "k2"}),
    ],
    "an undefined conclusion of cases": [
        combined("a", st("0 >= 0")),
        step("b", st([">=", ["+", 1, ["^", IMAGINARY, 2]]]), rule="cases", on=0, nonnegative="a",
            nonpositive="a"),
    ],
    "an undefined conclusion of a mean": [
        combined("a", st("0 >= 0")),
        expectation("b", st([">=", ["+", 1, ["^", IMAGINARY, 2]]]), "a"),
    ],
}  # fmt: skip

VARYING = combined("s", st("2*x >= 0", "z >= 0 given", z=M, x=BOX), fact(0), cite("z", -1))
# Of each: a part of `takes`, and what must be disclosed there.
DISCLOSED: dict[str, tuple[str, Any, list[dict[str, Any]]]] = {
    # f is x + 1, and does not depend on x.
    "a letter taken at itself": (
        "constant", ["f", "x"],
        [
            defined("f", "x", "x + 1"),
            combined("b", st("-1 == 0", f=M), cite("f", x="f")),
        ],
    ),
    # k grows by q in each step, and by 5, and does not depend on q.
    "an induction that forgets the other parameters of its state": (
        "constant", ["k", "q"],
        [
            BASE,
            combined("up",
                st("k2 - q*(t + 1) >= 0", "k - q*t >= 0 given", "k2 - k - q == 0 definition", k=M, k2=M,
                    q=REAL, t=NATURAL),
                fact(0), fact(1)),
            combined("up5", st("k2 - 5*(t + 1) >= 0", "k - 5*t >= 0 given", k=M, k2=M, t=NATURAL),
                cite("up", q=5)),
            induction("U", st("k - 5*T >= 0", k=M, T=NATURAL), "k - 5*t", "up5", "T", *STATE),
            BELOW_LINE,
            UNDER,
            combined("c", st("q*T - 5*T >= 0", k=M, T=NATURAL, q=REAL), cite("U"), cite("D")),
        ],
    ),
    "a letter that cancels is written for another": (
        "facts", ["=", less("u", "S"), "meaning", []],
        [
            ONES,
            combined("c", st("0 == 0", T=NATURAL, u=M), cite("ones", S="u"), cite("ones", -1, S="u")),
        ],
    ),
    "a printed hypothesis on a letter under an integral": (
        "constant", ["z", "x"],
        [
            combined("z", st("z - 2*x == 0", "z - 2*x == 0 definition", z=M, x=BOX), fact(0)),
            VARYING,
            integrate("i", st(FALSE, "z >= 0 given", z=M), "s", "x**2", -1, 0),
        ],
    ),
    "a printed hypothesis on a letter under a mean": (
        "constant", ["z", "chance"],
        [
            combined("a", st("y >= 0", "z >= 0 given", "y - z == 0 definition", y=M, z=M), fact(0), fact(1)),
            expectation("b", st("m >= 0", "z >= 0 given", m=M, z=M), "a", y="m"),
        ],
    ),
    "a letter of the invariant that does not move": (
        "constant", ["z", "t"],
        [
            combined("s",
                st("(t + 1)*z - k2 >= 0", "t*z - k >= 0 given", "k2 - k - z == 0 definition", k=M, k2=M,
                    z=M, t=NATURAL),
                fact(0), fact(1, -1)),
            BASE,
            induction("A", st("T*z - k >= 0", k=M, z=M, T=NATURAL), "t*z - k", "s", "T", *STATE),
        ],
    ),
    "a state along a parameter that moves with it": (
        "constant", ["k", "q"],
        [
            combined("mv", st("k2 - k - q == 0", "k2 - k - q == 0 definition", k=M, k2=M, q=REAL, t=NATURAL),
                fact(0)),
            combined("s", st("k2 - 1/2*t*(t + 1) >= 0", "k - 1/2*t*(t - 1) >= 0 given", k=M, k2=M, t=NATURAL),
                fact(0), cite("mv", q="t")),
            BASE,
            induction("U", st("k - 1/2*T*(T - 1) >= 0", k=M, T=NATURAL), "k - 1/2*t*(t - 1)", "s", "T",
                *STATE),
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
        combined("n", st("N - S == 0", N=NATURAL, S=M), cite("ones", T="N")),
        combined("c", st("N - 10 >= 0", N=NATURAL, S=M), cite("B"), cite("n")),
    ]
    assert refused(accepted, steps, {"B": said}, {"B": at})


def test_a_value_is_remembered_across_certificates() -> None:
    at, said = accepted(FIVE)["at"], FIVE[-1]["statement"]
    assert at["S"]["n"] == 5
    true = combined("c", st("5 - S == 0", S=M), cite("five"))
    assert accepted([true], {"five": said}, {"five": at})["at"] == at
    steps = [ONES, combined("c", st("T - 5 == 0", T=NATURAL, S=M), cite("ones"), cite("five", -1))]
    assert refused(accepted, steps, {"five": said}, {"five": at})


def test_a_witness_does_not_take_a_lemma_elsewhere() -> None:
    at, lemmas = accepted(FIVE)["at"], {"five": FIVE[-1]["statement"]}
    true = st("S - T >= 0", T=NATURAL, S=M)
    witness = {"values": {"T": 10}, "terms": [cite("five"), one(5)]}
    assert refused(instanced, true, witness, lemmas, {"five": at})


def test_a_witness_discloses_what_it_writes_for_a_letter() -> None:
    terms = [cite("l", T=10, S="m"), one(1)]
    statement = st("m - T - 1 >= 0", T=NATURAL, m=M)
    lemma = st("T - S == 0", T=NATURAL, S=M)
    takes = instanced(statement, {"values": {"T": 10}, "terms": terms}, {"l": lemma})
    assert ["=", less("m", "S"), "meaning", []] in takes["facts"]


def test_what_exists_is_cited_by_no_rule() -> None:
    some = {**st("x >= 0", x=REAL), "exists": True}
    both = step("a", st("x >= 0", x=REAL), rule="cases", on=0, nonnegative="some", nonpositive="some")
    assert refused(accepted, [both], {"some": some})
    cited = combined("a", st("x >= 0", x=REAL), cite("some"))
    assert "exists" in refused(accepted, [cited], {"some": some})
