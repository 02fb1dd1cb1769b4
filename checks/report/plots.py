"""Small drawings as numbers: measured values against a bound, and the cells of a diagram."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SIDE = 150.0
EDGE = 8.0
CELL_WIDTH, CELL_HEIGHT = 480.0, 320.0
ROOM = 80.0  # what a word written on the cells needs


@dataclass(frozen=True)
class Scatter:
    """Points in a square of SIDE, both axes logarithmic and alike, so that the diagonal is the bound."""

    dots: tuple[tuple[float, float, bool], ...]
    low: float
    high: float
    side: float = SIDE


def scatter(empirical: Mapping[str, Any] | None) -> Scatter | None:
    """The positive (bound, measured) pairs of `points`, or None without any.

    >>> scatter({"points": [[1, 0.1], [10, 10]]}).dots
    ((75.0, 142.0, False), (142.0, 8.0, False))
    """
    pairs = [p for p in (empirical or {}).get("points", []) if len(p) == 2 and min(p) > 0]
    if not pairs:
        return None
    logs = [(math.log10(bound), math.log10(measured)) for bound, measured in pairs]
    low, high = min(map(min, logs)), max(map(max, logs))
    scale = (SIDE - 2 * EDGE) / ((high - low) or 1.0)
    dots = [(EDGE + (x - low) * scale, SIDE - EDGE - (y - low) * scale, y > x) for x, y in logs]
    return Scatter(tuple((round(x, 1), round(y, 1), over) for x, y, over in dots), 10**low, 10**high)


@dataclass(frozen=True)
class Run:
    """Equal neighbours of one row of cells, drawn as one rectangle."""

    x: float
    y: float
    width: float
    height: float
    word: str


def runs(cells: Sequence[Sequence[str]]) -> list[Run]:
    """The cells of a diagram as rectangles, the first row at the bottom."""
    height = CELL_HEIGHT / len(cells)
    out = []
    for number, row in enumerate(cells):
        width, start = CELL_WIDTH / len(row), 0
        for end in range(1, len(row) + 1):
            if end == len(row) or row[end] != row[start]:
                y = CELL_HEIGHT - (number + 1) * height
                out.append(Run(start * width, y, (end - start) * width, height, str(row[start])))
                start = end
    return out


def labels(found: Sequence[Run]) -> list[Run]:
    """For each word the widest run of its middle row, where its name is written; narrow words have none."""
    out = []
    for word in dict.fromkeys(run.word for run in found):
        own = [run for run in found if run.word == word]
        widest = max(run.width for run in own)
        wide = [run for run in own if run.width >= widest * 0.6]
        if widest >= ROOM:
            out.append(wide[len(wide) // 2])
    return out


def ticks(values: Sequence[Any]) -> list[tuple[float, str]]:
    """First, middle and last value with their positions from 0 to 1, at the centres of the cells.

    >>> ticks([1, 10, 100])
    [(0.16666666666666666, '1'), (0.5, '10'), (0.8333333333333334, '100')]
    """
    chosen = sorted({0, len(values) // 2, len(values) - 1})
    return [((i + 0.5) / len(values), _label(values[i])) for i in chosen]


def _label(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, int | float) else str(value)
