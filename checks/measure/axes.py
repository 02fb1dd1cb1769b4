"""The axes that letters are drawn from: their declared domains, with the corners that matter in this paper.

Corners are part of every axis: r near 0 and 1, delta tiny, eps large, gamma = ±1, T = 0 and 1, d = 1.
"""

import numpy as np
import sympy as sp

from oubli.checks.measure.records import ledger
from oubli.checks.measure.source import Axis, linear, log, whole
from oubli.theory.kernel.symbols import Domain, Quantity, declared

# The letters whose corners matter in this paper, on their declared domains.
NEAR = 1e-6
BY_NAME: dict[str, Axis] = {
    "L": log(0.1, 10, (1.0, 2.0)),
    "mu": log(0.1, 10, (1.0, 2.0)),
    "r": linear(0, 1, (0.5,)),
    "d": whole(1, 1000),
    "epsilon": log(1e-3, 50, (1.0,)),
    "delta": log(1e-12, 1, (1e-5,)),
    "e": log(1e-6, 10, (1.0,)),
    "T": whole(0, 10**6),
    "gamma": linear(0, 1, (0.5,)),
    "kappa": log(1e-2, 1e2, (0.0, 1.0)),
}


def axis(quantity: Quantity) -> Axis:
    """The axis of a letter: its range, cut to its domain, with the domain's ends among the corners."""
    return _inside(BY_NAME.get(quantity.symbol.name), quantity.domain)


def named(name: str) -> Axis:
    """The axis of a letter of the paper, by name.

    >>> named("r").corners
    (1e-06, 0.999999, 0.5)
    """
    ledger()  # which declares the letters
    return axis(declared(sp.Symbol(name, real=True)))


def axes_of(names: str) -> dict[str, Axis]:
    """The axes of some letters of the paper: "L mu r"."""
    return {name: named(name) for name in names.split()}


def _inside(known: Axis | None, domain: Domain) -> Axis:
    low = None if domain.lower is None else float(domain.lower)
    high = None if domain.upper is None else float(domain.upper)
    if domain.integer:
        return known or whole(int(low or 0), 1000)
    if low is not None and high is not None:
        return _between(known or linear(low, high, ((low + high) / 2,)), low, high, domain)
    if low is not None:
        spread = known or log(1e-3, 1e3, (1.0,))
        return spread if domain.lower_open or low > 0 else _with_corner(spread, low)
    return known or linear(-10, 10, (0.0, 1.0, -1.0))


def _between(known: Axis, low: float, high: float, domain: Domain) -> Axis:
    """The axis inside a bounded domain; where it would touch an open end it stops a little before."""
    start, end = (float(known.place(np.array([u]))[0]) for u in (0.0, 1.0))
    inner = NEAR * (high - low)
    first = low + inner if domain.lower_open and start <= low else max(start, low)
    last = high - inner if domain.upper_open and end >= high else min(end, high)
    middle = tuple(c for c in known.corners if first < c < last)
    return Axis(lambda u: np.clip(known.place(u), first, last), known.locate, (first, last, *middle))


def _with_corner(axis_: Axis, corner: float) -> Axis:
    return Axis(axis_.place, axis_.locate, (corner, *axis_.corners))
