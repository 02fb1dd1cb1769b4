"""First-passage times of many chains: drawn in chunks, and stopped as soon as nothing can be learned.

A chain that has passed the lowest level is finished, whatever T is: its later steps cannot change a
first-passage time. Finished chains are dropped once they are half of those that are walked.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.draws import Sampler
from sim.require import Array

# Chunks double from the first size to the last: most chains finish within few steps.
FIRST, LAST = 16, 256

Indices = NDArray[np.integer[Any]]


class Seen(NamedTuple):
    """Some chains, and their excess after each step of a chunk, shape (steps, chains seen)."""

    rows: NDArray[np.intp]
    excess: Array


class Walker(Protocol):
    """Chains that advance together; `start` is their excess at t = 0."""

    def start(self) -> Array: ...

    def advance(self, drawn: Indices, pending: Array) -> Seen:
        """Take the drawn steps, shape (steps, chains, 1); return chains that may pass their pending level.

        A value above the pending level may stand for any other one above it.
        """
        ...

    def keep(self, rows: NDArray[np.intp]) -> Walker | None:
        """A walker of these chains alone, or None when they cannot be told apart."""
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
        # Below the last level nothing is pending.
        self._padded = np.append(levels, -np.inf)

    @property
    def pending(self) -> Array:
        """The largest level that each walked chain has not passed; −inf when there is none."""
        return np.asarray(self._padded[self.count[self.walked]])

    @property
    def unfinished(self) -> NDArray[np.bool_]:
        return np.asarray(self.count[self.walked] < len(self.levels))

    def record(self, seen: Seen, first: int) -> None:
        """Enter the passages of a chunk whose first row belongs to time `first`."""
        least = seen.excess.min(axis=0)
        columns = np.flatnonzero(least <= self.pending[seen.rows])
        if not len(columns):
            return
        # Negated, running minima and levels increase, as a search needs; one row per chain.
        falling = np.maximum.accumulate(-seen.excess[:, columns].T, axis=1)
        rising, chains = -self.levels, self.walked[seen.rows[columns]]
        reached = rising.searchsorted(-least[columns], side="right")
        for path, chain, done, now in zip(falling, chains, self.count[chains], reached, strict=True):
            self.when[chain, done:now] = first + path.searchsorted(rising[done:now])
        self.count[chains] = reached
