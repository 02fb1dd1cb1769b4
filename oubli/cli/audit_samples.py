"""`oubli audit --samples P.npy Q.npy`: outputs or scores computed elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import click

from oubli.checks.audit.finding import Audit, Judgement
from oubli.checks.audit.publish import publish_audit
from oubli.checks.audit.samples import audit_samples
from oubli.checks.audit.samples_read import read_samples
from oubli.checks.audit.screen import screen
from oubli.checks.audit.tradeoff_plot import draw
from oubli.checks.report.folder import writable
from oubli.cli.working import working
from oubli.errors import InputError


def run_samples(
    files: tuple[Path, Path], plot: Path | None, out: Path | None, as_json: bool, **asked: Any
) -> NoReturn:
    """Audit the two files, print and leave with the exit status."""
    names = ("eps", "delta", "alpha", "seed", "assume_gaussian")
    try:
        if out is not None:
            writable(out)
        with working("comparing the samples"):
            found = _audited(files, {name: asked[name] for name in names})
        if plot is not None:
            curve = next(f.measured["curve"] for f in found.findings if f.check == "privacy curve")
            draw(plot, curve, asked["eps"], asked["delta"])
    except ValueError as why:
        raise InputError(str(why)) from None
    if out is not None:
        publish_audit(out, found)
    click.echo(json.dumps(found.as_json()) if as_json else screen(found))
    raise click.exceptions.Exit(1 if found.verdict is Judgement.VIOLATED else 0)


def _audited(files: tuple[Path, Path], asked: dict[str, Any]) -> Audit:
    if files[0].exists() and files[1].exists() and files[0].samefile(files[1]):
        raise ValueError(f"--samples must be two files, got {files[0]} twice")
    rows = [read_samples(path) for path in files]
    return audit_samples(rows[0], rows[1], names=(str(files[0]), str(files[1])), **asked)
