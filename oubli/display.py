"""How results show themselves: as an HTML table in a notebook, and as a pandas frame on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from oubli.errors import optional


def html_table(caption: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same names as one HTML table.

    Args:
        caption: The line above the table.
        rows: One mapping from column name to value for each row.

    Returns:
        HTML in which everything given is escaped.

    >>> html_table("a < b", [{"key": "e0"}])
    '<p>a &lt; b</p><table><thead><tr><th>key</th></tr></thead><tbody><tr><td>e0</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(str(name))}</th>" for name in (rows[0] if rows else ()))
    body = "".join(f"<tr>{_cells(row.values())}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<p>{escape(caption)}</p>{table}"


def _cells(values: Iterable[Any]) -> str:
    return "".join(f"<td>{escape(str(value))}</td>" for value in values)


def to_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """The same rows as a pandas DataFrame; pandas (the extra `frames`) is imported only here."""
    with optional("frames", "to_frame()"):
        import pandas
    return pandas.DataFrame(list(rows))
