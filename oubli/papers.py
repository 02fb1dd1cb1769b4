"""Papers by name: the shipped ones, importable packages, folders on disk."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from oubli.errors import InputError
from oubli.theory.judging.ledger import Ledger
from oubli.theory.records.paper import Paper

SHIPPED = {"unlearning": "oubli.theory.paper"}
DEFAULT = "unlearning"
ACCEPTED = f"accepted: {', '.join(SHIPPED)}, a package, or a folder with an __init__.py that defines PAPER"


def paper(name: str = DEFAULT) -> Paper:
    """The paper of that name.

    Args:
        name: A shipped paper, an importable package, or the folder of a package; the last two define PAPER.

    Returns:
        Its record; InputError if there is none.

    >>> paper().name
    'unlearning'
    """
    found = getattr(_module(name), "PAPER", None)
    if not isinstance(found, Paper):
        raise InputError(f"paper {name}: it defines no PAPER; {ACCEPTED}")
    return found


def ledger(name: str = DEFAULT) -> Ledger:
    """All claims of a paper, with their repairs.

    Args:
        name: The paper, as in `paper`.

    Returns:
        The ledger; `ledger().claims[key]` is a record, `ledger().verify(key)` judges it.

    >>> ledger().claims["e0.step"].source.line
    1272
    """
    return Ledger(paper(name).claims())


def _module(name: str) -> ModuleType:
    folder = Path(name)
    try:
        if (folder / "__init__.py").is_file():
            return _on_disk(folder.resolve())
        return import_module(SHIPPED.get(name, name))
    except (ImportError, ValueError, TypeError) as why:
        raise InputError(f"paper {name}: {why}; {ACCEPTED}") from None


def _on_disk(folder: Path) -> ModuleType:
    """The package in a folder, under the folder's name."""
    known = sys.modules.get(folder.name)
    if known is not None:
        if list(getattr(known, "__path__", ())) == [str(folder)]:
            return known
        raise ImportError(f"another package is called {folder.name}")
    start = folder / "__init__.py"
    spec = spec_from_file_location(folder.name, start, submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[folder.name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[folder.name]
        raise
    return module
