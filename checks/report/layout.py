"""Where each claim stands in the graph: families as cards, cards in columns, premises to the left.

A family is the first word of a key. A card lists its statements, one labelled row each; a statement's
printed steps stand below it as small marks, and a repair named X.repaired stands right after X.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from checks.report.document import Document

COLUMNS = 5
CARD, GUTTER = 180, 32
ROW, PAD, GAP, HEAD = 17, 6, 10, 16
SMALL = 15  # from one small mark to the next
MARGIN = 12


@dataclass(frozen=True)
class Place:
    """The centre of a claim's mark; `label` is empty for a small mark."""

    key: str
    x: float
    y: float
    column: int
    label: str
    lead: bool


@dataclass(frozen=True)
class Card:
    """The box of a family."""

    name: str
    x: float
    y: float
    height: float
    titled: bool


@dataclass(frozen=True)
class Layout:
    """All cards and places with the size of the drawing."""

    width: float
    height: float
    cards: tuple[Card, ...]
    places: Mapping[str, Place]


def family(key: str) -> str:
    """The first word of a key.

    >>> family("opt_loss.step1.repaired")
    'opt_loss'
    """
    return key.split(".")[0]


def families(claims: Iterable[Document]) -> dict[str, list[Document]]:
    """The claims by family, both in the order of the document."""
    out: dict[str, list[Document]] = {}
    for claim in claims:
        out.setdefault(family(claim["key"]), []).append(claim)
    return out


def layout(claims: Sequence[Document]) -> Layout:
    """Every claim once, each in the card of its family."""
    groups = families(claims)
    rows = {name: card_rows(name, members) for name, members in groups.items()}
    heights = {name: _height(name, rows[name]) for name in groups}
    columns = placed_columns(_premises(claims, groups), heights)
    cards: list[Card] = []
    places: dict[str, Place] = {}
    bottoms = [float(MARGIN)] * COLUMNS
    for name in groups:
        column = columns[name]
        x, y = MARGIN + column * (CARD + GUTTER), bottoms[column]
        card = Card(name, x, y, heights[name], titled=name not in {c["key"] for c in groups[name]})
        cards.append(card)
        places.update(_places(card, rows[name], column))
        bottoms[column] += heights[name] + GAP
    used = 1 + max(columns.values(), default=0)
    width = 2 * MARGIN + used * CARD + (used - 1) * GUTTER
    return Layout(width, max(bottoms) + MARGIN - GAP, tuple(cards), places)


def card_rows(name: str, members: Sequence[Document]) -> list[list[tuple[str, str]]]:
    """Rows of (key, label): a labelled claim with its repair, then its steps as small marks."""
    keys = {c["key"] for c in members}
    leads = [c for c in members if not _is_step(c, keys) and not _is_twin(c, keys)]
    leads.sort(key=lambda c: c["key"] != name)
    per_row = int((CARD - 2 * PAD - SMALL) // SMALL)
    out: list[list[tuple[str, str]]] = []
    for lead in leads:
        label = lead["key"] if lead["key"] == name else lead["key"].removeprefix(f"{name}.")
        out.append([(lead["key"], label), *_twin(lead["key"], keys)])
        steps = [c["key"] for c in members if c["parent"] == lead["key"] and _is_step(c, keys)]
        small = [mark for key in steps for mark in [(key, ""), *_twin(key, keys)]]
        out += [small[i : i + per_row] for i in range(0, len(small), per_row)]
    return out


def _is_step(claim: Document, keys: set[str]) -> bool:
    return claim["kind"] == "step" and claim["parent"] in keys


def _is_twin(claim: Document, keys: set[str]) -> bool:
    return claim["key"].endswith(".repaired") and claim["key"].removesuffix(".repaired") in keys


def _twin(key: str, keys: set[str]) -> list[tuple[str, str]]:
    return [(f"{key}.repaired", "")] if f"{key}.repaired" in keys else []


def _height(name: str, rows: Sequence[Sequence[tuple[str, str]]]) -> float:
    titled = rows[0][0][0] != name
    return 2 * PAD + len(rows) * ROW + (HEAD if titled else 0)


def _places(card: Card, rows: Sequence[Sequence[tuple[str, str]]], column: int) -> dict[str, Place]:
    out = {}
    for number, row in enumerate(rows):
        y = card.y + PAD + (HEAD if card.titled else 0) + (number + 0.5) * ROW
        labelled = bool(row[0][1])
        for position, (key, label) in enumerate(row):
            if labelled:
                x = card.x + PAD + 7 if position == 0 else card.x + CARD - PAD - 7
            else:
                x = card.x + PAD + 7 + SMALL * (position + 1)
            out[key] = Place(key, x, y, column, label, lead=key == card.name)
    return out


def _premises(claims: Sequence[Document], groups: Mapping[str, object]) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {name: set() for name in groups}
    for claim in claims:
        own = family(claim["key"])
        used = {family(k) for k in [*claim["uses"], *claim["printed_uses"]]}
        out[own] |= (used & groups.keys()) - {own}
    return out


def placed_columns(premises: Mapping[str, set[str]], heights: Mapping[str, float]) -> dict[str, int]:
    """A column for each family, right of its premises where no circle forbids it, evenly filled.

    >>> placed_columns({"a": set(), "b": {"a"}}, {"a": 1, "b": 1})
    {'a': 0, 'b': 1}
    """
    early, late = _levels(premises), _latest(premises)
    filled = [0.0] * COLUMNS
    out: dict[str, int] = {}
    for name in sorted(premises, key=lambda n: (late[n] - early[n], -heights[n])):
        free = range(early[name], late[name] + 1)
        out[name] = min(free, key=lambda column: (filled[column], column))
        filled[out[name]] += heights[name] + GAP
    return {name: out[name] for name in premises}


def _reach(premises: Mapping[str, set[str]]) -> dict[str, set[str]]:
    out = {name: set(below) for name, below in premises.items()}
    for middle in premises:
        for below in out.values():
            if middle in below:
                below |= out[middle]
    return out


def _levels(premises: Mapping[str, set[str]]) -> dict[str, int]:
    """The length of the longest chain of premises, circles counted once, cut at the last column."""
    reach = _reach(premises)

    @cache
    def level(name: str) -> int:
        below = [n for n in premises[name] if name not in reach[n]]
        return min(COLUMNS - 1, 1 + max(map(level, below), default=-1))

    return {name: level(name) for name in premises}


def _latest(premises: Mapping[str, set[str]]) -> dict[str, int]:
    users: dict[str, set[str]] = {name: set() for name in premises}
    for name, below in premises.items():
        for premise in below:
            users[premise].add(name)
    early = _levels(premises)

    def latest(name: str) -> int:
        # A premise may move right up to just before the first family that uses it; a family that
        # neither uses nor is used may stand anywhere.
        alone = early[name] if premises[name] else COLUMNS - 1
        return max(early[name], min((early[user] - 1 for user in users[name]), default=alone))

    return {name: latest(name) for name in premises}
