"""The letter to the authors: every error, worst first, with its place, counterexample, repair and replay.

One list of paragraphs, written as Markdown or as TeX: the two say the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oubli.checks.report.document import Document, line_of
from oubli.checks.report.markdown import plain
from oubli.checks.report.prose import letters
from oubli.checks.report.severity import MEANS, ORDER, ranked
from oubli.checks.report.tex import escaped


@dataclass(frozen=True)
class Part:
    """A paragraph: a heading (1 to 3), words after a bold lead, a displayed formula, or a command to type."""

    kind: str
    text: str
    lead: str = ""


def letter(document: Document) -> list[Part]:
    """The whole letter as parts."""
    known = {c["key"]: c for c in document["claims"]}
    found = ranked(document["claims"])
    parts = [*_head(document)]
    for word in ORDER:
        members = [c for c in found if c["severity"] == word]
        if members:
            parts.append(Part("2", f"{word[0].upper()}{word[1:]} ({len(members)})"))
            parts.append(Part("p", f"{MEANS[word][0].upper()}{MEANS[word][1:]}."))
        parts += [part for c in members for part in erratum(c, known)]
    return parts


def _head(document: Document) -> Iterator[Part]:
    paper, made = document.get("paper"), document.get("made")
    yield Part("1", f"Errata for “{paper['title']}”" if paper else "Errata")
    if paper:
        yield Part("p", f"{paper['authors']}; {paper['version']}. SHA-256 of the TeX: {paper['digest']}.")
    if made:
        commit = f", commit {made['commit']} of {made['date']}" if made["commit"] else ""
        yield Part("p", f"Checked by machine with oubli {made['version']}{commit}.")
    counts = document["summary"].get("severity", {})
    yield Part("p", "; ".join(f"{word}: {n}" for word, n in counts.items() if n) + ".", "In short: ")
    if document.get("notation"):
        yield Part(
            "p", "; ".join(f"{x['name']}: {x['meaning']}" for x in document["notation"]) + ".", "Notation: "
        )


def erratum(c: Document, known: Mapping[str, Document]) -> Iterator[Part]:
    """One error: place, what is printed, why it is wrong, the counterexample, what holds, how to replay."""
    place = ", ".join(filter(None, (c.get("place"), line_of(c))))
    erratum = c.get("erratum") or {"plain": f"{c['title']}.", "instead": "", "printed": "", "repair": ""}
    yield Part("3", f"{place}: {c['key']}")
    yield Part("p", c.get("sentence") or f"{c['title']}.", "Printed: ")
    yield from [Part("math", erratum["printed"])] if erratum["printed"] else []
    yield Part("p", erratum["plain"], "What is wrong: ")
    yield from _shown(c, known)
    yield from [Part("p", erratum["instead"], "Write instead: ")] if erratum["instead"] else []
    yield from [Part("math", erratum["repair"])] if erratum["repair"] else []
    if c["repaired_by"] in known:
        repair = known[c["repaired_by"]]
        lead = f"What holds instead ({repair['key']}, {repair['effective']}): "
        yield Part("p", f"{letters(repair['title'])}.", lead)
    yield Part("code", f"oubli show {c['key']}")


def _shown(c: Document, known: Mapping[str, Document]) -> Iterator[Part]:
    if c["witness"]:
        w = c["witness"]
        values = ", ".join(f"{name} = {value}" for name, value in w["values"].items())
        yield Part(
            "p", f"{letters(w['says'])}. At {values}: {'; '.join(w['lines'])}.", "Exact counterexample: "
        )
    elif c["proof"] == "BROKEN":
        fell = [k for k in [*c["steps"], *c["printed_uses"]] if k in known and known[k]["status"] != "PROVED"]
        places = [f"{k} ({line_of(known[k])})" for k in fell]
        yield Part("p", f"{', '.join(places)}.", "Its printed proof is broken by: ")


def markdown(parts: list[Part]) -> str:
    """The letter as Markdown."""
    return "\n\n".join(_markdown(part) for part in parts) + "\n"


def _markdown(part: Part) -> str:
    match part.kind:
        case "math":
            return f"$$\n{part.text}\n$$"
        case "code":
            return f"**Replay:** `{part.text}`"
        case "p":
            return (f"**{part.lead.strip()}** " if part.lead else "") + plain(part.text)
    return f"{'#' * int(part.kind)} {plain(part.text)}"


_SECTIONS = {"1": "section", "2": "subsection", "3": "paragraph"}
_PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=25mm]{geometry}
\sloppy\emergencystretch=3em\setlength{\parindent}{0pt}\setlength{\parskip}{5pt}
\begin{document}
"""


def latex(parts: list[Part]) -> str:
    """The letter as a TeX file of its own."""
    return _PREAMBLE + "\n\n".join(_latex(part) for part in parts) + "\n\\end{document}\n"


def _latex(part: Part) -> str:
    match part.kind:
        case "math":
            return f"\\[\n{part.text}\n\\]"
        case "code":
            return rf"\textbf{{Replay:}} \texttt{{{escaped(part.text)}}}"
        case "p":
            return (rf"\textbf{{{escaped(part.lead.strip())}}} " if part.lead else "") + escaped(part.text)
    return rf"\{_SECTIONS[part.kind]}*{{{escaped(part.text)}}}"
