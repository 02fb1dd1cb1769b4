"""Coverage: which displayed relation of the paper is judged by which claim.

The inventory is data beside the records: line, digest of the line, kind and keys. The text of the paper
is not kept; whoever has the TeX can check that the lines are the ones that were read.

>>> found = summary((Display(7, line_digest("x = 1"), "relation", ("a",), "judged at 1"),), {"a": "PROVED"})
>>> found["judged"], found["as_printed"]
(1, 0)
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A sentence or a line of an algorithm is judged as well, but it states no relation and is not counted as one.
RELATIONS = ("relation", "inline")


@dataclass(frozen=True)
class Display:
    """One displayed (or inline) relation, definition or judged sentence of the paper.

    `but` says in what the relation that is judged differs from the printed one, or why none is; it is empty
    where the record has the printed sides and sign: letters renamed, definitions unfolded, sums term by term,
    and for a refuted relation something that the printed one implies.
    """

    line: int
    digest: str
    kind: str
    keys: tuple[str, ...]
    but: str = ""


def inventory(file: Path) -> tuple[Display, ...]:
    """The inventory in a file, which lies beside the records of a paper."""
    rows = json.loads(file.read_text(encoding="utf-8"))
    return tuple(
        Display(row["line"], row["hash"], row["kind"], tuple(row["keys"]), row.get("but", "")) for row in rows
    )


def line_digest(line: str) -> str:
    """The digest of a line of TeX, blind to white space."""
    return hashlib.sha256(re.sub(r"\s+", "", line).encode()).hexdigest()[:16]


def summary(displays: tuple[Display, ...], statuses: Mapping[str, str]) -> dict[str, Any]:
    """How many relations are judged, as printed or not, how many stay open, and how many are definitions."""
    relations = [d for d in displays if d.kind in RELATIONS]
    judged = [d for d in relations if any(statuses.get(k, "NONE") != "NONE" for k in d.keys)]
    still_open = [d for d in judged if any(statuses.get(k) == "OPEN" for k in d.keys)]
    return {
        "relations": len(relations),
        "judged": len(judged),
        "as_printed": sum(not d.but for d in judged),
        "open": len(still_open),
        "definitions": sum(d.kind == "definition" for d in displays),
    }


def changed_lines(displays: tuple[Display, ...], tex: str) -> list[int]:
    """The lines of the inventory that read differently in this TeX."""
    lines = tex.split("\n")
    return [d.line for d in displays if d.line > len(lines) or line_digest(lines[d.line - 1]) != d.digest]
