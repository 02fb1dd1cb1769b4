"""Diagrams and findings for the report's page: `phase.json` beside verdicts.json; others' are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from oubli.checks.experiments.diagram import MEANING, Diagram
from oubli.checks.report.extras import SCHEMA, extras
from oubli.checks.report.folder import dumps, writable
from oubli.checks.runs.files import replace_file
from oubli.errors import InputError, optional

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
        "ordered": True,
    }


def page_ready(report: Path) -> None:
    """InputError, before any work, unless the diagrams can be put into this report's phase.json later."""
    with optional("plot", "the figure of an experiment"):
        import_module("matplotlib")
    try:
        writable(report)
    except InputError as why:
        raise InputError(str(why).replace("--out", "--report", 1)) from None
    for notice in extras(report).notices:
        if notice.startswith(FILE):
            reason = notice.partition(": ")[2]
            text = f"{report / FILE}: not diagrams ({reason}); it is left untouched, give another --report"
            raise InputError(text)


def publish_diagrams(report: Path, story: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Path:
    """Put story and entries into the report's phase.json in the place of this experiment's older ones."""
    report.mkdir(parents=True, exist_ok=True)
    path, name, found = report / FILE, story["title"], extras(report)
    diagrams = [d for d in found.diagrams if not str(d["title"]).startswith(f"{name}:")]
    stories = [s for s in found.stories if s["title"] != name]
    whole = {"schema": SCHEMA, "diagrams": [*diagrams, *entries], "stories": [*stories, story]}
    replace_file(path, dumps(whole).encode())
    return path
