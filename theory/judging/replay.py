"""Replay: a stored certificate against the ledger as it is now.

A certificate is good only for the statement that the ledger holds under its key today, with the letters it
was sealed with and lemmas that have not changed since: anything else is stale and rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from oubli.theory.judging.gate import beyond
from oubli.theory.judging.judge import lemmas_of
from oubli.theory.kernel.checker import accept_certificate, digest
from oubli.theory.kernel.encoding import statement as encoded
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import Claim

if TYPE_CHECKING:
    from oubli.theory.judging.ledger import Ledger


Accept = Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]], None]


def statements(ledger: Ledger) -> dict[str, Any]:
    """All statements of a ledger by key."""
    return {key: c.statement for key, c in ledger.claims.items() if c.statement is not None}


def taken(certificates: Iterable[Any]) -> dict[str, Any]:
    """What each claim assumes, as its proof's certificate tells (the first, if there are more)."""
    good = [c for c in certificates if isinstance(c, Mapping) and isinstance(c.get("claim"), str)]
    proofs = [c for c in good if c.get("kind") == "proof" and isinstance(c.get("takes"), Mapping)]
    return {c["claim"]: c["takes"] for c in reversed(proofs)}


def replay(certificate: Any, ledger: Ledger, assumed: Mapping[str, Any]) -> str:
    """The key of the claim that the certificate settles; RejectedError, saying why, if it settles none."""
    if not isinstance(certificate, Mapping):
        raise RejectedError("a certificate is an object")
    key = certificate.get("claim")
    claim = ledger.claims.get(key) if isinstance(key, str) else None
    if claim is None or claim.statement is None:
        shown_as = repr(key)[:90] if isinstance(key, str) else f"named by {type(key).__name__}"
        raise RejectedError(f"the ledger has no statement {shown_as}")
    accept_for(claim, certificate, statements(ledger), assumed)
    return claim.key


def accept_for(
    claim: Claim,
    certificate: Mapping[str, Any],
    known: Mapping[str, Statement],
    assumed: Mapping[str, Any],
    accept: Accept = accept_certificate,
) -> None:
    """Let the kernel judge a certificate of a claim as its record is now, or RejectedError that says why."""
    assert claim.statement is not None
    if certificate.get("statement") != encoded(claim.statement):
        raise RejectedError(f"stale: {claim.key} says something else today")
    accept(certificate, lemmas_of(claim, known), assumed)
    try:
        more = beyond(certificate["takes"])
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as why:
        raise RejectedError(f"malformed: what it assumes: {type(why).__name__}") from None
    if more:
        raise RejectedError(f"it assumes what its record does not give: {more[0]!r:.200}")


def accepted_already(certificate: Mapping[str, Any], lemmas: Mapping[str, Any], _: Any) -> None:
    """In place of the kernel, which accepted the certificate in this run: are these the lemmas it had?"""
    for key, name in certificate["lemmas"].items():
        if digest(lemmas[key]) != name:
            raise RejectedError(f"stale: {key} says something else today")


def replay_all(
    certificates: list[Any], ledger: Ledger, bar: Iterable[Any] | None = None
) -> tuple[list[Any], dict[str, str]]:
    """The certificates that are accepted, and why others are not; what depends on one of these falls with it.

    `bar`, if given, yields the same certificates and shows the progress.
    """
    assumed, good, rejected = taken(certificates), list[Any](), dict[str, str]()
    for number, certificate in enumerate(certificates if bar is None else bar):
        try:
            replay(certificate, ledger, assumed)
            good.append(certificate)
        except RejectedError as why:
            name = certificate.get("claim") if isinstance(certificate, Mapping) else None
            rejected[str(name or f"number {number}")] = str(why)
    while fallen := [(c, lost) for c in good if (lost := unshown(c, good, rejected))]:
        for certificate, lost in fallen:
            rejected[certificate["claim"]] = f"depends on what no accepted certificate here shows: {lost}"
            good.remove(certificate)
    return good, rejected


def unshown(certificate: Any, good: list[Any], rejected: Mapping[str, str]) -> str:
    """The lemmas of a certificate that none of the good ones proves, or that some other was to prove."""
    shown = {c["claim"] for c in good if c["kind"] == "proof"} - rejected.keys()
    return ", ".join(sorted(certificate["lemmas"].keys() - shown))
