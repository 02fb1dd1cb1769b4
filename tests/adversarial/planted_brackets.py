"""Planted errors in the brackets and in the algorithms held against them: ends moved, noise rescaled."""

from typing import Any

from oubli.checks import test_algorithms_vs_brackets as brackets
from oubli.checks.brackets.rows import Row
from oubli.sim.algorithms import ProjectedNoise, ScratchSGD
from oubli.sim.algorithms.shrunk_noise import ShrunkNoise
from oubli.sim.problems.setup import Setup
from oubli.theory.regimes import Constants, classification, sgd, sharp
from tests.adversarial.planted import planted_in

_chain, _ceil, _sides, _scale = sharp.chain_steps, sharp.ceil_down, sgd._sides, classification._scale
_V = sharp.V
KAPPA: Any = Setup.kappa


def _below(rule: Any) -> Any:
    return lambda: brackets.test_no_private_algorithm_is_exactly_below_a_lower_end(rule)


def _above(row: Row) -> Any:
    return lambda: brackets.test_the_named_way_reaches_the_target_at_the_upper_end(Constants.SHARP, row)


FEW_STEPS = Row(0.01, 0.1, 2, 0.5)
NOISE_ALONE = Row(0.002, 1.0, 8, 0.12)
NEARLY_ALONE = Row(0.003, 1.0, 8, 0.05)
assert {FEW_STEPS, NOISE_ALONE, NEARLY_ALONE} <= set(brackets.UPPER_ROWS)

BRACKETS = planted_in("calculator", {
    "the chain forces twice as many gradients": (
        "test_no_private_algorithm_is_exactly_below_a_lower_end[ScratchSGD]",
        "theory.regimes.sharp.chain_steps", lambda *columns: 2 * _chain(*columns), _below(ScratchSGD)),
    "retraining is forced to twice as many gradients": (
        "test_no_learner_is_exactly_below_the_lower_end_of_retraining[ScratchSGD]",
        "theory.regimes.sharp.ceil_down", lambda values: 2 * _ceil(values),
        lambda: brackets.test_no_learner_is_exactly_below_the_lower_end_of_retraining(ScratchSGD)),
    "an upper end at a quarter: the rate of fine-tuning": (
        "test_the_named_way_reaches_the_target_at_the_upper_end", "theory.regimes.sgd._sides",
        lambda *at: tuple(side / 4 for side in _sides(*at)), _above(FEW_STEPS)),
    "noise alone is promised a quarter of its price": (
        "test_the_named_way_reaches_the_target_at_the_upper_end", "theory.regimes.sharp.V", _V / 16,
        _above(NEARLY_ALONE)),
    "the scale of the noise is declared twice as large": (
        "test_the_named_way_reaches_the_target_at_the_upper_end", "theory.regimes.classification._scale",
        lambda bound, rows: 2 * _scale(bound, rows), _above(NOISE_ALONE)),
}) + planted_in("simulator", {
    "classical noise ten times too small": (
        "test_no_private_algorithm_is_exactly_below_a_lower_end[ProjectedNoise]",
        "sim.problems.setup.Setup.kappa", property(lambda self: KAPPA.fget(self) / 10),
        _below(ProjectedNoise)),
    "exact noise a hundred times too small": (
        "test_no_private_algorithm_is_seen_below_a_lower_end[ShrunkNoise]",
        "sim.algorithms.shrunk_noise.least_sigma", lambda eps, delta: 1 / eps / 100,
        lambda: brackets.test_no_private_algorithm_is_seen_below_a_lower_end(ShrunkNoise)),
})  # fmt: skip
