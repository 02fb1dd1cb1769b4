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
    granted,
    hypothesis,
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
    """letter = value(parameter), a lemma under the formalisation that says so."""
    return granted(letter, st(["=", less(letter, read(value))], **{letter: M, parameter: domain}))


BASE = combined("base", st("0 >= 0"))
TEN_AT_LEAST = [
    ONES,
    combined("A", st("N - S == 0", N=FROM_TEN, S=M), cite("ones", T="N")),
    combined("A2", st("S - 10 >= 0", N=FROM_TEN, S=M), cite("A", -1), one("N - 10")),
    combined("B", st("S - 10 >= 0", S=M), cite("A2")),
]
FIVE = [ONES, combined("five", st("5 - S == 0", S=M), cite("ones", T=5))]

REFUSED: dict[str, list[dict[str, Any]]] = {
    "a letter written for another": [
        ONES,
        combined("c", st("0 == 0", T=NATURAL, u=M), cite("ones", S="u"), cite("ones", -1, S="u")),
    ],
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
        granted("g", st("q - g == 0", g=M, q=REAL, x=REAL)),
        combined("b", st("5 - g >= 0", g=M, x=REAL), cite("g", q=5)),
        integrate("Ib", st("5 - j >= 0", j=M), "b", "5*x", 0, 1, slope="g", rise="j"),
        defined("j", "q", "q"),
        combined("c", st("5 - q >= 0", j=M, q=REAL), cite("Ib"), cite("j")),
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

VARYING = combined("s", st("2*x >= 0", "z >= 0", z=M, x=BOX), hypothesis(0), cite("z", -1))
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
    "a printed hypothesis on a letter under an integral": (
        "constant", ["z", "x"],
        [
            granted("z", st("z - 2*x == 0", z=M, x=BOX)),
            VARYING,
            integrate("i", st(FALSE, "z >= 0", z=M), "s", "x**2", -1, 0),
        ],
    ),
    "a printed hypothesis on a letter under a mean": (
        "constant", ["z", "chance"],
        [
            granted("yz", st("y - z == 0", y=M, z=M)),
            combined("a", st("y >= 0", "z >= 0", y=M, z=M), hypothesis(0), cite("yz")),
            expectation("b", st("m >= 0", "z >= 0", m=M, z=M), "a", y="m"),
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


def test_a_witness_writes_no_letter_for_another() -> None:
    terms = [cite("l", T=10, S="m"), one(1)]
    statement = st("m - T - 1 >= 0", T=NATURAL, m=M)
    lemma = st("T - S == 0", T=NATURAL, S=M)
    assert "itself alone" in refused(
        instanced, statement, {"values": {"T": 10}, "terms": terms}, {"l": lemma}
    )


def test_what_exists_is_cited_by_no_rule() -> None:
    some = {**st("x >= 0", x=REAL), "exists": True}
    both = step("a", st("x >= 0", x=REAL), rule="cases", on=0, nonnegative="some", nonpositive="some")
    assert refused(accepted, [both], {"some": some})
    cited = combined("a", st("x >= 0", x=REAL), cite("some"))
    assert "exists" in refused(accepted, [cited], {"some": some})
