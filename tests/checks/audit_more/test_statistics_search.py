"""The search of an attack, piece by piece; and no draw that searched is counted, at any T."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, norm

from oubli.checks.audit import events, search
from oubli.checks.audit import privacy as counting
from oubli.checks.audit.counts import Counts
from oubli.checks.audit.events import Event, delta_worth
from oubli.checks.audit.pairs import candidates, line_pair
from oubli.checks.audit.privacy import TEST, other_steps, privacy
from oubli.checks.audit.search import FIRST, MOVES, SECOND, draw_sides, scores_for
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import subject_of
from tests.checks.audit_more.test_statistics_draws import Tells

PAIR = line_pair(0.0, 0.1, 1)
SETTINGS = Settings(1.0, 1e-2, rf=0.1, runs=600, steps=3)


def test_a_score_at_the_threshold_is_a_hit_for_either_side() -> None:
    at = np.array([1.0])
    assert Event(1.0, -np.inf, 0.0).count(at, at, 1.0) == Counts(1, 1, 1.0, 1)
    assert Event(np.inf, 1.0, 0.0).count(at, at, 1.0) == Counts(0, 0, 1.0, 1)


def test_at_other_times_nothing_is_counted_that_was_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, counted = [], []
    search_on, count = counting.look, counting.count_fresh

    def look(subject: Any, there: Any, worths: Any, pairs: Any, key: int) -> Any:
        looked.append(key)
        return search_on(subject, there, worths, pairs, key)

    def fresh(subject: Any, there: Any, attack: Any, key: int) -> Any:
        counted.append(key)
        return count(subject, there, attack, key)

    monkeypatch.setattr(counting, "look", look)
    monkeypatch.setattr(counting, "count_fresh", fresh)
    list(other_steps(subject_of(Tells), SETTINGS, [PAIR], 2))
    keys = [*looked, *counted]
    assert (len(looked), len(counted)) == (2, 4)
    assert len(set(keys)) == len(keys)
    # What is counted was never looked at, at this T or at another.
    assert len({FIRST, SECOND, MOVES, TEST}) == 4
    assert not set(keys) & {FIRST, SECOND, MOVES, TEST}


def test_the_other_time_is_drawn_beyond_the_one_that_was_asked_for() -> None:
    times = set()
    for seed in range(40):
        finding = next(
            other_steps(subject_of(Tells), replace(SETTINGS, steps=1, runs=100, seed=seed), [PAIR], None)
        )
        times.add(finding.measured["T"])
    assert times == {2, 3}


@pytest.mark.parametrize(("runs", "draws"), [(300, 300), (600, 500), (8000, 800)])
def test_other_times_take_a_part_of_the_runs(runs: int, draws: int) -> None:
    finding = next(other_steps(subject_of(Tells), replace(SETTINGS, runs=runs), [PAIR], None))
    assert finding.measured["draws_a_side"] == draws


def test_findings_say_what_was_claimed_and_seen() -> None:
    free, held = (next(other_steps(subject_of(Tells), SETTINGS, [PAIR], least)) for least in (None, 3))
    T = held.measured["T"]
    assert (free.claimed, held.claimed) == (
        f"as private at T = {T}",
        f"as private at T = {T}, as least_steps says",
    )
    assert free.says == held.says + ": what was seen at T = 3 holds for that T alone"
    assert held.says.startswith(f"at T = {T} eps is at least ")

    class Silent(Tells):
        least = 99

    quiet = next(other_steps(subject_of(Silent), SETTINGS, [PAIR], None))
    assert quiet.says == ""
    found, attacks, tested = privacy(subject_of(Tells), SETTINGS)
    assert [len(attacks), tested.counts.x] == [2, found[0].measured["hits"]]
    assert found[0].says.startswith("at confidence 0.9775 it is at least ")
    calm = privacy(subject_of(Silent), SETTINGS)[0]
    assert all(f.says.startswith("nothing speaks against it; at confidence ") for f in calm)


def test_a_rule_in_a_process_of_its_own_is_drawn_alike() -> None:
    here = subject_of(Tells)
    there = replace(here, isolated=True)
    both = [draw_sides(subject, PAIR, SETTINGS, (20, 30), (1, 0)) for subject in (here, there)]
    for mine, theirs in zip(*both, strict=True):
        assert np.array_equal(mine, theirs)


RNG = np.random.default_rng(5)
LAWS = {
    "normal": (RNG.normal(3, 2, 4000), True), "few": (RNG.normal(size=49), False),
    "enough": (norm.ppf(np.linspace(0.01, 0.99, 50)), True), "constant": (np.full(100, 0.1), False),
    "right": (RNG.exponential(size=400), False), "left": (-RNG.exponential(size=400), False),
    "flat": (RNG.uniform(size=400), False), "heavy": (RNG.standard_t(3, 4000), False),
    "slightly skew": (RNG.gamma(40, size=20_000), False),
    "skew alone": (beta(2, 5).ppf(np.linspace(0.001, 0.999, 2000)), False),
    "skew to the left": (-beta(2, 5).ppf(np.linspace(0.001, 0.999, 2000)), False),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_what_looks_normal(name: str) -> None:
    scores, wanted = LAWS[name]
    with np.errstate(all="ignore"):
        assert events._looks_normal(scores) is wanted


def test_shares_by_counting_are_cautious_on_both_sides() -> None:
    above, below, false_above, false_below = events._counted(
        np.array([1.0, 2.0, 2.0, 5.0]), np.array([2.0, 9.0])
    )
    # Three at or above 2, one below it; none at or above 9, four below it: one standard error each.
    assert above == pytest.approx([(3 - 3**0.5) / 4, 0.0])
    assert below == pytest.approx([0.0, (4 - 2) / 4])
    assert false_above == pytest.approx([1.0, 2 / 4])
    assert false_below == pytest.approx([(2 + 2**0.5) / 4, 1.0])


def test_shares_by_a_fit_are_those_of_the_fitted_law() -> None:
    scores, grid = np.array([1.0, 5.0]), np.array([1.0, 3.0, 7.0])
    above, below, false_above, false_below = events._fitted(scores, grid)
    assert above == pytest.approx(norm.sf(grid, 3, 2))
    assert below == pytest.approx(norm.cdf(grid, 3, 2))
    assert np.array_equal(above, false_above)
    assert np.array_equal(below, false_below)


def test_the_grid_reaches_beyond_both_ends_and_close_to_the_lower() -> None:
    first, second = np.array([-10.0, -9.0, 0.0]), np.array([-8.0, 2.0])
    grid = events._grid(first, second)
    assert (grid[0], grid[-1]) == pytest.approx((-13.0, 5.0))
    # The scores −9 and −8 are neighbours: one threshold lies halfway.
    assert np.any(np.isclose(grid, -8.5))
    gaps = grid[(grid > -10) & (grid < -9.8)] + 10
    assert gaps.min() == pytest.approx(12e-9, rel=1e-3)
    assert gaps.max() == pytest.approx(0.12)
    assert np.all(np.diff(grid) > 0)


def test_the_best_pair_of_thresholds_by_enumeration() -> None:
    rng = np.random.default_rng(2)
    grid = np.sort(rng.normal(size=7))
    first, second = (tuple(rng.random(7) for _ in range(4)) for _ in range(2))

    def worth(x: Any, y: Any, directions: Any) -> Any:
        return x / (y + 1.0) / directions

    found = events._best(grid, first, second, 3.0, worth)  # type: ignore[arg-type]
    values = {}
    for i, upper in enumerate([*grid, np.inf]):
        for j, lower in enumerate([*grid, -np.inf]):
            used = int(i < 7) + int(j < 7)
            if used and lower <= upper:
                x = 3 * ((first[0][i] if i < 7 else 0) + (second[1][j] if j < 7 else 0))
                y = 3 * ((second[2][i] if i < 7 else 0) + (first[3][j] if j < 7 else 0))
                values[upper, lower] = x / (y + 1) / used
    best = max(values, key=values.__getitem__)
    assert (found.upper, found.lower) == best
    assert found.worth == pytest.approx(values[best])


def everything(x: Any, y: Any, directions: Any) -> Any:
    return x


def one_of_them(x: Any, y: Any, directions: Any) -> Any:
    return x - 100 * directions


def test_the_two_half_lines_never_overlap() -> None:
    """A draw in both would be a hit and a false hit at once, and the two counts would not be independent."""
    grid, ones = np.arange(3.0), np.ones(3)
    rising, falling = np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])
    first, second = (falling, ones, ones, ones), (ones, rising, ones, ones)
    found = events._best(grid, first, second, 1.0, everything)
    # Above 0 and below 2 would be worth 6; the best that do not overlap are worth 4.
    assert found.lower == found.upper
    assert found.worth == 4.0
    assert found.directions == 2


@pytest.mark.parametrize("side", ["above", "below"])
def test_one_half_line_may_be_enough(side: str) -> None:
    grid, ones, more = np.arange(3.0), np.ones(3), np.array([1.0, 5.0, 1.0])
    above, below = (more, ones) if side == "above" else (ones, more)
    found = events._best(grid, (above, ones, ones, ones), (ones, below, ones, ones), 1.0, one_of_them)
    assert found.directions == 1
    assert (found.upper, found.lower) == ((1.0, -np.inf) if side == "above" else (np.inf, 1.0))
    assert found.worth == -95.0


@pytest.mark.parametrize("bad", [0, 1])
def test_no_fit_is_asked_for_unless_both_laws_look_normal(monkeypatch: pytest.MonkeyPatch, bad: int) -> None:
    sides = list(np.random.default_rng(6).normal(size=(2, 500)))
    sides[bad] = sides[bad] ** 3
    monkeypatch.setattr(events, "_fitted", None)
    assert len(events.choose(sides[0], sides[1], 1e4, everything)) == 1


def test_what_is_counted_wins_where_it_is_clearly_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two lumps each, that a fit takes for one wide law: the lumps do not meet."""
    lumps = np.repeat([0.0, 10.0], 250) + np.linspace(0, 1, 500)
    first, second = lumps + 2.0, lumps
    monkeypatch.setattr(events, "_looks_normal", lambda _: True)
    worth = delta_worth(1e4, 1.0)
    (event,) = events.choose(first, second, 1e4, worth)
    grid = events._grid(first, second)
    fit = events._best(grid, events._fitted(first, grid), events._fitted(second, grid), 1e4, worth)
    assert event.worth > 1.5 * fit.worth


def test_distances_are_taken_at_the_scores_of_both_laws() -> None:
    assert search.distance(np.array([1.0, 1.0]), np.array([2.0, 2.0])) == 1.0
    assert search.distance(np.array([2.0, 2.0]), np.array([1.0, 1.0])) == 1.0


@pytest.mark.parametrize("side", [0, 1])
def test_an_atom_of_either_side_gives_a_fold(side: int) -> None:
    sides = np.random.default_rng(7).normal(size=(2, 1000, 1))
    sides[side, :60] = 0.4
    folds = [s for s in scores_for(sides[0], sides[1], np.ones(1)) if s.atom]
    assert [s.centre for s in folds] == [pytest.approx(0.4 * folds[0].direction[0])]
    assert not any(
        s.atom for s in scores_for(*np.random.default_rng(8).normal(size=(2, 1000, 1)), np.ones(1))
    )


def test_scores_in_the_plane_hold_the_axis_the_line_and_a_fold_at_the_middle() -> None:
    rng = np.random.default_rng(9)
    first, second = rng.normal(size=(2, 4000, 2)) + np.array([[[3.0, 0.0]], [[1.0, 0.0]]])
    best, axis, line, fold = scores_for(first, second, np.array([0.0, -3.0]))
    assert np.abs(best.direction) == pytest.approx([1.0, 0.0], abs=0.05)
    assert axis.direction.tolist() == [1.0, 0.0]
    assert line.direction.tolist() == [0.0, -1.0]
    assert fold.centre == pytest.approx(best.direction[0] * 2.0, abs=0.1)
    assert search._unit(np.zeros(2)).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("shape", [(60, 3), (3, 3), (4, 30)])
def test_the_direction_solves_the_ridged_equation_with_few_draws_too(shape: tuple[int, int]) -> None:
    n, d = shape
    rng = np.random.default_rng(n)
    first, second = rng.normal(size=(2, n, d)) * np.linspace(1, 3, d) + rng.normal(size=(2, 1, d))
    rows = np.concatenate([first - first.mean(0), second - second.mean(0)])
    spread = rows.T @ rows / (2 * n)
    ridged = spread + np.trace(spread) / d * d / (2 * n) * np.eye(d)
    wanted = np.linalg.solve(ridged, first.mean(0) - second.mean(0))
    assert search.best_direction(first, second) == pytest.approx(wanted / np.linalg.norm(wanted), rel=1e-6)


@pytest.mark.parametrize(("steps", "kept", "moved", "draws"), [(3, 3, 2, 120), (2001, 2, 1, 40)])
def test_the_pairs_that_are_looked_at_again(
    monkeypatch: pytest.MonkeyPatch, steps: int, kept: int, moved: int, draws: int
) -> None:
    """The first, those furthest apart, and moves of the best that can be moved; fewer where runs are long."""
    settings = replace(SETTINGS, steps=steps)
    pairs, numbers = candidates(0.1, 1), set()
    seems = {3: 0.95, 0: 0.9, 2: 0.8}
    assert pairs[3].spot is None

    def apart(subject: Any, settings: Any, pair: Any, number: int, index: int) -> float:
        numbers.add(number)
        return seems.get(index, 0.1)

    monkeypatch.setattr(search, "_apart", apart)
    monkeypatch.setattr(search, "neighbour", lambda spot, rng: spot)
    found = search.chosen_pairs(subject_of(Tells), settings)
    assert numbers == {draws}
    wanted = [pairs[0], pairs[3], *([pairs[2]] if kept == 3 else [])]
    assert found[: len(wanted)] == wanted
    assert [pair.spot for pair in found[len(wanted) :]] == [pairs[0].spot] * moved
    numbers.clear()
    search.chosen_pairs(subject_of(Tells), replace(settings, runs=8000))
    assert numbers == {200}
    # Of those that seem equally far apart, the ones with distant optima.
    seems.clear()
    widest = pytest.approx(max(pair.distance for pair in pairs))
    assert all(pair.distance == widest for pair in search.chosen_pairs(subject_of(Tells), settings)[1:kept])


@pytest.mark.parametrize(("runs", "draws"), [(600, 300), (3000, 500), (8000, 800)])
def test_the_second_look_takes_a_part_of_the_runs(
    monkeypatch: pytest.MonkeyPatch, runs: int, draws: int
) -> None:
    seen = []

    def drawn(subject: Any, pair: Any, settings: Any, numbers: Any, key: Any) -> Any:
        seen.append(tuple(numbers))
        return draw_sides(subject, pair, settings, (50, 50), key)

    monkeypatch.setattr(search, "draw_sides", drawn)
    search.look(subject_of(Tells), replace(SETTINGS, runs=runs), [delta_worth(runs, 1.0)], [PAIR])
    assert seen == [(draws, draws)]


class Wide:
    """The noise is wide on one side of zero: only a fold tells, and only with that side first."""

    wide = 1

    def step(self, t: int, theta: Any, grad: Any, memory: Any, setup: Any, rng: Any) -> Any:
        scale = np.where(self.wide * theta > 0, 5.0, 0.5)
        return scale * rng.standard_normal(theta.shape), memory


class WideBelow(Wide):
    wide = -1


@pytest.mark.parametrize("rule", [Wide, WideBelow])
def test_a_fold_is_tried_in_both_orders(rule: type) -> None:
    settings = replace(SETTINGS, steps=1, runs=2000)
    (attack,) = search.look(subject_of(rule), settings, [delta_worth(2000, 1.0)], [PAIR])
    counts = counting.count_fresh(subject_of(rule), settings, attack).counts
    assert counts.x > 5 * counts.y + 300


def test_settings_are_those_of_the_class_and_limits_are_no_part_of_the_question() -> None:
    setup = Settings(1.0, 1e-2, batch=4).setup()
    assert (setup.L, setup.mu, setup.batch) == (1.0, 1.0, 4)
    assert Settings(1.0, 1e-2, batch=0, against="retrain").setup().batch == 1
    assert not {"call_seconds", "total_seconds", "memory_gb"} & Settings(1.0, 1e-2).as_json().keys()


WRONG = {"against": "x", "batch": -1, "rf": 1.0, "dim": 0, "steps": -1}


@pytest.mark.parametrize("name", [*WRONG, "half a batch"])
def test_what_cannot_be_asked(name: str) -> None:
    asked = {name: WRONG[name]} if name in WRONG else {"batch": 1.5}
    with pytest.raises(ValueError, match="must"):
        Settings(1.0, 1e-2, **asked)  # type: ignore[arg-type]


def test_beyond_the_line_those_who_chose_a_direction_are_not_tried() -> None:
    first, second = np.random.default_rng(3).normal(size=(2, 10, 2))
    plane = search._fitted_scores(first, second, line_pair(0.0, 0.1, 2))
    assert {(len(x), len(y)) for _, x, y in plane} == {(5, 5)}
    assert all(np.array_equal(x, first[5:]) and np.array_equal(y, second[5:]) for _, x, y in plane)
    assert plane[0][0].direction == pytest.approx(search.best_direction(first[:5], second[:5]))
    assert plane[2][0].direction == pytest.approx([-1.0, 0.0])
    line = search._fitted_scores(first[:, :1], second[:, :1], PAIR)
    assert {(len(x), len(y)) for _, x, y in line} == {(10, 10)}
