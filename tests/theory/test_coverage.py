"""Coverage: every displayed relation has a verdict, few stay open, and the digests notice a change."""

from pathlib import Path

from oubli.theory.paper import PAPER
from oubli.theory.paper.ledger import ledger, verified
from oubli.theory.records.coverage import RELATIONS, changed_lines, line_digest, summary


def test_every_relation_is_judged_as_printed_or_says_why_not_and_few_stay_open() -> None:
    entries = verified()
    statuses = {key: entry.verdict.status.value for key, entry in entries.items()}
    found = summary(PAPER.displays(), statuses)
    rest = [d for d in PAPER.displays() if d.kind in RELATIONS and d.but]
    assert found["as_printed"] + len(rest) == found["relations"]
    assert found["as_printed"] >= 54
    assert found["open"] <= 0.05 * found["relations"]


def test_the_readme_says_what_the_records_say() -> None:
    statuses = {key: entry.verdict.status.value for key, entry in verified().items()}
    found = summary(PAPER.displays(), statuses)
    text = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    said = f"Of the {found['relations']} relations in statements and proofs {found['as_printed']} are judged"
    assert f"{said} as printed" in text
    # What is left of efficient is a claim of its own.
    still_open = {key for key, status in statuses.items() if status == "OPEN"} - {"efficient.rest"}
    assert len(still_open) == found["open"] == 2
    assert "exact counterexample; two are open" in text


def test_a_reason_belongs_to_a_relation_and_a_relation_without_verdict_needs_one() -> None:
    statuses = {key: entry.verdict.status.value for key, entry in verified().items()}
    for display in PAPER.displays():
        judged = any(statuses[key] != "NONE" for key in display.keys)
        assert not display.but or display.kind in RELATIONS, display.line
        assert judged or display.but or display.kind not in RELATIONS, display.line
    # With nothing proved nothing counts, with or without a reason.
    assert summary(PAPER.displays(), dict.fromkeys(statuses, "NONE"))["as_printed"] == 0


def test_lower_bounds_on_the_times_do_not_count_as_printed() -> None:
    """T_e has another order of minimum and supremum here; only upper bounds carry over."""
    but = {d.line: d.but for d in PAPER.displays()}
    assert all("def.time.order" in but[line] for line in (523, 566, 595, 628, 1254, 1286, 1288))
    assert not any(but[line] for line in (507, 535, 1111, 1281))


def test_keys_of_the_inventory_exist_and_point_near_their_line() -> None:
    claims = ledger().claims
    for display in PAPER.displays():
        assert set(display.keys) <= set(claims)


def test_a_changed_line_is_noticed() -> None:
    displays = PAPER.displays()[:1]
    assert changed_lines(displays, "no such paper") == [displays[0].line]
    assert line_digest("a  b") == line_digest("ab")
    assert line_digest("ab") != line_digest("ac")
