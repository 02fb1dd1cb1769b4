"""The steps of our own proof of a claim, as a reader sees them; the document's side, not a page's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theory.claim import Claim
from theory.render import tex


def derivation(claim: Claim, certificate: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Each accepted step: its name, its rule, its size and what it says."""
    if certificate is None:
        return []
    says = {step.name: tex(step.statement.says) for step in claim.proof}
    return [
        {"name": s["name"], "rule": s["by"]["rule"], "size": size(s["by"]), "tex": says.get(s["name"], "")}
        for s in certificate.get("steps", [])
    ]


def size(by: Mapping[str, Any]) -> str:
    """How much a rule had to look at.

    >>> size({"rule": "subdivision", "boxes": 18})
    '18 boxes'
    """
    if "boxes" in by:
        return _counted(by["boxes"], "box", "boxes")
    if "terms" in by:
        return _counted(len(by["terms"]), "term", "terms")
    return ""


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
