"""The verdicts as one JSON document: everything that any rendering of the report needs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from oubli.checks.report.derivation import derivation
from oubli.checks.report.document import SCHEMA, Document
from oubli.checks.report.objects import explicit, free, ranges, relation, statement_text, used
from oubli.checks.report.substituted import ratio, shown
from oubli.theory.judging.cache import NO_CACHE, Cache, digest, sources
from oubli.theory.judging.judge import judge
from oubli.theory.judging.ledger import Entry, Ledger
from oubli.theory.judging.workers import FEWEST, answers, processors
from oubli.theory.kernel.encoding import outline
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.terms import names
from oubli.theory.records.build import evaluated
from oubli.theory.records.claim import Claim
from oubli.theory.records.coverage import Display, summary
from oubli.theory.records.render import statement_tex
from oubli.theory.records.verdict import Status
from oubli.theory.search.engines.witness import encoded as encoded_instance
from oubli.theory.search.models import holds_at, settled
from oubli.theory.search.quotients import NoQuotientError, vanishes
from oubli.theory.search.reading import lines, values


def attained(claim: Claim) -> str | None:
    """The first instance at which the conclusion holds with equality: the bound is tight there."""
    if claim.statement is None:
        return None
    if any(item.kind for item in claim.statement.quantities):
        return _attained_by_objects(claim, claim.statement)
    statement = outline(claim.statement)
    for instance in claim.instances:
        witness = encoded_instance(instance)
        if holds_at(statement, witness) is not None and is_zero(settled(statement["says"][1], witness)):
            return instance.says
    return None


def _attained_by_objects(claim: Claim, statement: Statement) -> str | None:
    """The first model of which the kernel accepts that both sides are equal there."""
    sides = sp.Eq(statement.says.lhs, statement.says.rhs, evaluate=False)
    equal = replace(statement, says=sides, exists=True)
    for instance in claim.instances:
        trial = replace(claim, statement=equal, proof=evaluated(equal), instances=(instance,))
        if judge(trial, {}, {}).status is Status.PROVED:
            return instance.says
    return None


def is_zero(slack: Any) -> bool:
    """Whether an expression at an instance is the number 0."""
    try:
        return not names(slack) and vanishes(slack)
    except NoQuotientError:
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
        "objects": explicit({name: item.node for name, item in instance.objects.items()}),
        "lines": lines(statement, instance, known, relation),
        "shown": shown(statement, instance),
        "ratio": ratio(statement, instance),
    }


def typeset(statement: Statement) -> Document:
    """A statement as TeX; its letters with where they range, or how they are built."""
    found, known = statement_tex(statement), free(statement)
    where = zip(found["where"], statement.quantities, strict=True)
    return {**found, "where": [{**row, "domain": ranges(q)} for row, q in where if q in known]}


def presented(entry: Entry, known: Mapping[str, Statement]) -> Document:
    """What takes time to write of a claim and is no part of its verdict: formulas, the witness in words."""
    claim, statement, tight = entry.claim, entry.claim.statement, attained(entry.claim)
    return {
        "tex": typeset(statement) if statement else None,
        "text": statement_text(statement) if statement else None,
        "witness": witness(entry, known),
        "derivation": derivation(claim, entry.verdict.certificate),
        "schemas": used(entry.verdict.certificate or entry.verdict.witness or {}),
        "tight": {"attained": tight is not None, "instance": tight},
    }


def presentations(ledger: Ledger, entries: Mapping[str, Entry], cache: Cache) -> dict[str, Document]:
    """The presentation of every entry, from the cache where it has one for this record and certificate."""
    names = presentation_names(ledger, entries)
    known = {key: c.statement for key, c in ledger.claims.items() if c.statement is not None}
    out = {key: cache.get(name) for key, name in names.items()}
    missing = [(key,) for key, found in out.items() if found is None]
    cores = processors() if len(missing) >= FEWEST else 1

    def ready(most: int) -> list[tuple[str]]:
        return [missing.pop() for _ in missing[:most]]

    def hear(question: tuple[str], found: Document) -> None:
        out[question[0]] = found

    asked = [key for (key,) in missing]
    answers(lambda key: presented(entries[key], known), cores, ready, hear)
    cache.put((names[key], out[key]) for key in asked)
    return out


def presentation_names(ledger: Ledger, entries: Mapping[str, Entry]) -> dict[str, str]:
    """The name under which a cache has the presentation of every entry."""
    code, names, out = sources("checks/report"), ledger.entry_names(entries), dict[str, str]()
    for key, entry in entries.items():
        found = (entry.verdict.witness or {"witness": {}})["witness"].get("says")
        out[key] = digest([code, names[key], entry.verdict.status.value, found])
    return out


def claim_document(ledger: Ledger, entry: Entry, shown: Document) -> Document:
    """One claim with its verdict, and what is presented of it."""
    claim, verdict = entry.claim, entry.verdict
    witness = {**shown["witness"], "certificate": verdict.witness} if verdict.witness else None
    return {
        "key": claim.key,
        "parent": claim.parent,
        "kind": claim.kind.value,
        "source": {"line": claim.source.line, "label": claim.source.label},
        "title": claim.title,
        "note": claim.note,
        "tex": shown["tex"],
        "text": shown["text"],
        "status": verdict.status.value,
        "effective": entry.effective.value,
        "proof": entry.proof.value,
        "expected": entry.expected,
        "engine": verdict.engine,
        "reason": verdict.reason,
        "assumes": [],
        "uses": list(entry.uses),
        "printed_uses": list(claim.printed_uses),
        "steps": list(ledger.steps(claim.key)),
        "affects": list(ledger.dependents(claim.key)),
        "repaired_by": claim.repaired_by,
        "concerns": claim.concerns,
        "witness": witness,
        "derivation": shown["derivation"],
        "schemas": shown["schemas"],
        "certificate": verdict.certificate,
        "empirical": None,
        "tight": shown["tight"],
    }


def document(
    ledger: Ledger, entries: Mapping[str, Entry], displays: tuple[Display, ...] = (), cache: Cache = NO_CACHE
) -> Document:
    """The whole report as data; the same ledger gives the same bytes."""
    shown = presentations(ledger, entries, cache)
    claims = [claim_document(ledger, entry, shown[key]) for key, entry in entries.items()]
    counts = Counter(c["status"] for c in claims)
    return {
        "schema": SCHEMA,
        "coverage": covered(displays, {c["key"]: c["status"] for c in claims}),
        "summary": {
            "claims": len(claims),
            **{word: counts.get(word, 0) for word in ("PROVED", "REFUTED", "OPEN", "NONE")},
            "broken_proofs": sum(c["proof"] == "BROKEN" for c in claims),
            "unexpected": [c["key"] for c in claims if not c["expected"]],
        },
        "textbook": {},  # no result from outside, and no fact of the class, is assumed
        "class": {},
        "claims": claims,
    }


def covered(displays: tuple[Display, ...], statuses: Mapping[str, str]) -> Document:
    """Every displayed relation of the paper with the claims that judge it, and how many are judged."""
    rows = [
        {"line": d.line, "kind": d.kind, "keys": [k for k in d.keys if k in statuses], "but": d.but}
        for d in displays
    ]
    return {**summary(displays, statuses), "displays": rows}


def timings(entries: Mapping[str, Entry]) -> Document:
    """How long each verdict took; apart from the verdicts, which are the same on every machine."""
    return {key: round(entry.verdict.seconds, 4) for key, entry in entries.items()}
