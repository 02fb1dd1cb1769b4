"""The search for the attack: pairs, scores, directions and thresholds, all on draws that are never counted.

A first look ranks every pair by how far apart its two laws seem; a second, with more draws, tries the best of
them, moves of the best, and all events of their scores. What comes out is one attack for each bound, and the
fresh draws that test it are paid for by the level of that bound alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oubli.checks.audit.draws import outputs, rows_at_most, stream
from oubli.checks.audit.events import Event, Worth, choose
from oubli.checks.audit.pairs import Pair, candidates, neighbour, spot_pair
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.require import Array

FIRST, SECOND, MOVES = 1, 3, 4
KEPT, MOVED = 3, 2


@dataclass(frozen=True, eq=False)
class Score:
    """A number for each output: its place along a direction, or its distance from a point on it."""

    direction: Array
    centre: float | None = None

    def of(self, points: Array) -> Array:
        """The scores of the rows."""
        along = points @ self.direction
        return np.asarray(along if self.centre is None else np.abs(along - self.centre))


@dataclass(frozen=True, eq=False)
class Attack:
    """What the search chose: a pair, which law comes first, a score and an event of it."""

    index: int
    pair: Pair
    score: Score
    swapped: bool
    event: Event


def draw_side(
    subject: Subject, pair: Pair, side: int, settings: Settings, chains: int, key: tuple[int, ...],
    seen: Callable[[Array], Array] = np.asarray,
) -> Array:  # fmt: skip
    """Outputs of one side of a pair, or what `seen` makes of them."""
    problem = pair.sides[side]
    rule = subject.on(problem)
    seed = (settings.seed, *key, side)
    return outputs(rule, problem.retain, problem.full_optimum.point, settings.setup(), chains, seed, seen)


def scores_for(first: Array, second: Array, apart: Array) -> list[Score]:
    """The best linear direction on these draws and a fold of it, the first axis, the line of the optima."""
    gap = first.mean(axis=0) - second.mean(axis=0)
    spread = np.atleast_2d(np.cov(np.concatenate([first - first.mean(0), second - second.mean(0)]).T))
    ridge = 1e-9 * (np.trace(spread) / len(gap)) + 1e-24
    best = _unit(np.linalg.solve(spread + ridge * np.eye(len(gap)), gap))
    centre = float((first.mean(0) + second.mean(0)) @ best / 2)
    fixed = [] if len(gap) == 1 else [Score(np.eye(len(gap))[0]), Score(_unit(apart))]
    return [Score(best), *fixed, Score(best, centre)]


def _unit(vector: Array) -> Array:
    norm = float(np.linalg.norm(vector))
    return np.asarray(vector / norm) if norm > 0 else np.asarray(np.eye(len(vector))[0])


def distance(first: Array, second: Array) -> float:
    """The largest difference of two empirical distribution functions.

    >>> distance(np.array([0.0, 1.0]), np.array([2.0, 3.0]))
    1.0
    """
    both = np.concatenate([first, second])
    shares = [np.searchsorted(np.sort(side), both, side="right") / len(side) for side in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())


def chosen_pairs(subject: Subject, settings: Settings) -> list[Pair]:
    """The first candidate, those whose laws seem furthest apart, and moves of the best that can be moved."""
    number = rows_at_most(max(200, settings.runs // 40), settings.dim)
    pairs = candidates(settings.rf, settings.dim)
    seen = [_apart(subject, settings, pair, number, index) for index, pair in enumerate(pairs)]
    order = sorted(range(len(pairs)), key=lambda i: (-seen[i], -pairs[i].distance))
    best = [pairs[i] for i in order]
    rng = stream(settings.seed, MOVES)
    start = next(pair.spot for pair in best if pair.spot is not None)
    moved = [spot_pair(neighbour(start, rng), settings.rf) for _ in range(MOVED)]
    return [pairs[0], *(pair for pair in best[:KEPT] if pair is not pairs[0]), *moved]


def _apart(subject: Subject, settings: Settings, pair: Pair, number: int, index: int) -> float:
    first, second = (draw_side(subject, pair, side, settings, number, (FIRST, index)) for side in (0, 1))
    scores = scores_for(first, second, pair.optima[0] - pair.optima[1])
    return max(distance(score.of(first), score.of(second)) for score in scores)


def look(subject: Subject, settings: Settings, worths: list[Worth]) -> list[Attack]:
    """For each worth the attack that does best on the second draws."""
    number = rows_at_most(max(500, settings.runs // 10), settings.dim)
    best: list[Attack | None] = [None] * len(worths)
    for index, pair in enumerate(chosen_pairs(subject, settings)):
        sides = [draw_side(subject, pair, side, settings, number, (SECOND, index)) for side in (0, 1)]
        for score in scores_for(sides[0], sides[1], pair.optima[0] - pair.optima[1]):
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
