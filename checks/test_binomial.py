"""The binomial lemma, claim by claim, against the simulator and the exact laws; `-k KEY` selects one."""

import pytest

from checks.judging import Keep, stands
from checks.measure.registry import ledger, standing
from checks.measure.steps import links_hold


@pytest.mark.parametrize("key", standing("binomial"))
def test_not_violated(key: str, keep: Keep) -> None:
    keep(stands(ledger().claims[key]))


def test_the_links_are_real() -> None:
    assert links_hold() == 1000
