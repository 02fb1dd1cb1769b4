"""The examples in docstrings run, each module under its installed name."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import oubli

MODULES = ["oubli", *sorted(found.name for found in walk_packages(oubli.__path__, "oubli."))]
PLAIN = [name for name in MODULES if not name.split(".")[-1].startswith(("test_", "conftest"))]


@pytest.mark.parametrize("name", PLAIN)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0
