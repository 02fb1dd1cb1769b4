"""Which records may certify: a shipped table of encoded statements, verdicts and digests.

`make accepted` writes the table after the ledger has judged the records. An entry certifies only if it was
effectively PROVED and nothing changed since: neither its statement in the table nor the record, its proof and
what the proof depends on. That costs a hash of the files of records; if these changed, the records
themselves are loaded and compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from oubli.theory.records.verdict import Status
from oubli.theory.regimes.record import Record, UndecidedError, record

TABLE = Path(__file__).with_name("accepted.json")
_THEORY = TABLE.resolve().parents[1]
_SOURCES = ("paper/**/*.py", "records/*.py", "kernel/encoding.py")


def digest(value: Any) -> str:
    """The hash of a value that JSON can hold."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def sources() -> str:
    """The hash of the files that the records and their encoding come from."""
    files = sorted(path for pattern in _SOURCES for path in _THEORY.glob(pattern))
    return digest([[path.relative_to(_THEORY).as_posix(), _hashed(path)] for path in files])


def _hashed(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def table() -> Mapping[str, Any]:
    """The shipped table."""
    found: Mapping[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


@cache
def accepted() -> frozenset[str]:
    """The keys of the records that may certify."""
    from_files = table()["sources"] == sources()
    return still_accepted(table(), None if from_files else _fingerprints)


def still_accepted(
    shipped: Mapping[str, Any], fingerprints: Callable[[list[str]], Mapping[str, str]] | None
) -> frozenset[str]:
    """The keys of a table that were proved and have not changed since.

    Args:
        shipped: A table.
        fingerprints: The records as they are now, hashed; None if their files are those of the table.

    Returns:
        The keys that may certify.
    """
    proved = {
        key: entry["fingerprint"]
        for key, entry in shipped["records"].items()
        if entry["status"] == Status.PROVED and entry["digest"] == digest(entry["statement"])
    }
    now = proved if fingerprints is None else fingerprints(list(proved))
    return frozenset(key for key, then in proved.items() if now.get(key) == then)


def _fingerprints(keys: list[str]) -> Mapping[str, str]:
    # The records need sympy, which a table that is up to date does without.
    from oubli.theory.regimes.accept import current

    return current(keys)


@cache
def statement(key: str) -> Record:
    """A record of the table, accepted or not: what a proposal may be computed from."""
    return record(table()["records"][key]["statement"])


def certifying(key: str) -> Record:
    """A record of the table; UndecidedError unless it may certify."""
    if key not in accepted():
        raise UndecidedError(f"{key} is not accepted")
    return statement(key)
