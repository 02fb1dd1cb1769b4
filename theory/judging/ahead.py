"""Replaying ahead: while the records are being built, a child lets the kernel replay what the last run used.

The kernel needs no records: a certificate holds its statement, and those of its lemmas lie beside it. What
the child reports is bound to the bytes of these files; whether they are about the claims of today is looked
at by whoever has the records. To lose the child, or the list of the last run, loses nothing but time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from oubli.theory.judging.cache import Cache, digest
from oubli.theory.judging.workers import processors
from oubli.theory.kernel.checker import accept_certificate
from oubli.theory.kernel.poly import RejectedError

# The name of the list of the last run: [claim, name of its entry, seconds to judge it], the longest first.
LAST = digest(["the last run"])
SIZE = 2  # bytes of a number in the queue
MOST = 15_000  # as many numbers fit into a pipe


# What the command line has begun, before it knew of any record.
running: Ahead | None = None


class Replays:
    """The entries of the last run, each replayed when asked for."""

    def __init__(self, cache: Cache, run: list[Any]) -> None:
        self.cache, self.run = cache, run
        self.names = {key: name for key, name, _ in run}
        self.known: dict[str, tuple[str, Any]] = {}

    def entry(self, key: str) -> tuple[str, Any]:
        """An entry with the digest of its bytes."""
        if key not in self.known:
            self.known[key] = self.cache.read(self.names[key])
        return self.known[key]

    def accepted(self, number: int) -> dict[str, str]:
        """The digests of an entry and of its lemmas' entries if the kernel accepts it; else nothing."""
        key = self.run[number][0]
        try:
            made = self.entry(key)[1]
            beside = {name: self.entry(name)[1] for name in made["lemmas"]}
            lemmas = {name: lemma["statement"] for name, lemma in beside.items()}
            accept_certificate(made, lemmas, {name: lemma["takes"] for name, lemma in beside.items()})
        except (RejectedError, LookupError, TypeError):
            return {}
        return {name: self.entry(name)[0] for name in [key, *beside]}


@dataclass
class Ahead:
    """A pipe with the numbers of entries still to be replayed, and one with what the child found."""

    replays: Replays
    queue: int
    heard: int
    child: int

    def costs(self) -> dict[str, float]:
        """How long it took to judge each claim, by the list of the last run."""
        return {key: seconds for key, _, seconds in self.replays.run}

    def dropped(self) -> None:
        """Nothing more is to be replayed: the child ends."""
        for _ in taken(self.queue):
            pass
        os.close(self.queue)
        os.close(self.heard)

    def finished(self, seals: Mapping[str, str]) -> set[str]:
        """The claims whose entries the kernel accepted, these and their lemmas' having the digests given.

        Args:
            seals: The digest of each claim's entry as the caller has read it.
        """
        found = [self.replays.accepted(number) for number in taken(self.queue)]
        os.close(self.queue)
        with os.fdopen(self.heard) as lines, suppress(ValueError):
            found += map(json.loads, lines)
        os.waitpid(self.child, 0)
        return {next(iter(one)) for one in found if one and one.items() <= seals.items()}


def taken_over() -> Ahead | None:
    """What the command line has begun, once: whoever asks first ends it."""
    global running
    begun_before, running = running, None
    return begun_before


def taken(queue: int) -> Iterator[int]:
    """Numbers from the queue until it is empty."""
    while number := os.read(queue, SIZE):
        yield int.from_bytes(number, "big")


def begun(cache: Cache) -> Ahead | None:
    """Start replaying what the last run used; None where there is no such run, or one processor alone."""
    run = cache.get(LAST) if processors() > 1 else None
    if not isinstance(run, list) or not all(map(_is_row, run)):
        return None
    replays = Replays(cache, run)
    queue, full = os.pipe()
    heard, found = os.pipe()
    os.write(full, b"".join(number.to_bytes(SIZE, "big") for number in range(min(len(run), MOST))))
    os.close(full)
    if child := os.fork():
        os.close(found)
        return Ahead(replays, queue, heard, child)
    try:  # the child: it ends with its work, or when nobody reads what it writes
        os.close(heard)
        for number in taken(queue):
            os.write(found, json.dumps(replays.accepted(number)).encode() + b"\n")
    finally:
        os._exit(0)


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and [*map(type, row)] == [str, str, float]


def remember(cache: Cache, rows: Iterable[tuple[str, str, float]]) -> None:
    """Keep what a run used, the longest first."""
    run = [list(row) for row in sorted(rows, key=lambda row: -row[2])]
    if run != cache.get(LAST):
        cache.put([(LAST, run)])
