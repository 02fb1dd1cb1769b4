"""The calculator's brackets against the named algorithms: exact expected risks on sign problems.

A lower bracket speaks of the worst problem: every private algorithm must miss the target somewhere with one
gradient less. An upper bracket names its algorithm: on every problem that one must reach the target in time.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from oubli.checks.measure.lecam import RULES, finite_letters
from oubli.checks.measure.problems import Pair
from oubli.sim.algorithms import (
    FineTuneWithoutNoise,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    OutputZero,
    ProjectedNoise,
    ScratchSGD,
)
from oubli.sim.losses.families import hard
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.runs.expected import HasRecipe, expected
from oubli.theory.regimes import Classification, Constants, Noise, classify

PRIVATE = (
    ScratchSGD(),
    NoiseAndFineTuneConstantStep(),
    NoiseAndFineTuneCharitable(),
    ProjectedNoise(),
    OutputZero(),
)
MEANS = np.linspace(-1, 1, 5)
E0 = 1 / 8


def problem(mean: float, forget: float, r: float, d: int) -> Problem:
    """Retain signs of a mean, forget losses with one slope."""
    retain = Mixture((hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0)), [(1 + mean) / 2, (1 - mean) / 2])
    return Problem(retain, Mixture((hard(forget, d, 1.0, 1.0),), [1.0]), r, 1.0, 1.0)


def risks(rule: HasRecipe, row: dict[str, float], T: int) -> list[float]:
    """Exact expected excess over e0 after T gradients, on all sign problems that have a closed form."""
    found = []
    for mean, forget in product(MEANS, (-1.0, 1.0)):
        here = problem(float(mean), forget, row["rf"], int(row["dim"]))
        setup = here.setup(row["eps"], row["delta"], T)
        found.append(float(expected(rule, here, setup, np.array([T])).excess[0]) / E0)
    return [value for value in found if not np.isnan(value)]


ROWS = [
    {"rf": r, "eps": eps, "delta": 1e-5, "dim": float(d), "target": x}
    for r, eps, d, x in product((0.05, 0.3), (0.1, 1.0), (1, 4), (0.03, 0.003))
]


def bracket(row: dict[str, float], constants: Constants, noise: Noise = Noise.EXACT) -> Classification:
    """The classification of one row."""
    point = (row[name] for name in ("rf", "eps", "delta", "dim", "target"))
    rf, eps, delta, dim, target = point
    return classify(rf=rf, eps=eps, delta=delta, dim=dim, target=target, constants=constants, noise=noise)


@pytest.mark.parametrize("constants", list(Constants))
@pytest.mark.parametrize("rule", PRIVATE, ids=lambda rule: type(rule).__name__)
def test_no_private_algorithm_beats_the_lower_bracket(rule: HasRecipe, constants: Constants) -> None:
    forced = 0
    for row in ROWS:
        lower = int(bracket(row, constants).unlearn[0].steps[0])
        if lower >= 1 and (values := risks(rule, row, lower - 1)):
            forced += 1
            assert max(values) > row["target"], row
    assert forced >= 2


@pytest.mark.parametrize("constants", list(Constants))
@pytest.mark.parametrize("rule", range(4), ids=RULES[:4])
def test_no_finite_private_rule_beats_the_lower_bracket(rule: int, constants: Constants) -> None:
    """The rules without a closed form of their own, by the exact law of their output on the line."""
    forced = 0
    for row in [*ROWS, *({**row, "target": x} for row in ROWS for x in (0.1, 0.3, 0.6))]:
        lower = int(bracket(row, constants).unlearn[0].steps[0])
        if lower >= 1:
            forced += 1
            at = {"L": 1.0, "mu": 1.0, "r": row["rf"], "eps": row["eps"], "delta": row["delta"], "rule": rule}
            # No T below the bracket reaches the target; 2^7 sequences of signs are enumerated.
            T = min(lower - 1, 7)
            letters = [finite_letters({**at, "gamma": g, "T": T}) for g in np.linspace(0, 1, 11)]
            assert max(first(found["M"]) for found in letters) > row["target"] * E0, row
    assert forced >= 4


def first(pair: Pair | float) -> float:
    """The value of a measured letter, without its error."""
    return pair[0] if isinstance(pair, tuple) else pair


@pytest.mark.parametrize("r", [0.01, 0.05])
@pytest.mark.parametrize("share", [1.3, 2.0, 2.8])
def test_fine_tuning_without_noise_does_not_beat_the_kink(r: float, share: float) -> None:
    """sharp.kink speaks of every algorithm that starts at theta*, private or not."""
    row = {"rf": r, "eps": np.inf, "delta": 1e-5, "dim": 1.0, "target": share * r**2}
    found = bracket(row, Constants.SHARP).unlearn[0]
    lower = int(found.steps[0])
    assert lower >= 1
    assert any(key.startswith("sharp.kink") for key in found.claims(0))
    assert max(risks(FineTuneWithoutNoise(), {**row, "eps": 1.0}, lower - 1)) > row["target"]


@pytest.mark.parametrize("constants", list(Constants))
def test_retraining_is_inside_its_bracket(constants: Constants) -> None:
    for row in ROWS:
        low, high = (int(best.steps[0]) for best in bracket(row, constants).scratch)
        assert max(risks(ScratchSGD(), row, low - 1)) > row["target"]
        if constants is Constants.PRINTED_REPAIRED:
            assert max(risks(ScratchSGD(), row, high)) <= row["target"]


def test_noise_and_constant_steps_reach_their_upper_bracket() -> None:
    """On the line, where the step length is that of the claim, with the classical noise."""
    tried = {"noise only": 0, "noise, then constant steps": 0}
    rules: dict[str, HasRecipe] = {
        "noise only": ProjectedNoise(),
        "noise, then constant steps": NoiseAndFineTuneConstantStep(),
    }
    for r, eps, x in product((1e-4, 1e-3, 5e-3), (0.3, 1.0), np.geomspace(3e-3, 0.9, 12)):
        row = {"rf": r, "eps": eps, "delta": 1e-5, "dim": 1.0, "target": float(x)}
        found = bracket(row, Constants.PRINTED_REPAIRED, Noise.CLASSICAL).unlearn[1]
        how = found.how(0)
        if how in tried:
            tried[how] += 1
            assert max(risks(rules[how], row, int(found.steps[0]))) <= x, row
    assert min(tried.values()) >= 3, tried
