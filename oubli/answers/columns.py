"""The answers to many questions as columns: every number that is needed to carry a recommendation out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.answers.question import Question
from oubli.sim.laws import staircase
from oubli.theory.regimes import Classification
from oubli.theory.regimes.bound import Best
from oubli.theory.regimes.noise import RADIAL, STAIRCASE
from oubli.theory.regimes.recipe import recipes

RELEASE, TUNE, RETRAIN, ZERO = "release", "fine-tune", "retrain", "release 0"
# Of one answer, in the order of a table; `Columns` has a column for each.
NAMES = (
    "printed", "certified", "ratio_lo", "ratio_hi", "unlearn_lo", "unlearn_hi", "scratch_lo", "scratch_hi",
    "sigma", "noise", "how", "claims", "action", "gradients", "epochs", "noise_rate", "noise_width",
    "noise_q", "shrink", "schedule", "c", "k", "a", "step_unit", "radius", "target_e0", "e0", "excess_risk",
    "kappa",
)  # fmt: skip
Columns = dict[str, Any]


def columns(found: Classification, asked: Sequence[Question]) -> Columns:
    """The answers to all rows of a classification, in the units of the questions.

    Args:
        found: The classification.
        asked: The questions, one for each row.

    Returns:
        A column for each of `NAMES`; nan or None where a number does not apply. `sigma`, `radius` are
        distances (unit L/mu = 1 where L and mu are not given), `step_unit` is 1/mu, the schedules are those
        of `oubli.theory.regimes.recipe.Recipes`.

    >>> from oubli.theory.regimes import classify
    >>> one = Question(0.001, 4.0, 1e-6, 10, 0.02, n=60_000, forget=60, L=2.0, mu=1.0)
    >>> made = columns(classify(rf=0.001, eps=4.0, delta=1e-6, dim=10, target=0.02), [one])
    >>> made["action"].tolist(), made["epochs"].tolist(), made["excess_risk"].tolist()
    (['release'], [0.0], [0.01])
    """
    best = found.unlearn[1]
    n, e0, unit, mu = (_optional(asked, read) for read in _UNITS)
    noise = _per_bound(best, _noise_name)
    sigma = found.sigma * unit
    made = _brackets(found) | {"sigma": sigma, "noise": noise}
    made |= {"how": _per_bound(best, lambda i, row: best.how(row)), "claims": _claims(found)}
    made |= {"action": _actions(found, noise), "gradients": best.steps, "epochs": best.steps / n}
    with np.errstate(divide="ignore", over="ignore"):
        rate = np.sqrt(found.query.d + 1) / sigma
    made["noise_rate"] = np.where((noise == RADIAL) & (sigma > 0), rate, np.nan)
    # Shells of the sensitivity's width, and the radius of the innermost in that unit.
    square, inner = staircase(found.query.eps, found.query.d)
    made["noise_width"] = np.where(noise == STAIRCASE, sigma * np.sqrt(found.query.d / square), np.nan)
    made["noise_q"] = np.where(noise == STAIRCASE, inner, np.nan)
    recipe = recipes(found, best)
    made |= {name: getattr(recipe, name) for name in ("shrink", "schedule", "c", "k", "a")}
    made |= {"step_unit": 1 / mu, "radius": unit / 2, "target_e0": found.query.x, "e0": e0}
    return made | {"excess_risk": found.query.x * e0, "kappa": found.query.kappa}


_UNITS: tuple[Callable[[Question], float | None], ...] = (
    lambda asked: asked.n,
    lambda asked: asked.e0,
    lambda asked: asked.unit,
    lambda asked: 1.0 if asked.mu is None else asked.mu,
)


def _optional(asked: Sequence[Question], read: Callable[[Question], float | None]) -> NDArray[np.float64]:
    return np.array([read(one) for one in asked], dtype=np.float64)


def _brackets(found: Classification) -> Columns:
    low, high = found.ratio
    made: Columns = {"printed": found.printed, "certified": found.certified}
    made |= {"ratio_lo": low, "ratio_hi": high}
    for name, pair in (("unlearn", found.unlearn), ("scratch", found.scratch)):
        made |= {f"{name}_{end}": best.steps for end, best in zip(("lo", "hi"), pair, strict=True)}
    return made


def _actions(found: Classification, noise: NDArray[Any]) -> NDArray[np.str_]:
    """What the smallest proved upper bound does, in a word."""
    T, made = found.unlearn[1].steps, np.array([law is not None for law in noise], dtype=bool)
    return np.select([made & (T == 0), made, T > 0], [RELEASE, TUNE, RETRAIN], ZERO)


def _noise_name(best: Best, row: int) -> str | None:
    choices = best.choices(row)
    return choices[0].name(row) if choices else None


def _codes(best: Best) -> NDArray[np.intp]:
    """A number per row that is the same where the bound and all its choices are the same."""
    code = best.which.copy()
    for number, bound in enumerate(best.among):
        at = best.which == number
        for choice in bound.choices:
            code = np.where(at, code * 8 + choice.which + 1, code)
    return code + best.which * 8**4


def _per_bound(best: Best, word: Callable[[Best, int], str | None]) -> NDArray[Any]:
    """A word for each row, looked up once for each kind of bound."""
    _, first, inverse = np.unique(_codes(best), return_index=True, return_inverse=True)
    words = np.empty(len(first), dtype=object)
    words[:] = [word(best, int(row)) for row in first]
    return np.asarray(words[inverse])


def _claims(found: Classification) -> NDArray[Any]:
    """The claims behind each row, joined by blanks; rows with the same bounds share the text."""
    table = np.stack([_codes(best) for pair in (found.scratch, found.unlearn) for best in pair])
    _, first, inverse = np.unique(table, axis=1, return_index=True, return_inverse=True)
    words = np.array([" ".join(found.claims(int(row))) for row in first], dtype=object)
    return np.asarray(words[inverse.ravel()])
