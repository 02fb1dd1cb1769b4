"""`oubli verify`: replay stored certificates through the checker, against the ledger of today."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, track

from checks.commands.errors import BadInput
from checks.coq.compiler import version
from checks.coq.confirm import confirm
from checks.coq.export import exported
from checks.coq.summary import fingerprint, told
from checks.report.extras import extras
from checks.report.folder import dumps, publish, writable
from theory.judge import outline, outlined_lemmas
from theory.ledger import Ledger
from theory.paper import ledger as paper
from theory.replay import replay_all, statements

LARGEST = 200_000_000


def certificates(path: Path) -> list[Any]:
    """The certificates in a file: a report's verdicts, one certificate, or a list of them."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: larger than {LARGEST:,} bytes")
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise BadInput(f"{path}: cannot be read ({why.strerror})") from None
    except (ValueError, RecursionError) as why:
        raise BadInput(f"{path}: not JSON ({str(why)[:80]})") from None
    if isinstance(found, dict) and "claims" in found:
        judged = [c for c in found["claims"] if isinstance(c, dict)]
        both = [c.get("certificate") or (c.get("witness") or {}).get("certificate") for c in judged]
        return [certificate for certificate in both if certificate]
    return found if isinstance(found, list) else [found]


def outlined(certificate: Any, ledger: Ledger) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the engines brought for an accepted certificate, step by step, and the lemmas it leans on."""
    claim, known = ledger.claims[certificate["claim"]], statements(ledger)
    return outline(claim, known, certificate), outlined_lemmas(claim, known)


def ask_coq(good: list[Any], ledger: Ledger, coq: str, folder: Path) -> dict[str, Any]:
    """What Coq says of accepted certificates; coq.json in the folder remembers it, lemma by lemma."""
    store = writable(folder)
    lemmas = [item for certificate in good for item in exported(*outlined(certificate, ledger))]
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking Coq", total=None)
        answer = confirm(
            lemmas, coq, remembered(folder), lambda done, total: bar.update(task, completed=done, total=total)
        )
    document = {**answer, "of": fingerprint(good)}
    publish(store, {"coq.json": dumps(document)})
    return document


def remembered(folder: Path) -> dict[str, str]:
    """What Coq said before, by digest ("" if it accepted); nothing if the file is missing or spoilt."""
    found = extras(folder).coq
    lemmas = found["lemmas"] if found else []
    return {le["digest"]: "" if le["accepted"] else le["reason"] or "refused" for le in lemmas}


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--coq", "with_coq", is_flag=True, help="Also ask Coq about combinations and numbers.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def verify(files: tuple[Path, ...], with_coq: bool, as_json: bool) -> None:
    """Replay every certificate of FILES (default: report/verdicts.json) through the checker.

    Ends with 1 if any certificate is rejected; what leans on a rejected or a missing one falls with it. With
    --coq, what Coq confirms is counted, and listed in coq.json beside the first file (delete that to ask
    anew); what it does not confirm is named and changes no verdict.

    \b
    Examples:
      oubli verify
      oubli verify report/verdicts.json --json
      oubli verify --coq
    """
    paths = files or (Path("report/verdicts.json"),)
    found = [c for path in paths for c in certificates(path)]
    coq = version() if with_coq else None
    ledger = paper()
    bar = track(found, "replaying", console=Console(stderr=True), transient=True)
    good, rejected = replay_all(found, ledger, bar)
    accepted = [certificate["claim"] for certificate in good]
    confirmed = ask_coq(good, ledger, coq, paths[0].parent) if coq else None
    if as_json:
        beside = {"coq": confirmed} if confirmed else {}
        click.echo(dumps({"accepted": accepted, "rejected": rejected, **beside}), nl=False)
    else:
        for name, reason in rejected.items():
            click.echo(f"rejected: {name}: {reason}")
        click.echo(f"{len(accepted)} certificates accepted, {len(rejected)} rejected")
        for line in told(confirmed) if confirmed else []:
            click.echo(line)
    sys.exit(1 if rejected or not found else 0)
