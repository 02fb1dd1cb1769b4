"""The finished pieces of a long computation in a folder: kept as they come, recognised when it goes on.

A piece is written beside its place and moved in, so that a run killed at any moment leaves only whole pieces,
and each is sealed with a fingerprint of what the computation is: another definition starts anew. Runs that
share a folder claim each piece by a lock that ends with their process; what one has finished, all have.
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from oubli.checks.runs.blocks import Codec, DamagedError, opened, sealed
from oubli.checks.runs.files import PART, digest, replace_file
from oubli.errors import InputError

PIECE, LOCK, CLAIM = ".block", "lock", ".claim"
# Seconds to wait for a run that opens or ends at this very moment.
PATIENCE, WAIT = 5.0, "wait for it or give another --out"
UNTOUCHED = "it is left untouched, give another --out or move it away"

# What is done about a file that is no piece of this run.
OnBad = Callable[[Path, DamagedError], None]


def refuse(path: Path, why: DamagedError) -> None:
    """In a folder that the user chose nothing is removed: InputError."""
    raise InputError(f"{path}: {why}; {UNTOUCHED}")


def drop(path: Path, why: DamagedError) -> None:
    """In a scratch folder of ours it is removed and made again."""
    path.unlink()


@dataclass(eq=False)
class Pieces:
    """The pieces of one computation; `done` holds the results of those that are finished."""

    folder: Path
    fingerprint: str
    codec: Codec
    done: dict[str, Any] = field(default_factory=dict)
    _lock: IO[str] | None = None
    shared: bool = False
    _claims: dict[str, IO[str]] = field(default_factory=dict)

    def claim(self, key: str) -> bool:
        """Whether this run is to compute a piece: nobody has it, and no other run is at it."""
        if not self.shared or key in self._claims:
            return True
        file = (self.folder / f"{key}{CLAIM}").open("w")
        if not _takes(file, fcntl.LOCK_EX):
            file.close()
            return False
        self._claims[key] = file
        if self.found(key):
            self._release(key)
            return False
        return True

    def found(self, key: str) -> bool:
        """Whether a piece is there, perhaps since another run has finished it; then it is done here, too."""
        path = self.folder / f"{key}{PIECE}"
        if key not in self.done and path.exists():
            self.done[key] = self.codec.unpack(opened(path.read_bytes(), key, self.fingerprint))
        return key in self.done

    def _release(self, key: str) -> None:
        """Whoever waits for the file finds the piece when the lock is his."""
        if key in self._claims:
            (self.folder / f"{key}{CLAIM}").unlink(missing_ok=True)
            self._claims.pop(key).close()

    def put(self, key: str, value: Any) -> None:
        """Keep a finished piece; after this returns no interruption can lose it."""
        path = self.folder / f"{key}{PIECE}"
        try:
            replace_file(path, sealed(self.codec.pack(value), key, self.fingerprint))
        except OSError as why:
            reason = f"{why.strerror or why}; finished pieces are kept, the same call goes on"
            raise InputError(f"{path}: cannot be written ({reason})") from None
        self.done[key] = value
        self._release(key)

    def close(self) -> None:
        """Let another run have the folder, and what this one has not finished."""
        for key in list(self._claims):
            self._release(key)
        if self._lock is not None:
            self._lock.close()

    def remove(self) -> bool:
        """Remove the pieces, and nothing else; False where another run still reads them and will do it."""
        alone = self._lock is None or self._lock.closed or _takes(self._lock, fcntl.LOCK_EX)
        if alone and self.folder.is_dir():
            ours = [path for path in self.folder.iterdir() if _is_ours(path)]
            for path in ours:
                path.unlink(missing_ok=True)
            if not any(self.folder.iterdir()):
                self.folder.rmdir()
        self.close()
        return alone


def _is_ours(path: Path) -> bool:
    return path.name.startswith(PART) or path.suffix in (PIECE, CLAIM) or path.name == LOCK


def fingerprint(definition: Mapping[str, Any]) -> str:
    """A name for what a computation is: everything that its results depend on.

    >>> fingerprint({"seed": 1}) == fingerprint({"seed": 1}) != fingerprint({"seed": 2})
    True
    """
    return digest(json.dumps(definition, sort_keys=True, ensure_ascii=False).encode())


def open_pieces(
    folder: Path, definition: Mapping[str, Any], codec: Codec, on_bad: OnBad, shared: bool = False
) -> Pieces:
    """The pieces that runs of the same computation left in a folder, which is locked.

    Args:
        folder: Where the pieces are kept; it is made if need be.
        definition: Everything that the results depend on, as JSON.
        codec: How results become bytes.
        on_bad: `refuse` or `drop`, for what is no whole piece of this very computation.
        shared: Other runs of the same computation may work in the folder, each on pieces of its own.

    Raises:
        InputError: Another run is writing there, or a piece is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = fingerprint(definition)
    lock = _shared(folder / LOCK, name) if shared else _locked(folder / LOCK)
    found = Pieces(folder, name, codec, {}, lock, shared)
    try:
        for path in sorted(folder.glob(f"*{PIECE}")):
            try:
                found.found(path.name.removesuffix(PIECE))
            except DamagedError as why:
                on_bad(path, why)
    except BaseException:
        found.close()
        raise
    return found


def _locked(path: Path) -> IO[str]:
    """A lock that ends with the process, however it ends."""
    file = path.open("a+")
    if _takes(file, fcntl.LOCK_EX):
        return file
    file.close()
    raise InputError(f"{path.parent.parent}: another run is writing there; {WAIT}")


def _shared(path: Path, name: str) -> IO[str]:
    """A lock that runs of one definition hold together; its file says which definition that is."""
    file, end, left = path.open("a+"), time.monotonic() + PATIENCE, any(path.parent.glob(f"*{PIECE}"))
    alone = _takes(file, fcntl.LOCK_EX)
    if alone and not left:
        file.truncate(0)
        file.write(name)
        file.flush()
    while not (taken := _takes(file, fcntl.LOCK_SH)) and time.monotonic() < end:
        time.sleep(0.01)
    file.seek(0)
    # Pieces that an earlier run left say themselves whose they are.
    if taken and (file.read() == name or (alone and left)):
        return file
    file.close()
    raise InputError(f"{path.parent.parent}: another run, with other parameters, is writing there; {WAIT}")


def _takes(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
