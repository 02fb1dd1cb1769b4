"""Slopes of level lines in log-log, kappa against e, beside what the paper says of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oubli.checks.experiments.diagram import LEVELS, Diagram, Floats

PAPER = {
    0.1: "1 (l.764; on the digits a square root)",
    0.5: "about 1/2 (l.775)",
    0.9: "nothing",
}
# Fewer crossings than this are no line.
LEAST = 3


@dataclass(frozen=True)
class Slope:
    """The least-squares slope of one level line and its standard error; None where there is no line."""

    algorithm: str
    reading: str
    level: float
    slope: float | None
    error: float | None
    points: int
    e_range: tuple[float, float] | None

    @property
    def paper(self) -> str:
        return PAPER[self.level]


def crossings(diagram: Diagram, level: float) -> tuple[Floats, Floats]:
    """(e, kappa) where the ratio first rises through the level as kappa grows, one per e that has one.

    Kappa is interpolated in logarithms between a cell below the level and the next one at or above it.

    >>> k = np.array([1.0, 10.0])
    >>> d = Diagram("", "", k, np.ones(1), np.array([[0.0], [2.0]]), np.ones(1))
    >>> [values.round(3).tolist() for values in crossings(d, 0.5)]
    [[1.0], [1.778]]
    """
    log_kappa, found = np.log(diagram.kappas), []
    for e, column in zip(diagram.levels, diagram.ratio.T, strict=True):
        below, above = column[:-1] < level, np.isfinite(column[1:]) & (column[1:] >= level)
        rises = np.flatnonzero(below & above)
        if len(rises):
            i = int(rises[0])
            share = (level - column[i]) / (column[i + 1] - column[i])
            found.append((float(e), float(np.exp(log_kappa[i] + share * (log_kappa[i + 1] - log_kappa[i])))))
    points = np.array(found).reshape(-1, 2)
    return points[:, 0], points[:, 1]


def slope(diagram: Diagram, level: float) -> Slope:
    """The fitted slope d ln kappa/d ln e of one level line.

    >>> e = np.geomspace(1, 100, 9); k = np.geomspace(0.1, 1000, 33)
    >>> line = Diagram("", "", k, e, k[:, None] / e[None, :], np.ones(9))
    >>> round(slope(line, 0.5).slope, 2)
    1.0
    """
    e, kappa = crossings(diagram, level)
    if len(e) < LEAST:
        return Slope(diagram.algorithm, diagram.reading, level, None, None, len(e), None)
    x, y = np.log(e) - np.log(e).mean(), np.log(kappa) - np.log(kappa).mean()
    fitted = float(x @ y / (x @ x))
    error = float(np.sqrt(np.sum((y - fitted * x) ** 2) / (len(e) - 2) / (x @ x)))
    ends = (float(e.min()), float(e.max()))
    return Slope(diagram.algorithm, diagram.reading, level, fitted, error, len(e), ends)


def slopes(diagrams: list[Diagram]) -> list[Slope]:
    """Every level line of every diagram."""
    return [slope(diagram, level) for diagram in diagrams for level in LEVELS]


def table(found: list[Slope]) -> str:
    """The slopes as text, one line each."""
    head = f"{'algorithm':<21}{'reading':<14}{'level':>6}  {'slope':>14}  {'points':>6}  the paper says"
    lines = [head]
    for one in found:
        value = f"{one.slope:.3f} ± {one.error:.3f}" if one.slope is not None else "no line"
        lines.append(
            f"{one.algorithm:<21}{one.reading:<14}{one.level:>6}  {value:>14}  {one.points:>6}  {one.paper}"
        )
    return "\n".join(lines)
