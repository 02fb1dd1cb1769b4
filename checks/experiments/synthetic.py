"""The pieces of the synthetic experiment put together: long tables, and a diagram for each reading of T_e."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.checks.experiments.diagram import Diagram, Floats
from oubli.checks.runs.blocks import Columns
from oubli.sim.experiments.synthetic.protocol import Synthetic
from oubli.sim.experiments.synthetic.risk import defined_time
from oubli.sim.experiments.synthetic.tasks import GROUP, SCRATCH, kappas_of

FIRST, DEFINED = "first passage", "definition"


def columns(protocol: Synthetic, algorithms: tuple[str, ...], done: Mapping[str, Columns]) -> dict[str, Any]:
    """Two long tables: `passage.*` over (algorithm, T, kappa, e), and `risk.*` over the first three."""
    names = (SCRATCH, *algorithms)
    parts = [make(protocol, name, done) for make in (_passages, _risks) for name in names]
    joined = {key: [part[key] for part in parts if key in part] for part in parts for key in part}
    return {key: np.concatenate(values) for key, values in joined.items()}


def _passages(protocol: Synthetic, name: str, done: Mapping[str, Columns]) -> dict[str, NDArray[Any]]:
    kappas, e = np.array(kappas_of(protocol, name)), np.array(protocol.levels)
    groups = range(-(-len(kappas) // GROUP))
    blocks = [[done[f"walk-{name}-T{T}-k{g}"] for g in groups] for T in protocol.horizons]
    found = {
        column: np.stack([np.concatenate([block[column] for block in row]) for row in blocks])
        for column in ("passed", "total", "squares")
    }
    T, kappa, level = np.meshgrid(protocol.horizons, kappas, e, indexing="ij")
    flat = {"T": T, "kappa": kappa, "e": level, **found}
    named = {f"passage.{key}": values.ravel() for key, values in flat.items()}
    return {"passage.algorithm": np.full(T.size, name), **named}


def _risks(protocol: Synthetic, name: str, done: Mapping[str, Columns]) -> dict[str, NDArray[Any]]:
    kappas = np.array(kappas_of(protocol, name))
    fields = ("start", "exact", "measured", "low", "high")
    found = {f: np.stack([done[f"define-{name}-k{i}"][f] for i in range(len(kappas))]) for f in fields}
    kappa, T = np.meshgrid(kappas, protocol.horizons, indexing="ij")
    flat = {"kappa": kappa, "T": T, **found}
    return {"risk.algorithm": np.full(T.size, name), **{f"risk.{k}": v.ravel() for k, v in flat.items()}}


def diagrams(protocol: Synthetic, algorithms: tuple[str, ...], table: Mapping[str, Any]) -> list[Diagram]:
    """First passage and definition, for each algorithm."""
    kappas, e = np.array(protocol.kappas), np.array(protocol.levels)
    passed = {name: mean_passage(protocol, name, table) for name in (SCRATCH, *algorithms)}
    defined = {name: defined_times(protocol, name, table, _best) for name in (SCRATCH, *algorithms)}
    return [
        Diagram(name, reading, kappas, e, times[name], times[SCRATCH][0])
        for name in algorithms
        for reading, times in ((FIRST, passed), (DEFINED, defined))
    ]


def mean_passage(protocol: Synthetic, name: str, table: Mapping[str, Any]) -> Floats:
    """The average of all obtained times, over T and repetitions (l.751); nan where none was obtained."""
    mine = table["passage.algorithm"] == name
    shape = (len(protocol.horizons), len(kappas_of(protocol, name)), len(protocol.levels))
    passed, total = (table[f"passage.{key}"][mine].reshape(shape).sum(axis=0) for key in ("passed", "total"))
    return np.where(passed > 0, total / np.maximum(passed, 1), np.nan)


def _best(part: Mapping[str, Floats]) -> Floats:
    """The exact risk, or the measured one where no closed form is known."""
    return np.where(np.isnan(part["exact"]), part["measured"], part["exact"])


def defined_times(protocol: Synthetic, name: str, table: Mapping[str, Any], risk: Any) -> Floats:
    """T_e by definition for every (kappa, e), with the risk that `risk` reads off the table."""
    mine = table["risk.algorithm"] == name
    shape = (len(kappas_of(protocol, name)), len(protocol.horizons))
    part = {f: table[f"risk.{f}"][mine].reshape(shape) for f in ("start", "exact", "measured", "low", "high")}
    T, risks, starts = np.array(protocol.horizons), risk(part), np.nanmax(part["start"], axis=1)
    return np.array(
        [[_time(T, row, start, e) for e in protocol.levels] for row, start in zip(risks, starts, strict=True)]
    )


def _time(T: NDArray[Any], row: Floats, start: float, e: float) -> float:
    # Beyond the last T that was needed nothing was computed: every level was met before.
    known = ~np.isnan(row)
    return defined_time(T[known], row[known], start, e)


def agreement(protocol: Synthetic, algorithms: tuple[str, ...], table: Mapping[str, Any]) -> dict[str, int]:
    """At how many (algorithm, kappa, e) the measured interval of T_e holds the exact T_e."""
    points = inside = 0
    for name in (SCRATCH, *algorithms):
        exact = defined_times(protocol, name, table, lambda part: part["exact"])
        low = defined_times(protocol, name, table, lambda part: part["low"])
        high = defined_times(protocol, name, table, lambda part: part["high"])
        known = ~np.isnan(exact) & _closed(protocol, name, table)[:, None]
        points += int(known.sum())
        inside += int((known & (low <= exact) & (exact <= high)).sum())
    return {"points": points, "inside": inside}


def _closed(protocol: Synthetic, name: str, table: Mapping[str, Any]) -> NDArray[np.bool_]:
    """The kappas of which every risk that was computed has a closed form."""
    mine = table["risk.algorithm"] == name
    shape = (len(kappas_of(protocol, name)), len(protocol.horizons))
    exact, measured = (table[f"risk.{f}"][mine].reshape(shape) for f in ("exact", "measured"))
    return np.asarray((np.isnan(exact) == np.isnan(measured)).all(axis=1))
