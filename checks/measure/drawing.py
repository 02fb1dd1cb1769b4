"""Batches of instances, drawn by Hypothesis from the axes of a source.

One example is a batch: an instance that Hypothesis drew, and its neighbours, so that thousands of cases cost
a few dozen examples.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings, target
from hypothesis import strategies as st

from oubli.checks.measure.source import Axis, Batch, Instance


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

    >>> from oubli.checks.measure.source import linear
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
