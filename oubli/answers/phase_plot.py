"""The picture of `oubli phase theory`: certified regions filled, printed boundaries drawn over them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from oubli.errors import optional
from oubli.theory.regimes import Constants
from oubli.theory.regimes.phase import KAPPAS, TARGETS, Boundaries
from oubli.theory.regimes.printed_curves import PrintedCurves

KAPPA = "κ = √(2 ln(1.25/δ))/ε"
COLOURS = {"trivial": "#4477aa", "efficient": "#66ccaa", "inefficient": "#cc6677", "uncharted": "#d9d9d9"}


def draw(
    path: Path,
    fixed: tuple[float, int, float],
    found: dict[Constants, Boundaries],
    printed: PrintedCurves,
    document: dict[str, Any],
) -> None:
    """One panel per set of constants, saved as PNG or SVG by the suffix."""
    with optional("plot", f"{path.name} (a picture; .json needs nothing)"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(11, 5.4), layout="constrained")
    panels = figure.subplots(1, len(found), sharey=True)
    for panel, (constants, at) in zip(panels, found.items(), strict=True):
        share = document["shares"][constants.value]["certified"]
        fill(panel, at, printed, document["least_private_classical_kappa"])
        panel.set_title(f"{constants.value}: {100 * share:.1f} % certified")
    panels[0].set_ylabel(KAPPA)
    epsilon_axis(panels[-1], fixed[2])
    # Below the panels, where it hides nothing.
    figure.legend(*panels[-1].get_legend_handles_labels(), loc="outside lower center", ncols=8, fontsize=7)
    figure.suptitle(f"r = {fixed[0]:g}, d = {fixed[1]}, δ = {fixed[2]:g}")
    figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def fill(
    panel: Any,
    at: Boundaries,
    printed: PrintedCurves,
    private: float,
    targets: tuple[float, float] = TARGETS,
    kappas: tuple[float, float] = KAPPAS,
) -> None:
    """Fill one panel: the certified regions, what is not private, and the printed boundaries."""
    low, high = (np.full_like(at.x, edge) for edge in kappas)
    panel.set_facecolor(COLOURS["uncharted"])
    for name, below, above in (
        ("trivial", low, at.trivial),
        ("efficient", at.trivial, at.efficient),
        ("inefficient", at.inefficient, high),
    ):
        panel.fill_between(at.x, below, above, color=COLOURS[name], linewidth=0, label=f"certified {name}")
    panel.fill_between([], [], color=COLOURS["uncharted"], linewidth=0, label="uncharted")
    if private > kappas[0]:
        edge = min(private, kappas[1])
        panel.axhspan(
            kappas[0], edge, fill=False, hatch="///", edgecolor="#888888", linewidth=0, label="κ not private"
        )
    for name, style in (("trivial", "-"), ("efficient", "--"), ("inefficient", ":")):
        panel.plot(at.x, getattr(printed, name), style, color="black", linewidth=1.2, label=f"printed {name}")
    panel.set(xscale="log", yscale="log", xlim=targets, ylim=kappas, xlabel="e/e0")


def epsilon_axis(panel: Any, delta: float) -> None:
    """The same axis in ε on the right: ε and κ are each the same constant over the other."""
    constant = float(np.sqrt(2 * np.log(1.25 / delta)))
    turned = partial(_over, constant)
    panel.secondary_yaxis("right", functions=(turned, turned)).set_ylabel("ε")


def _over(constant: float, values: Any) -> Any:
    # matplotlib asks at 0, too.
    return constant / np.maximum(values, 1e-300)
