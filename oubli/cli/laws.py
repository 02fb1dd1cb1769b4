"""`oubli tv` and `oubli gauss`: exact laws at the command line, with end points that enclose."""

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from oubli.cli.output import show
from oubli.errors import InputError
from oubli.sim import laws
from oubli.sim.laws.decimals import decimal_down, decimal_up, float_down, float_up
from oubli.sim.laws.exact import exact, exact_integer, exact_probability
from oubli.sim.laws.gaussian_domain import DELTA, EPSILON, SIGMA

_SPARE_DIGITS = 3  # printed beyond those asked for, so that rounding to decimals keeps the promised width
_ENDS = ("lower", "upper")
_DIGITS = click.option(
    "--digits",
    type=click.IntRange(1, 9_000),
    default=30,
    show_default=True,
    help="Digits that the enclosure guarantees.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
_OUT = click.option("--out", type=click.Path(path_type=Path), help="Where the answer goes: .txt or .json.")
_Arguments = ParamSpec("_Arguments")


def _one_line(run: Callable[_Arguments, None]) -> Callable[_Arguments, None]:
    """What the laws reject is bad input: one line, exit code 2."""

    @wraps(run)
    def wrapped(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        try:
            run(*args, **kwargs)
        except (ValueError, laws.PrecisionError) as error:
            raise InputError(str(error)) from None

    return wrapped


@click.command("tv", context_settings={"ignore_unknown_options": True})
@click.argument("t", metavar="T")
@click.argument("p", metavar="P")
@click.argument("q", metavar="Q")
@_DIGITS
@_OUT
@_JSON
@_one_line
def tv(t: str, p: str, q: str, digits: int, out: Path | None, as_json: bool) -> None:
    """Exact total variation of Bin(T,P) and Bin(T,Q), an enclosure, and the arcsine bound.

    P and Q are decimals (0.25, 1e-7), fractions (1/3) or g=X for (1+X)/2.

    \b
    Examples:
      oubli tv 100 0.5 0.55
      oubli tv 1000000000 0.5 g=1e-7 --digits 40
      oubli tv 12 1/3 2/3 --json
    """
    answer = _tv_answer(exact_integer(t, "T"), _probability(p, "P"), _probability(q, "Q"), digits)
    show(answer, _tv_text(answer), out, as_json)


@click.command("gauss")
@click.option("--eps", required=True, help="ε, from 1e-6 to 1e4.")
@click.option("--delta", help="δ, from 1e-300 to 0.9: asks for the least noise.")
@click.option("--sigma", help="σ, from 1e-6 to 1e12: asks for the least δ.")
@_DIGITS
@_OUT
@_JSON
@_one_line
def gauss(
    eps: str, delta: str | None, sigma: str | None, digits: int, out: Path | None, as_json: bool
) -> None:
    """Exact privacy of Gaussian noise (unit sensitivity), the classical κ, and whether κ holds here.

    \b
    Examples:
      oubli gauss --eps 1 --delta 1e-5
      oubli gauss --eps 10 --delta 1e-5 --json
      oubli gauss --eps 1/3 --sigma 4 --digits 50
    """
    if delta is not None and sigma is None:
        answer = _least_noise(EPSILON.exact(eps), DELTA.exact(delta), digits)
    elif sigma is not None and delta is None:
        answer = _least_delta(EPSILON.exact(eps), SIGMA.exact(sigma), digits)
    else:
        raise InputError("give exactly one of --delta and --sigma")
    show(answer, _gauss_text(answer), out, as_json)


def _probability(text: str, name: str) -> Fraction:
    if not text.startswith("g="):
        return exact_probability(text, name)
    g = exact(text.removeprefix("g="), f"{name}: g")
    if not -1 <= g <= 1:
        raise InputError(f"{name} = {text}: g must lie in [-1, 1]")
    return (1 + g) / 2


def _tv_answer(T: int, p: Fraction, q: Fraction, digits: int) -> dict[str, Any]:
    ends = laws.binomial_tv_ball(T, p, q, digits + _SPARE_DIGITS)
    value, bound = (float(sum(pair) / 2) for pair in (ends, laws.arcsine_distance_ball(T, p, q, 20)))
    return {
        "T": T,
        "p": float(p),
        "q": float(q),
        "value": value,
        **_enclosure("", ends, digits),
        "bound": bound,
        "ratio": value / bound if bound else None,
    }


def _least_noise(eps: Fraction, delta: Fraction, digits: int) -> dict[str, Any]:
    ends = laws.gaussian_sigma_ball(eps, delta, digits + _SPARE_DIGITS)
    return {
        "eps": float(eps),
        "delta": float(delta),
        "sigma": float_up(ends[1]),
        **_enclosure("sigma_", ends, digits),
        **_classical(eps, delta),
    }


def _least_delta(eps: Fraction, sigma: Fraction, digits: int) -> dict[str, Any]:
    ends = laws.gaussian_delta_ball(eps, sigma, digits + _SPARE_DIGITS)
    return {
        "eps": float(eps),
        "delta": float_up(ends[1]),
        **_enclosure("delta_", ends, digits),
        "sigma": float(sigma),
        **_enclosure("sigma_", (sigma, sigma), digits),
        **_classical(eps, Fraction(float_up(ends[1]))),
    }


def _classical(eps: Fraction, delta: Fraction) -> dict[str, Any]:
    """The classical noise at this δ; nothing where δ lies outside the range of the inverse problem."""
    if not DELTA.least <= delta <= DELTA.most:
        return dict.fromkeys(("kappa", "kappa_is_private", "kappa_delta", "eps_frontier"))
    return {
        "kappa": float(sum(laws.classical_kappa_ball(eps, delta, 20)) / 2),
        "kappa_is_private": laws.kappa_is_private(eps, delta),
        "kappa_delta": float_up(laws.kappa_delta_ball(eps, delta, 20)[1]),
        "eps_frontier": float_down(laws.eps_frontier(delta, 20)[0]),
    }


def _enclosure(prefix: str, ends: laws.Enclosure, digits: int) -> dict[str, str]:
    shown = digits + _SPARE_DIGITS
    return {f"{prefix}lower": decimal_down(ends[0], shown), f"{prefix}upper": decimal_up(ends[1], shown)}


def _tv_text(answer: dict[str, Any]) -> str:
    lines = [f"TV(Bin(T,p), Bin(T,q)) for T = {answer['T']}, p = {answer['p']!r}, q = {answer['q']!r}"]
    lines += [f"  {key:<6} {answer[key]}" for key in ("value", "lower", "upper")]
    lines.append(f"  bound  {answer['bound']!r}   (√T/2 · |arcsin γ' − arcsin γ|)")
    if answer["ratio"] is not None:
        lines.append(f"  ratio  {answer['ratio']!r}   (value/bound)")
    return "\n".join(lines)


def _gauss_text(answer: dict[str, Any]) -> str:
    lines = [f"Gaussian noise, unit sensitivity, eps = {answer['eps']!r}"]
    for name in ("delta", "sigma"):
        lines.append(f"  {name:<6} {answer[name]!r}")
        lines += [f"  {end:<6} {answer[f'{name}_{end}']}" for end in _ENDS if f"{name}_{end}" in answer]
    return "\n".join([*lines, *_classical_text(answer)])


def _classical_text(answer: dict[str, Any]) -> list[str]:
    if answer["kappa"] is None:
        return ["  kappa  not given: delta lies outside [1e-300, 0.9]"]
    holds = "private here" if answer["kappa_is_private"] else "NOT private here"
    return [
        f"  kappa  {answer['kappa']!r}   ({holds}: its exact delta is {answer['kappa_delta']!r})",
        f"  at this delta kappa is private for every eps up to {answer['eps_frontier']!r}, not beyond",
    ]
