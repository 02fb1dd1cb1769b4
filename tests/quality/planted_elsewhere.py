"""Planted errors in the laws, in the simulator, and in the checks themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from checks import judging
from checks.measure import algorithms, binomial, cross, privacy, relation
from checks.measure import check as checking
from checks.measure.registry import ledger
from checks.summary import missing
from checks.worst import NEAR_ENOUGH, attained, load
from sim.algorithms import averaging, projected_noise, randomised_response, scratch
from sim.laws import binomial_tv_gamma, discrete, gaussian_delta
from sim.parts import Signed
from sim.problem import Problem
from sim.run import Job
from sim.schedules import Decreasing
from sim.setup import Setup
from tests.quality.planted import Planted, changed, fallen, patched, quick, tighter

Law = Any


def planted(name: str, place: str, catcher: str, target: str, value: Any, check: Any) -> Planted:
    """One name replaced while one check runs."""
    return Planted(name, place, catcher, lambda: patched(target, value), check)


# --- laws ---------------------------------------------------------------------------------------------
_tv = binomial_tv_gamma
_events = privacy.EVENTS
_divergence = privacy.divergence


def _one_sided(P: Any, Q: Any) -> Fraction:
    return discrete.hockey_stick(P, Q, 2)


LAWS = [
    planted(
        "binomial TV 5 % too large",
        "law",
        "stands[binomial_tv]",
        "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 1.05 * np.asarray(_tv(T, g, h)),
        quick("binomial_tv"),
    ),
    planted(
        "binomial TV not halved",
        "law",
        "stands[binomial_tv.arcsin]",
        "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 2 * np.asarray(_tv(T, g, h)),
        quick("binomial_tv.arcsin"),
    ),
    planted(
        "binomial TV with T + 1",
        "law",
        "stands[binomial_tv]",
        "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: _tv(np.asarray(T) + 1, g, h),
        quick("binomial_tv"),
    ),
    planted(
        "binomial TV always 0",
        "law",
        "sharp[binomial_tv]",
        "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 0 * np.asarray(g),
        lambda: _sharp("binomial_tv"),
    ),
    planted(
        "Gaussian delta at half the noise",
        "law",
        "gauss_agrees",
        "checks.measure.privacy.gaussian_delta",
        lambda e, s: gaussian_delta(e, np.asarray(s) / 2),
        cross.gauss_agrees,
    ),
    planted(
        "Gaussian delta without e^eps",
        "law",
        "gauss_agrees",
        "checks.measure.privacy.gaussian_delta",
        lambda e, s: gaussian_delta(1e-6 + 0 * np.asarray(e), s),
        cross.gauss_agrees,
    ),
    planted(
        "divergence at e^(2 eps)",
        "law",
        "stands[tv_dp.sharp]",
        "checks.measure.privacy.divergence",
        lambda P, Q, f: _divergence(P, Q, f**2),
        quick("tv_dp.sharp"),
    ),
    planted(
        "divergence in one direction only, halved",
        "law",
        "stands[tv_dp.sharp]",
        "checks.measure.privacy.divergence",
        lambda P, Q, f: _divergence(P, Q, f) / 2,
        quick("tv_dp.sharp"),
    ),
    planted(
        "total variation taken at e^eps = 2",
        "law",
        "falls[tv_bound]",
        "checks.measure.witness.total_variation",
        _one_sided,
        fallen("tv_bound"),
    ),
    planted(
        "hockey stick without its factor",
        "law",
        "falls[def.to_reference]",
        "checks.measure.witness.hockey_stick",
        lambda P, Q, f: discrete.hockey_stick(P, Q, 1),
        fallen("def.to_reference"),
    ),
]


def _sharp(key: str) -> float:
    found = attained(load()[key])
    if found < NEAR_ENOUGH:
        raise judging.Violated(f"{key}: only {found} of its bound")
    return found


# --- simulator ------------------------------------------------------------------------------------------
_gradient = Signed.gradient
_step = averaging.decreasing_step
_start = averaging.noisy_start
_kappa, _sensitivity = Setup.kappa, Setup.sensitivity
_sums = Decreasing


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
        "sim.parts.Signed.gradient",
        lambda self, theta: -_gradient(self, theta),
        cross.families_agree,
    ),
    planted(
        "gradient 5 % too long",
        "simulator",
        "stands[setup.gradient_at_zero]",
        "sim.parts.Signed.gradient",
        lambda self, theta: 1.05 * _gradient(self, theta),
        quick("setup.gradient_at_zero"),
    ),
    planted(
        "regulariser without mu",
        "simulator",
        "stands[setup.gradient_at_zero.line]",
        "sim.losses.Regularised.gradient",
        lambda self, theta: theta + self.part.gradient(theta),
        quick("setup.gradient_at_zero.line"),
    ),
    planted(
        "value of a kink: min for max",
        "simulator",
        "stands[trivial.floor]",
        "sim.parts.MaxAffine.value",
        lambda self, theta: (theta @ self.slopes.T + self.offsets).min(axis=-1),
        quick("trivial.floor"),
    ),
    planted(
        "step index one late",
        "simulator",
        "stands[nft.warm_start], its hypothesis",
        "sim.algorithms.printed.decreasing_step",
        _late_step,
        lambda: _unmet("nft.warm_start"),
    ),
    planted(
        "step index one late in scratch SGD",
        "simulator",
        "closed_forms_agree",
        "sim.algorithms.scratch.decreasing_step",
        _late_step,
        cross.closed_forms_agree,
    ),
    planted(
        "average weights for T + 1",
        "simulator",
        "stands[nft.average.repaired]",
        "sim.algorithms.scratch.repaired_average",
        _short_average,
        quick("nft.average.repaired"),
    ),
    planted(
        "scratch SGD forgets its last iterate",
        "simulator",
        "stands[sgd.average.repaired]",
        "sim.algorithms.scratch.ScratchSGD.step",
        lambda self, t, theta, grad, memory, setup, rng: (theta, memory + (t + 1) * theta),
        quick("sgd.average.repaired"),
    ),
    planted(
        "noise without the factor 2 in kappa",
        "simulator",
        "stands[trivial.repaired.line], its hypothesis",
        "sim.setup.Setup.kappa",
        property(lambda self: _kappa.fget(self) / np.sqrt(2)),
        quick("trivial.repaired.line"),
    ),
    planted(
        "noise scale: half the sensitivity",
        "simulator",
        "stands[trivial.repaired.line], its hypothesis",
        "sim.setup.Setup.sensitivity",
        property(lambda self: _sensitivity.fget(self) / 2),
        quick("trivial.repaired.line"),
    ),
    planted(
        "noise scale ten times too large",
        "simulator",
        "stands[trivial.repaired], simulated",
        "sim.algorithms.projected_noise.noisy_start",
        lambda star, sigma, R, rng: np.clip(star + 1e3 * R * rng.standard_normal(star.shape), -R, R),
        lambda: _biased_noise(),
    ),
    planted(
        "seed reuse: every block draws the same",
        "simulator",
        "blocks_differ",
        "sim.run.Job.stream",
        lambda self, block, *purpose: np.random.default_rng(self.seed),
        cross.blocks_differ,
    ),
    planted(
        "randomness outside the generator",
        "simulator",
        "stands[phi_measurable]",
        "sim.algorithms.randomised_response.RandomisedResponse.start",
        _global_coin,
        quick("phi_measurable"),
    ),
    planted(
        "closed form: sign weights squared once",
        "simulator",
        "closed_forms_agree",
        "sim.schedules.Decreasing.sign_square_sum",
        lambda self, T: 1 / (np.asarray(T, dtype=float) + 1),
        cross.closed_forms_agree,
    ),
    planted(
        "closed form: start weight for T + 1",
        "simulator",
        "closed_forms_agree",
        "sim.schedules.Decreasing.sign_sum",
        lambda self, T: 1 - 2 / ((np.asarray(T) + 2.0) * (np.asarray(T) + 3)),
        cross.closed_forms_agree,
    ),
    planted(
        "optimum 1 % off on the line",
        "simulator",
        "stands[opt_dist.step.repaired]",
        "sim.optimum.separable_minimiser",
        lambda terms, mu: _off(terms, mu),
        quick("opt_dist.step.repaired"),
    ),
    planted(
        "excess risk measured from 0",
        "simulator",
        "stands[e0.zero]",
        "sim.problem.Problem.excess_risk",
        lambda self, theta: self.retain.value(theta) + self.L**2 / self.mu,
        quick("e0"),
    ),
]


def _off(terms: Any, mu: float) -> Any:
    from sim.optimum import Weighted

    kept = [Weighted(weight, term._replace(slope=term.slope * 1.01)) for weight, term in terms]
    curvature = mu + sum(weight * term.curvature for weight, term in kept)
    return -sum(weight * term.slope for weight, term in kept) / curvature


def _unmet(key: str) -> object:
    claim = ledger().claims[key]
    source = checking.source_for(claim, algorithms.WARM)
    assert claim.statement is not None
    found = relation.judged(claim.statement, checking.pool(source, 1)[1])
    if found.unmet:
        raise judging.Violated(f"{key}: {next(iter(found.unmet))} does not hold")
    return found


def _biased_noise() -> object:
    """Simulated and closed-form risks of projected noise must agree at the stated confidence."""
    from checks.confidence import mean_interval
    from sim.algorithms import ProjectedNoise
    from sim.expected import expected
    from sim.problem import hard_problem
    from sim.run import run

    problem = hard_problem(0.5, 0.1, 1, 1.0, 1.0)
    setup = problem.setup(1.0, 1e-2, 0)
    exact = expected(ProjectedNoise(), problem, setup, np.array([0])).excess[0]
    risks = problem.excess_risk(run(ProjectedNoise(), problem, setup, 20_000, seed=3).outputs[0])
    if not mean_interval(risks, 0.0, 1.0, 1).holds(exact):
        raise judging.Violated("simulated noise is not the noise of the closed form")
    return exact


# --- checks ---------------------------------------------------------------------------------------------
_anyhow = relation.Numeric.anyhow
_judged = relation.judged


def _turned(self: Any, letters: Any) -> Any:
    found = _anyhow(self, letters)
    return relation.Found(found.large, found.small, found.slack, ~found.fails, found.ratio)


def _blind(self: Any, letters: Any) -> Any:
    found = _anyhow(self, letters)
    return relation.Found(found.small, found.large, found.slack, np.zeros_like(found.fails), found.ratio)


def _nobody(*_: Any, **__: Any) -> list[Any]:
    return []


def _false_claim() -> object:
    """A claim that is false must be seen to be false."""
    return judging.falls(ledger().claims["e0.step"])


CHECKS = [
    planted(
        "a comparison turned round",
        "check",
        "stands[tv_bound.arcsine]",
        "checks.measure.relation.Numeric.anyhow",
        _turned,
        lambda: judging.stands(ledger().claims["tv_bound.arcsine"]),
    ),
    planted(
        "a comparison that never fails",
        "check",
        "falls[e0.step]",
        "checks.measure.relation.Numeric.anyhow",
        _blind,
        _false_claim,
    ),
    planted(
        "rounding slack of 100 %",
        "check",
        "falls[e0.step]",
        "checks.measure.relation.ROUNDING",
        1.0,
        _false_claim,
    ),
    planted(
        "an empty sample",
        "check",
        "stands[binomial_tv]",
        "checks.measure.check.drawn",
        _nobody,
        lambda: judging.stands(ledger().claims["binomial_tv"]),
    ),
    planted(
        "a check that draws one case",
        "check",
        "stands[binomial_tv]",
        "checks.measure.check.pool",
        lambda source, scale: _one(source),
        lambda: judging.stands(ledger().claims["binomial_tv"]),
    ),
    planted(
        "a check without a body",
        "check",
        "missing, at the end of the run",
        "checks.judging.stands",
        lambda claim: [],
        lambda: _complete(),
    ),
    planted(
        "hypotheses are not looked at",
        "check",
        "falls, the witness of another claim",
        "checks.measure.relation.judged",
        lambda s, x: relation.Judged(_judged(s, x).says, {}),
        lambda: _foreign_witness(),
    ),
    planted(
        "every witness passes",
        "check",
        "falls[opt_loss.step1]",
        "checks.judging.judged",
        lambda s, x: relation.Judged(_not_failing(s, x), {}),
        lambda: judging._at_witness(ledger().claims["trivial.step3"])["violated"] or _raise("not violated"),
    ),
    planted(
        "stored ratios are believed",
        "check",
        "test_tightness_does_not_regress",
        "checks.worst.replayed",
        lambda s, source, i: relation.Judged(_small(s, source, i), {}),
        lambda: _sharp("tv_bound.arcsine"),
    ),
    planted(
        "the bound is retyped, not read",
        "check",
        "stands on a changed record",
        "checks.judging.outcomes",
        lambda claim, scale: _of_the_ledger(claim),
        lambda: _changed_record_is_seen(),
    ),
]


def _one(source: Any) -> Any:
    batch = {name: axis.place(np.array([0.25])) for name, axis in source.space.items()}
    return batch, source.measure(batch)


def _complete() -> object:
    records = judging.stands(ledger().claims["e0.step.repaired"])
    lost = [key for key in missing({r["key"]: r for r in records}) if key == "e0.step.repaired"]
    return _raise(f"not recorded: {lost}") if lost else records


def _foreign_witness() -> object:
    claim, other = ledger().claims["tv_bound"], ledger().claims["tv_bound.ceiling"]
    assert claim.statement is not None
    from checks.measure.witness import measured

    letters = measured(other.instances[0])
    values = {
        **letters.values,
        **{n: np.array([x]) for n, x in (("y_p", 0.5), ("tau_0", 1.0), ("T", 0.0), ("h_U", 0.0))},
    }
    found = relation.judged(claim.statement, relation.Letters(values))
    return found if found.unmet else _raise("a foreign witness was not noticed")


def _not_failing(statement: Any, letters: Any) -> Any:
    says = _judged(statement, letters).says
    return relation.Found(says.small, says.large, says.slack, np.zeros_like(says.fails), says.ratio)


def _small(statement: Any, source: Any, instance: Any) -> Any:
    says = _judged(statement, source.letters(instance)).says
    return relation.Found(says.small, says.large, says.slack, says.fails, says.ratio / 2)


def _of_the_ledger(claim: Any) -> Any:
    from checks.measure.registry import outcomes

    return outcomes(ledger().claims[claim.key])


def _changed_record_is_seen() -> object:
    from sympy import Rational

    wrong = changed("tv_bound.arcsine", tighter(Rational(1, 2)))
    try:
        judging.stands(wrong)
    except judging.Violated:
        return wrong
    return _raise("a changed record was not seen")


def _raise(why: str) -> object:
    raise judging.Violated(why)


ELSEWHERE = [*LAWS, *SIMULATOR, *CHECKS]
_ = (Problem, Job, binomial, projected_noise, randomised_response, scratch)
