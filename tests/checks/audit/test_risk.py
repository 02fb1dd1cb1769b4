"""The bound on finitely many problems, against private rules whose risks are summed exactly."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from oubli.checks.audit import Judgement, Settings
from oubli.checks.audit.chain_bound import Chain, best_chain
from oubli.checks.audit.ends import lower_ends, upper_ends
from oubli.checks.audit.places import Place, measure
from oubli.checks.audit.risk import curve_of, risk
from oubli.checks.audit.subject import Subject, subject_of
from oubli.sim.algorithms import ScratchSGD
from oubli.sim.algorithms.zero import OutputZero
from tests.fixtures.named_private import FirstStepNoise

CHAINS = [Chain(0.9, 2, 1, 0.4), Chain(0.3, 3, 2, 0.1), Chain(0.999, 5, 1, 0.2), Chain(0.4, 1, 4, 0.4)]


@pytest.mark.parametrize("rf", [0.01, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("eps", [0.01, 1.0, 5.0])
def test_no_floor_exceeds_the_minimax_risk_of_coins(rf, eps):
    """A rule that ignores theta* is (0, 0)-private; with T signs its worst risk can be 1/(1 + sqrt T)²."""
    for T in (0, 1, 2, 5, 30, 300):
        for delta in (0.0, 1e-3, 0.2):
            assert best_chain(rf, T, eps, delta)[1] <= 1 / (1 + math.sqrt(T)) ** 2


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: f"{chain.segments}x{chain.pieces}")
@pytest.mark.parametrize("T", [0, 1, 4])
def test_private_rules_stay_above_the_bound_by_enumeration(chain, T):
    """O = c·response + (1 − c)·shrunk mean of the signs: risks over both coins, summed."""
    places = chain.places()
    k = np.arange(T + 1)
    for eps in (0.05, 0.5, 2.0):
        truth = 1 / (1 + math.exp(-eps))
        for c in (0.0, 0.1, 0.3, 1.0):
            estimate = (1 - c) * (2 * k - T) / (T + math.sqrt(T) + 1e-12)
            risks = []
            for place in places:
                mass = binom.pmf(k, T, (1 + place.mean) / 2)
                sign = 1 if place.star(chain.rf) > 0 else -1
                away = [c * sign * s + estimate - place.mean for s in (1, -1)]
                risks.append(float(mass @ (truth * away[0] ** 2 + (1 - truth) * away[1] ** 2)))
            assert chain.sum(np.sqrt(risks), T, eps, 0.0) >= 2 * chain.width - 1e-12


@pytest.mark.parametrize("chain", CHAINS[:3], ids=lambda chain: f"{chain.segments}x{chain.pieces}")
def test_a_rare_leak_is_allowed_its_delta(chain):
    for delta in (0.01, 0.3, 0.9):
        stars = [2 * place.star(chain.rf) for place in chain.places()]
        means = [place.mean for place in chain.places()]
        risks = [delta * (o - m) ** 2 + (1 - delta) * m**2 for o, m in zip(stars, means, strict=True)]
        assert chain.sum(np.sqrt(risks), 0, 0.0, delta) >= 2 * chain.width - 1e-12


def test_theta_star_itself_contradicts_the_bound():
    chain = Chain(0.999, 19, 1, 0.05)
    risks = [(2 * place.star(0.05) - place.mean) ** 2 for place in chain.places()]
    assert chain.sum(np.sqrt(risks), 0, 0.1, 1e-5) < 2 * chain.width
    # Without privacy nothing is forbidden: the sum telescopes to the width of the chain itself.
    assert chain.sum(np.sqrt(risks), 0, 1e3, 1e-5) == pytest.approx(2 * chain.width, rel=1e-12)


def test_places_of_one_segment_share_theta_star_and_hops_share_the_mean():
    chain = Chain(0.3, 3, 2, 0.1)
    stars = np.array([place.star(0.1) for place in chain.places()]).reshape(3, 3)
    means = np.array([place.mean for place in chain.places()]).reshape(3, 3)
    assert np.ptp(stars, axis=1).max() < 1e-12
    assert means[1:, 0] == pytest.approx(means[:-1, -1])
    assert all(abs(place.forget) <= 1 for place in chain.places())


@pytest.mark.parametrize("ends", [upper_ends, lower_ends])
def test_ends_err_at_most_at_their_level_by_enumeration(ends):
    n, level = 60, 0.05
    rows = 2.0 * (np.arange(n)[None, :] < np.arange(n + 1)[:, None])
    found = ends(rows, np.full(n + 1, 2.0), level) / 2
    for p in np.linspace(0.01, 0.99, 33):
        wrong = found < p if ends is upper_ends else found > p
        assert binom.pmf(np.arange(n + 1), n, p)[wrong].sum() <= level


def test_measured_risks_hold_the_exact_ones():
    """Output zero has risk m²; one step of SGD from zero gives O = 2g/3, as (0 + 2·g)/3."""
    settings, places = Settings(1.0, 1e-5, runs=4000), (Place(0.5, -1.0), Place(-1.0, 0.3))
    zero = measure(subject_of(OutputZero), settings, places, 3, 4000, (1,)).excess
    assert zero == pytest.approx(np.repeat([[0.25], [1.0]], 4000, axis=1))
    one = measure(subject_of(ScratchSGD), settings, places, 1, 4000, (2,)).excess.mean(axis=1)
    exact = 3 / 4 * (2 / 3 - 1 / 2) ** 2 + 1 / 4 * (2 / 3 + 1 / 2) ** 2
    # Six standard errors of a sample that is 1/36 or 49/36.
    assert one == pytest.approx([exact, 1 / 9], abs=6 * (48 / 36) / 2 / math.sqrt(4000))


def test_a_rule_that_takes_the_problem_is_measured_like_one_that_does_not():
    settings, places = Settings(1.0, 1e-5, runs=3000), (Place(0.6, 1.0), Place(-0.2, -1.0), Place(0.0, 0.5))
    plain = subject_of(ScratchSGD)
    knowing = Subject("knows", lambda problem: ScratchSGD(), True)
    means = [measure(s, settings, places, 2, 3000, (5,)).excess.mean(axis=1) for s in (plain, knowing)]
    # Six standard errors of a sample in [0, 4].
    assert means[0] == pytest.approx(means[1], abs=6 * 2 / math.sqrt(3000))


def test_each_time_of_the_curve_is_a_run_of_its_own():
    """A rule that shows theta* until its last step is not judged by what it holds on the way."""

    class LateZero:
        def step(self, t, theta, grad, memory, setup, rng):
            return (theta * 0 if t == setup.T - 1 else theta), memory

    curve = curve_of(subject_of(LateZero), Settings(1.0, 1e-5, steps=3, runs=2000))
    assert curve.low[0] < 0.1
    assert all(low > 0.9 for low in curve.low[1:])


@pytest.mark.parametrize("delta", [0.1, 0.5, 0.8])
def test_a_leak_of_the_sign_needs_all_of_its_delta(delta):
    """With probability delta the output is the end of the chain on the side of theta*, else zero."""
    chain = Chain(0.6, 2, 1, 0.4)
    risks = []
    for place in chain.places():
        end = math.copysign(chain.width, place.star(chain.rf))
        risks.append(delta * (end - place.mean) ** 2 + (1 - delta) * place.mean**2)
    assert chain.sum(np.sqrt(risks), 0, 0.0, delta) >= 2 * chain.width - 1e-12
    assert chain.sum(np.sqrt(risks), 0, 0.0, delta / 2) < 2 * chain.width


def test_a_small_risk_contradicts_privacy_only_where_it_is_claimed():
    """The noise comes in the first step: at T = 0 the risk is too small, and nobody claims anything."""
    settings = Settings(eps=0.1, delta=1e-5, rf=0.05, steps=3, runs=2000, alpha=1e-3)
    subject = subject_of(FirstStepNoise)
    for least, verdict in ((None, Judgement.CONSISTENT), (0, Judgement.VIOLATED)):
        found = next(f for f in risk(subject, settings, least) if f.check == "risk contradiction")
        assert found.verdict is verdict
