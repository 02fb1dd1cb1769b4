"""The calculator: brackets for T^S and T^U, the ratio, and the regime as printed and as certified.

The words have fixed levels: trivial, T^U = 0 proved; efficient, T^U <= T^S/2 proved; inefficient,
T^U >= T^S/1000 proved; uncharted otherwise. The edges:

* e >= e0: the start 0 is good enough, both times are 0 and the ratio is read as 0.
* r = 0: theta* is the retain optimum and depends on nothing to hide; trivial, no noise.
* r -> 1: theta* is worth nothing; the upper end of T^U is that of retraining.
* eps = inf (kappa = 0): theta* is released as it is; only the lower bounds that need no privacy remain.
* d = 1: the sensitivity is r L/mu instead of 1.40756 r L/mu, and theta* costs 4 r^2 e0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oubli.display import html_table, to_frame
from oubli.theory.regimes import as_printed, printed_repaired, sharp
from oubli.theory.regimes.bound import Best, Bound, Choice, largest, least
from oubli.theory.regimes.query import Noise, Notion, Query, query
from oubli.theory.regimes.safe import Floats, up
from oubli.words import member

EFFICIENT, INEFFICIENT = 2, 1000
STRICT = 100  # the stricter level: T^U >= T^S/100 proved
SHOWN = 50  # rows of a table in a notebook


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
    # Nothing to forget, or nothing to hide: no noise, however much a unit of it would be.
    with np.errstate(invalid="ignore"):
        return up(np.nan_to_num(np.sqrt(square.values / q.d) * apart.values * q.r, nan=0.0, posinf=np.inf))


SETS = {Constants.PRINTED_REPAIRED: _bounds(printed_repaired), Constants.SHARP: _bounds(sharp)}


@dataclass(frozen=True, repr=False)
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
        """The proved regime of each row."""
        return self.certified_at(INEFFICIENT)

    def certified_at(self, level: int) -> NDArray[np.str_]:
        """The same with another level of inefficient, T^U >= T^S/level; integers are compared, unrounded."""
        (s_lo, s_hi), (u_lo, u_hi) = self._steps()
        choices = [u_hi == 0, EFFICIENT * u_hi <= s_lo, level * u_lo >= s_hi]
        return np.select(choices, ["trivial", "efficient", "inefficient"], "uncharted")

    @property
    def open_decades(self) -> Floats:
        """log10 of upper over lower end of the ratio: 0 where T^U = 0, inf where the lower end is 0."""
        low, high = self.ratio
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(high > 0, np.log10(high / low), 0.0)

    @property
    def printed(self) -> NDArray[np.str_]:
        """The regime as the paper prints it."""
        return as_printed.regime(self.query)

    def claims(self, row: int) -> tuple[str, ...]:
        """The claims behind the four ends of a row's brackets."""
        found = [best.claims(row) for pair in (self.scratch, self.unlearn) for best in pair]
        return tuple(dict.fromkeys(key for keys in found for key in keys))

    def to_frame(self) -> Any:
        """One row per question as a pandas DataFrame (the extra `frames`).

        Returns:
            The parameters, the regimes, both brackets, the ratio, the noise and the claims.
        """
        return to_frame(self._rows(len(self.query.x)))

    def _rows(self, most: int) -> list[dict[str, Any]]:
        """The first rows, with a name for each number and word."""
        q, ((s_lo, s_hi), (u_lo, u_hi)), (low, high) = self.query, self._steps(), self.ratio
        columns: dict[str, Any] = {"rf": q.r, "eps": q.eps, "delta": q.delta, "dim": q.d, "target": q.x}
        columns |= {"certified": self.certified, "printed": self.printed, "ratio_lo": low, "ratio_hi": high}
        columns |= {"unlearn_lo": u_lo, "unlearn_hi": u_hi, "scratch_lo": s_lo, "scratch_hi": s_hi}
        columns |= {"sigma": self.sigma}
        table = zip(*(column[:most].tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, values, strict=True)) | self._words(i) for i, values in enumerate(table)]

    def _words(self, row: int) -> dict[str, Any]:
        return {
            "noise": self.noise(row),
            "how": self.unlearn[1].how(row),
            "claims": " ".join(self.claims(row)),
        }

    def __repr__(self) -> str:
        words, counts = np.unique(self.certified, return_counts=True)
        shares = ", ".join(f"{count} {word}" for word, count in zip(words, counts, strict=True))
        return f"<classification of {len(self.query.x)} rows: {shares}>"

    def _repr_html_(self) -> str:
        return html_table(repr(self), self._rows(SHOWN))

    def _steps(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        return (self.scratch[0].steps, self.scratch[1].steps), (self.unlearn[0].steps, self.unlearn[1].steps)


def classify(
    *,
    rf: ArrayLike,
    eps: ArrayLike,
    delta: ArrayLike,
    dim: ArrayLike,
    target: ArrayLike,
    constants: Constants | str = Constants.SHARP,
    notion: Notion | str = Notion.UNLEARNING,
    noise: Noise | str = Noise.EXACT,
) -> Classification:
    """Classify the rows that broadcasting gives. QueryError for impossible values.

    Args:
        rf: Fraction of the data to forget, at least 0 and below 1.
        eps: The privacy budget ε, from 1e-6 to 1e4, or inf for no privacy.
        delta: The privacy budget δ, from 1e-300 to 0.9.
        dim: Dimension of the parameters.
        target: Target excess risk in units e0 = L²/(8μ).
        constants: "sharp", or "printed-repaired".
        notion: "unlearning" (Definition 2) or "reference" (Reference Unlearning).
        noise: "exact", or "classical" for the classical κ where it is private.

    Returns:
        Brackets and regimes, one row for each question.

    >>> one = classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.3)
    >>> one.certified.tolist(), one.unlearn[1].steps.tolist()
    (['trivial'], [0.0])
    """
    rows = query(rf=rf, eps=eps, delta=delta, dim=dim, target=target, notion=notion, noise=noise)
    return classify_rows(rows, constants)


def classify_rows(rows: Query, constants: Constants | str) -> Classification:
    """Classify rows that are already checked."""
    bounds = SETS[member(Constants, constants, "constants")]
    retraining = bounds.scratch_upper(rows)
    scratch = largest(bounds.scratch_lower(rows)), least(retraining)
    unlearn = largest(bounds.unlearn_lower(rows)), least(bounds.unlearn_upper(rows, retraining))
    return Classification(rows, scratch, unlearn, bounds.mechanism(rows))
