"""The diagram and the experiments, claim by claim; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("diagram"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("diagram"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))
