"""Writing where the user said: what cannot be written is one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

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


def show(data: Mapping[str, Any], text: str, out: Path | None, as_json: bool) -> None:
    """One answer to the screen, or to a file (.json as JSON, anything else as text), or to both.

    Args:
        data: The JSON object.
        text: The same for people.
        out: The file; None for the screen alone.
        as_json: Whether the screen shows the JSON object; without it a file leaves the screen empty.
    """
    written = json.dumps(data)
    if out is not None:
        write_text(out, written if out.suffix == ".json" else text)
    if out is None or as_json:
        click.echo(written if as_json else text)
