"""What a check demands of a claim, and the sentence it fails with: letters, and a line that replays it."""

import json
import os
import shlex
from collections.abc import Callable, Mapping

from oubli.checks.measure.check import Outcome, rounded
from oubli.checks.measure.empirical import Document, in_letters
from oubli.checks.measure.explicit import has_laws, measured_rule
from oubli.checks.measure.records import OWN_TIMES
from oubli.checks.measure.registry import MEASURED, ledger, outcomes, printed
from oubli.checks.measure.relation import Judged, Letters, judged
from oubli.checks.measure.source import Source
from oubli.checks.measure.two_starts import looks_at_its_start, measured_starts
from oubli.checks.measure.walk import measured_walk
from oubli.checks.measure.witness import (
    in_class,
    measured,
    measured_bound,
    measured_objects,
    measured_vectors,
    member,
)
from oubli.theory.records.claim import Claim, Instance

# How many times the quick numbers of cases the profiles draw.
PROFILES = {"quick": 1, "deep": 20}
# Each printed claim without an erratum stands over at least this many cases.
THOUSAND = 1000


def scale() -> int:
    """Cases in the profile that OUBLI_PROFILE names, over those of the quick one.

    >>> scale() in PROFILES.values()
    True
    """
    name = os.environ.get("OUBLI_PROFILE", "quick")
    if name not in PROFILES:
        raise ValueError(f"OUBLI_PROFILE = {name!r}: accepted are {', '.join(PROFILES)}")
    return PROFILES[name]


# What a test hands its records to.
Keep = Callable[[list[Document]], None]


class ViolatedError(AssertionError):
    """A claim that should stand does not, at a small instance in the paper's letters."""


def replay_line(key: str, source: str, instance: Mapping[str, float]) -> str:
    """The command that shows an instance again.

    >>> replay_line("e0", "problems", {"r": 0.5})
    'oubli show e0 --replay \\'{"source": "problems", "r": 0.5}\\''
    """
    return f"oubli show {key} --replay {shlex.quote(json.dumps({'source': source, **instance}))}"


def record(outcome: Outcome, violated: bool) -> Document:
    """One measured claim as JSON."""
    return {
        "key": outcome.key,
        "cases": outcome.cases,
        "worst_ratio": outcome.worst_ratio,
        "violated": violated,
        "confidence": outcome.confidence,
        "source": outcome.source,
        "instance": in_letters(outcome.instance),
    }


def stands(claim: Claim, times: int | None = None) -> list[Document]:
    """Records of a claim that no source violates, over the promised number of cases; or ViolatedError."""
    found = outcomes(claim, times or scale())
    for item in found:
        if item.broken is not None:
            raise ViolatedError(complaint(claim, item))
    total, least = sum(item.cases for item in found), required(claim)
    if total < least:
        raise ViolatedError(f"{claim.key}: {total} cases were drawn, {least} are needed; {found[0].why}")
    return [record(item, violated=False) for item in found]


def required(claim: Claim) -> int:
    """The least number of cases: a thousand, or what its sources draw where a case of a repair is expensive.

    >>> required(ledger().claims["opt_dist"]), required(ledger().claims["trivial.step3"])
    (1000, 1)
    """
    if claim.repaired_by is not None:
        return 1
    sources = MEASURED.get(claim.key)
    if sources is None or printed(claim):
        return THOUSAND
    return min(sum(source.cases for source in sources), THOUSAND)


def complaint(claim: Claim, item: Outcome) -> str:
    """Why a check failed: the claim, a small instance in its letters, and the line that replays it."""
    assert item.broken is not None
    return "\n  ".join(
        (
            f"{claim.key} ({claim.source}): {item.why}",
            claim.title,
            *item.explanation,
            f"made by {item.source}: {in_letters(item.broken)}",
            f"see it again: {replay_line(claim.key, item.source, item.broken)}",
        )
    )


def falls(claim: Claim, times: int | None = None) -> list[Document]:
    """Records of a claim with an erratum, violated by its witness and every source; or ViolatedError."""
    found = [_at_witness(claim)] if claim.instances and _replayable(claim.instances[0]) else []
    if claim.key in MEASURED:
        found += [record(item, item.broken is not None) for item in outcomes(claim, times or scale())]
    standing = [item["source"] for item in found if not item["violated"]]
    if standing or not found:
        raise ViolatedError(
            f"{claim.key} has an erratum, but is not violated by {', '.join(standing) or 'anything'}"
        )
    return found


def _replayable(instance: Instance) -> bool:
    """Whether a stored witness is of problems, rules, vectors or numbers; a loss alone has a source."""
    heads = {item.node[0] for item in instance.objects.values()}
    return bool(heads & {"problem", "rule"}) or heads <= {"v+", "v*", "e", "zero"}


def _at_witness(claim: Claim) -> Document:
    instance = claim.instances[0]
    if not all(in_class(member(points)) for points in instance.members.values()):
        raise ViolatedError(f"{claim.key}: a member of the stored witness misses the class")
    assert claim.statement is not None
    letters = _letters_at(claim, instance)
    return witness_record(claim, judged(claim.statement, letters), instance.says)


def _letters_at(claim: Claim, instance: Instance) -> Letters:
    if looks_at_its_start(instance):
        return measured_starts(instance)
    if claim.key == OWN_TIMES:
        return measured_walk(instance)
    if has_laws(claim) and not (instance.through and not instance.objects):
        return measured_rule(claim, instance)
    if instance.objects:
        problem = any(item.node[0] == "problem" for item in instance.objects.values())
        return measured_objects(instance) if problem else measured_vectors(claim, instance)
    return measured_bound(claim, ledger().claims) if instance.through else measured(instance)


def witness_record(claim: Claim, found: Judged, says: str) -> Document:
    """The stored witness as a record: hypotheses must hold there and the conclusion must fail."""
    if found.unmet:
        raise ViolatedError(f"{claim.key}: the stored witness does not meet {next(iter(found.unmet))}")
    return {
        "key": claim.key,
        "cases": 1,
        "worst_ratio": rounded(float(found.says.ratio[0])),
        "violated": bool(found.says.fails[0]),
        "confidence": 1.0,
        "source": "stored witness",
        "instance": says,
    }


def replayed(claim: Claim, source: Source, instance: Mapping[str, float]) -> tuple[Letters, Judged]:
    """The letters and the verdict at one instance."""
    letters = source.letters(instance)
    assert claim.statement is not None
    return letters, judged(claim.statement, letters)
