"""The folder of one run: finished pieces are kept as they come, and the result replaces them at the end.

A piece is written beside its place and moved in, so that a run killed at any moment leaves only whole pieces.
Nothing that this program did not write for these parameters is ever changed.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from checks.commands.errors import BadInput
from checks.phase.blocks import Columns, Damaged, digest, opened, sealed, unpacked
from checks.report.folder import dumps, writable

KIND = "oubli phase"
MANIFEST, RESULTS, BLOCKS = "manifest.json", "results.npz", "blocks"
PART, BLOCK, LOCK = ".part-", ".block", "lock"


@dataclass(eq=False)
class Store:
    """The run with these parameters in this folder; `done` holds the pieces that are finished."""

    folder: Path
    parameters: Mapping[str, Any]
    done: dict[str, Columns] = field(default_factory=dict)
    finished: bool = False
    _lock: IO[str] | None = None

    @property
    def fingerprint(self) -> str:
        return digest(dumps(self.parameters).encode())

    @property
    def blocks(self) -> Path:
        return self.folder / BLOCKS

    def put(self, key: str, columns: Columns) -> None:
        """Keep a finished piece; after this returns no interruption can lose it."""
        replace_file(self.blocks / f"{key}{BLOCK}", sealed(columns, self.fingerprint))
        self.done[key] = columns

    def finish(self, results: bytes, manifest: Mapping[str, Any]) -> None:
        """Write the result, then the manifest that vouches for it, then drop the pieces."""
        place = self.folder / RESULTS
        # A run killed between the two leaves its own result, byte for byte; any other one is not ours.
        if place.exists() and place.read_bytes() != results:
            raise BadInput(f"{place}: a results file of another run; {_UNTOUCHED}")
        replace_file(self.folder / RESULTS, results)
        whole = {"kind": KIND, "parameters": self.parameters, **manifest, "results_sha256": digest(results)}
        replace_file(self.folder / MANIFEST, dumps(whole).encode())
        self.finished = True
        self.close()
        self.tidy()

    def tidy(self) -> None:
        """Remove the pieces of a finished run, and nothing else."""
        if not self.blocks.is_dir():
            return
        for path in self.blocks.iterdir():
            if path.name.startswith(PART) or path.suffix == BLOCK or path.name == LOCK:
                path.unlink()
        if not any(self.blocks.iterdir()):
            self.blocks.rmdir()

    def close(self) -> None:
        """Let another run have the folder."""
        if self._lock is not None:
            self._lock.close()


def open_store(folder: Path, parameters: Mapping[str, Any], bytes_needed: int) -> Store:
    """The store of this run, with what an earlier one left; BadInput before any work if it cannot be used."""
    writable(folder)
    store = Store(folder, json.loads(dumps(parameters)))
    store.finished = _is_finished(store)
    if store.finished:
        store.tidy()
        return store
    if (folder / RESULTS).exists() and not any(store.blocks.glob(f"*{BLOCK}")):
        raise BadInput(f"{folder / RESULTS}: a results file without a manifest; {_UNTOUCHED}")
    store.blocks.mkdir(exist_ok=True)
    store._lock = _locked(store.blocks / LOCK)
    try:
        for path in sorted(store.blocks.glob(f"*{BLOCK}")):
            store.done[path.stem] = _block(path, store.fingerprint)
        reserve(folder, bytes_needed)
    except BadInput:
        store.close()
        raise
    return store


_UNTOUCHED = "it is left untouched, give another --out or move it away"


def _is_finished(store: Store) -> bool:
    """Whether the folder holds the whole result of this very run; BadInput when it holds another's."""
    path = store.folder / MANIFEST
    if not path.exists():
        return False
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise BadInput(f"{path}: not a manifest ({why}); {_UNTOUCHED}") from None
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise BadInput(f"{path}: not a manifest of `{KIND}`; {_UNTOUCHED}")
    if found.get("parameters") != store.parameters:
        what = difference(found.get("parameters"), store.parameters)
        raise BadInput(f"{path}: another run ({what}); {_UNTOUCHED}")
    results = store.folder / RESULTS
    if not results.exists() or digest(results.read_bytes()) != found.get("results_sha256"):
        raise BadInput(f"{results}: missing or damaged, its digest is not the manifest's; {_UNTOUCHED}")
    return True


def difference(found: Any, wanted: Mapping[str, Any]) -> str:
    """The first parameter that differs, in words.

    >>> difference({"seed": 1}, {"seed": 2})
    'seed is 1 there and 2 here'
    """
    there = found if isinstance(found, dict) else {}
    for name in [*wanted, *there]:
        if there.get(name) != wanted.get(name):
            return f"{name} is {there.get(name)!r:.60} there and {wanted.get(name)!r:.60} here"
    return "no difference"


def _block(path: Path, fingerprint: str) -> Columns:
    try:
        return opened(path.read_bytes(), fingerprint)
    except Damaged as why:
        raise BadInput(f"{path}: {why}; {_UNTOUCHED}") from None


def _locked(path: Path) -> IO[str]:
    """A lock that ends with the process, however it ends."""
    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        text = f"{path.parent.parent}: another run is writing there; wait for it or give another --out"
        raise BadInput(text) from None
    return file


def reserve(folder: Path, size: int) -> None:
    """BadInput unless `size` bytes can be written in the folder now."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=PART) as file:
            os.posix_fallocate(file.fileno(), 0, max(size, 1))
    except OSError as why:
        text = f"{folder}: no room for the about {size / 1e6:.0f} MB of this run ({why.strerror or why})"
        raise BadInput(text) from None


def replace_file(path: Path, data: bytes) -> None:
    """The file with these bytes, whole or not at all."""
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def read_results(folder: Path) -> dict[str, Any]:
    """The columns of a finished run."""
    return dict(unpacked((folder / RESULTS).read_bytes()))
