"""Shared by the checks: the ledger, judged once per worker."""

import pytest

from theory.ledger import Entry, Ledger
from theory.paper import ledger as paper


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    """All claims of the paper."""
    return paper()


@pytest.fixture(scope="session")
def entries(ledger: Ledger) -> dict[str, Entry]:
    """All verdicts."""
    return ledger.verify()
