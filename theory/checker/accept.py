"""Acceptance: a proof step by step, a witness by exact evaluation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction as Q
from functools import wraps
from typing import Any

from theory.checker.bounds import positive_constant
from theory.checker.grammar import Ast, Rejected, names, need, substitute, wellformed
from theory.checker.model import exact, laws, members, observe
from theory.checker.ring import accepts_identity
from theory.checker.rules import RULES, combination, wellformed_statement
from theory.checker.signs import domain_relations

MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError)


def guarded(accept: Callable[..., None]) -> Callable[..., None]:
    """The same, with every accident of a malformed certificate turned into a rejection."""

    @wraps(accept)
    def run(*arguments: Any) -> None:
        try:
            accept(*arguments)
        except MALFORMED as accident:
            raise Rejected(f"malformed: {type(accident).__name__}: {str(accident)[:80]}") from None

    return run


def digest(statement: Mapping[str, Any]) -> str:
    """The name of a statement with its hypotheses: change either and certificates for it are stale."""
    text = json.dumps(statement, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def facts_of(certificate: Mapping[str, Any]) -> list[Any]:
    """All that the steps of a proof take for granted: facts that are not printed, and where letters range."""
    steps = [step["statement"] for step in certificate.get("steps", [])]
    found = [fact for statement in steps for fact in statement["given"] if fact[2] != "given"]
    found += [["in", name, domain] for statement in steps for name, domain in statement["quantities"].items()]
    return sorted({json.dumps(fact): fact for fact in found}.values(), key=json.dumps)


@guarded
def accept_certificate(certificate: Mapping[str, Any], lemmas: Mapping[str, Any]) -> None:
    """Accept a proof, a witness or an evaluation whose statement, facts and lemmas are those it names."""
    need(certificate["facts"] == facts_of(certificate), "the facts are not those that the steps use")
    named = {"statement": certificate["statement"], "facts": certificate["facts"]}
    need(certificate["hash"] == digest(named), "stale: the statement or its facts are not those certified")
    for key, name in certificate["lemmas"].items():
        need(key in lemmas and digest(lemmas[key]) == name, f"stale: the lemma {key} has changed")
    used = {key: lemmas[key] for key in certificate["lemmas"]}
    kinds = {"proof": accept_proof, "witness": accept_witness}
    kind = certificate["kind"]
    need(kind in (*kinds, "exact"), f"unknown kind of certificate {kind!r}")
    if kind == "exact":
        accept_instance(certificate)
    else:
        kinds[kind](certificate, used)


def one_domain_each(statements: Iterable[Mapping[str, Any]]) -> None:
    """Reject a name that ranges over one domain here and over another there."""
    seen: dict[str, Any] = {}
    for statement in statements:
        for name, domain in statement["quantities"].items():
            need(seen.setdefault(name, domain) == domain, f"{name} has two domains")


@guarded
def accept_proof(certificate: Mapping[str, Any], lemmas: Mapping[str, Any]) -> None:
    """Accept the steps in order; the last must state the claim. Raises Rejected, saying why."""
    known = dict(lemmas)
    need(len(certificate["steps"]) > 0, "a proof without steps")
    one_domain_each([*lemmas.values(), *(step["statement"] for step in certificate["steps"])])
    for step in certificate["steps"]:
        wellformed_statement(step["statement"])
        rule = step["by"]["rule"]
        need(rule in RULES, f"unknown rule {rule}")
        need(step["name"] not in known, f"the name {step['name']} is used twice")
        try:
            RULES[rule](step["statement"], step["by"], known)
        except Rejected as reason:
            raise Rejected(f"{step['name']}: {reason}") from None
        known[step["name"]] = step["statement"]
    last = certificate["steps"][-1]["statement"]
    need(last == certificate["statement"], "the last step does not state the claim")


def truth(relation: str, expr: Ast) -> bool:
    """Whether a closed relation holds; Rejected if no precision decides it."""
    if accepts_identity(expr):
        return relation != ">"
    if positive_constant(expr, True):
        return relation != "="
    need(positive_constant(["*", -1, expr], True), f"cannot decide the sign of {expr}")
    return False


def settled(expr: Ast, witness: Mapping[str, Any]) -> Ast:
    """The expression at the witness: values put in, model functions evaluated."""
    out = observe(substitute(expr, witness["values"]), witness.get("model", {}))
    wellformed(out)
    return out


def check_instance(statement: Mapping[str, Any], witness: Mapping[str, Any]) -> list[str]:
    """Reject unless the instance lies in the domains and meets the hypotheses; names left open."""
    wellformed_statement(statement)
    model = witness.get("model", {})
    members(model)
    laws(model)
    open_names = sorted(set(statement["quantities"]) - set(witness["values"]))
    for expr, strict in domain_relations(statement):
        if not names(expr) & set(open_names):
            need(truth(">" if strict else ">=", settled(expr, witness)), f"outside the domain: {expr} >= 0")
    for name, domain in statement["quantities"].items():
        if domain[4] and name in witness["values"]:
            need(exact(witness["values"][name]).denominator == 1, f"{name} is no integer")
    need(semidefinite(gram_matrix(witness)), "the inner products belong to no vectors")
    for rel, expr, why in statement["given"]:
        need(not names(expr) & set(open_names), f"a hypothesis is left open: {expr}")
        need(truth(rel, settled(expr, witness)), f"a hypothesis fails ({why}): {expr}")
    return open_names


def gram_matrix(witness: Mapping[str, Any]) -> list[list[Q]]:
    """The inner products among the values, over the basis vectors whose products are all there."""
    found = {tuple(n[1:-1].split(",")): n for n in witness["values"] if n.startswith("<")}
    basis = sorted({a for pair in found for a in pair if (a, a) in found})
    rows = []
    for a in basis:
        pairs = [(min(a, b), max(a, b)) for b in basis]
        rows.append([exact(settled(found[p], witness)) if p in found else Q(0) for p in pairs])
    return rows


def semidefinite(matrix: list[list[Q]]) -> bool:
    """Whether a symmetric matrix of fractions is positive semidefinite, by exact elimination."""
    if not matrix:
        return True
    pivot, rest = matrix[0][0], matrix[1:]
    if pivot < 0 or (pivot == 0 and any(row[0] for row in rest)):
        return False
    ratios = [y / pivot if pivot else Q(0) for y in matrix[0][1:]]
    return semidefinite([[x - row[0] * y for x, y in zip(row[1:], ratios, strict=True)] for row in rest])


@guarded
def accept_witness(certificate: Mapping[str, Any], lemmas: Mapping[str, Any]) -> None:
    """Accept an instance inside the hypotheses at which the conclusion is false."""
    statement, witness = certificate["statement"], certificate["witness"]
    open_names = check_instance(statement, witness)
    relation, expr = statement["says"]
    failing = settled(expr, witness)
    if not names(failing):
        need(not truth(relation, failing), "the conclusion holds at the witness")
        return
    # A quantity that only a lemma bounds: the negated conclusion is shown by a combination.
    need(relation == ">=", "only an inequality is refuted through a lemma")
    quantities = {name: statement["quantities"][name] for name in open_names}
    negated = {"quantities": quantities, "given": [], "says": [">", ["*", -1, failing]]}
    combination(negated, {"terms": witness.get("terms", [])}, lemmas)


@guarded
def accept_instance(certificate: Mapping[str, Any]) -> None:
    """Accept an instance inside the hypotheses at which the conclusion is true (a closed claim)."""
    statement, witness = certificate["statement"], certificate["witness"]
    need(not check_instance(statement, witness), "a quantity is left open")
    relation, expr = statement["says"]
    need(truth(relation, settled(expr, witness)), "the conclusion fails at the instance")
