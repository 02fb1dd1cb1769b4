"""What a proof assumes is said in words."""

from typing import Any

import pytest
from click.testing import CliRunner

from oubli.checks.report.granted import granted, in_words, related
from oubli.cli.show import show

STATEMENT = {
    "letters": {"x": [False, False], "S": [False, True]},
    "given": [[">", "x", "given"], [">=", ["+", "S", ["*", -1, 0]], "domain"]],
}


def certificate(**takes: Any) -> dict[str, Any]:
    return {"statement": STATEMENT, "takes": takes}


@pytest.mark.parametrize(
    ("takes", "words"),
    [
        ({"constant": [["z", "u"]]}, "z is taken not to change with u"),
        ({"constant": [["z", "chance"], ["w", "chance"]]}, "z, w are taken not to be random"),
        ({"slopes": {"int_p_u": ["u", "p_u"]}}, "d/du int_p_u = p_u"),
        ({"means": {"m": ["y", "everything", 1]}}, "m is the mean of y"),
        (
            {"means": {"m": ["y", "event of agreement", "1/2"]}},
            "m is the mean of y over the event “agreement”, of probability 1/2",
        ),
        ({"at": {"S": {"T": 5, "N": "N"}}}, "S is meant at T = 5"),
        ({"facts": [[">=", ["+", "a", ["*", -1, 1]], "Jensen", []]]}, "a ≥ 1  (Jensen)"),
        ({"facts": [[">=", "a", "Jensen", [[">", "x"]]]]}, "a ≥ 0  (Jensen)"),
        (
            {"facts": [["=", ["+", "m", ["*", -1, ["@", "S", {"t": 0}]]], "meaning", []]]},
            "m = S[t = 0]  (two names of one thing)",
        ),
    ],
)
def test_a_line(takes: dict[str, Any], words: str) -> None:
    assert granted(certificate(**takes)) == [words]


def test_conditions_of_a_step_are_told_once_and_those_of_the_claim_are_not() -> None:
    step = [[">", "x"], [">=", ["+", 1, ["*", -1, "u"]]], [">", "v"]]
    facts = [["=", "a", "Jensen", step], [">=", "b", "Mills", step], [">", "c", "Mills", []]]
    assert granted(certificate(facts=facts)) == [
        "c > 0  (Mills)",
        "where u ≤ 1 and v > 0",
        "  a = 0  (Jensen)",
        "  b ≥ 0  (Mills)",
    ]


def test_domains_are_told_of_letters_that_the_claim_does_not_show() -> None:
    facts = [[">=", ["+", "S", ["*", -1, 0]], "domain", []], [">=", ["+", "n", ["*", -1, 0]], "domain", []]]
    facts += [[">=", ["+", 1, ["*", -1, "n"]], "domain", []]]
    assert granted(certificate(facts=facts)) == ["n ≥ 0, n ≤ 1  (where letters range)"]


def test_a_letter_at_other_values_is_told_with_them() -> None:
    at = ["@", "S", {"t": ["+", "t", 1], "u": ["@", "g", {"k": "K"}]}]
    assert in_words(["*", 2, at]) == "2*S[t = t + 1, u = g[k = K]]"
    assert related("=", ["+", at, ["*", -1, ["^", "x", 2]]]) == "S[t = t + 1, u = g[k = K]] = x^2"


def test_nothing_is_told_of_no_proof() -> None:
    assert granted({}) == []


def test_show_tells_what_is_granted() -> None:
    out = CliRunner().invoke(show, ["sharp.kink"]).output
    assert "assumed without proof" in out
    assert "is the mean of" in out
    assert "taken not to be random" in out


def test_a_claim_that_something_exists_is_read_as_one() -> None:
    assert "says    for some values tau_PQ" in CliRunner().invoke(show, ["tv_dp.attained"]).output
