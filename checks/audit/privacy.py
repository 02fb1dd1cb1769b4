"""Distribution-free privacy: look at every pair on some draws, test the worst on fresh ones.

Pairs, scores, directions and thresholds are all chosen on the first draws, so the one test that follows for
each bound is paid for by its own level alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checks.audit.counts import Counts, delta_lower, epsilon_lower
from checks.audit.draws import outputs, stream
from checks.audit.events import Event, Worth, choose, delta_worth, epsilon_worth
from checks.audit.finding import Finding, Judgement
from checks.audit.pairs import Pair, candidates
from checks.audit.settings import Settings
from checks.audit.subject import Subject
from sim.require import Array

LOOK, TEST = 1, 2
BINS = 40


@dataclass(frozen=True, eq=False)
class Score:
    """A number for each output: its place along a direction, or its distance from a point on it."""

    direction: Array
    centre: float | None = None

    def of(self, points: Array) -> Array:
        """The scores of the rows."""
        along = points @ self.direction
        return np.asarray(along if self.centre is None else np.abs(along - self.centre))

    def turned(self) -> Score:
        """The opposite order, for scores along a direction."""
        return Score(-self.direction, None if self.centre is None else -self.centre)


@dataclass(frozen=True, eq=False)
class Attack:
    """What the first draws chose: a pair, which law comes first, a score and an event of it."""

    index: int
    pair: Pair
    score: Score
    swapped: bool
    event: Event


@dataclass(frozen=True, eq=False)
class Tested:
    """Fresh scores under both laws, first the one that lies higher."""

    first: Array
    second: Array
    counts: Counts


def draw_side(
    subject: Subject, pair: Pair, side: int, settings: Settings, chains: int, key: tuple[int, ...]
) -> Array:
    """Outputs of one side of a pair."""
    problem = pair.problem if side == 0 else pair.problem.swapped()
    rule = subject.on(problem)
    seed = (settings.seed, *key, side)
    return outputs(rule, problem.retain, problem.full_optimum.point, settings.setup(), chains, seed)


def scores_for(first: Array, second: Array) -> list[Score]:
    """Directions that tell these draws apart: the best linear one, the first axis, and a fold of the best."""
    gap = first.mean(axis=0) - second.mean(axis=0)
    spread = np.atleast_2d(np.cov(np.concatenate([first - first.mean(0), second - second.mean(0)]).T))
    ridge = 1e-9 * (np.trace(spread) / len(gap)) + 1e-24
    best = np.linalg.solve(spread + ridge * np.eye(len(gap)), gap)
    norm = float(np.linalg.norm(best))
    best = best / norm if norm > 0 else np.eye(len(gap))[0]
    centre = float((first.mean(0) + second.mean(0)) @ best / 2)
    axis = [] if len(gap) == 1 else [Score(np.eye(len(gap))[0])]
    return [Score(best), *axis, Score(best, centre)]


def look(subject: Subject, settings: Settings, worths: list[Worth]) -> list[Attack]:
    """For each worth the attack that does best on the first draws."""
    number = max(100, settings.runs // 10)
    best: list[Attack | None] = [None] * len(worths)
    for index, pair in enumerate(candidates(settings.rf, settings.dim, settings.seed)):
        sides = [draw_side(subject, pair, side, settings, number, (LOOK, index)) for side in (0, 1)]
        for score in scores_for(*sides):
            for swapped in (False, True) if score.centre is not None else (_lower(score, sides),):
                first, second = (score.of(sides[i]) for i in ((1, 0) if swapped else (0, 1)))
                for k, worth in enumerate(worths):
                    attack = Attack(index, pair, score, swapped, choose(first, second, settings.runs, worth))
                    kept = best[k]
                    if kept is None or attack.event.worth > kept.event.worth:
                        best[k] = attack
    return [attack for attack in best if attack is not None]


def _lower(score: Score, sides: list[Array]) -> bool:
    return bool(score.of(sides[0]).mean() < score.of(sides[1]).mean())


def count_fresh(subject: Subject, settings: Settings, attack: Attack) -> Tested:
    """Count the chosen event on a Poisson number of fresh draws a side."""
    numbers = stream(settings.seed, TEST, attack.index, 9).poisson(settings.runs, 2)
    sides = [
        attack.score.of(
            draw_side(subject, attack.pair, side, settings, int(numbers[side]), (TEST, attack.index))
        )
        for side in (0, 1)
    ]
    first, second = reversed(sides) if attack.swapped else sides
    return Tested(first, second, attack.event.count(first, second, settings.runs))


def privacy(subject: Subject, settings: Settings) -> tuple[list[Finding], Attack, Tested]:
    """The findings `privacy eps` and `privacy delta`, and the attack behind the first."""
    level_eps, level_delta = settings.level("eps"), settings.level("delta")
    worths = [
        epsilon_worth(settings.runs, settings.delta, level_eps),
        delta_worth(settings.runs, settings.eps),
    ]
    for_eps, for_delta = look(subject, settings, worths)
    tested = count_fresh(subject, settings, for_eps)
    same = for_delta.index == for_eps.index and for_delta.score is for_eps.score
    other = count_fresh(subject, settings, for_delta)
    if same and for_delta.swapped == for_eps.swapped:
        other = Tested(
            tested.first, tested.second, for_delta.event.count(tested.first, tested.second, settings.runs)
        )
    eps = max(0.0, epsilon_lower(tested.counts, settings.delta, level_eps))
    delta = delta_lower(other.counts, settings.eps, level_delta)
    found = [
        _finding("privacy eps", eps, settings.eps, f"eps <= {settings.eps:g} at delta = {settings.delta:g}",
                 1 - level_eps, for_eps, tested),
        _finding("privacy delta", delta, settings.delta,
                 f"delta <= {settings.delta:g} at eps = {settings.eps:g}", 1 - level_delta, for_delta, other),
    ]  # fmt: skip
    return found, for_eps, tested


def _finding(
    check: str, bound: float, claim: float, text: str, confidence: float, attack: Attack, tested: Tested
) -> Finding:
    violated = bound > claim
    counts = tested.counts
    measured = {
        "lower_bound": bound,
        "hits": counts.x,
        "false_hits": counts.y,
        "draws_a_side": counts.size,
        "directions": counts.directions,
        "optima_apart": attack.pair.distance,
    }
    says = (
        f"at confidence {confidence:.4g} it is at least {bound:.4g}"
        if violated
        else f"nothing speaks against it; at confidence {confidence:.4g} it is at least {bound:.4g}"
    )
    verdict = Judgement.VIOLATED if violated else Judgement.CONSISTENT
    return Finding(
        check, verdict, text, measured, confidence, attack.pair.name, says, histogram(attack, tested)
    )


def histogram(attack: Attack, tested: Tested) -> dict[str, object]:
    """Both score distributions and the thresholds, as numbers for a picture."""
    scores = np.concatenate([tested.first, tested.second])
    if len(scores) == 0:
        return {}
    margin = 1e-6 * (1 + float(np.abs(scores).max()))
    edges = np.linspace(float(scores.min()) - margin, float(scores.max()) + margin, BINS + 1)
    first, second = (np.histogram(side, edges)[0].tolist() for side in (tested.first, tested.second))
    ends = [value for value in (attack.event.lower, attack.event.upper) if np.isfinite(value)]
    return {"kind": "scores", "edges": edges.tolist(), "first": first, "second": second, "thresholds": ends}
