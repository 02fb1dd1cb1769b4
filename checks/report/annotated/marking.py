"""Verdicts put beside the relations they judge: a mark at the relation, a note in the margin."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from xml.etree.ElementTree import Comment, Element, SubElement

from oubli.checks.report.annotated.clean import lines_of
from oubli.checks.report.document import Document

RELATIONS = set("=≤≥<>≠≈∼≪≫∈:≔≕⟹⇒")
SIGNS = {"PROVED": "✓", "REFUTED": "✗", "OPEN": "?", "NONE": "·"}
SAID = {
    "PROVED": "proved",
    "REFUTED": "refuted",
    "OPEN": "open",
    "NONE": "not judged",
    "CHANGED": "not judged",
}
BLOCKS = ("p", "table", "div", "li", "h6", "figure", "figcaption")
PAIRED = ("p", "table", "div", "figure")
BADNESS = ("NONE", "PROVED", "OPEN", "REFUTED")


@dataclass(frozen=True)
class Note:
    """What stands in the margin: the claims of one line, and the number of the place in the rendering."""

    line: int
    keys: tuple[str, ...]
    number: str

    @property
    def token(self) -> str:
        """The comment that the note replaces."""
        return f"oubli-note-{self.line}"


class Page:
    """A cleaned page while it is marked."""

    def __init__(self, body: Element) -> None:
        self.body = body
        self._parents = {child: parent for parent in body.iter() for child in parent}
        self._notes: dict[Element, Element] = {}

    def around(self, element: Element) -> Iterator[Element]:
        """The element and its ancestors, innermost first."""
        here: Element | None = element
        while here is not None:
            yield here
            here = self._parents.get(here)

    def covering(self, line: int) -> Element | None:
        """The display row, the display, or the paragraph that a line of the TeX became; innermost first."""
        every = [(lines, e) for e in self.body.iter() if (lines := lines_of(e))]
        spans = [(lines, e) for lines, e in every if lines[0] <= line <= lines[1]]
        formulas = [(last - first, e) for (first, last), e in spans if e.tag in ("math", "p")]
        if not formulas:
            spans.sort(key=lambda item: item[0][1] - item[0][0])
            return spans[0][1] if spans else None
        # A formula says where, but the row, the table or the paragraph around it is what is marked.
        _, inner = min(formulas, key=lambda item: item[0])
        holders = [e for e in self.around(inner) if e.tag in ("tbody", "p") or _is_display(e)]
        return holders[0] if holders else inner

    def mark(self, element: Element, note: Note, status: str) -> None:
        """Mark the relation of a note and leave room for the note beside it."""
        link = Element("a", {"class": f"at {status}", "href": f"#note-{note.line}", "id": f"at-{note.line}"})
        link.set("aria-label", f"{SAID[status]}: note for line {note.line}")
        link.text = SIGNS[status]
        formulas = _judged(element, note.line)
        for formula in formulas:
            formula.set("class", f"judged {status}")
        cells = list(element.iter("td"))
        if formulas and not cells:
            self._after(formulas[0], link)
        else:
            (cells[-1] if cells else element).append(link)
        self._beside(element, cast(Element, Comment(note.token)))

    def _after(self, element: Element, new: Element) -> None:
        parent = self._parents[element]
        new.tail, element.tail = element.tail, None
        parent.insert(list(parent).index(element) + 1, new)
        self._parents[new] = parent

    def plain_mark(self, element: Element) -> None:
        """Mark a display that nobody judged."""
        cells = list(element.iter("td"))
        sign = SubElement(cells[-1] if cells else element, "span", {"class": "at CHANGED"})
        sign.set("title", "not judged: this display is not one of the version that was checked")
        sign.text = "not judged"

    def _beside(self, element: Element, comment: Element) -> None:
        """In a column of its own beside the block, so that a note begins where its relation stands."""
        block = self.theorem(element)
        if block is None:
            block = next((e for e in self.around(element) if e.tag in BLOCKS), element)
        if block not in self._notes:
            self._notes[block] = self._column(block)
        self._notes[block].append(comment)

    def _column(self, block: Element) -> Element:
        """The column of notes of a block: both stand in a pair, unless the block is an item of something."""
        if block.tag not in PAIRED:
            return SubElement(block, "div", {"class": "notes"})
        parent, pair = self._parents[block], Element("div", {"class": "pair"})
        parent[list(parent).index(block)] = pair
        pair.tail, block.tail = block.tail, None
        # The notes come first: they float beside the block, and a narrow page turns the two round.
        notes = SubElement(pair, "div", {"class": "notes"})
        pair.append(block)
        self._parents |= {pair: parent, block: pair}
        return notes

    def number(self, element: Element) -> str:
        """The numbers that the rendering gives: of the theorem around it and of the equation."""
        theorem = self.theorem(element)
        own = [_tagged(theorem, "ltx_tag_theorem")] if theorem is not None else []
        row = element if element.tag in ("tbody", "table") else None
        own += [_tagged(row, "ltx_tag_equation")] if row is not None else []
        return ", ".join(filter(None, own))

    def theorem(self, element: Element) -> Element | None:
        """The theorem, lemma or definition around an element."""
        return next((e for e in self.around(element) if "ltx_theorem" in _classes(e)), None)

    def headline(self, element: Element, note: Note, claim: Document) -> None:
        """The verdict on a theorem, at its heading."""
        theorem = self.theorem(element)
        heading = theorem.find("h6") if theorem is not None else None
        if heading is None:
            return
        status = claim["effective"]
        sign = SubElement(heading, "a", {"class": f"at {status}", "href": f"#note-{note.line}"})
        sign.text = f"{SIGNS[status]} {claim.get('severity') or SAID[status]}"

    def displays(self) -> Iterator[Element]:
        """Every displayed row or equation."""
        for table in self.body.iter("table"):
            if "ltx_eqn_table" in _classes(table):
                yield from table.iter("tbody")


def marked(body: Element, lines: Mapping[int, Sequence[str]], known: Mapping[str, Document]) -> list[Note]:
    """Mark every judged line in the page; the notes in the order of the page, for the comments left there."""
    page = Page(body)
    notes = []
    for line, keys in sorted(lines.items()):
        # LaTeXML places a caption on the line after it.
        element = page.covering(line) if page.covering(line) is not None else page.covering(line + 1)
        if element is None or not keys:
            continue
        status = max((known[k]["effective"] for k in keys), key=BADNESS.index)
        note = Note(line, tuple(keys), page.number(element))
        page.mark(element, note, status)
        for key in keys:
            if known[key].get("number"):
                page.headline(element, note, known[key])
        notes.append(note)
    return notes


def mark_unjudged(body: Element, lines: Mapping[int, Sequence[str]]) -> int:
    """Mark the displays that hold none of the lines; how many there are."""
    page = Page(body)
    count = 0
    for row in list(page.displays()):
        spans = [found for e in row.iter() if (found := lines_of(e))]
        if not any(first <= line <= last for first, last in spans for line in lines):
            page.plain_mark(row)
            count += 1
    return count


def _judged(element: Element, line: int) -> list[Element]:
    found = [e for e in element.iter("math") if (span := lines_of(e)) and span[0] <= line <= span[1]]
    return [e for e in found if RELATIONS & set("".join(e.itertext()))]


def _tagged(element: Element, name: str) -> str:
    tags = [e for e in element.iter("span") if name in _classes(e)]
    return "".join(tags[0].itertext()).strip() if tags else ""


def _is_display(element: Element) -> bool:
    return element.tag == "table" and "ltx_eqn_table" in _classes(element)


def _classes(element: Element) -> list[str]:
    return element.get("class", "").split()
