"""The annotated paper as one self-contained page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from markupsafe import Markup

from oubli.checks.report.annotated.clean import cleaned, html
from oubli.checks.report.annotated.marking import SAID, SIGNS, Note, mark_unjudged, marked
from oubli.checks.report.annotated.matching import Matched
from oubli.checks.report.document import Document
from oubli.checks.report.html import digest, environment
from oubli.checks.report.prose import Prose
from oubli.checks.report.severity import ORDER, ranked


@dataclass(frozen=True)
class Annotated:
    """The page, and what could be placed on it."""

    html: str
    notes: tuple[Note, ...]
    unplaced: tuple[int, ...]
    unjudged: int


def annotated(rendering: Element, found: Matched, document: Document) -> Annotated:
    """The user's TeX, rendered, with every judged relation marked and its note in the margin.

    Args:
        rendering: The page of LaTeXML.
        found: Which line holds which claims.
        document: The verdicts.

    Returns:
        The page; `unplaced` are lines of the TeX that the rendering does not show.
    """
    known = {c["key"]: c for c in document["claims"]}
    lines = {line: [k for k in keys if k in known] for line, keys in found.lines.items()}
    lines = {line: keys for line, keys in lines.items() if keys}
    body = cleaned(rendering)
    unjudged = 0 if found.same else mark_unjudged(body, found.lines)
    notes = marked(body, lines, known)
    unplaced = sorted(lines.keys() - {note.line for note in notes})
    text = _with_notes(html(body), notes, known)
    page = _page(text, notes, document, found, len(unplaced))
    return Annotated(page, tuple(notes), tuple(unplaced), unjudged)


def _with_notes(text: str, notes: Sequence[Note], known: Mapping[str, Document]) -> str:
    template = environment().get_template("note.html.j2")
    prose = Prose(())
    for note in notes:
        claims = [known[key] for key in note.keys]
        drawn = template.render(note=note, claims=claims, known=known, prose=prose, signs=SIGNS, said=SAID)
        text = text.replace(f"<!--{note.token}-->", drawn, 1)
    return text


def _page(body: str, notes: Sequence[Note], document: Document, found: Matched, unplaced: int) -> str:
    script = environment().get_template("paper.js.j2").render().strip()
    placed = {key for note in notes for key in note.keys}
    wrong = [c for c in ranked(document["claims"]) if c["key"] in placed]
    worst = [(word, [c for c in wrong if c["severity"] == word]) for word in ORDER]
    at = {key: note.line for note in reversed(notes) for key in note.keys}
    return (
        environment()
        .get_template("paper.html.j2")
        .render(
            body=Markup(body),
            style=Markup(environment().get_template("paper.css.j2").render()),
            script=Markup(script),
            digest=digest(script),
            document=document,
            found=found,
            worst=[(word, members) for word, members in worst if members],
            at=at,
            notes=notes,
            unplaced=unplaced,
            signs=SIGNS,
            said=SAID,
            prose=Prose(()),
        )
    )
