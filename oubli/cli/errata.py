"""`oubli errata`: the letter to the authors."""

from __future__ import annotations

from pathlib import Path

import click

from oubli.checks.report.document import read
from oubli.checks.report.folder import dumps
from oubli.checks.report.letter import latex, letter, markdown
from oubli.checks.report.severity import ranked
from oubli.cli.check import verified_document
from oubli.cli.output import out_option
from oubli.cli.papers import paper_option
from oubli.theory.records.paper import Paper

FORMATS = {"md": markdown, "tex": latex}
SHOWN = ("key", "place", "source", "severity", "erratum", "status", "effective", "proof", "repaired_by")


@click.command()
@paper_option
@click.option(
    "--format",
    "form",
    type=click.Choice(sorted(FORMATS)),
    default="md",
    show_default=True,
    help="Of the letter.",
)
@click.option(
    "--from",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="A report that `oubli check` wrote: nothing is verified again.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a letter.")
@out_option
def errata(paper: Paper, form: str, folder: Path | None, as_json: bool) -> None:
    """Write the letter to the authors: every error, worst first, to standard output.

    Each has its place in the PDF and in the TeX, what is printed, the exact counterexample, what holds
    instead, and the command that replays it.

    \b
    Examples:
      oubli errata --out errata.md
      oubli errata --format tex --from report > errata.tex
      oubli errata --json | jq '.errata[] | select(.severity == "theorem falls") | .place'
    """
    if folder:
        found = read(folder / "verdicts.json")
    else:
        found, _ = verified_document(paper)
    if as_json:
        rows = [{name: c.get(name) for name in SHOWN} for c in ranked(found["claims"])]
        click.echo(dumps({"severity": found["summary"].get("severity", {}), "errata": rows}), nl=False)
        return
    click.echo(FORMATS[form](letter(found)), nl=False)
