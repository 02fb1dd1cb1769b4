"""What certificates assume is nothing: a fact is rejected, and what is said of a letter."""

from typing import Any

import pytest

from oubli.theory.judging.gate import beyond
from oubli.theory.judging.replay import replay, taken
from oubli.theory.kernel.checker import NOTHING, digest
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.paper.ledger import ledger, verified

FOUND = [e.verdict.certificate or e.verdict.witness for e in verified().values()]
ENTRIES = {made["claim"]: made for made in FOUND if made is not None}
LEMMAS = taken(ENTRIES.values())
KEY = "sgd.rate.repaired"


def taking(takes: dict[str, Any]) -> dict[str, Any]:
    """A good certificate that takes something else, sealed anew."""
    made = {**ENTRIES[KEY], "takes": takes}
    return {**made, "hash": digest({part: made[part] for part in ("statement", "takes")})}


@pytest.mark.parametrize("key", ENTRIES)
def test_nothing_is_assumed(key: str) -> None:
    takes = ENTRIES[key]["takes"]
    assert takes == {**NOTHING, "letters": takes["letters"]}


@pytest.mark.parametrize("reason", ["definition", "domain", "state", "sum", "integral", "meaning", "because"])
def test_a_fact_that_somebody_adds_is_rejected(reason: str) -> None:
    """Whether a line uses it or not."""
    assert replay(ENTRIES[KEY], ledger(), LEMMAS) == KEY
    for facts in ([[*ENTRIES[KEY]["statement"]["says"], reason, []]], [], {}, None):
        with pytest.raises(RejectedError, match="something else for granted"):
            replay(taking({**ENTRIES[KEY]["takes"], "facts": facts}), ledger(), LEMMAS)


@pytest.mark.parametrize("part", NOTHING)
def test_a_certificate_says_all_that_it_assumes(part: str) -> None:
    takes = {name: value for name, value in ENTRIES[KEY]["takes"].items() if name != part}
    with pytest.raises(RejectedError, match="something else for granted"):
        replay(taking(takes), ledger(), LEMMAS)


def seen(**changed: Any) -> list[Any]:
    """What is assumed of letters."""
    return beyond({**NOTHING, **changed})


@pytest.mark.parametrize("part", ["slopes", "means"])
def test_a_meaning_that_somebody_adds_is_seen(part: str) -> None:
    stated = ["x_assumed", 0] if part == "slopes" else ["z_assumed", "everything", 1]
    assert seen(**{part: {"Z_assumed": stated}}) == [[part, "Z_assumed", stated]]


@pytest.mark.parametrize("along", ["x_assumed", "chance"])
def test_a_letter_that_somebody_holds_constant_is_seen(along: str) -> None:
    """If z = x and z does not change with x, then 0 = 1; if it is not random, its mean is each outcome."""
    assert seen(constant=[["z_assumed", along]]) == [["constant", "z_assumed", along]]


def test_a_value_at_which_somebody_takes_a_letter_is_seen() -> None:
    """If Z = t - 3, then Z >= 0 holds at t = 5, and is no claim about Z."""
    assert seen(at={"Z_assumed": {"t": 5}}) == [["at", "Z_assumed", {"t": 5}]]
