"""Statistical slack: only checks/measure/confidence.py sets levels, for no more families than it counts."""

import ast
from pathlib import Path

from oubli.checks.measure.confidence import FAMILIES

ROOT = Path(__file__).parents[2]
SPENDERS = {"share", "mean_interval", "proportion_interval"}
LEVELS = {"alpha", "confidence_level", "p_value", "pvalue"}


def files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def calls(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [f.id for f in names if isinstance(f, ast.Name) and f.id in SPENDERS]


def passed_on(keyword: ast.keyword) -> bool:
    """Whether a level is handed on as it came: `alpha=alpha` or `alpha=settings.alpha`."""
    name = keyword.value.attr if isinstance(keyword.value, ast.Attribute) else None
    return (keyword.value.id if isinstance(keyword.value, ast.Name) else name) == keyword.arg


def test_there_are_at_most_as_many_families_as_shares() -> None:
    spending = {path: calls(path) for path in files("checks", "tests")}
    own = {ROOT / "checks" / "measure" / "confidence.py", ROOT / "tests" / "checks" / "test_confidence.py"}
    families = sum(len(found) for path, found in spending.items() if path not in own)
    assert 0 < families <= FAMILIES


def test_no_other_file_of_the_checks_sets_a_level() -> None:
    for path in files("checks"):
        if path.name in ("confidence.py", "settings.py"):  # the levels of the checks, and of an audit
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        keywords = [k for node in ast.walk(tree) if isinstance(node, ast.Call) for k in node.keywords]
        assert not [k.arg for k in keywords if k.arg in LEVELS and not passed_on(k)], path
