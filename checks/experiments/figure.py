"""The diagrams as pictures: one scale, darker for dearer, so that it survives grey and colour blindness.

What is not a ratio has its own hatching, and the level lines differ in dashes and carry their number.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np

from oubli.checks.experiments.diagram import LEVELS, WORDS, Diagram
from oubli.errors import optional

# Lightness falls from 97 to 25; neighbours differ by 15 or more, in grey as in colour.
FILLS = {
    "free": "#f7f7f7",
    "below 0.1": "#d5e3ef",
    "0.1 to 0.5": "#92b9d8",
    "0.5 to 0.9": "#4f84b5",
    "0.9 or more": "#1f3b63",
    "retraining free": "#fdf3d5",
    "not reached": "#ffffff",
}
HATCHES = {"free": "..", "retraining free": "//", "not reached": "xx"}
DASHES = {0.1: ":", 0.5: "--", 0.9: "-"}
# Lines that nearly meet must not hide each other's numbers.
PLACES = {0.1: 0.25, 0.5: 0.55, 0.9: 0.85}
READINGS = {"first passage": "first passage (as printed)", "definition": "by definition"}
REGIONS = {"trivial": "--", "efficient": "-.", "inefficient": "-"}
ORANGE = "#c85200"


def pictures(diagrams: list[Diagram], title: str, certified: Mapping[str, Any] | None) -> dict[str, bytes]:
    """{suffix: bytes} for PNG and SVG; one row per algorithm, one column per reading.

    `certified` is a grid of regimes {"kappas", "levels", "cells"} to be drawn over them.
    """
    with optional("plot", "a figure"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    algorithms = list(dict.fromkeys(diagram.algorithm for diagram in diagrams))
    readings = list(dict.fromkeys(diagram.reading for diagram in diagrams))
    with rc_context({"svg.hashsalt": "oubli", "hatch.linewidth": 0.4, "font.size": 9}):
        size = (4.4 * len(readings) + 0.4, 3.5 * len(algorithms) + 1.5)
        figure = Figure(figsize=size, layout="constrained")
        panels = figure.subplots(len(algorithms), len(readings), squeeze=False, sharex=True, sharey=True)
        for diagram in diagrams:
            row, column = algorithms.index(diagram.algorithm), readings.index(diagram.reading)
            _panel(panels[row][column], diagram, certified)
            if row == len(algorithms) - 1:
                panels[row][column].set_xlabel("error e")
            if column == 0:
                panels[row][column].set_ylabel("noise κ")
        _legend(figure, certified)
        figure.suptitle(title)
        # The layout is found once, not anew for each file.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        return {suffix: _saved(figure, suffix) for suffix in ("png", "svg")}


def _saved(figure: Any, suffix: str) -> bytes:
    buffer = io.BytesIO()
    # Neither file may carry a date or a version: the same run gives the same bytes.
    metadata = {"Date": None} if suffix == "svg" else {"Software": None}
    figure.savefig(buffer, format=suffix, dpi=160, metadata=metadata)
    return buffer.getvalue()


def _panel(panel: Any, diagram: Diagram, certified: Mapping[str, Any] | None) -> None:
    from matplotlib.colors import ListedColormap

    codes = np.array([[WORDS.index(word) for word in row] for row in diagram.cells])
    e, kappa = diagram.levels, diagram.kappas
    colours = ListedColormap([FILLS[word] for word in WORDS])
    panel.pcolormesh(e, kappa, codes, cmap=colours, vmin=-0.5, vmax=len(WORDS) - 0.5, rasterized=True)
    for word, hatch in HATCHES.items():
        mask = (codes == WORDS.index(word)).astype(float)
        if mask.any():
            _hatched(panel, e, kappa, mask, hatch)
    _lines(panel, diagram)
    if certified is not None:
        _regions(panel, certified)
    panel.set(xscale="log", yscale="log", xlim=(e[0], e[-1]), ylim=(kappa[0], kappa[-1]))
    panel.minorticks_off()
    panel.set_title(f"{diagram.algorithm}, {READINGS.get(diagram.reading, diagram.reading)}", fontsize=9)


def _hatched(panel: Any, e: Any, kappa: Any, mask: Any, hatch: str) -> None:
    if mask.all():
        ends = ([e[0], e[-1]], kappa[0], kappa[-1])
        panel.fill_between(*ends, facecolor="none", edgecolor="#777777", hatch=hatch)
        return
    filled = panel.contourf(e, kappa, mask, levels=[0.5, 1.5], colors="none", hatches=[hatch])
    filled.set_edgecolor("#777777")
    filled.set_linewidth(0.0)


def _lines(panel: Any, diagram: Diagram) -> None:
    """The level lines, each with its number; white edges lie below all of them, so that none is hidden."""
    ratio = np.ma.masked_invalid(diagram.ratio)
    crossed = [level for level in LEVELS if ratio.min() < level < ratio.max()]
    if not crossed:
        return
    at, dashes = (diagram.levels, diagram.kappas, ratio), [DASHES[level] for level in crossed]
    panel.contour(*at, levels=crossed, colors="white", linewidths=3.2, linestyles="-")
    drawn = panel.contour(*at, levels=crossed, colors="black", linewidths=1.3, linestyles=dashes)
    for level, parts in zip(crossed, drawn.allsegs, strict=True):
        longest = max(parts, key=len, default=np.empty((0, 2)))
        if len(longest):
            _number(panel, level, longest[round((len(longest) - 1) * PLACES[level])])


def _number(panel: Any, level: float, place: Any) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "black", "linewidth": 0.5}
    panel.annotate(f"{level:g}", place, fontsize=8, ha="center", va="center", bbox=box, zorder=5)


def _regions(panel: Any, certified: Mapping[str, Any]) -> None:
    """The edge of each regime; the efficient one ends where it meets the trivial one, whose edge is drawn."""
    cells = certified["cells"]
    inside = {"efficient": ("efficient", "trivial")}
    for word, dashes in REGIONS.items():
        mask = np.isin(cells, inside.get(word, (word,))).astype(float)
        if mask.any() and not mask.all():
            at = (certified["levels"], certified["kappas"], mask)
            panel.contour(*at, levels=[0.5], colors="white", linestyles="-", linewidths=3.4)
            panel.contour(*at, levels=[0.5], colors=ORANGE, linestyles=dashes, linewidths=1.8)


def _legend(figure: Any, certified: Mapping[str, Any] | None) -> None:
    from matplotlib.patches import Patch

    names = {"free": "$T^U = 0$", "retraining free": "$T^S = 0 < T^U$", "not reached": "e not reached"}
    patches: list[Any] = [
        Patch(facecolor=FILLS[w], edgecolor="#777777", hatch=HATCHES.get(w), label=names.get(w, w))
        for w in WORDS
    ]
    lines = [_sample("black", DASHES[x], 1.3, f"$T^U/T^S = {x:g}$") for x in LEVELS]
    regions = [_sample(ORANGE, dashes, 1.8, f"edge of certified {word}") for word, dashes in REGIONS.items()]
    entries = [*patches, *lines, *(regions if certified is not None else [])]
    figure.legend(handles=entries, loc="outside lower center", ncols=5, fontsize=8, handlelength=2.6)


def _sample(colour: str, dashes: Any, width: float, label: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, linestyle=dashes, linewidth=width, label=label)
