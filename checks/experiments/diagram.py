"""A diagram: two times for every (kappa, e), their ratio, and a word for every cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVELS = (0.1, 0.5, 0.9)
MEANING = {
    "free": "unlearning needs no gradient: its time is 0",
    "below 0.1": "unlearning takes less than a tenth of the time of retraining",
    "0.1 to 0.5": "unlearning takes between a tenth and half of the time of retraining",
    "0.5 to 0.9": "unlearning takes between half and nine tenths of the time of retraining",
    "0.9 or more": "unlearning takes about as long as retraining, or longer",
    "retraining free": "the zero model is already good enough: retraining needs no step, unlearning some",
    "not reached": "the error e was not reached within the longest run, by unlearning or by retraining",
}
WORDS = tuple(MEANING)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Diagram:
    """T^U of shape (kappas, levels) and T^S of shape (levels,); nan or inf where it was not reached."""

    algorithm: str
    reading: str
    kappas: Floats
    levels: Floats
    unlearning: Floats
    scratch: Floats

    @property
    def ratio(self) -> Floats:
        """T^U/T^S: 0 where T^U is 0 (l.751), inf where only T^S is 0, nan where one was not reached.

        >>> one = np.ones(1)
        >>> Diagram("", "", one, np.ones(3), np.array([[0.0, 2.0, 2.0]]), np.array([0.0, 4.0, 0.0])).ratio
        array([[0. , 0.5, inf]])
        """
        known = np.isfinite(self.unlearning) & np.isfinite(self.scratch)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(self.unlearning == 0, 0.0, self.unlearning / self.scratch)
        return np.where(known | (self.unlearning == 0), ratio, np.nan)

    @property
    def cells(self) -> NDArray[np.str_]:
        """One of WORDS for every cell.

        >>> one = np.ones(1)
        >>> Diagram("", "", one, one, np.array([[3.0]]), np.array([4.0])).cells.tolist()
        [['0.5 to 0.9']]
        """
        ratio = self.ratio
        choices = [np.isnan(ratio), ratio == 0, np.isinf(ratio), *(ratio < level for level in LEVELS)]
        words = ["not reached", "free", "retraining free", *WORDS[1:4]]
        return np.select(choices, words, "0.9 or more")

    @property
    def shares(self) -> dict[str, float]:
        """The share of the cells under each word."""
        return {word: float(np.mean(self.cells == word)) for word in WORDS}
