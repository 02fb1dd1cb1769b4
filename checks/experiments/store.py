"""The folder of one experiment: finished pieces as they come, and the result that replaces them at the end.

Nothing that this program did not write for these parameters is ever changed.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oubli.checks.report.folder import dumps, writable
from oubli.checks.runs.blocks import COLUMNS, unpacked
from oubli.checks.runs.files import PART, digest, replace_file
from oubli.checks.runs.store import PIECE, UNTOUCHED, Pieces, open_pieces, refuse
from oubli.errors import InputError

KIND = "oubli phase"
MANIFEST, RESULTS, BLOCKS = "manifest.json", "results.npz", "blocks"


@dataclass(eq=False)
class Store:
    """The run with these parameters in this folder; a finished one has no pieces left."""

    folder: Path
    parameters: Mapping[str, Any]
    pieces: Pieces | None

    @property
    def finished(self) -> bool:
        """Whether the folder holds the whole result."""
        return self.pieces is None

    def finish(self, results: bytes, manifest: Mapping[str, Any]) -> None:
        """Write the result, then the manifest that vouches for it, then drop the pieces."""
        place = self.folder / RESULTS
        # A run killed between the two leaves its own result, byte for byte; any other one is not ours.
        if place.exists() and place.read_bytes() != results:
            raise InputError(f"{place}: a results file of another run; {UNTOUCHED}")
        replace_file(self.folder / RESULTS, results)
        whole = {"kind": KIND, "parameters": self.parameters, **manifest, "results_sha256": digest(results)}
        replace_file(self.folder / MANIFEST, dumps(whole).encode())
        if self.pieces is not None:
            if self.pieces.remove():
                _remove_parts(self.folder)
            self.pieces = None

    def finished_by_another(self) -> bool:
        """Whether another run in the folder has written the result meanwhile."""
        return _is_finished(self.folder, self.parameters)

    def close(self) -> None:
        """Let another run have the folder."""
        if self.pieces is not None:
            self.pieces.close()


def open_store(folder: Path, parameters: Mapping[str, Any], bytes_needed: int) -> Store:
    """The store of this run, with what an earlier one left; InputError before any work if unusable."""
    writable(folder)
    given = json.loads(dumps(parameters))
    blocks = folder / BLOCKS
    if _is_finished(folder, given):
        # What a run that was killed while it tidied up may have left.
        tidy(blocks)
        return Store(folder, given, None)
    if (folder / RESULTS).exists() and not any(blocks.glob(f"*{PIECE}")):
        raise InputError(f"{folder / RESULTS}: a results file without a manifest; {UNTOUCHED}")
    found = Store(folder, given, open_pieces(blocks, given, COLUMNS, refuse, shared=True))
    if found.finished_by_another():  # since the look above
        found.close()
        return Store(folder, given, None)
    try:
        reserve(folder, bytes_needed)
    except InputError:
        found.close()
        raise
    return found


def tidy(blocks: Path) -> None:
    """Remove the pieces of a finished run, unless another one still reads them."""
    if blocks.is_dir():
        with suppress(InputError):
            open_pieces(blocks, {}, COLUMNS, lambda *_: None).remove()
            _remove_parts(blocks.parent)


def _remove_parts(folder: Path) -> None:
    """What runs that were killed had begun to write."""
    for path in folder.glob(f"{PART}*"):
        path.unlink(missing_ok=True)


def _is_finished(folder: Path, parameters: Mapping[str, Any]) -> bool:
    """Whether the folder holds the whole result of this very run; InputError when it holds another's."""
    path = folder / MANIFEST
    if not path.exists():
        return False
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise InputError(f"{path}: not a manifest ({why}); {UNTOUCHED}") from None
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise InputError(f"{path}: not a manifest of `{KIND}`; {UNTOUCHED}")
    if found.get("parameters") != parameters:
        what = difference(found.get("parameters"), parameters)
        raise InputError(f"{path}: another run ({what}); {UNTOUCHED}")
    results = folder / RESULTS
    if not results.exists() or digest(results.read_bytes()) != found.get("results_sha256"):
        raise InputError(f"{results}: missing or damaged, its digest is not the manifest's; {UNTOUCHED}")
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


def reserve(folder: Path, size: int) -> None:
    """InputError unless `size` bytes can be written in the folder now."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=PART) as file:
            os.posix_fallocate(file.fileno(), 0, max(size, 1))
    except OSError as why:
        text = f"{folder}: no room for the about {size / 1e6:.0f} MB of this run ({why.strerror or why})"
        raise InputError(text) from None


def read_results(folder: Path) -> dict[str, Any]:
    """The columns of a finished run."""
    return dict(unpacked((folder / RESULTS).read_bytes()))
