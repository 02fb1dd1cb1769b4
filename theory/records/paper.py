"""A paper as one record: what every command needs to know of it, and the only way to get at its claims.

A paper is a package (or a folder of one) whose `__init__.py` defines PAPER. Nothing else knows which papers
there are; the claims are loaded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oubli.theory.records.claim import Claim
from oubli.theory.records.coverage import Display
from oubli.theory.records.printed import Edition


@dataclass(frozen=True)
class Paper:
    """One paper: as printed, its class in words, claims, displays, what measures them, its own schemas."""

    name: str
    edition: Edition
    describes: str
    claims: Callable[[], Iterable[Claim]]
    displays: Callable[[], tuple[Display, ...]] = tuple
    # What measures each claim, by its key; `checks/measure/paper.py` draws from it.
    sources: Callable[[], Mapping[str, tuple[Any, ...]]] = dict
    # The files of its own class of losses, trusted for this paper beside the kernel.
    classes: tuple[Path, ...] = ()
