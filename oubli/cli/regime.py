"""`oubli regime`: add noise, fine-tune or retrain? A recommendation for one question, or answers to many."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from oubli.answers.answer import Answer, Setting, answer
from oubli.answers.question import Question, question
from oubli.cli.output import show
from oubli.cli.working import working
from oubli.errors import InputError, OubliError
from oubli.theory.regimes import Constants, Noise, Notion

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
@click.option(
    "--target",
    help="Target excess risk in units e0 = L²/(8μ); 1/n for the order of the generalisation error. Without a "
    "target the answer is given as a function of it.",
)
@click.option(
    "--risk", "--target-risk", "risk", help="Target as a risk, with --L and --mu, instead of --target."
)
@click.option("--L", "L", help="Lipschitz constant, with --mu; `oubli constants` finds both.")
@click.option("--mu", help="Strong convexity, with --L.")
@click.option(
    "--batch",
    "--csv",
    "table",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Many rows: .csv, .jsonl or .parquet with columns named like the options; - is CSV from stdin.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Where the answer goes: .txt or .json; for a batch .csv, .jsonl or .parquet [default: stdout].",
)
@click.option(
    "--every",
    is_flag=True,
    help="Batches: decide all rows in ball arithmetic (some 2 ms each), not only 10,000 and each 100th.",
)
@click.option("--fast", is_flag=True, help="Batches: decide none so (see `oubli help regime`).")
@click.option("--jobs", type=click.IntRange(1), help="Batches: worker processes [default: all cores].")
@click.option("--explain", is_flag=True, help="Why, claim by claim, with the numbers put in.")
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Draw the diagram with this point (.png, .svg)."
)
@click.option(
    "--constants",
    type=click.Choice([c.value for c in Constants]),
    default="sharp",
    show_default=True,
    help="The sharpest proved constants, or those of the paper, repaired.",
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
    table: Path | None,
    out: Path | None,
    every: bool,
    fast: bool,
    jobs: int | None,
    explain: bool,
    plot: Path | None,
    constants: str,
    notion: str,
    noise: str,
    as_json: bool,
    **row: str | None,
) -> None:
    """Add noise, fine-tune, or retrain? What to do in numbers, what is proved, what would change it.

    \b
    Examples:
      oubli regime --n 60000 --forget 100 --dim 7850 --eps 1 --delta 1e-5
      oubli regime --n 60000 --forget 100 --dim 7850 --eps 1 --delta 1e-5 --target 1/n --explain
      oubli regime --rf 0.001 --eps 1 --delta 1e-5 --dim 10 --target 0.05 --plot point.png
      oubli regime --n 60000 --forget 60 --eps 4 --delta 1e-6 --dim 10 --L 2 --mu 1 --risk 0.02
      oubli regime --batch questions.csv --out answers.parquet
    """
    setting = Setting(Constants(constants), Notion(notion), Noise(noise))
    if table is None:
        _one(question(row), setting, out, explain, plot, as_json)
        return
    if any(row.values()) or explain or plot:
        raise InputError("give either --batch or the parameters of one row, not both")
    if every and fast:
        raise InputError("give either --every or --fast, not both")
    if as_json and out is not None:
        raise InputError(f"out = {out}: --json is for the screen; FILE.jsonl holds JSON lines")
    from oubli.answers.batch import answer_file, every_row, no_row, some_rows

    decided = every_row if every else no_row if fast else some_rows
    answer_file(table, out, setting, as_json=as_json, decided=decided, jobs=jobs)


def _one(
    asked: Question, setting: Setting, out: Path | None, explain: bool, plot: Path | None, as_json: bool
) -> None:
    with working("looking for the boundaries"):
        found = _answered(asked, setting)
    data, text = dict(found.data), found.text
    if (explain or plot) and not isinstance(found, Answer):
        raise InputError("--explain and --plot speak of one point: give --target or --risk")
    if explain:
        from oubli.answers.explain import explained

        why = explained(found.found, 0)
        data, text = data | {"explanation": why.data}, why.text + "\n\n" + text
    if plot is not None:
        from oubli.answers.point_plot import draw_point

        with working(f"drawing {plot}"):
            draw_point(plot, asked, found.data, setting.constants)
    show(data, text, out, as_json)


def _answered(asked: Question, setting: Setting) -> Any:
    if asked.target is not None:
        return answer(asked, setting)
    from oubli.answers.sweep import sweep

    return sweep(asked, setting)
