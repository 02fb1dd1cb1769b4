"""Draws, levels and sides of the audit: what is counted is what was meant, and each share is paid once."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from oubli.checks.audit import privacy as counting
from oubli.checks.audit import search
from oubli.checks.audit.counts import Counts, delta_lower, epsilon_lower
from oubli.checks.audit.draws import batch_rows, chain, outputs, rows_at_most, sampled
from oubli.checks.audit.events import CLEARLY, Event, choose, delta_worth, discounted, epsilon_worth
from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import Guarded
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.plan import NUMBERS
from oubli.checks.audit.privacy import count_fresh, histogram, other_steps, privacy
from oubli.checks.audit.search import Attack, Score, best_direction, distance, draw_sides, look
from oubli.checks.audit.settings import SHARES, Settings
from oubli.checks.audit.subject import subject_of
from oubli.sim.losses.families import hard
from oubli.sim.problems.mixture import Mixture

SIGNS = Mixture((hard(1.0, 1, 1.0, 1.0), hard(-1.0, 1, 1.0, 1.0)), [0.5, 0.5])
PAIR = line_pair(0.0, 0.1, 1)


class Leaves:
    """One step out of the ball and back; the release is another point."""

    def step(self, t: int, theta: Any, grad: Any, memory: Any, setup: Any, rng: Any) -> Any:
        return theta + (9.0 if t == 0 else -9.0), memory

    def release(self, theta: Any, memory: Any, setup: Any, rng: Any) -> Any:
        return theta / 2


class Starts(Leaves):
    """Outside at the start only."""

    def start(self, theta_star: Any, setup: Any, rng: Any) -> Any:
        return theta_star + 9.0, None

    def step(self, t: int, theta: Any, grad: Any, memory: Any, setup: Any, rng: Any) -> Any:
        return 0 * theta, memory


class Tells:
    """Released is theta* itself, from T = `least` on; before, zero."""

    least = 0

    def step(self, t: int, theta: Any, grad: Any, memory: Any, setup: Any, rng: Any) -> Any:
        return theta, memory

    def release(self, theta: Any, memory: Any, setup: Any, rng: Any) -> Any:
        noise = 1e-3 * rng.standard_normal(theta.shape)
        return (theta if self.least <= setup.T else 0 * theta) + noise


def test_gradients_are_of_fresh_samples_of_every_loss() -> None:
    drawn = [sampled(SIGNS, 4000, (seed,)) for seed in (1, 1, 2)]
    zero = np.zeros((4000, 1))
    first, same, other = (gradients(0, zero)[:, 0] for gradients in drawn)
    assert set(np.abs(first)) == {0.5}
    assert abs(first.mean()) < 0.05
    assert np.array_equal(first, same)
    assert 0.4 < np.mean(first == other) < 0.6
    assert 0.4 < np.mean(first == drawn[0](1, zero)[:, 0]) < 0.6
    one = sampled(Mixture((hard(1.0, 1, 1.0, 1.0),), [1.0]), 3, (1,))
    assert one(0, zero[:3]).tolist() == [[-0.5]] * 3


@pytest.mark.parametrize("rule", [Leaves, Starts])
def test_whoever_was_outside_for_a_while_is_counted(rule: type) -> None:
    setup = Settings(1.0, 1e-2, steps=2).setup()
    drawn = chain(Guarded(rule()), np.zeros((5, 1)), lambda t, theta: 0 * theta, setup, stream(0))
    assert drawn.outside == 5
    assert drawn.outputs.tolist() == [[0.0]] * 5


def test_arrays_stay_below_their_size() -> None:
    assert [rows_at_most(9, d) for d in (1, NUMBERS // 9, NUMBERS // 4, NUMBERS, 2 * NUMBERS)] == [
        9,
        9,
        4,
        1,
        1,
    ]


def test_every_chain_is_drawn_once_and_batches_differ() -> None:
    class Noise:
        def step(self, t: int, theta: Any, grad: Any, memory: Any, setup: Any, rng: Any) -> Any:
            return rng.standard_normal(theta.shape), memory

    setup = Settings(1.0, 1e-2, steps=1).setup()
    made = outputs(Guarded(Noise()), SIGNS, np.zeros(1), setup, 45_000, (3, 1), np.asarray)
    assert made.shape == (45_000, 1)
    assert len(np.unique(made)) == 45_000
    # What is kept of each batch, and of none.
    assert outputs(Guarded(Noise()), SIGNS, np.zeros(1), setup, 0, (3, 1), np.asarray).shape == (0, 1)
    sums = outputs(Guarded(Noise()), SIGNS, np.zeros(1), setup, 30_000, (3, 1), lambda X: X.sum(axis=1))
    assert sums.shape == (30_000,)


def test_long_runs_are_drawn_in_smaller_batches() -> None:
    assert (batch_rows(1, 10), batch_rows(20, 200), batch_rows(7850, 20)) == (20_000, 1000, 509)


def attack(upper: float = 0.0, swapped: bool = False) -> Attack:
    return Attack(0, PAIR, Score(np.ones(1)), swapped, Event(upper, -np.inf, 0.0))


@pytest.mark.parametrize("swapped", [False, True])
def test_the_side_that_comes_first_is_the_one_that_was_chosen(swapped: bool) -> None:
    """theta* is −0.05 with D_f and 0.05 with D_f': only with the second first do the hits outnumber."""
    settings = Settings(1.0, 1e-2, rf=0.1, runs=300, steps=1)
    found = count_fresh(subject_of(Tells), settings, attack(swapped=swapped))
    assert bool(found.first.mean() > 0.04) is swapped
    assert (found.counts.x > 200) is swapped
    assert (found.counts.y > 200) is not swapped
    assert found.counts.size == 300
    # Poisson numbers, one a side: given the number 300 the counts would be binomial.
    lengths = [len(found.first), len(found.second)]
    assert lengths != [300, 300]
    assert 200 < min(lengths) <= max(lengths) < 400
    other = count_fresh(subject_of(Tells), replace(settings, seed=1), attack(swapped=swapped))
    assert lengths != [len(other.first), len(other.second)]


def spent(monkeypatch: pytest.MonkeyPatch, call: Any) -> dict[str, list[float]]:
    """The levels at which bounds are asked for while something is called."""
    seen: dict[str, list[float]] = {"eps": [], "delta": []}

    def eps(counts: Counts, delta: float, level: float) -> float:
        seen["eps"].append(level)
        return epsilon_lower(counts, delta, level)

    def delta(counts: Counts, eps: float, level: float) -> float:
        seen["delta"].append(level)
        return delta_lower(counts, eps, level)

    monkeypatch.setattr(counting, "epsilon_lower", eps)
    monkeypatch.setattr(counting, "delta_lower", delta)
    call()
    return seen


def test_each_bound_has_its_share_and_the_finding_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, found = Settings(1.0, 1e-2, rf=0.1, runs=300, steps=1, alpha=0.1), []
    seen = spent(monkeypatch, lambda: found.extend(privacy(subject_of(Tells), settings)[0]))
    assert seen == {"eps": [0.1 * SHARES["eps"]], "delta": [0.1 * SHARES["delta"]]}
    assert [f.level for f in found] == pytest.approx([0.1 * SHARES["eps"], 0.1 * SHARES["delta"]])
    assert {f.verdict for f in found} == {Judgement.VIOLATED}
    assert [f.check for f in found] == ["privacy eps", "privacy delta"]


@pytest.mark.parametrize(("least", "times"), [(None, 1), (4, 1), (3, 1), (2, 2)])
def test_other_times_share_one_level_among_all_their_bounds(
    monkeypatch: pytest.MonkeyPatch, least: int | None, times: int
) -> None:
    settings, found = Settings(1.0, 1e-2, rf=0.1, runs=600, steps=3, alpha=0.1), []
    seen = spent(monkeypatch, lambda: found.extend(other_steps(subject_of(Tells), settings, [PAIR], least)))
    every = [*seen["eps"], *seen["delta"]]
    assert len(every) == 2 * times
    assert sum(every) == pytest.approx(0.1 * SHARES["steps"])
    assert sum(f.level for f in found) == pytest.approx(0.1 * SHARES["steps"])
    assert all(4 <= found[0].measured["T"] < 8 for _ in found)
    assert [f.measured["T"] for f in found[1:]] == [2] * (times - 1)
    # What nobody claimed is not VIOLATED, but nothing is said of the whole either.
    wanted = Judgement.UNDECIDED if least is None else Judgement.VIOLATED
    assert {f.verdict for f in found} == {wanted}
    assert all(f.blocks for f in found)


def test_a_leak_that_begins_later_is_seen_at_the_other_time() -> None:
    class Later(Tells):
        least = 4

    settings = Settings(1.0, 1e-2, rf=0.1, runs=600, steps=3)
    found = list(other_steps(subject_of(Later), settings, [PAIR], 3))
    assert [f.verdict for f in found] == [Judgement.VIOLATED]
    assert not any(f.verdict is Judgement.VIOLATED for f in privacy(subject_of(Later), settings)[0])


@pytest.mark.parametrize("bad", ["eps", "delta"])
def test_either_bound_alone_is_enough_at_another_time(monkeypatch: pytest.MonkeyPatch, bad: str) -> None:
    for name, value in {"eps": ("epsilon_lower", 1.5), "delta": ("delta_lower", 0.02)}.items():
        monkeypatch.setattr(counting, value[0], lambda *_, v=value[1] if name == bad else 0.0: v)
    found = list(other_steps(subject_of(Tells), Settings(1.0, 1e-2, runs=300, steps=1), [PAIR], 1))
    assert found[0].verdict is Judgement.VIOLATED


def test_a_bound_at_the_claim_is_no_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "epsilon_lower", lambda *_: 1.0)
    monkeypatch.setattr(counting, "delta_lower", lambda *_: 1e-2)
    settings = Settings(1.0, 1e-2, rf=0.1, runs=300, steps=1)
    found = [*privacy(subject_of(Tells), settings)[0], *other_steps(subject_of(Tells), settings, [PAIR], 1)]
    assert {f.verdict for f in found} == {Judgement.CONSISTENT}
    assert [f.measured["lower_bound"] for f in found[:2]] == [1.0, 1e-2]


def test_both_bounds_share_draws_only_where_the_scores_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def counted(subject: Any, settings: Any, one: Attack, key: int = 0) -> Any:
        drawn.append(one)
        scores = np.array([1.0, 2.0, 3.0])
        return counting.Tested(scores, scores - 2, one.event.count(scores, scores - 2, 3.0))

    monkeypatch.setattr(counting, "count_fresh", counted)
    one = attack(2.5)
    other = replace(one, event=Event(1.5, -np.inf, 0.0))
    cases = {
        1: [other],
        2: [replace(other, index=1), replace(other, swapped=True), replace(other, score=Score(np.ones(1)))],
    }
    for wanted, attacks in cases.items():
        for second in attacks:
            drawn.clear()
            tested = counting._both(SimpleNamespace(), Settings(1.0, 0.0, runs=100), one, second)  # type: ignore[arg-type]
            assert len(drawn) == wanted
            assert [t.counts.x for t in tested] == [1, 2]


def test_the_picture_names_the_sides_as_they_are_drawn() -> None:
    tested = counting.Tested(np.array([1.0, 3.0]), np.array([-1.0]), Counts(0, 0, 1.0, 1))
    shown = histogram(attack(2.0), tested)
    assert shown["names"] == ["with D_f", "with D_f'"]
    assert histogram(attack(2.0, True), tested)["names"] == ["with D_f'", "with D_f"]
    assert (sum(shown["first"]), sum(shown["second"])) == (2, 1)  # type: ignore[call-overload]
    assert (shown["thresholds"], shown["sides"]) == ([2.0], ["above"])
    assert histogram(attack(), counting.Tested(np.zeros(0), np.zeros(0), tested.counts)) == {}


def test_sides_are_drawn_from_their_own_problem() -> None:
    settings = Settings(1.0, 1e-2, rf=0.1, runs=300, steps=1)
    first, second = draw_sides(subject_of(Tells), PAIR, settings, (50, 60), (1, 0))
    assert (len(first), len(second)) == (50, 60)
    assert first.mean() == pytest.approx(-0.05, abs=1e-3)
    assert second.mean() == pytest.approx(0.05, abs=1e-3)


def test_the_attack_of_largest_worth_is_taken_for_each_bound() -> None:
    settings = Settings(1.0, 1e-2, rf=0.1, runs=2000, steps=1)
    worths = [epsilon_worth(2000, 1e-2, 0.02), delta_worth(2000, 1.0)]
    near, far = line_pair(0.0, 0.001, 1), line_pair(0.0, 0.2, 1)
    for pairs in ([near, far], [far, near]):
        found = look(subject_of(Tells), replace(settings, rf=0.2), worths, pairs)
        assert [a.pair for a in found] == [far, far]
        assert all(a.index == pairs.index(far) for a in found)
        for a in found:
            # The law that lies higher comes first.
            first, second = (a.score.of(point[None]) for point in far.optima)
            assert a.score.centre is not None or bool(first > second) is not a.swapped


def test_what_was_chosen_freely_must_be_clearly_better() -> None:
    assert discounted(1.0) == CLEARLY < 1
    assert discounted(0.0) == 0.0
    assert discounted(-3.0) == -3.0
    fitted = Event(0.0, -np.inf, 2.0, fitted=True)
    fold = replace(attack(), score=Score(np.ones(1), 0.0, True), event=fitted)
    assert fold.merit == 2 * CLEARLY
    along = replace(fold, score=Score(np.ones(1), 0.0))
    assert along.merit == 2.0
    assert replace(along, event=replace(fitted, fitted=False)).merit == 2 * CLEARLY


def test_an_event_knows_whether_its_worth_was_fitted() -> None:
    """Else a lucky count on a law that is not Gaussian wins against the best pair (half noise, missed)."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.4, 1, 5000), rng.normal(0, 1, 5000)
    (smooth,) = choose(x, y, 1e4, delta_worth(1e4, 0.1))
    (counted,) = choose(np.maximum(x, 0), np.maximum(y, 0), 1e4, delta_worth(1e4, 0.1))
    assert (smooth.fitted, counted.fitted) == (True, False)


def test_the_best_direction_is_fishers() -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, 20_000, 2)) * [1.0, 0.1]
    first, second = noise[0] + [0.1, 0.1], noise[1]
    found = best_direction(first, second)
    # S^-1·gap is along (0.1/1, 0.1/0.01): nearly the second axis.
    assert np.abs(found) == pytest.approx([0.01, 1.0], abs=0.02)
    few = best_direction(first[:3, [0] * 9], second[:3, [0] * 9])
    assert np.linalg.norm(few) == pytest.approx(1.0)
    assert best_direction(np.zeros((5, 3)), np.zeros((5, 3))).tolist() == [1.0, 0.0, 0.0]


def test_distances_of_laws() -> None:
    assert distance(np.arange(4.0), np.arange(4.0)) == 0.0
    assert distance(np.arange(4.0), np.arange(4.0) + 1) == 0.25
    assert distance(np.arange(4.0) + 9, np.arange(2.0)) == 1.0


def test_atoms_are_seen_and_dense_laws_have_none() -> None:
    rng = np.random.default_rng(0)
    law = rng.normal(size=2000)
    assert search._atom(law) is None
    assert search._atom(np.where(rng.random(2000) < 0.04, 0.3, law)) == pytest.approx(0.3)


@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_thresholds_are_chosen_by_a_fit_only_where_it_is_fair(kind: str) -> None:
    """Of a Gaussian the fit knows the tail beyond every draw; of a heavy tail it knows nothing."""
    rng = np.random.default_rng(4)
    if kind == "normal":
        first, second = rng.normal(1.5, 1, 600), rng.normal(0, 1, 600)
        (event,) = choose(first, second, 1e5, epsilon_worth(1e5, 0.0, 0.05))
        assert event.upper > second.max()
    else:
        first, second = rng.standard_t(1, 600) + 0.5, rng.standard_t(1, 600)
        (event,) = choose(first, second, 1e5, epsilon_worth(1e5, 0.0, 0.05))
        assert 0 < event.worth < 3
