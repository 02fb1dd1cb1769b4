"""What the checks measured, beside what the engines proved: cases, worst ratio, confidence, per claim.

`pytest checks/` writes `report/empirical.json`; `merge` puts it into the document of the verdicts.
Sampling never promotes anything: it says VIOLATED or not, and how close to its bound a claim was brought.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

SCHEMA = 1
FILE = "empirical.json"
Document = dict[str, Any]


def in_letters(instance: Mapping[str, float]) -> str:
    """An instance as a person reads it.

    >>> in_letters({"r": 0.25, "T": 3.0})
    'r = 0.25, T = 3'
    """
    return ", ".join(f"{name} = {value:.12g}" for name, value in instance.items())


def combined(records: Iterable[Document]) -> dict[str, Document]:
    """One record per claim: cases add up, the worst ratio counts, confidence is the smallest."""
    found: dict[str, Document] = {}
    for item in sorted(records, key=lambda r: (r["key"], r["source"], str(r["instance"]))):
        known = found.get(item["key"])
        if known is None:
            found[item["key"]] = dict(item)
            continue
        worse = item["worst_ratio"] > known["worst_ratio"]
        best = item if worse else known
        found[item["key"]] = {
            **best,
            "cases": known["cases"] + item["cases"],
            "violated": known["violated"] or item["violated"],
            "confidence": min(known["confidence"], item["confidence"]),
        }
    return dict(sorted(found.items()))


def dumps(measured: Mapping[str, Document]) -> str:
    """The stored file: the same bytes for the same measurements."""
    claims = [measured[key] for key in sorted(measured)]
    return (
        json.dumps({"schema": SCHEMA, "claims": claims}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    )


def load(folder: Path) -> dict[str, Document]:
    """The measurements in a report folder; none if there is no file yet."""
    path = folder / FILE
    if not path.exists():
        return {}
    stored = json.loads(path.read_text(encoding="utf-8"))
    if stored.get("schema") != SCHEMA:
        raise ValueError(f"{path}: schema {stored.get('schema')}; schema {SCHEMA} is accepted")
    return {item["key"]: item for item in stored["claims"]}


def merge(document: Document, measured: Mapping[str, Document]) -> Document:
    """The document with each claim's `empirical` line, and the ratio attained in its `tight` field.

    >>> doc = {"claims": [{"key": "e0", "empirical": None, "tight": {"attained": False, "instance": None}}]}
    >>> row = {"key": "e0", "cases": 9, "worst_ratio": 1.0, "violated": False, "confidence": 1.0,
    ...        "source": "s", "instance": "x = 1"}
    >>> merge(doc, {"e0": row})["claims"][0]["tight"]["ratio"]
    1.0
    """
    claims = [_merged(claim, measured.get(claim["key"])) for claim in document["claims"]]
    return {**document, "claims": claims}


def _merged(claim: Document, measured: Document | None) -> Document:
    if measured is None:
        return claim
    line = {
        name: measured[name]
        for name in ("cases", "worst_ratio", "violated", "confidence", "source", "instance")
    }
    return {**claim, "empirical": line, "tight": {**claim["tight"], "ratio": measured["worst_ratio"]}}
