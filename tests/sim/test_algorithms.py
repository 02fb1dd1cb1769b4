"""The named algorithms keep to their protocol and to what their docstrings say."""

import math
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.checks.measure.confidence import proportion_interval
from oubli.sim import algorithms
from oubli.sim.algorithms import (
    FineTuneWithoutNoise,
    FullBatchDescent,
    NoiseAndFineTuneCharitable,
    NoiseAndFineTunePrinted,
    NoisyProjectedSGD,
    RandomisedResponse,
    RareLeak,
    ScratchSGD,
)
from oubli.sim.algorithms.registry import discovered, made, named_algorithms
from oubli.sim.losses.families import hard
from oubli.sim.losses.members import random_member
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem, hard_problem
from oubli.sim.runs.algorithm import check_rule, release, start
from oubli.sim.runs.run import run
from tests.sim.algorithms import AVERAGED, IN_CLASS, name

fixed = settings(derandomize=True, deadline=None, database=None, max_examples=25)


def _drive(rule, signs, theta_star, setup, seed):
    """Step through given signs on the hard family, by hand: grad = mu·theta − (L/2) g e_1."""
    rng = np.random.default_rng(seed)
    theta, memory = start(rule, theta_star, setup, rng)
    for t, g in enumerate(signs):
        grad = setup.mu * theta
        grad[:, 0] -= setup.L / 2 * g
        theta, memory = rule.step(t, theta, grad, memory, setup, rng)
    return release(rule, theta, memory, setup, rng)


@pytest.mark.parametrize("kind", named_algorithms().values())
@pytest.mark.parametrize("d", [1, 3])
def test_same_signs_and_seed_give_the_same_output(kind, d):
    """Lemma phi_A (l.1358): the data enter through the signs alone, even if the sample space differs."""
    plus, minus = hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0)
    forget = Mixture((minus,), [1.0])
    # Two sample spaces with one law of signs: the second splits each outcome in two.
    small = Problem(Mixture((plus, minus), [0.75, 0.25]), forget, 0.1, 1.0, 1.0)
    large = Problem(Mixture((plus, plus, minus, minus), [0.5, 0.25, 0.125, 0.125]), forget, 0.1, 1.0, 1.0)
    setup = small.setup(0.5, 1e-3, 17)
    first = run(made(kind, small), small, setup, 40, seed=5).outputs
    second = run(made(kind, large), large, setup, 40, seed=5).outputs
    assert first == pytest.approx(second, abs=1e-14)


@pytest.mark.parametrize("rule", IN_CLASS, ids=name)
def test_output_is_a_function_of_signs_start_and_seed(rule):
    setup = hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(0.5, 1e-3, 9)
    signs = np.random.default_rng(1).choice([-1.0, 1.0], 9)
    star = np.full((30, 2), 0.1)
    once = _drive(rule, signs, star.copy(), setup, seed=2)
    assert np.array_equal(once, _drive(rule, signs, star.copy(), setup, seed=2))


@pytest.mark.parametrize("rule", IN_CLASS, ids=name)
def test_a_rule_does_not_write_into_its_arguments(rule):
    setup = hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(0.5, 1e-3, 3)
    star, rng = np.full((5, 2), 0.1), np.random.default_rng(0)
    theta, memory = start(rule, star, setup, rng)
    before, grad = theta.copy(), np.ones((5, 2))
    rule.step(0, theta, grad, memory, setup, rng)
    assert np.array_equal(star, np.full((5, 2), 0.1))
    assert np.array_equal(theta, before)
    assert np.array_equal(grad, np.ones((5, 2)))


@pytest.mark.parametrize("kind", named_algorithms().values())
def test_everyone_says_what_is_claimed_and_whether_it_is_in_the_class(kind):
    problem = hard_problem(0.5, 0.1, 2, 1.0, 1.0)
    rule = made(kind, problem)
    check_rule(rule)
    claim = rule.claimed(problem.setup(0.5, 1e-3, 3))
    assert claim is None or (0 <= claim[0] <= 0.5 and 0 <= claim[1] <= 1e-3)
    assert hasattr(rule, "outside_class") != (name(rule) != "FullBatchDescent")
    assert "laims" in type(rule).__doc__


def _printed_by_hand(signs, theta_0, T):
    """Algorithm 2 line by line in rationals, L = mu = 1, theta_1 := theta_0 and m_1 := m_0 := theta_0."""
    theta = m = theta_0
    history = {0: m, 1: m}
    for t in range(1, T + 1):
        theta = theta - Fraction(2, t + 1) * (theta - Fraction(1, 2) * signs[t - 1])
        m = m + (t + 1) * theta
        history[t + 1] = m
    return history


@pytest.mark.parametrize("T", [0, 1, 2, 3, 8])
def test_algorithm_2_line_by_line(T):
    signs = [1, -1, -1, 1, 1, 1, -1, 1][:T]
    history = _printed_by_hand(signs, Fraction(1, 10), T)
    setup = hard_problem(0.5, 0.0, 1, 1.0, 1.0).setup(0.5, 1e-3, T)
    star = np.array([[0.1]])
    # r_f = 0 makes the noise vanish, so theta_0 = theta*.
    printed = _drive(NoiseAndFineTunePrinted(), signs, star, setup, 0)
    charitable = _drive(NoiseAndFineTuneCharitable(), signs, star, setup, 0)
    norm = Fraction(2, (T + 1) * (T + 2))
    assert printed[0, 0] == pytest.approx(float(norm * history[T]), abs=1e-15)
    assert charitable[0, 0] == pytest.approx(float(norm * history[T + 1]) if T else 0.1, abs=1e-15)


def test_scratch_ignores_where_training_ended():
    setup = hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(0.5, 1e-3, 4)
    signs = [1, 1, -1, 1]
    outputs = [_drive(ScratchSGD(), signs, np.full((1, 2), x), setup, 0) for x in (-0.3, 0.2)]
    assert np.array_equal(*outputs)


def test_fine_tuning_without_noise_never_hides_its_start():
    for T in (0, 1, 10, 1000):
        setup = hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(0.5, 1e-3, T)
        outputs = [_drive(FineTuneWithoutNoise(), [1] * T, np.array([[x]]), setup, 0) for x in (0.1, 0.1001)]
        # The start's share of the output is at least (1 − a)^T averaged, here above 10⁻³ of the difference.
        assert abs(outputs[0] - outputs[1]).item() > 1e-7


@pytest.mark.parametrize(("star", "sign"), [(0.2, 1), (1e-12, 1), (0.0, -1), (-0.2, -1)])
def test_randomised_response_tells_the_truth_as_often_as_it_says(star, sign):
    n, eps = 400_000, 0.7
    setup = hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(eps, 1e-3, 0)
    output = _drive(RandomisedResponse(), [], np.tile([star, 0.3], (n, 1)), setup, 3)
    assert set(np.unique(output[:, 0])) == {-0.5, 0.5}
    assert not output[:, 1].any()
    truthful = int((output[:, 0] == sign * 0.5).sum())
    assert proportion_interval(truthful, n, 4).holds(math.exp(eps) / (1 + math.exp(eps)))


def test_rare_leak_leaks_with_probability_delta():
    n, delta = 40_000, 0.03
    setup = hard_problem(0.5, 0.1, 2, 1.0, 1.0).setup(1.0, delta, 0)
    output = _drive(RareLeak(), [], np.tile([0.2, 0.3], (n, 1)), setup, 3)
    leaked = np.all(output == [0.2, 0.3], axis=1)
    assert np.all(leaked | np.all(output == 0, axis=1))
    assert proportion_interval(int(leaked.sum()), n, 1).holds(delta)


@fixed
@given(st.integers(1, 3), st.floats(0.01, 0.7), st.integers(0, 10**6))
def test_full_batch_radius_holds_on_random_problems(d, r_f, seed):
    rng = np.random.default_rng(seed)
    retain = Mixture([random_member(rng, d, 1.0, 1.0) for _ in range(3)], rng.dirichlet(np.ones(3)))
    forget = Mixture([random_member(rng, d, 1.0, 1.0)], [1.0])
    problem = Problem(retain, forget, r_f, 1.0, 1.0)
    rule = FullBatchDescent(problem)
    setup = problem.setup(1.0, 1e-3, 12)
    theta, memory = start(rule, problem.full_optimum.point[None], setup, rng)
    slack = problem.full_optimum.distance + problem.retain_optimum.distance
    for t in range(13):
        distance = np.linalg.norm(theta[0] - problem.retain_optimum.point)
        assert distance <= rule.radius(t, setup) + 2 * slack + 1e-12
        theta, memory = rule.step(t, theta, theta, memory, setup, rng)


@fixed
@given(st.integers(1, 3), st.integers(0, 10**6))
def test_noisy_sgd_first_step_moves_two_starts_as_little_as_claimed(d, seed):
    rng = np.random.default_rng(seed)
    problem = hard_problem(0.5, 0.1, d, 1.0, 1.0)
    rule, setup = NoisyProjectedSGD(), problem.setup(0.5, 1e-3, 5)
    loss = random_member(rng, d, 1.0, 1.0)
    x = rng.standard_normal((50, d))
    x *= 0.5 * rng.random((50, 1)) / np.linalg.norm(x, axis=1)[:, None]
    step = rng.standard_normal((50, d))
    y = x + setup.sensitivity * step / np.linalg.norm(step, axis=1)[:, None]
    y *= np.minimum(1, 0.5 / np.linalg.norm(y, axis=1))[:, None]
    gamma = rule.gamma(setup)
    apart = np.linalg.norm(x - gamma * loss.gradient(x) - y + gamma * loss.gradient(y), axis=1)
    assert np.all(apart * setup.kappa <= rule.sigma(0, setup) * (1 + 1e-12))


@pytest.mark.parametrize("rule", AVERAGED, ids=name)
def test_projected_rules_stay_in_the_ball(rule):
    problem = hard_problem(0.5, 0.4, 3, 1.0, 1.0)
    result = run(rule, problem, problem.setup(0.1, 1e-3, 6), 300, seed=1, times=range(7))
    leaves = name(rule) == "NoiseAndFineTunePrinted"
    assert (result.outside > 0) == leaves
    assert result.left_ball.shape == (300,)


def test_every_class_of_the_folder_is_named_and_exported():
    assert sorted(algorithms.__all__) == list(named_algorithms())


def test_a_new_file_is_found(tmp_path, monkeypatch):
    """What decides who is judged looks into the folder: an algorithm that nobody lists is in it."""
    folder = tmp_path / "more_algorithms"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "fresh.py").write_text("class Fresh:\n    def step(self): ...\nclass Helper: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(discovered(import_module("more_algorithms"))) == ["Fresh"]
