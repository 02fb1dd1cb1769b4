"""The steps of our own proof of a claim, as a reader sees them; the document's side, not a page's."""

from collections.abc import Mapping
from typing import Any

from oubli.theory.judging.judge import rule_certificate
from oubli.theory.records.claim import Claim
from oubli.theory.records.proof import Combination, Exact, Step
from oubli.theory.records.render import tex


def derivation(claim: Claim, certificate: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Each step of an accepted proof: its name, its rule, its size and what it says."""
    if certificate is None or isinstance(claim.proof[-1].by, Exact):
        return []
    return [{"name": step.name, **_shape(step), "tex": tex(step.statement.says)} for step in claim.proof]


def _shape(step: Step) -> dict[str, str]:
    # The terms of a combination are in the record; only their number is asked for.
    known: Mapping[str, Any] = {"rule": "combination", "terms": getattr(step.by, "terms", ())}
    by = known if isinstance(step.by, Combination) else rule_certificate(step)
    return {"rule": by["rule"], "size": size(by)}


def size(by: Mapping[str, Any]) -> str:
    """How much a rule had to look at.

    >>> size({"rule": "subdivision", "boxes": 18})
    '18 boxes'
    """
    if "boxes" in by:
        return counted(by["boxes"], "box", "boxes")
    if "terms" in by:
        return counted(len(by["terms"]), "term", "terms")
    return ""


def counted(number: int, one: str, many: str) -> str:
    """A number of things."""
    return f"{number} {one if number == 1 else many}"
