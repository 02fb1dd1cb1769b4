"""The synthetic experiment (l.735–751) as data: which problems, which grids, how many repetitions.

For every T the signs have mean 1/(2√T), so each T is a problem of its own. The paper runs T steps on the T-th
problem and averages, over all T and repetitions, the first time at which a run passes e.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.sim.problems.problem import Problem, synthetic_problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, is_count, require

# The largest even d for which the printed loss keeps its Lipschitz constant L on the ball.
LARGEST_INSIDE = 4


@dataclass(frozen=True)
class Synthetic:
    """The protocol; the defaults are the printed ones, d is the largest even dimension in the class.

    >>> Synthetic().horizons[:4], len(Synthetic().kappas)
    ((1, 2, 3, 4), 60)
    """

    L: float = 25.0
    mu: float = 1.0
    r_f: float = 1e-2
    d: int = LARGEST_INSIDE
    delta: float = 1e-5
    most_steps: int = 1_000_000
    per_decade: int = 10
    low: float = 1e-2
    high: float = 1e2
    points: int = 60
    repetitions: int = 50
    seed: int = 0
    alpha: float = 1e-3

    def __post_init__(self) -> None:
        require(is_count(self.d, 2) and self.d % 2 == 0, "d must be an even integer >= 2", self.d)
        require(is_count(self.most_steps, 1), "the largest T must be an integer >= 1", self.most_steps)
        require(is_count(self.per_decade, 1), "T a decade must be an integer >= 1", self.per_decade)
        require(is_count(self.points, 2), "grid points must be an integer >= 2", self.points)
        require(is_count(self.repetitions, 2), "repetitions must be an integer >= 2", self.repetitions)
        require(is_count(self.seed, 0), "seed must be an integer >= 0", self.seed)
        require(0 < self.low < self.high < math.inf, "the grid needs 0 < low < high", (self.low, self.high))
        require(0 < self.alpha < 1, "alpha must lie in (0, 1)", self.alpha)
        require(0 < self.delta < 1, "delta must lie in (0, 1)", self.delta)

    @property
    def horizons(self) -> tuple[int, ...]:
        """T, log-spaced from 1, rounded to distinct integers."""
        decades = math.log10(self.most_steps)
        spaced = np.logspace(0, decades, round(decades * self.per_decade) + 1)
        return tuple(int(T) for T in np.unique(np.round(spaced)))

    @property
    def kappas(self) -> tuple[float, ...]:
        """kappa, log-spaced and increasing."""
        return spaced_logarithmically(self.low, self.high, self.points)

    @property
    def levels(self) -> tuple[float, ...]:
        """e, log-spaced and increasing."""
        return spaced_logarithmically(self.low, self.high, self.points)

    @property
    def each_alpha(self) -> float:
        """The level of each interval: all those of one algorithm's diagram hold together with 1 − alpha."""
        return self.alpha / (len(self.horizons) * self.points)

    @property
    def outside(self) -> str | None:
        """Why the loss is outside F_sc(mu, L), or None."""
        if self.d <= LARGEST_INSIDE:
            return None
        actual = self.L * (0.5 + math.sqrt(self.d) / 4)
        return (
            f"at d = {self.d} the synthetic loss is {actual:g}-Lipschitz on the ball, not L = {self.L:g}: it "
            f"leaves F_sc(mu, L) for d > {LARGEST_INSIDE}; the algorithms are given the larger constant "
            f"{self.problem(1).L:g}, for which it is inside"
        )

    def problem(self, T: int) -> Problem:
        """The T-th problem: E g = 1/(2√T).

        >>> round(Synthetic().problem(100).retain.signs().mean, 12)
        0.05
        """
        return synthetic_problem(1 / (2 * math.sqrt(T)), self.r_f, self.d, self.L, self.mu)

    def setup(self, problem: Problem, kappa: float, T: int) -> Setup:
        """What a rule is given: the eps at which the classical noise multiplier is kappa.

        >>> round(Synthetic().setup(Synthetic().problem(1), 0.5, 1).kappa, 12)
        0.5
        """
        return problem.setup(eps_of(kappa, self.delta), self.delta, T)

    def stream(self, *key: int) -> np.random.Generator:
        """The random numbers that belong to a place in the experiment, whoever draws them."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


def eps_of(kappa: float, delta: float) -> float:
    """The eps with sqrt(2 ln(1.25/delta))/eps = kappa.

    >>> round(eps_of(1.0, 1e-5), 6)
    4.844805
    """
    require(kappa > 0, "kappa must be positive", kappa)
    return math.sqrt(2 * math.log(1.25 / delta)) / kappa


def spaced_logarithmically(low: float, high: float, points: int) -> tuple[float, ...]:
    """`points` values from low to high, equal ratios.

    >>> spaced_logarithmically(1.0, 100.0, 3)
    (1.0, 10.0, 100.0)
    """
    values = np.geomspace(low, high, points)
    return tuple(float(value) for value in values)


def descending(levels: tuple[float, ...]) -> Array:
    """The levels from the largest down, the order in which a run passes them."""
    return np.array(sorted(levels, reverse=True))


@dataclass(frozen=True, eq=False)
class Passages:
    """When runs passed levels: shape (kappas, levels), over the repetitions; exact integers.

    `passed` counts the runs that passed, `total` and `squares` sum their times and squared times.
    """

    passed: NDArray[np.int64]
    total: NDArray[np.int64]
    squares: NDArray[np.int64]


def summed(when: NDArray[np.int64], kappas: int) -> Passages:
    """First-passage times of shape (kappas × repetitions, levels), −1 for never, summed over repetitions.

    >>> summed(np.array([[3], [-1]]), 1).total.tolist()
    [[3]]
    """
    runs = when.reshape(kappas, -1, when.shape[1])
    ever = runs >= 0
    times = np.where(ever, runs, 0)
    return Passages(ever.sum(axis=1), times.sum(axis=1), (times * times).sum(axis=1))
