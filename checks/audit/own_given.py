"""What a user says about data of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oubli.sim.require import require

LOSSES = ("logistic", "ridge", "own")


@dataclass(frozen=True)
class OwnData:
    """What the user gave: a .npz file, the loss on its rows, mu, and L where it is not to be found."""

    path: str
    loss: str = "logistic"
    mu: float = 1.0
    lipschitz: float | None = None

    def __post_init__(self) -> None:
        require(self.loss in LOSSES, f"loss must be one of {', '.join(LOSSES)}", self.loss)
        require(0 < self.mu < np.inf, "mu must be positive and finite", self.mu)
        good = self.lipschitz is None or 0 < self.lipschitz < np.inf
        require(good, "lipschitz must be positive and finite", self.lipschitz)

    def replay(self) -> str:
        """The options that give the same again.

        >>> OwnData("rows.npz", mu=0.5).replay()
        '--data rows.npz --loss logistic --mu 0.5'
        """
        more = "" if self.lipschitz is None else f" --lipschitz {self.lipschitz!r}"
        return f"--data {self.path} --loss {self.loss} --mu {self.mu!r}{more}"
