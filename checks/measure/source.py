"""Where instances come from: axes with corners, batches of instances, and what is measured on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from oubli.checks.measure.relation import Letters
from oubli.sim.require import Array

Instance = Mapping[str, float]
Batch = Mapping[str, Array]


@dataclass(frozen=True)
class Axis:
    """One number of an instance: `place` maps [0, 1] onto its range, `corners` are always tried.

    >>> axis = linear(0, 2, corners=(0.0,))
    >>> axis.place(np.array([0.5])).tolist(), axis.locate(np.array([1.0])).tolist()
    ([1.0], [0.5])
    """

    place: Callable[[Array], Array]
    locate: Callable[[Array], Array]
    corners: tuple[float, ...]

    def draw(self, rng: np.random.Generator, size: int) -> Array:
        """Three in ten corners, the others spread over the range."""
        spread = self.place(rng.random(size))
        return np.asarray(np.where(rng.random(size) < 0.3, rng.choice(self.corners, size), spread))

    def near(self, values: Array, width: float, rng: np.random.Generator) -> Array:
        """Values nearby, some of them replaced by a corner."""
        moved = np.clip(self.locate(values) + width * rng.standard_normal(len(values)), 0, 1)
        corner = rng.random(len(values)) < 0.05
        return np.asarray(np.where(corner, rng.choice(self.corners, len(values)), self.place(moved)))


def linear(low: float, high: float, corners: tuple[float, ...] = ()) -> Axis:
    """Evenly spread over [low, high]; the ends are corners."""
    return Axis(lambda u: low + (high - low) * u, lambda v: (v - low) / (high - low), (low, high, *corners))


def log(low: float, high: float, corners: tuple[float, ...] = ()) -> Axis:
    """Evenly spread in the logarithm over [low, high]."""
    a, b = np.log(low), np.log(high)
    return Axis(
        lambda u: np.exp(a + (b - a) * u),
        lambda v: (np.log(np.clip(v, low, high)) - a) / (b - a),
        (low, high, *corners),
    )


def whole(low: int, high: int) -> Axis:
    """Integers, evenly spread in the logarithm; the smallest three are corners.

    >>> whole(0, 100).place(np.array([0.0, 1.0])).tolist()
    [0.0, 100.0]
    """
    a, b = np.log(low + 1), np.log(high + 1)
    return Axis(
        lambda u: np.round(np.exp(a + (b - a) * u) - 1),
        lambda v: (np.log(np.maximum(v, low) + 1) - a) / (b - a),
        tuple(float(k) for k in range(low, min(low + 3, high + 1))),
    )


def choice(count: int) -> Axis:
    """One of `count` kinds, by number."""
    return Axis(
        lambda u: np.minimum(np.floor(u * count), count - 1),
        lambda v: (v + 0.5) / count,
        tuple(float(k) for k in range(count)),
    )


def fixed(value: float) -> Axis:
    """One number only."""
    return Axis(lambda u: 0 * u + value, lambda v: 0 * v, (float(value),))


def each(axis: Axis, names: str) -> dict[str, Axis]:
    """The same axis for several numbers: "first second"."""
    return dict.fromkeys(names.split(), axis)


@dataclass(frozen=True, eq=False)
class Source:
    """A space of instances, how their letters are measured, and how many are drawn in one run.

    A source with a `base` measures that first, and extends its letters by what the other axes say.
    """

    name: str
    space: Mapping[str, Axis]
    measure: Callable[[Batch], Letters]
    cases: int = 1280
    confidence: float = 1.0
    base: Source | None = None
    extend: Callable[[Letters, Batch], Letters] | None = None

    def letters(self, instance: Instance) -> Letters:
        """The letters of one instance."""
        return self.measure({name: np.array([float(instance[name])]) for name in self.space})


def rows(batch: Batch) -> list[dict[str, float]]:
    """The instances of a batch, one by one."""
    names = list(batch)
    return [
        dict(zip(names, (float(x) for x in values), strict=True))
        for values in zip(*(batch[n] for n in names), strict=True)
    ]


def quietly(measure: Callable[[Instance], Any]) -> Callable[[Instance], Any]:
    """The same measure without floating-point warnings: the membership test of a loss meets empty caps."""

    def measured(row: Instance) -> Any:
        with np.errstate(all="ignore"):
            return measure(row)

    return measured


def row_by_row(
    measure: Callable[[Instance], Mapping[str, tuple[float, float] | float]],
) -> Callable[[Batch], Letters]:
    """A measure of single instances, applied to each row; pairs are (value, error).

    A letter called `valid` that is 0 says that the instance is no case.
    """

    def measured(batch: Batch) -> Letters:
        found: list[Mapping[str, Any]] = [measure(row) for row in rows(batch)]
        pairs = {n: [f[n] if isinstance(f[n], tuple) else (f[n], 0.0) for f in found] for n in found[0]}
        values = {n: np.array([value for value, _ in both], dtype=float) for n, both in pairs.items()}
        valid = values.pop("valid", np.ones(len(found))) > 0
        errors = {n: np.array([error for _, error in both]) for n, both in pairs.items()}
        return Letters(values, errors, valid)

    return measured
