"""`python -O` drops every assert: none may carry logic, and no verdict may change."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# A suite that users subclass as a test: pytest, which runs it, says so itself under -O.
TESTS = {"checks/audit/suite.py"}
JUDGED = """
import json, sys
from oubli.papers import ledger
from oubli.sim.laws import gaussian_sigma
from oubli.theory.judging.replay import replay_all
from oubli.theory.regimes import classify
keys = ["e0.step", "opt_dist.sharp", "setup.stationary"]
book = ledger()
entries = book.verify(keys)
made = [e.verdict.certificate or e.verdict.witness for e in entries.values() if e.verdict.status != "OPEN"]
good, rejected = replay_all([c for c in made if c], book)
spoilt = {**good[0], "hash": "0"}
answer = classify(rf=1e-3, eps=4.0, delta=1e-6, dim=10, target=0.02)
print(json.dumps({
    "optimised": sys.flags.optimize,
    "verdicts": {k: [e.verdict.status, e.effective, e.proof, e.expected] for k, e in entries.items()},
    "replayed": [len(good), len(rejected)],
    "spoilt": sorted(replay_all([spoilt], book)[1].values()),
    "regime": [str(answer.certified[0]), float(answer.sigma[0])],
    "sigma": gaussian_sigma(1.0, 1e-5),
}))
"""


def narrows(test: ast.expr) -> bool:
    """Whether an assert only tells the type checker what the next line would fail on anyway."""
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id == "isinstance"
    nothing = isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant)
    return nothing and isinstance(test.ops[0], ast.IsNot) and test.comparators[0].value is None


def asserts(path: Path) -> list[str]:
    """The asserts of a file that carry logic."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Assert) and not narrows(node.test)]
    return [f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)[:80]}" for node in found]


def sources() -> list[Path]:
    """All source files that are no tests."""
    folders = [ROOT / "theory", ROOT / "sim", ROOT / "checks", ROOT / "oubli"]
    files = {path.resolve() for folder in folders for path in folder.rglob("*.py")}
    tests = {(ROOT / name).resolve() for name in TESTS}
    return sorted(p for p in files - tests if not p.name.startswith(("test_", "conftest")))


def test_no_assert_carries_logic() -> None:
    assert len(sources()) > 200
    assert [line for path in sources() for line in asserts(path)] == []


def test_an_assert_that_decides_is_found(tmp_path: Path) -> None:
    assert not narrows(ast.parse("assert x > 0").body[0].test)  # type: ignore[attr-defined]
    assert not narrows(ast.parse("assert x is None").body[0].test)  # type: ignore[attr-defined]
    assert narrows(ast.parse("assert x is not None").body[0].test)  # type: ignore[attr-defined]


def test_optimised_verdicts_are_the_same() -> None:
    found = []
    for options in ([], ["-O"]):
        command = [sys.executable, *options, "-c", JUDGED]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
        found.append(json.loads(done.stdout))
    assert [answer.pop("optimised") for answer in found] == [0, 1]
    assert found[0] == found[1]
    assert found[0]["verdicts"]["e0.step"][0] == "REFUTED"
    assert found[0]["replayed"][0] >= 2
    assert "stale" in found[0]["spoilt"][0]
