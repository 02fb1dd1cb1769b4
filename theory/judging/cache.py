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
from collections.abc import Iterable
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
        if self.folder is None:
            return None
        try:
            seal, _, body = (self.folder / f"{key}.json").read_bytes().partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != seal or (entry := json.loads(body))["key"] != key:
                raise ValueError("damaged or renamed")
            return entry["value"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as why:
            return self.ignore(f"{key[:12]}… is {why if isinstance(why, ValueError) else 'unreadable'}")

    def put(self, values: Iterable[tuple[str, Any]]) -> None:
        """Keep values; where the folder cannot be written this is noticed and nothing else happens."""
        try:
            new = list(values) if self.folder is not None else []
            for key, value in new:
                self.folder.mkdir(parents=True, exist_ok=True)  # type: ignore[union-attr]
                self._write(key, json.dumps({"key": key, "value": value}).encode())
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
