"""`oubli report`: make the page, the Markdown and the JUnit file again from verdicts.json."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click
from rich.console import Console

from oubli.checks.report.compare import changes
from oubli.checks.report.document import read
from oubli.checks.report.extras import extras
from oubli.checks.report.files import rendered
from oubli.checks.report.folder import dumps, publish, writable
from oubli.checks.report.terminal import headlines, show_changes, show_headlines, show_table
from oubli.cli.working import working
from oubli.errors import InputError


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="The folder of verdicts.json; the page is written there.",
)
@click.option(
    "--compare",
    "old",
    metavar="OLD.json",
    type=click.Path(path_type=Path),
    help="An older verdicts.json: show what changed verdict since.",
)
@click.option("--all", "everything", is_flag=True, help="List every claim, not only theorems and lemmas.")
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print summary, changes and files as one JSON object.")
def report(out: Path, old: Path | None, everything: bool, show: bool, as_json: bool) -> None:
    """Make the report from report/verdicts.json alone; nothing is verified again.

    \b
    Examples:
      oubli report --open
      oubli report --compare old/verdicts.json
      oubli report --out /tmp/report --json | jq .changes
    """
    document = read(out / "verdicts.json")
    changed = changes(read(old), document) if old else None
    folder, beside = writable(out), extras(out)
    with working("rendering the report"):
        files = rendered(document, beside, changed)
    publish(folder, files)
    for notice in beside.notices:
        click.echo(f"oubli: {notice}", err=True)
    if as_json:
        records = [c.record() for c in changed] if changed is not None else None
        places = [str(folder / name) for name in files]
        click.echo(dumps({"summary": document["summary"], "changes": records, "files": places}), nl=False)
    else:
        console = Console()
        (show_table if everything or not headlines(document) else show_headlines)(document, console)
        if changed is not None:
            show_changes(changed, console)
        click.echo(f"report: {', '.join(str(folder / name) for name in files)}")
    if show and not webbrowser.open((folder / "index.html").resolve().as_uri()):
        raise InputError(f"--open: no browser found here; open {folder / 'index.html'} by hand")
