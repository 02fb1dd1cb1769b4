"""The table at the end of `pytest checks/`: each claim, how often tried, how tight, and whether it broke."""

from __future__ import annotations

from collections.abc import Mapping

from checks.empirical import Document
from checks.judging import THOUSAND, required
from checks.measure.registry import GROUPS, UNMEASURED, claims_of, fallen, ledger, printed, standing
from checks.tightness import LOOSE, NEAR_ENOUGH, remark, sharp_keys

LEGEND = (
    "What was measured. cases: instances tried; ratio: attained / claimed, the worst of all cases and of the",
    "stored worst instance: 1 is equality, above 1 a violation. An erratum must be violated, by its stored",
    "witness or by what was drawn; anything else that is violated fails the run.",
)


def expected_keys() -> list[str]:
    """The claims that a whole run must have measured."""
    return [key for group in GROUPS for key in (*standing(group), *fallen(group))]


def missing(measured: Mapping[str, Document]) -> list[str]:
    """The claims that nobody recorded, or that were tried less often than promised.

    >>> missing({}) == expected_keys()
    True
    """
    claims = ledger().claims
    return [key for key in expected_keys() if measured.get(key, {}).get("cases", 0) < required(claims[key])]


def table(measured: Mapping[str, Document]) -> list[str]:
    """Lines of text, one claim each: what stands, then the errata.

    >>> row = {"key": "e0", "cases": 9, "worst_ratio": 1.0, "violated": False, "confidence": 1.0}
    >>> table({"e0": row})[-1].split()
    ['e0', '9', '1', 'exact', 'NOT', 'VIOLATED', 'sharp']
    """
    head = f"{'claim':<32}{'cases':>7}{'ratio':>14}  {'confidence':<12}verdict"
    rows = sorted(measured.items())
    errata = [_line(key, item) for key, item in rows if item["violated"]]
    stand = [_line(key, item) for key, item in rows if not item["violated"]]
    fallen_part = ["", "Errata, violated as they must be:", *errata] if errata else []
    return [*LEGEND, "", head, *stand, *fallen_part]


def _line(key: str, item: Document) -> str:
    sure = "exact" if item["confidence"] == 1 else f"1 - {1 - item['confidence']:.0e}"
    claim = ledger().claims.get(key)
    erratum = claim.repaired_by if claim else None
    word = f"VIOLATED; {erratum} holds instead" if item["violated"] else "NOT VIOLATED"
    tight = "" if item["violated"] else f"  {remark(key, item['worst_ratio'])}"
    return f"{key:<32}{item['cases']:>7}{item['worst_ratio']:>14.6g}  {sure:<12}{word}{tight}".rstrip()


def notes(measured: Mapping[str, Document]) -> list[str]:
    """After the table of a whole run: counts, and what is rarely tried, loose or not measured, with why."""
    claims = ledger().claims
    errata = [key for key, item in measured.items() if item["violated"]]
    stand = [key for key in measured if key not in errata]
    often = [key for key in stand if printed(claims[key]) and measured[key]["cases"] >= THOUSAND]
    reached = [key for key in sharp_keys() if key in measured and measured[key]["worst_ratio"] >= NEAR_ENOUGH]
    rare = {k: measured[k]["cases"] for k in stand if measured[k]["cases"] < THOUSAND}
    return [
        "",
        f"{len(errata)} errata violated; {len(stand)} claims not violated: {len(often)} printed claims",
        f"without erratum, each over at least {THOUSAND:,} cases, and {len(stand) - len(often)} repairs.",
        f"{len(reached)} of {len(sharp_keys())} sharp claims reach {NEAR_ENOUGH} of their bound.",
        "Repairs of ours tried less often, because a case is dear: "
        + (", ".join(f"{key} ({cases})" for key, cases in rare.items()) or "none")
        + ".",
        "Not brought to their bound, and why:",
        *(f"  {key} {measured[key]['worst_ratio']:.4g}: {LOOSE[key]}" for key in LOOSE if key in measured),
        "Not measured, and why:",
        *(f"  {key}: {why}" for key, why in UNMEASURED.items()),
        f"  {len(beyond())} bounds of ours beyond the paper ({', '.join(heads())}): the ledger proves them.",
    ]


def beyond() -> list[str]:
    """The claims that no group of checks takes in: what this project adds to the paper."""
    groups = [key for group in GROUPS for key in (c.key for c in claims_of(group))]
    return [c.key for c in ledger().claims.values() if c.statement is not None and c.key not in groups]


def heads() -> list[str]:
    """Their chapters.

    >>> heads()
    ['sharp.*']
    """
    return sorted({f"{key.split('.')[0]}.*" for key in beyond()})
