"""`oubli check`: verify the paper, print the verdicts, write the report."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from oubli.checks.measure.empirical import FILE, load, merge
from oubli.checks.report.document import Document
from oubli.checks.report.extras import extras
from oubli.checks.report.folder import beside_full, dumps, publish, writable
from oubli.checks.report.lookup import resolve
from oubli.checks.report.mathml import remembered
from oubli.checks.report.printed import as_printed
from oubli.checks.report.terminal import COLOUR as COLOUR
from oubli.checks.report.terminal import show_headlines, show_table
from oubli.checks.report.unchanged import origin, unchanged, written
from oubli.checks.report.verdicts import document, timings
from oubli.cli.caching import cache_option, notice
from oubli.cli.papers import paper_option
from oubli.theory.judging import ahead
from oubli.theory.judging.cache import NO_CACHE, Cache
from oubli.theory.judging.ledger import Entry, Ledger
from oubli.theory.judging.probe import probe
from oubli.theory.judging.workers import processors
from oubli.theory.records.paper import Paper
from oubli.theory.records.verdict import Verdict

POINTS = 2000


def asked(given: tuple[str, ...], ledger: Ledger, paper: Paper) -> tuple[str, ...]:
    """The keys of the claims that were asked for by key, number, label or line."""
    return tuple(dict.fromkeys(key for name in given for key in resolve(name, ledger.claims, paper.edition)))


def judged(paper: Paper, ledger: Ledger, entries: Mapping[str, Entry], cache: Cache = NO_CACHE) -> Document:
    """The verdicts as one document, with what a reader of the PDF needs."""
    return as_printed(document(ledger, entries, paper.displays(), cache), ledger, paper.edition)


def verified(ledger: Ledger, keys: tuple[str, ...], cache: Cache = NO_CACHE) -> dict[str, Entry]:
    """The entries, judged on all processors, with a progress bar on stderr."""
    columns = (
        TextColumn("verifying"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(ledger.closure(keys)) if keys else len(ledger.claims))

        def on_verdict(key: str, _verdict: Verdict) -> None:
            progress.update(task, advance=1, description=key)

        begun = ahead.taken_over()
        if keys and begun:
            begun.dropped()  # few claims are asked for, not those of the last run
        return ledger.verify(keys or None, on_verdict, cache, processors(), None if keys else begun)


def measured(folder: Path) -> dict[str, Document]:
    """What `pytest checks/` measured and left in the folder; nothing, and a word on stderr, if spoilt."""
    try:
        return load(folder)
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        click.echo(f"oubli: {folder / FILE} is left out: {why}", err=True)
        return {}


def verified_document(paper: Paper) -> tuple[Document, Document]:
    """The verdicts on the whole paper, and how long each took."""
    ledger, cache = Ledger(paper.claims()), Cache()
    entries = verified(ledger, (), cache)
    found = judged(paper, ledger, entries, cache)
    notice(cache)
    return {**found, "asked": []}, timings(entries)


def published(folder: Path, found: Document, times: Document, cache: Cache = NO_CACHE) -> None:
    """Write the report, unless it is there; what lies beside it and cannot be read is named on stderr."""
    beside, verdicts = replace(extras(folder), times=times), dumps(found)
    made_from = origin(verdicts, beside)
    if not unchanged(folder, made_from, cache):
        from oubli.checks.report.files import (
            rendered,  # with all templates, for which nobody else should wait
        )

        with remembered(cache):
            pages = rendered(found, beside)
        files = {"verdicts.json": verdicts, "timings.json": dumps(times), **pages}
        publish(folder, files)
        written(folder, made_from, files, cache)
    for line in beside.notices:
        click.echo(f"oubli: {line}", err=True)


@click.command()
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@paper_option
@click.option("--deep", is_flag=True, help=f"Also try each proved claim at {POINTS:,} random exact points.")
@click.option("--strict", is_flag=True, help="End with 1 if anything is REFUTED or OPEN.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Folder of the report.",
)
@click.option("--all", "everything", is_flag=True, help="List every claim, not only theorems and lemmas.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as one JSON object.")
@cache_option
def check(
    paper: Paper,
    keys: tuple[str, ...],
    deep: bool,
    strict: bool,
    out: Path,
    everything: bool,
    as_json: bool,
    cache: Cache,
) -> None:
    """Verify the paper (or the claims KEY, with all they depend on) and write the report.

    KEY is a key, a number of the PDF, a TeX label or a line. A report of some claims never replaces
    a report of the whole paper: it goes to the folder `partial` inside.

    Ends with 0 if every claim came out as its errata say, with 1 if not.

    \b
    Examples:
      oubli check
      oubli check --all
      oubli check "Theorem 1" inefficient --out /tmp/report
      oubli check --strict --json | jq .summary
    """
    ledger = Ledger(paper.claims())
    keys = asked(keys, ledger, paper)
    folder = beside_full(writable(out)) if keys else writable(out)
    entries = verified(ledger, keys, cache)
    found = {**merge(judged(paper, ledger, entries, cache), measured(out)), "asked": list(keys)}
    if deep:
        probe(entries.values(), POINTS, seed=0)
    published(folder, found, timings(entries), cache)
    if as_json:
        click.echo(dumps(found), nl=False)
    else:
        (show_table if everything or keys else show_headlines)(found, Console())
        if folder != out:
            click.echo(f"the report of the whole paper in {out} is kept")
        click.echo(f"report: {folder / 'index.html'}, {folder / 'report.md'}, {folder / 'verdicts.json'}")
    summary = found["summary"]
    blemished = strict and (summary["REFUTED"] or summary["OPEN"])
    sys.exit(1 if summary["unexpected"] or blemished else 0)
