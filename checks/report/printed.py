"""What the PDF shows of each claim, added to the verdicts: number, sentence, names, severity, erratum."""

from collections.abc import Mapping
from typing import Any

from oubli.checks.report.document import Document
from oubli.checks.report.lookup import names
from oubli.checks.report.severity import counts, severity
from oubli.checks.report.version import made
from oubli.theory.judging.judge import uses
from oubli.theory.judging.ledger import Ledger
from oubli.theory.records.claim import Claim
from oubli.theory.records.printed import Edition


def as_printed(found: Document, ledger: Ledger, edition: Edition) -> Document:
    """The document with what a reader of the PDF needs: who printed what, where, and how bad an error is."""
    claims = [{**c, **_fields(c, ledger.claims, edition)} for c in found["claims"]]
    return {
        "schema": found["schema"],
        "paper": {
            "title": edition.title,
            "authors": edition.authors,
            "version": edition.version,
            "digest": edition.digest,
        },
        "made": made(),
        "numbers": [e.number for e in edition.environments],
        "notation": [{"name": x.name, "tex": x.tex, "meaning": x.meaning} for x in edition.notation],
        **found,
        "summary": {**found["summary"], "severity": counts(claims)},
        "claims": claims,
        **({"coverage": placed(found["coverage"], edition)} if "coverage" in found else {}),
    }


def placed(coverage: Document, edition: Edition) -> Document:
    """The inventory with the place of each display in the PDF."""
    rows = [{**row, "place": edition.place("", row["line"])} for row in coverage["displays"]]
    return {**coverage, "displays": rows}


def _fields(row: Document, claims: Mapping[str, Claim], edition: Edition) -> dict[str, Any]:
    claim = claims[row["key"]]
    own, erratum = edition.stating(claim.key), edition.errata.get(claim.key)
    word = severity(row, erratum.severity if erratum else None)
    return {
        "number": own.number if own else "",
        "place": edition.place(claim.key, claim.source.line),
        "sentence": own.sentence if own else "",
        "names": names(claim, edition),
        "severity": word,
        "erratum": _erratum(erratum) if erratum and word else None,
        "remarks": remarks(claim, claims, edition),
    }


def _erratum(found: Any) -> dict[str, str]:
    return {name: getattr(found, name) for name in ("plain", "instead", "printed", "repair")}


def remarks(claim: Claim, claims: Mapping[str, Claim], edition: Edition) -> list[str]:
    """What the edition says of every claim like this one: by what it uses, directly or not, or by a word."""
    return [
        remark.says
        for remark in edition.remarks
        if remark.uses in below(claim.key, claims) or any(word in claim.title for word in remark.words)
    ]


def below(key: str, claims: Mapping[str, Claim]) -> set[str]:
    """A claim with everything that its meaning or its certificate uses."""
    fresh, seen = [key], set[str]()
    while fresh:
        now = fresh.pop()
        if now not in seen:
            seen.add(now)
            fresh += uses(claims[now])
    return seen
