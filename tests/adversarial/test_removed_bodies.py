"""A check whose body is removed records nothing, and a run that records nothing for a claim is red."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from oubli.checks import conftest, test_claims
from oubli.checks.measure import empirical
from oubli.checks.measure.judging import required
from oubli.checks.measure.registry import ledger
from oubli.checks.measure.summary import expected_keys, missing, table

CHECKS = Path(__file__).parents[2] / "checks"
RECORD = {"cases": 1000, "worst_ratio": 0.5, "violated": False, "confidence": 1.0, "instance": ""}
FULL = {key: {"key": key, "source": "s", **RECORD} for key in expected_keys()}


def test_a_whole_run_misses_nothing() -> None:
    assert missing(FULL) == []
    assert [line.split()[0] for line in table(FULL)[-len(FULL) :]] == sorted(FULL)


@pytest.mark.parametrize("key", expected_keys())
def test_a_claim_that_was_not_recorded_is_missed(key: str) -> None:
    assert missing({k: v for k, v in FULL.items() if k != key}) == [key]
    fewer = required(ledger().claims[key]) - 1
    assert missing({**FULL, key: {**FULL[key], "cases": fewer}}) == [key]


def functions(path: Path) -> dict[str, ast.FunctionDef]:
    """The checks of one module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        f"{path.name}::{node.name}": node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


EVERY = {name: node for path in sorted(CHECKS.rglob("test_*.py")) for name, node in functions(path).items()}


def says_something(check: ast.FunctionDef) -> bool:
    """Whether the body, decorators and docstring left out, asserts or hands records on."""
    nodes = [node for statement in check.body for node in ast.walk(statement)]
    return any(isinstance(node, ast.Assert) or _called(node) == "keep" for node in nodes)


def without_body(check: ast.FunctionDef, body: str) -> ast.FunctionDef:
    """The same check, its body replaced."""
    changed = ast.parse(ast.unparse(check)).body[0]
    assert isinstance(changed, ast.FunctionDef)
    changed.body = ast.parse(body).body
    return changed


def _called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


@pytest.mark.parametrize("name", EVERY)
def test_every_check_has_a_body_and_its_removal_is_seen(name: str) -> None:
    assert says_something(EVERY[name]), f"{name} asserts nothing and hands no record on"
    for body in ("pass", "'what it did'", "return", "ledger()"):
        assert not says_something(without_body(EVERY[name], body))


def test_the_checks_of_claims_hand_their_records_on_and_cover_every_claim() -> None:
    found = functions(CHECKS / "test_claims.py")
    keeping = [n.split("::")[1] for n, f in found.items() if "keep" in map(_called, ast.walk(f))]
    assert keeping == ["test_not_violated", "test_erratum_is_violated"]
    marks = [getattr(test_claims, name).pytestmark[0] for name in keeping]
    assert sorted(key for mark in marks for key in mark.args[1]) == sorted(expected_keys())


def test_no_check_is_skipped() -> None:
    for path in CHECKS.rglob("test_*.py"):
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

    def getoption(self, name: str, default: object = None) -> object:
        return default


def test_the_run_turns_red_when_a_claim_is_missing(tmp_path: Path) -> None:
    whole = Session(tmp_path, list(FULL.values()))
    conftest.pytest_sessionfinish(whole, 0)
    assert whole.exitstatus == 0
    assert len(empirical.load(tmp_path / "report")) == len(FULL)
    short = Session(tmp_path, list(FULL.values())[1:])
    conftest.pytest_sessionfinish(short, 0)
    assert short.exitstatus == 1
