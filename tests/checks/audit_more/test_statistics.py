"""The audit's confidence bounds against the definitions of their laws, and every factor of a union bound."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, poisson

from oubli.checks.audit.counts import (
    CAP_SHARE,
    Counts,
    allowed_by_delta,
    delta_lower,
    epsilon_lower,
    poisson_size,
)
from oubli.checks.audit.events import Event, choose, delta_worth, epsilon_worth
from oubli.checks.audit.search import Score, distance, scores_for
from oubli.checks.audit.settings import SHARES, Settings

LEVELS = (0.05, 0.01)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("delta", [1e-5, 1e-4, 3e-3])
def test_the_cap_is_the_least_that_is_exceeded_rarely(level: float, directions: int, delta: float) -> None:
    mean = directions * 1e4 * delta
    cap = allowed_by_delta(Counts(0, 0, 1e4, directions), delta, level)
    assert poisson.sf(cap, mean) <= level
    assert cap == 0 or poisson.sf(cap - 1, mean) > level
    assert allowed_by_delta(Counts(0, 0, 1e4, directions), 0.0, level) == 0


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("counts", [Counts(50, 3, 1e4, 1), Counts(200, 150, 1e4, 2), Counts(7, 0, 1e3, 1)])
@pytest.mark.parametrize("delta", [0.0, 1e-4])
def test_the_bound_on_eps_spends_its_level_exactly(level: float, counts: Counts, delta: float) -> None:
    eps = epsilon_lower(counts, delta, level)
    x = counts.x - allowed_by_delta(counts, delta, CAP_SHARE * level)
    # Were eps the truth, so many hits would fall on the first side with just what is left of the level.
    left = level * (1 - CAP_SHARE) if delta else level
    share = 1 / (1 + math.exp(-eps))
    assert binom.sf(x - 1, x + counts.y, share) == pytest.approx(left, rel=1e-9)


def test_no_hits_bound_nothing() -> None:
    assert epsilon_lower(Counts(0, 5, 1e4, 1), 0.0, 0.05) == -math.inf
    assert epsilon_lower(Counts(3, 0, 1e4, 1), 1e-2, 0.05) == -math.inf
    cap = allowed_by_delta(Counts(0, 0, 1e4, 1), 1e-3, CAP_SHARE * 0.05)
    assert epsilon_lower(Counts(cap, 0, 1e4, 1), 1e-3, 0.05) == -math.inf
    assert math.isfinite(epsilon_lower(Counts(cap + 1, 0, 1e4, 1), 1e-3, 0.05))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("counts", [Counts(900, 10, 1e3, 1), Counts(900, 10, 1e3, 2), Counts(500, 0, 1e3, 2)])
def test_the_bound_on_delta_pays_for_both_of_its_limits(level: float, counts: Counts) -> None:
    least = brentq(lambda a: poisson.sf(counts.x - 1, a) - level / 2, 1e-9, 1e5)
    most = brentq(lambda b: poisson.cdf(counts.y, b) - level / 2, 1e-9, 1e5)
    expected = (least - math.exp(0.5) * most) / (counts.directions * counts.size)
    assert delta_lower(counts, 0.5, level) == pytest.approx(expected, rel=1e-6)
    assert delta_lower(counts, 20.0, level) == 0.0


def test_no_hits_mean_no_delta() -> None:
    assert delta_lower(Counts(0, 0, 1e3, 1), 0.0, 0.05) == 0.0


@pytest.mark.parametrize("draws", [100, 10_000])
def test_a_poisson_number_of_draws_can_almost_always_be_served(draws: int) -> None:
    assert poisson.sf(draws, poisson_size(draws)) == pytest.approx(1e-4, rel=1e-6)


EVENTS = {
    "both": (Event(1.0, -1.0, 0.0), 2, (3, 2)), "above": (Event(1.0, -math.inf, 0.0), 1, (2, 1)),
    "below": (Event(math.inf, -1.0, 0.0), 1, (1, 1)), "neither": (Event(math.inf, -math.inf, 0.0), 0, (0, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_hits_are_counted_at_their_thresholds(name: str) -> None:
    event, directions, hits = EVENTS[name]
    # 1.0 is at the upper threshold and counts, -1.0 is at the lower one and does not.
    first, second = np.array([1.0, 2.0, 0.0, -3.0, -1.0]), np.array([5.0, -1.5, 0.5, -1.0])
    found = event.count(first, second, 7.0)
    assert (event.directions, found.directions) == (directions, directions)
    assert (found.x, found.y, found.size) == (*hits, 7.0)


def test_alpha_is_shared_out_once() -> None:
    assert math.fsum(SHARES.values()) == pytest.approx(1.0, abs=1e-12)
    settings = Settings(eps=1.0, delta=1e-5, alpha=0.04)
    assert math.fsum(settings.level(share) for share in SHARES) <= 0.04 * (1 + 1e-12)
    assert all(settings.level(share) == pytest.approx(0.04 * part) for share, part in SHARES.items())
    assert settings.shared(8).alpha == pytest.approx(0.005)


REFUSED: dict[str, dict[str, Any]] = {
    "alpha 0": {"alpha": 0.0}, "alpha 1": {"alpha": 1.0}, "few runs": {"runs": 99},
        "too many runs": {"runs": 10**9 + 1},
        "half a run": {"runs": 100.5},
    "a negative seed": {"seed": -1}, "nothing to forget": {"rf": 0.0}, "everything to forget": {"rf": 1.0},
    "a small eps": {"eps": 9e-7}, "a large eps": {"eps": 10001.0}, "a large delta": {"delta": 0.91},
        "a tiny delta": {"delta": 1e-301},
    "no target": {"target": 0.0}, "no time": {"call_seconds": 0.0}, "no time at all": {"total_seconds": 0.0},
        "little memory": {"memory_gb": 0.4},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_an_audit_cannot_be_asked(name: str) -> None:
    with pytest.raises(ValueError, match="must"):
        Settings(**{"eps": 1.0, "delta": 1e-5, **REFUSED[name]})


ACCEPTED = [
    {"eps": 1e-6},
    {"eps": 1e4},
    {"delta": 0.0},
    {"delta": 0.9},
    {"delta": 1e-300},
    {"runs": 100},
    {"runs": 10**9},
    {"memory_gb": 0.5},
    {"seed": 0},
]


@pytest.mark.parametrize("asked", ACCEPTED)
def test_what_an_audit_can_be_asked(asked: dict[str, Any]) -> None:
    settings = Settings(**{"eps": 1.0, "delta": 1e-5, **asked})
    assert settings.steps == settings.setup().T
    assert settings.setup(3).T == 3


def test_the_worth_of_counts_is_the_bound_that_they_would_give() -> None:
    x, y, one = np.array([[120.0]]), np.array([[10.0]]), np.array([[1.0]])
    without = epsilon_worth(1e4, 0.0, 0.05)(x, y, one)[0, 0]
    share = 1 / (1 + math.exp(-without))
    assert binom.sf(119, 130, share) == pytest.approx(0.05 * (1 - CAP_SHARE), rel=1e-9)
    # delta takes away its mean, two and a half deviations and one hit, for each direction in use.
    for directions in (1.0, 2.0):
        mean = directions * 1e4 * 1e-3
        left = 120 - mean - 2.5 * math.sqrt(mean) - 1
        found = epsilon_worth(1e4, 1e-3, 0.05)(x, y, directions * one)[0, 0]
        again = epsilon_worth(1e4, 0.0, 0.05)(np.array([[left]]), y, one)[0, 0]
        assert found == pytest.approx(again, rel=1e-12)
    for directions in (1.0, 2.0):
        found = delta_worth(1e4, 0.5)(x, y, directions * one)[0, 0]
        factor = math.exp(0.5)
        expected = (120 - factor * 10 - 2 * (math.sqrt(120) + factor * math.sqrt(11))) / (directions * 1e4)
        assert found == pytest.approx(expected, rel=1e-12)


def test_thresholds_of_far_laws_lie_between_them() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(8, 1, 400), rng.normal(0, 1, 400)
    for worth in (epsilon_worth(1e4, 0.0, 0.05), epsilon_worth(1e4, 1e-4, 0.05), delta_worth(1e4, 1.0)):
        (event,) = choose(first, second, 1e4, worth)
        assert event.lower <= event.upper
        assert event.count(first, second, 400.0).x >= 300
        assert event.count(first, second, 400.0).y <= 4
        assert math.isfinite(event.worth)


def test_scores_and_distances() -> None:
    points = np.array([[3.0, 4.0], [-1.0, 2.0]])
    assert Score(np.array([1.0, 0.0])).of(points).tolist() == [3.0, -1.0]
    assert Score(np.array([1.0, 0.0]), 1.0).of(points).tolist() == [2.0, 2.0]
    assert distance(np.array([0.0, 1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0, 5.0])) == 0.5
    assert distance(np.array([1.0, 1.0]), np.array([1.0, 1.0])) == 0.0
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(500, 3)) + np.array([0, 5, 0]), rng.normal(size=(500, 3))
    best, axis, line, fold = scores_for(first, second, np.array([0.0, 0.0, 2.0]))
    assert abs(best.direction[1]) > 0.99
    assert (axis.direction.tolist(), line.direction.tolist()) == ([1, 0, 0], [0, 0, 1])
    assert fold.centre == pytest.approx(2.5, abs=0.3)
    assert len(scores_for(first[:, :1], second[:, :1], np.array([1.0]))) == 2
