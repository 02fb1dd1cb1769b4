"""What a record lets its proof assume; the checker accepts any fact that a certificate states.

Compared without the values at which letters are taken: these, and which letters stay constant, are found by
the elaborator and shown to the reader.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from oubli.theory.kernel.checker import MATHEMATICS
from oubli.theory.kernel.encoding import domain_relations, outline
from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.symbols import declared
from oubli.theory.kernel.terms import Node, minus, names
from oubli.theory.records.claim import Claim
from oubli.theory.records.objects import Object
from oubli.theory.records.proof import Combination, Expectation, Induction, Integrate, Lemma, Step, Term
from oubli.theory.search.engines import joins


def erased(node: Node) -> Node:
    """An expression whose letters are at no values.

    >>> erased(["+", ["@", "S", {"t": 0}], 1])
    ['+', 'S', 1]
    """
    if not isinstance(node, list):
        return node
    return node[1] if node[:1] == ["@"] else [*node[:1], *map(erased, node[1:])]


def expanded(node: Node, quantities: Mapping[str, Any]) -> Node:
    """An expression with what its letters abbreviate, as the checker has it."""
    if isinstance(node, list):
        return [node[0], *(expanded(part, quantities) for part in node[1:])]
    kind = quantities[node][5] if isinstance(node, str) and node in quantities else None
    return expanded(kind[1], quantities) if isinstance(kind, list) and kind[0] == "is" else node


def beyond(claim: Claim, takes: Mapping[str, Any]) -> list[Any]:
    """What is assumed of facts, slopes and means that the record of the claim does not give.

    A fact counts only under the conditions that the record has it under.
    """
    known: dict[str, list[set[str]]] = {}
    for fact, conditions in _facts(claim):
        known.setdefault(json.dumps(fact), []).append(set(map(json.dumps, conditions)))
    out = []
    for rel, expr, why, given in takes["facts"]:
        fact = [rel, erased(expr), why]
        needed = known.get(json.dumps(fact), [])
        under = {json.dumps([r, erased(e)]) for r, e in given} if all(needed) else set[str]()
        out += [] if any(needs <= under for needs in needed) else [fact]
    letters = {json.dumps(item) for item in _letters(claim)}
    stated = [[letter, *slope] for letter, slope in takes["slopes"].items()]
    stated += [[letter, of, mass] for letter, (of, _event, mass) in takes["means"].items()]
    return [*out, *(item for item in stated if json.dumps(item) not in letters)]


def _facts(claim: Claim) -> Iterator[tuple[list[Any], list[Any]]]:
    """Relations with their reasons, and under what: from statements, and from the rules of a proof."""
    for said in [claim.statement, *(step.statement for step in claim.proof)]:
        if said is not None:
            yield from _given(outline(said))
    for step in claim.proof:
        yield from ((fact, []) for fact in _brought(step))
    for instance in claim.instances:
        yield from ((fact, []) for fact in _meanings(instance.through))


def _given(said: Mapping[str, Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """The facts of a statement, each under its hypotheses: the printed, and what binds parameters."""
    measured = {name for name, domain in said["quantities"].items() if domain[5] is True}
    given = [[rel, expanded(expr, said["quantities"]), why] for rel, expr, why in said["given"]]
    every = [*given, *domain_relations(said["quantities"])]
    loose = [why not in MATHEMATICS and not names(expr) & measured for _, expr, why in every]
    hyps = [item[:2] for item, alone in zip(every, loose, strict=True) if item[2] == "given" or alone]
    yield from ((item, hyps) for item in every)


def _brought(step: Step) -> Iterator[list[Any]]:
    match step.by:
        case Induction():
            by = joins.induction(step.by)
            for letter, value in [*by["start"].items(), *by["next"].items()]:
                yield ["=", minus(letter, value), "state"]
        case Integrate():
            by = joins.integrate(step.by)
            area = f"int_{by['slope']}"
            yield ["=", minus(by["rise"], minus(area, area)), "integral"]
        case Combination():
            yield from _meanings(step.by.terms)


def _meanings(terms: tuple[Term, ...]) -> Iterator[list[Any]]:
    """Measured letters of a lemma under other names."""
    for source in [source for _, source in terms if isinstance(source, Lemma)]:
        for symbol, value in source.values.items():
            if isinstance(symbol, Object):
                continue
            if declared(symbol).measured and value.is_Symbol and declared(value).measured:
                yield ["=", minus(value.name, symbol.name), "meaning"]
        for shown in source.because.values():
            yield from _meanings(shown)


def _letters(claim: Claim) -> Iterator[list[Any]]:
    """Slopes and means of letters, as the rules give them."""
    for step in claim.proof:
        if isinstance(step.by, Integrate):
            slope = expression(step.by.slope)
            yield [f"int_{slope}", step.by.variable.name, slope]
        if isinstance(step.by, Expectation):
            by = joins.expectation(step.by)
            yield from ([mean, of, by["mass"]] for of, mean in by["means"].items())
