"""The report's folder: checked before any work, and changed only when all of it is ready."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from oubli.errors import InputError

_LINE = json.JSONEncoder(ensure_ascii=False, check_circular=False)


def writable(folder: Path) -> Path:
    """The folder, made if need be; InputError if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as why:
        raise InputError(f"--out {folder}: cannot write there ({why.strerror or why})") from None


def beside_full(folder: Path) -> Path:
    """The folder for a report of some claims: another one, if a report of the whole paper is there."""
    try:
        there = json.loads((folder / "verdicts.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return folder
    whole = isinstance(there, dict) and not there.get("asked")
    return writable(folder / "partial") if whole else folder


def dumps(value: Any, depth: int = 2) -> str:
    """JSON with stable bytes: a line for each item of the outer objects and lists.

    Args:
        value: What JSON can hold.
        depth: How many levels are broken into lines; what is deeper is written at once, which is fast.

    >>> print(dumps({"a": [1, {"b": 2}], "c": {}}), end="")
    {
    "a": [
    1,
    {"b": 2}
    ],
    "c": {}
    }
    """
    return _spread(value, depth) + "\n"


def _spread(value: Any, depth: int) -> str:
    if not depth or not value or not isinstance(value, dict | list):
        return _LINE.encode(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(_spread(item, depth - 1) for item in value) + "\n]"
    items = (f"{_LINE.encode(str(key))}: {_spread(item, depth - 1)}" for key, item in value.items())
    return "{\n" + ",\n".join(items) + "\n}"


def publish(folder: Path, files: dict[str, str]) -> None:
    """Write all files beside their places, then move them in: an interruption leaves the old ones."""
    staged = []
    try:
        for name, text in files.items():
            handle, path = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
            staged.append((path, folder / name))
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o644)
        while staged:
            path, place = staged[0]
            os.replace(path, place)
            staged.pop(0)
    finally:
        for path, _ in staged:
            Path(path).unlink(missing_ok=True)
