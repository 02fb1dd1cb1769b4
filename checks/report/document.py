"""The verdicts document, read back: the one input of every rendering.

Nothing here or in any renderer knows the theory: a page can be made from the file alone, years later.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from checks.commands.errors import BadInput

SCHEMA = 1
Document = dict[str, Any]

# Keys become anchors and addresses, so they hold nothing that would need quoting there.
KEY = re.compile(r"[A-Za-z0-9][\w.\-]*")
STATUSES = ("PROVED", "REFUTED", "OPEN", "NONE")
PROOFS = ("SOUND", "BROKEN", "OPEN", "NONE")
_NULL = type(None)
FIELDS: dict[str, tuple[type, ...]] = {
    "key": (str,),
    "parent": (str, _NULL),
    "kind": (str,),
    "source": (dict,),
    "title": (str,),
    "note": (str,),
    "tex": (dict, _NULL),
    "text": (dict, _NULL),
    "status": (str,),
    "effective": (str,),
    "proof": (str,),
    "expected": (bool,),
    "engine": (str,),
    "reason": (str,),
    "assumes": (list,),
    "uses": (list,),
    "printed_uses": (list,),
    "steps": (list,),
    "affects": (list,),
    "repaired_by": (str, _NULL),
    "witness": (dict, _NULL),
    "certificate": (dict, _NULL),
    "empirical": (dict, _NULL),
    "tight": (dict,),
}


class Malformed(ValueError):
    """A document that no rendering can trust; the message says where and what is accepted."""


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
    checks.report.document.Malformed: schema 0; schema 1 is accepted, `oubli check` writes it anew
    """
    if not isinstance(found, dict):
        raise Malformed(f"a JSON {type(found).__name__}; an object with schema {SCHEMA} is accepted")
    if found.get("schema") != SCHEMA:
        given = f"schema {found['schema']!r}" if "schema" in found else "no schema"
        raise Malformed(f"{given}; schema {SCHEMA} is accepted, `oubli check` writes it anew")
    for name, kind in (("summary", dict), ("textbook", dict), ("class", dict), ("claims", list)):
        if not isinstance(found.get(name), kind):
            raise Malformed(f"field {name} should be a JSON {kind.__name__}, not {found.get(name)!r:.40}")
    for number, claim in enumerate(found["claims"]):
        _check_claim(claim, number)
    _check_summary(found)
    return found


def _check_claim(claim: Any, number: int) -> None:
    if not isinstance(claim, dict):
        raise Malformed(f"claim {number} should be a JSON object, not {claim!r:.40}")
    where = f"claim {claim.get('key', number)!r:.60}"
    for name, kinds in FIELDS.items():
        if name not in claim:
            raise Malformed(f"{where} has no field {name}")
        if not isinstance(claim[name], kinds):
            raise Malformed(f"{where}: field {name} should not be {claim[name]!r:.40}")
    if not KEY.fullmatch(claim["key"]):
        raise Malformed(f"{where}: a key is letters, digits, '.', '_' and '-'")
    for name, words in (("status", STATUSES), ("effective", STATUSES), ("proof", PROOFS)):
        if claim[name] not in words:
            raise Malformed(f"{where}: {name} is {claim[name]!r:.40}; accepted: {', '.join(words)}")
    _check_parts(claim, where)


def _check_parts(claim: Document, where: str) -> None:
    if not isinstance(claim["source"].get("line"), int):
        raise Malformed(f"{where}: source has no line")
    if claim["tex"] is not None and not {"given", "says", "where"} <= claim["tex"].keys():
        raise Malformed(f"{where}: tex needs given, says and where")
    if claim["witness"] is not None and not {"says", "values", "lines"} <= claim["witness"].keys():
        raise Malformed(f"{where}: witness needs says, values and lines")


def _check_summary(found: Document) -> None:
    missing = {"claims", *STATUSES, "broken_proofs", "unexpected"} - found["summary"].keys()
    if missing:
        raise Malformed(f"summary has no field {min(missing)}")
    keys = [c["key"] for c in found["claims"]]
    if len(set(keys)) != len(keys):
        raise Malformed(f"the key {next(k for k in keys if keys.count(k) > 1)} is used twice")
