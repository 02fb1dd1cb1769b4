"""`oubli phase synthetic`: the paper's synthetic experiment, measured both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from oubli.checks.experiments import synthetic as put_together
from oubli.checks.experiments.experiment import Experiment, draw, tell, versions
from oubli.checks.experiments.own_rule import read_rule
from oubli.checks.experiments.pieces import pieces_of
from oubli.checks.experiments.story import Reading
from oubli.checks.experiments.words import REASONS, limits
from oubli.checks.experiments.workers import Workers
from oubli.checks.runs.rule_file import RuleFile
from oubli.cli.phase_options import announce, run, running_options
from oubli.errors import InputError
from oubli.sim.experiments.synthetic.protocol import LARGEST_INSIDE, Synthetic, eps_of
from oubli.sim.experiments.synthetic.tasks import BUILT_IN, tasks

QUICK = {"most_steps": 100_000, "per_decade": 4, "points": 24, "repetitions": 20}
# About the bytes of a row of the passage table and of its pieces, before compression.
BYTES_A_ROW = 60


@click.command("synthetic", short_help="Run the synthetic experiment of the paper.")
@click.option("--quick", is_flag=True, help="A smaller grid: 24 × 24, T up to 1e5, 20 repetitions.")
@click.option(
    "--d",
    "dimension",
    type=int,
    default=LARGEST_INSIDE,
    show_default=True,
    help="Even dimension; the paper gives none.",
)
@click.option("--per-decade", type=click.IntRange(1, 100), help="Values of T a decade [default: 10].")
@click.option("--most-steps", type=click.IntRange(1, 10**9), help="The largest T [default: 1000000].")
@click.option("--points", type=click.IntRange(2, 1000), help="Values of e and of κ [default: 60].")
@click.option("--repetitions", type=click.IntRange(2, 100_000), help="Runs of each setting [default: 50].")
@click.option("--delta", type=float, default=1e-5, show_default=True, help="δ behind ε, for κ.")
@click.option("--iterate", is_flag=True, help="First passage of the raw iterate, not of the average.")
@click.option("--theory", is_flag=True, help="Draw the certified regimes over the diagrams.")
@running_options("report/phase-synthetic")
def synthetic(
    quick: bool,
    dimension: int,
    delta: float,
    iterate: bool,
    theory: bool,
    algorithm: str | None,
    seed: int,
    how: Workers,
    dry_run: bool,
    out: Path,
    report: Path,
    as_json: bool,
    **sizes: int | None,
) -> None:
    """The synthetic experiment for Algorithm 2 as printed, its charitable reading, and the constant step.

    T_e by first passage, as the paper measures it, and by definition. Stopped at any moment, the same call
    goes on where it was; a finished run is only shown again.

    \b
    Examples:
      oubli phase synthetic --quick
      oubli phase synthetic --jobs 2 --theory
      oubli phase synthetic --dry-run
      oubli phase synthetic --shard 1/8 --out /shared/run
      oubli phase synthetic --algorithm my_rule.py:MyRule --out report/mine
    """
    given = {name: value for name, value in sizes.items() if value is not None}
    protocol = _protocol(dimension, delta, seed, {**(QUICK if quick else {}), **given})
    if protocol.outside:
        click.echo(f"oubli: warning: {protocol.outside}", err=True)
    own = (read_rule(algorithm),) if algorithm else ()
    experiment = _experiment(protocol, own, iterate)
    found = run(experiment, out, how, report, dry_run, as_json)
    if found is None:
        return
    files = draw(experiment, found, certified(protocol) if theory else None)
    announce(experiment, found, [*files, tell(experiment, found, report)], as_json)


def _protocol(dimension: int, delta: float, seed: int, sizes: Mapping[str, Any]) -> Synthetic:
    try:
        return replace(Synthetic(d=dimension, delta=delta, seed=seed), **sizes)
    except ValueError as why:
        raise InputError(str(why)) from None


def _experiment(protocol: Synthetic, own: tuple[RuleFile, ...], iterate: bool) -> Experiment:
    algorithms = (*BUILT_IN, *(file.label for file in own))
    judged = "raw iterate" if iterate else "released average"
    rows = (len(algorithms) * protocol.points + 1) * protocol.points * len(protocol.horizons)
    return Experiment(
        name="Synthetic",
        title=f"Synthetic loss, d = {protocol.d}, first passage of the {judged}",
        parameters={
            "experiment": "synthetic",
            **asdict(protocol),
            "judged": judged,
            "algorithms": list(algorithms),
            "own": [file.record() for file in own],
            "versions": versions("numpy", "scipy"),
        },
        pieces=pieces_of(protocol, own, tasks(protocol, algorithms, iterate)),
        bytes_needed=rows * BYTES_A_ROW,
        table=lambda done: put_together.columns(protocol, algorithms, done),
        diagrams=lambda table: put_together.diagrams(protocol, algorithms, table),
        extra=lambda table: {"agreement": put_together.agreement(protocol, algorithms, table)},
        paper=Reading({0.1: 1.0, 0.5: 0.5}, REASONS),
        limits=limits(protocol),
    )


def certified(protocol: Synthetic) -> dict[str, Any]:
    """The regime that the theory certifies for every cell, at e/e0 and the eps of kappa."""
    from oubli.theory.regimes import classify

    kappa, e = np.meshgrid(protocol.kappas, protocol.levels, indexing="ij")
    eps = np.vectorize(lambda k: eps_of(float(k), protocol.delta))(kappa)
    e0 = protocol.problem(1).setup(1.0, protocol.delta, 1).e0
    found = classify(rf=protocol.r_f, eps=eps, delta=protocol.delta, dim=protocol.d, target=e / e0)
    cells = found.certified.reshape(kappa.shape)
    return {"kappas": np.array(protocol.kappas), "levels": np.array(protocol.levels), "cells": cells}
