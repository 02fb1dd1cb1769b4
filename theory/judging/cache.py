"""A folder of results that cost time, each under the digest of all it depends on; to lose it loses nothing.

Whoever reads an entry judges its value anew: a name is no proof. Entries are written beside their place and
moved in, so that processes may share a folder; whatever is no whole entry under its own name is ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

VARIABLE, OFF = "OUBLI_CACHE", "off"
# Entries beyond this number are removed, the oldest first.
MOST = 4000
PACKAGES = ("sympy", "python-flint", "mpmath")
PACKAGE = Path(__file__).resolve().parents[2]


def digest(record: Any) -> str:
    """The SHA-256 of a JSON value.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


@cache
def sources(*folders: str) -> str:
    """The digest of all source files of some folders of the package, and of the versions they run with.

    >>> sources("theory/kernel") == sources("theory/kernel") != sources("theory/search")
    True
    """
    paths = sorted(path for folder in folders for path in (PACKAGE / folder).rglob("*") if path.is_file())
    kept = [path for path in paths if "__pycache__" not in path.parts]
    files = {
        path.relative_to(PACKAGE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept
    }
    return digest([files, [sys.version, *map(_version, PACKAGES)]])


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


def packed(value: Any) -> list[Any]:
    """A JSON value as rows, one for each list or object that occurs; inside others these are [row].

    >>> packed([["x", 1], {"a": ["x", 1]}])
    [['x', 1], {'a': [0]}, [[0], [1]], [[2]]]
    """
    rows, known = list[Any](), dict[str, int]()

    def placed(part: Any) -> Any:
        if isinstance(part, str | int):  # most are, and to ask for a mapping takes longer
            return part
        if isinstance(part, list | tuple):
            row: Any = list(map(placed, part))
        elif isinstance(part, Mapping):
            row = {k: placed(v) for k, v in part.items()}
        else:
            return part
        text = repr(row)  # other text for 1, 1.0, True and "1"
        if text not in known:
            known[text] = len(rows)
            rows.append(row)
        return [known[text]]

    placed([value])
    return rows


def unpacked(rows: list[Any]) -> Any:
    """The value of rows; what occurs in it more than once is one object, which saves its readers time.

    >>> unpacked([["x", 1], {"a": [0]}, [[0], [1]], [[2]]])
    [['x', 1], {'a': ['x', 1]}]
    """
    made = list[Any]()
    for row in rows:
        if isinstance(row, dict):
            made.append({k: made[v[0]] if type(v) is list else v for k, v in row.items()})
        else:
            made.append([made[v[0]] if type(v) is list else v for v in row])
    return made[-1][0]


def shared(value: Any) -> Any:
    """The same JSON value, what occurs in it more than once as one object: the kernel reads it once.

    >>> first, second = shared([["x", 1], ["x", 1]])
    >>> first is second
    True
    """
    return unpacked(packed(value))


def default_folder() -> Path | None:
    """Where the cache is: OUBLI_CACHE, or `oubli` in the user's cache folder; None where that says "off"."""
    said = os.environ.get(VARIABLE, "")
    if said == OFF:
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(said) if said else Path(home) / "oubli"


@dataclass
class Cache:
    """Entries in a folder; without one nothing is found and nothing kept. `notice` is one line, or empty."""

    folder: Path | None = field(default_factory=default_folder)
    notice: str = ""

    def get(self, key: str) -> Any:
        """The value under a key, or None."""
        return self.read(key)[1]

    def read(self, key: str) -> tuple[str, Any]:
        """The digest of what is kept under a key, and the value; or "" and None."""
        if self.folder is None:
            return "", None
        try:
            seal, _, body = (self.folder / f"{key}.json").read_bytes().partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != seal or (entry := json.loads(body))["key"] != key:
                raise ValueError("damaged or renamed")
            return seal.decode(), unpacked(entry["rows"])
        except FileNotFoundError:
            return "", None
        except (OSError, ValueError, LookupError, TypeError) as why:
            self.ignore(f"{key[:12]}… is {why if isinstance(why, ValueError) else 'unreadable'}")
            return "", None

    def put(self, values: Iterable[tuple[str, Any]]) -> None:
        """Keep values; where the folder cannot be written this is noticed and nothing else happens."""
        try:
            new = list(values) if self.folder is not None else []
            for key, value in new:
                self.folder.mkdir(parents=True, exist_ok=True)  # type: ignore[union-attr]
                self._write(key, json.dumps({"key": key, "rows": packed(value)}).encode())
            if new:  # what is only read does not grow
                self._prune()
        except OSError as why:
            self.ignore(f"it cannot be written ({why.strerror})")

    def ignore(self, why: str) -> None:
        """Notice that something of the cache is not used; the first reason is kept."""
        self.notice = self.notice or f"cache {self.folder}: {why}; ignored, judged without it"

    def _write(self, key: str, body: bytes) -> None:
        assert self.folder is not None
        handle, part = tempfile.mkstemp(dir=self.folder, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            os.replace(part, self.folder / f"{key}.json")
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise

    def _prune(self) -> None:
        found = list(self.folder.glob("*.json")) if self.folder is not None else []
        for path in sorted(found, key=_age)[:-MOST]:
            path.unlink(missing_ok=True)


NO_CACHE = Cache(None)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
