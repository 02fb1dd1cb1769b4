"""What a proof takes for granted is told in words."""

import pytest
from click.testing import CliRunner

from checks.commands.show import show
from checks.report.granted import granted, line


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (["in", "x", [0, False, None, False, False, False]], ""),
        (["is", "tau", ["integral", "p_u", "u", 0, "g"]], "tau is the integral of p_u over u = 0 … g"),
        (["is", "m", ["mean", "y", 1]], "m is the mean of y"),
        (["is", "m", ["mean", "y", "1/2"]], "m is the mean of y over an event of probability 1/2"),
        (["constant", "z", ["y", "w"]], "z does not depend on y, w"),
        (["constant", "z", "u"], "z does not depend on u"),
        (["state", "k", ["t", 0, ["+", "k", 1]]], "k starts at 0 and is k + 1 after one more t"),
        (["as", "m", ["ones", "S"]], "m is what ones calls S"),
        (["along", "q", ["mv", "t"]], "q of mv is set to t, along which states move"),
        ([">=", ["+", "a", -1], "Jensen"], "a - 1 ≥ 0  (Jensen)"),
    ],
)
def test_a_line(fact: list[object], words: str) -> None:
    assert line(fact) == words


def test_values_are_told() -> None:
    at = [["S", "T", 5], ["S", "N", "N"], ["N", "", [0, False, None, False, True, False]]]
    assert granted({"facts": [], "at": at}) == ["S is meant at T = 5"]


def test_show_tells_what_is_granted() -> None:
    out = CliRunner().invoke(show, ["two_point.repaired"]).output
    assert "taken for granted" in out
    assert "is the mean of" in out


def test_a_claim_that_something_exists_is_read_as_one() -> None:
    assert "says    for some values tau_PQ" in CliRunner().invoke(show, ["tv_dp.attained"]).output
