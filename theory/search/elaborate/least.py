"""The least that a proof assumes: what its lines use, and no letter held constant without need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oubli.theory.kernel.checker import NOTHING
from oubli.theory.kernel.encoding import sealed
from oubli.theory.search.elaborate.lines import ACCIDENTS
from oubli.theory.search.elaborate.reader import Reader

Record = Mapping[str, Any]


def least(
    takes: dict[str, Any], lines: list[dict[str, Any]], own: Record, sources: Record, assumed: Record
) -> dict[str, Any]:
    """`takes` and `lines` again, without what is not used."""
    averaged = {m for line in lines if line["by"] == "mean" for m in line["times"]}
    takes = {**takes, "means": {m: row for m, row in takes["means"].items() if m in averaged}}
    goal = reached(takes, lines, sources, assumed) if takes["constant"] else None
    for pair in list(takes["constant"]):
        fewer = {**takes, "constant": [p for p in takes["constant"] if p != pair]}
        if reached(fewer, lines, sources, assumed) == goal:
            takes = fewer
    used_letters = {**letters(takes, lines, sources, assumed), **own}
    return {"takes": {**takes, "letters": dict(sorted(used_letters.items()))}, "lines": lines}


def reached(takes: dict[str, Any], lines: list[dict[str, Any]], sources: Record, assumed: Record) -> Any:
    """What the last line says if only this is assumed; None if it is rejected."""
    try:
        proof = Reader(takes)
        for key, source in sources.items():
            proof.reached[key] = proof.claim(sealed(source), assumed.get(key, NOTHING))
        for i, line in enumerate(lines):
            proof.accept(line, i)
        return proof.reached[len(lines) - 1]
    except ACCIDENTS:
        return None


def letters(takes: Record, lines: list[dict[str, Any]], sources: Record, assumed: Record) -> dict[str, Any]:
    """The letters that occur in the proof or in its lemmas."""
    parts = [takes[part] for part in ("means", "slopes", "at", "constant")]
    found = set[str]().union(*map(strings, [*parts, lines, list(sources.values())]))
    found |= {n for key in sources for n in strings(assumed.get(key, NOTHING)["at"])}
    products = {n for n in takes["letters"] if n.startswith("<") and any("norm" in line for line in lines)}
    return {name: kind for name, kind in takes["letters"].items() if name in found | products}


def strings(record: Any) -> set[str]:
    """Every string in a record, keys included."""
    found, fresh = set[str](), [record]
    while fresh:
        node = fresh.pop()
        if isinstance(node, str):
            found.add(node)
        elif isinstance(node, list | tuple):
            fresh += node
        elif isinstance(node, dict):
            found |= node.keys()
            fresh += node.values()
    return found
