"""The files of the report that are made from the document."""

from collections.abc import Sequence

from oubli.checks.coq.summary import sentence
from oubli.checks.report.compare import Change
from oubli.checks.report.document import Document
from oubli.checks.report.extras import Extras
from oubli.checks.report.folder import dumps
from oubli.checks.report.html import page
from oubli.checks.report.junit import junit
from oubli.checks.report.markdown import report
from oubli.checks.report.status import badge, status


def rendered(document: Document, beside: Extras, changed: Sequence[Change] | None = None) -> dict[str, str]:
    """Name -> text of everything a person or a build server reads."""
    return {
        "index.html": page(document, beside, changed),
        "report.md": report(document, sentence(beside.coq, document)),
        "junit.xml": junit(document, beside.times),
        "status.json": dumps(status(document)),
        "badge.svg": badge(document),
    }
