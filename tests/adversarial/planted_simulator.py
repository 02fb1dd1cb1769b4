"""Planted errors in the simulator: gradients, step indices, weights, noise, seeds, closed forms, optima."""

from typing import Any

import numpy as np

from oubli.checks.measure import algorithms, cross, judging, relation
from oubli.checks.measure import check as checking
from oubli.checks.measure.registry import ledger
from oubli.sim.algorithms import averaging
from oubli.sim.losses.parts import Signed
from oubli.sim.problems.optimum import Weighted
from oubli.sim.problems.setup import Setup
from tests.adversarial.planted import planted_in, quick

_gradient = Signed.gradient
_step = averaging.decreasing_step
_start = averaging.noisy_start
_kappa, _sensitivity = Setup.kappa, Setup.sensitivity


def _late_step(t: int, theta: Any, grad: Any, setup: Setup) -> Any:
    return _step(t + 1, theta, grad, setup)


def _short_average(weighted_sum: Any, setup: Setup) -> Any:
    return 2 / ((setup.T + 2) * (setup.T + 3)) * weighted_sum


def _global_coin(self: Any, theta_star: Any, setup: Setup, rng: Any) -> Any:
    theta = np.zeros_like(theta_star)
    _COIN[0] += 1
    theta[:, 0] = setup.R * (-1) ** _COIN[0]
    return theta, None


_COIN = [0]

# What is wrong: the check that catches it, the name that is replaced, by what, and that check.
SIMULATOR = planted_in("simulator", {
    "gradient sign of the hard loss": (
        "families_agree", "sim.losses.parts.Signed.gradient", lambda self, theta: -_gradient(self, theta),
        cross.families_agree),
    "gradient 5 % too long": (
        "stands[setup.gradient_at_zero]", "sim.losses.parts.Signed.gradient",
        lambda self, theta: 1.05 * _gradient(self, theta), quick("setup.gradient_at_zero")),
    "regulariser without mu": (
        "stands[setup.gradient_at_zero.line]", "sim.losses.families.Regularised.gradient",
        lambda self, theta: theta + self.part.gradient(theta), quick("setup.gradient_at_zero.line")),
    "value of a kink: min for max": (
        "stands[trivial.floor]", "sim.losses.parts.MaxAffine.value",
        lambda self, theta: (theta @ self.slopes.T + self.offsets).min(axis=-1), quick("trivial.floor")),
    "step index one late": (
        "stands[nft.warm_start], its hypothesis", "sim.algorithms.printed.decreasing_step", _late_step,
        lambda: _unmet("nft.warm_start")),
    "step index one late in scratch SGD": (
        "closed_forms_agree", "sim.algorithms.scratch.decreasing_step", _late_step, cross.closed_forms_agree),
    "average weights for T + 1": (
        "stands[nft.average.repaired]", "sim.algorithms.scratch.repaired_average", _short_average,
        quick("nft.average.repaired")),
    "scratch SGD forgets its last iterate": (
        "stands[sgd.average.repaired]", "sim.algorithms.scratch.ScratchSGD.step",
        lambda self, t, theta, grad, memory, setup, rng: (theta, memory + (t + 1) * theta),
        quick("sgd.average.repaired")),
    "noise without the factor 2 in kappa": (
        "stands[trivial.repaired.line], its hypothesis", "sim.problems.setup.Setup.kappa",
        property(lambda self: _kappa.fget(self) / np.sqrt(2)), quick("trivial.repaired.line")),
    "noise scale: half the sensitivity": (
        "stands[trivial.repaired.line], its hypothesis", "sim.problems.setup.Setup.sensitivity",
        property(lambda self: _sensitivity.fget(self) / 2), quick("trivial.repaired.line")),
    "noise scale ten times too large": (
        "simulated_noise_agrees", "sim.algorithms.projected_noise.noisy_start",
        lambda star, sigma, R, rng: np.clip(star + 10 * sigma * rng.standard_normal(star.shape), -R, R),
        cross.simulated_noise_agrees),
    "seed reuse: every block draws the same": (
        "blocks_differ", "sim.runs.run.Job.stream",
        lambda self, block, *purpose: np.random.default_rng(self.seed), cross.blocks_differ),
    "randomness outside the generator": (
        "stands[phi_measurable]", "sim.algorithms.randomised_response.RandomisedResponse.start", _global_coin,
        quick("phi_measurable")),
    "closed form: sign weights squared once": (
        "closed_forms_agree", "sim.runs.schedules.Decreasing.sign_square_sum",
        lambda self, T: 1 / (np.asarray(T, dtype=float) + 1), cross.closed_forms_agree),
    "closed form: start weight for T + 1": (
        "closed_forms_agree", "sim.runs.schedules.Decreasing.sign_sum",
        lambda self, T: 1 - 2 / ((np.asarray(T) + 2.0) * (np.asarray(T) + 3)), cross.closed_forms_agree),
    "optimum 1 % off on the line": (
        "stands[opt_dist.step.repaired]", "sim.problems.optimum.separable_minimiser",
        lambda terms, mu: _off(terms, mu), quick("opt_dist.step.repaired")),
    "excess risk measured from 0": (
        "stands[e0], its hypothesis", "sim.problems.problem.Problem.excess_risk",
        lambda self, theta: self.retain.value(theta) + self.L**2 / self.mu, quick("e0")),
})  # fmt: skip


def _off(terms: Any, mu: float) -> Any:
    kept = [Weighted(weight, term._replace(slope=term.slope * 1.01)) for weight, term in terms]
    curvature = mu + sum(weight * term.curvature for weight, term in kept)
    return -sum(weight * term.slope for weight, term in kept) / curvature


def _unmet(key: str) -> object:
    claim = ledger().claims[key]
    source = checking.source_for(claim, algorithms.WARM)
    assert claim.statement is not None
    found = relation.judged(claim.statement, checking.pool(source, 1)[1])
    if found.unmet:
        raise judging.ViolatedError(f"{key}: {next(iter(found.unmet))} does not hold")
    return found
