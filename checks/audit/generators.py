"""The generators that a rule is handed: all of one class, whether their Gaussians are drawn or chosen.

A rule could look at its generator to learn what the audit is about to do. Seeds are therefore digests, which
do not show the purpose of a stream, and a chosen Gaussian comes from the same class as a drawn one.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from oubli.sim.require import Array


class Chosen(np.random.Generator):
    """A generator whose first Gaussian draw is given and the next are zero; an ordinary one without `given`.

    >>> Chosen(np.array([[7.0]])).normal(1.0, 2.0, (1, 1)).tolist()
    [[15.0]]
    """

    def __init__(self, given: Array | None, seed: Any = 0) -> None:
        super().__init__(seed if isinstance(seed, np.random.BitGenerator) else np.random.PCG64(seed))
        self.given = given
        self.calls = 0

    def __reduce__(self) -> Any:
        return Chosen, (self.given, self.bit_generator)

    def standard_normal(self, size: Any = None, *rest: Any, **more: Any) -> Any:
        """The chosen numbers at the first call for their shape, then zeros; or draws."""
        self.calls += 1
        if self.given is None:
            return super().standard_normal(size, *rest, **more)
        if self.calls == 1 and size is not None and tuple(np.atleast_1d(size)) == self.given.shape:
            return self.given.copy()
        return np.zeros(size) if size is not None else 0.0

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """The same, moved and scaled."""
        if self.given is None:
            self.calls += 1
            return super().normal(loc, scale, size)
        shape = np.broadcast_shapes(np.shape(loc), np.shape(scale)) if size is None else size
        return loc + scale * self.standard_normal(shape if shape != () else None)

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        """Ordinary generators."""
        return [Chosen(None, child) for child in self.bit_generator.spawn(n_children)]


def stream(seed: int, *purpose: int) -> Chosen:
    """The generator of one purpose; nothing in it shows the seed of the audit or the purpose.

    >>> float(stream(0, 1).random()) == float(stream(0, 1).random()) != float(stream(0, 2).random())
    True
    """
    digest = hashlib.sha256(repr((int(seed), *map(int, purpose))).encode()).digest()
    return Chosen(None, int.from_bytes(digest[:16], "little"))
