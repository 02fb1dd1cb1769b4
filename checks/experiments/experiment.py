"""One experiment from its parameters to its files: work, tables, figures, manifest, page."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from oubli.checks.experiments.diagram import Diagram
from oubli.checks.experiments.figure import pictures
from oubli.checks.experiments.page import entry, publish_diagrams
from oubli.checks.experiments.pieces import ExperimentPiece
from oubli.checks.experiments.slopes import Slope, slopes
from oubli.checks.experiments.store import BLOCKS, Store, open_store, read_results, tidy
from oubli.checks.experiments.story import Reading, story
from oubli.checks.experiments.words import note
from oubli.checks.experiments.workers import Partial, Workers
from oubli.checks.runs.blocks import Columns, packed
from oubli.checks.runs.files import replace_file
from oubli.checks.runs.resume import resume

FIGURE = "diagram"
# Seconds between two looks at what other runs have finished.
LOOK = 0.25


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is run and how its pieces become tables and diagrams; `extra` adds facts to the manifest.

    `limits` say in plain words where the experiment leaves what is proved.
    """

    name: str
    title: str
    parameters: Mapping[str, Any]
    pieces: list[ExperimentPiece]
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
    found = {"python": platform.python_version(), "oubli": version("oubli-unlearning")}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def perform(experiment: Experiment, folder: Path, how: Workers) -> Outcome | Partial:
    """Run what is missing in the folder and write its results; a finished run is only read.

    Other runs of the same experiment may work in the folder: each piece is computed by one of them, and
    whoever finds all of them there writes the results, the same bytes whoever it is.
    """
    store = open_store(folder, experiment.parameters, experiment.bytes_needed)
    with closing(store):
        if store.pieces is not None:
            done = gathered(store, experiment.pieces, how)
            if isinstance(done, Partial):
                return done
            if done is not None:
                table = experiment.table(done)
                found = _outcome(experiment, folder, table)
                store.finish(packed(table), _manifest(experiment, found))
                return found
    tidy(folder / BLOCKS)
    return _outcome(experiment, folder, read_results(folder))


def gathered(
    store: Store, pieces: Sequence[ExperimentPiece], how: Workers
) -> Mapping[str, Columns] | Partial | None:
    """All pieces; or what is there when this shard is done; None if another run has finished it all."""
    assert store.pieces is not None
    mine = how.share(pieces)
    while True:
        done = resume(store.pieces, mine, how.jobs, how.cluster)
        if sum(store.pieces.found(piece.key) for piece in pieces) == len(pieces):
            return {piece.key: store.pieces.done[piece.key] for piece in pieces}
        if store.finished_by_another():
            return None
        if how.parts > 1 and len(done) == len(mine):
            there = sum(store.pieces.found(piece.key) for piece in pieces)
            return Partial(store.folder, how.shard, there, len(pieces))
        _wait_for_others(store, mine)


def _wait_for_others(store: Store, mine: Sequence[ExperimentPiece]) -> None:
    """Until the pieces that other runs are at are there, or one of them was given up."""
    assert store.pieces is not None
    while not store.finished_by_another():
        missing = [piece.key for piece in mine if not store.pieces.found(piece.key)]
        if not missing or any(map(store.pieces.claim, missing)):
            return
        time.sleep(LOOK)


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
    findings = story(experiment.name, found.diagrams, found.slopes, paper)
    return publish_diagrams(report, findings, entries)
