"""The verdicts as a table on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from oubli.checks.report.compare import Change
from oubli.checks.report.document import OWN, Document, line_of
from oubli.checks.report.markdown import summary_line
from oubli.checks.report.severity import ENVIRONMENTS

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
        table.add_row(escape(c["key"]), line_of(c).removeprefix("l."), *words, flag + escape(c["engine"]))
    console.print(table)
    console.print(summary_line(found), style="bold", highlight=False, markup=False)


def show_headlines(found: Document, console: Console) -> None:
    """The paper's theorems, corollaries and lemmas, one line each, then how many errors of which class."""
    table = Table(box=None, pad_edge=False)
    for name in ("in the PDF", "verdict", "proof", "claim"):
        table.add_column(name, no_wrap=True)
    table.add_column("what is wrong", overflow="fold")
    for c in headlines(found):
        words = [coloured(c[field]) for field in ("effective", "proof")]
        flag = "" if c["expected"] else "[bold red]unexpected[/] "
        table.add_row(c["number"], *words, escape(c["key"]), flag + escape(c.get("severity") or "–"))
    console.print(table)
    counts = [f"{word}: {n}" for word, n in found["summary"].get("severity", {}).items() if n]
    console.print(f"errors by severity: {'; '.join(counts) or 'none'}", highlight=False, markup=False)
    wrong = next((c["number"] for c in headlines(found) if c.get("severity")), None)
    if wrong:
        hint = f'why, and what to write instead: `oubli show "{wrong}"`; all of it: `oubli errata`'
        console.print(hint, highlight=False, markup=False)
    console.print(summary_line(found), style="bold", highlight=False, markup=False)


def headlines(found: Document) -> list[Document]:
    """The claims that state a theorem, a corollary or a lemma of the PDF, in its order."""
    numbers = [number for number in found.get("numbers", []) if number.startswith(ENVIRONMENTS)]
    printed = [c for c in found["claims"] if c["kind"] not in OWN]
    return [c for number in numbers for c in printed if c.get("number") == number]


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
