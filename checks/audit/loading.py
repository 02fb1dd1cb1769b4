"""FILE[:NAME] to a class with a step; whatever is wrong with the file is one line."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from checks.audit.guard import Watch


class Unusable(Exception):
    """The file, or the name in it, cannot be audited."""


def split(target: str) -> tuple[Path, str | None]:
    """The path and the name, if one is given.

    >>> split("rule.py:Mine")[1]
    'Mine'
    """
    path, colon, name = target.rpartition(":")
    if colon and path.endswith(".py"):
        return Path(path), name
    return Path(target), None


def load(target: str, watch: Watch) -> Any:
    """The class (or instance) that the target names, or the only one with a step defined in the file."""
    path, name = split(target)
    if not path.is_file():
        raise Unusable(f"{path}: no such file")
    watch.enter("import")
    try:
        module = _module(path)
    finally:
        watch.leave()
    return _named(module, path, name) if name else _only(module, path)


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("audited_" + path.stem.replace("-", "_"), path)
    if spec is None or spec.loader is None:
        raise Unusable(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    # Files beside it are its own to import.
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as why:
        text = " ".join(str(why).split())[:160]
        raise Unusable(f"{path}: cannot be imported ({type(why).__name__}: {text})") from None
    return module


def _named(module: ModuleType, path: Path, name: str) -> Any:
    found = getattr(module, name, None)
    if found is None:
        raise Unusable(f"{path}: has no {name}; with a step: {', '.join(_classes(module)) or 'none'}")
    return found


def _only(module: ModuleType, path: Path) -> Any:
    found = _classes(module)
    if len(found) != 1:
        raise Unusable(
            f"{path}: one class with a step is needed, or FILE:NAME; found: {', '.join(found) or 'none'}"
        )
    return found[next(iter(found))]


def _classes(module: ModuleType) -> dict[str, Any]:
    own = inspect.getmembers(module, inspect.isclass)
    return {k: v for k, v in own if v.__module__ == module.__name__ and callable(getattr(v, "step", None))}
