"""`oubli phase theory`: the certified phase diagram, as a picture, as JSON, and as shares of the area."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np

from oubli.answers.question import number
from oubli.cli.output import write_text
from oubli.cli.regime import one_line
from oubli.cli.working import working
from oubli.errors import InputError
from oubli.theory.regimes import Constants, query
from oubli.theory.regimes.constants import known_constants
from oubli.theory.regimes.phase import KAPPAS, TARGETS, Boundaries, Plane, boundaries, ratio_map, shares_of
from oubli.theory.regimes.printed_curves import PrintedCurves, least_private_kappa, printed_curves

REGIMES = ("uncharted", "trivial", "efficient", "inefficient")
FACTORS = (10, 100, 1000)  # up to which the ratio T^U/T^S may be known
_SUFFIXES = (".png", ".svg", ".json")


# Loaded when called: the theory needs nothing of the experiments, nor of their extras.
_EXPERIMENTS = {"synthetic": "oubli.cli.phase_synthetic", "digits": "oubli.cli.phase_digits"}


class _PhaseGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *_EXPERIMENTS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _EXPERIMENTS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(_EXPERIMENTS[cmd_name]), cmd_name)
        return command


@click.group("phase", cls=_PhaseGroup)
def phase() -> None:
    """Phase diagrams over the target e/e0 and the privacy κ.

    \b
    Examples:
      oubli phase theory --rf 1e-3 --dim 10 --delta 1e-6
      oubli phase theory --html page.html
      oubli phase synthetic --quick
      oubli phase digits --dry-run
    """


@phase.command("theory", short_help="Which part of the (e/e0, κ) plane is certified.")
@click.option(
    "--rf", default="1e-3", show_default=True, help="Fraction of the data to forget, above 0 and below 1."
)
@click.option("--dim", default="10", show_default=True, help="Dimension of the parameters.")
@click.option("--delta", default="1e-6", show_default=True, help="δ, from 1e-300 to 0.9.")
@click.option(
    "--columns", type=click.IntRange(10, 4000), default=400, show_default=True, help="Targets on the axis."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Picture (.png, .svg) or grid (.json); no suffix: all three.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="An explorable page: sliders for r, d and δ, and the answer at every point.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@one_line
def theory(
    rf: str, dim: str, delta: str, columns: int, out: Path | None, html: Path | None, as_json: bool
) -> None:
    """What part of the (e/e0, κ) plane is certified, and into which regime; boundaries by solving.

    \b
    Examples:
      oubli phase theory --rf 1e-3 --dim 10 --delta 1e-6
      oubli phase theory --rf 1e-2 --dim 2 --delta 1e-5 --out diagram
      oubli phase theory --html diagram.html
    """
    fixed = _fixed(rf, dim, delta)
    if html is not None:
        from oubli.answers.explorer.page import page

        with working(f"writing {html}"):
            write_text(html, page(dict(zip(("rf", "dim", "delta"), fixed, strict=True))), "html")
    low, high = np.log(TARGETS)
    x = np.exp(low + (high - low) * (np.arange(columns) + 0.5) / columns)
    with working("solving for the boundaries"):
        found = {c: boundaries(Plane(*fixed, c), x) for c in Constants}
        document = _document(fixed, found)
    for path in _paths(out):
        _save(path, fixed, found, document)
    short = {name: document[name] for name in ("parameters", "shares", "known_within", "constants")}
    click.echo(json.dumps(short) if as_json else _text(document))


def _fixed(rf: str, dim: str, delta: str) -> tuple[float, int, float]:
    """The fixed parameters, checked as a query; r = 0 has no diagram."""
    given = {"rf": rf, "dim": dim, "delta": delta}
    r, d, p = (number(given, name) for name in given)
    query(rf=r, eps=1.0, delta=p, dim=d, target=1.0)
    if r == 0:
        raise InputError("rf = 0: nothing is to be forgotten, every point is trivial")
    return r, int(d), p


def _paths(out: Path | None) -> list[Path]:
    if out is None:
        return []
    if out.suffix == "":
        return [out.with_suffix(suffix) for suffix in _SUFFIXES]
    if out.suffix not in _SUFFIXES:
        raise InputError(
            f"out = {out}: the suffix must be one of {', '.join(_SUFFIXES)}, or none for all three"
        )
    return [out]


def _document(fixed: tuple[float, int, float], found: dict[Constants, Boundaries]) -> dict[str, Any]:
    rf, dim, delta = fixed
    kappas = np.geomspace(*KAPPAS, 201)
    answer: dict[str, Any] = {
        "parameters": {"rf": rf, "dim": dim, "delta": delta, "e/e0": list(TARGETS), "kappa": list(KAPPAS)},
        "shares": {},
        "x": found[Constants.SHARP].x.tolist(),
        "kappa": kappas.tolist(),
        "regimes": list(REGIMES),
        "least_private_classical_kappa": least_private_kappa(delta),
    }
    for constants, at in found.items():
        share = shares_of(at)
        parts = {name: getattr(share, name) for name in REGIMES[1:]}
        strict = {"strictly_inefficient": share.strict, "certified_strictly": share.certified_strictly}
        answer["shares"][constants.value] = {**parts, "certified": share.certified, **strict}
        answer[constants.value] = {
            "boundaries": {name: getattr(at, name).tolist() for name in REGIMES[1:]},
            "grid": _grid(at, kappas).tolist(),
        }
    made = ratio_map(Plane(*fixed))
    # JSON has no infinity: null where nothing is known from below.
    rows = [[value if np.isfinite(value) else None for value in row] for row in made.decades.tolist()]
    answer["ratio_map"] = {"x": made.x.tolist(), "kappa": made.kappa.tolist(), "log10_upper_over_lower": rows}
    answer["constants"] = [str(known) for known in known_constants(rf, dim)]
    answer["known_within"] = {str(factor): made.known_within(factor) for factor in FACTORS}
    return answer


def _grid(at: Boundaries, kappas: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.int64]:
    """The regime of every grid point, read off the solved boundaries: one row per kappa."""
    k = kappas[:, None]
    choices = [k <= at.trivial, k <= at.efficient, (k > at.inefficient) | (at.inefficient <= KAPPAS[0])]
    empty = [at.trivial <= KAPPAS[0], at.efficient <= KAPPAS[0]]
    conditions = [choices[0] & ~empty[0], choices[1] & ~empty[1], choices[2]]
    return np.asarray(np.select(conditions, [1, 2, 3], 0))


def _text(document: dict[str, Any]) -> str:
    at = document["parameters"]
    head = f"r = {at['rf']:g}, d = {at['dim']}, delta = {at['delta']:g}: certified share of the window"
    lines = [head, _cells("constants", (*REGIMES[1:], "certified", "at 1/100"))]
    for name, share in document["shares"].items():
        parts = (*REGIMES[1:], "certified", "certified_strictly")
        lines.append(_cells(name, tuple(f"{100 * share[key]:.1f} %" for key in parts)))
    known = [f"{100 * share:.1f} % up to {factor}" for factor, share in document["known_within"].items()]
    lines.append("  at 1/100: where inefficient means T^U >= T^S/100 instead of T^S/1000")
    lines.append(f"  the ratio T^U/T^S is 0, or known up to a factor: {', '.join(known)}")
    return "\n".join([*lines, *(f"  {line}" for line in document["constants"])])


def _cells(name: str, cells: tuple[str, ...]) -> str:
    widths = (9, 11, 13, 11, 10)
    return f"  {name:<17}" + "".join(f"{cell:>{n}}" for cell, n in zip(cells, widths, strict=True))


def _save(
    path: Path, fixed: tuple[float, int, float], found: dict[Constants, Boundaries], document: dict[str, Any]
) -> None:
    try:
        if path.suffix == ".json":
            path.write_text(json.dumps(document) + "\n", encoding="utf-8")
            return
        from oubli.answers.phase_plot import draw

        draw(path, fixed, found, _printed(fixed, document), document)
    except OSError as error:
        raise InputError(f"out = {path}: {error.strerror}") from None


def _printed(fixed: tuple[float, int, float], document: dict[str, Any]) -> PrintedCurves:
    return printed_curves(*fixed, np.array(document["x"]))
