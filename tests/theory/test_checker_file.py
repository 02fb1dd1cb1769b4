"""What must be trusted stays small: the files that accept certificates, read as text."""

import ast
import sys
from pathlib import Path

import oubli.theory.kernel.checker

PARTS = ("checker", "poly", "bounds", "objects", "members", "laws", "priors", "families", "explicit",
         "cubes",
         "schemas", "rules", "classes")  # fmt: skip
CHECKER = Path(oubli.theory.kernel.checker.__file__)
TRUSTED = [CHECKER.with_stem(name) for name in PARTS]
ENGINES = sorted((CHECKER.parent.parent / "search" / "engines").glob("*.py"))


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
    seen, fresh = set[str](), {m for m in imported(path) if m.startswith("oubli.theory.")}
    while fresh:
        seen |= fresh
        files = [CHECKER.parents[3] / (name.replace(".", "/") + ".py") for name in fresh]
        fresh = {m for f in files if f.exists() for m in imported(f) if m.startswith("oubli.theory.")} - seen
    return seen


def test_what_accepts_certificates_has_at_most_3431_lines() -> None:
    """Laws, cubes, times and priors are schemas here: before, what holds for them was typed in each claim."""
    lines = [line for path in TRUSTED for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= 3431
    assert max(map(len, lines)) <= 110


def test_what_writes_records_as_statements_has_at_most_400_lines() -> None:
    others = {*CHECKER.parent.glob("*.py")} - {*TRUSTED, CHECKER.with_stem("__init__")}
    assert {path.stem for path in others} == {"encoding", "expressions", "statement", "symbols", "terms"}
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in others) <= 400


def test_the_gate_has_16_lines() -> None:
    gate = CHECKER.parents[1] / "judging" / "gate.py"
    assert len(gate.read_text(encoding="utf-8").splitlines()) <= 16


def test_it_uses_the_standard_library_and_itself_only() -> None:
    own = {"oubli.theory.kernel", *(f"oubli.theory.kernel.{path.stem}" for path in TRUSTED)}
    for path in TRUSTED:
        assert {name.split(".")[0] for name in imported(path) - own} <= set(sys.stdlib_module_names)


def test_the_engines_share_no_code_with_it() -> None:
    assert ENGINES
    for engine in ENGINES:
        assert "oubli.theory.kernel.checker" not in reachable(engine)
