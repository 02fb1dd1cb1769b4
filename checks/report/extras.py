"""Other results beside the verdicts: timings, audits of algorithms, diagrams. Each may be absent.

The contract, all text plain and escaped by the page:

- `timings.json`: an object, key -> seconds.
- `audit.json`: `{"schema": 1, "audits": [{"algorithm", "doc", "error", "findings": [{"title",
  "verdict", "says", "claim", "numbers": {name: value}}]}]}`; only `algorithm` and `findings`, and in
  a finding `title` and `verdict` (HOLDS, VIOLATED or UNKNOWN), are needed.
- `phase.json`: `{"schema": 1, "diagrams": [{"title", "note", "x": {"label", "values"}, "y": {"label",
  "values"}, "cells": [[word, ...], ...], "meaning": {word: text}}]}`; one row of cells per y value,
  lowest first, one word per x value. Or the file of `oubli phase theory`, see `phases`.

A file that does not keep it is not shown; the page says so instead of failing with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks.commands.errors import BadInput
from checks.report.document import Malformed, load_json
from checks.report.phases import grid_diagrams, is_grid

SCHEMA = 1
FINDINGS = ("HOLDS", "VIOLATED", "UNKNOWN")


@dataclass(frozen=True)
class Extras:
    """What stands beside the verdicts, and what could not be read."""

    times: Mapping[str, float] = field(default_factory=dict)
    audits: tuple[Mapping[str, Any], ...] = ()
    diagrams: tuple[Mapping[str, Any], ...] = ()
    notices: tuple[str, ...] = ()


def extras(folder: Path) -> Extras:
    """Everything readable in the folder beside verdicts.json."""
    notices: list[str] = []
    found: dict[str, Any] = {}
    readers = {"timings.json": _times, "audit.json": _audits, "phase.json": _diagrams}
    for name, reader in readers.items():
        try:
            found[name] = reader(load_json(folder / name)) if (folder / name).exists() else None
        except (Malformed, BadInput) as why:
            notices.append(f"{name} is not shown: {why}")
    return Extras(
        found.get("timings.json") or {},
        found.get("audit.json") or (),
        found.get("phase.json") or (),
        tuple(notices),
    )


def _times(value: Any) -> dict[str, float]:
    if not isinstance(value, dict) or not all(isinstance(x, int | float) for x in value.values()):
        raise Malformed("key -> seconds is accepted")
    return {key: float(seconds) for key, seconds in value.items()}


def _audits(value: Any) -> tuple[Mapping[str, Any], ...]:
    audits = _listed(value, "audits")
    for audit in audits:
        _need(audit, "an audit", algorithm=str, findings=list)
        for finding in audit["findings"]:
            _need(finding, "a finding", title=str, verdict=str)
            if finding["verdict"] not in FINDINGS:
                raise Malformed(f"verdict {finding['verdict']!r:.40}; accepted: {', '.join(FINDINGS)}")
            _need({"numbers": {}, **finding}, "a finding", numbers=dict)
    return audits


def _diagrams(value: Any) -> tuple[Mapping[str, Any], ...]:
    diagrams = tuple(grid_diagrams(value)) if is_grid(value) else _listed(value, "diagrams")
    for diagram in diagrams:
        _need(diagram, "a diagram", title=str, x=dict, y=dict, cells=list, meaning=dict)
        for axis in ("x", "y"):
            _need(diagram[axis], f"the {axis} axis", label=str, values=list)
        widths = {len(row) if isinstance(row, list) else -1 for row in diagram["cells"]}
        if len(diagram["cells"]) != len(diagram["y"]["values"]) or widths != {len(diagram["x"]["values"])}:
            raise Malformed("cells need one row per y value and one word per x value")
        unknown = {str(word) for row in diagram["cells"] for word in row} - diagram["meaning"].keys()
        if unknown:
            raise Malformed(f"meaning does not explain {min(unknown)!r:.40}")
    return diagrams


def _listed(value: Any, name: str) -> tuple[Mapping[str, Any], ...]:
    _need(value, "the file", schema=int, **{name: list})
    if value["schema"] != SCHEMA:
        raise Malformed(f"schema {value['schema']}; schema {SCHEMA} is accepted")
    return tuple(value[name])


def _need(value: Any, what: str, **fields: type) -> None:
    if not isinstance(value, dict):
        raise Malformed(f"{what} should be a JSON object, not {value!r:.40}")
    for name, kind in fields.items():
        if not isinstance(value.get(name), kind):
            raise Malformed(f"{what} needs {name} ({kind.__name__}), not {value.get(name)!r:.40}")
