"""A claim of the ledger as numbers: its hypotheses and its conclusion, evaluated at arrays of letters.

Nothing here knows a formula: a changed record changes the check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp
from numpy.typing import NDArray
from scipy.special import exprel, ndtr

from oubli.sim.require import Array
from oubli.theory.kernel.statement import Statement

# Relative rounding of a handful of floating-point operations; statistical slack is in `confidence`.
ROUNDING = 1e-12

Bools = NDArray[np.bool_]


def _phi2(x: Array) -> Array:
    """(e^x - 1 - x)/x^2 without cancellation near 0."""
    series = sum(x**k / float(sp.factorial(k + 2)) for k in range(8))
    safe = np.where(np.abs(x) > 0.1, x, 1.0)
    return np.asarray(np.where(np.abs(x) > 0.1, (np.expm1(safe) - safe) / safe**2, series))


FUNCTIONS: dict[str, Any] = {"Phi": ndtr, "phi1": exprel, "phi2": _phi2}
PRECISE: dict[str, Any] = {
    "Phi": mp.ncdf,
    "phi1": lambda x: mp.expm1(x) / x,
    "phi2": lambda x: (mp.expm1(x) - x) / x**2,
}
# Where floats say that a relation fails it is evaluated again: all cases of the deep profile, if need be.
MOST_DOUBTS = 40_000


class NotMeasuredError(ValueError):
    """A letter of the claim that nobody measured, or a number that came out as nan."""


@dataclass(frozen=True, eq=False)
class Letters:
    """Values of letters, one entry per case, and how far each may be from the truth.

    >>> Letters({"D": np.array([1.0, 2.0])}).size
    2
    """

    values: Mapping[str, Array]
    errors: Mapping[str, Array] | None = None
    valid: Bools | None = None

    @property
    def size(self) -> int:
        """Number of cases."""
        return max((np.size(v) for v in self.values.values()), default=1)

    def error(self, name: str) -> Array:
        """How far a letter may be from the truth."""
        return np.asarray((self.errors or {}).get(name, 0.0), dtype=float)

    def kept(self) -> Bools:
        """The cases that meet the drawn hypotheses; all of them by default."""
        return np.ones(self.size, dtype=bool) if self.valid is None else self.valid

    def take(self, rows: Any) -> Letters:
        """Some of the cases."""
        cut = {name: np.broadcast_to(v, (self.size,))[rows] for name, v in self.values.items()}
        errors = {name: np.broadcast_to(v, (self.size,))[rows] for name, v in (self.errors or {}).items()}
        return Letters(cut, errors, self.kept()[rows])


@dataclass(frozen=True, eq=False)
class Found:
    """A relation at each case: both sides, smaller one first, and what rounding and errors can explain."""

    small: Array
    large: Array
    slack: Array
    fails: Bools
    ratio: Array


@dataclass(frozen=True, eq=False)
class Numeric:
    """One relation as a function of arrays; `names` are its letters."""

    names: tuple[str, ...]
    sides: Callable[..., tuple[Array, Array]]
    precise: Callable[..., tuple[Any, Any]]
    equal: bool
    strict: bool

    def at(self, letters: Letters) -> Found:
        """Both sides, the slack and whether the relation fails beyond it; a nan is an error."""
        found = self.anyhow(letters)
        lost = np.isnan(found.small) | np.isnan(found.large)
        if lost.any():
            row = int(np.argmax(lost))
            raise NotMeasuredError(
                f"nan at { ({n: float(letters.take([row]).values[n][0]) for n in self.names}) }"
            )
        return found

    def anyhow(self, letters: Letters) -> Found:
        """The same where a nan is just a failure."""
        missing = [name for name in self.names if name not in letters.values]
        if missing:
            raise NotMeasuredError(f"nothing measures {', '.join(missing)}")
        size = letters.size
        values = [np.broadcast_to(np.asarray(letters.values[n], dtype=float), (size,)) for n in self.names]
        small, large = self._both(values, size)
        slack = self._slack(values, letters, small, large)
        with np.errstate(all="ignore"):
            gap = large - small
        gap = self._sure(gap, slack, values)
        fails = np.abs(gap) > slack if self.equal else gap < -slack
        fails = fails | np.isnan(gap) | (self.strict & (gap == 0))
        return Found(small, large, slack, fails, _ratio(small, large, slack, fails, self.equal))

    def _both(self, values: list[Array], size: int) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            small, large = self.sides(*values)
        return (
            np.broadcast_to(np.asarray(small, dtype=float), (size,)),
            np.broadcast_to(np.asarray(large, dtype=float), (size,)),
        )

    def _sure(self, gap: Array, slack: Array, values: list[Array]) -> Array:
        """The gap, in sixty digits wherever floats say that it fails: rounding is no failure."""
        doubtful = np.flatnonzero((np.abs(gap) > slack) if self.equal else (gap < -slack))[:MOST_DOUBTS]
        gap = np.array(gap)
        with mp.workdps(60):
            for row in doubtful:
                try:
                    small, large = self.precise(*(mp.mpf(float(v[row])) for v in values))
                    gap[row] = float(mp.re(large - small))
                except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                    continue
        return gap

    def _slack(self, values: list[Array], letters: Letters, small: Array, large: Array) -> Array:
        """How far the gap moves when each letter moves by its error and its rounding, one after the other."""
        finite = np.isfinite(small) & np.isfinite(large)
        gap = np.where(finite, large - small, 0.0)
        slack = ROUNDING * np.where(finite, np.abs(small) + np.abs(large), 0.0)
        for i, name in enumerate(self.names):
            move = letters.error(name) + ROUNDING * np.abs(values[i])
            for sign in (1.0, -1.0):
                moved = [*values[:i], values[i] + sign * move, *values[i + 1 :]]
                less, more = self._both(moved, letters.size)
                with np.errstate(all="ignore"):
                    change = np.abs((more - less) - gap)
                slack = slack + np.where(np.isfinite(change), change, 0.0)
        return slack


def _ratio(small: Array, large: Array, slack: Array, fails: Bools, equal: bool) -> Array:
    """attained / claimed, certainly attained: 1 is equality, above 1 a violation; by the gap without a bound.

    0 <= 0 attains nothing and counts as 0; 0 < 0 fails, and counts as 1.
    """
    size = np.maximum(np.abs(small), np.abs(large))
    with np.errstate(all="ignore"):
        by_gap = np.where(size > 0, 1 - (large - small + slack) / size, np.where(fails, 1.0, 0.0))
        plain = np.where(large > 0, (small - slack) / np.where(large > 0, large, 1.0), by_gap)
        apart = np.where(fails, 1 + np.abs(large - small) / np.where(size > 0, size, 1.0), 1.0)
    return np.asarray(np.where(np.isnan(plain), 0.0, apart if equal else plain))


@cache
def numeric(relation: Any) -> Numeric:
    """A relation of the ledger as a function of arrays.

    >>> x, y = sp.symbols("x y")
    >>> found = numeric(sp.Le(x, 2 * y)).at(Letters({"x": np.array([1.0, 3.0]), "y": np.array([1.0])}))
    >>> found.fails.tolist(), found.ratio.round(9).tolist()
    ([False, True], [0.5, 1.5])
    """
    symbols = sorted(relation.free_symbols, key=lambda s: s.name)
    small, large = ordered(relation)
    sides = sp.lambdify(symbols, (small, large), modules=[FUNCTIONS, "numpy"], dummify=True, cse=True)
    precise = sp.lambdify(symbols, (small, large), modules=[PRECISE, "mpmath"], dummify=True, cse=True)
    names = tuple(s.name for s in symbols)
    return Numeric(names, sides, precise, relation.rel_op == "==", relation.rel_op in ("<", ">"))


def ordered(relation: Any) -> tuple[Any, Any]:
    """The smaller side and the larger one; of a sum compared with 0 the negative terms change sides.

    >>> x, y = sp.symbols("x y")
    >>> ordered(sp.Ge(x - 2 * y, 0))
    (2*y, x)
    """
    above = relation.rel_op in (">=", ">")
    small, large = (relation.rhs, relation.lhs) if above else (relation.lhs, relation.rhs)
    if not (small == 0 or large == 0):
        return small, large
    terms = sp.Add.make_args(large - small)
    taken = [term for term in terms if term.could_extract_minus_sign()]
    return sp.Add(*(-term for term in taken)), sp.Add(*(t for t in terms if t not in taken))


def side(relation: Any, name: str, letters: Letters) -> Array:
    """The bound that a relation puts on the bare letter `name`, from the record: nobody retypes it.

    >>> x, y = sp.symbols("x y")
    >>> side(sp.Ge(x, 2 * y), "x", Letters({"y": np.array([1.5])})).tolist()
    [3.0]
    """
    names, value = _bound(relation, name)
    return np.asarray(value(*(letters.values[n] for n in names)), dtype=float)


@cache
def _bound(relation: Any, name: str) -> tuple[tuple[str, ...], Callable[..., Array]]:
    other = relation.rhs if getattr(relation.lhs, "name", None) == name else relation.lhs
    symbols = sorted(other.free_symbols, key=lambda s: s.name)
    value = sp.lambdify(symbols, other, modules=[FUNCTIONS, "numpy"], dummify=True)
    return tuple(s.name for s in symbols), value


@dataclass(frozen=True, eq=False)
class Judged:
    """One claim on many cases: its conclusion, and the hypotheses that the cases do not meet."""

    says: Found
    unmet: Mapping[str, Bools]


def judged(statement: Statement, letters: Letters) -> Judged:
    """The conclusion at every case, and every hypothesis whose letters were measured.

    >>> from oubli.theory.paper.ledger import ledger
    >>> claim = ledger().claims["tv_bound.arcsine"].statement
    >>> bool(judged(claim, Letters({"x_unit": np.array([0.5, 1.0])})).says.fails.any())
    False
    """
    unmet = {}
    for item in statement.given:
        relation = numeric(item.relation)
        if all(name in letters.values for name in relation.names):
            fails = relation.at(letters).fails
            if fails.any():
                unmet[str(item.relation)] = fails
    return Judged(numeric(statement.says).at(letters), unmet)
