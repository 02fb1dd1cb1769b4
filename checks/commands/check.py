"""`oubli check`: verify the paper, print the verdicts, write the report."""

from __future__ import annotations

import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from checks.commands.errors import BadInput
from checks.empirical import FILE, load, merge
from checks.report.document import Document
from checks.report.extras import extras
from checks.report.files import rendered
from checks.report.folder import dumps, publish, writable
from checks.report.terminal import COLOUR as COLOUR
from checks.report.terminal import show_table
from checks.report.verdicts import document, timings
from theory.ledger import Entry, Ledger
from theory.paper import ledger as paper
from theory.probe import probe
from theory.verdict import Verdict

POINTS = 2000


def known_keys(ledger: Ledger, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys, if all are claims; else BadInput with the nearest ones."""
    for key in keys:
        if key not in ledger.claims:
            near = get_close_matches(key, ledger.claims, n=3)
            hint = f"did you mean {', '.join(near)}?" if near else "`oubli claims` lists them"
            raise BadInput(f"{key}: no such claim; {hint}")
    return keys


def verified(ledger: Ledger, keys: tuple[str, ...]) -> dict[str, Entry]:
    """The entries, with a progress bar on stderr."""
    columns = (
        TextColumn("verifying"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(ledger.closure(keys)) if keys else len(ledger.claims))

        def told(key: str, _verdict: Verdict) -> None:
            progress.update(task, advance=1, description=key)

        return ledger.verify(keys or None, told)


def measured(folder: Path) -> dict[str, Document]:
    """What `pytest checks/` measured and left in the folder; nothing, and a word on stderr, if spoilt."""
    try:
        return load(folder)
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        click.echo(f"oubli: {folder / FILE} is left out: {why}", err=True)
        return {}


@click.command()
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--deep", is_flag=True, help=f"Also try each proved claim at {POINTS:,} random exact points.")
@click.option("--strict", is_flag=True, help="End with 1 if anything is REFUTED or OPEN.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Folder of the report.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as one JSON object.")
def check(keys: tuple[str, ...], deep: bool, strict: bool, out: Path, as_json: bool) -> None:
    """Verify the paper (or the claims KEY, with all they lean on) and write the report.

    Ends with 0 if every claim came out as its errata say, with 1 if not.

    \b
    Examples:
      oubli check
      oubli check trivial inefficient --out /tmp/report
      oubli check --strict --json | jq .summary
    """
    ledger = paper()
    known_keys(ledger, keys)
    folder = writable(out)
    entries = verified(ledger, keys)
    found = merge(document(ledger, entries), measured(folder))
    if deep:
        probe(entries.values(), POINTS, seed=0)
    verdicts, times = dumps(found), timings(entries)
    beside = replace(extras(folder), times=times)
    publish(folder, {"verdicts.json": verdicts, "timings.json": dumps(times), **rendered(found, beside)})
    for notice in beside.notices:
        click.echo(f"oubli: {notice}", err=True)
    if as_json:
        click.echo(verdicts, nl=False)
    else:
        show_table(found, Console())
        click.echo(f"report: {folder / 'index.html'}, {folder / 'report.md'}, {folder / 'verdicts.json'}")
    summary = found["summary"]
    blemished = strict and (summary["REFUTED"] or summary["OPEN"])
    sys.exit(1 if summary["unexpected"] or blemished else 0)
