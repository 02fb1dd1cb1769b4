"""Expected risks against enumeration of all signs, against outside quadrature, and against simulation."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.stats import ncx2

from oubli.checks.measure.confidence import mean_interval, share
from oubli.sim.algorithms import (
    FineTuneWithoutNoise,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoiseAndFineTunePrinted,
    ScratchSGD,
)
from oubli.sim.losses.families import logistic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem, hard_problem, synthetic_problem
from oubli.sim.runs.algorithm import release, start
from oubli.sim.runs.expected import expected
from oubli.sim.runs.folded import HalfNormal, ProjectedSide
from oubli.sim.runs.run import run
from oubli.sim.runs.start_law import StartLaw, length_density
from tests.sim.algorithms import AVERAGED, name


class _Given:
    """Hands out given normals, so that a start can be placed exactly."""

    def __init__(self, z):
        self.z = z

    def standard_normal(self, shape):
        assert shape == self.z.shape
        return self.z


def _enumerated(rule, problem, setup, z):
    """E over all sign sequences, for each row of given normals: mean output and mean excess risk."""
    p = problem.retain.weights
    star = np.tile(problem.full_optimum.point, (len(z), 1))
    mean, square, excess = np.zeros_like(z), np.zeros_like(z), np.zeros(len(z))
    for picks in itertools.product([0, 1], repeat=setup.T):
        theta, memory = start(rule, star, setup, _Given(z))
        for t, k in enumerate(picks):
            grad = problem.retain.losses[k].gradient(theta)
            theta, memory = rule.step(t, theta, grad, memory, setup, None)
        output = release(rule, theta, memory, setup, None)
        weight = math.prod(p[k] for k in picks)
        mean += weight * output
        square += weight * output**2
        excess += weight * problem.excess_risk(output)
    return mean, square, excess


@pytest.mark.parametrize("T", [0, 1, 2, 7])
@pytest.mark.parametrize("make", [hard_problem, synthetic_problem])
@pytest.mark.parametrize("rule", [ScratchSGD(), FineTuneWithoutNoise()], ids=name)
def test_noiseless_rules_match_the_enumeration(rule, make, T):
    problem = make(0.3, 0.2, 4, 2.0, 0.5)
    setup = problem.setup(1.0, 1e-2, T)
    mean, square, excess = _enumerated(rule, problem, setup, np.zeros((1, 4)))
    found = expected(rule, problem, setup, np.array([T]))
    assert found.mean[0] == pytest.approx(mean[0], abs=1e-13)
    assert found.variance[0] == pytest.approx(square[0] - mean[0] ** 2, abs=1e-13)
    assert found.excess[0] == pytest.approx(excess[0], abs=1e-13)


NOISY = [NoiseAndFineTunePrinted(), NoiseAndFineTuneCharitable(), NoiseAndFineTuneConstantStep()]


@pytest.mark.parametrize("T", [0, 1, 4])
@pytest.mark.parametrize("rule", NOISY, ids=name)
def test_noisy_rules_match_enumeration_and_trapezoid_in_one_dimension(rule, T):
    problem = hard_problem(0.7, 0.2, 1, 1.0, 1.0)
    setup = problem.setup(1.0, 0.1, T)
    z = np.linspace(-9, 9, 36001)
    weight = stats.norm.pdf(z) * (z[1] - z[0])
    mean, square, excess = _enumerated(rule, problem, setup, z[:, None])
    found = expected(rule, problem, setup, np.array([T]))
    assert found.mean[0, 0] == pytest.approx(weight @ mean[:, 0], abs=1e-7)
    assert found.variance[0, 0] == pytest.approx(weight @ square[:, 0] - (weight @ mean[:, 0]) ** 2, abs=1e-7)
    assert found.excess[0] == pytest.approx(weight @ excess, abs=1e-7)


@pytest.mark.parametrize("T", [1, 2])
def test_decreasing_rule_matches_a_plane_of_starts(T):
    problem = synthetic_problem(0.5, 0.2, 2, 1.0, 1.0)
    setup = problem.setup(1.0, 0.1, T)
    # Midpoints: the line z_2 = 0, where the kinked coordinate rests, has probability zero.
    axis = (np.arange(800) + 0.5) * 0.02 - 8
    z = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    weight = np.prod(stats.norm.pdf(z), axis=1) * (axis[1] - axis[0]) ** 2
    _, _, excess = _enumerated(NoiseAndFineTuneCharitable(), problem, setup, z)
    found = expected(NoiseAndFineTuneCharitable(), problem, setup, np.array([T]))
    assert found.excess[0] == pytest.approx(weight @ excess, abs=2e-5)


def test_projected_start_in_one_dimension_is_the_censored_normal():
    m, s, R = 0.3, 0.4, 0.5
    nodes = StartLaw(m, s, 1, R).along()
    low, high = (-R - m) / s, (R - m) / s
    phi, Phi = stats.norm.pdf, stats.norm.cdf
    inside = Phi(high) - Phi(low)
    mean = m * inside + s * (phi(low) - phi(high)) + R * (1 - Phi(high)) - R * Phi(low)
    assert nodes.weight @ nodes.coordinate == pytest.approx(mean, abs=1e-12)
    second = (
        (m**2 + s**2) * inside
        + s * ((m - R) * phi(low) - (m + R) * phi(high))
        + R**2 * (1 - Phi(high) + Phi(low))
    )
    assert nodes.weight @ nodes.coordinate**2 == pytest.approx(second, abs=1e-12)


@pytest.mark.parametrize("d", [2, 5, 30])
@pytest.mark.parametrize("sigma", [0.01, 0.2, 3.0])
def test_centred_projected_start_has_the_length_of_a_censored_chi(d, sigma):
    R = 0.5
    law = StartLaw(0.0, sigma, d, R)
    nodes = law.along()
    length = nodes.weight @ (nodes.coordinate**2 + nodes.rest**2)

    def censored(r):
        return min(r, R / sigma) ** 2 * stats.chi.pdf(r, d)

    top = math.sqrt(d) + 12
    outside, _ = integrate.quad(censored, 0, top, points=[min(R / sigma, top)], limit=400, epsabs=1e-13)
    assert length == pytest.approx(sigma**2 * outside, rel=1e-8)
    # By symmetry every coordinate carries the same share; the folded law must agree.
    folded = ProjectedSide(sigma, 0.0, d, R)
    assert folded.partial(np.array([folded.most]))[2, 0] * d == pytest.approx(sigma**2 * outside, rel=1e-6)


@pytest.mark.parametrize(
    ("sigma", "shift", "d"), [(0.3, 0.2, 2), (0.3, 0.4, 3), (1.0, 0.1, 2), (0.05, 0.45, 4), (0.05, 0.3, 100)]
)
def test_folded_moments_match_a_polar_sum(sigma, shift, d):
    R, z = 0.5, 0.15
    law = ProjectedSide(sigma, shift, d, R)
    # Midpoint rule over (v, length of the rest), by the noncentral chi of scipy.
    v = (np.arange(3000) + 0.5) * 9 * sigma / 3000
    top = shift + (math.sqrt(d) + 9) * sigma
    q = (np.arange(3000) + 0.5) * top / 3000
    rest = stats.ncx2.pdf((q / sigma) ** 2, d - 1, (shift / sigma) ** 2) * 2 * q / sigma**2 * top / 3000
    front = 2 * stats.norm.pdf(v / sigma) / sigma * 9 * sigma / 3000
    x = v[:, None] * np.minimum(1, R / np.hypot(v[:, None], q[None, :]))
    weight = front[:, None] * rest[None, :]
    total, half = law.partial(np.array([law.most, z])).T
    assert total == pytest.approx([weight.sum(), (weight * x).sum(), (weight * x**2).sum()], abs=2e-4)
    below = x <= z
    assert half == pytest.approx([(weight * x**k)[below].sum() for k in range(3)], abs=2e-3)


def test_half_normal_moments_match_quadrature():
    law = HalfNormal(0.7)
    for z in (0.1, 0.9, 4.0):
        for k in range(3):
            outside, _ = integrate.quad(lambda x, k=k: 2 * x**k * stats.norm.pdf(x, scale=0.7), 0, z)
            assert law.partial(np.array([z]))[k, 0] == pytest.approx(outside, rel=1e-10)


PROBLEMS = [
    hard_problem(0.3, 0.1, 3, 1.0, 1.0),
    hard_problem(0.9, 0.2, 1, 1.0, 1.0),
    synthetic_problem(0.3, 0.1, 4, 1.0, 1.0),
    synthetic_problem(-0.5, 0.02, 8, 1.0, 1.0),
]
STEPS = (0, 1, 6, 40)
COMPARISONS = len(PROBLEMS) * len(AVERAGED) * len(STEPS) * 2
CHAINS = 60_000


def _largest_excess(rule, problem, setup):
    """A bound on the excess of all outputs; for unprojected noise, up to an event of small probability."""
    R, L, mu = setup.R, setup.L, setup.mu
    if name(rule) != "NoiseAndFineTunePrinted":
        return L * 2 * R
    z = stats.norm.isf(share(COMPARISONS) / (2 * CHAINS * setup.d))
    reach = R + rule.sigma(setup) * z * math.sqrt(setup.d)
    return mu / 2 * (reach + R) ** 2 + L * reach


@pytest.mark.parametrize("rule", AVERAGED, ids=name)
@pytest.mark.parametrize("problem", PROBLEMS, ids=["hard3", "hard1", "synthetic4", "synthetic8"])
@pytest.mark.parametrize("T", STEPS)
def test_simulated_means_lie_in_their_intervals(rule, problem, T):
    setup = problem.setup(1.0, 1e-2, T, batch=2)
    exact = expected(rule, problem, setup, np.array([T]))
    assert np.isfinite(exact.excess).all()
    output = run(rule, problem, setup, CHAINS, seed=11).outputs[0]
    excess = np.maximum(problem.excess_risk(output), 0.0)
    bound = _largest_excess(rule, problem, setup)
    assert mean_interval(excess, 0.0, bound, COMPARISONS).holds(exact.excess[0])
    # |theta_1| is bounded through its own excess risk: mu/2·|theta_1 − theta_r*|² <= bound.
    width = setup.R + math.sqrt(2 * bound / setup.mu)
    assert mean_interval(output[:, 0], -width, width, COMPARISONS).holds(exact.mean[0, 0])


def test_no_closed_form_is_nan_not_a_number_that_looks_right():
    problem = hard_problem(0.3, 0.3, 2, 1.0, 1.0)
    setup = problem.setup(0.1, 1e-3, 0)
    found = expected(NoiseAndFineTuneConstantStep(), problem, setup, np.array([0, 1, 2, 10**6]))
    assert np.isnan(found.excess).tolist() == [False, False, True, False]
    assert np.isnan(found.mean[2]).all()


def test_problems_without_closed_form_are_refused():
    side = Mixture((logistic(np.array([0.3]), 1, 1.0),), [1.0])
    problem = Problem(side, side, 0.1, 1.0, 1.0)
    with pytest.raises(ValueError, match="sign family"):
        expected(ScratchSGD(), problem, problem.setup(1.0, 1e-2, 3), np.array([3]))
    with pytest.raises(ValueError, match="T >= 0"):
        expected(ScratchSGD(), PROBLEMS[0], PROBLEMS[0].setup(1.0, 1e-2, 3), np.array([-1]))


@pytest.mark.parametrize("shift", [1e-9, 0.3, 4.0, 60.0])
def test_the_length_of_a_moved_vector_in_space_has_scipys_density(shift):
    q = np.array([0.01, 0.5, 2.0, 5.0, 59.0, 61.0])
    law = 2 * q * ncx2.pdf(q**2, 3, shift**2)
    assert length_density(q, 3, shift) == pytest.approx(law, rel=1e-9, abs=1e-300)
