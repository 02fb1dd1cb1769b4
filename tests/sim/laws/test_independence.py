"""The laws stand alone: they import nothing else of the project."""

import ast
from pathlib import Path

import pytest

import oubli.sim.laws

FILES = sorted(Path(oubli.sim.laws.__file__).parent.glob("*.py"))


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield node.module or "."


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_imports_only_itself_of_the_project(file):
    for module in imported(ast.parse(file.read_text())):
        root = module.split(".")[0]
        assert root not in {"theory", "sim", "checks", "", "."}
        assert root != "oubli" or module.startswith("oubli.sim.laws")


def test_everything_public_is_there():
    assert all(hasattr(oubli.sim.laws, name) for name in oubli.sim.laws.__all__)
    assert sorted(oubli.sim.laws.__all__) == oubli.sim.laws.__all__
