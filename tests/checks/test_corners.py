"""The corners of the paper's letters are really drawn, by the sources that the checks use."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from oubli.checks.measure import binomial, efficient, lecam, losses, privacy, problems, trivial
from oubli.checks.measure.algorithms import RATE
from oubli.checks.measure.axes import named
from oubli.checks.measure.check import BATCH, source_for
from oubli.checks.measure.drawing import drawn, numbers
from oubli.checks.measure.registry import MEASURED, ledger
from oubli.checks.measure.source import Batch, Source

# Per corner: sources of the checks, the axis, and what counts as being there.
CORNERS: dict[str, tuple[tuple[Source, ...], str, Callable[[np.ndarray], np.ndarray]]] = {
    "r near 0": ((problems.PROBLEMS, trivial.FLOOR), "r", lambda v: v <= 1e-6),
    "r near 1": ((problems.PROBLEMS, trivial.FLOOR), "r", lambda v: v >= 1 - 1e-6),
    "delta tiny": ((privacy.GAUSS, privacy.SMALL), "delta", lambda v: v <= 1e-11),
    "delta near 1": ((privacy.GAUSS, privacy.SMALL), "delta", lambda v: v >= 0.99),
    "eps tiny": ((privacy.CLOSE, privacy.REFERENCE), "epsilon", lambda v: v <= 1e-3),
    "eps large": ((privacy.GAUSS, privacy.CLOSE, privacy.REFERENCE), "epsilon", lambda v: v >= 9.99),
    "gamma = 1": ((RATE, trivial.NOISE, efficient.STEPS, lecam.FINITE), "gamma", lambda v: v == 1),
    "gamma = -1": ((RATE, trivial.NOISE, efficient.STEPS), "gamma", lambda v: v == -1),
    "gamma_min = -1": ((binomial.CLOSED,), "first", lambda v: v == -1),
    "gamma_max = 1": ((binomial.CLOSED,), "second", lambda v: v == 1),
    "T = 0": ((binomial.CLOSED, RATE, lecam.FINITE, lecam.PRIVATE), "T", lambda v: v == 0),
    "T = 1": ((binomial.CLOSED, RATE, lecam.FINITE, efficient.STEPS), "T", lambda v: v == 1),
    "T large": ((binomial.CLOSED, RATE, lecam.LOWER), "T", lambda v: v >= 1e5),
    "d = 1": ((problems.PROBLEMS, losses.FAMILY, RATE, efficient.EXPECTATION), "d", lambda v: v == 1),
    "d large": ((losses.FAMILY,), "d", lambda v: v >= 500),
}


@cache
def first_batches(source: Source) -> Batch:
    """The instances of a quick run, before anything is measured on them."""
    size = min(BATCH, source.cases)
    found = drawn(source.space, f"{source.name} 0", size, -(-source.cases // size))
    return {name: np.concatenate([batch[name] for batch in found]) for name in source.space}


@pytest.mark.parametrize("corner", CORNERS)
def test_a_quick_run_draws_the_corner(corner: str) -> None:
    sources, name, there = CORNERS[corner]
    for source in sources:
        assert any(source in group for group in MEASURED.values()), source.name
        assert there(first_batches(source)[name]).sum() >= 3, source.name


@pytest.mark.parametrize("key", ["inefficient.c3", "trivial.step4", "efficient.balanced"])
def test_claims_drawn_from_their_hypotheses_meet_the_corners_of_their_letters(key: str) -> None:
    source = source_for(ledger().claims[key], None)
    batch = first_batches(source)
    for name in {"r", "d", "epsilon", "delta", "T", "gamma"} & source.space.keys():
        for corner in named(name).corners:
            assert (batch[name] == corner).any(), (name, corner)


def test_hypothesis_itself_draws_corners() -> None:
    from oubli.checks.measure.drawing import explore

    seen: list[float] = []
    explore(numbers(named("r")), "corners of r", 60, lambda value: seen.append(value))
    assert {1e-6, 1 - 1e-6} <= set(seen)
