"""The judge: runs the engines on one claim and lets the checker decide.

A proof accepted gives PROVED, a witness accepted gives REFUTED; both at once is a fault of the
program and raises DisagreementError. Nothing accepted gives OPEN with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from oubli.theory.judging.cache import shared
from oubli.theory.judging.gate import beyond
from oubli.theory.kernel.checker import about_objects, accept_certificate, digest
from oubli.theory.kernel.encoding import domain
from oubli.theory.kernel.encoding import outline as outlined
from oubli.theory.kernel.encoding import statement as encoded
from oubli.theory.kernel.expressions import UnsupportedError
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import everything
from oubli.theory.records.claim import Claim, Instance
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Couple,
    Exact,
    Fill,
    Identity,
    Induction,
    Layers,
    Lemma,
    Mean,
    Monotone,
    Over,
    Reach,
    Schema,
    Spin,
    Step,
    Subdivision,
    Sweep,
    Tell,
    Term,
)
from oubli.theory.records.verdict import DisagreementError, NotDecidedError, Reason, Status, Verdict
from oubli.theory.search.elaborate import UnshownError, proof_lines
from oubli.theory.search.elaborate.instances import HoldsError, instance_lines
from oubli.theory.search.elaborate.model import model_lines
from oubli.theory.search.engines import combination, identity, joins, subdivision, witness
from oubli.theory.search.engines.combination import missed as by_how_much  # words alone: it decides nothing


class InstanceError(ValueError):
    """An instance of a record that lies outside the claim's own hypotheses."""


Statements = Mapping[str, Statement]
# Of each claim proved before: what its certificate assumes.
Assumed = Mapping[str, Any]
NOTHING_PROVED: Assumed = {}


def rule_certificate(step: Step) -> dict[str, Any]:
    """The certificate candidate of one step, by the engine its rule names."""
    match step.by:
        case Identity():
            return identity.certify(step.statement, step.by)
        case Combination():
            return combination.certify(step.by)
        case Subdivision():
            return subdivision.certify(step.statement, step.by)
        case Cases():
            return joins.cases(step.by)
        case Induction():
            return joins.induction(step.by)
        case Monotone():
            return joins.monotone(step.by)
        case Over():
            return joins.over(step.by)
        case Reach():
            return joins.reach(step.by)
        case Couple():
            return joins.couple(step.by)
        case Layers():
            return joins.layers(step.by)
        case Tell():
            return joins.tell(step.by)
        case Spin():
            return joins.spin(step.by)
        case Sweep():
            return joins.sweep(step.by)
        case Fill():
            return joins.fill(step.by)
        case Exact():
            raise NotDecidedError(Reason.UNSUPPORTED, "an exact evaluation stands alone, not as a step")


def uses(claim: Claim) -> tuple[str, ...]:
    """The keys of the other claims that our proof or witness depends on."""
    own = {step.name for step in claim.proof}
    terms = [t for step in claim.proof if isinstance(step.by, Combination) for t in step.by.terms]
    terms += [t for instance in claim.instances for t in instance.through]
    return tuple(sorted((cited(terms) - own) | set(claim.depends)))


def cited(terms: Iterable[Term]) -> set[str]:
    """The keys of all lemmas in some terms, those that show hypotheses of lemmas included."""
    found: set[str] = set()
    for _, source in terms:
        source = source.of if isinstance(source, Mean) else source
        found |= {source.key} if isinstance(source, Lemma) else set()
        if isinstance(source, Lemma | Schema):
            found |= set[str]().union(*(cited(inner) for inner in source.because.values()))
    return found


def outlined_lemmas(claim: Claim, known: Statements) -> dict[str, Any]:
    """The statements that a claim depends on, as the engines write them."""
    return {key: outlined(known[key]) for key in uses(claim) if key in known}


def lemmas_of(claim: Claim, known: Statements) -> dict[str, Any]:
    """The statements that a claim depends on, as the checker reads them."""
    return {key: encoded(known[key]) for key in uses(claim) if key in known}


def steps_of(claim: Claim) -> list[dict[str, Any]]:
    """The steps of a claim's proof, each with what its engine brought."""
    return [
        {"name": step.name, "statement": outlined(step.statement), "by": rule_certificate(step)}
        for step in claim.proof
    ]


def missed(claim: Claim, known: Statements) -> str:
    """By how much the first combination of a proof that misses its conclusion misses it, or nothing."""
    reached = {**known, **{step.name: step.statement for step in claim.proof}}
    combined = [(step.statement, step.by) for step in claim.proof if isinstance(step.by, Combination)]
    return next(filter(None, (by_how_much(s, by, reached) for s, by in combined)), "")


def outline(claim: Claim, known: Statements, made: Mapping[str, Any]) -> dict[str, Any]:
    """What the engines brought for an accepted certificate, before it was spelled out for the checker."""
    assert claim.statement is not None
    frame = {"claim": claim.key, "kind": made["kind"], "statement": outlined(claim.statement)}
    if made["kind"] == "proof":
        return {**frame, "steps": steps_of(claim)}
    found = [i for i in claim.instances if i.says == made["witness"].get("says")]
    return {**frame, "witness": witness.encoded([*found, *claim.instances][0])}


def certificate(claim: Claim, kind: str, known: Statements, parts: Mapping[str, Any]) -> dict[str, Any]:
    """A certificate: what it is about, what it assumes, which lemmas it depends on, its lines."""
    assert claim.statement is not None
    if more := beyond(parts["takes"]):
        raise UnshownError(f"the record does not give {more[0]!r:.200}")
    statement = encoded(claim.statement)
    lemmas = {key: digest(lemma) for key, lemma in lemmas_of(claim, known).items()}
    name = digest({"statement": statement, "takes": parts["takes"]})
    frame = {"claim": claim.key, "kind": kind, "lemmas": lemmas, "statement": statement, "hash": name}
    made: dict[str, Any] = shared({**frame, **parts})
    return made


def domains() -> dict[str, Any]:
    """Where every declared letter ranges."""
    return _domains(len(everything()))


@cache
def _domains(_count: int) -> dict[str, Any]:
    return {q.symbol.name: domain(q) for q in everything()}  # no declaration is ever changed


def prove(claim: Claim, known: Statements, assumed: Assumed = NOTHING_PROVED) -> dict[str, Any]:
    """An accepted certificate, or NotDecidedError."""
    assert claim.statement is not None
    if not claim.proof:
        raise NotDecidedError(Reason.UNSUPPORTED, claim.note or "no engine has a proof or a counterexample")
    if isinstance(claim.proof[-1].by, Exact):
        try:
            return at_instance(claim, claim.instances[claim.proof[-1].by.instance], "exact", known, assumed)
        except InstanceError as why:
            raise NotDecidedError(Reason.UNSUPPORTED, str(why)) from None
    try:
        steps, lemmas = steps_of(claim), outlined_lemmas(claim, known)
        if steps[-1]["statement"] != outlined(claim.statement):
            raise UnshownError("the last step does not state the claim")
        made = certificate(claim, "proof", known, proof_lines(steps, lemmas, assumed, domains()))
        accept_certificate(made, lemmas_of(claim, known), assumed)
    except (RejectedError, UnshownError) as why:
        said = missed(claim, known) or f"the checker rejects the proof: {why}"
        raise NotDecidedError(Reason.UNSUPPORTED, said) from None
    except UnsupportedError as why:
        raise NotDecidedError(Reason.UNSUPPORTED, str(why)) from None
    return made


def at_instance(
    claim: Claim, instance: Instance, kind: str, known: Statements, assumed: Assumed
) -> dict[str, Any]:
    """An accepted certificate of an instance that refutes the claim, or that shows that something exists."""
    assert claim.statement is not None
    if about_objects(encoded(claim.statement)):
        return in_model(claim, instance, kind, known)
    written = witness.encoded(instance)
    spelled = witness.certified(written)
    try:
        lemmas, values = outlined_lemmas(claim, known), {**written, **spelled}
        parts = instance_lines(outlined(claim.statement), values, lemmas, assumed, domains())
        spelled = {**spelled, "shown": parts.pop("shown")}
        made = certificate(claim, kind, known, {**parts, "witness": spelled})
        accept_certificate(made, lemmas_of(claim, known), assumed)
    except (RejectedError, UnshownError) as why:
        raise InstanceError(f"{claim.key}: {instance.says!r} is no instance: {why}") from None
    return made


def in_model(claim: Claim, instance: Instance, kind: str, known: Statements) -> dict[str, Any]:
    """An accepted certificate of explicit objects that refute the claim, or show that something exists."""
    assert claim.statement is not None
    written = witness.encoded(instance)
    model = {**written["values"], **{name: item.node for name, item in instance.objects.items()}}
    keys = {source.key for _, source in instance.through if isinstance(source, Lemma)}
    try:
        lemmas = {key: outlined(known[key]) for key in sorted(keys)}
        parts = model_lines(outlined(claim.statement), model, written.get("terms", []), lemmas)
        spelled = {"says": instance.says, "values": model, "shown": parts.pop("shown")}
        names = {key: digest(encoded(known[key])) for key in sorted(keys)}
        made = {**certificate(claim, kind, known, {**parts, "witness": spelled}), "lemmas": names}
        accept_certificate(made, lemmas_of(claim, known), NOTHING_PROVED)
    except (RejectedError, UnshownError, KeyError) as why:
        raise InstanceError(f"{claim.key}: {instance.says!r} is no instance: {why}") from None
    return made


def refute(claim: Claim, known: Statements, assumed: Assumed = NOTHING_PROVED) -> dict[str, Any] | None:
    """The first accepted witness against the claim, or None."""
    assert claim.statement is not None
    # One instance does not refute that another exists.
    for instance in () if claim.statement.exists else claim.instances:
        try:
            return at_instance(claim, instance, "witness", known, assumed)
        except HoldsError:
            continue
    return None


def judge(claim: Claim, known: Statements, assumed: Assumed = NOTHING_PROVED) -> Verdict:
    """The verdict on one claim, given the statements of the claims it may depend on."""
    start = time.perf_counter()
    if claim.statement is None:
        return Verdict(Status.NONE)
    against = refute(claim, known, assumed)
    try:
        found = prove(claim, known, assumed)
    except NotDecidedError as why:
        seconds = time.perf_counter() - start
        if against:
            return Verdict(Status.REFUTED, "witness", witness=against, seconds=seconds)
        return Verdict(Status.OPEN, reason=str(why), seconds=seconds)
    if against:
        raise DisagreementError(f"{claim.key} is both proved and refuted: {against['witness']['says']}")
    return Verdict(Status.PROVED, engine(claim), found, seconds=time.perf_counter() - start)


def engine(claim: Claim) -> str:
    """The engines of a claim's proof."""
    return "+".join(dict.fromkeys(type(s.by).__name__.lower() for s in claim.proof))
