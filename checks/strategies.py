"""Hypothesis strategies made from a claim's hypotheses: its letters range over their declared domains.

Corners are part of every axis: r near 0 and 1, delta tiny, eps large, gamma = ±1, T = 0 and 1, d = 1.
One example is a batch: an instance that Hypothesis drew, and its neighbours, so that thousands of cases cost
a few dozen examples.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings, target
from hypothesis import strategies as st

from checks.measure.source import Axis, Batch, Instance, choice, linear, log, whole
from theory.symbols import Domain, Quantity, declared

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
    """The axis of a letter: its range, cut to its domain, with the domain's ends among the corners.

    >>> from theory.symbols import r
    >>> axis(r).corners
    (1e-06, 0.999999, 0.5)
    """
    return _inside(BY_NAME.get(quantity.symbol.name), quantity.domain)


def named(name: str) -> Axis:
    """The axis of a letter of the ledger, by name."""
    import sympy as sp

    return axis(declared(sp.Symbol(name, real=True)))


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


def fractions(bits: int) -> st.SearchStrategy[float]:
    """Multiples of 2^-bits in [0, 1), drawn bit by bit.

    Hypothesis mixes constants from the modules loaded so far into its floats and large integers, so that the
    same seed draws other examples when another test ran before; coins are the same on every machine.
    """
    coins = st.tuples(*[st.booleans()] * bits)
    return coins.map(lambda drawn_: sum(coin * 0.5 ** (k + 1) for k, coin in enumerate(drawn_)))


def numbers(axis_: Axis) -> st.SearchStrategy[float]:
    """One number of an axis: a corner, or anything in its range."""
    spread = fractions(20).map(lambda u: float(axis_.place(np.array([u]))[0]))
    return st.one_of(st.sampled_from(axis_.corners), spread)


def instances(space: Mapping[str, Axis]) -> st.SearchStrategy[Instance]:
    """One instance: a number on every axis."""
    return st.fixed_dictionaries({name: numbers(axis_) for name, axis_ in space.items()})


@st.composite
def batches(draw: st.DrawFn, space: Mapping[str, Axis], size: int) -> Batch:
    """An instance and `size - 1` others that share about a quarter of its numbers."""
    anchor = draw(instances(space))
    rng = np.random.default_rng(int(2**32 * draw(fractions(32))))
    found = {}
    for name, axis_ in space.items():
        keep = rng.random(size) < 0.25
        keep[0] = True
        found[name] = np.where(keep, anchor[name], axis_.draw(rng, size))
    return found


def drawn(space: Mapping[str, Axis], name: str, size: int, examples: int) -> list[Batch]:
    """The batches that Hypothesis draws for a space: the same ones on every machine.

    >>> [sorted(batch) for batch in drawn({"x": linear(0, 1)}, "doc", 4, 2)]
    [['x'], ['x']]
    """
    kept: list[Batch] = []
    explore(batches(space, size), name, examples, kept.append)
    return kept


def explore(
    strategy: st.SearchStrategy[Any], name: str, examples: int, visit: Callable[[Any], float | None]
) -> None:
    """Show `visit` the examples that Hypothesis draws; a number that it returns is sought to be large."""

    @seed(zlib.crc32(name.encode()))
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.target),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def visited(example: Any) -> None:
        found = visit(example)
        if found is not None and np.isfinite(found):
            target(float(found))

    visited()


__all__ = ["axis", "batches", "choice", "drawn", "explore", "instances", "named", "numbers"]
