"""`oubli claims` and `oubli show`: the ledger, one claim in full, and one instance of a check again."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from oubli.checks.report.derivation import counted
from oubli.checks.report.document import line_of
from oubli.checks.report.folder import dumps
from oubli.checks.report.granted import granted, schemas
from oubli.checks.report.prose import letters
from oubli.cli.caching import cache_option
from oubli.cli.check import COLOUR, asked, judged, verified
from oubli.cli.output import out_option
from oubli.cli.papers import paper_option
from oubli.errors import InputError
from oubli.theory.judging.cache import Cache
from oubli.theory.judging.ledger import Ledger
from oubli.theory.records.claim import Claim
from oubli.theory.records.paper import Paper


@click.command()
@paper_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
@out_option
def claims(paper: Paper, as_json: bool) -> None:
    """List every claim of the paper with its place; nothing is judged here.

    \b
    Examples:
      oubli claims
      oubli claims --json | jq '.claims[].key'
      oubli claims --out claims.txt
    """
    records = list(paper.claims())
    if as_json:
        click.echo(dumps({"claims": [listed(c) for c in records]}), nl=False)
        return
    table = Table(box=None, pad_edge=False)
    for name in ("claim", "kind", "line", "says"):
        table.add_column(name, overflow="fold", no_wrap=name == "claim")
    for c in records:
        table.add_row(c.key, c.kind.value, str(c.source.line or c.source), escape(c.title))
    Console().print(table)


def listed(c: Claim) -> dict[str, Any]:
    """One row of the list, as data."""
    return {
        "key": c.key,
        "kind": c.kind.value,
        "line": c.source.line,
        "title": c.title,
        "repaired_by": c.repaired_by,
    }


@click.command()
@click.argument("key")
@paper_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@click.option(
    "--replay",
    "instance",
    metavar="INSTANCE",
    help="One instance again, as `pytest checks/` printed it; ends with 1 if it violates the claim.",
)
@cache_option
@out_option
def show(paper: Paper, key: str, as_json: bool, instance: str | None, cache: Cache) -> None:
    """Show one claim: what is printed, the verdict with its witness or proof, and the repair.

    \b
    Examples:
      oubli show "Theorem 1"
      oubli show theo:trivial_regime
      oubli show l.531
      oubli show opt_dist.sharp --out sharp.json
      oubli show e0.step --replay '{"L": 1, "mu": 1, "slack 0": 0.5}'
    """
    ledger = Ledger(paper.claims())
    keys = asked((key,), ledger, paper)
    if instance is not None:
        if as_json:
            raise InputError("--replay prints text: leave out --json")
        from oubli.cli.replay import replay  # with all of the simulator, for which nobody else should wait

        sys.exit(0 if replay(keys[0], instance, Console(highlight=False, soft_wrap=True)) else 1)
    document = judged(paper, ledger, verified(ledger, keys, cache), cache)
    found = {c["key"]: c for c in document["claims"]}
    if as_json:
        click.echo(dumps(found[keys[0]]), nl=False)
        return
    console = Console(highlight=False, soft_wrap=True)
    for number, one in enumerate(keys):
        if number:
            console.print()
        present(found[one], console)
        if found[one]["repaired_by"]:
            console.print("\n[bold]What holds instead[/]")
            present(found[found[one]["repaired_by"]], console)
    _notation([found[one] for one in keys], document["notation"], console)


def present(c: dict[str, Any], console: Console) -> None:
    """One claim for a person."""
    verdict = f"[{COLOUR[c['status']]}]{c['status']}[/]"
    place = ", ".join(filter(None, (c["place"], line_of(c))))
    place = f"the repair of {place}" if c["kind"] == "repair" else place
    console.print(f"[bold]{c['key']}[/]  {escape(place)}  {verdict}  {escape(letters(c['title']))}")
    _erratum(c, console)
    if c["effective"] != c["status"]:
        console.print(f"  effective: {c['effective']} (something it depends on does not stand)")
    if c["proof"] != "NONE":
        console.print(f"  printed proof: [{COLOUR[c['proof']]}]{c['proof']}[/]" + _steps(c))
    for line in filter(None, [c["note"], *c["remarks"]]):
        console.print(f"  {escape(letters(line))}")
    if c["text"]:
        for line in [*(f"given   {g}" for g in c["text"]["given"]), f"says    {c['text']['says']}"]:
            console.print("  " + escape(line))
        console.print("  where")
        for line in c["text"]["where"]:
            console.print("    " + escape(line))
    if c["witness"]:
        _witness(c["witness"], console)
    _proof(c, console)
    if c["reason"]:
        console.print(f"  open: {escape(c['reason'])}")
    for name in ("uses", "affects"):
        if c[name]:
            console.print(f"  {name}: {', '.join(c[name])}")


def _erratum(c: dict[str, Any], console: Console) -> None:
    """What is printed, how bad it is, and what to write, in words."""
    if c["sentence"]:
        console.print(f"  printed: {escape(c['sentence'])}")
    if c["severity"]:
        console.print(f"  severity: [bold]{c['severity']}[/]")
    if c["erratum"]:
        console.print(f"  [red]what is wrong:[/] {escape(c['erratum']['plain'])}")
        console.print(f"  [green]write instead:[/] {escape(c['erratum']['instead'])}")


def _stands(name: str, text: str) -> bool:
    """Whether a letter, not a part of a word, stands in a text."""
    return re.search(rf"(?<!\w){re.escape(name)}(?![A-Za-z0-9])", text) is not None


def _notation(shown: Sequence[dict[str, Any]], known: Sequence[dict[str, str]], console: Console) -> None:
    """The letters of the paper that the titles and errata use, without those that a record lists itself."""
    said = [part for c in shown for part in (c["title"], c["sentence"], (c["witness"] or {}).get("says"))]
    said += [part for c in shown for part in (c["erratum"] or {}).values()]
    text = letters(" ".join(filter(None, said)))
    listed = {line.split(" in ")[0] for c in shown if c["text"] for line in c["text"]["where"]}
    used = [
        x for x in known if x["name"] not in listed and any(_stands(n, text) for n in x["name"].split(", "))
    ]
    if used:
        console.print("\n[bold]Notation[/]")
    for x in used:
        console.print(escape(f"  {x['name']}: {x['meaning']}"))


def _steps(c: dict[str, Any]) -> str:
    leans = [*c["steps"], *c["printed_uses"]]
    return f" (its steps, and what it cites: {', '.join(leans)})" if leans else ""


def _witness(w: dict[str, Any], console: Console) -> None:
    console.print(f"  [red]witness[/] {escape(letters(w['says']))}")
    console.print(
        "    " + escape(", ".join(f"{letters(name)} = {value}" for name, value in w["values"].items()))
    )
    for line in [*(w.get("objects") or []), *w["lines"]]:
        console.print("    " + escape(line))


def _proof(c: dict[str, Any], console: Console) -> None:
    for step in c["derivation"]:
        size = f", {step['size']}" if step["size"] else ""
        console.print(f"  [green]step[/] {escape(step['name'])}: {step['rule']}{size}")
    certificate = c["certificate"] or (c["witness"] or {}).get("certificate") or {}
    if certificate:
        console.print(f"  checked: {counted(len(certificate['lines']), 'line', 'lines')}")
    if plain := schemas(certificate):
        console.print(f"  {plain}")
    for schema in c.get("schemas") or []:
        console.print(f"  [green]schema[/] {escape(schema['name'])}: {escape(schema['says'])}")
        for at in filter(None, schema["at"]):
            console.print("    " + escape(at))
    for number, line in enumerate(granted(certificate)):
        console.print(("  assumed without proof\n" if number == 0 else "") + "    " + escape(line))
