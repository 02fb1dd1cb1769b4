"""One bound on a number of gradients, with the claims that give it; and the best of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from theory.regimes.safe import Floats


@dataclass(frozen=True)
class Bound:
    """A bound per row (integers as floats, inf for none), how it is reached, and its claims."""

    steps: Floats
    how: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Best:
    """The best bound per row, and which of the candidates it is."""

    steps: Floats
    which: NDArray[np.intp]
    among: tuple[Bound, ...]

    def how(self, row: int) -> str:
        """How the best bound of a row is reached."""
        return self.among[int(self.which[row])].how

    def claims(self, row: int) -> tuple[str, ...]:
        """The claims behind the best bound of a row."""
        return self.among[int(self.which[row])].claims


def least(bounds: Sequence[Bound]) -> Best:
    """The smallest of some upper bounds.

    >>> best = least([Bound(np.array([3.0, 1.0]), "a", ("p",)), Bound(np.array([2.0, 5.0]), "b", ("q",))])
    >>> best.steps.tolist(), best.how(0), best.claims(1)
    ([2.0, 1.0], 'b', ('p',))
    """
    table = np.stack([b.steps for b in bounds])
    return Best(table.min(axis=0), table.argmin(axis=0), tuple(bounds))


def largest(bounds: Sequence[Bound]) -> Best:
    """The largest of some lower bounds."""
    table = np.stack([b.steps for b in bounds])
    return Best(table.max(axis=0), table.argmax(axis=0), tuple(bounds))
