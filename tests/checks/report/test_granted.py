"""What a proof assumes is said in words."""

from typing import Any

import pytest
from click.testing import CliRunner

from oubli.checks.report.granted import granted, in_words
from oubli.cli.show import show
from oubli.theory.paper.ledger import verified

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
    ],
)
def test_a_line(takes: dict[str, Any], words: str) -> None:
    assert granted(certificate(**takes)) == [words]


def test_a_letter_at_other_values_is_told_with_them() -> None:
    at = ["@", "S", {"t": ["+", "t", 1], "u": ["@", "g", {"k": "K"}]}]
    assert in_words(["*", 2, at]) == "2*S[t = t + 1, u = g[k = K]]"


def test_nothing_is_told_of_no_proof() -> None:
    assert granted({}) == []


def test_nothing_is_granted_in_the_paper() -> None:
    made = [entry.verdict.certificate for entry in verified().values()]
    assert [c["claim"] for c in made if c and c["takes"]["means"]] == []
    assert "assumed without proof" not in CliRunner().invoke(show, ["sharp.kink"]).output


def test_a_claim_that_something_exists_is_read_as_one() -> None:
    assert "says    for some values τ_PQ" in CliRunner().invoke(show, ["tv_dp.attained"]).output
