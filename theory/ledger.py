"""The ledger: gathers the records, orders them, judges them, and propagates status.

It rejects duplicate keys and dangling references, orders claims so that each comes after what it
leans on, and computes the effective status: nothing is effectively PROVED that leans on something
REFUTED or OPEN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from theory.checker import NOTHING
from theory.claim import Claim, Kind
from theory.judge import judge, uses
from theory.verdict import Soundness, Status, Verdict

_BADNESS = (Status.NONE, Status.PROVED, Status.OPEN, Status.REFUTED)


class BadLedger(ValueError):
    """The records contradict each other: a duplicate key, a dangling reference, a circle."""


@dataclass(frozen=True)
class Entry:
    """A claim with its verdict and what follows for it from the rest of the ledger."""

    claim: Claim
    verdict: Verdict
    effective: Status
    proof: Soundness
    uses: tuple[str, ...]
    expected: bool


class Ledger:
    """All claims by key, in an order in which each follows what it leans on."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self.claims: dict[str, Claim] = {}
        for claim in claims:
            if claim.key in self.claims:
                raise BadLedger(f"the key {claim.key} is used twice")
            self.claims[claim.key] = claim
        for claim in self.claims.values():
            self._check_references(claim)
        self.order = self._ordered()

    def _check_references(self, claim: Claim) -> None:
        mentioned = [*uses(claim), *claim.printed_uses]
        mentioned += [k for k in (claim.parent, claim.repaired_by) if k]
        for key in mentioned:
            if key not in self.claims:
                raise BadLedger(f"{claim.key} refers to {key}, which is no claim of the ledger")
        if claim.kind is Kind.STEP and not claim.parent:
            raise BadLedger(f"the step {claim.key} has no parent")

    def _ordered(self) -> tuple[str, ...]:
        graph = {key: uses(claim) for key, claim in self.claims.items()}
        try:
            return tuple(TopologicalSorter(graph).static_order())
        except CycleError as circle:
            raise BadLedger(f"claims lean on each other in a circle: {' -> '.join(circle.args[1])}") from None

    def closure(self, keys: Iterable[str]) -> set[str]:
        """The keys with everything that their verdicts need: lemmas, steps, printed proofs, repairs."""
        fresh, seen = list(keys), set[str]()
        while fresh:
            key = fresh.pop()
            if key in seen:
                continue
            seen.add(key)
            claim = self.claims[key]
            fresh += [*uses(claim), *claim.printed_uses, *self.steps(key)]
            fresh += [claim.repaired_by] if claim.repaired_by else []
        return seen

    def steps(self, key: str) -> tuple[str, ...]:
        """The displayed steps of a claim's printed proof."""
        return tuple(k for k, c in self.claims.items() if c.parent == key and c.kind is Kind.STEP)

    def leaning_on(self, key: str) -> tuple[str, ...]:
        """The claims whose printed proof or whose certificate leans on a claim, directly or not."""
        found: set[str] = set()
        fresh = {key}
        while fresh:
            fresh = {k for k, c in self.claims.items() if fresh & {*uses(c), *c.printed_uses}} - found - {key}
            found |= fresh
        return tuple(k for k in self.claims if k in found)

    def verify(
        self, keys: Iterable[str] | None = None, told: Callable[[str, Verdict], None] = lambda *_: None
    ) -> dict[str, Entry]:
        """Judge the claims (all, or the closure of some) in order; `told` hears of each verdict."""
        wanted = set(self.claims) if keys is None else self.closure(keys)
        known = {key: c.statement for key, c in self.claims.items() if c.statement is not None}
        verdicts: dict[str, Verdict] = {}
        told_of: dict[str, Any] = {}
        for key in self.order:
            if key in wanted:
                verdicts[key] = judge(self.claims[key], known, told_of)
                told_of[key] = (verdicts[key].certificate or {}).get("takes", NOTHING)
                told(key, verdicts[key])
        return {key: self._entry(key, verdicts) for key in self.claims if key in verdicts}

    def _entry(self, key: str, verdicts: Mapping[str, Verdict]) -> Entry:
        claim = self.claims[key]
        proof = self._soundness(key, verdicts)
        return Entry(
            claim,
            verdicts[key],
            self._effective(key, verdicts),
            proof,
            uses(claim),
            self._as_expected(claim, proof, verdicts),
        )

    def _effective(self, key: str, verdicts: Mapping[str, Verdict]) -> Status:
        """The worst status over everything a verdict leans on."""
        own = verdicts[key].status
        if own in (Status.NONE, Status.OPEN):
            return own
        below = {self._effective(k, verdicts) for k in uses(self.claims[key])}
        if own is Status.REFUTED:
            # A refutation through a lemma stands only if the lemma does.
            return own if below <= {Status.PROVED, Status.NONE} else Status.OPEN
        return max([own, *below], key=_BADNESS.index)

    def _soundness(self, key: str, verdicts: Mapping[str, Verdict]) -> Soundness:
        """The printed proof: broken by a refuted step or lemma, sound only if every step stands."""
        claim = self.claims[key]
        leans = [*self.steps(key), *claim.printed_uses]
        if not leans:
            return Soundness.NONE
        found = {verdicts[k].status for k in leans}
        if Status.REFUTED in found:
            return Soundness.BROKEN
        broken = any(self._soundness(k, verdicts) is Soundness.BROKEN and verdicts[k].status is Status.OPEN
                     for k in claim.printed_uses)
        if broken:
            return Soundness.BROKEN
        return Soundness.OPEN if Status.OPEN in found else Soundness.SOUND

    def _as_expected(self, claim: Claim, proof: Soundness, verdicts: Mapping[str, Verdict]) -> bool:
        """An erratum means REFUTED (or proof BROKEN) with a PROVED repair; none means not REFUTED."""
        status = verdicts[claim.key].status
        if claim.kind is Kind.REPAIR:
            return self._effective(claim.key, verdicts) is Status.PROVED
        if claim.repaired_by is None:
            return status is not Status.REFUTED
        repaired = self._effective(claim.repaired_by, verdicts) is Status.PROVED
        return repaired and (status is Status.REFUTED or proof is Soundness.BROKEN)
