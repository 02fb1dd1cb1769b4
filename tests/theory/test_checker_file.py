"""What must be trusted stays small: the checker's file, read as text."""

import ast
import sys
from pathlib import Path

import theory.checker

CHECKER = Path(theory.checker.__file__)
ENGINES = sorted((CHECKER.parent / "engines").glob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def reachable(path: Path) -> set[str]:
    """The modules of the theory that a file imports, directly or not."""
    seen, fresh = set[str](), {m for m in imported(path) if m.startswith("theory.")}
    while fresh:
        seen |= fresh
        files = [CHECKER.parent.parent / (name.replace(".", "/") + ".py") for name in fresh]
        fresh = {m for f in files if f.exists() for m in imported(f) if m.startswith("theory.")} - seen
    return seen


def test_it_has_at_most_500_lines() -> None:
    lines = CHECKER.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 500
    assert max(map(len, lines)) <= 110


def test_it_uses_the_standard_library_only() -> None:
    assert {name.split(".")[0] for name in imported(CHECKER)} <= set(sys.stdlib_module_names)


def test_the_engines_share_no_code_with_it() -> None:
    assert ENGINES
    for engine in ENGINES:
        assert "theory.checker" not in reachable(engine)
