"""The paper's letters with their domains, and what is derived from them.

A quantity is a symbol, the set it ranges over and what it stands for. One name has one domain in
the whole project: declaring it again with another is an error.

>>> r.domain.contains(Fraction(1, 2)), r.domain.contains(Fraction(1))
(True, False)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp


class EmptyDomain(ValueError):
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
            raise EmptyDomain(f"the domain {self} holds no number")

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


r = quantity("r", OPEN_UNIT, "r_f, the fraction of the data to forget", measured=False)
L = parameter("L", POSITIVE, "Lipschitz constant of the losses on the ball")
mu = parameter("mu", POSITIVE, "strong convexity of the losses on the ball")
r_f = r.symbol
d = parameter("d", COUNT, "dimension of the parameters")
eps = parameter("epsilon", POSITIVE, "privacy budget, multiplicative part")
delta = parameter("delta", OPEN_UNIT, "privacy budget, additive part")
e = parameter("e", POSITIVE, "target excess risk")
T = parameter("T", NATURAL, "number of stochastic gradients")
gamma = parameter("gamma", UNIT, "mean of the signs g on the retain data")
kappa = parameter("kappa", NONNEGATIVE, "noise scale per unit of sensitivity")

R = L / (2 * mu)
e0 = L**2 / (8 * mu)
rho = r_f / (1 - r_f)


def classical_kappa(epsilon: sp.Expr, delta_: sp.Expr) -> sp.Expr:
    """The paper's kappa, l.496: sqrt(2 ln(1.25/delta))/epsilon.

    >>> classical_kappa(sp.Integer(1), sp.Rational(5, 4))
    0
    """
    return sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta_)) / epsilon


def normal_density(x: sp.Expr) -> sp.Expr:
    """The standard normal density."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


def small_budget() -> tuple[sp.Basic, sp.Basic]:
    """eps <= 1, and kappa is the classical one: where noise kappa is proved private (gauss.kappa.small)."""
    tied = sp.Eq(kappa * eps, sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)), evaluate=False)
    return sp.Le(eps, 1, evaluate=False), tied


class Phi(sp.Function):  # type: ignore[misc]
    """The standard normal distribution function."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Its density."""
        return normal_density(self.args[0])


class phi1(sp.Function):  # type: ignore[misc]
    """(e^x - 1)/x, by its power series."""


class phi2(sp.Function):  # type: ignore[misc]
    """(e^x - 1 - x)/x^2, by its power series."""
