"""Runs are reproducible, kernels equal the generic path, and mistakes are named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.algorithms import NoisyProjectedSGD, ProjectedNoise, ScratchSGD
from oubli.sim.algorithms.registry import made, named_algorithms
from oubli.sim.losses.families import hard, huber, logistic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem, hard_problem, synthetic_problem
from oubli.sim.runs.kernels import kernel_for
from oubli.sim.runs.run import job_for, run, step_through, sum_signs
from tests.sim.algorithms import AVERAGED, IN_CLASS, name

fixed = settings(derandomize=True, deadline=None, database=None, max_examples=30)


def _same(theta):
    return theta


@pytest.mark.parametrize("rule", AVERAGED, ids=name)
@fixed
@given(
    st.sampled_from([hard_problem, synthetic_problem]),
    st.sampled_from([2, 4, 6]),
    st.floats(-1, 1),
    st.floats(0, 0.6),
    st.integers(0, 300),
    st.integers(1, 3),
    st.integers(0, 10**6),
)
def test_kernels_equal_the_generic_path(rule, make, d, gamma, r_f, T, batch, seed):
    problem = make(gamma, r_f, d, 2.0, 0.5)
    setup = problem.setup(1.0, 1e-2, T, batch)
    times = tuple(sorted({0, T // 3, T // 2, T}))
    kernel = kernel_for(rule, problem.retain, setup)
    if kernel is None:
        # The only reason on these families: a constant step longer than 1/mu.
        assert rule.recipe(setup, np.array(T)).schedule.longest(np.array(T)) > 1
        return
    job = job_for(rule, problem, setup, seed, times, _same)
    stepped, left = step_through(job, 0, 7)
    summed, left_too = sum_signs(job, kernel, 0, 7)
    assert summed == pytest.approx(stepped, abs=1e-12 * problem.L / problem.mu)
    assert np.array_equal(left, left_too)


def test_kernels_cover_general_two_valued_g_and_longer_lists():
    retain = Mixture([hard(g, 2, 1.0, 1.0) for g in (-0.5, 0.25, 1.0)], [0.2, 0.5, 0.3])
    problem = Problem(retain, retain, 0.1, 1.0, 1.0)
    setup = problem.setup(1.0, 1e-2, 200)
    kernel = kernel_for(ScratchSGD(), retain, setup)
    job = job_for(ScratchSGD(), problem, setup, 1, (200,), _same)
    assert sum_signs(job, kernel, 0, 9)[0] == pytest.approx(step_through(job, 0, 9)[0], abs=1e-13)


def test_no_kernel_for_other_losses():
    retain = Mixture((logistic(np.array([0.3]), 1, 1.0), hard(1.0, 1, 1.0, 1.0)), [0.5, 0.5])
    setup = Problem(retain, retain, 0.1, 1.0, 1.0).setup(1.0, 1e-2, 5)
    assert kernel_for(ScratchSGD(), retain, setup) is None


@pytest.mark.parametrize("kind", named_algorithms().values())
def test_two_workers_change_nothing(kind):
    problem = synthetic_problem(0.3, 0.1, 4, 1.0, 1.0)
    rule = made(kind, problem)
    setup = problem.setup(1.0, 1e-2, 12)
    alone, together = (
        run(rule, problem, setup, 600, seed=9, times=(3, 12), workers=workers) for workers in (1, 2)
    )
    assert np.array_equal(alone.outputs, together.outputs)
    assert np.array_equal(alone.left_ball, together.left_ball)


@pytest.mark.parametrize("rule", [*IN_CLASS], ids=name)
def test_recording_more_times_changes_nothing(rule):
    problem = Problem(
        Mixture((huber(np.zeros(2), 0.4, 0.1, 1.0), hard(1.0, 2, 1.0, 1.0)), [0.5, 0.5]),
        Mixture((hard(-1.0, 2, 1.0, 1.0),), [1.0]),
        0.1,
        1.0,
        1.0,
    )
    setup = problem.setup(1.0, 1e-2, 150)
    often = run(rule, problem, setup, 20, seed=2, times=[0, 5, 149, 150])
    once = run(rule, problem, setup, 20, seed=2)
    assert often.times == (0, 5, 149, 150)
    assert np.array_equal(often.outputs[-1], once.outputs[0])


def test_blocks_have_their_own_streams():
    problem = hard_problem(0.0, 0.1, 1, 1.0, 1.0)
    outputs = run(ProjectedNoise(), problem, problem.setup(1.0, 1e-2, 0), 600, seed=0).outputs[0, :, 0]
    inner = outputs[np.abs(outputs) < 0.4999]
    assert len(np.unique(inner)) == len(inner) > 500
    other = run(ProjectedNoise(), problem, problem.setup(1.0, 1e-2, 0), 600, seed=1).outputs[0, :, 0]
    assert not np.array_equal(outputs, other)


def test_measure_is_applied_to_the_release():
    problem = hard_problem(0.4, 0.1, 2, 1.0, 1.0)
    setup = problem.setup(1.0, 1e-2, 10)
    outputs = run(ScratchSGD(), problem, setup, 300, seed=4)
    risks = run(ScratchSGD(), problem, setup, 300, seed=4, measure=problem.excess_risk)
    assert risks.outputs.shape == (1, 300)
    assert np.array_equal(risks.outputs[0], problem.excess_risk(outputs.outputs[0]))
    assert risks.samples == 10


def test_batches_average_gradients_and_cost_samples():
    problem = hard_problem(0.0, 0.1, 1, 1.0, 1.0)
    picks = np.array([[0, 0, 0, 1], [1, 1, 1, 1]])
    gradient = problem.retain.sampled_gradient(np.array([[0.2], [0.0]]), picks)
    assert gradient.round(12).tolist() == [[-0.05], [0.5]]
    assert run(ScratchSGD(), problem, problem.setup(1.0, 1e-2, 20, batch=16), 3, seed=3).samples == 320


class _Broken:
    """A loss of the class at the points that the membership test tries, broken elsewhere."""

    d = 2

    def __init__(self, spoil):
        self.spoil, self.calls = spoil, 0

    def value(self, theta):
        return 0.5 * (theta**2).sum(axis=-1)

    def gradient(self, theta):
        self.calls += 1
        return theta if self.calls <= 1 else self.spoil(theta)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda theta: theta[:, :1], r"gradient must have shape \(4, 2\), got \(4, 1\)"),
        (lambda theta: theta * np.nan, "grad must be finite, got nan at chain 0, coordinate 0"),
        (lambda theta: theta + np.inf, "grad must be finite, got inf"),
    ],
)
def test_broken_gradients_are_named(spoil, message):
    retain = Mixture((_Broken(spoil),), [1.0])
    problem = Problem(retain, Mixture((hard(1.0, 2, 1.0, 1.0),), [1.0]), 0.1, 1.0, 1.0)
    problem.__dict__["full_optimum"] = hard_problem(0.5, 0.1, 2, 1.0, 1.0).full_optimum
    with pytest.raises(ValueError, match=message):
        run(NoisyProjectedSGD(), problem, problem.setup(1.0, 1e-2, 3), 4, seed=0)


class _Wrong:
    def __init__(self, result):
        self.result = result

    def step(self, t, theta, grad, memory, setup, rng):
        return self.result(theta), memory


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda theta: theta[:2], r"theta from step must have shape \(5, 2\), got \(2, 2\)"),
        (lambda theta: np.full_like(theta, np.nan), "theta from step must be finite, got nan"),
    ],
)
def test_broken_rules_are_named(result, message):
    problem = hard_problem(0.5, 0.1, 2, 1.0, 1.0)
    with pytest.raises(ValueError, match=message):
        run(_Wrong(result), problem, problem.setup(1.0, 1e-2, 3), 5, seed=0)


class _Runaway:
    """Moves every third chain out of the ball at step 1, and back at step 2."""

    def step(self, t, theta, grad, memory, setup, rng):
        theta = theta.copy()
        theta[::3, 0] = 2 * setup.R if t == 1 else 0.0
        return theta, memory


def test_chains_that_leave_the_ball_are_counted_not_clipped():
    problem = hard_problem(0.5, 0.1, 2, 1.0, 1.0)
    result = run(_Runaway(), problem, problem.setup(1.0, 1e-2, 3), 10, seed=0, times=[2, 3])
    assert result.left_ball.tolist() == [i % 3 == 0 for i in range(10)]
    assert result.outside == 4
    assert result.outputs[0, 0, 0] == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: run(object(), p, p.setup(1.0, 1e-2, 3), 5, 0), "needs a method step"),
        (lambda p: run(ScratchSGD(), p, p.setup(1.0, 1e-2, 3), 0, 0), "chains must be .* got 0"),
        (lambda p: run(ScratchSGD(), p, p.setup(1.0, 1e-2, 3), 5, 0, times=[4]), r"0 … T = 3, got \[4\]"),
        (lambda p: run(ScratchSGD(), p, p.setup(1.0, 1e-2, 3), 5, 0, times=[-1]), r"got \[-1\]"),
        (lambda p: run(ScratchSGD(), p, p.setup(1.0, 1e-2, 3), 5, 0, workers=0), "workers .* got 0"),
        (
            lambda p: run(ScratchSGD(), p, hard_problem(0.5, 0.2, 2, 1.0, 1.0).setup(1.0, 1e-2, 3), 5, 0),
            r"\(1.0, 1.0, 0.1, 2\), got \(1.0, 1.0, 0.2, 2\)",
        ),
    ],
)
def test_bad_calls_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(hard_problem(0.5, 0.1, 2, 1.0, 1.0))
