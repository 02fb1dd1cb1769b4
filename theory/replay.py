"""Replay: a stored certificate against the ledger as it is now.

A certificate is good only for the statement that the ledger holds under its key today, with the facts it
was sealed with and lemmas that have not changed since: anything else is stale and rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from theory.checker import Rejected, accept_certificate
from theory.encode import statement as encoded
from theory.judge import lemmas_of
from theory.ledger import Ledger


def statements(ledger: Ledger) -> dict[str, Any]:
    """All statements of a ledger by key."""
    return {key: c.statement for key, c in ledger.claims.items() if c.statement is not None}


def taken(certificates: Iterable[Any]) -> dict[str, Any]:
    """At which values the letters of each claim are taken, as its certificate tells; each is replayed too."""
    good = [c for c in certificates if isinstance(c, Mapping) and isinstance(c.get("claim"), str)]
    return {c["claim"]: c.get("at", []) for c in good}


def replay(certificate: Any, ledger: Ledger, at: Mapping[str, Any]) -> str:
    """The key of the claim that the certificate settles; Rejected, saying why, if it settles none."""
    if not isinstance(certificate, Mapping):
        raise Rejected("a certificate is an object")
    key = certificate.get("claim")
    claim = ledger.claims.get(key) if isinstance(key, str) else None
    if claim is None or claim.statement is None:
        raise Rejected(f"the ledger has no statement {key!r}"[:120])
    if certificate.get("statement") != encoded(claim.statement):
        raise Rejected(f"stale: {key} says something else today")
    found = accept_certificate(certificate, lemmas_of(claim, statements(ledger)), at)
    if certificate["kind"] == "proof" and certificate.get("at") != found:
        raise Rejected(f"{key} takes its letters at other values than it tells")
    return claim.key
