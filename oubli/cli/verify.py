"""`oubli verify`: replay stored certificates through the checker, against the ledger of today."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, track

from oubli.checks.coq.compiler import version
from oubli.checks.coq.confirm import confirm
from oubli.checks.coq.export import exported
from oubli.checks.coq.summary import fingerprint, outcome_lines
from oubli.checks.report.extras import extras
from oubli.checks.report.folder import dumps, publish, writable
from oubli.cli.output import out_option
from oubli.cli.papers import paper_option
from oubli.errors import InputError
from oubli.theory.judging.judge import outline, outlined_lemmas
from oubli.theory.judging.ledger import Ledger
from oubli.theory.judging.replay import replay_all, statements
from oubli.theory.records.paper import Paper

LARGEST = 200_000_000
# The kinds of certificates that a verdict rests on.
BACKING = {"PROVED": ("proof", "exact"), "REFUTED": ("witness",)}


def loaded(path: Path) -> Any:
    """What a file holds."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path}: larger than {LARGEST:,} bytes")
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise InputError(f"{path}: cannot be read ({why.strerror})") from None
    except InputError:
        raise
    except (ValueError, RecursionError) as why:
        raise InputError(f"{path}: not JSON ({str(why)[:80]})") from None


def records(found: Any) -> list[Any]:
    """The claims of a report's verdicts."""
    listed = found.get("claims") if isinstance(found, dict) else None
    return [c for c in listed if isinstance(c, dict)] if isinstance(listed, list) else []


def own(record: Any) -> Any:
    """The certificate of a claim: beside its verdict, or inside its witness."""
    inside = record.get("witness")
    return record.get("certificate") or (inside.get("certificate") if isinstance(inside, dict) else None)


def certificates(path: Path) -> list[Any]:
    """The certificates in a file."""
    return held(loaded(path))


def held(found: Any) -> list[Any]:
    """The certificates in what a file holds: a report's verdicts, one certificate, or a list of them."""
    if isinstance(found, dict) and "claims" in found:
        return [certificate for record in records(found) if (certificate := own(record))]
    return found if isinstance(found, list) else [found]


def unbacked(found: Any) -> dict[str, str]:
    """The claims of a report that it calls proved or refuted without a certificate of just that."""
    out = {}
    for record in records(found):
        key, status, certificate = record.get("key"), record.get("status"), own(record)
        kinds = BACKING.get(status, ()) if isinstance(status, str) else ()
        about = certificate if isinstance(certificate, dict) else {}
        if kinds and (about.get("claim") != key or about.get("kind") not in kinds):
            out[str(key)] = f"{status}, but no certificate of that is with it"
    return out


def outlined(certificate: Any, ledger: Ledger) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the engines brought for an accepted certificate, step by step, and the lemmas that it uses."""
    claim, known = ledger.claims[certificate["claim"]], statements(ledger)
    return outline(claim, known, certificate), outlined_lemmas(claim, known)


def ask_coq(good: list[Any], ledger: Ledger, coq: str, folder: Path) -> dict[str, Any]:
    """What Coq says of accepted certificates; coq.json in the folder remembers it, lemma by lemma."""
    store = writable(folder)
    lemmas = [item for certificate in good for item in exported(*outlined(certificate, ledger))]
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
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
@paper_option
@click.option("--coq", "with_coq", is_flag=True, help="Also ask Coq about combinations and numbers.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@out_option
def verify(paper: Paper, files: tuple[Path, ...], with_coq: bool, as_json: bool) -> None:
    """Replay every certificate of FILES (default: report/verdicts.json) through the checker.

    Ends with 1 if any certificate is rejected, or if a report states a verdict that its certificate does not
    support; what depends on a rejected or a missing certificate is rejected too. With --coq, what Coq
    confirms is counted, and listed in coq.json beside the first file (delete that to ask anew); what it does
    not confirm is named and changes no verdict.

    \b
    Examples:
      oubli verify
      oubli verify report/verdicts.json --json
      oubli verify --out replayed.txt
      oubli verify --coq
    """
    paths = files or (Path("report/verdicts.json"),)
    documents = [loaded(path) for path in paths]
    found = [certificate for document in documents for certificate in held(document)]
    coq = version() if with_coq else None
    ledger = Ledger(paper.claims())
    screen = Console(stderr=True)
    bar = track(found, "replaying", console=screen, transient=True, disable=not screen.is_terminal)
    good, rejected = replay_all(found, ledger, bar)
    rejected = {key: why for document in documents for key, why in unbacked(document).items()} | rejected
    accepted = [certificate["claim"] for certificate in good]
    confirmed = ask_coq(good, ledger, coq, paths[0].parent) if coq else None
    if as_json:
        beside = {"coq": confirmed} if confirmed else {}
        click.echo(dumps({"accepted": accepted, "rejected": rejected, **beside}), nl=False)
    else:
        for name, reason in rejected.items():
            click.echo(f"rejected: {name}: {reason}")
        click.echo(f"{len(accepted)} certificates accepted, {len(rejected)} rejected")
        if not found:
            click.echo("there is no certificate in what was given")
        for line in outcome_lines(confirmed) if confirmed else []:
            click.echo(line)
    sys.exit(1 if rejected or not found else 0)
