"""The user's data and losses: gradients, constants, the class test, and files that cannot be used."""

import numpy as np
import pytest

from oubli.checks.audit import Judgement, Settings, audit, audit_file
from oubli.checks.audit.guard import Guarded
from oubli.checks.audit.own_class import class_test
from oubli.checks.audit.own_data import Rows, own_problem, prepared
from oubli.checks.audit.own_given import OwnData
from oubli.checks.audit.own_loss import Logistic, Ridge, own_loss
from oubli.errors import InputError

RNG = np.random.default_rng(5)
X = RNG.normal(size=(40, 3))
X /= np.linalg.norm(X, axis=1, keepdims=True)
Y = np.where(X[:, 0] > 0, 1.0, -1.0)
FORGET = np.arange(40) < 6


@pytest.fixture
def path(tmp_path):
    def write(**arrays):
        file = tmp_path / "rows.npz"
        np.savez(file, **{"x": X, "y": Y, "forget": FORGET, **arrays})
        return str(file)

    return write


@pytest.mark.parametrize("loss", [Logistic(0.3), Ridge(2.0)])
def test_gradients_are_differences_of_values(loss):
    law = Rows(loss, X, Y, np.full(40, 1 / 40))
    theta, small = RNG.normal(size=(5, 3)), 1e-6
    for k, axis in enumerate(np.eye(3)):
        slope = (law.value(theta + small * axis) - law.value(theta - small * axis)) / (2 * small)
        assert law.gradient(theta)[:, k] == pytest.approx(slope, rel=1e-5, abs=1e-8)
    indices = RNG.integers(0, 40, (5, 4))
    rows = [
        np.mean([law.losses[i].gradient(theta[k : k + 1])[0] for i in indices[k]], axis=0) for k in range(5)
    ]
    assert law.sampled_gradient(theta, indices) == pytest.approx(np.array(rows))
    assert law.value(theta) == pytest.approx(np.mean([row.value(theta) for row in law.losses], axis=0))


@pytest.mark.parametrize("given", [{"loss": "logistic", "mu": 0.2}, {"loss": "ridge", "mu": 1.5}])
def test_the_constants_put_the_losses_into_the_class(path, given):
    """The steepest gradient on the ball stays below L and comes near it where the loss is quadratic."""
    problem = own_problem(OwnData(path(), **given), None)
    assert class_test(problem).inside
    R = problem.L / (2 * problem.mu)
    points = RNG.normal(size=(400, 3))
    points *= R / np.linalg.norm(points, axis=1, keepdims=True)
    steepest = max(float(np.linalg.norm(row.gradient(points), axis=1).max()) for row in problem.retain.losses)
    assert steepest <= problem.L * (1 + 1e-12)
    assert steepest > (0.9 if given["loss"] == "ridge" else 0.5) * problem.L
    assert np.linalg.norm(problem.full_optimum.point) <= R
    whole = Rows(problem.retain.data[0], X, Y, np.full(40, 1 / 40))
    assert np.linalg.norm(whole.gradient(problem.full_optimum.point[None])) < 1e-8
    assert problem.r_f == 6 / 40


def test_what_lies_outside_is_said(path):
    ridge = class_test(own_problem(OwnData(path(), loss="ridge", mu=0.5), None))
    assert ridge.inside is False
    assert "mu > max |x|²" in ridge.says
    small = class_test(own_problem(OwnData(path(), lipschitz=0.5), None))
    assert small.inside is False
    assert small.says.startswith("40 of 40 rows are outside")
    found = class_test(own_problem(OwnData(path(), loss="own"), own_loss(Guarded(Unsquared()), 3)))
    assert found.inside is False
    assert class_test(own_problem(OwnData(path(), loss="own"), own_loss(Guarded(Plain()), 3))).inside is None


class Plain:
    def step(self, t, theta, grad, memory, setup, rng):
        return theta, memory

    def loss_value(self, theta, x, y):
        return (theta**2).sum(1) / 2

    def loss_gradient(self, theta, x, y):
        return theta


class Unsquared(Plain):
    """The norm in the place of its square: not strongly convex."""

    def loss_value(self, theta, x, y):
        return np.linalg.norm(theta, axis=1) - (x * theta).sum(1) / 2

    def loss_gradient(self, theta, x, y):
        return theta / np.maximum(np.linalg.norm(theta, axis=1, keepdims=True), 1e-300) - x / 2


LEAKS = """
class Leaks:
    def step(self, t, theta, grad, memory, setup, rng):
        return theta, memory
    def release(self, theta, memory, setup, rng):
        return theta + {noise} * rng.standard_normal(theta.shape)
    def loss_value(self, theta, x, y):
        return (theta**2).sum(1) - (x * theta).sum(1) * y
    def loss_gradient(self, theta, x, y):
        return 2 * theta - x * y[:, None]
"""


TRAINS = """
    def learn(self, problem, setup, rng):
        import numpy as np
        theta = np.zeros((setup.chains, setup.d))
        for _ in range(8):
            grads = [law.gradient(theta) for law in (problem.retain, problem.forget)]
            theta = theta - 0.5 * ((1 - setup.r_f) * grads[0] + setup.r_f * grads[1])
        return theta, None
"""


def test_a_rule_trains_on_own_data_with_its_own_loss(path, tmp_path):
    file = tmp_path / "rule.py"
    file.write_text(LEAKS.format(noise="1e-6") + TRAINS)
    settings = Settings(1.0, 1e-5, runs=500, steps=1, against="retrain", data=OwnData(path(), loss="own"))
    assert audit_file(str(file), settings).violated("privacy eps")


@pytest.mark.parametrize("loss", ["logistic", "own"])
@pytest.mark.parametrize(("noise", "verdict"), [("1e-6", "VIOLATED"), ("10", "CONSISTENT")])
def test_a_leak_on_own_data_is_seen(path, tmp_path, loss, noise, verdict):
    file = tmp_path / "rule.py"
    file.write_text(LEAKS.format(noise=noise))
    data = OwnData(path(), loss=loss)
    found = audit_file(str(file), Settings(1.0, 1e-5, runs=2000, steps=1, data=data))
    assert str(found.verdict) == verdict
    assert found.setup["rf"] == 0.15
    assert f"--data {data.path} --loss {loss}" in found.replay


def test_an_alternative_takes_the_place_of_the_forget_rows(path):
    other = path(x_alternative=-X[FORGET], y_alternative=Y[FORGET])
    problem = own_problem(OwnData(other), None)
    assert np.array_equal(problem.swapped().forget.data[1], -X[FORGET])
    assert own_problem(OwnData(path()), None).alternative is not problem.forget


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"x": X[:, 0]}, "x must have shape (n, columns)"),
        ({"y": Y[:7]}, "one entry per row"),
        ({"x": np.where(X > 0.9, np.nan, X)}, "must be finite"),
        ({"y": np.array(["a"] * 40)}, "must hold numbers"),
        ({"y": 2 * Y}, "-1 or 1 for a logistic loss"),
        ({"forget": FORGET.astype(int)}, "40 booleans"),
        ({"forget": FORGET | True}, "some rows and not all"),
        ({"forget": FORGET & False}, "some rows and not all"),
        ({"x_alternative": X[:3, :2], "y_alternative": Y[:3]}, "columns of x"),
        ({"x_alternative": X[:3], "y_alternative": Y[:2]}, "one entry per row"),
    ],
)
def test_arrays_that_cannot_be_used(path, arrays, words):
    with pytest.raises(InputError) as why:
        prepared(Settings(1.0, 1e-5, data=OwnData(path(**arrays))))
    assert words in str(why.value)
    assert "\n" not in str(why.value)


def test_files_that_cannot_be_used(tmp_path):
    text, array = tmp_path / "text.npz", tmp_path / "array.npz"
    text.write_text("1 2 3")
    np.save(tmp_path / "array.npy", X)
    (tmp_path / "array.npy").rename(array)
    np.savez(tmp_path / "other.npz", x=X)
    for name in ("missing.npz", "text.npz", "array.npz", "other.npz"):
        with pytest.raises(InputError) as why:
            audit("rule.py", Settings(1.0, 1e-5, data=OwnData(str(tmp_path / name))))
        assert name in str(why.value)
        assert "\n" not in str(why.value)


def test_own_losses_that_are_missing_or_wrong_are_named(path, tmp_path):
    file = tmp_path / "rule.py"
    for text, words in (
        (LEAKS.replace("loss_value", "value"), "loss_gradient: missing"),
        (LEAKS.replace("- (x * theta).sum(1) * y", "").replace(".sum(1)", ""), "loss_value: must return"),
    ):
        file.write_text(text.format(noise="1"))
        found = audit_file(str(file), Settings(1.0, 1e-5, runs=200, data=OwnData(path(), loss="own")))
        assert found.verdict is not Judgement.CONSISTENT
        assert any(words in f.says for f in found.findings), found.findings
