"""Writing where the user said: what cannot be written is one line."""

from __future__ import annotations

from pathlib import Path

from oubli.errors import InputError


def write_text(path: Path, text: str) -> None:
    """Write a file with one line end at its end.

    Args:
        path: The file.
        text: What it is to hold.

    Raises:
        InputError: It cannot be written; the line names the file and the reason.
    """
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"out = {path}: {error.strerror}") from None
