"""From outlines of proofs to Coq lemmas: what is exported, what is not and why, and the files they make."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from oubli.checks.coq.closed import box_lemma, left_open, witness_lemma
from oubli.checks.coq.lemma import Lemma
from oubli.checks.coq.prelude import CLOSED, INTERVAL, LIBRARIES, PLAIN, PRELUDE
from oubli.checks.coq.terms import NotExportedError, comment
from oubli.theory.search.quotients import NoQuotientError

Record = Mapping[str, Any]
KINDS = ("combination", "identity", "subdivision", "witness", "exact")


@dataclass(frozen=True)
class Exported:
    """One lemma: where it comes from, its text, and whether it needs the interval library."""

    claim: str
    step: str
    kind: str
    name: str
    text: str
    computes: bool


@dataclass(frozen=True)
class Skipped:
    """A step of which there is no lemma, and why."""

    claim: str
    step: str
    kind: str
    reason: str


def exported(outline: Record, lemmas: Record) -> Iterator[Exported | Skipped]:
    """Every step of a proof, or the closed relations of a witness."""
    if outline["kind"] == "proof":
        yield from _steps(outline, lemmas)
        return
    claim, statement, witness = outline["claim"], outline["statement"], outline["witness"]
    kind, name = outline["kind"], identifier(outline["claim"])
    if any(isinstance(domain[-1], list) for domain in statement["quantities"].values()):
        yield Skipped(claim, "values", kind, "its model has objects, not numbers")
        return
    try:
        text = witness_lemma(f"{name}__values", statement, witness, kind == "exact")
        yield Exported(claim, "values", kind, f"{name}__values", text, True)
        rest = left_open(statement, witness)
        if rest is not None:
            made = Lemma(f"{name}__bound", rest, witness["terms"], lemmas)
            yield Exported(claim, "bound", "combination", made.name, made.text(), made.computes)
    except (NotExportedError, NoQuotientError) as why:
        yield Skipped(claim, "values", kind, str(why))


def _steps(outline: Record, lemmas: Record) -> Iterator[Exported | Skipped]:
    claim, known = outline["claim"], dict(lemmas)
    for index, step in enumerate(outline["steps"]):
        where = (claim, step["name"], step["by"]["rule"])
        try:
            name = f"{identifier(claim)}__{index}"
            yield Exported(*where, name, *_lemma(name, step["statement"], step["by"], known))
        except (NotExportedError, NoQuotientError) as why:
            yield Skipped(*where, str(why))
        known[step["name"]] = step["statement"]


def _lemma(name: str, statement: Record, by: Record, known: Record) -> tuple[str, bool]:
    if by["rule"] == "subdivision":
        return box_lemma(name, statement, by), True
    if by["rule"] not in KINDS:
        raise NotExportedError(f"the rule {by['rule']} is no combination of scalar relations")
    made = Lemma(name, statement, by.get("terms", []), known)
    return made.text(), made.computes


def identifier(key: str) -> str:
    """A claim's key as the start of a Coq name.

    >>> identifier("tv_bound.edge")
    'tv_bound_edge'
    """
    return re.sub(r"[^A-Za-z0-9_]", "_", key)


def file_text(lemmas: Iterable[Exported]) -> str:
    """A whole file: what it loads, the prelude, the lemmas, and what all of them assume, printed."""
    listed = list(lemmas)
    computes = any(lemma.computes for lemma in listed)
    head = LIBRARIES + (INTERVAL if computes else PLAIN) + PRELUDE + (CLOSED if computes else "")
    body = "".join(f"\n(* {comment(le.claim)}: {comment(le.step)} *)\n{le.text}" for le in listed)
    names = [lemma.name for lemma in listed]
    every = f"Definition all_of_them := ({', '.join(['I', *names])}).\nPrint Assumptions all_of_them.\n"
    return f"{head}{body}\n{every}"
