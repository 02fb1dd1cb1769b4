"""Coverage: every displayed relation has a verdict, few stay open, and the digests notice a change."""

from oubli.theory.paper import PAPER
from oubli.theory.paper.ledger import ledger, verified
from oubli.theory.records.coverage import changed_lines, line_digest, summary


def test_every_relation_is_judged_and_few_stay_open() -> None:
    entries = verified()
    statuses = {key: entry.verdict.status.value for key, entry in entries.items()}
    found = summary(PAPER.displays(), statuses)
    assert found["judged"] == found["relations"]
    assert found["open"] <= 0.05 * found["relations"]


def test_keys_of_the_inventory_exist_and_point_near_their_line() -> None:
    claims = ledger().claims
    for display in PAPER.displays():
        assert set(display.keys) <= set(claims)


def test_a_changed_line_is_noticed() -> None:
    displays = PAPER.displays()[:1]
    assert changed_lines(displays, "no such paper") == [displays[0].line]
    assert line_digest("a  b") == line_digest("ab")
    assert line_digest("ab") != line_digest("ac")
