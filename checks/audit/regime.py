"""Where the claimed budget lies in the certified diagram, and what the standard ways cost there."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from checks.audit.finding import Finding, Judgement
from checks.audit.settings import Settings
from theory.regimes import BadQuery, Classification, classify

GRID = 24


def regime(settings: Settings) -> Finding:
    """The finding `regime`: certified, so its confidence is one."""
    return _regime(replace(settings, seed=0))


@lru_cache(maxsize=64)
def _regime(settings: Settings) -> Finding:
    text = f"({settings.eps:g}, {settings.delta:g}) at {settings.target:g} e0"
    try:
        found = _classified(settings, settings.target)
    except BadQuery as why:
        return Finding("regime", Judgement.UNDECIDED, text, {}, 1.0, "the certified diagram", str(why))
    targets = np.geomspace(1e-4, 0.99, GRID)
    trivial = targets[_classified(settings, targets).unlearn[1].steps == 0]
    low, high = (int(best.steps[0]) for best in found.unlearn)
    measured = {
        "certified": str(found.certified[0]),
        "printed": str(found.printed[0]),
        "T_unlearn": [low, high],
        "T_scratch": [int(best.steps[0]) for best in found.scratch],
        "sigma": float(found.sigma[0]),
        "noise_only_reaches": float(trivial.min()) if len(trivial) else None,
        "how": found.unlearn[1].how(0),
    }
    says = f"{measured['certified']}: unlearning takes {low} to {high} gradients, by {measured['how']}"
    return Finding(
        "regime", Judgement.CONSISTENT, text, measured, 1.0, "the certified diagram", says, _diagram(settings)
    )


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
