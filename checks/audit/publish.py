"""An audit in the report's folder: beside earlier ones, which stay, and as a page with pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from oubli.checks.audit.finding import Audit, Finding, Judgement
from oubli.checks.audit.page import page
from oubli.checks.report.folder import dumps, publish, writable

WORDS = {
    Judgement.VIOLATED: "VIOLATED", Judgement.CONSISTENT: "HOLDS", Judgement.UNDECIDED: "UNKNOWN",
    Judgement.ERROR: "UNKNOWN",
}  # fmt: skip
SCHEMA = 1


def entry(audit: Audit) -> dict[str, Any]:
    """The audit in the words of the report's audit.json."""
    findings = [_finding(f) for f in audit.findings]
    return {
        "algorithm": audit.algorithm, "doc": audit.doc, "replay": audit.replay, "page": page_name(audit),
        "findings": findings,
    }  # fmt: skip


def page_name(audit: Audit) -> str:
    """The file of the audit's own page; only letters, digits, - and _ of its name are kept.

    >>> page_name(Audit("../My Rule", {}, (), ""))
    'audit-___My_Rule.html'
    """
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in audit.algorithm)
    return f"audit-{name}.html"


def _finding(finding: Finding) -> dict[str, Any]:
    says = " ".join(part for part in (f"Claimed: {finding.claimed}.", finding.says) if part)
    numbers = {
        k: v for k, v in finding.measured.items() if isinstance(v, (int, float, str)) and v is not None
    }
    return {"title": finding.check, "verdict": WORDS[finding.verdict], "says": says, "numbers": numbers}


def earlier(folder: Path) -> list[dict[str, Any]]:
    """The audits already there; a file that cannot be read is left for its owner, beside ours."""
    path = folder / "audit.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return [a for a in found["audits"] if isinstance(a, dict)] if found.get("schema") == SCHEMA else []
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        path.rename(path.with_suffix(".json.unreadable"))
        return []


def publish_audit(folder: Path, audit: Audit) -> None:
    """Add the audit, in the place of an earlier one with the same name, all files at once."""
    writable(folder)
    kept = [a for a in earlier(folder) if a.get("algorithm") != audit.algorithm]
    everything = {"schema": SCHEMA, "audits": [*kept, entry(audit)]}
    publish(folder, {page_name(audit): page(audit), "audit.json": dumps(everything)})
