"""`oubli verify`: replay stored certificates through the checker, against the ledger of today."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from checks.commands.errors import BadInput
from checks.report.folder import dumps
from theory.checker import Rejected
from theory.paper import ledger as paper
from theory.replay import replay, taken

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


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def verify(files: tuple[Path, ...], as_json: bool) -> None:
    """Replay every certificate of FILES (default: report/verdicts.json) through the checker.

    Ends with 1 if any certificate is rejected.

    \b
    Examples:
      oubli verify
      oubli verify report/verdicts.json --json
    """
    found = [c for path in files or (Path("report/verdicts.json"),) for c in certificates(path)]
    ledger, at = paper(), taken(found)
    accepted: list[str] = []
    rejected: dict[str, str] = {}
    bar = track(found, "replaying", console=Console(stderr=True), transient=True)
    for number, certificate in enumerate(bar):
        try:
            accepted.append(replay(certificate, ledger, at))
        except Rejected as why:
            name = certificate.get("claim") if isinstance(certificate, dict) else None
            rejected[str(name or f"number {number}")] = str(why)
    if as_json:
        click.echo(dumps({"accepted": accepted, "rejected": rejected}), nl=False)
    else:
        for name, reason in rejected.items():
            click.echo(f"rejected: {name}: {reason}")
        click.echo(f"{len(accepted)} certificates accepted, {len(rejected)} rejected")
    sys.exit(1 if rejected or not found else 0)
