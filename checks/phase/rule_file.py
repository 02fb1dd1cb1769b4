"""A user's update rule from FILE[:NAME], carried as text so that any worker can make it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from checks.commands.errors import BadInput
from checks.phase.blocks import digest
from sim.algorithm import UpdateRule, check_rule


@dataclass(frozen=True)
class RuleFile:
    """The text of a file and the name in it that is the rule; an empty name means the only one."""

    path: str
    name: str
    text: str

    @property
    def label(self) -> str:
        """A name for tables and files."""
        stem = "".join(c if c.isalnum() else "_" for c in Path(self.path).stem)
        return f"own-{stem}-{self.name}" if self.name else f"own-{stem}"

    def record(self) -> dict[str, str]:
        """What the manifest says of it."""
        return {"name": self.name, "label": self.label, "sha256": digest(self.text.encode())}


def read_rule(given: str) -> RuleFile:
    """FILE[:NAME] with its text; BadInput when there is no such file, name or rule."""
    path, _, name = given.rpartition(":") if ":" in given else (given, "", "")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        reason = getattr(why, "strerror", None) or why
        raise BadInput(f"--algorithm {given}: cannot be read ({reason})") from None
    found = RuleFile(path, name, text)
    make_rule(found)
    return found


@lru_cache(maxsize=8)
def make_rule(file: RuleFile) -> UpdateRule:
    """The rule itself, made anew in this process."""
    given = f"{file.path}:{file.name}" if file.name else file.path
    try:
        module = _module(file)
        found = getattr(module, file.name) if file.name else _only_rule(module, given)
        return check_rule(found() if isinstance(found, type) else found)
    except BadInput:
        raise
    except Exception as why:
        raise BadInput(f"--algorithm {given}: {type(why).__name__}: {why}") from None


def _module(file: RuleFile) -> ModuleType:
    module = ModuleType(f"oubli_rule_{digest(file.text.encode())[:16]}")
    module.__file__ = file.path
    # Dataclasses look their module up by name.
    sys.modules[module.__name__] = module
    exec(compile(file.text, file.path, "exec"), module.__dict__)
    return module


def _only_rule(module: ModuleType, given: str) -> object:
    own = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
    rules = [value for value in own if callable(getattr(value, "step", None))]
    if len(rules) != 1:
        names = ", ".join(getattr(rule, "__name__", type(rule).__name__) for rule in rules) or "none"
        raise BadInput(f"--algorithm {given}: one rule with a step is needed, found {names}; give FILE:NAME")
    return rules[0]
