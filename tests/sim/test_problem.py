"""Optima: closed forms, certificates that hold, and refusals."""

from time import process_time

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.losses.families import absolute, cone, curved, hard, huber, kink, logistic, quadratic
from oubli.sim.losses.members import random_member
from oubli.sim.losses.parts import Separable
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.optimum import Weighted, cutting, separable_minimiser, smooth
from oubli.sim.problems.problem import Problem, hard_problem, quadratic_pair, synthetic_problem

fixed = settings(derandomize=True, deadline=None, database=None, max_examples=40)


def _separable_mixture(rng, d):
    losses = [
        hard(float(rng.uniform(-1, 1)), d, 1.0, 1.0),
        absolute(0.3 * rng.uniform(-1, 1, d) / d, np.abs(rng.standard_normal(d)) / (4 * d), 1.0),
        absolute(0.3 * rng.uniform(-1, 1, d) / d, np.abs(rng.standard_normal(d)) / (4 * d), 1.0),
        curved(0.2 * rng.uniform(-1, 1, d) / d, 1.0, 0.3),
    ]
    return Mixture(losses, rng.dirichlet(np.ones(4)))


@fixed
@given(st.integers(1, 4), st.integers(0, 10**6))
def test_certified_optima_agree_with_the_closed_form(d, seed):
    mixture = _separable_mixture(np.random.default_rng(seed), d)
    closed = mixture.minimise(1.0, 1.0)
    assert closed.how == "closed form"
    for found in (cutting(mixture, np.zeros(d), 1.0, 1.0), smooth(mixture, 1.0, 1.0)):
        distance = np.linalg.norm(found.point - closed.point)
        assert distance <= found.distance + closed.distance
        assert -1e-14 <= found.value - closed.value <= found.gap + closed.gap


@fixed
@given(st.integers(0, 10**6))
def test_separable_minimiser_beats_a_fine_grid(seed):
    rng = np.random.default_rng(seed)
    centres, weights = rng.uniform(-1, 1, 3), rng.random(3)
    slope, curvature = rng.uniform(-2, 2), rng.random() + 0.1
    terms = [
        Weighted(1.0, Separable(0.0, np.array([slope / 3]), np.array([w]), np.array([c])))
        for c, w in zip(centres, weights, strict=True)
    ]
    point = separable_minimiser(terms, curvature)

    def value(x):
        return curvature / 2 * x**2 + slope * x + np.abs(x[:, None] - centres) @ weights

    grid = np.linspace(-40, 40, 400001)
    assert value(point)[0] <= value(grid).min() + 1e-12


@fixed
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6))
def test_certificates_are_lower_bounds(d, count, seed):
    rng = np.random.default_rng(seed)
    mixture = Mixture([random_member(rng, d, 1.0, 1.0) for _ in range(count)], rng.dirichlet(np.ones(count)))
    found = mixture.minimise(1.0, 1.0)
    # An honest bound is a bound: no point of a random search nearby may undercut it.
    near = found.point + 10.0 ** rng.uniform(-9, 0, (2000, 1)) * rng.standard_normal((2000, d))
    assert mixture.value(near).min() >= found.value - found.gap
    assert found.gap <= 1e-5
    assert np.linalg.norm(found.point) <= 0.5 + found.distance


def test_smooth_optimum_matches_forty_digits():
    mixture = Mixture((logistic(np.array([0.5]), 1, 1.0), huber(np.array([-0.2]), 0.3, 0.1, 1.0)), [0.6, 0.4])
    found = mixture.minimise(1.0, 1.0)
    with mpmath.workdps(40):
        root = mpmath.findroot(
            lambda x: x - mpmath.mpf("0.3") / (1 + mpmath.exp(x / 2)) + mpmath.mpf("0.12"), 0.0
        )
    assert abs(float(root) - found.point[0]) <= found.distance + 1e-16
    assert found.distance <= 1e-9


def test_the_smooth_optimum_of_a_large_model_takes_no_matrix():
    """A logistic loss along the diagonal of many dimensions; a quasi-Newton matrix would have 0.5 GB."""
    d = 8000
    diagonal = np.ones(d) / d**0.5
    begun = process_time()
    found = Mixture((logistic(0.5 * diagonal, 1, 1.0),), [1.0]).minimise(1.0, 1.0)
    assert process_time() - begun < 5
    with mpmath.workdps(40):
        root = mpmath.findroot(lambda x: x - mpmath.mpf("0.5") / (1 + mpmath.exp(x / 2)), 0.2)
    assert np.linalg.norm(found.point - float(root) * diagonal) <= found.distance + 1e-15
    assert found.distance <= 1e-9


def test_cone_tip_is_certified_exactly():
    losses = (cone(np.array([0.1, 0.2]), 0.5, 1.0), quadratic(np.array([0.3, 0.0]), 1.0))
    mixture = Mixture(losses, [0.8, 0.2])
    found = mixture.minimise(1.0, 1.0)
    assert found.point.tolist() == [0.1, 0.2]
    assert found.distance <= 1e-13


@pytest.mark.parametrize(("gamma", "r_f"), [(0.5, 0.1), (0.9, 0.3), (0.05, 0.2), (-0.6, 0.1), (0.0, 0.4)])
def test_hard_problem_has_the_papers_optima(gamma, r_f):
    problem = hard_problem(gamma, r_f, 3, 2.0, 0.5)
    R = 2.0
    shown = np.sign(gamma) * max((1 - r_f) * abs(gamma) - r_f, 0.0)
    assert problem.retain_optimum.point == pytest.approx([R * gamma, 0, 0], abs=1e-12)
    assert problem.full_optimum.point == pytest.approx([R * shown, 0, 0], abs=1e-12)
    # The alternative shows the sign with full strength.
    sign = np.sign(gamma) or 1.0
    both = R * ((1 - r_f) * gamma + r_f * sign)
    assert problem.alternative_optimum.point == pytest.approx([both, 0, 0], abs=1e-12)


@pytest.mark.parametrize("r_f", [0.0, 0.1, 0.5])
def test_quadratic_pair_attains_the_distance(r_f):
    pair = quadratic_pair(r_f, 2, 3.0, 1.5)
    distance = np.linalg.norm(pair.full_optimum.point - pair.retain_optimum.point)
    assert distance == pytest.approx(r_f * 3.0 / 1.5, abs=1e-12)


def test_excess_risk_is_the_papers_quadratic():
    problem = hard_problem(0.3, 0.1, 2, 1.0, 1.0)
    theta = np.array([[0.1, 0.2], [-0.4, 0.0]])
    expected = 0.5 * ((theta[:, 0] - 0.15) ** 2 + theta[:, 1] ** 2)
    assert problem.excess_risk(theta) == pytest.approx(expected, abs=1e-14)


def test_synthetic_optimum_is_half_zero():
    problem = synthetic_problem(0.5, 0.1, 6, 1.0, 1.0)
    assert problem.retain_optimum.point == pytest.approx([0.125] * 3 + [0.0] * 3, abs=1e-13)


def test_kink_that_hides_the_forget_data():
    # Retain has its kink at theta* = R(1 − 2r); quadratics at ±R give the same theta* (claim `trivial`).
    r, R = 0.1, 0.5
    star = R * (1 - 2 * r)
    bent = Mixture((kink(star, -0.5, 0.5, 1, 1.0),), [1.0])
    problem = Problem(bent, Mixture((quadratic(np.array([-R]), 1.0),), [1.0]), r, 1.0, 1.0)
    twin = quadratic_pair(r, 1, 1.0, 1.0)
    assert problem.full_optimum.point[0] == pytest.approx(twin.full_optimum.point[0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hard_problem(0.5, 1.0, 1, 1.0, 1.0), r"r_f must lie in \[0, 1\), got 1.0"),
        (lambda: hard_problem(0.5, -0.1, 1, 1.0, 1.0), r"got -0.1"),
        (lambda: hard_problem(1.5, 0.1, 1, 1.0, 1.0), r"gamma must lie in \[-1, 1\], got 1.5"),
        (lambda: quadratic_pair(0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, -3), "T must be an integer >= 0, got -3"),
        (lambda: hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(1.0, 1e-5, 2.5), "got 2.5"),
        (lambda: hard_problem(0.5, 0.1, 1, 1.0, 1.0).setup(float("nan"), 1e-5, 2), "eps .* got nan"),
        (lambda: Mixture((hard(1.0, 1, 1.0, 1.0),), [0.5]), "sum to 1, got 0.5"),
        (lambda: Mixture((hard(1.0, 1, 1.0, 1.0), hard(1.0, 2, 1.0, 1.0)), [0.5, 0.5]), r"got \[1, 2\]"),
    ],
)
def test_bad_problems_are_refused_with_the_value(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_loss_outside_the_class_is_refused_with_its_miss():
    inside, outside = Mixture((hard(1.0, 1, 1.0, 1.0),), [1.0]), Mixture((hard(1.0, 1, 1.5, 1.0),), [1.0])
    with pytest.raises(ValueError, match=r"F_sc\(mu=1.0, L=1.0\), got .*low=0.25"):
        Problem(inside, outside, 0.1, 1.0, 1.0)


def test_a_problem_without_alternative_says_so():
    side = Mixture((hard(1.0, 1, 1.0, 1.0),), [1.0])
    with pytest.raises(ValueError, match="alternative=None"):
        Problem(side, side, 0.1, 1.0, 1.0).swapped()
