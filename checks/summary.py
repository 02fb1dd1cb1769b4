"""The table at the end of `pytest checks/`: each claim, how often tried, how tight, and whether it broke."""

from __future__ import annotations

from collections.abc import Mapping

from checks.empirical import Document
from checks.measure.registry import GROUPS, fallen, ledger, standing


def expected_keys() -> list[str]:
    """The claims that a whole run must have measured."""
    return [key for group in GROUPS for key in (*standing(group), *fallen(group))]


def missing(measured: Mapping[str, Document]) -> list[str]:
    """The claims that nobody recorded, or whose record is empty.

    >>> missing({}) == expected_keys()
    True
    """
    return [key for key in expected_keys() if measured.get(key, {}).get("cases", 0) < 1]


def table(measured: Mapping[str, Document]) -> list[str]:
    """Lines of text, one claim each, the errata flagged.

    >>> row = {"key": "e0", "cases": 9, "worst_ratio": 1.0, "violated": False, "confidence": 1.0}
    >>> table({"e0": row})[1].split()
    ['e0', '9', '1', 'exact', 'NOT', 'VIOLATED']
    """
    lines = [f"{'claim':<34}{'cases':>8}  {'worst ratio':>12}  {'confidence':>10}"]
    for key, item in sorted(measured.items()):
        sure = "exact" if item["confidence"] == 1 else f"1 - {1 - item['confidence']:.0e}"
        claim = ledger().claims.get(key)
        erratum = claim.repaired_by if claim else None
        word = f"VIOLATED (erratum, see {erratum})" if item["violated"] else "NOT VIOLATED"
        lines.append(f"{key:<34}{item['cases']:>8}  {item['worst_ratio']:>12.6g}  {sure:>10}  {word}")
    return lines
