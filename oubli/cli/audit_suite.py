"""`oubli audit --suite published`: the published algorithms in one table."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import click

from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.published_suite import published
from oubli.checks.audit.published_table import table
from oubli.checks.audit.settings import Settings
from oubli.errors import InputError

# Draws a side where --runs is not given: a table is many audits.
RUNS = 20_000


def run_suite(asked: dict[str, Any], runs_given: bool, as_json: bool) -> NoReturn:
    """Run all of them, print the table and leave with the exit status."""
    budget = {"eps": 1.0, "delta": 1e-5} | {k: v for k, v in asked.items() if v is not None}
    try:
        settings = Settings(**{**budget, "runs": asked["runs"] if runs_given else RUNS})
    except ValueError as why:
        raise InputError(str(why)) from None
    if settings.delta == 0 or settings.steps == 0:
        raise InputError(
            f"--suite needs delta > 0 and steps >= 1, got {settings.delta:g} and {settings.steps}: the noise "
            "of these algorithms is Gaussian and in their steps"
        )
    rows = list(published(settings, lambda name: click.echo(f"{name} ...", err=True)))
    words = {"suite": "published", "setup": settings.as_json(), "rows": [row.as_json() for row in rows]}
    click.echo(json.dumps(words) if as_json else table(rows, settings))
    raise click.exceptions.Exit(1 if any(row.verdict == Judgement.VIOLATED for row in rows) else 0)
