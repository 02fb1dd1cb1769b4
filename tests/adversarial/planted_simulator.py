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
from tests.adversarial.planted import planted, quick

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

SIMULATOR = [
    planted(
        "gradient sign of the hard loss",
        "simulator",
        "families_agree",
        "oubli.sim.losses.parts.Signed.gradient",
        lambda self, theta: -_gradient(self, theta),
        cross.families_agree,
    ),
    planted(
        "gradient 5 % too long",
        "simulator",
        "stands[setup.gradient_at_zero]",
        "oubli.sim.losses.parts.Signed.gradient",
        lambda self, theta: 1.05 * _gradient(self, theta),
        quick("setup.gradient_at_zero"),
    ),
    planted(
        "regulariser without mu",
        "simulator",
        "stands[setup.gradient_at_zero.line]",
        "oubli.sim.losses.families.Regularised.gradient",
        lambda self, theta: theta + self.part.gradient(theta),
        quick("setup.gradient_at_zero.line"),
    ),
    planted(
        "value of a kink: min for max",
        "simulator",
        "stands[trivial.floor]",
        "oubli.sim.losses.parts.MaxAffine.value",
        lambda self, theta: (theta @ self.slopes.T + self.offsets).min(axis=-1),
        quick("trivial.floor"),
    ),
    planted(
        "step index one late",
        "simulator",
        "stands[nft.warm_start], its hypothesis",
        "oubli.sim.algorithms.printed.decreasing_step",
        _late_step,
        lambda: _unmet("nft.warm_start"),
    ),
    planted(
        "step index one late in scratch SGD",
        "simulator",
        "closed_forms_agree",
        "oubli.sim.algorithms.scratch.decreasing_step",
        _late_step,
        cross.closed_forms_agree,
    ),
    planted(
        "average weights for T + 1",
        "simulator",
        "stands[nft.average.repaired]",
        "oubli.sim.algorithms.scratch.repaired_average",
        _short_average,
        quick("nft.average.repaired"),
    ),
    planted(
        "scratch SGD forgets its last iterate",
        "simulator",
        "stands[sgd.average.repaired]",
        "oubli.sim.algorithms.scratch.ScratchSGD.step",
        lambda self, t, theta, grad, memory, setup, rng: (theta, memory + (t + 1) * theta),
        quick("sgd.average.repaired"),
    ),
    planted(
        "noise without the factor 2 in kappa",
        "simulator",
        "stands[trivial.repaired.line], its hypothesis",
        "oubli.sim.problems.setup.Setup.kappa",
        property(lambda self: _kappa.fget(self) / np.sqrt(2)),
        quick("trivial.repaired.line"),
    ),
    planted(
        "noise scale: half the sensitivity",
        "simulator",
        "stands[trivial.repaired.line], its hypothesis",
        "oubli.sim.problems.setup.Setup.sensitivity",
        property(lambda self: _sensitivity.fget(self) / 2),
        quick("trivial.repaired.line"),
    ),
    planted(
        "noise scale ten times too large",
        "simulator",
        "simulated_noise_agrees",
        "oubli.sim.algorithms.projected_noise.noisy_start",
        lambda star, sigma, R, rng: np.clip(star + 10 * sigma * rng.standard_normal(star.shape), -R, R),
        cross.simulated_noise_agrees,
    ),
    planted(
        "seed reuse: every block draws the same",
        "simulator",
        "blocks_differ",
        "oubli.sim.runs.run.Job.stream",
        lambda self, block, *purpose: np.random.default_rng(self.seed),
        cross.blocks_differ,
    ),
    planted(
        "randomness outside the generator",
        "simulator",
        "stands[phi_measurable]",
        "oubli.sim.algorithms.randomised_response.RandomisedResponse.start",
        _global_coin,
        quick("phi_measurable"),
    ),
    planted(
        "closed form: sign weights squared once",
        "simulator",
        "closed_forms_agree",
        "oubli.sim.runs.schedules.Decreasing.sign_square_sum",
        lambda self, T: 1 / (np.asarray(T, dtype=float) + 1),
        cross.closed_forms_agree,
    ),
    planted(
        "closed form: start weight for T + 1",
        "simulator",
        "closed_forms_agree",
        "oubli.sim.runs.schedules.Decreasing.sign_sum",
        lambda self, T: 1 - 2 / ((np.asarray(T) + 2.0) * (np.asarray(T) + 3)),
        cross.closed_forms_agree,
    ),
    planted(
        "optimum 1 % off on the line",
        "simulator",
        "stands[opt_dist.step.repaired]",
        "oubli.sim.problems.optimum.separable_minimiser",
        lambda terms, mu: _off(terms, mu),
        quick("opt_dist.step.repaired"),
    ),
    planted(
        "excess risk measured from 0",
        "simulator",
        "stands[e0], its hypothesis",
        "oubli.sim.problems.problem.Problem.excess_risk",
        lambda self, theta: self.retain.value(theta) + self.L**2 / self.mu,
        quick("e0"),
    ),
]


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
