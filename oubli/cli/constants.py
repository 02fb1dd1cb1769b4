"""`oubli constants`: L, mu and R of a regularised logistic or ridge model, and what of it is certified."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import click
import numpy as np

from oubli.answers.constants import Model, ModelConstants
from oubli.answers.constants import constants as constants_of
from oubli.cli.output import show
from oubli.cli.regime import one_line
from oubli.cli.working import working
from oubli.errors import InputError


@click.command("constants")
@click.option("--model", type=click.Choice([m.value for m in Model]), required=True, help="The model.")
@click.option("--lambda", "lam", type=float, required=True, help="λ of the regulariser (λ/2) |θ|².")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    help="An .npz with X (samples by features) and y, or an .npy with X alone.",
)
@click.option("--bound", type=float, help="A bound on |x| that is fixed in advance [default: the largest].")
@click.option("--intercept", is_flag=True, help="A constant 1 is a further feature, regularised too.")
@click.option("--out", type=click.Path(path_type=Path), help="Where the answer goes: .txt or .json.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@one_line
def constants(
    model: str,
    lam: float,
    data: Path,
    bound: float | None,
    intercept: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """The constants L, μ and R of a regularised model, for `oubli regime`; exit status 1 if there are none.

    \b
    Examples:
      oubli constants --model logistic --lambda 0.01 --data mnist.npz --intercept
      oubli constants --model ridge --lambda 2 --data table.npz --bound 1 --json
    """
    with working(f"reading {data}"):
        X, y = _loaded(data)
        found = constants_of(X, y, model=model, lam=lam, bound=bound, intercept=intercept)
    text = f"{found}\n{_next(found)}" if found.in_class else str(found)
    show(found.data, text, out, as_json)
    if not found.in_class:
        raise click.exceptions.Exit(1)


def _next(found: ModelConstants) -> str:
    given = f"--n {found.n} --dim {found.dim} --L {found.L!r} --mu {found.mu!r}"
    return f"Next: oubli regime {given} --forget … --eps … --delta …"


def _loaded(path: Path) -> tuple[Any, Any]:
    """X and y of a file; no pickled object is ever loaded."""
    try:
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            return found, None
        with found:
            names = ", ".join(found.files) or "nothing"
            if "X" not in found.files:
                raise InputError(f"{path}: no array X (it has {names[:80]})")
            return found["X"], found["y"] if "y" in found.files else None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'no .npz or .npy file'}") from None
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: no .npz or .npy file of numbers") from None
