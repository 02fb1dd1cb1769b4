"""Letters of retraining with few gradients: the best answers to a prior, and what they cost at worst.

A learner that is best against some prior over step functions has its risk computed on each of their problems,
all sequences of signs at once; the priors are those of the records and others near them. Nothing here is the
kernel's.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Batch, Source, linear
from oubli.sim.require import Array
from oubli.theory.paper.sharper.few_gradients import FEW, PRIORS

# Sums of at most a few thousand products of numbers up to 1.
ROUNDING = 1e-12


class Steps(NamedTuple):
    """Step functions m: the ends of their regions, a row of values for each, and the weights on record."""

    ends: Array
    means: Array
    weights: Array

    def risk(self, v: Array) -> Array:
        """v^2 + 2 int_0^v m, a column for each m, in units e0."""
        inside = np.diff(np.clip(v[..., None], self.ends[0], self.ends), axis=-1)
        below = np.diff(np.clip(0.0, self.ends[0], self.ends))
        return np.asarray(v[..., None] ** 2 + 2 * (inside - below) @ self.means.T)


def steps_of(most: int) -> Steps:
    """The prior on record for a number of gradients.

    >>> steps_of(3).means.shape
    (8, 3)
    """
    places, rows = PRIORS[str(most)]["steps"], PRIORS[str(most)]["prior"]
    means = np.array([[_float(m) for m in row] for _, row in rows])
    weights = np.array([weight for weight, _ in rows], dtype=float)
    return Steps(np.array([-1.0, *map(_float, places), 1.0]), means, weights / weights.sum())


def _float(text: str) -> float:
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)


def costs(steps: Steps, weights: Array, gradients: int) -> Array:
    """The risk on each problem of the learner that is best against each row of weights, in units e0."""
    least = steps.risk(np.concatenate([-steps.means.ravel(), steps.ends])).min(axis=0)
    known: dict[tuple[int, ...], Array] = {}

    def after(seen: tuple[int, ...], chances: Array, left: int) -> Array:
        """Chance of these signs times the excess risk: a row for each prior, a column for each m."""
        if seen not in known:
            known[seen] = _asked(seen, chances, left) if left else _stopped(chances)
        return known[seen]

    def _asked(seen: tuple[int, ...], chances: Array, left: int) -> Array:
        found = []
        for j in range(len(steps.ends) - 1):
            up, down = ((*seen[:k], seen[k] + 1, *seen[k + 1 :]) for k in (2 * j, 2 * j + 1))
            m = steps.means[:, j]
            found.append(
                after(up, chances * (1 + m) / 2, left - 1) + after(down, chances * (1 - m) / 2, left - 1)
            )
        best = _first_least(np.array([(weights * cost).sum(axis=1) for cost in found]))
        return np.asarray(np.stack(found)[best, np.arange(len(weights))])

    def _stopped(chances: Array) -> Array:
        posterior = weights * chances
        centre = -(posterior @ steps.means) / np.maximum(posterior.sum(axis=1), 1e-300)[:, None]
        options = np.clip(centre, steps.ends[:-1], steps.ends[1:])
        paid = np.stack([chances * (steps.risk(v) - least) for v in options.T])
        best = _first_least((weights * paid).sum(axis=2))
        return np.asarray(paid[best, np.arange(len(weights))])

    return after((0,) * (2 * len(steps.ends) - 2), np.ones(len(steps.weights)), gradients)


def _first_least(totals: Array) -> Array:
    """Where each column is least: the first of equals, which rounding tells apart in some batches only."""
    least = totals.min(axis=0)
    return np.asarray(np.argmax(totals <= least + 1e-9 * np.abs(least), axis=0))


def letters(most: int, batch: Batch) -> Letters:
    """The worst risk over the problems of a prior, of a learner that expects a power of its weights."""
    steps, e0 = steps_of(most), batch["L"] ** 2 / (8 * batch["mu"])
    weights = steps.weights ** batch["power"][:, None]
    worst = costs(steps, weights / weights.sum(axis=1, keepdims=True), most).max(axis=1)
    values = {"L": batch["L"], "mu": batch["mu"], "T": np.full_like(e0, most), "M_scratch": e0 * worst}
    return Letters(values, {"M_scratch": ROUNDING * e0})


_space = {**axes_of("L mu"), "power": linear(0, 2, (1.0,))}
BY_GRADIENTS = {
    most: Source(f"answers to priors, {name} gradients", _space, partial(letters, most))
    for most, (name, _) in FEW.items()
}
