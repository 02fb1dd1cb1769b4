"""Each family of intervals is no larger than it says: the levels of a run, added up, stay below 1e-6."""

from collections import Counter
from typing import Any

import pytest

from oubli.checks.measure import check, confidence, cross, trivial
from oubli.checks.measure.confidence import FAMILIES, FAMILY_WISE
from oubli.checks.measure.drawing import drawn
from oubli.checks.measure.judging import PROFILES
from oubli.checks.measure.source import rows


def spent(patch: pytest.MonkeyPatch, module: Any) -> Counter[int]:
    """How often the module takes a mean interval, by the number of comparisons that it says."""
    counted: Counter[int] = Counter()

    def counting(samples: Any, low: float, high: float, comparisons: int) -> Any:
        counted[comparisons] += 1
        return confidence.mean_interval(samples, low, high, comparisons)

    patch.setattr(module, "mean_interval", counting)
    return counted


def test_the_named_algorithms_take_as_many_intervals_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross, "CHAINS", 50)
    monkeypatch.setattr(cross, "least_risk", lambda *_: 0.0)
    counted = spent(monkeypatch, cross)
    cross.simulated_algorithms_respect_two_points()
    assert len(counted) == 1
    assert all(times <= said for said, times in counted.items())


def test_the_closed_forms_take_as_many_intervals_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = spent(monkeypatch, cross)
    cross.simulated_noise_agrees()
    assert counted == {4: 4}


def test_simulated_noise_takes_at_most_one_interval_per_case_of_the_deepest_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = trivial.NOISE_RUN
    most = source.cases * max(PROFILES.values()) * check.PATIENCE
    # The stored worst instance is measured once more.
    assert most + 1 <= trivial.COMPARISONS
    counted = spent(monkeypatch, trivial)
    batch = drawn(source.space, "family", 3, 1)[0]
    source.measure(batch)
    assert counted == {trivial.COMPARISONS: len(rows(batch))}


def test_a_whole_family_spends_one_share() -> None:
    for comparisons in (1, 4, trivial.COMPARISONS):
        assert comparisons * confidence.share(comparisons) <= FAMILY_WISE / FAMILIES * (1 + 1e-12)
    assert confidence.FAMILIES * FAMILY_WISE / FAMILIES <= 1e-6
