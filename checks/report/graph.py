"""The dependency graph as data for one inline drawing: nodes, edges with their curves, cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from checks.report.document import Document
from checks.report.layout import CARD, GUTTER, MARGIN, Card, Layout, Place, layout

LABEL = 25  # characters that fit beside a mark


@dataclass(frozen=True)
class Node:
    """A claim with its place."""

    claim: Document
    place: Place

    @property
    def short(self) -> str:
        """The label, cut to the width of a card."""
        room = LABEL if self.claim["proof"] == "NONE" else LABEL - 3
        label = self.place.label
        return label if len(label) <= room else label[: room - 1] + "…"

    @property
    def name(self) -> str:
        """What a screen reader says."""
        c = self.claim
        proof = "" if c["proof"] == "NONE" else f", printed proof {c['proof'].lower()}"
        status = "not judged" if c["effective"] == "NONE" else c["effective"].lower()
        return f"{c['key']}, {c['kind']}: {status}{proof}. {c['title']}"


@dataclass(frozen=True)
class Edge:
    """From what is used to what uses it; `kind` is uses (our proof), cites (printed proof) or repairs."""

    source: str
    target: str
    kind: str
    path: str


@dataclass(frozen=True)
class Graph:
    """Everything the drawing shows."""

    width: float
    height: float
    cards: tuple[Card, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def graph(claims: Sequence[Document]) -> Graph:
    """One node per claim, one edge per use, citation or repair between claims of the document."""
    found = layout(claims)
    nodes = tuple(Node(c, found.places[c["key"]]) for c in claims)
    return Graph(found.width, found.height, found.cards, nodes, tuple(_edges(claims, found)))


def _edges(claims: Sequence[Document], found: Layout) -> list[Edge]:
    out = []
    for c in claims:
        links = [("uses", k) for k in c["uses"]]
        links += [("cites", k) for k in c["printed_uses"] if k not in c["uses"]]
        out += [_edge(found, source, c["key"], kind) for kind, source in links if source in found.places]
        if c["repaired_by"] in found.places:
            out.append(_edge(found, c["key"], c["repaired_by"], "repairs"))
    return out


def _edge(found: Layout, source: str, target: str, kind: str) -> Edge:
    return Edge(source, target, kind, curve(found.places[source], found.places[target]))


def curve(a: Place, b: Place) -> str:
    """A path from a to b: straight in a row, a bow on the left inside a column, an S between columns."""
    if a.y == b.y and a.column == b.column:
        return f"M{a.x + 7:g},{a.y:g} L{b.x - 7:g},{b.y:g}"
    if a.column == b.column:
        bow = _left(a) - 6 - min(16.0, abs(a.y - b.y) / 12)
        return f"M{a.x - 7:g},{a.y:g} C{bow:.4g},{a.y:g} {bow:.4g},{b.y:g} {b.x - 7:g},{b.y:g}"
    if a.column < b.column:
        start, end = _left(a) + CARD, _left(b)
    else:
        start, end = _left(a), _left(b) + CARD
    middle = (start + end) / 2
    tail = f" L{b.x - 7:g},{b.y:g}" if a.column < b.column else ""
    return f"M{start:g},{a.y:g} C{middle:g},{a.y:g} {middle:g},{b.y:g} {end:g},{b.y:g}{tail}"


def _left(place: Place) -> float:
    return MARGIN + place.column * (CARD + GUTTER)
