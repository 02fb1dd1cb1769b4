"""Schedules that do not suffice: delta from below against quadrature, closed forms and the accountant."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import ndtr

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.accountant import certify
from oubli.checks.audit.accountant_steps import ClippedStep, Contraction, GradientStep, SmoothStep
from oubli.checks.audit.pairs import Spot, spot_pair
from oubli.checks.audit.retraining import against_retraining
from oubli.checks.audit.schedule_exact import Instance, delta_lower, factors, instances, shortfall
from oubli.sim.geometry import project

SIGMA = 3.73063163481594183  # the least noise of (1, 1e-5) at unit sensitivity, 40 digits
HERE = Settings(eps=1.0, delta=1e-5, rf=0.1, steps=3)


def law(start: float, centre: float, a, sigma, projected: bool) -> np.ndarray:
    """theta_T on a grid of [−1/2, 1/2] with both ends as atoms; beyond it, too, without projections."""
    far = 0.5 if projected else 4.0
    edges = np.linspace(-far, far, 1601)
    middle = (edges[1:] + edges[:-1]) / 2
    now = np.zeros(len(middle))
    now[np.argmin(np.abs(middle - start))] = 1.0
    for factor, noise in zip(a, sigma, strict=True):
        below = ndtr((edges[None, :] - centre - factor * (middle[:, None] - centre)) / noise)
        move = np.diff(below, axis=1)
        move[:, 0] += below[:, 0]
        move[:, -1] += 1 - below[:, -1]
        now = now @ move
    return now


@pytest.mark.parametrize("projected", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_below_delta_by_quadrature_with_projections_and_without(seed, projected):
    """Noise of the size of the ball: without the chance to leave it the bound would lie above the truth."""
    rng = np.random.default_rng(seed)
    a, sigma, centre = rng.uniform(0.5, 1.0, 3), rng.uniform(0.03, 0.25, 3), float(rng.choice([0.0, 0.3]))
    one = Instance("", centre, (0.9 * centre + 0.05, 0.9 * centre - 0.05))
    P, Q = (law(start, centre, a, sigma, projected) for start in one.starts)
    eps = 0.2
    exact = max(float(np.maximum(p - math.exp(eps) * q, 0).sum()) for p, q in ((P, Q), (Q, P)))
    assert delta_lower(one, a, sigma, eps, 1) <= exact + 1e-3


@pytest.mark.parametrize(("short", "contradicted"), [(2.0**-24, False), (1e-6, True)])
def test_noise_rounded_to_single_precision_is_no_contradiction(short, contradicted):
    """One step of factor 1/2 from starts 0.01 apart: SIGMA/200 is the least noise, and nothing leaves."""
    settings = replace(HERE, rf=0.01, steps=1)
    noise = float(np.float32(SIGMA * 0.01 / 2 * (1 - short)))
    worst = shortfall([GradientStep(noise, 0.5, 1.0, 1.0)], settings)
    assert worst is not None
    assert (worst.delta > 1e-5 * (1 + 1e-9)) is contradicted


def test_leaving_the_ball_is_paid_for():
    """One projected step from −1/2 and 1/2, long noise: the Gaussian value alone is no lower bound."""
    edge = Instance("", 0.0, (0.5, -0.5))
    assert delta_lower(edge, [1.0], [0.5], 1.0, 1) == 0.0
    inner = Instance("", 0.0, (0.05, -0.05))
    values = [delta_lower(inner, [1.0], [0.1], 1.0, d) for d in (1, 2, 20)]
    assert values[0] > values[1] > values[2] == 0.0


def test_both_orders_and_every_step_are_paid_for():
    one = Instance("", 0.3, (0.4, 0.2))
    phi = NormalDist()
    gaussian = phi.cdf(2 / 2 - 0.5 / 2) - math.exp(0.5) * phi.cdf(-2 / 2 - 0.5 / 2)
    # 0.4 is 0.1 from the edge, one standard deviation; 0.2 is three away.
    near, far = (2 * phi.cdf(-k) for k in (1, 3))
    found = delta_lower(one, [1.0], [0.1], 0.5, 1)
    assert found == pytest.approx(
        max(0.0, gaussian - min(near + math.exp(0.5) * far, far + math.exp(0.5) * near))
    )
    small = [delta_lower(Instance("", 0.0, (0.05, -0.05)), [1.0] * T, [0.12] + [1e-9] * (T - 1), 0.5, 1)
             for T in (1, 2, 3)]  # fmt: skip
    assert small[0] > small[1] > small[2]


@pytest.mark.parametrize("T", [1, 4, 30])
def test_little_noise_is_judged_to_the_last_digits(T):
    """A tenth of the noise, far from the edges: between the bounds from both sides there is nothing."""
    r, sigma = 0.01, 0.1 * SIGMA * 0.01 / math.sqrt(T)
    steps = [GradientStep(sigma, 0.0, 1.0, 1.0)] * T
    found = shortfall(steps, replace(HERE, rf=r))
    mu = 10 / SIGMA
    exact = ndtr(mu / 2 - 1 / mu) - math.e * ndtr(-mu / 2 - 1 / mu)
    assert found.delta == pytest.approx(exact, rel=1e-9)
    assert found.delta <= certify(steps, r, 1.0).delta(1.0) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("against", ["pair", "retrain"])
def test_it_never_contradicts_the_accountant(seed, against):
    rng = np.random.default_rng([7, seed])
    T, r = int(rng.integers(1, 8)), float(rng.uniform(0.01, 0.3))
    steps = [SmoothStep(float(s), float(rng.uniform(0, 1)), 1.0, 1.0) for s in 10 ** rng.uniform(-4, 0, T)]
    eps = float(rng.uniform(0.05, 3))
    found = shortfall(steps, Settings(eps=eps, delta=1e-5, rf=r, steps=T, against=against))
    assert 0 <= found.delta <= certify(steps, r, 1.0).delta(eps) * (1 + 1e-9)


@pytest.mark.parametrize("against", ["pair", "retrain"])
def test_the_instances_are_those_of_the_problems(against):
    """Starts and centre against the optima that the simulator finds."""
    for one in instances(replace(HERE, against=against)):
        pair = spot_pair(Spot((2 * one.centre,), (1.0,), 1.0), HERE.rf)
        problem = against_retraining(pair.problem) if against == "retrain" else pair.problem.swapped()
        optima = [side.full_optimum.point[0] for side in (problem, problem.swapped())]
        assert optima == pytest.approx(one.starts, abs=1e-9)
        assert problem.retain_optimum.point[0] == pytest.approx(one.centre, abs=1e-9)


def test_only_known_linear_steps_have_a_law():
    assert factors([SmoothStep(1.0, 0.5, 2.0, 1.0), GradientStep(1.0, 2.0, 1.0, 1.0)]) == [0.5, -1.0]
    assert factors([SmoothStep(1.0, 0.5, 0.5, 1.0)]) is None  # no member of the class is so smooth
    assert factors([Contraction(1.0, 0.5, 0.0)]) is None
    assert factors([GradientStep(1.0, 0.5, 1.0, 1.0), ClippedStep(1.0, 0.5, 0.99, 0.0)]) is None
    assert shortfall([Contraction(1.0, 0.5, 0.0)], HERE) is None


def test_a_decay_is_linear_around_zero_alone():
    """At another centre the two pulls differ, and the recursion would be a wrong one."""
    step = ClippedStep(0.01, 0.5, 1.0, 0.5)
    assert factors([step]) == [0.25]
    found = shortfall([step], replace(HERE, against="retrain"))
    assert found.centre == 0.0
    assert found.delta > 0.01
    assert shortfall([GradientStep(0.01, 0.5, 1.0, 1.0)], replace(HERE, against="retrain")).centre > 0.1


def test_earlier_noise_shrinks_with_the_distance():
    phi, mu = NormalDist(), 0.025 / math.hypot(0.5 * 0.01, 0.01)
    gaussian = phi.cdf(mu / 2 - 1 / mu) - math.e * phi.cdf(-mu / 2 - 1 / mu)
    found = delta_lower(Instance("", 0.0, (0.05, -0.05)), [0.5, 0.5], [0.01, 0.01], 1.0, 1)
    assert found == pytest.approx(gaussian, rel=1e-9)


def test_without_noise_two_starts_are_told_apart_unless_they_meet():
    one = Instance("", 0.0, (0.05, -0.05))
    assert delta_lower(one, [0.5], [0.0], 1.0, 1) == 1.0
    assert delta_lower(one, [0.0], [0.0], 1.0, 1) == 0.0
    assert delta_lower(one, [0.0], [0.1], 1.0, 1) == 0.0


class Little:
    """Half of the noise that two of three steps need together."""

    share = 0.5

    def sigma(self, setup):
        return self.share * SIGMA * setup.r_f / math.sqrt(2)

    def noise_schedule(self, setup):
        return [{"sigma": self.sigma(setup) * (t > 0), "length": 0.0} for t in range(setup.T)]

    def step(self, t, theta, grad, memory, setup, rng):
        noise = self.sigma(setup) * (t > 0) * rng.standard_normal(theta.shape)
        return project(theta + noise, setup.R), memory


class Enough(Little):
    share = 1.0001


class Quarter(Little):
    """Too little for retraining, too, whose problem is three quarters as far."""

    share = 0.25


class Hidden(Little):
    """The release forgets it all, so that nothing is known to be broken."""

    def release(self, theta, memory, setup, rng):
        return 0.0 * theta


class Learned(Quarter):
    """Compared with a reference of its own."""

    def retrain(self, problem, setup, rng):
        return np.tile(problem.retain_optimum.point, (setup.chains, 1))


@pytest.mark.parametrize(("rule", "against", "wanted"), [
    (Little, "pair", Judgement.VIOLATED), (Enough, "pair", Judgement.CONSISTENT),
    (Hidden, "pair", Judgement.UNDECIDED), (Quarter, "retrain", Judgement.VIOLATED),
    (Enough, "retrain", Judgement.CONSISTENT), (Learned, "retrain", Judgement.UNDECIDED),
])  # fmt: skip
def test_a_schedule_is_judged_on_both_sides(rule, against, wanted):
    settings = Settings(eps=1.0, delta=1e-5, rf=0.01, steps=3, runs=500, against=against)
    found = {f.check: f for f in quick_audit(rule, settings).findings}["privacy schedule"]
    assert found.verdict is wanted
    assert found.confidence == 1.0
    if wanted is Judgement.VIOLATED:
        assert found.instance.startswith("retain quadratic at")
        assert "by the law of the steps" in found.says


def test_in_the_plane_retraining_is_nearer_than_another_forget_law():
    """theta* and theta_r* are at most r_f apart in every dimension; two optima may be further."""
    settings = Settings(eps=1.0, delta=1e-5, rf=0.01, steps=3, runs=500, dim=2)
    verdicts = [
        {f.check: f.verdict for f in quick_audit(Enough, replace(settings, against=against)).findings}
        for against in ("pair", "retrain")
    ]
    assert [v["privacy schedule"] for v in verdicts] == [Judgement.UNDECIDED, Judgement.CONSISTENT]
