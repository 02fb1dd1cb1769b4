"""The verdicts as one JSON document: everything that any rendering of the report needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from checks.report.derivation import derivation
from checks.report.document import SCHEMA, Document
from checks.report.substituted import ratio, shown
from theory.claim import Claim, Statement
from theory.coverage import inventory, summary
from theory.encode import outline
from theory.engines.witness import encoded as encoded_instance
from theory.ledger import Entry, Ledger
from theory.models import holds_at, settled
from theory.quotients import NoQuotient, vanishes
from theory.reading import lines, values
from theory.render import statement_tex, statement_text
from theory.terms import names
from theory.textbook import CLASS, TEXTBOOK


def attained(claim: Claim) -> str | None:
    """The first instance at which the conclusion holds with equality: the bound is tight there."""
    if claim.statement is None:
        return None
    statement = outline(claim.statement)
    for instance in claim.instances:
        witness = encoded_instance(instance)
        if holds_at(statement, witness) is not None and is_zero(settled(statement["says"][1], witness)):
            return instance.says
    return None


def is_zero(slack: Any) -> bool:
    """Whether an expression at an instance is the number 0."""
    try:
        return not names(slack) and vanishes(slack)
    except NoQuotient:
        return False


def witness(entry: Entry, known: Mapping[str, Statement]) -> Document | None:
    """The witness of a refuted claim, with what a person reads of it."""
    found, statement = entry.verdict.witness, entry.claim.statement
    if found is None or statement is None:
        return None
    instance = next(i for i in entry.claim.instances if i.says == found["witness"]["says"])
    return {
        "says": instance.says,
        "values": values(instance),
        "lines": lines(statement, instance, known),
        "shown": shown(statement, instance),
        "ratio": ratio(statement, instance),
        "certificate": found,
    }


def claim_document(ledger: Ledger, entry: Entry, known: Mapping[str, Statement]) -> Document:
    """One claim with its verdict."""
    claim, verdict = entry.claim, entry.verdict
    statement = claim.statement
    tight = attained(claim)
    return {
        "key": claim.key,
        "parent": claim.parent,
        "kind": claim.kind.value,
        "source": {"line": claim.source.line, "label": claim.source.label},
        "title": claim.title,
        "note": claim.note,
        "tex": statement_tex(statement) if statement else None,
        "text": statement_text(statement) if statement else None,
        "status": verdict.status.value,
        "effective": entry.effective.value,
        "proof": entry.proof.value,
        "expected": entry.expected,
        "engine": verdict.engine,
        "reason": verdict.reason,
        "assumes": assumes(claim),
        "uses": list(entry.uses),
        "printed_uses": list(claim.printed_uses),
        "steps": list(ledger.steps(claim.key)),
        "affects": list(ledger.leaning_on(claim.key)),
        "repaired_by": claim.repaired_by,
        "witness": witness(entry, known),
        "derivation": derivation(claim, verdict.certificate),
        "certificate": verdict.certificate,
        "empirical": None,
        "tight": {"attained": tight is not None, "instance": tight},
    }


def assumes(claim: Claim) -> list[str]:
    """The textbook results that the claim or a step of our proof leans on."""
    if claim.statement is None:
        return []
    statements = [claim.statement, *(step.statement for step in claim.proof)]
    return sorted({why for s in statements for why in s.assumes})


def document(ledger: Ledger, entries: Mapping[str, Entry]) -> Document:
    """The whole report as data; the same ledger gives the same bytes."""
    known = {key: c.statement for key, c in ledger.claims.items() if c.statement is not None}
    claims = [claim_document(ledger, entry, known) for entry in entries.values()]
    counts = Counter(c["status"] for c in claims)
    return {
        "schema": SCHEMA,
        "coverage": covered({c["key"]: c["status"] for c in claims}),
        "summary": {
            "claims": len(claims),
            **{word: counts.get(word, 0) for word in ("PROVED", "REFUTED", "OPEN", "NONE")},
            "broken_proofs": sum(c["proof"] == "BROKEN" for c in claims),
            "unexpected": [c["key"] for c in claims if not c["expected"]],
        },
        "textbook": TEXTBOOK,
        "class": CLASS,
        "claims": claims,
    }


def covered(statuses: Mapping[str, str]) -> Document:
    """Every displayed relation of the paper with the claims that judge it, and how many are judged."""
    displays = inventory()
    rows = [{"line": d.line, "kind": d.kind, "keys": [k for k in d.keys if k in statuses]} for d in displays]
    return {**summary(displays, statuses), "displays": rows}


def timings(entries: Mapping[str, Entry]) -> Document:
    """How long each verdict took; apart from the verdicts, which are the same on every machine."""
    return {key: round(entry.verdict.seconds, 4) for key, entry in entries.items()}
