"""`oubli constants`: L bounds every gradient on the ball R = L/(2 mu), by gradients taken by hand."""

import json

import numpy as np
import pytest

import oubli
from oubli.errors import InputError

RNG = np.random.default_rng(8)
X = RNG.normal(size=(40, 3))
Y = RNG.normal(size=40)


def largest_gradient(gradient, R):
    """The longest gradient over samples and points of the ball, those along the samples among them."""
    u = RNG.normal(size=(4000, X.shape[1]))
    points = R * np.concatenate([u / np.linalg.norm(u, axis=1, keepdims=True), X, -X])
    points[4000:] /= np.linalg.norm(points[4000:], axis=1, keepdims=True) / R
    return max(np.linalg.norm(gradient(theta), axis=1).max() for theta in points)


def test_logistic_gradients_stay_below_L():
    lam, sign = 0.05, np.sign(Y)
    found = oubli.constants(X, sign, model="logistic", lam=lam)
    steepest = largest_gradient(
        lambda t: -(sign / (1 + np.exp(sign * (X @ t))))[:, None] * X + lam * t, found.R
    )
    assert found.in_class
    assert pytest.approx(found.L / (2 * lam)) == found.R
    assert 0.9 * found.L < steepest <= found.L


def test_softmax_gradients_stay_below_L():
    lam, classes = 0.3, RNG.integers(0, 4, 40)
    found = oubli.constants(X, classes, model="logistic", lam=lam)
    assert (found.dim, found.classes) == (12, 4)
    for _ in range(300):
        theta = RNG.normal(size=(4, 3))
        theta *= found.R / np.linalg.norm(theta)
        scores = X @ theta.T
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p = p / p.sum(axis=1, keepdims=True) - np.eye(4)[classes]
        gradients = p[:, :, None] * X[:, None, :] + lam * theta
        assert np.linalg.norm(gradients.reshape(40, -1), axis=1).max() <= found.L


def test_ridge_has_the_least_L_and_none_where_the_ball_does_not_fit():
    longest = np.linalg.norm(X, axis=1).max()
    lam = 1.5 * longest**2
    found = oubli.constants(X, Y, model="ridge", lam=lam)
    steepest = largest_gradient(lambda t: (X @ t - Y)[:, None] * X + lam * t, found.R)
    assert steepest == pytest.approx(found.L, rel=1e-9)
    outside = oubli.constants(X, Y, model="ridge", lam=0.99 * longest**2)
    assert not outside.in_class
    assert outside.L is None
    assert "No L fits" in outside.words[1]


def test_the_optimum_lies_in_the_ball():
    lam = 30.0
    found = oubli.constants(X, Y, model="ridge", lam=lam)
    optimum = np.linalg.solve(X.T @ X / 40 + lam * np.eye(3), X.T @ Y / 40)
    assert np.linalg.norm(optimum) <= found.R


def test_a_bound_fixed_in_advance_and_an_intercept():
    plain, tall = (oubli.constants([[3.0, 4.0]], model="logistic", lam=1, intercept=i) for i in (False, True))
    assert pytest.approx(10) == plain.L
    assert (tall.L, tall.dim) == (pytest.approx(2 * 26**0.5), 3)
    assert pytest.approx(12) == oubli.constants([[3.0, 4.0]], model="logistic", lam=1, bound=6).L
    with pytest.raises(InputError, match="1 rows of X are longer"):
        oubli.constants([[3.0, 4.0]], model="logistic", lam=1, bound=4.9)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"lam": 0}, "lambda = 0"),
        ({"lam": float("nan")}, "lambda = nan"),
        ({"X": [[np.inf]]}, "not finite"),
        ({"X": [1.0]}, "the shape"),
        ({"X": [["a"]]}, "no table of numbers"),
        ({"X": [[1e200]]}, "longer than 1e50"),
        ({"y": [1.0, 2.0]}, "1 labels are needed"),
        ({"model": "tree"}, "accepted are"),
        ({"model": "ridge"}, "labels y are needed"),
    ],
)
def test_a_mistake_is_one_line(change, says):
    with pytest.raises(InputError, match=says) as caught:
        oubli.constants(**{"X": [[1.0]], "model": "logistic", "lam": 0.1} | change)
    assert "\n" not in str(caught.value)


def test_the_command(run, tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, X=X, y=Y)

    def called(*more, data=path):
        return run("constants", "--lambda", "0.1", "--data", data, *more)

    code, out, _ = called("--model", "logistic", "--json")
    found = json.loads(out)
    assert (code, found["in_class"], found["mu"]) == (0, True, 0.1)
    _, out, _ = called("--model", "logistic")
    assert f"oubli regime --n 40 --dim 120 --L {found['L']!r} --mu 0.1" in out
    assert called("--model", "ridge")[0] == 1
    (tmp_path / "bad.npz").write_text("no archive", encoding="utf-8")
    for bad in (tmp_path / "bad.npz", tmp_path / "nowhere.npz", tmp_path):
        code, out, err = called("--model", "ridge", data=bad)
        assert (code, out, err.count("\n")) == (2, "", 1)
