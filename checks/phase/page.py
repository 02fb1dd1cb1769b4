"""The diagrams for the report's page: `phase.json` beside verdicts.json, others' diagrams kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from checks.phase.diagram import MEANING, Diagram
from checks.phase.store import replace_file
from checks.report.extras import SCHEMA, extras
from checks.report.folder import dumps

FILE = "phase.json"


def entry(diagram: Diagram, experiment: str, note: str) -> dict[str, Any]:
    """One diagram in the shape that the page reads."""
    return {
        "title": f"{experiment}: {diagram.algorithm}, {diagram.reading}",
        "note": note,
        "x": {"label": "error e", "values": [float(e) for e in diagram.levels]},
        "y": {"label": "noise κ", "values": [float(kappa) for kappa in diagram.kappas]},
        "cells": [[str(word) for word in row] for row in diagram.cells],
        "meaning": dict(MEANING),
    }


def publish_diagrams(report: Path, experiment: str, entries: Sequence[Mapping[str, Any]]) -> Path:
    """Put the entries into the report's phase.json in the place of this experiment's older ones."""
    report.mkdir(parents=True, exist_ok=True)
    others = [d for d in extras(report).diagrams if not str(d["title"]).startswith(f"{experiment}:")]
    path = report / FILE
    replace_file(path, dumps({"schema": SCHEMA, "diagrams": [*others, *entries]}).encode())
    return path
