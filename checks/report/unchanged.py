"""A report that would say what it says already is left as it is: only the times of the run would differ."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from oubli.checks.report.extras import Extras
from oubli.theory.judging.cache import Cache, digest, sources


def origin(verdicts: str, beside: Extras) -> str:
    """The digest of all that a report is made from, but for the times."""
    sealed = hashlib.sha256(verdicts.encode()).hexdigest()
    return digest([sealed, asdict(replace(beside, times={})), sources("checks/report", "checks/coq")])


def unchanged(folder: Path, made_from: str, cache: Cache) -> bool:
    """Whether the folder holds, byte for byte, what was written there from the same origin.

    Args:
        folder: Where the report is.
        made_from: The origin of the report that is asked for.
        cache: Where `written` noted the last report.
    """
    noted = cache.get(_place(folder))
    if not isinstance(noted, dict) or noted.get("from") != made_from:
        return False
    files = noted.get("files")
    return isinstance(files, dict) and _seals(folder, files) == files


def written(folder: Path, made_from: str, names: Iterable[str], cache: Cache) -> None:
    """Note what the folder holds now, and from what it was made."""
    cache.put([(_place(folder), {"from": made_from, "files": _seals(folder, names)})])


def _place(folder: Path) -> str:
    return digest(["report", str(folder.resolve())])


def _seals(folder: Path, names: Iterable[str]) -> dict[str, str]:
    return {name: _seal(folder / name) for name in names}


def _seal(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
