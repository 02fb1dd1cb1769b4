"""At least sixty planted errors, each caught by the check that it names; the end of the run lists them."""

import re

import pytest

from oubli.checks.measure.relation import NotMeasuredError
from tests.adversarial.planted_brackets import BRACKETS
from tests.adversarial.planted_checks import CHECKS
from tests.adversarial.planted_claims import CLAIMS
from tests.adversarial.planted_laws import LAWS
from tests.adversarial.planted_sharp import SHARP
from tests.adversarial.planted_simulator import SIMULATOR

SHARP_ELSEWHERE = [error for error in SHARP if error.place != "claim"]
ELSEWHERE = [*LAWS, *SIMULATOR, *CHECKS, *BRACKETS, *SHARP_ELSEWHERE]
PLANTED = [*CLAIMS, *ELSEWHERE, *(error for error in SHARP if error.place == "claim")]
# What is planted here is that there are too few cases.
SAMPLES = [error for error in CHECKS if error.name in ("an empty sample", "a check that draws one case")]


@pytest.mark.parametrize("error", PLANTED, ids=[p.name for p in PLANTED])
def test_is_caught(error, record_property):
    with error.plant(), pytest.raises((AssertionError, NotMeasuredError)) as caught:
        error.check()
    # Too few cases would be noticed as well, but would not show that the error is.
    assert not re.search(r"\d+ cases were drawn", str(caught.value)) or error in SAMPLES
    record_property("planted", [error.place, error.name, error.catcher])


@pytest.mark.parametrize("error", ELSEWHERE, ids=[p.name for p in ELSEWHERE])
def test_the_same_check_passes_without_the_error(error):
    error.check()


def test_there_are_enough_in_every_place():
    places = [p.place for p in PLANTED]
    assert len(PLANTED) >= 60
    assert len({p.name for p in PLANTED}) == len(PLANTED)
    assert all(places.count(place) >= 8 for place in ("claim", "law", "simulator", "check"))
