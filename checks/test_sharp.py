"""Our sharper bounds, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, stands
from checks.measure.registry import ledger, standing
from checks.measure.sharp_kink import starts_agree


@pytest.mark.parametrize("key", standing("sharp"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


def test_both_problems_of_the_kink_start_at_the_same_point() -> None:
    assert starts_agree() == 200
