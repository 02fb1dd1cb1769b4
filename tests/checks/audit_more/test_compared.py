"""Whole runs compared: retraining as reference, own training, batches; and what must not be confused."""

import numpy as np
import pytest
from scipy.special import ndtr

from oubli.checks.audit import Judgement, Settings, audit, quick_audit
from oubli.checks.audit.compared_exact import retrain_exact
from oubli.checks.audit.declared import declared
from oubli.checks.audit.retraining import retrained
from oubli.checks.audit.subject import subject_of
from oubli.checks.audit.whole_runs import ALL, batched
from oubli.cli.main import main
from oubli.sim.geometry import project
from oubli.sim.laws import gaussian_sigma
from oubli.sim.problems.problem import hard_problem
from tests.fixtures.noisy import Noisy, least

BUDGET = {"eps": 0.5, "delta": 0.05, "rf": 0.1, "steps": 1}


def verdicts(rule, **change):
    found = quick_audit(rule, Settings(**{**BUDGET, "runs": 60_000, **change}))
    return {f.check: f.verdict for f in found.findings}


class Sides:
    """Released at +1 or −1 with the least noise for closeness to retraining, which is released at 0."""

    share = 1.0

    def learn(self, problem, setup, rng):
        moved = problem.full_optimum.point[0] - problem.retain_optimum.point[0]
        side = np.sign(moved) * (abs(moved) > 1e-4)
        return np.full((setup.chains, setup.d), side), "state"

    def step(self, t, theta, grad, memory, setup, rng):
        assert memory == "state"
        return theta, memory

    def release(self, theta, memory, setup, rng):
        scale = self.share * gaussian_sigma(setup.eps, setup.delta)
        return theta + scale * rng.standard_normal(theta.shape)


class Quiet(Sides):
    """The planted error: two thirds of the noise."""

    share = 2 / 3


class OtherReference(Sides):
    """The planted error: its own reference lies elsewhere."""

    def retrain(self, problem, setup, rng):
        return self.release(np.full((setup.chains, setup.d), -3.0), "state", setup, rng)


def test_a_claim_about_retraining_is_judged_by_retraining():
    retrain, pair = (verdicts(Sides, against=against) for against in ("retrain", "pair"))
    assert Judgement.VIOLATED not in retrain.values()
    assert retrain["privacy pairs"] is Judgement.CONSISTENT
    found = quick_audit(Sides, Settings(**BUDGET, runs=500, against="retrain", alpha=0.1))
    assert sum(f.level for f in found.findings) <= 0.1
    assert pair["privacy eps"] is Judgement.VIOLATED or pair["privacy delta"] is Judgement.VIOLATED


@pytest.mark.parametrize("rule", [Quiet, OtherReference])
def test_a_claim_about_retraining_that_is_false_is_seen(rule):
    found = verdicts(rule, against="retrain")
    assert Judgement.VIOLATED in (found["privacy eps"], found["privacy delta"])


def test_pairs_alone_refute_a_claim_about_retraining():
    """A reference that follows the forget data hides the leak; the pairs, at the implied budget, show it."""

    class Follows(Sides):
        share = 0.2

        def retrain(self, problem, setup, rng):
            return self.release(self.learn(problem, setup, rng)[0], "state", setup, rng)

    found = verdicts(Follows, against="retrain")
    assert found["privacy eps"] is Judgement.CONSISTENT
    assert found["privacy pairs"] is Judgement.VIOLATED


class Start:
    """The noise that closeness to retraining needs: theta* and theta_r* lie within r_f L/mu."""

    share = 1 + 1e-6

    def noise_scale(self, setup):
        return self.share * gaussian_sigma(setup.eps, setup.delta) * setup.r_f * setup.L / setup.mu

    def start(self, theta_star, setup, rng):
        noise = self.noise_scale(setup) * rng.standard_normal(theta_star.shape)
        return project(theta_star + noise, setup.R), None

    def step(self, t, theta, grad, memory, setup, rng):
        return project(theta - 0.1 * grad, setup.R), memory


class LessAtStart(Start):
    share = 1 - 1e-6


class OwnReference(Start):
    """The law of its reference is declared by nobody."""

    def retrain(self, problem, setup, rng):
        return np.zeros((setup.chains, setup.d))


def judged_exactly(rule, closed=True, **change):
    settings = Settings(**{"eps": 1.0, "delta": 1e-5, "rf": 0.1, "runs": 1000, "steps": 2, **change})
    return retrain_exact(subject_of(rule), settings, closed)[-1]


def test_a_declared_start_is_judged_exactly_against_retraining():
    """In the plane two forget sets can move theta* further than one of them can from theta_r*."""
    judged = [judged_exactly(rule, dim=2).verdict for rule in (Start, LessAtStart)]
    assert judged == [Judgement.CONSISTENT, Judgement.UNDECIDED]
    assert judged_exactly(Start, False).verdict is Judgement.UNDECIDED
    settings = Settings(eps=1.0, delta=1e-5, rf=0.1, dim=2, runs=1000, steps=2)
    assert declared(subject_of(Start), settings, True)[-1].verdict is not Judgement.CONSISTENT
    found = verdicts(Start, against="retrain", eps=1.0, delta=1e-5, runs=500)
    assert found["privacy exact"] is Judgement.CONSISTENT


@pytest.mark.parametrize("dim", [1, 2])
def test_too_little_noise_for_retraining_is_refuted_exactly(dim):
    """The delta is that of two Gaussians r_f L/mu apart, by the textbook formula."""

    class Less(Start):
        share = 0.9

    found = judged_exactly(Less, rf=0.01, dim=dim)
    a = 1 / (0.9 * gaussian_sigma(1.0, 1e-5))
    assert found.verdict is Judgement.VIOLATED
    assert found.measured["delta"] == pytest.approx(
        ndtr(a / 2 - 1 / a) - np.e * ndtr(-a / 2 - 1 / a), rel=2e-3
    )
    assert judged_exactly(LessAtStart, rf=0.01).verdict is Judgement.VIOLATED
    assert judged_exactly(Start, rf=0.01).verdict is Judgement.CONSISTENT


def test_nothing_exact_is_said_about_a_reference_of_its_own():
    assert judged_exactly(OwnReference).check == "declaration"


def test_batches_are_means_of_samples_and_all_is_the_mean():
    law, n = hard_problem(0.5, 0.1, 1, 1.0, 1.0).retain, 20_000
    at = np.zeros((n, 1))
    # One gradient at zero is −g/2 with g = ±1 of mean 1/2: variance 3/16.
    for batch in (1, 4, 25):
        drawn = batched(law, n, batch, (0, batch))(0, at)
        assert drawn.mean() == pytest.approx(-0.25, abs=0.02)
        assert drawn.var() == pytest.approx(3 / 16 / batch, rel=0.06)
    assert batched(law, n, ALL, (0,))(0, at).var() == 0


def test_retrained_problems_have_nothing_to_forget():
    problem = hard_problem(0.5, 0.3, 2, 1.0, 1.0)
    assert np.allclose(retrained(problem).full_optimum.point, problem.retain_optimum.point)


class Typo(Sides):
    def learn(self, problem, setup, rng):
        return nothing  # noqa: F821


class OneRow(Sides):
    def learn(self, problem, setup, rng):
        return np.zeros(setup.d), None


class NoPair(Sides):
    def learn(self, problem, setup, rng):
        return np.zeros((setup.chains, setup.d))


class Both(Sides):
    def start(self, theta_star, setup, rng):
        return theta_star, None


class NoRows(Sides):
    def retrain(self, problem, setup, rng):
        return np.zeros(3)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Typo, "learn: raises NameError"),
        (OneRow, "learn: theta must have shape"),
        (NoPair, "learn: must return (theta, state)"),
        (Both, "learn: start is there too"),
        (NoRows, "retrain: must return numbers of shape"),
    ],
)
def test_a_training_that_cannot_be_used_is_named(rule, words):
    found = audit(rule, Settings(**BUDGET, runs=200, against="retrain"))
    assert any(words in finding.says for finding in found.findings), found.findings
    assert not any(f.check.startswith("privacy") for f in found.findings)


@pytest.mark.parametrize("options", [("--batch", "0"), ("--batch", "x"), ("--mu", "1"), ("--against", "all")])
def test_bad_options_are_one_line(capfd, options, tmp_path):
    with pytest.raises(SystemExit) as leaving:
        main(["audit", str(tmp_path / "rule.py"), "--eps", "1", "--delta", "1e-5", *options])
    out, err = capfd.readouterr()
    assert (leaving.value.code, out) == (2, "")
    assert err.strip().splitlines()[-1].startswith(("oubli:", "Error:"))


class NoiseInTheThirdStep(Noisy):
    """Two steps with nothing, then all of the noise; or no noise at any T but one."""

    only = None

    def least_steps(self, setup):
        return 3

    def start(self, theta_star, setup, rng):
        return theta_star, None

    def step(self, t, theta, grad, memory, setup, rng):
        quiet = t != 2 or self.only not in (None, setup.T)
        return (theta, memory) if quiet else super().start(theta, setup, rng)


class ClaimsTooEarly(NoiseInTheThirdStep):
    def least_steps(self, setup):
        return 2


class AtThreeAlone(NoiseInTheThirdStep):
    only = 3
    least_steps = None


@pytest.mark.parametrize("more", [{"batch": 4}, {"against": "retrain"}])
@pytest.mark.parametrize(
    ("rule", "steps", "verdict"),
    [(NoiseInTheThirdStep, 5, Judgement.CONSISTENT), (NoiseInTheThirdStep, 2, Judgement.UNDECIDED),
     (ClaimsTooEarly, 5, Judgement.VIOLATED), (AtThreeAlone, 3, Judgement.UNDECIDED)],
)  # fmt: skip
def test_whole_runs_are_held_to_the_times_that_are_claimed(rule, steps, verdict, more):
    """As in other audits: nothing is claimed below `least_steps`, and one T says nothing of others."""
    found = quick_audit(rule, Settings(**{**BUDGET, "steps": steps}, runs=5000, alpha=1e-3, **more))
    assert found.verdict is verdict, [f.says for f in found.findings]


def test_a_declared_start_is_judged_exactly_with_batches_too():
    class Declares(Noisy):
        share = 0.9

        def noise_scale(self, setup):
            return self.share * least(setup)

    found = quick_audit(Declares, Settings(1.0, 1e-5, batch=8, runs=500, steps=2))
    assert found.violated("privacy exact")
    Declares.share = 1.0
    found = quick_audit(Declares, Settings(1.0, 1e-5, batch=8, runs=500, steps=2, alpha=1e-6))
    assert found.verdict is Judgement.CONSISTENT
