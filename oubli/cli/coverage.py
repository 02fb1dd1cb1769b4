"""`oubli coverage`: which relations of the paper are judged as printed, and why the others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oubli.checks.report.folder import dumps
from oubli.checks.report.printed import placed
from oubli.checks.report.verdicts import covered
from oubli.cli.caching import cache_option
from oubli.cli.check import verified
from oubli.cli.output import out_option
from oubli.cli.papers import paper_option
from oubli.errors import InputError
from oubli.theory.judging.cache import Cache
from oubli.theory.judging.ledger import Ledger
from oubli.theory.records.coverage import RELATIONS, changed_lines
from oubli.theory.records.paper import Paper


@click.command()
@click.argument("tex", required=False, type=click.Path(path_type=Path))
@paper_option
@click.option(
    "--all", "everything", is_flag=True, help="List every display, not only what is judged otherwise."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@cache_option
@out_option
def coverage(paper: Paper, tex: Path | None, everything: bool, as_json: bool, cache: Cache) -> None:
    """Count the relations of statements and proofs that are judged as printed; list the others and why.

    A relation is judged as printed if its record has the printed sides and sign: letters renamed, definitions
    unfolded, sums term by term; a refuted one if something that it implies is refuted. With TEX, the lines
    of your file are compared with those that were read; ends with 1 if some differ.

    \b
    Examples:
      oubli coverage
      oubli coverage --all
      oubli coverage paper.tex
      oubli coverage --out coverage.json
    """
    displays = paper.displays()
    # Read before anything is judged: what cannot be read is said at once.
    changed = changed_lines(displays, _read(tex)) if tex else []
    entries = verified(Ledger(paper.claims()), (), cache)
    statuses = {key: entry.verdict.status.value for key, entry in entries.items()}
    found = placed(covered(displays, statuses), paper.edition)
    if as_json:
        rows = [{**row, "verdicts": {k: statuses[k] for k in row["keys"]}} for row in found["displays"]]
        click.echo(dumps({**found, "displays": rows, "changed": changed}), nl=False)
    else:
        _told(found, statuses, everything)
        if changed:
            click.echo(f"these lines read differently in {tex}: {', '.join(map(str, changed))}")
    if changed:
        raise SystemExit(1)


def _told(found: dict[str, Any], statuses: dict[str, str], everything: bool) -> None:
    if everything:
        for row in found["displays"]:
            words = ", ".join(f"{k} {statuses[k]}" for k in row["keys"]) or row["but"] or "definition"
            click.echo(f"l.{row['line']:<5} {row['kind']:<11} {words}")
    click.echo(
        f"{found['as_printed']} of {found['relations']} relations judged as printed; {found['open']} of the "
        f"judged are open; {found['definitions']} definitions"
    )
    rest = [row for row in found["displays"] if row["kind"] in RELATIONS and row["but"]]
    if rest:
        click.echo(f"not as printed, {len(rest)}:")
    for row in rest:
        place = f"{row['place']}, l.{row['line']}" if row["place"] else f"l.{row['line']}"
        names = ", ".join(f"{k} {statuses[k]}" for k in row["keys"]) or "no record"
        click.echo(f"  {place} ({names}): {row['but']}")


def _read(tex: Path) -> str:
    try:
        return tex.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        raise InputError(f"{tex}: cannot be read ({why})") from None
