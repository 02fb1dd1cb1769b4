"""Audits of samples: which rows search and which are counted, at which levels, and in which direction."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import f as fisher
from scipy.stats import normaltest

from oubli.checks.audit import gaussian as assumed
from oubli.checks.audit import privacy as counting
from oubli.checks.audit import samples as module
from oubli.checks.audit import samples_gaussian as linear
from oubli.checks.audit.counts import Counts, delta_lower, epsilon_lower, poisson_size
from oubli.checks.audit.events import Event
from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.retraining import against_retraining, implied_pair_budget, retrain_distance, retrained
from oubli.checks.audit.samples import SERVED, SHARES, SHARES_GAUSSIAN, audit_samples, judged, split
from oubli.checks.audit.scores import gaussian_epsilon_from_scores
from oubli.checks.audit.search import Attack, Score
from oubli.checks.audit.settings import SHARES as PARTS
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.tradeoff import TradeOff, claimed_curve, trade_off
from oubli.sim.laws import gaussian_epsilon

RNG = np.random.default_rng(0)
P, Q = RNG.normal(1, 1, 800), RNG.normal(0, 1, 600)


def test_rows_either_search_or_are_counted() -> None:
    first, second = np.arange(500.0)[:, None], np.arange(300.0)[:, None]
    parts = split(first, second, 5)
    for side, whole in ((0, first), (1, second)):
        rows = np.concatenate([parts.search[side], parts.counted[side]])[:, 0]
        assert sorted(rows) == whole[:, 0].tolist()
        assert rows.tolist() != whole[:, 0].tolist()
        assert len(parts.search[side]) == len(whole) // 10
        assert np.array_equal(parts.poisson()[side], parts.counted[side][: parts.numbers[side]])
        assert 0 < parts.numbers[side] <= len(parts.counted[side])
    assert parts.size == poisson_size(270)
    assert parts.numbers[0] != parts.numbers[1]
    assert not np.array_equal(split(first, second, 6).search[0], parts.search[0])


def test_numbers_that_the_rows_cannot_serve_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "poisson_size", float)
    parts = [split(np.zeros((100, 1)), np.zeros((100, 1)), seed) for seed in range(60)]
    # All of the rows may be counted, and no more.
    assert max(max(part.numbers) for part in parts) == len(parts[0].counted[0]) == 80


@pytest.mark.parametrize("gauss", [False, True])
def test_every_finding_is_made_at_its_share(monkeypatch: pytest.MonkeyPatch, gauss: bool) -> None:
    seen: dict[str, float] = {}

    def eps(counts: Counts, delta: float, level: float) -> float:
        seen["eps"] = level
        return epsilon_lower(counts, delta, level)

    def delta(counts: Counts, eps: float, level: float) -> float:
        seen["delta"] = level
        return delta_lower(counts, eps, level)

    def curve(first: Any, second: Any, level: float) -> Any:
        seen["curve"] = level
        return trade_off(first, second, level)

    for name, spy in {"epsilon_lower": eps, "delta_lower": delta, "trade_off": curve}.items():
        monkeypatch.setattr(module, name, spy)
    found = audit_samples(P, Q, 0.5, 1e-3, alpha=0.1, assume_gaussian=gauss)
    shares = SHARES_GAUSSIAN if gauss else SHARES
    assert seen == {name: shares[name] * 0.1 * SERVED for name in ("eps", "delta", "curve")}
    assert SERVED < 1
    wanted = ["privacy eps", "privacy delta", "privacy curve", "privacy gaussian"]
    assert [f.check for f in found.findings] == wanted
    assert sum(f.level for f in found.findings) == pytest.approx(0.1 * SERVED)
    spent = SHARES_GAUSSIAN["gaussian"] * SERVED if gauss else 1
    assert found.findings[3].confidence == pytest.approx(1 - 0.1 * spent)
    # Without delta there is no Gaussian bound, and nothing is set aside for it.
    pure = audit_samples(P, Q, 0.5, 0.0, alpha=0.1, assume_gaussian=True).findings
    left = [0.1 * SERVED * SHARES[name] for name in ("eps", "delta", "curve")]
    assert [f.level for f in pure] == pytest.approx(left)


def test_a_samples_audit_says_what_it_measured_and_how_to_repeat_it() -> None:
    found = audit_samples(P, Q, 0.5, 1e-3, alpha=0.1, seed=4, assume_gaussian=True, names=("a.npy", "b.npy"))
    again = "oubli audit --samples a.npy b.npy --eps 0.5 --delta 0.001 --alpha 0.1 --seed 4"
    assert found.replay == again + " --assume-gaussian"
    assert audit_samples(P, Q, 0.5, 1e-3, alpha=0.1, seed=4, names=("a.npy", "b.npy")).replay == again
    assert found.findings[0].measured["lower_bound"] > 0.1
    assert len(found.findings[0].measured["thresholds"]) == 2
    assert audit_samples(Q, Q[::-1], 0.5, 1e-3).findings[0].measured["lower_bound"] >= 0.0


@pytest.mark.parametrize(
    ("change", "says"),
    [({"eps": 1e-7}, "eps"), ({"eps": 10001.0}, "eps"), ({"delta": 1e-301}, "delta"),
     ({"delta": 0.91}, "delta"), ({"alpha": 0.0}, "alpha"), ({"alpha": 1.0}, "alpha"), ({"seed": -1}, "seed"),
     ({"Q": np.zeros((600, 2))}, "columns")],
)  # fmt: skip
def test_what_cannot_be_asked_of_samples(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        audit_samples(**{"P": P, "Q": Q, "eps": 1.0, "delta": 1e-5, **change})


def test_ends_of_what_can_be_asked() -> None:
    for eps, delta in ((1e-6, 1e-300), (1e4, 0.9), (1.0, 0.0)):
        audit_samples(P, Q, eps, delta)


def test_a_bound_at_the_claim_is_no_violation_and_above_it_is() -> None:
    verdicts = [judged("x", "", bound, 1.0, {}, 0.02).verdict for bound in (1.0, 1.001)]
    assert verdicts == [Judgement.CONSISTENT, Judgement.VIOLATED]
    found = judged("x", "", 2.0, 1.0, {"a": 1}, 0.02)
    assert (found.confidence, dict(found.measured)) == (0.98, {"lower_bound": 2.0, "a": 1})
    assert found.says == "at confidence 0.98 it is at least 2"
    assert judged("x", "", 0.5, 1.0, {}, 0.02, "delta").says.startswith(
        "nothing speaks against it; at confidence"
    )


def test_the_band_pays_for_each_side_by_its_own_size() -> None:
    curve = trade_off(np.array([1.0, 2.0, 3.0, 3.0]), np.array([0.0, 2.0]), 0.05)
    assert curve.margin_one == pytest.approx(math.sqrt(math.log(40) / 4))
    assert curve.margin_two == pytest.approx(math.sqrt(math.log(40) / 8))
    # Thresholds 0, 1, 2, 3 and beyond: the share of Q at or above, and of P below.
    assert curve.type_one.tolist() == [1.0, 0.5, 0.5, 0.0, 0.0]
    assert curve.type_two.tolist() == [0.0, 0.0, 0.25, 0.5, 1.0]


def test_delta_of_a_curve_in_either_direction() -> None:
    one = TradeOff(np.array([1.0, 0.1]), np.array([0.0, 0.2]), 0.01, 0.02)
    other = TradeOff(np.array([0.2, 1.0]), np.array([0.1, 0.0]), 0.02, 0.01)
    for curve in (one, other):
        assert curve.delta_lower(math.log(2)) == pytest.approx(1 - 0.22 - 2 * 0.11)
        assert curve.delta_lower(5.0) == 0.0
    far = TradeOff(np.array([0.0]), np.array([0.0]), 0.0, 0.0)
    assert far.delta_lower(1e4) == 1.0


def test_the_claimed_curve_by_its_definition() -> None:
    """The least b with 1 − b <= e^eps·a + delta and 1 − a <= e^eps·b + delta."""
    for a in np.linspace(0, 1, 21):
        b = float(claimed_curve(np.array([a]), 0.7, 0.05)[0])
        holds = [1 - x <= math.exp(0.7) * a + 0.05 + 1e-12 and 1 - a <= math.exp(0.7) * x + 0.05 + 1e-12
                 for x in (b, b - 1e-6)]  # fmt: skip
        assert holds[0]
        assert b == 0.0 or not holds[1]


def test_closeness_to_retraining_implies_a_budget_that_is_rounded_up() -> None:
    e = sum(Fraction(1, math.factorial(k)) for k in range(40))
    eps, delta = implied_pair_budget(1.0, 1e-5)
    assert eps == 2.0
    assert Fraction(delta) >= (1 + e) * Fraction(1e-5)
    assert delta == pytest.approx(3.71828e-5, rel=1e-6)
    assert implied_pair_budget(0.5, 0.0) == (1.0, 0.0)
    assert implied_pair_budget(1e4, 0.5) == (2e4, 1.0)
    assert retrain_distance(0.25) == 0.25


def test_retraining_is_the_problem_without_its_forget_law() -> None:
    problem = line_pair(-1.0, 0.1, 1).problem
    apart, alone = against_retraining(problem), retrained(problem)
    assert apart.swapped().full_optimum.point == pytest.approx(problem.retain_optimum.point)
    assert apart.full_optimum.point == pytest.approx(problem.full_optimum.point)
    assert alone.full_optimum.point == pytest.approx(problem.retain_optimum.point)
    assert alone.alternative is problem.forget


def finding(settings: Settings, first: Any, second: Any, centre: float | None = None) -> Any:
    attack = Attack(0, line_pair(0.0, 0.1, 1), Score(np.ones(1), centre), False, Event(0.0, -np.inf, 0.0))
    return assumed.gaussian(settings, attack, counting.Tested(first, second, Counts(0, 0, 1.0, 1)))


def test_the_gaussian_bound_speaks_only_where_it_may() -> None:
    weak, free = Settings(0.1, 1e-3, assume_gaussian=True), Settings(0.1, 1e-3)
    found = finding(weak, P, Q)
    level = 0.05 * PARTS["gaussian"]
    assert found.verdict is Judgement.VIOLATED
    assert found.level == pytest.approx(level)
    assert found.measured["lower_bound"] == gaussian_epsilon_from_scores(P, Q, 1e-3, level)
    assert finding(free, P, Q).verdict is Judgement.UNDECIDED
    assert finding(Settings(9.0, 1e-3), P, Q).verdict is Judgement.CONSISTENT
    assert finding(Settings(0.1, 0.0, assume_gaussian=True), P, Q).verdict is Judgement.UNDECIDED
    assert finding(weak, P, Q, centre=0.0).verdict is Judgement.UNDECIDED
    assert finding(weak, P**3, Q).verdict is Judgement.UNDECIDED


@pytest.mark.parametrize("case", range(3))
def test_the_screen_is_the_least_of_three_p_values(case: int) -> None:
    rng = np.random.default_rng(case)
    sides = [rng.normal(size=50), rng.normal(size=60)]
    # One of the three is made the least: a tail on either side, or another spread.
    if case < 2:
        sides[case][0] = 4.0
    else:
        sides[0] = sides[0] * 1.3
    shapes = [normaltest(side).pvalue for side in sides]
    ratio = sides[0].var(ddof=1) / sides[1].var(ddof=1)
    spread = 2 * min(fisher(49, 59).cdf(ratio), fisher(49, 59).sf(ratio))
    assert assumed.screen(*sides) == pytest.approx(min(*shapes, spread), rel=1e-9)
    assert np.argmin([*shapes, spread]) == case


def test_the_screen_sees_shape_and_spread() -> None:
    assert assumed.screen(P, Q) > assumed.SCREEN
    for first, second in ((P**3, Q), (P, Q**3), (3 * P, Q), (P, 3 * Q), (P[:49], Q), (P, Q[:49])):
        assert assumed.screen(first, second) < assumed.SCREEN
    assert assumed.screen(np.ones(100), Q) == 0.0
    assert assumed.screen(P, np.ones(100)) == 0.0


@pytest.mark.parametrize("taken", [False, True])
def test_the_linear_gaussian_finding(taken: bool) -> None:
    sides = P[:, None], Q[:, None]
    found = linear.gaussian_finding(sides, sides, (0.1, 1e-3), 0.04, taken)
    assert found.verdict is (Judgement.VIOLATED if taken else Judgement.UNDECIDED)
    assert found.level == (0.04 if taken else 0.0)
    assert linear.gaussian_finding(sides, sides, (9.0, 1e-3), 0.04, taken).verdict is Judgement.CONSISTENT
    # One sign is known from the rows that search: the whole level pays for it.
    assert found.measured["lower_bound"] == gaussian_epsilon_from_scores(P, Q, 1e-3, 0.08)
    other = linear.gaussian_finding(sides[::-1], sides, (0.1, 1e-3), 0.04, taken)
    assert other.measured["lower_bound"] == 0.0
    cubed = sides[0] ** 3, sides[1]
    assert linear.gaussian_finding(sides, cubed, (0.1, 1e-3), 0.04, taken).verdict is Judgement.UNDECIDED


def test_separations_at_the_ends_of_the_law() -> None:
    assert linear._epsilon(1.0, 1e-5) == gaussian_epsilon(1.0, 1e-5)
    assert (
        linear._epsilon(0.0, 1e-5)
        == linear._epsilon(float("nan"), 1e-5)
        == linear._epsilon(9e-7, 1e-5)
        == 0.0
    )
    assert linear._epsilon(1e9, 1e-5) == linear._epsilon(1e2, 1e-5) > 1000
