"""A verdict from a certificate that was accepted before: the kernel replays it against today's record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oubli.theory.judging.judge import Assumed, Statements, engine
from oubli.theory.judging.replay import Accept, accept_for
from oubli.theory.kernel.checker import accept_certificate
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.records.claim import Claim
from oubli.theory.records.verdict import Status, Verdict


def entry_of(verdict: Verdict) -> Mapping[str, Any] | None:
    """What is worth keeping of a verdict: its certificate. That none was found is no certificate."""
    return verdict.certificate or verdict.witness


def accept_entry(
    claim: Claim, entry: Any, known: Statements, assumed: Assumed, accept: Accept = accept_certificate
) -> None:
    """Let the kernel replay an entry for a claim as it is now; RejectedError, saying why, if it fails."""
    if not isinstance(entry, Mapping) or claim.statement is None or entry.get("claim") != claim.key:
        raise RejectedError("it is no certificate of this claim")
    accept_for(claim, entry, known, assumed, accept)


def verdict_of(claim: Claim, entry: Mapping[str, Any], seconds: float) -> Verdict:
    """The verdict that an accepted entry gives."""
    if entry["kind"] == "witness":
        return Verdict(Status.REFUTED, "witness", witness=entry, seconds=seconds)
    return Verdict(Status.PROVED, engine(claim), entry, seconds=seconds)
