"""What changed verdict between two documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oubli.checks.report.document import Document

WATCHED = ("status", "effective", "proof", "expected")


@dataclass(frozen=True)
class Change:
    """One claim that is new, gone, or judged otherwise: field -> (old word, new word)."""

    key: str
    title: str
    kind: str
    fields: Mapping[str, tuple[str, str]]

    def record(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"key": self.key, "kind": self.kind, "fields": {k: list(v) for k, v in self.fields.items()}}


def changes(old: Document, new: Document) -> list[Change]:
    """The changes in the order of the new document, then what is gone.

    >>> c = {"key": "a", "title": "", "status": "OPEN", "effective": "OPEN", "proof": "NONE"}
    >>> c["expected"] = True
    >>> changes({"claims": [c]}, {"claims": [{**c, "status": "PROVED"}]})[0].fields
    {'status': ('OPEN', 'PROVED')}
    """
    before, after = ({c["key"]: c for c in d["claims"]} for d in (old, new))
    out = []
    for key, claim in after.items():
        if key not in before:
            out.append(Change(key, claim["title"], "added", {"status": ("–", claim["status"])}))
        elif differing := _differing(before[key], claim):
            out.append(Change(key, claim["title"], "changed", differing))
    gone = [c for key, c in before.items() if key not in after]
    return out + [Change(c["key"], c["title"], "removed", {"status": (c["status"], "–")}) for c in gone]


def _differing(old: Document, new: Document) -> dict[str, tuple[str, str]]:
    return {f: (_word(old[f]), _word(new[f])) for f in WATCHED if old[f] != new[f]}


def _word(value: Any) -> str:
    return {True: "as expected", False: "unexpected"}[value] if isinstance(value, bool) else str(value)
