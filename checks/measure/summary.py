"""The table at the end of `pytest checks/`: each claim, how often tried, how tight, and whether it broke."""

from collections.abc import Mapping

from oubli.checks.measure.empirical import Document
from oubli.checks.measure.judging import THOUSAND, required
from oubli.checks.measure.registry import (
    GROUPS,
    MEASURED,
    UNMEASURED,
    claims_of,
    fallen,
    ledger,
    printed,
    standing,
)
from oubli.checks.measure.tightness import LOOSE, NEAR_ENOUGH, remark, sharp_keys

# The group of what the paper does not say.
OURS = "sharp"

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
        "Repairs of ours tried less often, because a case is expensive: "
        + (", ".join(f"{key} ({cases})" for key, cases in rare.items()) or "none")
        + ".",
        "Not brought to their bound, and why:",
        *(f"  {key} {measured[key]['worst_ratio']:.4g}: {LOOSE[key]}" for key in LOOSE if key in measured),
        "Not measured, and why:",
        *(f"  {key}: {why}" for key, why in UNMEASURED.items()),
        *beyond(measured),
    ]


def beyond(measured: Mapping[str, Document]) -> list[str]:
    """What this project adds to the paper: each sharper claim, measured or not, with the reason if not.

    >>> beyond({})[0].split(":")[0]
    'Sharper claims of ours, beyond the paper'
    """
    keys = [claim.key for claim in claims_of(OURS)]
    drawn = [key for key in keys if key in measured and key not in MEASURED]
    lost = [key for key in keys if key not in measured]
    return [
        f"Sharper claims of ours, beyond the paper: {len(keys) - len(lost)} of {len(keys)} measured, of them",
        f"  {len(drawn)} relations between parameters alone, drawn: {', '.join(drawn) or 'none'}.",
        *(f"  not measured: {key}: {UNMEASURED.get(key, 'this run did not record it')}" for key in lost),
    ]
