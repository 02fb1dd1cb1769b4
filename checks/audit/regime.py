"""Where the claimed budget lies in the certified diagram, and what the standard ways cost there."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.settings import Settings
from oubli.theory.regimes import Classification, QueryError, classify

GRID = 24
# The ways of the certified upper bounds that use noise and no gradient, and those with constant steps.
NOISE_ONLY = ("noise only", "noise, then shrink")
CONSTANT = ("noise, then constant steps",)


def regime(settings: Settings) -> Finding:
    """The finding `regime`: certified, so its confidence is one."""
    return _regime(replace(settings, seed=0))


@lru_cache(maxsize=64)
def _regime(settings: Settings) -> Finding:
    text = f"({settings.eps:g}, {settings.delta:g}) at {settings.target:g} e0"
    try:
        found = _classified(settings, settings.target)
    except QueryError as why:
        return Finding("regime", Judgement.UNDECIDED, text, {}, 1.0, "the certified diagram", str(why))
    low, high = (int(best.steps[0]) for best in found.unlearn)
    least, most = (int(best.steps[0]) for best in found.scratch)
    reach, constant = _noise_only(settings), _steps(found, CONSTANT)
    how = found.unlearn[1].how(0)
    measured = {
        "certified": str(found.certified[0]),
        "printed": str(found.printed[0]),
        "T_unlearn": [low, high],
        "T_scratch": [least, most],
        "sigma": float(found.sigma[0]),
        "noise_only_reaches": reach,
        "T_constant_step": constant,
        "how": how,
    }
    says = (
        f"{measured['certified']}: unlearning takes {_range(low, high)} gradients ({how}), "
        f"retraining {_range(least, most)}; noise alone "
        f"{'reaches no target' if reach is None else f'reaches {reach:.3g} e0'}, constant-step fine-tuning "
        f"{'is not proved to get there' if constant is None else f'takes {constant}'}"
    )
    return Finding(
        "regime", Judgement.CONSISTENT, text, measured, 1.0, "the certified diagram", says, _diagram(settings)
    )


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _steps(found: Classification, names: tuple[str, ...]) -> int | None:
    """The fewest proved steps of the first row by one of these ways; None where none of them gets there."""
    fewest = min((b.steps[0] for b in found.unlearn[1].among if b.how in names), default=np.inf)
    return int(fewest) if np.isfinite(fewest) else None


def _noise_only(settings: Settings) -> float | None:
    """The least target of a grid that noise alone is proved to reach."""
    targets = np.geomspace(1e-4, 0.99, 10 * GRID)
    ways = [b.steps for b in _classified(settings, targets).unlearn[1].among if b.how in NOISE_ONLY]
    reached = targets[np.min(ways, axis=0) == 0] if ways else targets[:0]
    return float(reached.min()) if len(reached) else None


def _classified(settings: Settings, target: ArrayLike) -> Classification:
    return classify(rf=settings.rf, eps=settings.eps, delta=settings.delta, dim=settings.dim, target=target)


def _diagram(settings: Settings) -> dict[str, object]:
    """Words over (target, eps), and the place of this budget."""
    targets, eps = np.geomspace(1e-4, 0.99, GRID), np.geomspace(0.01, 100, GRID)
    x, y = np.meshgrid(targets, eps)
    words = classify(rf=settings.rf, eps=y.ravel(), delta=settings.delta, dim=settings.dim, target=x.ravel())
    cells = words.certified.reshape(GRID, GRID).tolist()
    here = [settings.target, settings.eps]
    return {"kind": "diagram", "targets": targets.tolist(), "eps": eps.tolist(), "cells": cells, "here": here}
