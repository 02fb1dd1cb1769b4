"""Reading batches: the rows of CSV, JSON lines or Parquet, whatever the file holds."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from oubli.answers.question import PARAMETERS
from oubli.errors import InputError, optional

LONGEST = 1_000_000
_TOO_LONG = f"<a line of more than {LONGEST:,} characters>"
_DELIMITERS = ",;\t"
_NO_BATCH = (".json", ".xlsx", ".xls", ".ods")  # what one might take for a table of ours
_CELL_LINES = 50  # lines that a quoted cell may go over


@dataclass(frozen=True)
class BadRow:
    """A row that is none; the reason in one line."""

    reason: str


Cells = dict[str, Any]
Input = Cells | BadRow


def kind_of(path: Path) -> str:
    """The format that a file's name stands for: csv, jsonl or parquet.

    >>> kind_of(Path("rows.ndjson")), kind_of(Path("-")), kind_of(Path("rows.parquet"))
    ('jsonl', 'csv', 'parquet')
    """
    suffixes = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"}
    found = suffixes.get(path.suffix.lower(), "csv")
    if path.suffix.lower() in _NO_BATCH:
        raise InputError(f"{path}: a batch is .csv, .jsonl (one object per line) or .parquet")
    return found


@contextmanager
def rows_of(path: Path) -> Iterator[Iterator[Input]]:
    """The rows of a file, read as they are asked for; InputError for a file that cannot be read.

    Args:
        path: A .csv, .jsonl or .parquet file, a pipe with CSV, or - for CSV from the standard input.
    """
    kind = kind_of(path)
    try:
        if kind == "parquet":
            yield _parquet(path)
        elif str(path) == "-":
            yield _csv(sys.stdin, path)
        else:
            with path.open(newline="", encoding="utf-8-sig", errors="replace") as source:
                yield _csv(source, path) if kind == "csv" else _jsonl(source)
    except OSError as error:
        if error.filename is None:
            raise
        raise InputError(f"{error.filename}: {error.strerror}") from None


def _lines(source: TextIO) -> Iterator[str]:
    """The lines of a file; what is too long is passed over, and a remark stands for it."""
    while line := source.readline(LONGEST):
        if len(line) == LONGEST and not line.endswith("\n"):
            while (rest := source.readline(LONGEST)) and not rest.endswith("\n"):
                pass
            line = _TOO_LONG + "\n"
        yield line


def _csv(source: TextIO, path: Path) -> Iterator[Input]:
    lines = _lines(source)
    first = next(lines, "").removeprefix("\ufeff")
    if not first.strip():
        raise InputError(f"{path}: no rows")
    if "\0" in first:
        raise InputError(f"{path}: the header is no text in UTF-8; save the table as CSV in UTF-8")
    delimiter = max(_DELIMITERS, key=first.count)
    header = [name.strip() for name in next(csv.reader([first], delimiter=delimiter))]
    _known(header, path)
    for cells in _records(lines, delimiter, header):
        yield dict(zip(header, cells, strict=False)) if isinstance(cells, list) else cells


def _records(lines: Iterator[str], delimiter: str, header: list[str]) -> Iterator[list[str] | BadRow]:
    """The records of a CSV; a quote that is left open costs one line, not the rest of the file."""
    left, width = deque[str](), len(header)
    while line := left.popleft() if left else next(lines, ""):
        if not line.strip():
            continue
        if line.startswith(_TOO_LONG):
            yield BadRow(_TOO_LONG.strip("<>"))
            continue
        if line.count('"') % 2 == 0:
            yield _record(line, delimiter, width)
            continue
        more = _until_closed(left, lines)
        found = _record(line + "".join(more), delimiter, width) if more else None
        if isinstance(found, list) and len(found) == width and not _broken(header, found):
            yield found
        else:
            left.extendleft(reversed(more))
            yield BadRow("a quote is left open")


def _broken(header: list[str], cells: list[str]) -> bool:
    """Whether a number goes over several lines, as it does where two quotes are left open."""
    return any(name in PARAMETERS and "\n" in cell for name, cell in zip(header, cells, strict=True))


def _until_closed(left: deque[str], lines: Iterator[str]) -> list[str]:
    """The lines up to the one that closes an open quote, or as many as a cell may reasonably have."""
    found: list[str] = []
    while len(found) < _CELL_LINES and (line := left.popleft() if left else next(lines, "")):
        found.append(line)
        if line.count('"') % 2:
            break
    return found


def _record(text: str, delimiter: str, width: int) -> list[str] | BadRow:
    try:
        # Without a quote a record is its cells between delimiters; that is nearly every line of a long file.
        quoted = '"' in text
        cells = (
            next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
            if quoted
            else (text.rstrip("\r\n").split(delimiter))
        )
    except (csv.Error, StopIteration) as error:
        return BadRow(f"no CSV: {error}")
    return cells if len(cells) <= width else BadRow(f"{len(cells)} cells, but the header names {width}")


def _known(names: list[str], path: Path) -> None:
    """InputError for a table of which no column is ours, or of which one is but for capitals."""
    if not set(names) & set(PARAMETERS):
        shown = ", ".join(map(_shown, names[:5]))
        raise InputError(f"{path}: no known column ({shown}); accepted: {', '.join(PARAMETERS)}")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"{path}: the column {twice[0]} occurs twice")
    for name in PARAMETERS:
        spelt = [other for other in names if other.casefold() == name.casefold()]
        if spelt and name not in spelt:
            raise InputError(f"{path}: the column {_shown(spelt[0])} is called {name} here; rename it")


def _shown(name: str) -> str:
    return ascii(name)[1:-1][:20]


def _jsonl(source: TextIO) -> Iterator[Input]:
    for line in _lines(source):
        if line.strip():
            yield _parsed(line)


def _parsed(line: str) -> Input:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return BadRow(f"no JSON object: {ascii(line.strip()[:60])[1:-1]}")
    if not isinstance(found, dict):
        return BadRow(f"a JSON object is needed, not {type(found).__name__}")
    return found


def _parquet(path: Path) -> Iterator[Input]:
    with optional("parquet", f"{path.name} (Parquet; .csv and .jsonl need nothing)"):
        import pyarrow
        from pyarrow import parquet
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        source = parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{path}: {_first_line(error)}") from None
    _known(list(source.schema_arrow.names), path)
    try:
        for batch in source.iter_batches(10_000):
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        # Damaged inside, or with values that Python cannot hold: what was read before stays.
        yield BadRow(f"nothing can be read from here on: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    """What a library says, without its second thoughts."""
    return str(error).partition("\n")[0]


def texts(row: Mapping[str, Any]) -> dict[str, str | None]:
    """The parameters of a row as texts; whatever else it holds is not looked at.

    >>> texts({"eps": 1e-05, "dim": 10, "colour": "red", "rf": None})
    {'rf': None, 'eps': '1e-05', 'dim': '10'}
    """
    return {name: _text(name, row[name]) for name in PARAMETERS if name in row}


def _text(name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} = {str(value)[:60]}: a number is needed")
    return None if value != value else repr(value)
