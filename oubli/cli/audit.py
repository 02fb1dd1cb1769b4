"""`oubli audit`: is an algorithm private as claimed, how fast, does it contradict a theorem?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from oubli.checks.audit import Settings, audit_file
from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.publish import publish_audit
from oubli.checks.audit.screen import screen
from oubli.checks.audit.template import TEMPLATE
from oubli.checks.report.folder import writable
from oubli.cli.audit_samples import run_samples
from oubli.cli.audit_suite import run_suite
from oubli.cli.working import working
from oubli.errors import InputError


def _print_template(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(TEMPLATE, nl=False)
        context.exit(0)


@click.command("audit")
@click.argument("target", metavar="[FILE[:NAME]]", required=False)
@click.option("--eps", type=float, help="The claimed ε.")
@click.option("--delta", type=float, help="The claimed δ.")
@click.option(
    "--samples",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="P.npy Q.npy",
    help="Audit outputs or scores computed elsewhere, in the place of FILE.",
)
@click.option("--suite", type=click.Choice(["published"]), help="Audit a packaged set of algorithms.")
@click.option(
    "--plot", type=click.Path(path_type=Path), help="With --samples: the trade-off curve, as a picture."
)
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
def audit(
    target: str | None, risk: float, out: Path | None, as_json: bool,
    samples: tuple[Path, Path] | None, plot: Path | None, suite: str | None, **asked: Any,
) -> None:  # fmt: skip
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
      oubli audit --samples P.npy Q.npy --eps 1 --delta 1e-5 --plot tradeoff.png
      oubli audit --suite published --eps 1 --delta 1e-5         # the literature, in one table
      oubli audit rules.py:Mine --eps 0.5 --delta 1e-6 --rf 0.001 --dim 10 --steps 50 --json
    """
    if suite is not None:
        if target is not None or samples is not None:
            raise InputError("--suite is audited in the place of FILE[:NAME] and --samples, got both")
        given = click.get_current_context().get_parameter_source("runs") is not ParameterSource.DEFAULT
        run_suite(asked, given, as_json)
    if plot is not None and samples is None:
        raise InputError(f"--plot {plot}: it needs --samples P.npy Q.npy")
    if (target is None) == (samples is None):
        raise InputError("one of FILE[:NAME] and --samples P.npy Q.npy is needed, got both or neither")
    if asked["eps"] is None or asked["delta"] is None:
        raise InputError("--eps and --delta are needed: the claim that is audited")
    if samples is not None:
        run_samples(samples, plot, out, as_json, **asked)
    assert target is not None
    try:
        settings = Settings(target=risk, **asked)
        if out is not None:
            writable(out)
        with working(f"auditing {target}"):
            found = audit_file(target, settings)
    except ValueError as why:
        raise InputError(str(why)) from None
    if out is not None:
        publish_audit(out, found)
    click.echo(json.dumps(found.as_json()) if as_json else screen(found))
    click.get_current_context().exit(1 if found.verdict is Judgement.VIOLATED else 0)
