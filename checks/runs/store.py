"""The finished pieces of a long computation in a folder: kept as they come, recognised when it goes on.

A piece is written beside its place and moved in, so that a run killed at any moment leaves only whole pieces,
and each is sealed with a fingerprint of what the computation is: another definition starts anew.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from oubli.checks.runs.blocks import Codec, DamagedError, opened, sealed
from oubli.checks.runs.files import PART, digest, replace_file
from oubli.errors import InputError

PIECE, LOCK = ".block", "lock"
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

    def put(self, key: str, value: Any) -> None:
        """Keep a finished piece; after this returns no interruption can lose it."""
        path = self.folder / f"{key}{PIECE}"
        try:
            replace_file(path, sealed(self.codec.pack(value), key, self.fingerprint))
        except OSError as why:
            reason = f"{why.strerror or why}; finished pieces are kept, the same call goes on"
            raise InputError(f"{path}: cannot be written ({reason})") from None
        self.done[key] = value

    def close(self) -> None:
        """Let another run have the folder."""
        if self._lock is not None:
            self._lock.close()

    def remove(self) -> None:
        """Remove the pieces, and nothing else."""
        self.close()
        if not self.folder.is_dir():
            return
        for path in self.folder.iterdir():
            if path.name.startswith(PART) or path.suffix == PIECE or path.name == LOCK:
                path.unlink()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()


def fingerprint(definition: Mapping[str, Any]) -> str:
    """A name for what a computation is: everything that its results depend on.

    >>> fingerprint({"seed": 1}) == fingerprint({"seed": 1}) != fingerprint({"seed": 2})
    True
    """
    return digest(json.dumps(definition, sort_keys=True, ensure_ascii=False).encode())


def open_pieces(folder: Path, definition: Mapping[str, Any], codec: Codec, on_bad: OnBad) -> Pieces:
    """The pieces that earlier runs of the same computation left in a folder, which is locked.

    Args:
        folder: Where the pieces are kept; it is made if need be.
        definition: Everything that the results depend on, as JSON.
        codec: How results become bytes.
        on_bad: `refuse` or `drop`, for what is no whole piece of this very computation.

    Raises:
        InputError: Another run is writing there, or a piece is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = Pieces(folder, fingerprint(definition), codec, {}, _locked(folder / LOCK))
    try:
        for path in sorted(folder.glob(f"*{PIECE}")):
            try:
                payload = opened(path.read_bytes(), path.name.removesuffix(PIECE), found.fingerprint)
                found.done[path.name.removesuffix(PIECE)] = codec.unpack(payload)
            except DamagedError as why:
                on_bad(path, why)
    except BaseException:
        found.close()
        raise
    return found


def _locked(path: Path) -> IO[str]:
    """A lock that ends with the process, however it ends."""
    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        text = f"{path.parent.parent}: another run is writing there; wait for it or give another --out"
        raise InputError(text) from None
    return file
