"""Letters of formulas with their domains, and the functions that formulas may apply to them.

A quantity is a symbol, the set it ranges over and what it stands for. One name has one domain in
the whole project: declaring it again with another is an error.

>>> OPEN_UNIT.contains(Fraction(1, 2)), OPEN_UNIT.contains(Fraction(1))
(True, False)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp


class EmptyDomainError(ValueError):
    """A domain that holds no number."""


@dataclass(frozen=True)
class Domain:
    """An interval of reals or integers; None is an infinite end."""

    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = False
    upper_open: bool = False
    integer: bool = False

    def __post_init__(self) -> None:
        if self.lower is None or self.upper is None:
            return
        if self.lower > self.upper or (self.lower == self.upper and (self.lower_open or self.upper_open)):
            raise EmptyDomainError(f"the domain {self} holds no number")

    def contains(self, value: Fraction) -> bool:
        """Whether an exact number lies in the domain."""
        above = self.lower is None or value > self.lower or (value == self.lower and not self.lower_open)
        below = self.upper is None or value < self.upper or (value == self.upper and not self.upper_open)
        return above and below and (not self.integer or value.denominator == 1)

    def __str__(self) -> str:
        left = "(-oo" if self.lower is None else f"{'(' if self.lower_open else '['}{self.lower}"
        right = "oo)" if self.upper is None else f"{self.upper}{')' if self.upper_open else ']'}"
        return f"{left}, {right}{' of integers' if self.integer else ''}"


@dataclass(frozen=True)
class Quantity:
    """A letter of a statement, where it ranges, and what it means.

    A measured letter stands for something (a risk, a distance, a probability): a lemma about it may be
    applied to another letter with the same meaning, never to a chosen number. A parameter may be chosen.
    """

    symbol: sp.Symbol
    domain: Domain
    meaning: str
    measured: bool = True
    # [a sort] for the name of an object, ["is", term] for an abbreviation.
    kind: Any = None


REAL = Domain()
NONNEGATIVE = Domain(Fraction(0))
POSITIVE = Domain(Fraction(0), lower_open=True)
UNIT = Domain(Fraction(0), Fraction(1))
OPEN_UNIT = Domain(Fraction(0), Fraction(1), True, True)
NATURAL = Domain(Fraction(0), integer=True)
COUNT = Domain(Fraction(1), integer=True)

_declared: dict[str, Quantity] = {}


def quantity(name: str, domain: Domain = REAL, meaning: str = "", measured: bool = True) -> Quantity:
    """Declare a quantity; the same name must always have the same domain."""
    fresh = Quantity(sp.Symbol(name, real=True), domain, meaning, measured)
    known = _declared.setdefault(name, fresh)
    if known.domain != domain:
        raise ValueError(f"{name} is already declared on {known.domain}, not on {domain}")
    return known


def declare_kind(name: str, kind: Any, meaning: str = "") -> sp.Symbol:
    """Declare the name of an object or an abbreviation; the same name must always mean the same."""
    fresh = Quantity(sp.Symbol(name, real=True), REAL, meaning, False, kind)
    if _declared.setdefault(name, fresh).kind != kind:
        raise ValueError(f"{name} is already declared as something else")
    return fresh.symbol


def mentioned(node: Any) -> frozenset[str]:
    """The declared names in a term, those of its abbreviations too."""
    if isinstance(node, list):
        return frozenset[str]().union(*map(mentioned, node[1:]))
    return _behind(node) if isinstance(node, str) and node in _declared else frozenset()


@cache
def _behind(name: str) -> frozenset[str]:
    """A declared name with those of its abbreviation, which never change."""
    kind = _declared[name].kind or [""]
    return frozenset({name}) | (mentioned(kind[1]) if kind[0] == "is" else frozenset())


def declared(symbol: sp.Symbol) -> Quantity:
    """The quantity that a symbol belongs to; a symbol nobody declared is an error."""
    if symbol.name not in _declared:
        raise KeyError(f"unknown symbol {symbol.name}: declare it with quantity(name, domain, meaning)")
    return _declared[symbol.name]


def everything() -> tuple[Quantity, ...]:
    """All quantities that were declared."""
    return tuple(_declared.values())


def letter(name: str, domain: Domain = REAL, meaning: str = "") -> sp.Symbol:
    """The symbol of a measured quantity, for use in formulas."""
    return quantity(name, domain, meaning).symbol


def parameter(name: str, domain: Domain = REAL, meaning: str = "") -> sp.Symbol:
    """The symbol of a quantity that may be chosen freely in its domain."""
    return quantity(name, domain, meaning, measured=False).symbol


def normal_density(x: sp.Expr) -> sp.Expr:
    """The standard normal density."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


class Phi(sp.Function):  # type: ignore[misc]
    """The standard normal distribution function."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Its density."""
        return normal_density(self.args[0])


class phi1(sp.Function):  # type: ignore[misc]
    """(e^x - 1)/x, by its power series."""


class phi2(sp.Function):  # type: ignore[misc]
    """(e^x - 1 - x)/x^2, by its power series."""
