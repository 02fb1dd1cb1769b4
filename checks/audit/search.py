"""The search for the attack: pairs, scores, directions and thresholds, all on draws that are never counted.

A first look ranks every pair by how far apart its two laws seem; a second, with more draws, tries the best of
them, moves of the best, and all events of their scores. What comes out is one attack for each bound, and the
fresh draws that test it are paid for by the level of that bound alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from oubli.checks.audit.draws import outputs, rows_at_most
from oubli.checks.audit.events import Event, Worth, choose, discounted
from oubli.checks.audit.generators import stream
from oubli.checks.audit.pairs import Pair, claimed_pairs, neighbour, spot_pair
from oubli.checks.audit.plan import long_runs
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.require import Array

FIRST, SECOND, MOVES = 1, 3, 4
KEPT, MOVED = 3, 2
# Draws of the first look and of the second, whatever the number of runs; fewer where runs are long.
LEAST_LOOK, LEAST_LOOK_LONG, LEAST_SECOND = 120, 40, 500
# The part of the draws whose closest neighbours show where a law has an atom.
ATOM = 0.02
# An interval this much shorter than its share of the middle half is an atom.
DENSE = 0.2


@dataclass(frozen=True, eq=False)
class Score:
    """A number for each output: its place along a direction, or its distance from a point on it."""

    direction: Array
    centre: float | None = None
    atom: bool = False

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

    @property
    def merit(self) -> float:
        """Its worth; what was chosen freely, by counts or at an atom, must be clearly better than others."""
        freely = self.score.atom or not self.event.fitted
        return discounted(self.event.worth) if freely else self.event.worth


def draw_side(
    subject: Subject, pair: Pair, side: int, settings: Settings, chains: int, key: tuple[int, ...],
    seen: Callable[[Array], Array] = np.asarray,
) -> Array:  # fmt: skip
    """Outputs of one side of a pair, or what `seen` makes of them."""
    problem = pair.sides[side]
    rule = subject.on(problem)
    seed = (settings.seed, *key, side)
    return outputs(rule, problem.retain, problem.full_optimum.point, settings.setup(), chains, seed, seen)


def draw_sides(
    subject: Subject, pair: Pair, settings: Settings, numbers: Sequence[int], key: tuple[int, ...],
    seen: Callable[[Array], Array] = np.asarray,
) -> list[Array]:  # fmt: skip
    """Outputs of both sides; at once where each rule has a process of its own."""

    def draw(side: int) -> Array:
        return draw_side(subject, pair, side, settings, numbers[side], key, seen)

    if not subject.isolated:
        return [draw(0), draw(1)]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(draw, (0, 1)))


def scores_for(first: Array, second: Array, apart: Array) -> list[Score]:
    """The best linear direction on these draws and a fold of it, the first axis, the line of the optima."""
    best = best_direction(first, second)
    centre = float((first.mean(0) + second.mean(0)) @ best / 2)
    line = best if len(best) == 1 else _unit(apart)
    fixed = [] if len(best) == 1 else [Score(_axis(len(best))), Score(line)]
    found = {_atom(side @ line) for side in (first, second)}
    atoms = sorted(atom for atom in found if atom is not None)
    return [Score(best), *fixed, Score(best, centre), *(Score(line, atom, True) for atom in atoms)]


def _atom(values: Array) -> float | None:
    """The middle of the shortest interval that holds a small part of the values, if it is far too short.

    Without an atom it would be about as dense as the middle half, and a fold there would only look good.

    >>> _atom(np.concatenate([np.arange(100.0), np.full(20, 5.5)])), _atom(np.arange(100.0))
    (5.5, None)
    """
    ordered = np.sort(values)
    size = max(1, int(ATOM * len(ordered)))
    widths = ordered[size:] - ordered[:-size]
    at = int(np.argmin(widths))
    low, high = np.quantile(ordered, (0.25, 0.75))
    dense = widths[at] <= DENSE * (high - low) * size / (0.5 * len(ordered))
    return float(ordered[at + size // 2]) if dense else None


def best_direction(first: Array, second: Array) -> Array:
    """Fisher's direction (S + ridge)^-1·gap; with fewer draws than dimensions in the space of the draws.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(50, 2000)) + 9 * (np.arange(2000) == 3)
    >>> int(np.argmax(np.abs(best_direction(x, rng.normal(size=(50, 2000))))))
    3
    """
    gap = first.mean(axis=0) - second.mean(axis=0)
    rows = np.concatenate([first - first.mean(0), second - second.mean(0)])
    n, d = rows.shape
    mean = float(np.einsum("ij,ij->", rows, rows)) / (n * d)
    # With few draws the sample spread is mostly chance: it is pulled towards a multiple of the identity.
    ridge = mean * max(1e-9, d / n) + 1e-24
    if d <= n:
        return _unit(np.linalg.solve(rows.T @ rows / n + ridge * np.eye(d), gap))
    # (A'A/n + ridge)^-1 g = (g − A'(A A' + n·ridge)^-1 A g)/ridge, a system of the size of the draws.
    inner = np.linalg.solve(rows @ rows.T + n * ridge * np.eye(n), rows @ gap)
    return _unit(gap - rows.T @ inner)


def _axis(d: int) -> Array:
    axis = np.zeros(d)
    axis[0] = 1.0
    return axis


def _unit(vector: Array) -> Array:
    norm = float(np.linalg.norm(vector))
    return np.asarray(vector / norm) if norm > 0 else _axis(len(vector))


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
    long = long_runs(settings.dim, settings.steps)
    number = rows_at_most(max(LEAST_LOOK_LONG if long else LEAST_LOOK, settings.runs // 40), settings.dim)
    pairs = claimed_pairs(subject, settings)
    seen = [_apart(subject, settings, pair, number, index) for index, pair in enumerate(pairs)]
    order = sorted(range(len(pairs)), key=lambda i: (-seen[i], -pairs[i].distance))
    best = [pairs[i] for i in order]
    rng = stream(settings.seed, MOVES)
    start = next(pair.spot for pair in best if pair.spot is not None)
    moved = [spot_pair(neighbour(start, rng), settings.rf) for _ in range(MOVED - long)]
    return [pairs[0], *(pair for pair in best[: KEPT - long] if pair is not pairs[0]), *moved]


def _apart(subject: Subject, settings: Settings, pair: Pair, number: int, index: int) -> float:
    first, second = draw_sides(subject, pair, settings, (number, number), (FIRST, index))
    return max(distance(s.of(x), s.of(y)) for s, x, y in _fitted_scores(first, second, pair))


def _fitted_scores(first: Array, second: Array, pair: Pair) -> list[tuple[Score, Array, Array]]:
    """Scores with draws to try them on: beyond one dimension those that chose a direction are not tried."""
    half = 0 if first.shape[1] == 1 else len(first) // 2
    fit = (first[:half], second[:half]) if half else (first, second)
    scores = scores_for(*fit, pair.optima[0] - pair.optima[1])
    return [(score, first[half:], second[half:]) for score in scores]


def look(
    subject: Subject, settings: Settings, worths: list[Worth], pairs: Sequence[Pair] = (), key: int = SECOND
) -> list[Attack]:
    """For each worth the attack that does best on the second draws, on these pairs or on those searched."""
    number = rows_at_most(max(min(LEAST_SECOND, settings.runs // 2), settings.runs // 10), settings.dim)
    best: list[Attack | None] = [None] * len(worths)
    for index, pair in enumerate(pairs or chosen_pairs(subject, settings)):
        drawn = draw_sides(subject, pair, settings, (number, number), (key, index))
        for score, *sides in _fitted_scores(drawn[0], drawn[1], pair):
            for swapped in (False, True) if score.centre is not None else (_lower(score, sides),):
                first, second = (score.of(sides[i]) for i in ((1, 0) if swapped else (0, 1)))
                for k, event in enumerate(choose(first, second, settings.runs, *worths)):
                    attack, kept = Attack(index, pair, score, swapped, event), best[k]
                    if kept is None or attack.merit > kept.merit:
                        best[k] = attack
    return [attack for attack in best if attack is not None]


def _lower(score: Score, sides: list[Array]) -> bool:
    return bool(score.of(sides[0]).mean() < score.of(sides[1]).mean())
