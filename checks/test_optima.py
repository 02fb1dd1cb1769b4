"""The two optima, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import falls, stands
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("optima"))
def test_not_violated(key, keep):
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("optima"))
def test_erratum_is_violated(key, keep):
    keep(falls(ledger().claims[key]))
