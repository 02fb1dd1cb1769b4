"""`oubli audit`: is an algorithm private as claimed, how fast, does it contradict a theorem?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from checks.audit import Settings, audit_file
from checks.audit.finding import Judgement
from checks.audit.loading import Unusable
from checks.audit.publish import publish_audit
from checks.audit.screen import screen
from checks.audit.template import TEMPLATE
from checks.commands.errors import BadInput
from checks.report.folder import writable


def _print_template(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(TEMPLATE, nl=False)
        context.exit(0)


@click.command("audit")
@click.argument("target", metavar="FILE[:NAME]")
@click.option("--eps", type=float, required=True, help="The claimed ε.")
@click.option("--delta", type=float, required=True, help="The claimed δ.")
@click.option("--rf", type=float, default=0.01, show_default=True, help="Fraction of the data to forget.")
@click.option("--dim", type=int, default=1, show_default=True, help="Dimension of the parameters.")
@click.option("--steps", type=int, default=10, show_default=True, help="Gradient steps T.")
@click.option("--runs", type=int, default=400_000, show_default=True, help="Fresh draws a side.")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Error probability of the whole audit."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same bytes.")
@click.option(
    "--target", "risk", type=float, default=0.1, show_default=True, help="Target risk, in units e0."
)
@click.option("--assume-gaussian", is_flag=True, help="Take the Gaussian mode's assumption on yourself.")
@click.option(
    "--call-seconds", type=float, default=10.0, show_default=True, help="Limit for one call of a method."
)
@click.option(
    "--total-seconds", type=float, default=300.0, show_default=True, help="Limit for the whole audit."
)
@click.option(
    "--memory-gb", type=float, default=4.0, show_default=True, help="Limit for what the class allocates."
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Add the findings to this report."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option(
    "--template", is_flag=True, is_eager=True, expose_value=False, callback=_print_template,
    help="Print a file to start from.",
)  # fmt: skip
def audit(target: str, risk: float, out: Path | None, as_json: bool, **asked: Any) -> None:
    """Hold an unlearning algorithm against its claimed budget and against the bounds.

    FILE has a class with the method step(t, theta, grad, memory, setup, rng); ten lines suffice. Each
    finding is VIOLATED, CONSISTENT (nothing speaks against it) or UNDECIDED. The class runs in a process of
    its own, with limits on time and memory.

    \b
    Exit 0: nothing is VIOLATED.   1: something is.   2: the file or an option cannot be used.

    \b
    Examples:
      oubli audit --template > rule.py
      oubli audit rule.py --eps 1 --delta 1e-5
      oubli audit rule.py --eps 1 --delta 1e-5 --out report      # adds a page with pictures
      oubli audit rules.py:Mine --eps 0.5 --delta 1e-6 --rf 0.001 --dim 10 --steps 50 --json
    """
    try:
        settings = Settings(target=risk, **asked)
        if out is not None:
            writable(out)
        found = audit_file(target, settings)
    except (Unusable, ValueError) as why:
        raise BadInput(str(why)) from None
    if out is not None:
        publish_audit(out, found)
    click.echo(json.dumps(found.as_json()) if as_json else screen(found))
    click.get_current_context().exit(1 if found.verdict is Judgement.VIOLATED else 0)
