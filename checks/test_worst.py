"""The stored worst instances: each reaches its ratio again, sharp claims their bound, none is missing."""

import pytest

from checks.measure.registry import ledger
from checks.worst import NEAR_ENOUGH, REPLAY, SHARP, attained, load, wanted

STORED = {key: item for key, item in load().items() if key in wanted()}


@pytest.mark.parametrize("key", sorted(STORED))
def test_tightness_does_not_regress(key: str) -> None:
    stored = STORED[key]["ratio"]
    assert attained(STORED[key]) >= stored - REPLAY * max(1.0, abs(stored))


@pytest.mark.parametrize("key", SHARP)
def test_a_sharp_claim_reaches_its_bound(key: str) -> None:
    assert attained(STORED[key]) >= NEAR_ENOUGH


@pytest.mark.parametrize("key", sorted(STORED))
def test_only_claims_with_an_erratum_go_beyond_their_bound(key: str) -> None:
    claim = ledger().claims[key]
    assert STORED[key]["ratio"] <= 1 + REPLAY or claim.repaired_by is not None


def test_the_table_is_complete() -> None:
    lost = sorted(set(wanted()) - STORED.keys())
    assert lost == [], f"search them once: python -m checks.worst {' '.join(lost)}"
