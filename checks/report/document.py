"""The verdicts document, read back: the one input of every rendering.

Nothing here or in any renderer knows the theory: a page can be made from the file alone, years later.
"""

import json
import re
from pathlib import Path
from typing import Any

from oubli.checks.report.shape import MalformedError, Maybe, Number, fit
from oubli.errors import InputError

SCHEMA = 1
Document = dict[str, Any]

# Keys become anchors and addresses, so they hold nothing that would need quoting there.
KEY = re.compile(r"[A-Za-z0-9][\w.\-]*")
STATUSES = ("PROVED", "REFUTED", "OPEN", "NONE")
PROOFS = ("SOUND", "BROKEN", "OPEN", "NONE")
# The kinds of claims that the paper does not print.
OWN = ("repair", "theorem")
STATEMENT = {
    "given": [{"tex": str, "why": str}],
    "says": str,
    "where": [{"symbol": str, "domain": str, "meaning": str}],
}
WITNESS = {
    "says": str,
    "values": dict,
    "objects?": [str],
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
    "source": {"line": Maybe(int), "label?": str},
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
    "concerns?": Maybe(str),
    "witness": Maybe(WITNESS),
    "derivation?": [{"name": str, "rule": str, "size": str, "tex": str}],
    "schemas?": [{"name": str, "says": str, "at": [str]}],
    "empirical": Maybe(EMPIRICAL),
    "tight": {"attained": bool, "instance": Maybe(str)},
    "number?": str,
    "place?": str,
    "sentence?": str,
    "names?": [str],
    "severity?": Maybe(str),
    "erratum?": Maybe({"plain": str, "instead": str, "printed": str, "repair": str}),
    "remarks?": [str],
}
DOCUMENT = {
    "paper?": {"title": str, "authors": str, "version": str, "digest": str},
    "made?": {"version": str, "commit": str, "date": str},
    "numbers?": [str],
    "asked?": [str],
    "notation?": [{"name": str, "tex": str, "meaning": str}],
    "coverage?": {
        "relations": int,
        "judged": int,
        "open": int,
        "definitions": int,
        "as_printed?": int,
        "displays": [{"line": int, "kind": str, "keys": [str], "but?": str, "place?": str}],
    },
    "summary": {
        "claims": int,
        **dict.fromkeys(STATUSES, int),
        "broken_proofs": int,
        "unexpected": [str],
        "severity?": dict,
    },
    "textbook": dict,
    "class": dict,
    "claims": [dict],
}


def line_of(claim: Document) -> str:
    """Where a claim stands in the TeX; a theorem of ours stands nowhere.

    >>> line_of({"source": {"line": 531}}), line_of({"source": {"line": None, "label": "ours"}})
    ('l.531', 'ours')
    """
    line = claim["source"]["line"]
    return "ours" if line is None else f"l.{line}"


def load_json(path: Path) -> Any:
    """The JSON value in a file; InputError in one line if there is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; `oubli check` writes it") from None
    except OSError as why:
        raise InputError(f"{path}: cannot be read ({why.strerror or why})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; verdicts.json of `oubli check` is accepted") from None
    except (json.JSONDecodeError, RecursionError) as why:
        raise InputError(f"{path}: not JSON ({why}); verdicts.json of `oubli check` is accepted") from None


def read(path: Path) -> Document:
    """The document in a file, checked; InputError in one line if it cannot be used."""
    found = load_json(path)
    try:
        return checked(found)
    except MalformedError as why:
        raise InputError(f"{path}: {why}") from None


def checked(found: Any) -> Document:
    """The same document if its schema and every field that a page reads are as they should be.

    >>> checked({"schema": 0})
    Traceback (most recent call last):
      ...
    oubli.checks.report.shape.MalformedError: schema 0; schema 1 is accepted, `oubli check` writes it anew
    """
    if not isinstance(found, dict):
        raise MalformedError(f"a JSON {type(found).__name__}; an object with schema {SCHEMA} is accepted")
    if found.get("schema") != SCHEMA:
        given = f"schema {found['schema']!r}" if "schema" in found else "no schema"
        raise MalformedError(f"{given}; schema {SCHEMA} is accepted, `oubli check` writes it anew")
    fit(found, DOCUMENT, "it")
    for claim in found["claims"]:
        _check_claim(claim)
    keys = [c["key"] for c in found["claims"]]
    if len(set(keys)) != len(keys):
        raise MalformedError(f"the key {next(k for k in keys if keys.count(k) > 1)} is used twice")
    return found


def _check_claim(claim: Document) -> None:
    where = f"claim {claim.get('key')!r:.60}"
    fit(claim, CLAIM, where)
    if not KEY.fullmatch(claim["key"]):
        raise MalformedError(f"{where}: a key is letters, digits, '.', '_' and '-'")
    for name, words in (("status", STATUSES), ("effective", STATUSES), ("proof", PROOFS)):
        if claim[name] not in words:
            raise MalformedError(f"{where}: {name} is {claim[name]!r:.40}; accepted: {', '.join(words)}")
