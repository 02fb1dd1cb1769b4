"""The dependency graph as data for one inline drawing: nodes, edges with their curves, cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from oubli.checks.report.document import Document
from oubli.checks.report.layout import CARD, GUTTER, MARGIN, Card, Heading, Layout, Place, layout

LABEL = 22  # characters that fit beside a mark
WIDE, WIDER = 6.2, 7.6  # how wide a character is, at most, in the two sizes of labels
MARK, UNDER = 7.0, 8.0  # from the centre of a mark to its edge, and to the line below its row


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
    def end(self) -> float:
        """Where the label ends, measured from the mark; the printed proof's mark stands there."""
        return 16 + len(self.short) * (WIDER if self.place.lead else WIDE)

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
    headings: tuple[Heading, ...]
    card: float = CARD


def graph(claims: Sequence[Document]) -> Graph:
    """One node per claim, one edge per use, citation or repair between claims of the document."""
    found = layout(claims)
    nodes = tuple(Node(c, found.places[c["key"]]) for c in claims)
    return Graph(found.width, found.height, found.cards, nodes, tuple(_edges(claims, found)), found.headings)


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
        near, far = sorted((a.x, b.x))
        return _joined([(max(near + MARK, far - 3 * MARK), a.y), (far - MARK, a.y)])
    rightwards = a.column < b.column
    out, into = _port(a, right=rightwards), _port(b, right=a.column > b.column)
    (x, y), (u, v) = out[-1], into[-1]
    bow = _left(a) - 5 - min(16.0, abs(y - v) / 12)
    middle = bow if a.column == b.column else (x + u) / 2
    bend = f" C{middle:.5g},{y:g} {middle:.5g},{v:g} {u:g},{v:g} "
    return _joined(out) + bend + _joined(into[::-1]).replace("M", "L", 1)


def _port(place: Place, right: bool) -> list[tuple[float, float]]:
    """From a mark to the side of its card: a labelled mark touches its side, others run below their row."""
    side = _left(place) + (CARD if right else 0)
    if place.label:
        return [(side, place.y + 3)] if right else [(place.x - MARK, place.y)]
    below = place.y + UNDER
    return [(place.x, place.y + MARK - 2), (place.x, below), (side, below)]


def _joined(points: list[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:g},{y:g}" for x, y in points)


def _left(place: Place) -> float:
    return MARGIN + place.column * (CARD + GUTTER)
