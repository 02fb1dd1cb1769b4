"""Work through what is missing: progress with the time left, every finished piece kept at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from oubli.checks.runs.pool import Piece, results
from oubli.checks.runs.store import Pieces

# Where there is no terminal: seconds between two lines.
QUIET = 10.0

# Called after each piece with its key and the cost of what is done.
Advance = Callable[[str, float], None]


def resume(
    store: Pieces, pieces: Sequence[Piece], jobs: int, cluster: str | None = None, what: str = "running"
) -> dict[str, Any]:
    """The result of every piece: those that the store holds, and the others as they are computed.

    A piece that another run in the folder is at is left out.

    Args:
        store: What earlier runs left; every finished piece is put into it at once.
        pieces: The whole computation.
        jobs: Worker processes on this machine.
        cluster: The address of a Dask scheduler, in the place of workers here.
        what: One word for the progress on stderr.
    """
    costs = {piece.key: piece.cost for piece in pieces}
    missing = [piece for piece in pieces if piece.key not in store.done]
    before = sum(costs.values()) - sum(costs[piece.key] for piece in missing)
    if len(missing) < len(pieces):
        print(f"{what}: {len(pieces) - len(missing)} of {len(pieces)} pieces are there", file=sys.stderr)
    with _progress(what, sum(costs.values()), before) as advance:
        found = results(missing, jobs, cluster, store.claim)
        with closing(found):  # type: ignore[type-var]
            for key, value in found:
                store.put(key, value)
                advance(key, costs[key])
    return {key: store.done[key] for key in costs if store.found(key)}


@contextmanager
def _progress(what: str, total: float, before: float) -> Iterator[Advance]:
    """A bar on a terminal; elsewhere a line now and then."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(what, total, before)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task(what, total=total)
        progress.advance(bar, before)
        yield lambda _key, cost: progress.advance(bar, cost)


def _lines(what: str, total: float, before: float) -> Advance:
    """A line with the time left, at most one every few seconds."""
    state = {"done": before, "said": time.monotonic()}
    begun = state["said"]

    def advance(key: str, cost: float) -> None:
        state["done"] += cost
        now = time.monotonic()
        if now - state["said"] >= QUIET:
            left = (total - state["done"]) * (now - begun) / max(state["done"] - before, 1e-9)
            share = 100 * state["done"] / total
            print(f"{what}: {share:.0f} %, {time_left(left)}; {key}", file=sys.stderr, flush=True)
            state["said"] = now

    return advance


def time_left(seconds: float) -> str:
    """A duration for a person.

    >>> time_left(30), time_left(600)
    ('about 30 s left', 'about 10 min left')
    """
    return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"
