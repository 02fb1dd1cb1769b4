"""Other results beside the verdicts: timings, audits of algorithms, diagrams. Each may be absent.

The contract, all text plain and escaped by the page:

- `timings.json`: an object, key -> seconds.
- `audit.json`: `{"schema": 1, "audits": [{"algorithm", "doc", "error", "findings": [{"title",
  "verdict", "says", "claim", "numbers": {name: value}}]}]}`; only `algorithm` and `findings`, and in
  a finding `title` and `verdict` (HOLDS, VIOLATED or UNKNOWN), are needed.
- `phase.json`: `{"schema": 1, "diagrams": [{"title", "note", "x": {"label", "values"}, "y": {"label",
  "values"}, "cells": [[word, ...], ...], "meaning": {word: text}}]}`; one row of cells per y value,
  lowest first, one word per x value; `"ordered": true` asks for colours from light to dark. With it may
  come `"stories": [{"title", "findings": [{"paper", "here", "reproduced"}], "why": [text]}]`: what of the
  paper's figure an experiment shows, and why. Or the file of `oubli phase theory`, see `phases`.
- `coq.json`, written by `oubli verify --coq`: `{"schema": 1, "coq": version, "of": fingerprint of the
  certificates, "lemmas": [{"claim", "step", "kind", "digest", "accepted", "reason"}], "not_exported":
  [{"claim", "step", "kind", "reason"}]}`.

A file that does not keep it is not shown; the page says so instead of failing with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oubli.checks.report.document import load_json
from oubli.checks.report.phases import grid_diagrams, is_grid
from oubli.checks.report.shape import MalformedError, Maybe, Number, fit
from oubli.errors import InputError

SCHEMA = 1
PAPER = "paper.html"  # where `oubli paper` writes the annotated paper
FINDINGS = ("HOLDS", "VIOLATED", "UNKNOWN")
AUDIT = {
    "algorithm": str,
    "doc?": Maybe(str),
    "error?": Maybe(str),
    "findings": [{"title": str, "verdict": str, "says?": Maybe(str), "claim?": Maybe(str), "numbers?": dict}],
}
AXIS = {"label": str, "values": list}
DIAGRAM = {
    "title": str,
    "note?": Maybe(str),
    "x": AXIS,
    "y": AXIS,
    "cells": [[str]],
    "meaning": dict,
    "ordered?": bool,
}
STORY = {"title": str, "findings": [{"paper": str, "here": str, "reproduced": str}], "why": [str]}
STEP = {"claim": str, "step": str, "kind": str, "reason": str}
COQ = {"coq": str, "of": str, "lemmas": [{**STEP, "digest": str, "accepted": bool}], "not_exported": [STEP]}


@dataclass(frozen=True)
class Extras:
    """What stands beside the verdicts, and what could not be read."""

    times: Mapping[str, float] = field(default_factory=dict)
    audits: tuple[Mapping[str, Any], ...] = ()
    diagrams: tuple[Mapping[str, Any], ...] = ()
    stories: tuple[Mapping[str, Any], ...] = ()
    notices: tuple[str, ...] = ()
    coq: Mapping[str, Any] | None = None
    paper: str = ""


def extras(folder: Path) -> Extras:
    """Everything readable in the folder beside verdicts.json."""
    notices: list[str] = []
    found: dict[str, Any] = {}
    readers = {"timings.json": _times, "audit.json": _audits, "phase.json": _phase, "coq.json": _coq}
    for name, reader in readers.items():
        try:
            found[name] = reader(load_json(folder / name)) if (folder / name).exists() else None
        except (MalformedError, InputError) as why:
            notices.append(f"{name} is not shown: {why}")
    diagrams, stories = found.get("phase.json") or ((), ())
    times, audits = found.get("timings.json") or {}, found.get("audit.json") or ()
    annotated = PAPER if (folder / PAPER).exists() else ""
    return Extras(times, audits, diagrams, stories, tuple(notices), found.get("coq.json"), annotated)


def _times(value: Any) -> dict[str, float]:
    fit(value, dict, "it")
    for key, seconds in value.items():
        fit(seconds, Number, f"the time of {key!r:.60}")
    return {key: float(seconds) for key, seconds in value.items()}


def _audits(value: Any) -> tuple[Mapping[str, Any], ...]:
    audits = _listed(value, "audits", AUDIT)
    for finding in (f for audit in audits for f in audit["findings"]):
        if finding["verdict"] not in FINDINGS:
            raise MalformedError(f"verdict {finding['verdict']!r:.40}; accepted: {', '.join(FINDINGS)}")
    return audits


def _phase(value: Any) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
    """The diagrams, and the stories beside them."""
    diagrams = _diagrams(value)
    return diagrams, _listed(value, "stories", STORY) if "stories" in value else ()


def _diagrams(value: Any) -> tuple[Mapping[str, Any], ...]:
    grid = {"schema": SCHEMA, "diagrams": grid_diagrams(value)} if is_grid(value) else value
    diagrams = _listed(grid, "diagrams", DIAGRAM)
    for diagram in diagrams:
        widths = {len(row) for row in diagram["cells"]}
        shape = (len(diagram["cells"]), widths)
        if shape != (len(diagram["y"]["values"]), {len(diagram["x"]["values"])}) or 0 in widths:
            raise MalformedError("cells need one row per y value and one word per x value")
        unknown = {word for row in diagram["cells"] for word in row} - diagram["meaning"].keys()
        if unknown:
            raise MalformedError(f"meaning does not explain {min(unknown)!r:.40}")
    return diagrams


def _coq(value: Any) -> Mapping[str, Any]:
    _listed(value, "lemmas", dict)
    fit(value, COQ, "it")
    return dict(value)


def _listed(value: Any, name: str, shape: Any) -> tuple[Mapping[str, Any], ...]:
    fit(value, {"schema": int}, "it")
    if value["schema"] != SCHEMA:
        raise MalformedError(f"schema {value['schema']}; schema {SCHEMA} is accepted")
    fit(value, {name: [shape]}, "it")
    return tuple(value[name])
