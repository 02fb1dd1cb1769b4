"""The efficient regime, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("efficient"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("efficient"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))
