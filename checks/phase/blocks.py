"""One finished piece as bytes that can be trusted: which run it belongs to, and whether it is whole."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"oubli phase block 1\n"
DIGEST = 64

Columns = Mapping[str, NDArray[Any]]


class Damaged(ValueError):
    """Bytes that are no whole block of this run; the message says which of the two."""


def packed(columns: Columns) -> bytes:
    """Columns as an npz file; the same columns always give the same bytes.

    >>> packed({"a": np.arange(3)}) == packed({"a": np.arange(3)})
    True
    """
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **dict(columns))
    return buffer.getvalue()


def unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    """The columns of an npz file; Damaged if it is none."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as why:
        raise Damaged(f"not a columnar file ({why})") from None


def sealed(columns: Columns, fingerprint: str) -> bytes:
    """The block's bytes: magic, the run's fingerprint, the payload's digest, the payload."""
    payload = packed(columns)
    return MAGIC + fingerprint.encode() + digest(payload).encode() + payload


def opened(data: bytes, fingerprint: str) -> dict[str, NDArray[Any]]:
    """The columns of a block of this run; Damaged otherwise.

    >>> opened(sealed({"a": np.arange(2)}, "0" * 64), "0" * 64)["a"].tolist()
    [0, 1]
    >>> opened(b"something else", "0" * 64)
    Traceback (most recent call last):
    checks.phase.blocks.Damaged: not a block of this program
    """
    if not data.startswith(MAGIC):
        raise Damaged("not a block of this program")
    run, seal = (data[len(MAGIC) + i * DIGEST : len(MAGIC) + (i + 1) * DIGEST] for i in range(2))
    payload = data[len(MAGIC) + 2 * DIGEST :]
    if digest(payload).encode() != seal:
        raise Damaged("damaged: its digest does not match")
    if run != fingerprint.encode():
        raise Damaged("made by a run with other parameters")
    return unpacked(payload)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal.

    >>> digest(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(data).hexdigest()
