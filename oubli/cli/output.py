"""Writing where the user said: --out FILE in place of the screen, JSON by --json or FILE.json."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from pathlib import Path
from typing import Any

import click

from oubli.errors import InputError


def write_text(path: Path, text: str, option: str = "out") -> None:
    """Write a file with one line end at its end.

    Args:
        path: The file.
        text: What it is to hold.
        option: The option that named the file.

    Raises:
        InputError: It cannot be written; the line names the file and the reason.
    """
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{option} = {path}: {error.strerror}") from None


def show(data: Mapping[str, Any], text: str, out: Path | None, as_json: bool) -> None:
    """One answer to the screen or to a file.

    Args:
        data: The JSON object.
        text: The same for people.
        out: The file; None for the screen.
        as_json: Whether the answer is the JSON object; a file that ends in .json asks for it, too.
    """
    written = json.dumps(data) if as_json or wants_json(out) else text
    click.echo(written) if out is None else write_text(out, written)


def wants_json(out: Path | None) -> bool:
    """Whether the name of a file asks for JSON."""
    return out is not None and out.suffix == ".json"


def out_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command --out FILE: all that it prints goes there, as JSON if the name ends in .json."""

    @click.option(
        "--out",
        type=click.Path(path_type=Path),
        help="Where the answer goes, instead of the screen; .json: as JSON.",
    )
    @wraps(command)
    def wrapped(*args: Any, out: Path | None, **kwargs: Any) -> None:
        if wants_json(out) and "as_json" in kwargs:
            kwargs["as_json"] = True
        with _printed_to(out):
            command(*args, **kwargs)

    return wrapped


@contextmanager
def _printed_to(out: Path | None) -> Iterator[None]:
    """What is printed in the block goes to the file once it has ended, with whatever exit status."""
    if out is None:
        yield
        return
    _writable(out)
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            yield
    except SystemExit:
        write_text(out, printed.getvalue().removesuffix("\n"))
        raise
    write_text(out, printed.getvalue().removesuffix("\n"))


def _writable(out: Path) -> None:
    """InputError now, before any work, where nothing can be written later; an old file stays as it is."""
    there = out.exists()
    if there and not out.is_file():
        return  # a pipe or a device: its reader would see an end
    try:
        with out.open("ab"):
            pass
        if not there:
            os.unlink(out)
    except OSError as error:
        raise InputError(f"out = {out}: {error.strerror}") from None
