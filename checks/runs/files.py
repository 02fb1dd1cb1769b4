"""Bytes on the disk: whole or not at all, and a digest to recognise them by."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

PART = ".part-"


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal.

    >>> digest(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(data).hexdigest()


def replace_file(path: Path, data: bytes) -> None:
    """The file with these bytes, whole or not at all: an interruption leaves the old one."""
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
