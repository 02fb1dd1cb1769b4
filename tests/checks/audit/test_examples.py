"""The three examples do what they say, and the packaged suite passes on a rule that keeps its promise."""

import importlib.util
from pathlib import Path

import pytest

from oubli.checks.audit import Judgement, Settings
from oubli.checks.audit.suite import AuditSuite
from oubli.sim.algorithms.exact_noise import ExactNoise
from tests.fixtures.faulty import TenthNoise

FOLDER = Path(__file__).parents[3] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main()


@pytest.mark.parametrize(
    ("name", "violated"),
    [
        ("audit_private", None),
        ("audit_too_little_noise", "privacy eps"),
        ("audit_beyond_frontier", "privacy exact"),
    ],
)
def test_example(name, violated):
    found = example(name)
    flagged = {f.check for f in found.findings if f.verdict is Judgement.VIOLATED}
    assert (violated in flagged) if violated else not flagged


def test_the_suite_fails_for_the_group_that_is_broken():
    class Broken(AuditSuite):
        algorithm = TenthNoise
        settings = Settings(eps=1.0, delta=1e-5, runs=5000)

    suite = Broken()
    suite.test_not_violated("structure")
    with pytest.raises(AssertionError, match="privacy eps"):
        suite.test_not_violated("privacy")
    with pytest.raises(AssertionError, match="VIOLATED"):
        suite.test_looked_at()


class TestExactNoise(AuditSuite):
    algorithm = ExactNoise
    settings = Settings(eps=1.0, delta=1e-5, runs=5000, alpha=1e-6)
