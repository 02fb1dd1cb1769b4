"""Any update rule on the digits, stepped: all repetitions of one kappa, each with its own minibatches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments.digits.chains import BELOW, DigitsProtocol, minibatches, next_look
from oubli.sim.experiments.digits.data import CLASSES, FEATURES, MU, SIZE, Softmax, probabilities
from oubli.sim.experiments.walk import Seen, Table
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, require_batch
from oubli.sim.runs.algorithm import UpdateRule, check_rule, release, start


@dataclass(frozen=True)
class OwnRule:
    """One kappa of a user's rule."""

    label: str
    index: int

    @property
    def key(self) -> str:
        return f"{self.label}-k{self.index}"

    def cost(self, protocol: DigitsProtocol) -> float:
        """About how many repetitions of the built-in algorithm it is worth."""
        return 4.0 * protocol.repetitions / 50

    def run(self, protocol: DigitsProtocol, own: Mapping[str, UpdateRule]) -> dict[str, NDArray[np.generic]]:
        """`when`: first passages of every repetition; `times`, `mean`: the mean excess over repetitions."""
        walk = OwnWalk(protocol, check_rule(own[self.label]), self.index)
        walk.to_the_end()
        return {"when": walk.table.when[:, ::-1], "times": np.array(walk.times), "mean": np.array(walk.mean)}


class OwnWalk:
    """The repetitions of one kappa as rows of theta, shape (repetitions, SIZE)."""

    def __init__(self, protocol: DigitsProtocol, rule: UpdateRule, index: int) -> None:
        self.protocol, self.rule = protocol, rule
        self.data, self.least = protocol.digits.retain, protocol.digits.retain_optimum.value
        steps = protocol.most_epochs * protocol.epoch
        eps = protocol.eps(protocol.kappas[index])
        self.setup = Setup(
            protocol.digits.L, MU, protocol.digits.r_f, SIZE, eps, protocol.delta, steps, protocol.batch
        )
        self.rng = protocol.stream(index, 2)
        star = np.tile(protocol.digits.full_optimum.point, (protocol.repetitions, 1))
        self.theta, self.memory = start(rule, star, self.setup, self.rng)
        self.streams = [protocol.stream(number, 0) for number in range(protocol.repetitions)]
        self.table = Table(protocol.repetitions, np.array(sorted(protocol.levels, reverse=True)))
        self.times: list[int] = []
        self.mean: list[float] = []
        self.t = self.next = 0

    def to_the_end(self) -> None:
        """Walk until every run passed the lowest level and the mean is below it, or to the last epoch."""
        self._look()
        lowest = BELOW * min(self.protocol.levels)
        for _ in range(self.protocol.most_epochs):
            shuffles = [minibatches(self.protocol, rng) for rng in self.streams]
            for rows in zip(*shuffles, strict=True):
                self._step(np.stack(rows))
                if self.t >= self.next or self.t % self.protocol.epoch == 0:
                    self._look()
            if not self.table.unfinished.any() and self.mean[-1] <= lowest:
                return

    def _step(self, rows: NDArray[np.intp]) -> None:
        grad = sampled_gradients(self.data, self.theta, rows)
        theta, self.memory = self.rule.step(self.t, self.theta, grad, self.memory, self.setup, self.rng)
        require_batch("theta from step", theta, self.theta)
        self.theta, self.t = theta, self.t + 1

    def _look(self) -> None:
        output = release(self.rule, self.theta, self.memory, replace(self.setup, T=self.t), self.rng)
        models = np.moveaxis(output.reshape(-1, FEATURES, CLASSES), 0, -1)
        excess = self.data.value(np.ascontiguousarray(models)) - self.least
        self.table.record(Seen(np.arange(len(excess)), excess[None, :]), self.t)
        self.times.append(self.t)
        self.mean.append(float(excess.mean()))
        self.next = next_look(self.t, self.protocol.epoch)


def sampled_gradients(data: Softmax, theta: Array, rows: NDArray[np.intp]) -> Array:
    """The gradient of each chain, a row of theta, on its own minibatch, a row of `rows`.

    >>> data = Softmax(np.ones((2, FEATURES)), np.array([0, 1]))
    >>> sampled_gradients(data, np.zeros((1, SIZE)), np.array([[0]]))[0, :3].round(6).tolist()
    [-0.9, 0.1, 0.1]
    """
    X, models = data.features[rows], theta.reshape(-1, FEATURES, CLASSES)
    P = probabilities(np.moveaxis(X @ models, 1, 0).transpose(0, 2, 1))
    P = np.ascontiguousarray(P.transpose(2, 0, 1))
    chains, batch = rows.shape
    P[np.arange(chains)[:, None], np.arange(batch)[None, :], data.labels[rows]] -= 1.0
    return np.asarray((X.transpose(0, 2, 1) @ P).reshape(theta.shape) / batch + MU * theta)
