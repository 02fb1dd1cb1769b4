"""The digits experiment (l.1399): the same minibatches for every kappa, so that chains of all kappas meet.

SGD with one sequence of minibatches contracts: two chains come closer by 1 − rate·mu in each step. Once a
chain is within MEETING of the retraining chain it has the same future to rounding, and is walked no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments.digits.data import CLASSES, FEATURES, Digits, load
from oubli.sim.experiments.synthetic.protocol import eps_of, spaced_logarithmically
from oubli.sim.experiments.walk import Seen, Table
from oubli.sim.require import Array, is_count, require

MEETING = 1e-12
# A run ends when its mean over the last LOOKS is this far below the lowest level, not at a lucky look: means
# over runs are wanted around that level too.
BELOW, LOOKS = 0.8, 50


@dataclass(frozen=True)
class DigitsProtocol:
    """The appendix's protocol; `linear` spaces the grids as its text says, else they are log-spaced.

    >>> DigitsProtocol().levels[0], DigitsProtocol().rate(1000)
    (5e-06, 0.006)
    """

    r_f: float = 1e-2
    batch: int = 64
    first_rate: float = 1e-2
    factor: float = 0.6
    every: int = 1000
    lowest_level: float = 5e-6
    highest_level: float = 10.0
    lowest_kappa: float = 1e-2
    highest_kappa: float = 1e2
    points: int = 60
    repetitions: int = 50
    most_epochs: int = 6_000
    linear: bool = False
    certified: bool = False
    delta: float = 1e-5
    seed: int = 0

    def __post_init__(self) -> None:
        require(is_count(self.points, 2), "grid points must be an integer >= 2", self.points)
        require(is_count(self.repetitions, 2), "repetitions must be an integer >= 2", self.repetitions)
        require(is_count(self.most_epochs, 1), "epochs must be an integer >= 1", self.most_epochs)
        require(0 < self.delta < 1, "delta must lie in (0, 1)", self.delta)

    @property
    def levels(self) -> tuple[float, ...]:
        return self._spaced(self.lowest_level, self.highest_level)

    @property
    def kappas(self) -> tuple[float, ...]:
        return self._spaced(self.lowest_kappa, self.highest_kappa)

    def _spaced(self, low: float, high: float) -> tuple[float, ...]:
        if self.linear:
            return tuple(float(value) for value in np.linspace(low, high, self.points))
        return spaced_logarithmically(low, high, self.points)

    @property
    def digits(self) -> Digits:
        return load(self.r_f, self.seed)

    @property
    def noise(self) -> float:
        """The sensitivity that kappa multiplies."""
        return self.digits.sensitivity if self.certified else self.digits.distance

    @property
    def epoch(self) -> int:
        """Steps in an epoch; the last minibatch may be smaller."""
        return math.ceil(len(self.digits.retain.labels) / self.batch)

    def rate(self, epoch: int) -> float:
        """The learning rate in an epoch."""
        return self.first_rate * self.factor ** (epoch // self.every)

    def eps(self, kappa: float) -> float:
        return eps_of(kappa, self.delta)

    def stream(self, *key: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(1, *key)))


def next_look(t: int, epoch: int) -> int:
    """When the excess is next looked at, beside the end of every epoch: every step first, then more rarely.

    >>> [next_look(t, 28) for t in (0, 27, 280, 5600)]
    [1, 28, 290, 5800]
    """
    return t + max(1, t // epoch)


def minibatches(protocol: DigitsProtocol, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """One epoch: a shuffle of the retain rows, cut into minibatches."""
    order = rng.permutation(len(protocol.digits.retain.labels))
    return [order[i : i + protocol.batch] for i in range(0, len(order), protocol.batch)]


def starts(protocol: DigitsProtocol, repetition: int) -> Array:
    """Zero for retraining, then theta* with noise for each kappa; shape (features, classes, 1 + kappas)."""
    star = protocol.digits.full_optimum.point.reshape(FEATURES, CLASSES, 1)
    rng = protocol.stream(repetition, 1)
    draws = rng.standard_normal((len(protocol.kappas), FEATURES, CLASSES))
    noisy = star + protocol.noise * np.array(protocol.kappas) * np.moveaxis(draws, 0, -1)
    return np.concatenate([np.zeros((FEATURES, CLASSES, 1)), noisy], axis=2)


@dataclass(frozen=True)
class Repetition:
    """All kappas and retraining on one sequence of minibatches."""

    number: int

    @property
    def key(self) -> str:
        return f"repetition-{self.number}"

    def cost(self, protocol: DigitsProtocol) -> float:
        """All repetitions cost the same."""
        return 1.0

    def run(self, protocol: DigitsProtocol, own: object) -> dict[str, NDArray[np.generic]]:
        """`when`: first passages; `times`, `scratch`, `early`: excess of retraining, and of all kappas."""
        walk = Walk(protocol, starts(protocol, self.number), protocol.stream(self.number, 0))
        walk.to_the_end()
        return {
            "when": walk.table.when[:, ::-1],
            "times": np.array(walk.times),
            "scratch": np.array(walk.scratch),
            "early": np.array(walk.early).reshape(-1, len(protocol.kappas)),
        }


class Walk:
    """The chains of one repetition; chain 0 is retraining, and others leave when they meet it."""

    def __init__(self, protocol: DigitsProtocol, theta: Array, rng: np.random.Generator) -> None:
        self.protocol, self.theta, self.rng = protocol, theta, rng
        self.data, self.least = protocol.digits.retain, protocol.digits.retain_optimum.value
        chains = theta.shape[2]
        self.table = Table(chains, np.array(sorted(protocol.levels, reverse=True)))
        self.alive = np.arange(chains)
        self.times: list[int] = []
        self.scratch: list[float] = []
        self.early: list[Array] = []
        self.t = self.next = 0

    def to_the_end(self) -> None:
        """Walk until retraining stays well below the lowest level, or to the last epoch."""
        self._look()
        for epoch in range(self.protocol.most_epochs):
            rate = self.protocol.rate(epoch)
            for rows in minibatches(self.protocol, self.rng):
                self.theta -= rate * self.data.gradient(self.theta, rows)
                self.t += 1
                if self.t >= self.next or self.t % self.protocol.epoch == 0:
                    self._look()
            self._meet()
            settled = float(np.mean(self.scratch[-LOOKS:])) <= BELOW * min(self.protocol.levels)
            if len(self.alive) == 1 and settled and not self.table.unfinished.any():
                return

    def _look(self) -> None:
        excess = self.data.value(self.theta) - self.least
        whole = np.full(len(self.table.count), excess[0])
        whole[self.alive] = excess
        # Chains that have met retraining pass what it passes.
        self.table.record(Seen(np.arange(len(whole)), whole[None, :]), self.t)
        self.times.append(self.t)
        self.scratch.append(float(excess[0]))
        if len(self.alive) > 1:
            self.early.append(whole[1:])
        self.next = next_look(self.t, self.protocol.epoch)

    def _meet(self) -> None:
        if len(self.alive) == 1:
            return
        apart = self.theta - self.theta[:, :, :1]
        far = np.einsum("ijk,ijk->k", apart, apart) > MEETING**2
        far[0] = True
        if not far.all():
            self.theta, self.alive = np.ascontiguousarray(self.theta[:, :, far]), self.alive[far]
