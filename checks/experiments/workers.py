"""Who computes the pieces of an experiment: processes here, a cluster, or one of several runs in a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from oubli.errors import InputError

_Piece = TypeVar("_Piece")


@dataclass(frozen=True)
class Workers:
    """Processes on this machine, or a Dask cluster; `shard` of `parts` computes its share alone."""

    jobs: int
    cluster: str | None = None
    part: int = 1
    parts: int = 1

    @property
    def shard(self) -> str:
        """The share in words."""
        return f"{self.part}/{self.parts}"

    def share(self, pieces: Sequence[_Piece]) -> list[_Piece]:
        """Every n-th piece, so that all shards have cheap and costly ones.

        >>> Workers(1, part=2, parts=3).share("abcdefg")
        ['b', 'e']
        """
        return list(pieces[self.part - 1 :: self.parts])


@dataclass(frozen=True)
class Partial:
    """A shard that is done while pieces of others are missing."""

    folder: Path
    shard: str
    there: int
    pieces: int

    def __str__(self) -> str:
        return (
            f"shard {self.shard} is done: {self.there} of {self.pieces} pieces are in {self.folder}; "
            "the last shard writes the results, or the same call without --shard"
        )


def parse_shard(text: str) -> tuple[int, int]:
    """i/n as two numbers; InputError for anything else.

    >>> parse_shard("2/8")
    (2, 8)
    >>> parse_shard("9/8")
    Traceback (most recent call last):
    oubli.errors.InputError: --shard 9/8: i/n with 1 <= i <= n is accepted, such as 1/4
    """
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    part, parts = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= part <= parts:
        raise InputError(f"--shard {text}: i/n with 1 <= i <= n is accepted, such as 1/4")
    return part, parts
