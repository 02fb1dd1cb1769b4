"""The ledger: gathers the records, orders them, judges them, and propagates status.

It rejects duplicate keys and dangling references, orders claims so that each comes after what it
depends on, and computes the effective status: nothing is effectively PROVED that depends on something
REFUTED or OPEN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

from oubli.display import html_table, to_frame
from oubli.theory.judging.ahead import Ahead
from oubli.theory.judging.cache import NO_CACHE, Cache
from oubli.theory.judging.judge import judge, uses
from oubli.theory.judging.names import entry_names
from oubli.theory.judging.order import Kept, judge_all
from oubli.theory.records.claim import Claim, Kind
from oubli.theory.records.verdict import Soundness, Status, Verdict
from oubli.words import known

_BADNESS = (Status.NONE, Status.PROVED, Status.OPEN, Status.REFUTED)


class LedgerError(ValueError):
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
    """All claims by key, in an order in which each follows what it depends on.

    Examples:
        >>> import oubli
        >>> oubli.ledger().claims["e0"].kind.value
        'statement'
    """

    def __init__(self, claims: Iterable[Claim]) -> None:
        self.claims: dict[str, Claim] = {}
        for claim in claims:
            if claim.key in self.claims:
                raise LedgerError(f"the key {claim.key} is used twice")
            self.claims[claim.key] = claim
        self._names: dict[str, str] = {}
        self.uses = {key: uses(claim) for key, claim in self.claims.items()}
        for claim in self.claims.values():
            self._check_references(claim)
        self.order = self._ordered()

    def _check_references(self, claim: Claim) -> None:
        mentioned = [*self.uses[claim.key], *claim.printed_uses]
        mentioned += [k for k in (claim.parent, claim.repaired_by, claim.concerns) if k]
        for key in mentioned:
            if key not in self.claims:
                raise LedgerError(f"{claim.key} refers to {key}, which is no claim of the ledger")
        if claim.kind is Kind.STEP and not claim.parent:
            raise LedgerError(f"the step {claim.key} has no parent")
        if (claim.kind is Kind.THEOREM) != (claim.source.line is None):
            raise LedgerError(f"{claim.key}: a theorem of ours has no line of the paper, everything else has")
        if claim.kind is Kind.REPAIR and all(c.repaired_by != claim.key for c in self.claims.values()):
            raise LedgerError(f"{claim.key} repairs nothing: no claim is repaired by it")

    def _ordered(self) -> tuple[str, ...]:
        try:
            return tuple(TopologicalSorter(self.uses).static_order())
        except CycleError as circle:
            raise LedgerError(
                f"claims depend on each other in a circle: {' -> '.join(circle.args[1])}"
            ) from None

    def to_frame(self) -> Any:
        """One row per claim, as a pandas DataFrame (the extra `frames`)."""
        return to_frame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"key": c.key, "kind": c.kind.value, "line": c.source.line, "title": c.title}
            for c in self.claims.values()
        ]

    def __repr__(self) -> str:
        return f"<Ledger of {len(self.claims)} claims>"

    def _repr_html_(self) -> str:
        return html_table(repr(self)[1:-1], self._rows())

    def closure(self, keys: str | Iterable[str]) -> set[str]:
        """The keys with everything that their verdicts need: lemmas, steps, printed proofs, repairs."""
        fresh, seen = list(known(keys, self.claims)), set[str]()
        while fresh:
            key = fresh.pop()
            if key in seen:
                continue
            seen.add(key)
            claim = self.claims[key]
            fresh += [*self.uses[key], *claim.printed_uses, *self.steps(key)]
            fresh += [claim.repaired_by] if claim.repaired_by else []
        return seen

    def steps(self, key: str) -> tuple[str, ...]:
        """The displayed steps of a claim's printed proof."""
        return tuple(k for k, c in self.claims.items() if c.parent == key and c.kind is Kind.STEP)

    def dependents(self, key: str) -> tuple[str, ...]:
        """The claims whose printed proof or whose certificate depends on a claim, directly or not."""
        found, fresh = {key}, [key]
        while fresh:
            above = self.users.get(fresh.pop(), set()) - found
            found |= above
            fresh += above
        return tuple(k for k in self.claims if k in found - {key})

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """The claims whose printed proof or whose certificate depends on each claim directly."""
        out: dict[str, set[str]] = {}
        for key, claim in self.claims.items():
            for below in {*self.uses[key], *claim.printed_uses}:
                out.setdefault(below, set()).add(key)
        return out

    def verify(
        self,
        keys: str | Iterable[str] | None = None,
        on_verdict: Callable[[str, Verdict], None] = lambda *_: None,
        cache: Cache = NO_CACHE,
        jobs: int = 1,
        ahead: Ahead | None = None,
    ) -> dict[str, Entry]:
        """Judge the claims in order; `on_verdict` hears of each verdict.

        Args:
            keys: The claims to judge, with all that their verdicts need; None for all.
            on_verdict: Called with the key and the verdict of each claim as it is judged.
            cache: Certificates that were accepted before, which the kernel replays; new ones are kept there.
            jobs: Processes that judge; the verdicts are the same for any number.
            ahead: A process that has begun to replay what the last run used.

        Returns:
            An entry for each claim judged; InputError for a key that is no claim.
        """
        wanted = set(self.claims) if keys is None else self.closure(keys)
        order = [key for key in self.order if key in wanted]
        names = self.entry_names(order) if cache.folder else {}
        verdicts = judge_all(self.claims, order, judge, on_verdict, Kept(cache, names), jobs, ahead)
        return {key: self._entry(key, verdicts) for key in self.claims if key in verdicts}

    def entry_names(self, keys: Iterable[str]) -> dict[str, str]:
        """The name under which a cache has what depends on the record of a claim and of all it uses."""
        named, fresh = set(keys), list(keys)
        while fresh:
            more = set(self.uses[fresh.pop()]) - named
            named |= more
            fresh += more
        missing = [key for key in self.order if key in named and key not in self._names]
        self._names |= entry_names(self.claims, missing, self._names)
        return {key: self._names[key] for key in named}

    def _entry(self, key: str, verdicts: Mapping[str, Verdict]) -> Entry:
        claim = self.claims[key]
        proof = self._soundness(key, verdicts)
        return Entry(
            claim,
            verdicts[key],
            self._effective(key, verdicts),
            proof,
            self.uses[key],
            self._as_expected(claim, proof, verdicts),
        )

    def _effective(self, key: str, verdicts: Mapping[str, Verdict]) -> Status:
        """The worst status over everything a verdict depends on."""
        own = verdicts[key].status
        if own in (Status.NONE, Status.OPEN):
            return own
        below = {self._effective(k, verdicts) for k in self.uses[key]}
        if own is Status.REFUTED:
            # A refutation through a lemma stands only if the lemma does.
            return own if below <= {Status.PROVED, Status.NONE} else Status.OPEN
        return max([own, *below], key=_BADNESS.index)

    def _soundness(self, key: str, verdicts: Mapping[str, Verdict]) -> Soundness:
        """The printed proof: broken by a refuted step or lemma, sound only if every step stands."""
        claim = self.claims[key]
        rests_on = [*self.steps(key), *claim.printed_uses]
        if not rests_on:
            return Soundness.NONE
        found = {verdicts[k].status for k in rests_on}
        if Status.REFUTED in found:
            return Soundness.BROKEN
        broken = any(
            self._soundness(k, verdicts) is Soundness.BROKEN and verdicts[k].status is Status.OPEN
            for k in claim.printed_uses
        )
        if broken:
            return Soundness.BROKEN
        return Soundness.OPEN if Status.OPEN in found else Soundness.SOUND

    def _as_expected(self, claim: Claim, proof: Soundness, verdicts: Mapping[str, Verdict]) -> bool:
        """An erratum means REFUTED (or proof BROKEN) with a PROVED repair; none means not REFUTED."""
        status = verdicts[claim.key].status
        if claim.kind in (Kind.REPAIR, Kind.THEOREM):
            return self._effective(claim.key, verdicts) is Status.PROVED
        if claim.repaired_by is None:
            return status is not Status.REFUTED
        repaired = self._effective(claim.repaired_by, verdicts) is Status.PROVED
        return repaired and (status is Status.REFUTED or proof is Soundness.BROKEN)
