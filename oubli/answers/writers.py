"""Writing the answers of a batch chunk by chunk: what is written stays, whatever happens later.

A format makes of a chunk what is to be written, in a worker process; a sink writes it, in order.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from oubli.answers.chunk import ANSWERS, WHOLE, Answered
from oubli.answers.readers import Cells, Input, kind_of
from oubli.errors import InputError, optional

_WORDS = ("printed", "certified", "noise", "how", "claims", "action", "schedule", "error")
Format = Callable[[Sequence[Input], Answered], Any]
Sink = Callable[[Any], None]


def named(taken: Sequence[str]) -> dict[str, str]:
    """The name of each column of an answer, beside columns of the input that may be called the same.

    >>> named(["rf", "noise"])["noise"]
    'oubli_noise'
    """
    return {name: f"oubli_{name}" if name in taken else name for name in ANSWERS}


def names_in(rows: Sequence[Input]) -> list[str]:
    """The columns of some rows, in the order in which they first occur."""
    return list(dict.fromkeys(name for row in rows for name in _cells(row)))


def _cells(row: Input) -> Cells:
    """What a row held; nothing if it was none."""
    return row if isinstance(row, dict) else {}


def _answers(made: Answered) -> Iterator[tuple[Any, ...]]:
    return zip(*(made.columns[name] for name in ANSWERS), strict=True)


def as_csv(given: list[str], rows: Sequence[Input], made: Answered) -> str:
    """The columns of the input, then those of the answers."""
    text = io.StringIO()
    cells = ([_cells(row).get(name) for name in given] for row in rows)
    lines = ([*one, *other] for one, other in zip(cells, _answers(made), strict=True))
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def as_lines(rows: Sequence[Input], made: Answered) -> str:
    """JSON lines: each input object with the names of the answer added."""
    lines = []
    for row, values in zip(rows, _answers(made), strict=True):
        cells = _cells(row)
        found = dict(zip(named(list(cells)).values(), values, strict=True))
        lines.append(json.dumps({**cells, **found}, default=str) + "\n")
    return "".join(lines)


def as_objects(rows: Sequence[Input], made: Answered) -> str:
    """The answers as a single one has them, joined by commas."""
    objects = made.objects or [{"error": reason} for reason in made.columns["error"]]
    return ", ".join(json.dumps(one) for one in objects)


def as_table(given: list[str], rows: Sequence[Input], made: Answered) -> dict[str, list[Any]]:
    """Columns of texts from the input, then those of the answers."""
    table = {
        name: [None if (v := _cells(row).get(name)) is None else str(v) for row in rows] for name in given
    }
    names = named(given)
    return table | {names[name]: made.columns[name] for name in ANSWERS}


@contextmanager
def output(out: Path | None, as_json: bool, given: list[str]) -> Iterator[tuple[Format, Sink]]:
    """The format and the sink for a file by its suffix, or for the standard output.

    Args:
        out: The file; None for the standard output.
        as_json: One JSON object on the standard output instead of CSV.
        given: The columns of the input.

    Raises:
        InputError: It cannot be written.
    """
    try:
        if out is None:
            yield from _objects(sys.stdout) if as_json else _csv(sys.stdout, given)
        elif kind_of(out) == "parquet":
            yield from _parquet(out, given)
        else:
            with out.open("w", newline="", encoding="utf-8", errors="replace") as file:
                yield from _csv(file, given) if kind_of(out) == "csv" else _lines(file)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"out = {out or 'stdout'}: {error.strerror or error}") from None


def _flushed(file: TextIO, text: str) -> None:
    file.write(text)
    file.flush()


def _csv(file: TextIO, given: list[str]) -> Iterator[tuple[Format, Sink]]:
    csv.writer(file, lineterminator="\n").writerow([*given, *named(given).values()])
    yield partial(as_csv, given), partial(_flushed, file)


def _lines(file: TextIO) -> Iterator[tuple[Format, Sink]]:
    yield as_lines, partial(_flushed, file)


def _objects(file: TextIO) -> Iterator[tuple[Format, Sink]]:
    lead = ['{"rows": [']

    def sink(text: str) -> None:
        _flushed(file, lead[0] + text)
        lead[0] = ", "

    try:
        yield as_objects, sink
    finally:
        _flushed(file, "]}\n" if lead[0] == ", " else '{"rows": []}\n')


def _parquet(path: Path, given: list[str]) -> Iterator[tuple[Format, Sink]]:
    with optional("parquet", f"{path.name} (Parquet; .csv and .jsonl need nothing)"):
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    types = dict.fromkeys(ANSWERS, pyarrow.float64()) | dict.fromkeys(WHOLE, pyarrow.int64())
    types |= dict.fromkeys(_WORDS, pyarrow.string()) | {"decided": pyarrow.bool_()}
    names = [(name, pyarrow.string()) for name in given]
    schema = pyarrow.schema(names + [(name, types[key]) for key, name in named(given).items()])
    # Closed in any case: without the footer nothing that was written can be read.
    with path.open("wb") as file, ParquetWriter(file, schema) as writer:
        yield (
            partial(as_table, given),
            lambda table: writer.write_table(pyarrow.table(table, schema=schema)),
        )
