"""The report in a nutshell for other programs (docs/status.schema.json), and as a badge."""

from collections.abc import Mapping
from typing import Any

from markupsafe import escape

from oubli.checks.report.document import Document
from oubli.checks.report.terminal import headlines

SCHEMA = 1
WIDE = 6.3  # how wide a character of the badge is
WORDS = ("PROVED", "REFUTED", "OPEN")
BLANK = {"version": "", "commit": "", "date": ""}


def status(document: Document) -> dict[str, Any]:
    """The summary, and the verdict on each theorem, corollary and lemma."""
    summary = document["summary"]
    return {
        "schema": SCHEMA,
        "paper": document.get("paper", {"title": "", "authors": "", "version": "", "digest": ""}),
        "made": document.get("made", BLANK),
        "partial": bool(document.get("asked")),
        "as_expected": not summary["unexpected"],
        "claims": {word: summary[word] for word in (*WORDS, "NONE")},
        "severity": summary.get("severity", {}),
        "theorems": [_theorem(c) for c in headlines(document)],
    }


def _theorem(c: Document) -> dict[str, Any]:
    erratum = c.get("erratum") or {}
    fields = {name: c[name] for name in ("number", "key", "status", "effective", "proof", "severity")}
    return {**fields, "plain": erratum.get("plain", ""), "instead": erratum.get("instead", "")}


def badge(document: Document) -> str:
    """A small SVG: what it is, and how many claims stand, fall and are open; red only if unexpected."""
    summary = document["summary"]
    label = "checked by oubli"
    message = " · ".join(f"{summary[word]} {word.lower()}" for word in WORDS)
    return _drawn(label, message, "#0f7a57" if not summary["unexpected"] else "#c23616")


def _drawn(label: str, message: str, colour: str) -> str:
    left, right = (round(len(text) * WIDE + 14) for text in (label, message))
    texts: Mapping[float, str] = {left / 2: label, left + right / 2: message}
    written = "".join(f'<text x="{x:g}" y="14">{escape(text)}</text>' for x, text in texts.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{escape(label)}: {escape(message)}"><rect width="{left}" height="20" fill="#444c54"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/><g fill="#fff" text-anchor="middle" '
        f'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{written}</g></svg>\n'
    )
