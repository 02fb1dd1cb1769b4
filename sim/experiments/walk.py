"""First-passage times of many chains: drawn in chunks, and stopped as soon as nothing can be learned.

A chain that has passed the lowest level is finished, whatever T is: its later steps cannot change a
first-passage time. Finished chains are dropped once they are half of those that are walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments import jit
from oubli.sim.problems.draws import Sampler
from oubli.sim.require import Array

# Chunks double from the first size to the last: most chains finish within few steps.
FIRST, LAST = 16, 256
# Steps whose minimum is kept, to search in.
BLOCK = 16

Indices = NDArray[np.integer[Any]]
_Scalar = TypeVar("_Scalar", bound=np.generic)


class Seen(NamedTuple):
    """Some chains, and their excess after each step of a chunk, shape (steps, chains seen)."""

    rows: NDArray[np.intp]
    excess: Array


class Pending(NamedTuple):
    """The levels, descending, and how many of them each chain has passed."""

    levels: Array
    done: NDArray[np.intp]

    @property
    def largest(self) -> Array:
        """The largest level that each chain has not passed; −inf when there is none."""
        return np.asarray(np.append(self.levels, -np.inf)[self.done])

    def of(self, rows: NDArray[np.intp]) -> Pending:
        return Pending(self.levels, self.done[rows])

    def passed(self, least: Array) -> Passed:
        """What chains pass whose excess falls to `least`."""
        reached = np.maximum(np.searchsorted(-self.levels, -least, side="right"), self.done)
        gained = reached - self.done
        column = np.repeat(np.arange(len(gained)), gained)
        # Each chain's levels done, done + 1, …, laid out one chain after another.
        level = np.arange(len(column)) + np.repeat(self.done - (np.cumsum(gained) - gained), gained)
        return Passed(reached, column, level)


class Passed(NamedTuple):
    """How many levels each chain has passed now, and every pair of a chain and a level that it passes."""

    reached: NDArray[np.intp]
    column: NDArray[np.intp]
    level: NDArray[np.intp]


class Walker(Protocol):
    """Chains that advance together; `start` is their excess at t = 0."""

    def start(self) -> Array: ...

    def advance(self, drawn: Indices, pending: Pending) -> Seen:
        """Take the drawn steps, shape (steps, chains, 1); return chains that may pass their pending level.

        A value may stand for any other with which every chain passes every level at the same step.
        """
        ...

    def keep(self, rows: NDArray[np.intp]) -> Walker | None:
        """A walker of these chains alone, or None when they cannot be separated."""
        ...


def first_passages(
    walker: Walker, chains: int, levels: Array, T: int, sampler: Sampler, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The first t <= T with excess <= level for each chain and each level, descending; −1 for never.

    >>> class Halving:
    ...     def start(self): return np.array([1.0])
    ...     def advance(self, drawn, pending):
    ...         return Seen(np.array([0]), 0.5 ** np.arange(1.0, len(drawn) + 1)[:, None])
    ...     def keep(self, rows): return None
    >>> sampler, rng = Sampler(np.array([1.0])), np.random.default_rng(0)
    >>> first_passages(Halving(), 1, np.array([2.0, 0.3, 0.1]), 3, sampler, rng).tolist()
    [[0, 2, -1]]
    """
    table = Table(chains, levels)
    table.record(Seen(table.walked, walker.start()[None, :]), 0)
    t, size = 0, FIRST
    while t < T and len(table.walked):
        steps = min(size, T - t)
        drawn = sampler.draw(rng, (steps, len(table.walked), 1))
        table.record(walker.advance(drawn, table.pending), t + 1)
        t, size = t + steps, min(2 * size, LAST)
        unfinished = np.flatnonzero(table.unfinished)
        if not len(unfinished):
            break
        thinned = walker.keep(unfinished) if 2 * len(unfinished) <= len(table.walked) else None
        if thinned is not None:
            walker = thinned
            table.walked = table.walked[unfinished]
    return table.when


class Table:
    """When each chain passed each level, and which chains are still walked."""

    def __init__(self, chains: int, levels: Array) -> None:
        self.levels = levels
        self.when = np.full((chains, len(levels)), -1, dtype=np.int64)
        self.count = np.zeros(chains, dtype=np.intp)
        self.walked = np.arange(chains)

    @property
    def pending(self) -> Pending:
        """What the walked chains have still to pass."""
        return Pending(self.levels, self.count[self.walked])

    @property
    def unfinished(self) -> NDArray[np.bool_]:
        return np.asarray(self.count[self.walked] < len(self.levels))

    def record(self, seen: Seen, first: int) -> None:
        """Enter the passages of a chunk whose first row belongs to time `first`."""
        chains = self.walked[seen.rows]
        if jit.AVAILABLE:
            _enter(seen.excess, chains, self.levels, first, self.count, self.when)
            return
        pending, found = self.pending.of(seen.rows), minima(seen.excess)
        passed = pending.passed(found.least)
        steps = found.first(passed.column, self.levels[passed.level])
        self.when[chains[passed.column], passed.level] = first + steps
        self.count[chains] = passed.reached


@jit.compiled
def _enter(excess: Any, chains: Any, levels: Any, first: int, count: Any, when: Any) -> None:
    """The same, step by step."""
    for j in range(excess.shape[0]):
        for c in range(excess.shape[1]):
            row = chains[c]
            while count[row] < len(levels) and excess[j, c] <= levels[count[row]]:
                when[row, count[row]] = first + j
                count[row] += 1


def columns_of(table: NDArray[_Scalar], rows: NDArray[np.intp]) -> NDArray[_Scalar]:
    """The columns of these chains, increasing; no copy when they are all of them."""
    return table if len(rows) == table.shape[1] else table[:, rows]


@dataclass(frozen=True, eq=False)
class Minima:
    """Values of shape (steps, chains), and their running minimum over blocks of BLOCK steps."""

    values: Array
    blocks: Array

    @property
    def least(self) -> Array:
        """The minimum of every chain."""
        return np.asarray(self.blocks[-1])

    def first(self, column: NDArray[np.intp], level: Array) -> NDArray[np.intp]:
        """The first step at which a chain's value is at most the level, for each pair; `steps` for none."""
        low = np.zeros(len(column), dtype=np.intp)
        high = np.full(len(column), len(self.blocks), dtype=np.intp)
        for _ in range(len(self.blocks).bit_length()):
            middle = np.minimum((low + high) // 2, len(self.blocks) - 1)
            there = self.blocks[middle, column] <= level
            low, high = np.where(there, low, np.minimum(middle + 1, high)), np.where(there, middle, high)
        size = min(BLOCK, len(self.values))
        steps = np.minimum(high[:, None] * BLOCK + np.arange(size), len(self.values) - 1)
        inside = np.argmax(self.values[steps, column[:, None]] <= level[:, None], axis=1)
        return np.where(high < len(self.blocks), high * BLOCK + inside, len(self.values))


def minima(values: Array) -> Minima:
    """Ready to be searched for first passages.

    >>> found = minima(np.array([[9.0], [4.0], [6.0], [1.0]]))
    >>> found.first(np.array([0, 0, 0]), np.array([5.0, 1.0, 0.0])).tolist()
    [1, 3, 4]
    """
    blocks = np.minimum.reduceat(values, np.arange(0, len(values), BLOCK), axis=0)
    return Minima(values, np.minimum.accumulate(blocks, axis=0))
