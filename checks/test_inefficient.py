"""The inefficient regime, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.cross import simulated_zoo_respects_two_points
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("inefficient"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("inefficient"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))


def test_simulated_rules_respect_two_points() -> None:
    assert simulated_zoo_respects_two_points() == 12
