"""Rules written elsewhere: the examples are audited, and errors planted in them are seen."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from oubli.checks.audit import Settings, audit_file
from oubli.checks.audit.adapters.looped import LoopedRule
from oubli.checks.audit.own_given import OwnData

# A framework is slow to start, and each rule of an audit has a process of its own.
LIMITS = {"call_seconds": 60.0, "total_seconds": 900.0}
FOLDER = Path(__file__).parents[3] / "examples"


def needs(extra):
    reason = f"needs the extra `{extra}`: pip install 'oubli-unlearning[{extra}]'"
    return pytest.mark.skipif(find_spec(extra) is None, reason=reason)


def audited(tmp_path, name, change=("", ""), **more):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert change[0] in text
    (tmp_path / name).write_text(text.replace(*change))
    settings = Settings(
        **{"eps": 1.0, "delta": 1e-5, "runs": 2000, "steps": 2, "alpha": 0.01, **LIMITS, **more}
    )
    return str(audit_file(str(tmp_path / name), settings).verdict)


NOISE = ("gaussian_sigma(setup.eps, setup.delta) *", "0.3 *")


@needs("torch")
@pytest.mark.parametrize(("change", "verdict"), [(("", ""), "CONSISTENT"), (NOISE, "VIOLATED")])
def test_a_rule_in_pytorch(tmp_path, change, verdict):
    assert audited(tmp_path, "audit_torch.py", change) == verdict


@needs("torch")
def test_a_module_of_pytorch_on_own_data(tmp_path):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(30, 3)), np.sign(rng.normal(size=30))
    np.savez(tmp_path / "rows.npz", x=x, y=y, forget=np.arange(30) < 3)
    data = OwnData(str(tmp_path / "rows.npz"), loss="own")
    kept = {"data": data, "batch": 8, "against": "retrain", "runs": 1000}
    assert audited(tmp_path, "audit_torch.py", **kept) == "CONSISTENT"
    assert audited(tmp_path, "audit_torch.py", (NOISE[0], "1e-3 *"), **kept) == "VIOLATED"


@needs("jax")
@pytest.mark.parametrize(("change", "verdict"), [(("", ""), "CONSISTENT"), (NOISE, "VIOLATED")])
def test_a_rule_in_jax(tmp_path, change, verdict):
    assert audited(tmp_path, "audit_jax.py", change) == verdict


@pytest.mark.parametrize(
    ("change", "verdict"), [(("", ""), "CONSISTENT"), (("2 * setup.R", "1e-4"), "VIOLATED")]
)
def test_a_rule_for_one_model(tmp_path, change, verdict):
    assert audited(tmp_path, "audit_one_model.py", change, runs=200, steps=1) == verdict


def test_chains_keep_their_own_memories():
    class Counts(LoopedRule):
        def start_one(self, theta_star, setup, rng):
            return theta_star, int(theta_star[0])

        def step_one(self, t, theta, grad, memory, setup, rng):
            return theta + memory, memory + 1

    rule, rows = Counts(), np.arange(3.0)[:, None]
    theta, memory = rule.start(rows, None, None)
    theta, memory = rule.step(0, theta, rows, memory, None, None)
    assert theta[:, 0].tolist() == [0.0, 2.0, 4.0]
    assert memory == [1, 2, 3]
    assert rule.release(theta, memory, None, None).tolist() == theta.tolist()


@pytest.mark.parametrize(
    ("module", "kind", "method", "extra"),
    [("looped", "LoopedRule", "step_one", None), ("looped", "LoopedTraining", "learn_one", None),
     ("jax_rule", "JaxRule", "update", "jax"), ("torch_rule", "TorchRule", "optimiser", "torch")],
)  # fmt: skip
def test_a_method_that_is_missing_is_named_with_the_line_of_the_class(tmp_path, module, kind, method, extra):
    if extra is not None and find_spec(extra) is None:
        pytest.skip(f"needs the extra `{extra}`")
    file = tmp_path / "empty.py"
    file.write_text(
        f"from oubli.checks.audit.adapters.{module} import {kind}\n\n\nclass Empty({kind}):\n    pass\n"
    )
    found = audit_file(str(file), Settings(eps=1.0, delta=1e-5, runs=200, steps=1, **LIMITS))
    assert str(found.verdict) == "ERROR"
    assert found.findings[-1].says.startswith(f"{file}:4: {method}: missing; needed: {method}(")
