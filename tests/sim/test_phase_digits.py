"""The digits: loss and optimum against a peer library, and chains that meet against chains that do not."""

import numpy as np
import pytest

from oubli.sim.experiments.digits.chains import DigitsProtocol, Walk, minibatches, starts
from oubli.sim.experiments.digits.data import CLASSES, FEATURES, MU, SIZE, Softmax, load
from oubli.sim.experiments.digits.own import sampled_gradients

pytest.importorskip("sklearn")


@pytest.fixture(autouse=True)
def _one_blas_thread():
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


@pytest.fixture(scope="module")
def digits():
    return load(0.01, 0)


def test_the_optimum_is_that_of_scikit_learn(digits):
    from sklearn.linear_model import LogisticRegression

    data = digits.retain
    peer = LogisticRegression(C=1 / len(data.labels), fit_intercept=False, tol=1e-10, max_iter=5000)
    peer.fit(data.features, data.labels)
    ours = digits.retain_optimum
    assert ours.point.reshape(FEATURES, CLASSES) == pytest.approx(peer.coef_.T, abs=1e-6)
    assert ours.gap < 1e-20
    assert data.value(peer.coef_.T[:, :, None].copy())[0] >= ours.value - ours.gap - 1e-14


def test_gradient_is_the_slope_of_the_value(digits):
    rng = np.random.default_rng(0)
    data = Softmax(digits.retain.features[:40], digits.retain.labels[:40])
    theta, step = rng.normal(size=(2, FEATURES, CLASSES, 1))
    h = 1e-6
    slope = (data.value(theta + h * step) - data.value(theta - h * step))[0] / (2 * h)
    # Values near 300 round at 6e-14, which the difference quotient divides by 2e-6.
    assert np.sum(data.gradient(theta, np.arange(40)) * step) == pytest.approx(slope, abs=1e-6)


def test_many_chains_are_single_chains(digits):
    rng = np.random.default_rng(1)
    theta = rng.normal(size=(3, SIZE))
    rows = rng.integers(0, 1780, size=(3, 8))
    together = sampled_gradients(digits.retain, theta, rows)
    for chain in range(3):
        model = theta[chain].reshape(FEATURES, CLASSES, 1)
        alone = digits.retain.gradient(model, rows[chain])
        assert together[chain] == pytest.approx(alone.reshape(SIZE), rel=1e-10, abs=1e-12)


def plain_passages(protocol, chain, epochs):
    """A textbook loop for one chain: first times at which the excess at the end of an epoch is at most e."""
    data, least = protocol.digits.retain, protocol.digits.retain_optimum.value
    theta, rng = starts(protocol, 0)[:, :, chain], protocol.stream(0, 0)
    found = {}
    for epoch in range(epochs):
        for rows in minibatches(protocol, rng):
            X, y = data.features[rows], data.labels[rows]
            z = np.exp(X @ theta)
            P = z / z.sum(axis=1, keepdims=True) - np.eye(CLASSES)[y]
            theta = theta - 0.01 * (X.T @ P / len(rows) + MU * theta)
        z = data.features @ theta
        right = z[np.arange(len(z)), data.labels]
        value = np.mean(np.log(np.exp(z).sum(axis=1)) - right) + MU / 2 * np.sum(theta**2)
        found[(epoch + 1) * protocol.epoch] = value - least
    return found


def test_chains_that_meet_are_chains_that_do_not():
    protocol = DigitsProtocol(points=3, repetitions=2, most_epochs=150)
    walk = Walk(protocol, starts(protocol, 0), protocol.stream(0, 0))
    walk.to_the_end()
    assert len(walk.alive) == 1
    at = dict(zip(walk.times, walk.scratch, strict=True))
    for chain in (0, 3):
        alone = plain_passages(protocol, chain, 150)
        for t in (28, 280, 2800, 4200):
            column = at[t] if chain == 0 else _early(walk, t, chain)
            assert column == pytest.approx(alone[t], rel=1e-6, abs=1e-11)


def _early(walk, t, chain):
    place = walk.times.index(t)
    return walk.early[place][chain - 1] if place < len(walk.early) else walk.scratch[place]


def test_certified_sensitivity_covers_any_forget_data(digits):
    rng = np.random.default_rng(2)
    count = len(digits.everything.labels) - len(digits.retain.labels)
    for corner in (np.ones((count, FEATURES - 1)), rng.random((count, FEATURES - 1))):
        features = np.vstack([digits.retain.features, np.hstack([corner, np.ones((count, 1))])])
        labels = np.concatenate([digits.retain.labels, np.full(count, 3)])
        moved = Softmax(features, labels).minimise().point
        distance = np.linalg.norm(moved - digits.full_optimum.point)
        assert 0 < distance <= digits.sensitivity
    assert digits.distance < digits.sensitivity


def test_the_printed_schedule():
    protocol = DigitsProtocol()
    assert [protocol.rate(epoch) for epoch in (0, 999, 1000)] == [0.01, 0.01, 0.006]
    assert protocol.epoch == 28
    assert sum(len(rows) for rows in minibatches(protocol, protocol.stream(9))) == 1780
    linear = DigitsProtocol(linear=True)
    assert np.diff(linear.levels) == pytest.approx((10 - 5e-6) / 59)
