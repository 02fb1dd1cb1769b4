"""Questions to the calculator in units L = mu = 1, and the problems on which its answers are judged.

Each lower bound is about one family: signs whose mean the forget data hide, coins in the corners of a cube,
pairs that differ behind a kink at theta*. An upper bound is about all problems; here signs, cones and kinks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from oubli.sim.losses.families import cone, hard, kink, quadratic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem, hard_problem
from oubli.sim.require import Array
from oubli.theory.regimes import Classification, Constants, classify

R, E0 = 1 / 2, 1 / 8
# Far from zero and noisy first: most rules are seen to miss their target at once.
GAMMAS = (0.6, 0.0, 1.0, 0.8, 0.45, 0.3, 0.2, 0.1, 0.05, -0.05, -0.1, -0.2, -0.3, -0.45, -0.6, -0.8, -1.0)
KINKS = tuple(product((0.9, 0.75, 0.97, 0.5), (3.0, 1.5, 6.0, 1.0, 20.0)))


@dataclass(frozen=True)
class Row:
    """One question: forget fraction, budget, dimension and target e/e0."""

    r: float
    eps: float
    d: int
    x: float
    delta: float = 1e-5

    def classified(self, constants: Constants) -> Classification:
        """The calculator's answer."""
        return classify(
            rf=self.r, eps=self.eps, delta=self.delta, dim=self.d, target=self.x, constants=constants
        )


def unlearning_lower(row: Row) -> int:
    """The larger of the two certified lower ends of T^U: whoever beats either of them beats this one.

    >>> unlearning_lower(Row(0.5, 1.0, 1, 0.03))
    16
    """
    return max(int(row.classified(constants).unlearn[0].steps[0]) for constants in Constants)


def retraining_lower(row: Row) -> int:
    """The larger of the two certified lower ends of T^S.

    >>> retraining_lower(Row(0.5, 1.0, 1, 0.03))
    23
    """
    return max(int(row.classified(constants).scratch[0].steps[0]) for constants in Constants)


def signs(row: Row) -> Iterator[Problem]:
    """Signs of each mean, hidden by the forget data, and beside forget data that pull to either end."""
    hidden = [hard_problem(gamma, row.r, row.d, 1.0, 1.0) for gamma in GAMMAS]
    yield from hidden
    for problem, pull in product(hidden, (-1.0, 1.0)):
        yield Problem(problem.retain, Mixture((hard(pull, row.d, 1.0, 1.0),), [1.0]), row.r, 1.0, 1.0)


def corners(row: Row) -> Iterator[Problem]:
    """Coins of equal means, one per coordinate of at most three, with forget data that hide the means."""
    coins = min(row.d, 3)
    places = np.array(list(product((1.0, -1.0), repeat=coins))) / np.sqrt(coins)
    for mean in (1.0, 0.6, 0.3):
        chances = np.prod((1 + mean * np.sign(places)) / 2, axis=1)
        centre = mean * places[0]
        hiding = -centre * min(1.0 / mean, (1 - row.r) / row.r)
        retain = Mixture(tuple(quadratic(_wide(R * p, row.d), 1.0) for p in places), chances)
        yield Problem(retain, Mixture((quadratic(_wide(R * hiding, row.d), 1.0),), [1.0]), row.r, 1.0, 1.0)


def kinks(row: Row) -> Iterator[Problem]:
    """Pairs with one theta* that differ to its right only: signs of mean m, or a kink that keeps it best."""
    for pair in _pairs(row):
        yield from pair


def unbent(row: Row) -> Iterator[Problem]:
    """The signs of each pair, where staying at theta* costs G^2 e0, and all other signs."""
    for first, _ in _pairs(row):
        yield first
    yield from signs(row)


def _pairs(row: Row) -> Iterator[tuple[Problem, Problem]]:
    for m, Q in KINKS:
        p = Q / (1 + Q)
        G = min(row.r * (1 + m), float(np.sqrt(3 * row.x / p)), m / (1 + Q))
        yield _pair(row, m, G, m - (1 + Q) * G)


def _pair(row: Row, m: float, G: float, other: float) -> tuple[Problem, Problem]:
    up, down = hard(1.0, row.d, 1.0, 1.0), hard(-1.0, row.d, 1.0, 1.0)
    turning = kink(R * (m - G), -R, R, row.d, 1.0)
    forget = Mixture((hard(max(m - G / row.r, -1.0), row.d, 1.0, 1.0),), [1.0])
    signs_of_m = Mixture((up, down), [(1 + m) / 2, (1 - m) / 2])
    bent = Mixture((up, turning, down), [(1 + other) / 2, (m - other) / 2, (1 - m) / 2])
    first, second = (Problem(retain, forget, row.r, 1.0, 1.0) for retain in (signs_of_m, bent))
    return first, second


def cones(row: Row) -> Iterator[Problem]:
    """The sharpest members, with theta* at the tip: the noise costs most there."""
    for centre in (0.0, 0.2):
        tip = cone(_wide(np.array([centre]), row.d), R, 1.0)
        pull = Mixture((quadratic(_wide(np.array([-R]), row.d), 1.0),), [1.0])
        yield Problem(Mixture((tip,), [1.0]), pull, row.r, 1.0, 1.0)


def hard_family(row: Row) -> Iterator[Problem]:
    """What the lower bounds on T^U are about."""
    yield from signs(row)
    yield from corners(row)
    yield from kinks(row)


def any_problems(row: Row) -> Iterator[Problem]:
    """Some problems of every kind, for a promise about all of them."""
    yield from cones(row)
    for gamma in (0.0, 0.5, 1.0):
        yield hard_problem(gamma, row.r, row.d, 1.0, 1.0)
    yield from _pair(row, 0.5, row.r, 0.0)


def _wide(point: Array, d: int) -> Array:
    return np.concatenate([point, np.zeros(d - len(point))])
