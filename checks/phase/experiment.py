"""One experiment from its parameters to its files: work, tables, figures, manifest, page."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from checks.phase.blocks import Columns, packed
from checks.phase.diagram import Diagram
from checks.phase.figure import pictures
from checks.phase.page import entry, publish_diagrams
from checks.phase.pool import Work
from checks.phase.progress import work_through
from checks.phase.slopes import Slope, slopes
from checks.phase.store import open_store, read_results, replace_file
from checks.phase.story import Reading, story
from checks.phase.words import note

FIGURE = "diagram"


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is run and how its pieces become tables and diagrams; `extra` adds facts to the manifest.

    `limits` say in plain words where the experiment leaves what is proved.
    """

    name: str
    title: str
    parameters: Mapping[str, Any]
    work: Work
    bytes_needed: int
    table: Callable[[Mapping[str, Columns]], dict[str, Any]]
    diagrams: Callable[[Mapping[str, Any]], list[Diagram]]
    extra: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    paper: Reading
    limits: list[str]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The diagrams and slopes of a finished run, and what its manifest says."""

    folder: Path
    diagrams: list[Diagram]
    slopes: list[Slope]
    extra: Mapping[str, Any]


def versions(*packages: str) -> dict[str, str]:
    """The versions that the numbers depend on.

    >>> "numpy" in versions("numpy")
    True
    """
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def perform(experiment: Experiment, folder: Path, jobs: int, cluster: str | None) -> Outcome:
    """Run what is missing in the folder and write its results; a finished run is only read."""
    store = open_store(folder, experiment.parameters, experiment.bytes_needed)
    with closing(store):
        if not store.finished:
            work_through(store, experiment.work, jobs, cluster)
            table = experiment.table(store.done)
            found = _outcome(experiment, folder, table)
            store.finish(packed(table), _manifest(experiment, found))
            return found
    return _outcome(experiment, folder, read_results(folder))


def _outcome(experiment: Experiment, folder: Path, table: Mapping[str, Any]) -> Outcome:
    diagrams = experiment.diagrams(table)
    return Outcome(folder, diagrams, slopes(diagrams), experiment.extra(table))


def _manifest(experiment: Experiment, found: Outcome) -> dict[str, Any]:
    return {
        "columns": "results.npz: one array per column; those of one table (before the dot) are equally long",
        "limits": experiment.limits,
        **found.extra,
        "shares": {f"{d.algorithm}, {d.reading}": d.shares for d in found.diagrams},
        "slopes": [{**asdict(slope), "paper": slope.paper} for slope in found.slopes],
    }


def draw(experiment: Experiment, found: Outcome, certified: Mapping[str, Any] | None) -> list[Path]:
    """The figure as PNG and SVG in the run's folder."""
    paths = []
    for suffix, data in pictures(found.diagrams, experiment.title, certified).items():
        paths.append(found.folder / f"{FIGURE}.{suffix}")
        replace_file(paths[-1], data)
    return paths


def tell(experiment: Experiment, found: Outcome, report: Path) -> Path:
    """What was found and why, and the diagrams with their words, for the report's page."""
    entries = [entry(diagram, experiment.name, note(diagram, found.slopes)) for diagram in found.diagrams]
    paper = replace(experiment.paper, why=[*experiment.paper.why, *experiment.limits])
    told = story(experiment.name, found.diagrams, found.slopes, paper)
    return publish_diagrams(report, told, entries)
