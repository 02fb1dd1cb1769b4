"""The files of the report that are made from the document."""

from __future__ import annotations

from collections.abc import Sequence

from checks.coq.summary import sentence
from checks.report.compare import Change
from checks.report.document import Document
from checks.report.extras import Extras
from checks.report.html import page
from checks.report.junit import junit
from checks.report.markdown import report


def rendered(document: Document, beside: Extras, changed: Sequence[Change] | None = None) -> dict[str, str]:
    """Name -> text of everything a person or a build server reads."""
    return {
        "index.html": page(document, beside, changed),
        "report.md": report(document, sentence(beside.coq, document)),
        "junit.xml": junit(document, beside.times),
    }
