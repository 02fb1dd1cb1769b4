"""The exact verdict on declared noise, against the exact laws and simulation."""

import numpy as np
import pytest

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.declared import _across, projected_delta, proved_distance
from oubli.checks.audit.pairs import candidates, line_pair, wide_pair
from oubli.sim.algorithms import OutputZero
from oubli.sim.geometry import project
from oubli.sim.laws import eps_frontier, gaussian_sigma
from tests.fixtures.faulty import HiddenAttribute, KappaBeyond


def exact_verdict(algorithm, **change):
    found = quick_audit(algorithm, Settings(**{"eps": 1.0, "delta": 1e-5, "runs": 200, **change}))
    return next(f for f in found.findings if f.check == "privacy exact")


def test_kappa_is_judged_on_both_sides_of_its_frontier():
    low, high = eps_frontier("1e-5")
    below, above = (exact_verdict(KappaBeyond, eps=e) for e in (float(low) * 0.9999, float(high) * 1.0001))
    assert (below.verdict, above.verdict) == (Judgement.CONSISTENT, Judgement.VIOLATED)


class Little:
    """A tenth of the noise that is needed, declared; what is released of it differs below."""

    def noise_scale(self, setup):
        return 0.1 * gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star, setup, rng):
        scale = self.noise_scale(setup)
        noise = scale * rng.standard_normal(theta_star.shape) if scale else 0.0
        return project(theta_star + noise, setup.R), theta_star

    def step(self, t, theta, grad, memory, setup, rng):
        return theta, memory


class NoNoise(Little):
    def noise_scale(self, setup):
        return 0.0


class NoneThenEnough(NoNoise):
    """Private: all of the noise is added to the release, and none is declared at the start."""

    def release(self, theta, memory, setup, rng):
        scale = gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity
        return theta + scale * rng.standard_normal(theta.shape)


class OnlyNoise(Little):
    """Where nothing is projected, private: theta* is taken off again."""

    def release(self, theta, memory, setup, rng):
        return theta - memory


class Folded(Little):
    """A function of theta_0 that is increasing near every point, but not one to one."""

    def release(self, theta, memory, setup, rng):
        return theta % (4 * self.noise_scale(setup))


@pytest.mark.parametrize(("rule", "verdict"), [
    (Little, Judgement.VIOLATED), (NoNoise, Judgement.VIOLATED), (NoneThenEnough, Judgement.UNDECIDED),
    (OnlyNoise, Judgement.UNDECIDED), (Folded, Judgement.UNDECIDED),
])  # fmt: skip
@pytest.mark.parametrize("dim", [1, 2])
def test_the_law_of_the_start_refutes_only_a_release_that_hides_nothing_of_it(rule, verdict, dim):
    assert exact_verdict(rule, dim=dim, steps=1).verdict is verdict


class Declared(Little):
    """Noise of one scale, declared; T = 0."""

    share = 1.0

    def noise_scale(self, setup):
        return self.share * gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity


class NearlyNothing(Declared):
    """A leak that is nearly deterministic: in units of the distance, less noise than the law is made for."""

    share = 1e-8


class Flood(Declared):
    """More noise than the law is made for."""

    share = 1e14


class Single(Declared):
    """The least noise, rounded down to single precision."""

    def noise_scale(self, setup):
        return float(np.nextafter(np.float32(super().noise_scale(setup)), np.float32(0)))


class SingleAndLess(Single):
    """A millionth less than that: no rounding of single precision is so large."""

    share = 1 - 1e-6


@pytest.mark.parametrize(("rule", "verdict"), [
    (NearlyNothing, Judgement.VIOLATED), (Flood, Judgement.CONSISTENT), (Single, Judgement.CONSISTENT),
    (SingleAndLess, Judgement.VIOLATED),
])  # fmt: skip
@pytest.mark.parametrize("against", ["pair", "retrain"])
def test_no_declared_scale_ends_the_audit_and_rounding_is_no_violation(rule, verdict, against):
    found = exact_verdict(rule, steps=0, against=against)
    assert found.verdict is verdict
    if rule is NearlyNothing:
        assert found.measured["delta"] == 1.0


def test_a_private_start_proves_nothing_when_theta_star_takes_another_way():
    found = quick_audit(HiddenAttribute, Settings(eps=1.0, delta=1e-5, runs=2000))
    verdicts = {f.check: f.verdict for f in found.findings}
    assert next(f for f in found.findings if f.check == "structure memory").remark
    assert verdicts["privacy exact"] is Judgement.UNDECIDED
    assert verdicts["declaration"] is Judgement.CONSISTENT


def test_the_regime_names_what_the_simple_ways_cost():
    """The constant-step bound is the row of that name; noise alone needs a coarser target with more noise."""
    measured = {}
    for eps in (0.5, 2.0):
        found = quick_audit(OutputZero, Settings(eps=eps, delta=1e-5, rf=0.01, target=0.1, runs=200))
        measured[eps] = next(f.measured for f in found.findings if f.check == "regime")
        assert measured[eps]["T_constant_step"] > 0
    assert measured[2.0]["noise_only_reaches"] < measured[0.5]["noise_only_reaches"]
    assert measured[2.0]["T_constant_step"] < measured[0.5]["T_constant_step"]


def test_kappa_at_ten_has_the_published_delta():
    assert exact_verdict(KappaBeyond, eps=10.0).measured["delta"] == pytest.approx(2.265e-5, rel=1e-3)


@pytest.mark.parametrize("rf", [0.01, 0.1])
def test_in_the_plane_optima_lie_further_apart_than_on_the_line(rf):
    pair = wide_pair(rf, 2)
    assert 1.02 * rf < pair.distance < proved_distance(rf, 2)
    for side in (pair.problem.forget, pair.problem.alternative):
        assert side.losses[0].lipschitz(0.5).high <= 1.0


@pytest.mark.parametrize("t", [-0.2, 0.1, 0.3])
def test_projected_delta_agrees_with_simulation(t):
    """Scale so large that the ball matters: the event's two probabilities by projected draws."""
    half, across, scale, eps, draws = 0.1, 0.45, 0.2, 0.1, 10**6
    rng = np.random.default_rng(0)
    first, second = (
        float(np.mean(project([across, along] + scale * rng.standard_normal((draws, 2)), 0.5)[:, 1] > t))
        for along in (half, -half)
    )
    nodes, masses = _across(across, scale, 2)
    found = projected_delta(eps, scale, half, 0.0, t, nodes, masses)
    # Five standard errors of the two shares.
    assert found == pytest.approx(first - np.exp(eps) * second, abs=5 * (1 + np.exp(eps)) * 0.5 / draws**0.5)


def test_the_law_across_has_mass_one():
    for d in (2, 3, 10):
        assert _across(0.3, 0.05, d)[1].sum() == pytest.approx(1.0, abs=1e-9)


def test_candidates_never_exceed_the_proved_distance():
    for d in (1, 2, 3):
        for pair in candidates(0.05, d):
            assert pair.distance <= proved_distance(0.05, d) * (1 + 1e-9)
    assert line_pair(0.0, 0.05, 3).distance == pytest.approx(0.05)
