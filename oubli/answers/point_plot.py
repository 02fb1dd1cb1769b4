"""`oubli regime --plot`: the certified diagram for one question, with the question's own point on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oubli.answers.phase_plot import KAPPA, epsilon_axis, fill
from oubli.answers.question import Question
from oubli.errors import InputError, optional
from oubli.theory.regimes import Constants
from oubli.theory.regimes.phase import KAPPAS, TARGETS, Plane, boundaries
from oubli.theory.regimes.printed_curves import least_private_kappa, printed_curves

_COLUMNS = 240
# The targets and budgets that the calculator accepts, with room for rounding.
_LEAST, _EPS = 1e-12, (1e-6 * (1 + 1e-9), 1e4 * (1 - 1e-9))


def draw_point(path: Path, asked: Question, data: Mapping[str, Any], constants: Constants) -> None:
    """Draw the plane of target and privacy for the r, d and δ of a question.

    Args:
        path: A .png or .svg.
        asked: The question.
        data: Its answer.
        constants: The constants that certify.

    Raises:
        InputError: The point is not on the plane (ε = inf, or nothing to forget), or the file cannot be
            written; MissingExtraError without matplotlib.
    """
    if path.suffix not in (".png", ".svg"):
        raise InputError(f"plot = {path}: the suffix must be .png or .svg")
    if asked.rf == 0 or not np.isfinite(asked.eps):
        raise InputError("plot: with nothing to forget or no privacy there is no diagram")
    with optional("plot", f"{path.name} (a picture)"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(7.6, 5.6), layout="constrained")
    panel = figure.subplots()
    _diagram(panel, asked, data["question"]["kappa"], constants)
    _mark(panel, asked, data)
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle(f"r = {asked.rf:g}, d = {asked.dim:g}, δ = {asked.delta:g} ({constants.value} constants)")
    try:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    except OSError as error:
        raise InputError(f"plot = {path}: {error.strerror}") from None


def _diagram(panel: Any, asked: Question, kappa: float, constants: Constants) -> None:
    x_low = max(min(TARGETS[0], (asked.target or 1.0) / 3), _LEAST)
    constant = kappa * asked.eps
    # Wide enough for the point, and within the budgets that the calculator accepts.
    window = (
        max(min(KAPPAS[0], kappa / 3), constant / _EPS[1]),
        min(max(KAPPAS[1], 3 * kappa), constant / _EPS[0]),
    )
    x = np.geomspace(x_low, TARGETS[1] * (1 - 1e-9), _COLUMNS)  # from e0 on the zero model is enough
    at = boundaries(Plane(asked.rf, int(asked.dim), asked.delta, constants), x, window)
    printed = printed_curves(asked.rf, int(asked.dim), asked.delta, x)
    fill(panel, at, printed, least_private_kappa(asked.delta), (x_low, TARGETS[1]), window)
    panel.set_ylabel(KAPPA)
    epsilon_axis(panel, asked.delta)


def _mark(panel: Any, asked: Question, data: Mapping[str, Any]) -> None:
    x, kappa = min(asked.target or 1.0, 1.0), data["question"]["kappa"]
    label = f"you: e = {asked.target:.3g} e0, ε = {asked.eps:g}: {data['certified']}, {data['action']}"
    panel.plot(
        [x], [kappa], "*", color="#ffffff", markeredgecolor="#000000", markersize=17, label=label, zorder=5
    )
    for line in (panel.axvline, panel.axhline):
        line(x if line == panel.axvline else kappa, color="#333333", linewidth=0.6, linestyle=(0, (4, 4)))
