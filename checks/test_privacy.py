"""Privacy, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.cross import gauss_agrees
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("privacy"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("privacy"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))


def test_the_records_delta_is_the_exact_law() -> None:
    assert gauss_agrees() == 2000
