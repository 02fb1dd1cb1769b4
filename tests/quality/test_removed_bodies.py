"""A check whose body is removed records nothing, and a run that records nothing for a claim is red."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from checks import conftest, empirical
from checks.measure.registry import GROUPS
from checks.summary import expected_keys, missing, table

CHECKS = Path(__file__).parents[2] / "checks"
RECORD = {"cases": 1, "worst_ratio": 0.5, "violated": False, "confidence": 1.0, "source": "s", "instance": ""}
FULL = {key: {"key": key, **RECORD} for key in expected_keys()}


def test_a_whole_run_misses_nothing() -> None:
    assert missing(FULL) == []
    assert len(table(FULL)) == len(FULL) + 1


@pytest.mark.parametrize("key", expected_keys())
def test_a_claim_that_was_not_recorded_is_missed(key: str) -> None:
    assert missing({k: v for k, v in FULL.items() if k != key}) == [key]
    assert missing({**FULL, key: {**FULL[key], "cases": 0}}) == [key]


@pytest.mark.parametrize("group", GROUPS)
def test_each_module_hands_its_records_on(group: str) -> None:
    tree = ast.parse((CHECKS / f"test_{group}.py").read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    calls = {f.name: [_name(c) for c in ast.walk(f) if isinstance(c, ast.Call)] for f in tests}
    keeping = [name for name, called in calls.items() if "keep" in called]
    assert keeping == ["test_not_violated", "test_erratum_is_violated"]
    assert all(any(isinstance(node, ast.Assert | ast.Call) for node in ast.walk(f)) for f in tests)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def test_no_check_is_skipped() -> None:
    for path in CHECKS.glob("test_*.py"):
        assert "skip" not in path.read_text(encoding="utf-8"), path


class Session:
    """As much of a pytest session as the end of a run looks at."""

    def __init__(self, folder: Path, records: list[dict[str, object]]) -> None:
        self.exitstatus = 0
        self.stash = pytest.Stash()
        self.stash[conftest.RECORDS] = records  # type: ignore[assignment]
        self.stash[conftest.PARTIAL] = False
        self.rootpath = folder
        self.args = [str(CHECKS)]
        self.invocation_params = SimpleNamespace(dir=folder)
        self.option = SimpleNamespace(collectonly=False)
        self.config = self

    def getoption(self, name: str) -> str:
        return ""


def test_the_run_turns_red_when_a_claim_is_missing(tmp_path: Path) -> None:
    whole = Session(tmp_path, list(FULL.values()))
    conftest.pytest_sessionfinish(whole, 0)
    assert whole.exitstatus == 0
    assert len(empirical.load(tmp_path / "report")) == len(FULL)
    short = Session(tmp_path, list(FULL.values())[1:])
    conftest.pytest_sessionfinish(short, 0)
    assert short.exitstatus == 1
