"""Write the table of accepted records: `make accepted`, or python -m oubli.theory.regimes.accept."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from oubli.papers import ledger
from oubli.theory.judging.judge import uses
from oubli.theory.judging.ledger import Entry, Ledger
from oubli.theory.kernel.encoding import outline
from oubli.theory.records.claim import Claim
from oubli.theory.regimes.accepted import TABLE, digest, sources


def fingerprint(key: str, claims: Mapping[str, Claim]) -> str:
    """The hash of a record: its statement, its proof, and the records that its proof depends on."""
    seen: dict[str, Any] = {}
    fresh = [key]
    while fresh:
        name = fresh.pop()
        if name not in seen:
            claim = claims[name]
            seen[name] = spelled((claim.statement, claim.proof, claim.instances))
            fresh += uses(claim)
    return digest(seen)


def spelled(value: Any) -> Any:
    """Records as JSON; a field that holds nothing is left out, so that a new one changes no record."""
    if is_dataclass(value):
        pairs = {item.name: getattr(value, item.name) for item in fields(value)}
        held = {name: spelled(found) for name, found in pairs.items() if not _empty(found)}
        return [type(value).__name__, held]
    if isinstance(value, Mapping):
        return sorted([str(name), spelled(found)] for name, found in value.items())
    return [spelled(found) for found in value] if isinstance(value, tuple | list) else str(value)


def _empty(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, Mapping | tuple | list | str) and not value)


def current(keys: Iterable[str]) -> dict[str, str]:
    """The records of the paper as they are now, hashed; those that are gone are left out."""
    claims = ledger().claims
    return {key: fingerprint(key, claims) for key in keys if key in claims}


def accepted_table(book: Ledger, keys: Iterable[str]) -> dict[str, Any]:
    """The table that a ledger's verdicts on some records give.

    Args:
        book: The ledger; everything that the records depend on is judged.
        keys: The records.

    Returns:
        Per record its effective status, statement, the statement's digest and the record's fingerprint.
    """
    wanted = sorted(keys)
    entries = book.verify(wanted)
    return {"sources": sources(), "records": {key: _entry(entries[key], book) for key in wanted}}


def _entry(judged: Entry, book: Ledger) -> dict[str, Any]:
    claim = judged.claim
    if claim.statement is None:
        raise ValueError(f"{claim.key} states nothing that a row could be put into")
    encoded = outline(claim.statement)
    return {
        "status": str(judged.effective),
        "fingerprint": fingerprint(claim.key, book.claims),
        "digest": digest(encoded),
        "statement": encoded,
    }


def text(found: Mapping[str, Any]) -> str:
    """A table as a file: one record a line, so that a change shows."""
    lines = [f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in found["records"].items()]
    body = ",\n".join(lines)
    return f'{{"sources": {json.dumps(found["sources"])}, "records": {{\n{body}\n}}}}\n'


def main() -> int:
    """Judge the records behind the calculator and write the table; 1 if one of them is not proved."""
    from oubli.theory.regimes.registry import KEYS

    found = accepted_table(ledger(), KEYS)
    TABLE.write_text(text(found), encoding="utf-8")
    weak = [key for key, entry in found["records"].items() if entry["status"] != "PROVED"]
    print(f"{TABLE.name}: {len(KEYS) - len(weak)} of {len(KEYS)} records may certify")
    if weak:
        print(f"not proved: {', '.join(weak)}", file=sys.stderr)
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
