"""`oubli coverage`: how many displayed relations of the paper have a verdict."""

from __future__ import annotations

from pathlib import Path

import click

from oubli.checks.report.folder import dumps
from oubli.cli.check import verified
from oubli.cli.papers import paper_option
from oubli.errors import InputError
from oubli.theory.judging.ledger import Ledger
from oubli.theory.records.coverage import changed_lines, summary
from oubli.theory.records.paper import Paper


@click.command()
@click.argument("tex", required=False, type=click.Path(path_type=Path))
@paper_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def coverage(paper: Paper, tex: Path | None, as_json: bool) -> None:
    """List every displayed relation of the paper with its verdict; with TEX, check its lines.

    A display is a relation, a relation inside the text (inline), or a definition. A claim without a verdict
    (NONE) is a definition or a remark; a relation counts as judged if some claim of it has a verdict.

    \b
    Examples:
      oubli coverage
      oubli coverage paper.tex
    """
    displays, text = paper.displays(), _read(tex) if tex else ""
    statuses = {
        key: entry.verdict.status.value for key, entry in verified(Ledger(paper.claims()), ()).items()
    }
    found = summary(displays, statuses)
    changed = changed_lines(displays, text) if tex else []
    if as_json:
        rows = [
            {"line": d.line, "kind": d.kind, "verdicts": {k: statuses[k] for k in d.keys}} for d in displays
        ]
        click.echo(dumps({**found, "displays": rows, "changed": changed}), nl=False)
    else:
        for d in displays:
            words = ", ".join(f"{k} {statuses[k]}" for k in d.keys) or "definition"
            click.echo(f"l.{d.line:<5} {d.kind:<11} {words}")
        click.echo(
            f"{found['judged']} of {found['relations']} relations judged, {found['open']} open; "
            f"{found['definitions']} definitions"
        )
        if changed:
            click.echo(f"these lines read differently in {tex}: {', '.join(map(str, changed))}")
    if changed:
        raise SystemExit(1)


def _read(tex: Path) -> str:
    try:
        return tex.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        raise InputError(f"{tex}: cannot be read ({why})") from None
