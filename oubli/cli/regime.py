"""`oubli regime`: add noise, fine-tune or retrain? Certified brackets and regimes, one row or a CSV."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from oubli.errors import InputError, OubliError
from oubli.sim.laws.exact import exact
from oubli.theory.regimes import Classification, Constants, Noise, Notion, classify
from oubli.theory.regimes.distance import crossings
from oubli.theory.regimes.enclosed import decide
from oubli.theory.regimes.noise import GAUSSIAN
from oubli.theory.regimes.recipe import recipe
from oubli.theory.regimes.registry import ASSUMES, left_out

PARAMETERS = ("rf", "n", "forget", "eps", "delta", "dim", "target", "L", "mu", "target_risk")
MANY = 1500
Row = Mapping[str, str | None]
_Arguments = ParamSpec("_Arguments")


def one_line(run: Callable[_Arguments, None]) -> Callable[_Arguments, None]:
    """What the calculator rejects is bad input: one line, exit status 2."""

    @wraps(run)
    def wrapped(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        try:
            run(*args, **kwargs)
        except OubliError:
            raise
        except ValueError as error:
            raise InputError(str(error)) from None

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
        raise InputError("give either --csv or the parameters of one row, not both")
    found = classified(rows, Constants(constants), Notion(notion), Noise(noise))
    units = [unit_of(r) for r in rows]
    with progress(len(rows)) as shown:
        decide(found, shown)
    if table is None:
        answer = answer_of(found, 0, units[0])
        click.echo(json.dumps(answer) if as_json else screen(found, answer, Constants(constants)))
    elif as_json:
        click.echo(json.dumps({"rows": [answer_of(found, i, u) for i, u in enumerate(units)]}))
    else:
        _write_csv(rows, [answer_of(found, i, u) for i, u in enumerate(units)])


def progress(rows: int) -> Any:
    """The numbers of the rows, behind a bar where deciding them takes more than about two seconds."""
    many = click.progressbar(range(rows), label="deciding", file=sys.stderr)
    return many if rows > MANY else nullcontext(range(rows))


def classified(rows: list[Any], constants: Constants, notion: Notion, noise: Noise) -> Classification:
    """The rows, parsed exactly and classified at once."""
    named = {"rf": _forget_fraction, "target": _target}
    columns = {name: [read(row) for row in rows] for name, read in named.items()}
    for name in ("eps", "delta", "dim"):
        columns[name] = [_number(row, name) for row in rows]
    return classify(**columns, constants=constants, notion=notion, noise=noise)


def _number(row: Row, name: str) -> float:
    text = row.get(name)
    if text is None or text == "":
        raise InputError(f"{name} is missing: give --{name.replace('_', '-')}")
    if name == "eps" and text.strip().lower() in ("inf", "oo", "∞"):
        return math.inf
    return _double(exact(text, name), f"{name} = {text}", name)


def _double(value: Fraction, given: str, name: str) -> float:
    """A rational as a double; InputError where it has no digit in common with one."""
    try:
        found = float(value)
    except OverflowError:
        raise InputError(f"{given}: {name} is too large") from None
    if found == 0 and value != 0:
        raise InputError(f"{given}: {name} is too small")
    return found


def _has(row: Row, name: str) -> bool:
    return row.get(name) not in (None, "")


def _forget_fraction(row: Row) -> float:
    if _has(row, "rf"):
        if _has(row, "n") or _has(row, "forget"):
            raise InputError("give either --rf or --n with --forget, not both")
        return _number(row, "rf")
    if not (_has(row, "n") and _has(row, "forget")):
        raise InputError("give --rf, or --n with --forget")
    n, k = (exact(str(row[name]), name) for name in ("n", "forget"))
    if n.denominator != 1 or k.denominator != 1 or not 0 <= k < n:
        raise InputError(
            f"n = {row['n']}, forget = {row['forget']}: both must be integers with 0 <= forget < n"
        )
    return _double(Fraction(k, n), _given(row, "n", "forget"), "forget/n")


def _target(row: Row) -> float:
    if _has(row, "target"):
        if _has(row, "target_risk"):
            raise InputError("give either --target or --target-risk, not both")
        return _number(row, "target")
    if not all(_has(row, name) for name in ("target_risk", "L", "mu")):
        raise InputError("give --target, or --target-risk with --L and --mu")
    L, mu, risk = (exact(str(row[name]), name) for name in ("L", "mu", "target_risk"))
    _positive(L, mu, row)
    return _double(8 * mu * risk / L**2, _given(row, "target_risk", "L", "mu"), "target-risk/e0")


def unit_of(row: Row) -> float:
    """L/mu, the unit of the noise; 1 where they are not given."""
    if not (_has(row, "L") and _has(row, "mu")):
        if _has(row, "L") or _has(row, "mu"):
            raise InputError("give --L and --mu together")
        return 1.0
    L, mu = (exact(str(row[name]), name) for name in ("L", "mu"))
    _positive(L, mu, row)
    unit = _double(L / mu, _given(row, "L", "mu"), "L/mu")
    if not 1e-100 <= unit <= 1e100:
        raise InputError(f"{_given(row, 'L', 'mu')}: L/mu must be in [1e-100, 1e100]")
    return unit


def _given(row: Row, *names: str) -> str:
    return ", ".join(f"{name.replace('_', '-')} = {row[name]}" for name in names)


def _positive(L: Fraction, mu: Fraction, row: Row) -> None:
    if L <= 0 or mu <= 0:
        raise InputError(f"L = {row['L']}, mu = {row['mu']}: both must be positive")


def answer_of(found: Classification, row: int, unit: float = 1.0) -> dict[str, Any]:
    """One row of a classification as JSON: brackets as integers, the ratio rounded outwards.

    Args:
        found: The classification.
        row: The number of the row.
        unit: L/mu, the unit of the noise.

    Returns:
        The fields of the answer, by name.
    """
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
        "left_out": list(left_out()),
    }


def screen(found: Classification, answer: dict[str, Any], constants: Constants) -> str:
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
        *(f"left out   {key}: not proved, or changed since it was (`make accepted`)" for key in left_out()),
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
            raise InputError(f"{path}: unknown column {unknown[0]}; accepted: {', '.join(PARAMETERS)}")
        rows = [dict(row) for row in reader]
    if not rows:
        raise InputError(f"{path}: no rows")
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
