"""Many questions: read, answered on all cores and written in chunks, in order, with what is done kept."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from oubli.answers.answer import Setting
from oubli.answers.chunk import Answered, answered
from oubli.answers.readers import Input, rows_of
from oubli.answers.writers import Format, Sink, names_in, output
from oubli.errors import InputError

SHOWN = 20  # bad rows that get a line of their own
_FAST, _DECIDED = 5_000, 250  # rows of a chunk: each takes about half a second
_PATIENCE = 2.0  # seconds before progress is shown
Done = tuple[Any, list[tuple[int, str]], int]


def answer_file(
    path: Path,
    out: Path | None,
    setting: Setting,
    *,
    as_json: bool = False,
    decided: bool = True,
    jobs: int | None = None,
) -> None:
    """Answer all rows of a file.

    Args:
        path: A .csv, .jsonl or .parquet file, or - for CSV from the standard input.
        out: Where the answers go, by suffix; None for CSV on the standard output.
        setting: Constants, notion and noise.
        as_json: One JSON object on the standard output instead.
        decided: Whether the records decide every row in ball arithmetic.
        jobs: Worker processes; all cores, if none are given.

    Raises:
        InputError: The file cannot be read or written, or some rows have no answer; the others are written.
    """
    if out is not None and out.exists() and path.exists() and out.samefile(path):
        raise InputError(f"out = {out}: this is the file that is read")
    size = _DECIDED if decided else _FAST
    with rows_of(path) as source:
        first = list(islice(source, size))
        if not first:
            raise InputError(f"{path}: no rows")
        chunks = chain([first], _chunks(source, size))
        work = partial(answered, setting=setting, decided=decided, nested=as_json and out is None)
        with output(out, as_json, names_in(first)) as (form, sink), _Progress() as shown:
            done = _answers(partial(_made, work, form), chunks, jobs or os.cpu_count() or 1)
            bad, rows = _written(path, done, sink, shown, out)
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
    except KeyboardInterrupt:
        shown.close()
        click.echo(f"oubli: interrupted; {rows:,} finished rows are kept in {out or 'the output'}", err=True)
        raise SystemExit(130) from None
    return bad, rows


def _made(work: Callable[[list[Input]], Answered], form: Format, chunk: list[Input]) -> Done:
    """What a worker gives back: what is to be written, the bad rows, and the number of rows."""
    found = work(chunk)
    return form(chunk, found), found.errors, len(chunk)


def _chunks(source: Iterator[Input], size: int) -> Iterator[list[Input]]:
    while chunk := list(islice(source, size)):
        yield chunk


def _answers(work: Callable[[list[Input]], Done], chunks: Iterator[list[Input]], jobs: int) -> Iterator[Done]:
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
