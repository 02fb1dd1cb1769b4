"""The file of `oubli phase theory` as diagrams: a grid of regimes for each choice of constants."""

from collections.abc import Mapping, Sequence
from typing import Any

from oubli.checks.report.shape import MalformedError

COLUMNS, ROWS = 200, 100  # at most so many cells are drawn; the file keeps the whole grid
MEANING = {
    "trivial": "certified: releasing noise without a gradient is enough",
    "efficient": "certified: cheaper than training again",
    "inefficient": "certified: as expensive as training again, up to a constant",
    "uncharted": "nothing is certified here",
}


def is_grid(value: Any) -> bool:
    """Whether a value looks like the file of `oubli phase theory`."""
    return isinstance(value, dict) and {"shares", "x", "kappa", "regimes"} <= value.keys()


def grid_diagrams(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One diagram per choice of constants, thinned to what a page can show."""
    fixed = {name: x for name, x in value.get("parameters", {}).items() if not isinstance(x, list)}
    at = ", ".join(f"{name} = {x}" for name, x in fixed.items())
    try:
        return [_diagram(value, name, share, at) for name, share in value["shares"].items()]
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as why:
        raise MalformedError(f"a grid of regimes is incomplete ({type(why).__name__}: {why})") from None


def _diagram(value: Mapping[str, Any], name: str, share: Mapping[str, float], at: str) -> dict[str, Any]:
    regimes = [str(word) for word in value["regimes"]]
    across, up = thinned(value["x"], COLUMNS), thinned(value["kappa"], ROWS)
    cells = [[regimes[value[name]["grid"][row][column]] for column in across] for row in up]
    parts = ", ".join(f"{part} {100 * size:.1f} %" for part, size in share.items())
    return {
        "title": f"Regimes with {name} constants",
        "note": f"At {at}. Share of the window: {parts}.",
        "x": {"label": "target e / e₀", "values": [value["x"][i] for i in across]},
        "y": {"label": "noise κ", "values": [value["kappa"][i] for i in up]},
        "cells": cells,
        "meaning": {word: MEANING.get(word, "") for word in regimes},
    }


def thinned(values: Sequence[Any], most: int) -> list[int]:
    """Evenly spread positions, first and last among them.

    >>> thinned(range(9), 3)
    [0, 4, 8]
    """
    if len(values) <= most:
        return list(range(len(values)))
    return [round(i * (len(values) - 1) / (most - 1)) for i in range(most)]
