"""What a check demands of a claim, and the sentence it fails with: letters, and a line that replays it."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Mapping

from checks.empirical import Document, in_letters, record
from checks.measure.check import Outcome, rounded
from checks.measure.registry import MEASURED, ledger, outcomes, printed
from checks.measure.relation import Judged, Letters, judged
from checks.measure.source import Source
from checks.measure.witness import in_class, measured, measured_bound, member
from theory.claim import Claim

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


class Violated(AssertionError):
    """A claim that should stand does not, at a small instance in the paper's letters."""


def replay_line(key: str, source: str, instance: Mapping[str, float]) -> str:
    """The command that shows an instance again.

    >>> replay_line("e0", "problems", {"r": 0.5})
    'oubli show e0 --replay \\'{"source": "problems", "r": 0.5}\\''
    """
    return f"oubli show {key} --replay {shlex.quote(json.dumps({'source': source, **instance}))}"


def stands(claim: Claim) -> list[Document]:
    """Records of a claim that no source violates, with at least the promised number of cases; or Violated."""
    found = outcomes(claim, scale())
    for item in found:
        if item.broken is not None:
            raise Violated(complaint(claim, item))
    total, least = sum(item.cases for item in found), required(claim)
    if total < least:
        raise Violated(f"{claim.key}: {total} cases were drawn, {least} are needed; {found[0].why}")
    return [record(item, violated=False) for item in found]


def required(claim: Claim) -> int:
    """The least number of cases: a thousand, or as many as its sources draw where a case of a repair is dear.

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
            f"{claim.key} (l.{claim.source.line}): {item.why}",
            claim.title,
            *item.told,
            f"made by {item.source}: {in_letters(item.broken)}",
            f"see it again: {replay_line(claim.key, item.source, item.broken)}",
        )
    )


def falls(claim: Claim) -> list[Document]:
    """Records of a claim with an erratum, violated by its stored witness and every source; or Violated."""
    found = [_at_witness(claim)] if claim.instances else []
    if claim.key in MEASURED:
        found += [record(item, item.broken is not None) for item in outcomes(claim, scale())]
    standing = [item["source"] for item in found if not item["violated"]]
    if standing or not found:
        raise Violated(
            f"{claim.key} has an erratum, but is not violated by {', '.join(standing) or 'anything'}"
        )
    return found


def _at_witness(claim: Claim) -> Document:
    instance = claim.instances[0]
    if not all(in_class(member(points)) for points in instance.members.values()):
        raise Violated(f"{claim.key}: a member of the stored witness misses the class")
    assert claim.statement is not None
    through = bool(instance.through)
    letters = measured_bound(claim, ledger().claims) if through else measured(instance)
    return witness_record(claim, judged(claim.statement, letters), instance.says)


def witness_record(claim: Claim, found: Judged, says: str) -> Document:
    """The stored witness as a record: hypotheses must hold there and the conclusion must fail."""
    if found.unmet:
        raise Violated(f"{claim.key}: the stored witness does not meet {next(iter(found.unmet))}")
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
