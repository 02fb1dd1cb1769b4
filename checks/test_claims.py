"""Every claim against the simulator and the exact laws: `pytest checks/ -k KEY` selects one."""

import pytest

from oubli.checks.measure.judging import Keep, falls, stands
from oubli.checks.measure.registry import GROUPS, fallen, ledger, standing


@pytest.mark.parametrize("key", [key for group in GROUPS for key in standing(group)])
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", [key for group in GROUPS for key in fallen(group)])
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))
