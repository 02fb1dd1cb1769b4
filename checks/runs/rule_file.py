"""FILE[:NAME], a user's update rule: the one loader, for the audit and for the experiments.

The rule is carried as text, so that any worker process can make it; files beside it are its own to import.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from oubli.errors import InputError


class RuleFileError(InputError):
    """The file, or the name in it, cannot be used; one line, with the line of the file that is at fault."""


@dataclass(frozen=True)
class RuleFile:
    """The text of a file and the name in it that is the rule; an empty name means the only one."""

    path: str
    name: str
    text: str = field(repr=False)

    @property
    def label(self) -> str:
        """A name for tables and files."""
        stem = "".join(c if c.isalnum() else "_" for c in Path(self.path).stem)
        return f"own-{stem}-{self.name}" if self.name else f"own-{stem}"

    def record(self) -> dict[str, Any]:
        """What identifies the rule: its name, and digests of its text and of the files that it imports."""
        record: dict[str, Any] = {
            "name": self.name,
            "label": self.label,
            "sha256": _digest(self.text.encode()),
        }
        beside = imported_beside(self)
        return {**record, "beside": beside} if beside else record


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def split(given: str) -> tuple[str, str]:
    """The path and the name, empty if none is given; colons in the path are fine.

    >>> split("rules.py:Mine"), split("12:30/rule.py"), split("12:30/rule.py:Mine")
    (('rules.py', 'Mine'), ('12:30/rule.py', ''), ('12:30/rule.py', 'Mine'))
    """
    path, _, name = given.rpartition(":")
    if path and name.isidentifier() and not Path(given).is_file():
        return path, name
    return given, ""


def read_file(given: str) -> RuleFile:
    """FILE[:NAME] with its text; nothing of it is run.

    Args:
        given: A path, and after a colon the name of a class or an instance in that file.

    Raises:
        RuleFileError: The file cannot be read.

    >>> read_file("nowhere.py")
    Traceback (most recent call last):
    oubli.checks.runs.rule_file.RuleFileError: nowhere.py: cannot be read (No such file or directory)
    """
    path, name = split(given)
    try:
        return RuleFile(path, name, Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as why:
        raise RuleFileError(f"{path}: cannot be read ({getattr(why, 'strerror', None) or why})") from None


@lru_cache(maxsize=8)
def load_rule(file: RuleFile) -> Any:
    """The class or instance that the name says, or the only class with a step that the file defines.

    Args:
        file: The text and the name.

    Raises:
        RuleFileError: The file cannot be imported, or does not have such a rule.

    >>> load_rule(RuleFile("a.py", "B", "x = 1"))
    Traceback (most recent call last):
    oubli.checks.runs.rule_file.RuleFileError: a.py: has no B; with a step: none
    """
    module = _module(file)
    classes = {
        name: value
        for name, value in inspect.getmembers(module, inspect.isclass)
        if value.__module__ == module.__name__ and callable(getattr(value, "step", None))
    }
    found = ", ".join(classes) or "none"
    if file.name:
        if not hasattr(module, file.name):
            raise RuleFileError(f"{file.path}: has no {file.name}; with a step: {found}")
        return getattr(module, file.name)
    if len(classes) != 1:
        raise RuleFileError(f"{file.path}: one class with a step is needed, or FILE:NAME; found: {found}")
    return next(iter(classes.values()))


def _module(file: RuleFile) -> ModuleType:
    module = ModuleType(f"oubli_rule_{_digest(file.text.encode())[:16]}")
    module.__file__ = file.path
    # Dataclasses look their module up by name.
    sys.modules[module.__name__] = module
    folder = str(Path(file.path).resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        exec(compile(file.text, file.path, "exec"), module.__dict__)
    except (Exception, SystemExit) as why:
        raise RuleFileError(f"{at_line(why, file)}: cannot be imported ({in_a_line(why)})") from None
    return module


def at_line(why: BaseException, file: RuleFile) -> str:
    """The file, with the line of it that an exception came through last if there is one.

    >>> file = RuleFile("mine.py", "", "x = 1\\ny = 1 / 0")
    >>> try:
    ...     exec(compile(file.text, file.path, "exec"))
    ... except ZeroDivisionError as why:
    ...     at_line(why, file)
    'mine.py:2'
    """
    if isinstance(why, SyntaxError) and why.filename == file.path and why.lineno:
        return f"{file.path}:{why.lineno}"
    own = [frame.lineno for frame in traceback.extract_tb(why.__traceback__) if frame.filename == file.path]
    return f"{file.path}:{own[-1]}" if own else file.path


def in_a_line(why: BaseException) -> str:
    """An exception in one line of at most 160 characters of text.

    >>> in_a_line(ValueError("a\\nb"))
    'ValueError: a b'
    """
    return printable(f"{type(why).__name__}: {' '.join(str(why).split())[:160]}")


def printable(text: str) -> str:
    """The text with a question mark for what no screen and no file takes as it is.

    >>> printable("a\\x1b[31mb")
    'a?[31mb'
    """
    return "".join(c if c.isprintable() else "?" for c in text)


def imported_beside(file: RuleFile) -> dict[str, str]:
    """Module -> digest of every loaded module in the rule's own folder: they are part of the rule."""
    load_rule(file)
    folder = Path(file.path).resolve().parent
    found = {}
    for name, module in sorted(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if name.startswith(("oubli", "__main__")) or not source or not _in_folder(name, folder):
            continue
        found[name] = _digest(Path(source).read_bytes())
    return found


def _in_folder(name: str, folder: Path) -> bool:
    """Whether the outermost package of a module is a file or a package of the folder."""
    top = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None)
    if not top:
        return False
    place = Path(top).resolve()
    return folder in (place.parent, place.parent.parent if place.name == "__init__.py" else None)
