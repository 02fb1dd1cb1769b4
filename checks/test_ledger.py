"""Every claim comes out as its erratum says: `pytest checks/ -k KEY` selects one."""

import pytest

from oubli.theory.judging.ledger import Entry
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.claim import Kind
from oubli.theory.records.verdict import Status

KEYS = tuple(ledger().claims)


@pytest.mark.parametrize("key", KEYS)
def test_verdict_is_as_expected(key: str, entries: dict[str, Entry]) -> None:
    entry = entries[key]
    assert entry.expected, (
        f"{key}: {entry.verdict.status}, printed proof {entry.proof}: {entry.verdict.reason}"
    )


@pytest.mark.parametrize("key", KEYS)
def test_verdict_carries_what_shows_it(key: str, entries: dict[str, Entry]) -> None:
    verdict = entries[key].verdict
    shown = {
        Status.PROVED: verdict.certificate,
        Status.REFUTED: verdict.witness,
        Status.OPEN: verdict.reason,
        Status.NONE: entries[key].claim.kind in (Kind.DEFINITION, Kind.REMARK),
    }
    assert shown[verdict.status]


def test_few_claims_stay_open(entries: dict[str, Entry]) -> None:
    still_open = [key for key, entry in entries.items() if entry.verdict.status is Status.OPEN]
    assert len(still_open) <= 5
    reasons = {entries[key].verdict.reason.split(":")[0] for key in still_open}
    assert reasons <= {"unsupported", "budget", "tight-inside"}


def test_nothing_proved_leans_on_what_fell(entries: dict[str, Entry]) -> None:
    for entry in entries.values():
        if entry.effective is Status.PROVED:
            assert all(entries[key].effective in (Status.PROVED, Status.NONE) for key in entry.uses)
