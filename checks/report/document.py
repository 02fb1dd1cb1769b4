"""The verdicts document, read back: the one input of every rendering.

Nothing here or in any renderer knows the theory: a page can be made from the file alone, years later.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from checks.commands.errors import BadInput
from checks.report.shape import Malformed, Maybe, Number, fit

SCHEMA = 1
Document = dict[str, Any]

# Keys become anchors and addresses, so they hold nothing that would need quoting there.
KEY = re.compile(r"[A-Za-z0-9][\w.\-]*")
STATUSES = ("PROVED", "REFUTED", "OPEN", "NONE")
PROOFS = ("SOUND", "BROKEN", "OPEN", "NONE")
STATEMENT = {
    "given": [{"tex": str, "why": str}],
    "says": str,
    "where": [{"symbol": str, "domain": str, "meaning": str}],
}
WITNESS = {
    "says": str,
    "values": dict,
    "lines": [str],
    "shown?": [{"role": str, "tex": str, "there": str}],
    "ratio?": Maybe(Number),
}
EMPIRICAL = {
    "cases": int,
    "worst_ratio": Maybe(Number),
    "violated": bool,
    "confidence?": Maybe((str, int, float)),
    "instance?": Maybe(str),
    "points?": [[Number]],
}
CLAIM = {
    "key": str,
    "parent": Maybe(str),
    "kind": str,
    "source": {"line": int, "label?": str},
    "title": str,
    "note": str,
    "tex": Maybe(STATEMENT),
    "text": Maybe({"given": [str], "says": str}),
    "status": str,
    "effective": str,
    "proof": str,
    "expected": bool,
    "engine": str,
    "reason": str,
    "assumes": [str],
    "uses": [str],
    "printed_uses": [str],
    "steps": [str],
    "affects": [str],
    "repaired_by": Maybe(str),
    "witness": Maybe(WITNESS),
    "derivation?": [{"name": str, "rule": str, "size": str, "tex": str}],
    "empirical": Maybe(EMPIRICAL),
    "tight": {"attained": bool, "instance": Maybe(str)},
}
DOCUMENT = {
    "coverage?": {
        "relations": int,
        "judged": int,
        "open": int,
        "definitions": int,
        "displays": [{"line": int, "kind": str, "keys": [str]}],
    },
    "summary": {"claims": int, **dict.fromkeys(STATUSES, int), "broken_proofs": int, "unexpected": [str]},
    "textbook": dict,
    "class": dict,
    "claims": [dict],
}


def load_json(path: Path) -> Any:
    """The JSON value in a file; BadInput in one line if there is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file; `oubli check` writes it") from None
    except OSError as why:
        raise BadInput(f"{path}: cannot be read ({why.strerror or why})") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not UTF-8 text; verdicts.json of `oubli check` is accepted") from None
    except (json.JSONDecodeError, RecursionError) as why:
        raise BadInput(f"{path}: not JSON ({why}); verdicts.json of `oubli check` is accepted") from None


def read(path: Path) -> Document:
    """The document in a file, checked; BadInput in one line if it cannot be used."""
    found = load_json(path)
    try:
        return checked(found)
    except Malformed as why:
        raise BadInput(f"{path}: {why}") from None


def checked(found: Any) -> Document:
    """The same document if its schema and every field that a page reads are as they should be.

    >>> checked({"schema": 0})
    Traceback (most recent call last):
      ...
    checks.report.shape.Malformed: schema 0; schema 1 is accepted, `oubli check` writes it anew
    """
    if not isinstance(found, dict):
        raise Malformed(f"a JSON {type(found).__name__}; an object with schema {SCHEMA} is accepted")
    if found.get("schema") != SCHEMA:
        given = f"schema {found['schema']!r}" if "schema" in found else "no schema"
        raise Malformed(f"{given}; schema {SCHEMA} is accepted, `oubli check` writes it anew")
    fit(found, DOCUMENT, "it")
    for claim in found["claims"]:
        _check_claim(claim)
    keys = [c["key"] for c in found["claims"]]
    if len(set(keys)) != len(keys):
        raise Malformed(f"the key {next(k for k in keys if keys.count(k) > 1)} is used twice")
    return found


def _check_claim(claim: Document) -> None:
    where = f"claim {claim.get('key')!r:.60}"
    fit(claim, CLAIM, where)
    if not KEY.fullmatch(claim["key"]):
        raise Malformed(f"{where}: a key is letters, digits, '.', '_' and '-'")
    for name, words in (("status", STATUSES), ("effective", STATUSES), ("proof", PROOFS)):
        if claim[name] not in words:
            raise Malformed(f"{where}: {name} is {claim[name]!r:.40}; accepted: {', '.join(words)}")
