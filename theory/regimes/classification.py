"""The calculator: brackets for T^S and T^U, the ratio, and the regime as printed and as certified.

The words have fixed levels: trivial, T^U = 0 proved; efficient, T^U <= T^S/2 proved; inefficient,
T^U >= T^S/1000 proved; uncharted otherwise. The edges:

* e >= e0: the start 0 is good enough (e0.zero), both times are 0 and the ratio is read as 0.
* r = 0: theta* is the retain optimum and depends on nothing to hide; trivial, no noise.
* r -> 1: theta* is worth nothing; the upper end of T^U is that of retraining.
* eps = inf (kappa = 0): theta* is released as it is; only the lower bounds that need no privacy remain.
* d = 1: the sensitivity is r L/mu instead of 1.4411 r L/mu, and theta* costs 4 r^2 e0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.regimes import as_printed, printed_repaired, sharp
from theory.regimes.bound import Best, Bound, Choice, largest, least
from theory.regimes.query import Noise, Notion, Query, query
from theory.regimes.safe import Floats, up

EFFICIENT, INEFFICIENT = 2, 1000


class Constants(StrEnum):
    """Which constants the certified brackets use."""

    PRINTED_REPAIRED = "printed-repaired"
    SHARP = "sharp"


@dataclass(frozen=True)
class Bounds:
    """The bounds of one set of constants, by what they bound."""

    scratch_lower: Callable[[Query], list[Bound]]
    scratch_upper: Callable[[Query], list[Bound]]
    unlearn_lower: Callable[[Query], list[Bound]]
    unlearn_upper: Callable[[Query, list[Bound]], list[Bound]]
    mechanism: Callable[[Query], tuple[Choice, Choice]]


def _bounds(module: Any) -> Bounds:
    return Bounds(
        module.scratch_lower,
        module.scratch_upper,
        module.unlearn_lower,
        module.unlearn_upper,
        module.mechanism,
    )


def _scale(bound: Bound, q: Query) -> Floats:
    if not bound.choices:
        return np.zeros_like(q.r)
    square, apart = bound.choices
    return up(np.sqrt(square.values / q.d) * apart.values * q.r)


SETS = {Constants.PRINTED_REPAIRED: _bounds(printed_repaired), Constants.SHARP: _bounds(sharp)}


@dataclass(frozen=True)
class Classification:
    """Brackets and regimes of some rows; every number is a proved bound, rounded to the safe side."""

    query: Query
    scratch: tuple[Best, Best]
    unlearn: tuple[Best, Best]
    mechanism: tuple[Choice, Choice]

    @property
    def sigma(self) -> Floats:
        """The noise of the bound that wins: standard deviation per coordinate in units L/mu, rounded up."""
        made = [_scale(bound, self.query) for bound in self.unlearn[1].among]
        return np.choose(self.unlearn[1].which, made)

    def noise(self, row: int) -> str | None:
        """The law of that noise; None where retraining wins, which needs none."""
        choices = self.unlearn[1].choices(row)
        return choices[0].name(row) if choices else None

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        """The bracket of T^U/T^S, rounded outwards; [0, 0] where T^U = 0."""
        (s_lo, s_hi), (u_lo, u_hi) = self._steps()
        with np.errstate(divide="ignore", invalid="ignore"):
            low = np.where(u_lo > 0, np.nextafter(u_lo / s_hi, 0.0), 0.0)
            high = np.where(u_hi > 0, np.minimum(1.0, np.nextafter(u_hi / s_lo, np.inf)), 0.0)
        return low, high

    @property
    def certified(self) -> NDArray[np.str_]:
        """The proved regime of each row; integers are compared, so no rounding enters."""
        (s_lo, s_hi), (u_lo, u_hi) = self._steps()
        choices = [u_hi == 0, EFFICIENT * u_hi <= s_lo, INEFFICIENT * u_lo >= s_hi]
        return np.select(choices, ["trivial", "efficient", "inefficient"], "uncharted")

    @property
    def printed(self) -> NDArray[np.str_]:
        """The regime as the paper prints it."""
        return as_printed.regime(self.query)

    def claims(self, row: int) -> tuple[str, ...]:
        """The claims behind the four ends of a row's brackets."""
        found = [best.claims(row) for pair in (self.scratch, self.unlearn) for best in pair]
        return tuple(dict.fromkeys(key for keys in found for key in keys))

    def _steps(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        return (self.scratch[0].steps, self.scratch[1].steps), (self.unlearn[0].steps, self.unlearn[1].steps)


def classify(
    *,
    rf: ArrayLike,
    eps: ArrayLike,
    delta: ArrayLike,
    dim: ArrayLike,
    target: ArrayLike,
    constants: Constants = Constants.SHARP,
    notion: Notion = Notion.UNLEARNING,
    noise: Noise = Noise.EXACT,
) -> Classification:
    """Classify the rows that broadcasting gives; `target` is e/e0. BadQuery for impossible values.

    >>> one = classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.3)
    >>> one.certified.tolist(), one.unlearn[1].steps.tolist()
    (['trivial'], [0.0])
    """
    rows = query(rf=rf, eps=eps, delta=delta, dim=dim, target=target, notion=notion, noise=noise)
    return classify_rows(rows, constants)


def classify_rows(rows: Query, constants: Constants) -> Classification:
    """Classify rows that are already checked."""
    bounds = SETS[constants]
    retraining = bounds.scratch_upper(rows)
    scratch = largest(bounds.scratch_lower(rows)), least(retraining)
    unlearn = largest(bounds.unlearn_lower(rows)), least(bounds.unlearn_upper(rows, retraining))
    return Classification(rows, scratch, unlearn, bounds.mechanism(rows))
