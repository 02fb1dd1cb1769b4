"""Where each claim stands in the graph: families as cards, cards in columns, premises first.

A family is the first word of a key; `rows` says what stands in its card.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from oubli.checks.report.document import Document
from oubli.checks.report.rows import INDENT, SMALL, Row, card_rows

COLUMNS = 5
CARD, GUTTER, MARGIN = 180, 32, 12
ROW, PAD, GAP, HEAD = 17, 6, 10, 16
MARK = 7


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
class Heading:
    """A word beside the small marks of a row; no claim itself."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Layout:
    """All cards and places with the size of the drawing."""

    width: float
    height: float
    cards: tuple[Card, ...]
    headings: tuple[Heading, ...]
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
    headings: list[Heading] = []
    heights = {name: _height(name, rows[name]) for name in groups}
    columns = placed_columns(_premises(claims, groups), heights)
    cards: list[Card] = []
    places: dict[str, Place] = {}
    bottoms = [float(MARGIN)] * COLUMNS
    for name, column in columns.items():
        x, y = MARGIN + column * (CARD + GUTTER), bottoms[column]
        card = Card(name, x, y, heights[name], titled=name not in {c["key"] for c in groups[name]})
        cards.append(card)
        places.update(_places(card, rows[name], column))
        headings += _headings(card, rows[name])
        bottoms[column] += heights[name] + GAP
    used = 1 + max(columns.values(), default=0)
    width = 2 * MARGIN + used * CARD + (used - 1) * GUTTER
    return Layout(width, max(bottoms) + MARGIN - GAP, tuple(cards), tuple(headings), places)


def _height(name: str, rows: Sequence[Row]) -> float:
    titled = rows[0].marks[0][0] != name
    return 2 * PAD + len(rows) * ROW + (HEAD if titled else 0)


def _places(card: Card, rows: Sequence[Row], column: int) -> dict[str, Place]:
    out = {}
    for number, row in enumerate(rows):
        y = card.y + PAD + (HEAD if card.titled else 0) + (number + 0.5) * ROW
        for position, (key, label) in enumerate(row.marks):
            x = card.x + _offset(row, position)
            out[key] = Place(key, x, y, column, label, lead=key == card.name)
    return out


def _offset(row: Row, position: int) -> float:
    if row.marks[0][1]:
        return PAD + MARK if position == 0 else CARD - PAD - MARK
    first = INDENT if row.heading else PAD + MARK + SMALL
    return first + SMALL * position


def _headings(card: Card, rows: Sequence[Row]) -> list[Heading]:
    top = card.y + PAD + (HEAD if card.titled else 0)
    return [Heading(r.heading, card.x, top + (n + 0.5) * ROW) for n, r in enumerate(rows) if r.heading]


def _premises(claims: Sequence[Document], groups: Mapping[str, object]) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {name: set() for name in groups}
    for claim in claims:
        own = family(claim["key"])
        used = {family(k) for k in [*claim["uses"], *claim["printed_uses"]]}
        out[own] |= (used & groups.keys()) - {own}
    return out


def placed_columns(premises: Mapping[str, set[str]], heights: Mapping[str, float]) -> dict[str, int]:
    """A column for each family: filled like the columns of a newspaper, premises first.

    Nothing depends on a family in a later column, unless both depend on each other.

    >>> placed_columns({"b": {"a"}, "a": set()}, {"a": 1, "b": 1})
    {'a': 0, 'b': 1}
    """
    level = _levels(_without_circles(premises))
    order = sorted(premises, key=lambda name: level[name])
    tall = [heights[name] + GAP for name in order]
    sums = sorted({sum(tall[i:j]) for i in range(len(tall)) for j in range(i + 1, len(tall) + 1)})
    fits = (columns for columns in (filled(tall, room) for room in sums) if max(columns) < COLUMNS)
    return dict(zip(order, next(fits, []), strict=True))


def filled(heights: Sequence[float], room: float) -> list[int]:
    """The column of each height, a new one begun whenever the next would not fit.

    >>> filled([2, 2, 3], 4)
    [0, 0, 1]
    """
    column, used, out = 0, 0.0, []
    for height in heights:
        if used and used + height > room:
            column, used = column + 1, 0.0
        used += height
        out.append(column)
    return out


def _without_circles(premises: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The premises that do not depend on the family."""
    reach = {name: set(below) for name, below in premises.items()}
    for middle in premises:
        for below in reach.values():
            if middle in below:
                below |= reach[middle]
    return {name: {n for n in below if name not in reach[n]} for name, below in premises.items()}


def _levels(premises: Mapping[str, set[str]]) -> dict[str, int]:
    """The length of the longest chain of premises."""

    @cache
    def level(name: str) -> int:
        return 1 + max(map(level, premises[name]), default=-1)

    return {name: level(name) for name in premises}
