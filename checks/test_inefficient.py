"""The inefficient regime, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.cross import PAIRS, simulated_zoo_respects_two_points, starts_agree, zoo
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("inefficient"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("inefficient"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))


def test_every_rule_that_claims_privacy_respects_two_points() -> None:
    tried = simulated_zoo_respects_two_points()
    assert set(tried.values()) == {len(PAIRS)}
    # Only fine-tuning without noise claims nothing.
    assert {rule.__name__ for rule in zoo()} - tried.keys() == {"FineTuneWithoutNoise"}


def test_the_start_is_the_minimiser() -> None:
    assert starts_agree() == 1000
