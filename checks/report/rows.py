"""The rows of a family's card in the graph.

A card lists its statements, one labelled row each; a statement's printed steps stand below it as small
marks, and a repair named X.repaired stands right after X. A large family has one row per second word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oubli.checks.report.document import Document

LARGE = 18  # more statements than this make a family large
PER_ROW, PER_HEADING = 10, 5  # small marks that fit into a row, and beside a heading
SMALL, INDENT = 15, 104  # from one small mark to the next, and to the first one beside a heading

Mark = tuple[str, str]


@dataclass(frozen=True)
class Row:
    """Marks as (key, label), a label only for the first; `heading` is a word that is no claim."""

    marks: tuple[Mark, ...]
    heading: str = ""


def card_rows(name: str, members: Sequence[Document]) -> list[Row]:
    """The rows of a card; every member stands in exactly one of them."""
    keys = {c["key"] for c in members}
    leads = [c["key"] for c in members if not _is_step(c, keys) and not _is_twin(c["key"], keys)]
    leads.sort(key=lambda key: key != name)
    steps = {key: _steps(key, members, keys) for key in leads}
    if len(leads) <= LARGE:
        return [row for key in leads for row in _lead_rows(name, key, steps[key], keys)]
    groups: dict[str, list[str]] = {}
    for key in leads:
        groups.setdefault(".".join(key.split(".")[:2]), []).append(key)
    return [row for word, group in groups.items() for row in _group_rows(name, word, group, steps, keys)]


def _lead_rows(name: str, key: str, below: list[Mark], keys: set[str]) -> list[Row]:
    label = key if key == name else key.removeprefix(f"{name}.")
    return [Row(((key, label), *_twin(key, keys))), *_cut(below, PER_ROW)]


def _group_rows(
    name: str, word: str, group: list[str], steps: dict[str, list[Mark]], keys: set[str]
) -> list[Row]:
    small = [mark for key in group[1:] for mark in [(key, ""), *_twin(key, keys), *steps[key]]]
    if len(group) == 1 or group[0] == word:
        return _lead_rows(name, group[0], steps[group[0]] + small, keys)
    small = [(group[0], ""), *_twin(group[0], keys), *steps[group[0]], *small]
    head = Row(tuple(small[:PER_HEADING]), heading=word.removeprefix(f"{name}."))
    return [head, *_cut(small[PER_HEADING:], PER_ROW)]


def _cut(marks: Sequence[Mark], size: int) -> Iterable[Row]:
    return [Row(tuple(marks[i : i + size])) for i in range(0, len(marks), size)]


def _steps(key: str, members: Sequence[Document], keys: set[str]) -> list[Mark]:
    own = [c["key"] for c in members if c["parent"] == key and _is_step(c, keys)]
    return [mark for step in own for mark in [(step, ""), *_twin(step, keys)]]


def _is_step(claim: Document, keys: set[str]) -> bool:
    return claim["kind"] == "step" and claim["parent"] in keys


def _is_twin(key: str, keys: set[str]) -> bool:
    return key.endswith(".repaired") and key.removesuffix(".repaired") in keys


def _twin(key: str, keys: set[str]) -> list[Mark]:
    return [(f"{key}.repaired", "")] if f"{key}.repaired" in keys else []
