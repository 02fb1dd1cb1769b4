"""`oubli paper`: the user's own TeX with the verdicts in its margin."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from oubli.checks.report.annotated.latexml import converting, required
from oubli.checks.report.annotated.margin import with_margin_notes
from oubli.checks.report.annotated.matching import Matched, matched, read_tex
from oubli.checks.report.annotated.page import annotated
from oubli.checks.report.derivation import counted
from oubli.checks.report.document import Document, read
from oubli.checks.report.extras import extras
from oubli.checks.report.files import rendered
from oubli.checks.report.folder import dumps, publish, writable
from oubli.checks.report.version import made
from oubli.cli.check import published, verified_document
from oubli.cli.papers import paper_option
from oubli.cli.working import working
from oubli.errors import InputError
from oubli.theory.records.paper import Paper


@click.command()
@click.argument("tex", type=click.Path(path_type=Path), metavar="PAPER.tex")
@paper_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report/paper.html"),
    show_default=True,
    help="The page; the report that it links to is in the same folder.",
)
@click.option(
    "--annotated-tex",
    "margin",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a TeX file with margin notes instead of a page; needs no LaTeXML.",
)
@click.option("--json", "as_json", is_flag=True, help="What was matched and placed, as one JSON object.")
def paper(paper: Paper, tex: Path, out: Path, margin: Path | None, as_json: bool) -> None:
    """Show PAPER.tex with every judged relation marked and its verdict beside it.

    Your own TeX is rendered by LaTeXML to one self-contained page. It is compared line by line, by digest,
    with the version that was judged; a display that reads differently is marked "not judged".

    \b
    Examples:
      oubli paper paper.tex
      oubli paper paper.tex --out /tmp/report/paper.html
      oubli paper paper.tex --annotated-tex annotated.tex
    """
    text = read_tex(tex)
    edition = paper.edition
    try:
        found = matched(text, paper.displays(), edition.digest, edition.title)
    except InputError as why:
        raise InputError(f"{tex}: {why}") from None
    if margin:
        noted = with_margin_notes(text, found, _verdicts(paper, out.parent, write=False))
        publish(writable(margin.parent), {margin.name: noted})
        _print_outcome(as_json, str(margin), found, {})
        return
    required()
    folder = writable(out.parent)
    with ExitStack() as stack:
        # LaTeXML runs beside the verification: together they take as long as the slower one.
        run = stack.enter_context(converting(tex, text))
        document = _verdicts(paper, folder, write=True)
        with working("waiting for LaTeXML"):
            page = annotated(run.result(), found, document)
    publish(folder, {out.name: page.html})
    publish(folder, rendered(document, extras(folder)))
    placed = {"notes": len(page.notes), "unplaced": list(page.unplaced), "not_judged": page.unjudged}
    _print_outcome(as_json, str(out), found, placed)


def _verdicts(paper: Paper, folder: Path, write: bool) -> Document:
    """The verdicts of the report in the folder if this version wrote it of the whole paper, else new ones."""
    file = folder / "verdicts.json"
    if file.exists():
        there = read(file)
        digest = (there.get("paper") or {}).get("digest")
        if there.get("made") == made() and not there.get("asked") and digest == paper.edition.digest:
            return there
    document, times = verified_document(paper)
    if write:
        published(folder, document, times)
    return document


def _print_outcome(as_json: bool, place: str, found: Matched, placed: dict[str, Any]) -> None:
    changed = [display.line for display in found.changed]
    if as_json:
        click.echo(dumps({"out": place, "same_version": found.same, "changed": changed, **placed}), nl=False)
        return
    if found.same:
        click.echo("this is the version that was judged")
    else:
        differ = counted(len(changed), "display differs", "displays differ")
        click.echo(f"this is another version than the one that was judged: {differ}")
    if placed.get("unplaced"):
        click.echo(f"not shown by the rendering: {', '.join(map(str, placed['unplaced']))}")
    click.echo(f"{placed['notes']} places with a verdict: {place}" if placed else f"written: {place}")
