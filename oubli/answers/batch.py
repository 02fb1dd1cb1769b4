"""Many questions: read, answered on all cores and written in chunks, in order, with what is done kept."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from oubli.answers.answer import Setting
from oubli.answers.chunk import Answered, answered
from oubli.answers.readers import Input, rows_of
from oubli.answers.writers import Format, Sink, names_in, output
from oubli.errors import InputError, OubliError

SHOWN = 20  # bad rows that get a line of their own
_FAST, _DECIDED = 20_000, 250  # rows of a chunk: a second, and half of one
_FIRST, _NTH = 10_000, 100  # of a long batch the first rows, and then every so many, are decided in balls
_PATIENCE = 2.0  # seconds before progress is shown
Done = tuple[Any, list[tuple[int, str]], int]
Chunk = tuple[int, list[Input]]  # the number of its first row, and the rows
Decides = Callable[[int], bool]  # which rows, by number, the records decide in ball arithmetic


def every_row(row: int) -> bool:
    """All are decided in ball arithmetic: some milliseconds each."""
    return True


def no_row(row: int) -> bool:
    """Doubles with a safety margin answer alone."""
    return False


def some_rows(row: int) -> bool:
    """All of a short batch, and a share of a long one: a million rows within a minute.

    >>> some_rows(9_999), some_rows(10_001), some_rows(10_100)
    (True, False, True)
    """
    return row < _FIRST or row % _NTH == 0


def answer_file(
    path: Path,
    out: Path | None,
    setting: Setting,
    *,
    as_json: bool = False,
    decided: Decides = some_rows,
    jobs: int | None = None,
) -> None:
    """Answer all rows of a file.

    Args:
        path: A .csv, .jsonl or .parquet file, or - for CSV from the standard input.
        out: Where the answers go, by suffix; None for CSV on the standard output.
        setting: Constants, notion and noise.
        as_json: One JSON object on the standard output instead.
        decided: Which rows the records decide in ball arithmetic; the column `decided` says so of each.
        jobs: Worker processes; all cores, if none are given.

    Raises:
        InputError: The file cannot be read or written, or some rows have no answer; the others are written.
    """
    if out is not None and out.exists() and path.exists() and out.samefile(path):
        raise InputError(f"out = {out}: this is the file that is read")
    with rows_of(path) as source:
        chunks = _chunks(source, decided)
        first = next(chunks, None)
        if first is None:
            raise InputError(f"{path}: no rows")
        work = partial(answered, setting=setting, nested=as_json and out is None)
        with output(out, as_json, names_in(first[1])) as (form, sink), _Progress() as shown:
            made = partial(_made, work, form, decided)
            done = _answers(made, chain([first], chunks), jobs or os.cpu_count() or 1)
            bad, rows = _written(path, done, sink, shown, out)
    if decided is some_rows and rows > _FIRST:
        click.echo(
            f"oubli: {path}: the records of the theorems decided the first {_FIRST:,} rows and every "
            f"{_NTH}th of the others, in ball arithmetic; the rest are marked `decided` = False and rest "
            "on doubles with a safety margin alone; --every decides all",
            err=True,
        )
    if bad:
        raise InputError(f"{path}: {bad:,} of {rows:,} rows have no answer; the others were answered")


def _written(
    path: Path, done: Iterator[Done], sink: Sink, shown: _Progress, out: Path | None
) -> tuple[int, int]:
    """Write what is done, in order; how many rows were bad, and how many there were."""
    bad, rows = 0, 0
    try:
        for made, errors, count in done:
            sink(made)
            for i, reason in errors[: max(SHOWN - bad, 0)]:
                shown.close()
                click.echo(f"oubli: {path}, row {rows + i + 1}: {reason}", err=True)
            bad, rows = bad + len(errors), rows + count
            shown(rows)
    except BrokenProcessPool:
        kept = f"{rows:,} finished rows are kept in {out or 'the output'}"
        raise OubliError(f"{path}: a worker process was killed, perhaps for want of memory; {kept}") from None
    except KeyboardInterrupt:
        shown.close()
        click.echo(f"oubli: interrupted; {rows:,} finished rows are kept in {out or 'the output'}", err=True)
        raise SystemExit(130) from None
    return bad, rows


def _made(work: Callable[..., Answered], form: Format, decided: Decides, chunk: Chunk) -> Done:
    """What a worker gives back: what is to be written, the bad rows, and the number of rows."""
    start, rows = chunk
    found = work(rows, decided=[decided(start + i) for i in range(len(rows))])
    return form(rows, found), found.errors, len(rows)


def _chunks(source: Iterator[Input], decided: Decides) -> Iterator[Chunk]:
    start = 0
    while rows := list(islice(source, _DECIDED if decided(start) and decided(start + 1) else _FAST)):
        yield start, rows
        start += len(rows)


def _answers(work: Callable[[Chunk], Done], chunks: Iterator[Chunk], jobs: int) -> Iterator[Done]:
    """The chunks, done and in order; other processes are started for more than one chunk alone."""
    first = list(islice(chunks, 2))
    if len(first) < 2 or jobs == 1:
        yield from map(work, chain(first, chunks))
        return
    with ProcessPoolExecutor(jobs, initializer=_unhurried) as pool:
        waiting: deque[Future[Done]] = deque()
        try:
            for chunk in chain(first, chunks):
                waiting.append(pool.submit(work, chunk))
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _unhurried() -> None:
    """Ctrl-C is for the parent, which ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Progress:
    """A line on stderr once the work takes longer than a moment, if a person looks at it."""

    def __init__(self) -> None:
        self.began = self.last = time.monotonic()
        self.visible = False

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, rows: int) -> None:
        now = time.monotonic()
        if now - self.began < _PATIENCE or now - self.last < 0.5:
            return
        self.last = now
        speed = rows / (now - self.began)
        text = f"answered {rows:,} rows in {now - self.began:.0f} s ({speed:,.0f} rows/s)"
        if sys.stderr.isatty():
            self.visible = True
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    def close(self) -> None:
        """Take the line away."""
        if self.visible:
            self.visible = False
            click.echo("\r\x1b[K", nl=False, err=True)
