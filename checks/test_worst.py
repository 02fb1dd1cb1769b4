"""The stored worst instances: each reaches its ratio again, sharp claims their bound, none is missing."""

import pytest

from oubli.checks.measure.judging import Keep
from oubli.checks.measure.registry import ledger
from oubli.checks.measure.tightness import LOOSE, NEAR_ENOUGH, sharp_keys, sign_only
from oubli.checks.measure.worst import REPLAY, attained, load, stored_record, wanted

STORED = {key: item for key, item in load().items() if key in wanted()}


@pytest.mark.parametrize("key", sorted(STORED))
def test_tightness_does_not_regress(key: str, keep: Keep) -> None:
    stored = STORED[key]["ratio"]
    assert attained(STORED[key]) >= stored - REPLAY * max(1.0, abs(stored))
    keep([stored_record(STORED[key])])


@pytest.mark.parametrize("key", sharp_keys())
def test_a_sharp_claim_reaches_its_bound(key: str) -> None:
    assert attained(STORED[key]) >= NEAR_ENOUGH


@pytest.mark.parametrize("key", sorted(STORED))
def test_only_claims_with_an_erratum_go_beyond_their_bound(key: str) -> None:
    claim = ledger().claims[key]
    assert STORED[key]["ratio"] <= 1 + REPLAY or claim.repaired_by is not None


def test_the_table_is_complete() -> None:
    lost = sorted(set(wanted()) - STORED.keys())
    assert lost == [], f"search them once: python -m oubli.checks.measure.worst {' '.join(lost)}"


def test_every_loose_bound_says_why() -> None:
    below = {key for key, item in STORED.items() if item["ratio"] < NEAR_ENOUGH and not sign_only(key)}
    standing = {key for key in below if ledger().claims[key].repaired_by is None}
    assert standing == set(LOOSE)
