"""One finished piece as bytes that can be trusted: whose it is, and whether it is whole."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.checks.runs.files import digest

MAGIC = b"oubli piece 1\n"
DIGEST = 64

Columns = Mapping[str, NDArray[Any]]


class DamagedError(ValueError):
    """Bytes that are not a whole piece under this name; the message says why."""


class OtherRunError(DamagedError):
    """A whole piece, but of a run with another definition."""


def packed(columns: Columns) -> bytes:
    """Columns as an npz file; the same columns always give the same bytes.

    >>> packed({"a": np.arange(3)}) == packed({"a": np.arange(3)})
    True
    """
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **dict(columns))
    return buffer.getvalue()


def unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    """The columns of an npz file; DamagedError if it is none."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as why:
        raise DamagedError(f"not a columnar file ({why})") from None


@dataclass(frozen=True)
class Codec:
    """How results become bytes, and back."""

    pack: Callable[[Any], bytes]
    unpack: Callable[[bytes], Any]


COLUMNS = Codec(packed, unpacked)
JSON = Codec(lambda value: json.dumps(value, allow_nan=False).encode(), json.loads)


def sealed(payload: bytes, key: str, fingerprint: str) -> bytes:
    """The piece's bytes: magic, the run's fingerprint, a digest of name and payload, the payload."""
    return MAGIC + fingerprint.encode() + _seal(key, payload) + payload


def opened(data: bytes, key: str, fingerprint: str) -> bytes:
    """The payload of a piece of this run under this name.

    Raises:
        DamagedError: The bytes are no piece, are not whole, or belong to another name.
        OtherRunError: The piece was made by a run with another definition.

    >>> opened(sealed(b"x", "one", "0" * 64), "one", "0" * 64)
    b'x'
    >>> opened(sealed(b"x", "one", "0" * 64), "two", "0" * 64)
    Traceback (most recent call last):
    oubli.checks.runs.blocks.DamagedError: damaged or renamed: its digest does not match
    """
    if not data.startswith(MAGIC):
        raise DamagedError("not a piece written by this program")
    run, seal = (data[len(MAGIC) + i * DIGEST : len(MAGIC) + (i + 1) * DIGEST] for i in range(2))
    payload = data[len(MAGIC) + 2 * DIGEST :]
    if _seal(key, payload) != seal:
        raise DamagedError("damaged or renamed: its digest does not match")
    if run != fingerprint.encode():
        raise OtherRunError("made by a run with other parameters")
    return payload


def _seal(key: str, payload: bytes) -> bytes:
    return digest(key.encode() + b"\0" + payload).encode()
