"""One question as a person asks it: texts by the names of the options, in the units of L and mu."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from oubli.errors import InputError
from oubli.sim.laws.exact import exact

PARAMETERS = ("rf", "n", "forget", "eps", "delta", "dim", "target", "L", "mu", "risk", "target_risk")
Given = Mapping[str, str | None]
# L/mu and e0 stay where doubles are far from their ends, so that no later product overflows.
_FAR = (1e-100, 1e100)
_DIGITS = re.compile(r"\d{1,20}", re.ASCII)
_PLAIN = re.compile(r"[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})([eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class Question:
    """The numbers of one question; `target` is e/e0, and None asks for the answer as a function of it."""

    rf: float
    eps: float
    delta: float
    dim: float
    target: float | None
    n: int | None = None
    forget: int | None = None
    L: float | None = None
    mu: float | None = None

    @property
    def unit(self) -> float:
        """L/mu, the unit of distances; 1 where they are not given."""
        return 1.0 if self.L is None or self.mu is None else self.L / self.mu

    @property
    def e0(self) -> float | None:
        """L^2/(8 mu), the worst excess risk of the zero model; None where L and mu are not given."""
        return None if self.L is None or self.mu is None else self.unit * self.L / 8

    @property
    def risk(self) -> float | None:
        """The target as a risk."""
        return None if self.e0 is None or self.target is None else self.target * self.e0


def question(row: Given) -> Question:
    """The question that a row of texts asks.

    Args:
        row: Texts by name (`PARAMETERS`); None or an empty text is no answer.

    Returns:
        The question in doubles, each the nearest to what was written; InputError for what is missing,
        contradictory or no number.

    >>> asked = question({"n": "60000", "forget": "60", "eps": "4", "delta": "1e-6", "dim": "10",
    ...                   "target": "1/n", "L": "2", "mu": "0.5"})
    >>> asked.rf, asked.target, asked.e0
    (0.001, 1.6666666666666667e-05, 1.0)
    """
    n, forget = _counts(row)
    L, mu = _scales(row)
    return Question(
        rf=_fraction(row, n, forget),
        target=_target(row, n, L, mu),
        **{name: number(row, name) for name in ("eps", "delta", "dim")},
        n=n,
        forget=forget,
        L=None if L is None else _double(L, _given(row, "L"), "L"),
        mu=None if mu is None else _double(mu, _given(row, "mu"), "mu"),
    )


def has(row: Given, name: str) -> bool:
    """Whether a row gives something under a name."""
    return row.get(name) not in (None, "")


def number(row: Given, name: str) -> float:
    """The double nearest to what a row gives under a name; InputError if there is none."""
    if not has(row, name):
        raise InputError(f"{name} is missing: give --{name.replace('_', '-')}")
    text = str(row[name]).strip()
    if name == "eps" and text.lower() in ("inf", "oo", "∞"):
        return math.inf
    if _PLAIN.fullmatch(text) and 0 < abs(found := float(text)) < math.inf:
        return found  # the nearest double, as the long way gives it
    return _double(_exact(text, name), f"{name} = {_short(text)}", name)


def _exact(text: str, name: str) -> Fraction:
    if len(text) > 400:
        raise InputError(f"{name} = {_short(text)}: a number of at most 400 characters is needed")
    try:
        return exact(text, name)
    except ValueError as error:
        raise InputError(str(error).replace(text, _short(text))) from None


def _short(text: str) -> str:
    """A text that fits on a line, with what a terminal could stumble over made visible."""
    shown = text if len(text) <= 60 else text[:57] + "..."
    return shown if shown.isprintable() else ascii(shown)[1:-1]


def _double(value: Fraction, given: str, name: str) -> float:
    """A rational as a double; InputError where it has no digit in common with one."""
    try:
        found = float(value)
    except OverflowError:
        raise InputError(f"{given}: {name} is too large") from None
    if found == 0 and value != 0:
        raise InputError(f"{given}: {name} is too small")
    return found


def _counts(row: Given) -> tuple[int | None, int | None]:
    """n and the number of samples to forget, if they are given."""
    if has(row, "rf"):
        if has(row, "n") or has(row, "forget"):
            raise InputError("give either --rf or --n with --forget, not both")
        return None, None
    if not (has(row, "n") and has(row, "forget")):
        raise InputError("give --rf, or --n with --forget")
    n, forget = _whole(row, "n"), _whole(row, "forget")
    if n is None or forget is None or not 0 <= forget < n:
        raise InputError(f"{_given(row, 'n', 'forget')}: both must be integers with 0 <= forget < n")
    return n, forget


def _whole(row: Given, name: str) -> int | None:
    """The integer that a row gives under a name; None for another number."""
    text = str(row[name]).strip()
    if _DIGITS.fullmatch(text):
        return int(text)
    value = _exact(text, name)
    _double(value, _given(row, name), name)
    return int(value) if value.denominator == 1 else None


def _fraction(row: Given, n: int | None, forget: int | None) -> float:
    """The double nearest to the fraction; integers are divided exactly and rounded once."""
    return number(row, "rf") if n is None or forget is None else forget / n


def _scales(row: Given) -> tuple[Fraction | None, Fraction | None]:
    """L and mu, both or neither, and such that nothing made of them overflows."""
    if not (has(row, "L") and has(row, "mu")):
        if has(row, "L") or has(row, "mu"):
            raise InputError("give --L and --mu together")
        return None, None
    L, mu = (_exact(str(row[name]), name) for name in ("L", "mu"))
    given = _given(row, "L", "mu")
    if L <= 0 or mu <= 0:
        raise InputError(f"{given}: both must be positive")
    for value, name in ((L, "L"), (mu, "mu"), (L / mu, "L/mu"), (L**2 / (8 * mu), "e0 = L^2/(8 mu)")):
        if not Fraction(_FAR[0]) <= value <= Fraction(_FAR[1]):
            raise InputError(f"{given}: {name} must be in [1e-100, 1e100]")
    return L, mu


def _target(row: Given, n: int | None, L: Fraction | None, mu: Fraction | None) -> float | None:
    risk = next((name for name in ("risk", "target_risk") if has(row, name)), None)
    if has(row, "target"):
        if risk is not None:
            raise InputError("give either --target or --risk, not both")
        return _relative(row, n)
    if risk is None:
        return None
    if L is None or mu is None:
        raise InputError("give --risk with --L and --mu, or --target in units e0 = L^2/(8 mu)")
    value = 8 * mu * _exact(str(row[risk]), "risk") / L**2
    return _double(value, _given(row, risk, "L", "mu"), "risk/e0")


def _relative(row: Given, n: int | None) -> float:
    """e/e0: a number, or 1/n for the order of the generalisation error."""
    if str(row["target"]).replace(" ", "").lower() != "1/n":
        return number(row, "target")
    if n is None:
        raise InputError("target = 1/n: give --n with --forget")
    return 1 / n


def _given(row: Given, *names: str) -> str:
    return ", ".join(f"{name.replace('_', '-')} = {_short(str(row[name]))}" for name in names)
