"""`oubli regime`: add noise, fine-tune or retrain? Certified brackets and regimes, one row or a CSV."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from checks.commands.errors import BadInput
from sim.laws.exact import exact
from theory.regimes import BadQuery, Classification, Constants, Noise, Notion, classify
from theory.regimes.distance import crossings
from theory.regimes.enclosed import unconfirmed
from theory.regimes.noise import GAUSSIAN
from theory.regimes.recipe import recipe

PARAMETERS = ("rf", "n", "forget", "eps", "delta", "dim", "target", "L", "mu", "target_risk")
Row = Mapping[str, str | None]
_Arguments = ParamSpec("_Arguments")


def one_line(run: Callable[_Arguments, None]) -> Callable[_Arguments, None]:
    """What the calculator rejects is bad input: one line, exit code 2."""

    @wraps(run)
    def wrapped(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        try:
            run(*args, **kwargs)
        except (BadQuery, ValueError) as error:
            raise BadInput(str(error)) from None

    return wrapped


@click.command("regime")
@click.option("--rf", help="Fraction of the data to forget, in [0, 1).")
@click.option("--n", help="Number of samples, with --forget.")
@click.option("--forget", help="Number of samples to forget, with --n.")
@click.option("--eps", help="ε, from 1e-6 to 1e4, or inf for no privacy.")
@click.option("--delta", help="δ, from 1e-300 to 0.9.")
@click.option("--dim", help="Dimension of the parameters.")
@click.option("--target", help="Target excess risk in units e0 = L²/(8μ).")
@click.option("--L", "L", help="Lipschitz constant, with --mu and --target-risk; also scales the noise.")
@click.option("--mu", help="Strong convexity, with --L.")
@click.option("--target-risk", help="Target excess risk, with --L and --mu, instead of --target.")
@click.option(
    "--csv",
    "table",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Many rows: a CSV whose columns are named like the options.",
)
@click.option(
    "--constants", type=click.Choice([c.value for c in Constants]), default="sharp", show_default=True
)
@click.option(
    "--notion",
    type=click.Choice([n.value for n in Notion]),
    default="unlearning",
    show_default=True,
    help="Definition 2, or Reference Unlearning.",
)
@click.option(
    "--noise",
    type=click.Choice([n.value for n in Noise]),
    default="exact",
    show_default=True,
    help="Exact noise, or the classical κ where it is private.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@one_line
def regime(
    table: Path | None, constants: str, notion: str, noise: str, as_json: bool, **row: str | None
) -> None:
    """Add noise, fine-tune, or retrain? The regime as printed and as certified, with step counts.

    \b
    Examples:
      oubli regime --rf 0.001 --eps 1 --delta 1e-5 --dim 10 --target 0.05
      oubli regime --n 60000 --forget 60 --eps 4 --delta 1e-6 --dim 10 --L 2 --mu 1 --target-risk 0.02
      oubli regime --csv questions.csv --json
    """
    rows = [row] if table is None else _read(table)
    if table is not None and any(row.values()):
        raise BadInput("give either --csv or the parameters of one row, not both")
    found = _classified(rows, Constants(constants), Notion(notion), Noise(noise))
    units = [_unit(r) for r in rows]
    if table is None:
        _decide_again(found)
        answer = answer_of(found, 0, units[0])
        click.echo(json.dumps(answer) if as_json else _screen(found, answer, Constants(constants)))
    elif as_json:
        click.echo(json.dumps({"rows": [answer_of(found, i, u) for i, u in enumerate(units)]}))
    else:
        _write_csv(rows, [answer_of(found, i, u) for i, u in enumerate(units)])


def _decide_again(found: Classification) -> None:
    """What is about to be printed as proved is decided a second time, in balls."""
    wrong = unconfirmed(found, 0)
    if wrong:
        raise click.ClickException(f"floats and balls disagree on {', '.join(wrong)}: nothing is certified")


def _classified(rows: list[Any], constants: Constants, notion: Notion, noise: Noise) -> Classification:
    """The rows, parsed exactly and classified at once."""
    named = {"rf": _forget_fraction, "target": _target}
    columns = {name: [read(row) for row in rows] for name, read in named.items()}
    for name in ("eps", "delta", "dim"):
        columns[name] = [_number(row, name) for row in rows]
    return classify(**columns, constants=constants, notion=notion, noise=noise)


def _number(row: Row, name: str) -> float:
    text = row.get(name)
    if text is None or text == "":
        raise BadInput(f"{name} is missing: give --{name.replace('_', '-')}")
    if name == "eps" and text.strip().lower() in ("inf", "oo", "∞"):
        return math.inf
    try:
        return float(exact(text, name))
    except OverflowError:
        raise BadInput(f"{name} = {text}: {name} is too large") from None


def _has(row: Row, name: str) -> bool:
    return row.get(name) not in (None, "")


def _forget_fraction(row: Row) -> float:
    if _has(row, "rf"):
        if _has(row, "n") or _has(row, "forget"):
            raise BadInput("give either --rf or --n with --forget, not both")
        return _number(row, "rf")
    if not (_has(row, "n") and _has(row, "forget")):
        raise BadInput("give --rf, or --n with --forget")
    n, k = (exact(str(row[name]), name) for name in ("n", "forget"))
    if n.denominator != 1 or k.denominator != 1 or not 0 <= k < n:
        raise BadInput(
            f"n = {row['n']}, forget = {row['forget']}: both must be integers with 0 <= forget < n"
        )
    return float(Fraction(k, n))


def _target(row: Row) -> float:
    if _has(row, "target"):
        if _has(row, "target_risk"):
            raise BadInput("give either --target or --target-risk, not both")
        return _number(row, "target")
    if not all(_has(row, name) for name in ("target_risk", "L", "mu")):
        raise BadInput("give --target, or --target-risk with --L and --mu")
    L, mu, risk = (exact(str(row[name]), name) for name in ("L", "mu", "target_risk"))
    _positive(L, mu, row)
    return float(8 * mu * risk / L**2)


def _unit(row: Row) -> float:
    """L/mu, the unit of the noise; 1 where they are not given."""
    if not (_has(row, "L") and _has(row, "mu")):
        if _has(row, "L") or _has(row, "mu"):
            raise BadInput("give --L and --mu together")
        return 1.0
    L, mu = (exact(str(row[name]), name) for name in ("L", "mu"))
    _positive(L, mu, row)
    return float(L / mu)


def _positive(L: Fraction, mu: Fraction, row: Row) -> None:
    if L <= 0 or mu <= 0:
        raise BadInput(f"L = {row['L']}, mu = {row['mu']}: both must be positive")


ASSUMES = (
    "the model is the exact minimiser of the full risk",
    "every loss is L-Lipschitz and mu-strongly convex on |theta| <= L/(2 mu)",
    "worst expected excess risk, one number of steps for all losses (def.time)",
    "noise and shrinking before the first gradient cost nothing (setup.zero_steps)",
)


def answer_of(found: Classification, row: int, unit: float = 1.0) -> dict[str, Any]:
    """One row of a classification as JSON: brackets as integers, the ratio rounded outwards."""
    low, high = found.ratio
    return {
        "printed": str(found.printed[row]),
        "certified": str(found.certified[row]),
        "ratio": [float(low[row]), float(high[row])],
        "T_unlearn": [int(best.steps[row]) for best in found.unlearn],
        "T_scratch": [int(best.steps[row]) for best in found.scratch],
        "sigma": float(found.sigma[row]) * unit,
        "claims": list(found.claims(row)),
        "noise": found.noise(row),
        "how": found.unlearn[1].how(row),
        "assumes": list(ASSUMES),
    }


def _screen(found: Classification, answer: dict[str, Any], constants: Constants) -> str:
    (u_lo, u_hi), (s_lo, s_hi) = answer["T_unlearn"], answer["T_scratch"]
    release = "Add noise and release" if answer["sigma"] else "Release theta* as it is"
    advice = {
        "trivial": f"{release if s_hi else 'Release 0, it is good enough'}: no gradient is needed.",
        "efficient": f"Add noise and fine-tune, steps: {u_hi}. At most half of retraining, proved.",
        "inefficient": f"Unlearning needs at least {_gradients(u_lo)}: retraining costs at most "
        f"{-(-s_hi // max(u_lo, 1))} times as much, proved.",
        "uncharted": "Retraining is safe; whether unlearning is faster is not proved either way.",
    }
    lines = [
        f"certified  {answer['certified'].upper()}   (as printed in the paper: {answer['printed']})",
        f"           {advice[answer['certified']]}",
        f"noise      {_noise_line(answer, float(found.query.d[0]))}",
        *(f"recipe     {line}" for line in (recipe(found, 0),) if line),
        f"unlearn    {_bracket(u_lo, u_hi)}   (upper: {answer['how']})",
        f"retrain    {_bracket(s_lo, s_hi)}   (upper: {found.scratch[1].how(0)})",
        f"ratio      {answer['ratio'][0]:.4g} to {answer['ratio'][1]:.4g}",
        f"why        {', '.join(answer['claims'])}",
        *_distance(found, constants),
        *(f"assumes    {line}" for line in ASSUMES),
    ]
    return "\n".join(lines)


def _noise_line(answer: dict[str, Any], d: float) -> str:
    """Which noise to draw, at which scale, and what to do with the sum; scales are rounded up."""
    if answer["noise"] is None:
        return "none: nothing that depends on the forget data is released"
    if answer["sigma"] == 0:
        return "none: there is nothing to hide"
    sigma = float(f"{answer['sigma'] * (1 + 1e-5):.6g}")
    # E|z|^2 = d (d+1)/a^2 for the density exp(-a |z|): a = sqrt(d+1)/sigma.
    radial = f"density proportional to exp(-{math.sqrt(d + 1) / sigma:.6g} |z|)"
    law = "normal" if answer["noise"] == GAUSSIAN else radial
    where = "then project theta* + z on |theta| <= L/(2 mu)"
    return f"{law}, standard deviation {sigma:.6g} per coordinate (unit L/mu = 1 unless given); {where}"


def _bracket(low: int, high: int) -> str:
    return _gradients(high) if low == high else f"{low} to {_gradients(high)}"


def _gradients(count: int) -> str:
    return f"{count} gradient" if count == 1 else f"{count} gradients"


def _distance(found: Classification, constants: Constants) -> list[str]:
    lines = [f"{c.regime} at {c.parameter} = {c.value:.4g}" for c in crossings(found.query, constants)]
    return [f"boundary   {line}" for line in lines] or ["boundary   none within a factor 1e6"]


def _read(path: Path) -> list[dict[str, str | None]]:
    with path.open(newline="", encoding="utf-8") as source:
        reader = csv.DictReader(source)
        unknown = [name for name in reader.fieldnames or () if name not in PARAMETERS]
        if unknown:
            raise BadInput(f"{path}: unknown column {unknown[0]}; accepted: {', '.join(PARAMETERS)}")
        rows = [dict(row) for row in reader]
    if not rows:
        raise BadInput(f"{path}: no rows")
    return rows


def _write_csv(rows: list[Any], answers: list[dict[str, Any]]) -> None:
    columns = ["printed", "certified", "ratio_lo", "ratio_hi", "unlearn_lo", "unlearn_hi",
               "scratch_lo", "scratch_hi", "sigma", "noise", "how", "claims"]  # fmt: skip
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*rows[0], *columns])
    for row, a in zip(rows, answers, strict=True):
        ends = [*a["ratio"], *a["T_unlearn"], *a["T_scratch"]]
        last = [a["sigma"], a["noise"], a["how"], " ".join(a["claims"])]
        writer.writerow([*row.values(), a["printed"], a["certified"], *ends, *last])
