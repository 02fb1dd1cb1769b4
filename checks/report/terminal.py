"""The verdicts as a table on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from checks.report.compare import Change
from checks.report.document import Document
from checks.report.markdown import summary_line

COLOUR = {
    "PROVED": "green",
    "SOUND": "green",
    "REFUTED": "red",
    "BROKEN": "red",
    "OPEN": "yellow",
    "NONE": "dim",
}


def coloured(word: str) -> str:
    """A word of the verdict with its colour; NONE is a dash."""
    return f"[{COLOUR[word]}]{'–' if word == 'NONE' else word}[/]"


def show_table(found: Document, console: Console) -> None:
    """The table of verdicts for a person."""
    table = Table(box=None, pad_edge=False)
    widest = max((len(c["key"]) for c in found["claims"]), default=5)
    widths = {"claim": widest, "line": 4, "verdict": 7, "effective": 9, "proof": 6}
    for name, width in widths.items():
        table.add_column(name, width=width, no_wrap=True)
    # On a narrow terminal the names of engines are cut: one claim, one line.
    room = console.width - sum(width + 2 for width in widths.values())
    table.add_column("engine", max_width=max(room, 10), no_wrap=True, overflow="ellipsis")
    for c in found["claims"]:
        words = [coloured(c[field]) for field in ("status", "effective", "proof")]
        flag = "" if c["expected"] else "[bold red]unexpected[/] "
        table.add_row(escape(c["key"]), str(c["source"]["line"]), *words, flag + escape(c["engine"]))
    console.print(table)
    console.print(summary_line(found), style="bold", highlight=False, markup=False)


def show_changes(found: Sequence[Change], console: Console) -> None:
    """What changed verdict, one row per claim."""
    if not found:
        console.print("no verdict changed", highlight=False)
        return
    table = Table(box=None, pad_edge=False)
    for name in ("claim", "change", "what"):
        table.add_column(name, overflow="fold")
    for change in found:
        what = ", ".join(f"{field}: {old} → {new}" for field, (old, new) in change.fields.items())
        table.add_row(escape(change.key), change.kind, escape(what))
    console.print(table)
