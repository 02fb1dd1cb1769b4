"""A sign of life on stderr while something takes longer than a moment, if a person looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show what is being done until the block ends; nothing where stderr is no terminal.

    Args:
        what: In a few words.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield
