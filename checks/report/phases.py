"""The file of `oubli phase theory` as diagrams: a grid of regimes for each choice of constants."""

import math
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
        made = [_diagram(value, name, share, at) for name, share in value["shares"].items()]
        return [*made, _map(value, at)] if "ratio_map" in value else made
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


# How far the bracket of the ratio is open, in decades, and what that is called.
OPEN = {1: "up to 10", 2: "up to 100", 3: "up to 1000", math.inf: "more"}
NOTHING = "nothing from below"


def _map(value: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The ratio T^U/T^S: by which factor upper and lower end of its bracket differ."""
    found = value["ratio_map"]
    cells = [[_word(decades) for decades in row] for row in found["log10_upper_over_lower"]]
    known = ", ".join(
        f"{100 * share:.1f} % up to {factor}" for factor, share in value["known_within"].items()
    )
    return {
        "title": "How well the ratio T^U/T^S is known",
        "note": f"At {at}. Share of the window: {known}. Constants: {'; '.join(value['constants'])}.",
        "x": {"label": "target e / e₀", "values": found["x"]},
        "y": {"label": "noise κ", "values": found["kappa"]},
        "cells": cells,
        "ordered": True,
        "meaning": dict.fromkeys((*OPEN.values(), NOTHING), "upper over lower end of the bracket"),
    }


def _word(decades: float | None) -> str:
    if decades is None:
        return NOTHING
    return next(word for most, word in OPEN.items() if decades <= most)


def thinned(values: Sequence[Any], most: int) -> list[int]:
    """Evenly spread positions, first and last among them.

    >>> thinned(range(9), 3)
    [0, 4, 8]
    """
    if len(values) <= most:
        return list(range(len(values)))
    return [round(i * (len(values) - 1) / (most - 1)) for i in range(most)]
