"""The user's TeX with margin notes, for whoever has no LaTeXML: a TeX file to compile as usual."""

import re
from collections.abc import Iterator, Mapping

from oubli.checks.report.annotated.marking import SAID
from oubli.checks.report.annotated.matching import Matched
from oubli.checks.report.document import Document
from oubli.checks.report.tex import escaped

MACRO = (
    r"\IfFileExists{marginnote.sty}{\usepackage{marginnote}}{\providecommand{\marginnote}[1]{\marginpar{##1}}}"
    r"\newcommand{\oublinote}[3]{\marginnote{\raggedright\tiny\textbf{#1} \texttt{#2} #3}}"
)
_DISPLAY = r"(?:equation|align|gather|multline|eqnarray|alignat|flalign)\*?"
_OPEN = re.compile(rf"\\begin\{{{_DISPLAY}\}}|(?<!\\)\\\[")
_CLOSE = re.compile(rf"\\end\{{{_DISPLAY}\}}|(?<!\\)\\\]")
_COMMENT = re.compile(r"(?<!\\)%.*")


def with_margin_notes(tex: str, found: Matched, document: Document) -> str:
    """The TeX with a note after each judged display or line; nothing else is changed."""
    known = {c["key"]: c for c in document["claims"]}
    lines = tex.split("\n")
    after = dict(_ends(lines))
    notes: dict[int, list[str]] = {}
    for line, keys in sorted(found.lines.items()):
        notes.setdefault(after[line], []).extend(_note(known[k]) for k in keys if k in known)
    out = []
    for number, words in enumerate(lines, 1):
        out.append(words.replace(r"\begin{document}", MACRO + r"\begin{document}", 1))
        out += [f"{note}%" for note in notes.get(number, [])]
    return "\n".join(out)


def _ends(lines: list[str]) -> Iterator[tuple[int, int]]:
    """For each line the last line of the display it stands in, or itself."""
    depth, waiting = 0, []
    for number, raw in enumerate(lines, 1):
        line = _COMMENT.sub("", raw)
        depth += len(_OPEN.findall(line)) - len(_CLOSE.findall(line))
        waiting.append(number)
        if depth <= 0:
            depth = 0
            yield from ((waited, number) for waited in waiting)
            waiting = []
    yield from ((waited, len(lines)) for waited in waiting)


def _note(c: Mapping[str, Document]) -> str:
    erratum = c.get("erratum") or {}
    text = erratum["plain"] if erratum else c["title"]
    word = str(c.get("severity") or SAID[str(c["effective"])])
    return rf"\oublinote{{{escaped(word)}}}{{{escaped(str(c['key']))}}}{{{escaped(str(text))}}}"
