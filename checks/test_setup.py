"""The class of losses, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.cross import families_agree
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("setup"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("setup"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))


def test_the_records_gradients_are_the_simulators() -> None:
    assert families_agree() == 200
