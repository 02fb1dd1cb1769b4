"""Every generated loss is a member, gradients are gradients, and a miss is measured."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.sim.losses.families import cone, hard, kink, logistic, max_affine, quadratic, synthetic
from oubli.sim.losses.members import MAKERS, extremal_members, random_member
from oubli.sim.losses.membership import membership

fixed = settings(derandomize=True, deadline=None, database=None, max_examples=60)


@st.composite
def classes(draw):
    L = draw(st.sampled_from([0.1, 1.0, 25.0]))
    mu = draw(st.sampled_from([0.01, 1.0, 3.0]))
    return draw(st.integers(1, 6)), L, mu, draw(st.integers(0, 10**6))


def _sphere_and_ball(rng, d, R, count=4000):
    points = rng.standard_normal((count, d))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points[::2] *= rng.random((count // 2, 1))
    return R * points


@pytest.mark.parametrize("kind", sorted(MAKERS))
@fixed
@given(classes())
def test_every_generated_loss_is_a_member(kind, case):
    d, L, mu, seed = case
    loss = MAKERS[kind](np.random.default_rng(seed), d, L, mu)
    found = membership(loss, L, mu)
    assert found.inside, found
    assert not found.outside


@fixed
@given(classes())
def test_members_obey_the_definition_pointwise(case):
    d, L, mu, seed = case
    rng = np.random.default_rng(seed)
    loss = random_member(rng, d, L, mu)
    x, y = _sphere_and_ball(rng, d, L / (2 * mu)), _sphere_and_ball(rng, d, L / (2 * mu))
    distance = np.linalg.norm(x - y, axis=1)
    rounding = 1e-12 * L**2 / mu
    assert np.all(np.abs(loss.value(x) - loss.value(y)) <= L * distance + rounding)
    tangent = loss.value(x) + np.einsum("ij,ij->i", loss.gradient(x), y - x)
    assert np.all(loss.value(y) >= tangent + mu / 2 * distance**2 - rounding)


@fixed
@given(classes())
def test_gradients_match_central_differences_away_from_kinks(case):
    d, L, mu, seed = case
    rng = np.random.default_rng(seed)
    loss = random_member(rng, d, L, mu)
    x = _sphere_and_ball(rng, d, L / (2 * mu), 200)
    h = 1e-6 * L / mu
    numeric = np.stack([(loss.value(x + h * e) - loss.value(x - h * e)) / (2 * h) for e in np.eye(d)], axis=1)
    miss = np.abs(numeric - loss.gradient(x)).max(axis=1)
    # Points within h of a kink are few; the others agree to the differences' own error.
    assert np.mean(miss <= 1e-4 * L) >= 0.95


@pytest.mark.parametrize("d", [1, 2, 4, 7])
def test_extremal_members_attain_the_lipschitz_bound(d):
    for name, loss in extremal_members(d, 2.0, 0.5).items():
        found = membership(loss, 2.0, 0.5)
        assert found.inside, name
        if not name.startswith("synthetic") or d == 4:
            assert abs(found.lipschitz_excess.high) <= 1e-9, name


@pytest.mark.parametrize("d", [2, 4, 6, 16, 100])
def test_synthetic_constant_is_the_one_in_closed_form(d):
    found = membership(synthetic(1.0, d, 25.0, 1.0), 25.0, 1.0)
    assert found.lipschitz_excess.high == pytest.approx(25 * (math.sqrt(d) / 4 - 1 / 2), abs=1e-9)
    assert found.inside == (d <= 4)
    assert found.how == "analytic"


def test_synthetic_lipschitz_constant_is_attained_by_a_point():
    d, R = 16, 0.5
    # The worst point: against the linear half, along the kinked half.
    theta = R / math.sqrt(d) * np.concatenate([-np.ones(d // 2), np.ones(d // 2)])
    gradient = synthetic(1.0, d, 1.0, 1.0).gradient(theta[None])
    assert np.linalg.norm(gradient) == pytest.approx(1.5, abs=1e-12)


def test_a_miss_is_reported_with_its_size():
    too_steep = membership(quadratic(np.array([0.75]), mu=1.0), 1.0, 1.0)
    assert too_steep.outside
    assert too_steep.lipschitz_excess.low == pytest.approx(0.25, abs=1e-12)
    too_flat = membership(quadratic(np.array([0.1]), mu=0.5), 1.0, 1.0)
    assert too_flat.outside
    assert too_flat.convexity_deficit.low == pytest.approx(0.5, abs=1e-12)


def test_an_unknown_loss_is_judged_by_samples_only():
    class Steep:
        d = 1

        def value(self, theta):
            return 3 * theta[:, 0] ** 2

        def gradient(self, theta):
            return 6 * theta

    found = membership(Steep(), 1.0, 1.0)
    assert found.outside
    assert found.how.startswith("sampled")
    assert found.lipschitz_excess.low == pytest.approx(2.0)


def _largest_gradient(slopes, offsets, mu, R):
    """Brute force on a fine grid of the disc's boundary and inside."""
    angle = np.linspace(0, 2 * np.pi, 20001)
    best = 0.0
    for radius in np.linspace(0, R, 21):
        points = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        active = (points @ slopes.T + offsets).argmax(axis=1)
        best = max(best, np.linalg.norm(mu * points + slopes[active], axis=1).max())
    return best


@settings(fixed, max_examples=25)
@given(st.integers(0, 10**6))
def test_bracket_of_affine_pieces_holds_the_brute_force_value(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    slopes, offsets = rng.standard_normal((count, 2)), 0.3 * rng.standard_normal(count)
    low, high = max_affine(slopes, offsets, 1.0).lipschitz(0.5)
    brute = _largest_gradient(slopes, offsets, 1.0, 0.5)
    assert brute <= high + 1e-12
    if count == 2:
        assert high == pytest.approx(brute, rel=1e-6)
        assert low == pytest.approx(high, rel=1e-6)


def test_in_two_dimensions_slopes_can_exceed_half_of_L():
    rng = np.random.default_rng(3)
    widest = 0.0
    for _ in range(50):
        loss = MAKERS["wide"](rng, 2, 1.0, 1.0)
        points = _sphere_and_ball(rng, 2, 0.5)
        widest = max(widest, np.linalg.norm(loss.part.gradient(points), axis=1).max())
        assert np.linalg.norm(loss.gradient(points), axis=1).max() <= 1 + 1e-12
    assert widest > 0.55


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hard(2.0, 1, 1.0, 1.0), "g must lie in .* got 2.0"),
        (lambda: synthetic(1.0, 3, 1.0, 1.0), "even d >= 2, got 3"),
        (lambda: cone(np.zeros(1), -1.0, 1.0), "got -1.0"),
        (lambda: kink(0.0, 0.5, 0.1, 1, 1.0), "left <= right"),
        (lambda: logistic(np.ones(1), 0, 1.0), "label must be -1 or 1, got 0"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
