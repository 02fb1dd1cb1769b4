"""The judge: runs the engines on one claim and lets the checker decide.

A proof accepted gives PROVED, a witness accepted gives REFUTED; both at once is a fault of the
program and raises Disagreement. Nothing accepted gives OPEN with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from theory.checker import Rejected, accept_certificate, digest, facts_of
from theory.claim import Claim, Statement
from theory.encode import Unsupported
from theory.encode import statement as encoded
from theory.engines import combination, exact, identity, joins, subdivision, witness
from theory.proof import (
    Cases,
    Combination,
    Convex,
    Exact,
    Expectation,
    Identity,
    Induction,
    Integrate,
    Lemma,
    Monotone,
    Step,
    Subdivision,
    Sum,
    Term,
)
from theory.verdict import Disagreement, Reason, Status, Undecided, Verdict

# What the checker says of an instance inside the hypotheses at which the conclusion is true.
HOLDS = "the conclusion holds at the witness"


class BadInstance(ValueError):
    """An instance of a record that lies outside the claim's own hypotheses."""


Statements = Mapping[str, Statement]
# Of each claim proved before: at which values of parameters its letters are taken.
Taken = Mapping[str, Any]
NOWHERE: Taken = {}


def rule_certificate(step: Step, known: Statements) -> dict[str, Any]:
    """The certificate candidate of one step, by the engine its rule names."""
    match step.by:
        case Identity():
            return identity.certify(step.statement, step.by)
        case Sum():
            return identity.certify_sum(step.statement, step.by)
        case Combination():
            return combination.certify(step.statement, step.by, known)
        case Subdivision():
            return subdivision.certify(step.statement, step.by)
        case Cases():
            return joins.cases(step.by)
        case Induction():
            return joins.induction(step.by)
        case Monotone():
            return joins.monotone(step.by)
        case Convex():
            return joins.convex(step.by)
        case Integrate():
            return joins.integrate(step.by)
        case Expectation():
            return joins.expectation(step.by)
        case Exact():
            raise Undecided(Reason.UNSUPPORTED, "an exact evaluation stands alone, not as a step")


def uses(claim: Claim) -> tuple[str, ...]:
    """The keys of the other claims that our proof or witness leans on."""
    own = {step.name for step in claim.proof}
    terms = [t for step in claim.proof if isinstance(step.by, Combination) for t in step.by.terms]
    terms += [t for instance in claim.instances for t in instance.through]
    return tuple(sorted((cited(terms) - own) | set(claim.leans)))


def cited(terms: Iterable[Term]) -> set[str]:
    """The keys of all lemmas in some terms, those that show hypotheses of lemmas included."""
    found: set[str] = set()
    for _, source in terms:
        if isinstance(source, Lemma):
            found |= {source.key}.union(*(cited(inner) for inner in source.because.values()))
    return found


def certificate_for(claim: Claim, kind: str, known: Statements) -> dict[str, Any]:
    """The frame of a certificate: what it is about, and which lemmas it leans on, by digest."""
    assert claim.statement is not None
    statement = encoded(claim.statement)
    lemmas = {key: digest(encoded(known[key])) for key in uses(claim) if key in known}
    return {"claim": claim.key, "kind": kind, "lemmas": lemmas, "statement": statement}


def sealed(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate with the facts it takes for granted, and the digest that names both."""
    certificate["facts"] = facts_of(certificate)
    certificate["hash"] = digest({"statement": certificate["statement"], "facts": certificate["facts"]})
    return certificate


def prove(claim: Claim, known: Statements, at: Taken = NOWHERE) -> dict[str, Any]:
    """An accepted certificate, or Undecided."""
    assert claim.statement is not None
    if not claim.proof:
        raise Undecided(Reason.UNSUPPORTED, claim.note or "no engine has a proof or a counterexample")
    if isinstance(claim.proof[-1].by, Exact):
        return _exact(claim, known)
    certificate = certificate_for(claim, "proof", known)
    reached = dict(known)
    certificate["steps"] = []
    try:
        for step in claim.proof:
            by = rule_certificate(step, reached)
            certificate["steps"].append({"name": step.name, "statement": encoded(step.statement), "by": by})
            reached[step.name] = step.statement
        certificate["at"] = accept_certificate(sealed(certificate), lemmas_of(claim, known), at)
    except Rejected as why:
        raise Undecided(Reason.UNSUPPORTED, f"the checker rejects the proof: {why}") from None
    except Unsupported as why:
        raise Undecided(Reason.UNSUPPORTED, str(why)) from None
    return certificate


def lemmas_of(claim: Claim, known: Statements) -> dict[str, Any]:
    """The statements that a claim leans on, as the checker reads them."""
    return {key: encoded(known[key]) for key in uses(claim) if key in known}


def _exact(claim: Claim, known: Statements) -> dict[str, Any]:
    rule = claim.proof[-1].by
    assert isinstance(rule, Exact)
    certificate = {**certificate_for(claim, "exact", known), **exact.certify(claim, rule)}
    try:
        accept_certificate(sealed(certificate), lemmas_of(claim, known), NOWHERE)
    except Rejected as why:
        raise Undecided(Reason.UNSUPPORTED, f"the checker rejects the evaluation: {why}") from None
    return certificate


def refute(claim: Claim, known: Statements, at: Taken = NOWHERE) -> dict[str, Any] | None:
    """The first accepted witness against the claim, or None."""
    assert claim.statement is not None
    # One instance does not refute that another exists.
    for instance in () if claim.statement.exists else claim.instances:
        certificate = certificate_for(claim, "witness", known)
        certificate["witness"] = witness.encoded(instance)
        try:
            accept_certificate(sealed(certificate), lemmas_of(claim, known), at)
        except Rejected as why:
            if HOLDS not in str(why):
                raise BadInstance(f"{claim.key}: {instance.says!r} is no instance: {why}") from None
            continue
        return certificate
    return None


def judge(claim: Claim, known: Statements, at: Taken = NOWHERE) -> Verdict:
    """The verdict on one claim, given the statements of the claims it may lean on."""
    start = time.perf_counter()
    if claim.statement is None:
        return Verdict(Status.NONE)
    against = refute(claim, known, at)
    try:
        certificate = prove(claim, known, at)
    except Undecided as why:
        seconds = time.perf_counter() - start
        if against:
            return Verdict(Status.REFUTED, "witness", witness=against, seconds=seconds)
        return Verdict(Status.OPEN, reason=str(why), seconds=seconds)
    if against:
        raise Disagreement(f"{claim.key} is both proved and refuted: {against['witness']['says']}")
    engine = "+".join(dict.fromkeys(type(s.by).__name__.lower() for s in claim.proof))
    return Verdict(Status.PROVED, engine, certificate, seconds=time.perf_counter() - start)
