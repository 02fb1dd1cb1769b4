"""What the two experiments share at the command line: where and how to run, and what is said at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from oubli.checks.experiments.experiment import Experiment, Outcome, perform
from oubli.checks.experiments.page import page_ready
from oubli.checks.experiments.plan import plan
from oubli.checks.experiments.slopes import table
from oubli.checks.experiments.workers import Workers, parse_shard
from oubli.checks.runs.pool import one_thread
from oubli.errors import InputError

_Command = TypeVar("_Command", bound=Callable[..., Any])


def running_options(out: str) -> Callable[[_Command], _Command]:
    """How to run and where to write, the same for both experiments, checked against each other."""
    options = [
        click.option("--algorithm", metavar="FILE[:NAME]", help="Your own update rule, beside the others."),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed."),
        click.option("--jobs", type=click.IntRange(1), help="Worker processes here [default: all cores]."),
        click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, such as tcp://127.0.0.1:8786."),
        click.option(
            "--shard",
            metavar="I/N",
            help="Only every N-th piece, from the I-th: N runs share --out, on any machines.",
        ),
        click.option("--dry-run", is_flag=True, help="Print pieces, processor hours and bytes; run nothing."),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=Path(out),
            show_default=True,
            help="Folder of this run: results.npz, manifest.json, diagram.png and .svg.",
        ),
        click.option(
            "--report",
            type=click.Path(path_type=Path),
            default=Path("report"),
            show_default=True,
            help="Folder of the report, whose phase.json gets the diagrams.",
        ),
        click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout."),
    ]

    def decorate(command: _Command) -> _Command:
        wrapped: Any = _checked(command)
        for option in reversed(options):
            wrapped = option(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return decorate


def _checked(command: Callable[..., None]) -> Callable[..., None]:
    @wraps(command)
    def wrapped(**given: Any) -> None:
        if given["jobs"] is not None and given["cluster"] is not None:
            raise InputError("--jobs and --cluster: give one of them")
        if given["shard"] is not None and given["cluster"] is not None:
            raise InputError("--shard and --cluster: give one of them")
        part, parts = parse_shard(given.pop("shard") or "1/1")
        given["how"] = Workers(given.pop("jobs") or os.cpu_count() or 1, given.pop("cluster"), part, parts)
        # What is computed here must come out as it does in a worker.
        with one_thread():
            command(**given)

    return wrapped


def run(
    experiment: Experiment, out: Path, how: Workers, report: Path, dry_run: bool, as_json: bool
) -> Outcome | None:
    """The outcome of the run; None, having said what there is, after a dry run or an early shard."""
    if dry_run:
        said: Any = plan(experiment.pieces, experiment.bytes_needed, out, how)
    else:
        page_ready(report)
        said = perform(experiment, out, how)
        if isinstance(said, Outcome):
            return said
    click.echo(json.dumps(asdict(said), default=str) if as_json else str(said))
    return None


def announce(experiment: Experiment, found: Outcome, files: list[Path], as_json: bool) -> None:
    """Slopes, shares, limits and files, as text or as one JSON object."""
    places = [str(path) for path in (found.folder / "results.npz", found.folder / "manifest.json", *files)]
    if as_json:
        answer = {
            "experiment": experiment.name,
            "folder": str(found.folder),
            "shares": {f"{d.algorithm}, {d.reading}": d.shares for d in found.diagrams},
            "slopes": [{**asdict(slope), "paper": slope.paper} for slope in found.slopes],
            **found.extra,
            "limits": experiment.limits,
            "files": places,
        }
        click.echo(json.dumps(answer))
        return
    click.echo(table(found.slopes))
    for text in experiment.limits:
        click.echo(text)
    for name, value in found.extra.items():
        click.echo(f"{name}: {value}")
    click.echo("files: " + ", ".join(places))
