"""`oubli phase digits`: the paper's experiment on the handwritten digits."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from oubli.checks.experiments import digits as put_together
from oubli.checks.experiments.experiment import Experiment, draw, tell, versions
from oubli.checks.experiments.own_rule import read_rule
from oubli.checks.experiments.pieces import pieces_of
from oubli.checks.experiments.story import Reading
from oubli.checks.experiments.words import DIGITS_REASONS, flat, kappa_range
from oubli.checks.experiments.workers import Workers
from oubli.checks.runs.rule_file import RuleFile
from oubli.cli.phase_options import announce, run, running_options
from oubli.errors import InputError
from oubli.sim.experiments.digits.chains import DigitsProtocol
from oubli.sim.experiments.digits.data import CLASSES, FEATURES

QUICK = {"points": 30, "repetitions": 12}


@click.command("digits", short_help="Run the experiment of the paper on the digits.")
@click.option("--quick", is_flag=True, help="A smaller grid: 30 × 30, 12 repetitions.")
@click.option(
    "--sensitivity",
    type=click.Choice(["real", "certified"]),
    default="real",
    show_default=True,
    help="What κ multiplies: the real distance, as the paper does (certifies nothing), or a proved bound.",
)
@click.option("--linear", is_flag=True, help="Space e and κ linearly, as the appendix's text says.")
@click.option("--points", type=click.IntRange(2, 1000), help="Values of e and of κ [default: 60].")
@click.option("--repetitions", type=click.IntRange(2, 100_000), help="Runs of each setting [default: 50].")
@click.option("--epochs", type=click.IntRange(1), default=6000, show_default=True, help="The longest run.")
@click.option("--delta", type=float, default=1e-5, show_default=True, help="δ behind ε, for κ.")
@running_options("report/phase-digits")
def digits(
    quick: bool,
    sensitivity: str,
    linear: bool,
    epochs: int,
    delta: float,
    algorithm: str | None,
    seed: int,
    how: Workers,
    dry_run: bool,
    out: Path,
    report: Path,
    as_json: bool,
    **sizes: int | None,
) -> None:
    """Cross-entropy with an L2 penalty of weight 1 on the digits; noise and fine-tune against retraining.

    Every repetition has one sequence of minibatches, which all κ and retraining share. Stopped at any moment,
    the same call goes on where it was; a finished run is only shown again.

    \b
    Examples:
      oubli phase digits --quick
      oubli phase digits --sensitivity certified --out report/digits-certified
      oubli phase digits --algorithm my_rule.py --jobs 2
    """
    given = {name: value for name, value in sizes.items() if value is not None}
    base: dict[str, Any] = {"linear": linear, "certified": sensitivity == "certified", "delta": delta}
    base |= {"most_epochs": epochs, "seed": seed, **(QUICK if quick else {}), **given}
    try:
        protocol = DigitsProtocol(**base)
    except ValueError as why:
        raise InputError(str(why)) from None
    own = (read_rule(algorithm),) if algorithm else ()
    experiment = _experiment(protocol, own)
    found = run(experiment, out, how, report, dry_run, as_json)
    if found is None:
        return
    announce(experiment, found, [*draw(experiment, found, None), tell(experiment, found, report)], as_json)


def _experiment(protocol: DigitsProtocol, own: tuple[RuleFile, ...]) -> Experiment:
    labels = tuple(file.label for file in own)
    rows = (1 + (1 + len(own)) * protocol.points) * max(protocol.most_epochs, protocol.points)
    scale = "certified sensitivity" if protocol.certified else "real distance: not certified"
    return Experiment(
        name="Digits",
        title=f"Digits, noise at the {scale}",
        parameters={
            "experiment": "digits",
            **asdict(protocol),
            "own": [file.record() for file in own],
            "versions": versions("numpy", "scipy", "scikit-learn"),
        },
        pieces=pieces_of(protocol, own, put_together.pieces(protocol, labels)),
        bytes_needed=64 * rows,
        table=lambda done: put_together.columns(protocol, labels, done),
        diagrams=lambda table: put_together.diagrams(protocol, labels, table),
        extra=lambda table: {"optima": optima(protocol)},
        paper=Reading({0.1: 0.5}, DIGITS_REASONS),
        limits=limits(protocol),
    )


def optima(protocol: DigitsProtocol) -> dict[str, Any]:
    """The certified errors of both optima, and the two scales of the noise."""
    data = protocol.digits
    return {
        "retain_gap": data.retain_optimum.gap,
        "full_gap": data.full_optimum.gap,
        "real_distance": data.distance,
        "certified_sensitivity": data.sensitivity,
        "noise": protocol.noise,
    }


def limits(protocol: DigitsProtocol) -> list[str]:
    """What holds of the whole experiment, in plain words."""
    data = protocol.digits
    first = float(data.retain.value(np.zeros((FEATURES, CLASSES, 1)))[0]) - data.retain_optimum.value
    above = sum(e > first for e in protocol.levels)
    on_line = sum(e > first for e in replace(protocol, linear=True, points=60).levels)
    return [
        _noise(protocol),
        kappa_range(protocol.delta, protocol.kappas),
        flat(
            f"""The zero model has excess {first:.3g}: for the {above} of {protocol.points} values of e above
            it retraining needs no step. On the linear grid that the appendix's text describes, {on_line} of
            60 values are: hardly anything of the diagram would be left, so the default grid is logarithmic,
            as the figure is (--linear follows the text)."""
        ),
        flat(
            """Not stated in the paper and chosen here: pixels scaled to [0, 1], a bias, epochs as shuffles
            without replacement, start at zero; the excess is looked at after every step of the first epoch,
            then at growing gaps, and at the end of every epoch. All κ and retraining share their minibatches,
            which leaves each cell's law as it is; below the floor of the noise they meet, and the ratio
            tends to 1."""
        ),
    ]


def _noise(protocol: DigitsProtocol) -> str:
    data = protocol.digits
    if protocol.certified:
        return f"Noise at a proved sensitivity, r_f L/μ = {data.sensitivity:.3g}: certified where κ is."
    return flat(
        f"""NOT CERTIFIED: the noise is scaled by the real distance {data.distance:.3g}, which depends on the
        data to be forgotten; a proved sensitivity is {data.sensitivity:.3g},
        {data.sensitivity / data.distance:.0f} times as large."""
    )
