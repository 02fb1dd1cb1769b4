"""The algorithms, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, falls, stands
from checks.measure.cross import blocks_differ, closed_forms_agree, simulated_noise_agrees
from checks.measure.registry import fallen, ledger, standing


@pytest.mark.parametrize("key", standing("algorithms"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


@pytest.mark.parametrize("key", fallen("algorithms"))
def test_erratum_is_violated(key: str, keep: Keep) -> None:
    keep(falls(ledger().claims[key]))


def test_closed_forms_are_enumerations() -> None:
    assert closed_forms_agree() == 35


def test_chains_do_not_share_randomness() -> None:
    assert blocks_differ() == 512


def test_simulated_noise_has_its_closed_form() -> None:
    assert simulated_noise_agrees() == 80_000
