"""Judging claims, each after what it depends on: from a cache where the kernel accepts it, in parallel."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Any

from oubli.theory.judging.ahead import Ahead, remember
from oubli.theory.judging.cache import Cache
from oubli.theory.judging.cached import accept_entry, entry_of, verdict_of
from oubli.theory.judging.judge import uses
from oubli.theory.judging.replay import accepted_already
from oubli.theory.judging.workers import FEWEST, Question, answers
from oubli.theory.kernel.checker import NOTHING, accept_certificate
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import Claim
from oubli.theory.records.verdict import Verdict

# A new verdict, or None and how long the replay took; and why the entry was not used, if there was one.
Judge = Callable[[Claim, Mapping[str, Statement], Mapping[str, Any]], Verdict]
Answer = tuple[Verdict | None, float, str]


@dataclass(frozen=True)
class Kept:
    """A cache, and the name of each claim's entry in it."""

    cache: Cache
    names: Mapping[str, str]

    def entries(self) -> dict[str, tuple[str, Any]]:
        """What it has for each claim, or None, after the digest of it; nothing of it is accepted yet."""
        return {key: self.cache.read(name) for key, name in self.names.items()}

    def keep(self, verdicts: Mapping[str, Verdict]) -> None:
        """Keep the certificates of new verdicts."""
        made = {self.names[key]: entry_of(v) for key, v in verdicts.items() if key in self.names}
        self.cache.put([(name, entry) for name, entry in made.items() if entry is not None])

    def remember(self, verdicts: Mapping[str, Verdict]) -> None:
        """Keep which entries a run used, and how long each took to judge."""
        used = {key: v for key, v in verdicts.items() if key in self.names and entry_of(v) is not None}
        remember(self.cache, [(key, self.names[key], round(v.seconds, 4)) for key, v in used.items()])


@dataclass
class Bench:
    """Claims with the entries that a cache has for them, and the verdicts so far."""

    claims: Mapping[str, Claim]
    judge: Judge
    entries: Mapping[str, Any]
    statements: Mapping[str, Statement]
    # Whose entries, and those of their lemmas, the kernel has accepted in this run already.
    replayed: AbstractSet[str] = frozenset()
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    def accepted(self, key: str, assumed: Mapping[str, Any]) -> bool:
        """Whether the kernel accepted a claim's entry beside the certificates that its lemmas have now."""
        lemmas = self.entries[key]["lemmas"] if key in self.replayed else ()
        return key in self.replayed and all(assumed.get(n) is self.entries[n]["takes"] for n in lemmas)

    def work(self, key: str, assumed: Mapping[str, Any]) -> Answer:
        """The verdict on one claim, whose lemmas assume what is given; in this process or another."""
        rejected = ""
        if (entry := self.entries.get(key)) is not None:
            start = time.perf_counter()
            try:
                accept = accepted_already if self.accepted(key, assumed) else accept_certificate
                accept_entry(self.claims[key], entry, self.statements, assumed, accept)
                return None, time.perf_counter() - start, ""
            except RejectedError as why:
                rejected = f"the entry of {key} is rejected: {why}"
        return self.judge(self.claims[key], self.statements, assumed), 0.0, rejected

    def question(self, key: str) -> Question:
        """A claim, with what the certificates of its lemmas assume."""
        below = {name: entry_of(self.verdicts[name]) or {} for name in uses(self.claims[key])}
        return key, {name: made.get("takes", NOTHING) for name, made in below.items() if "claim" in made}


def judge_all(
    claims: Mapping[str, Claim],
    order: Sequence[str],
    judge: Judge,
    on_verdict: Callable[[str, Verdict], None],
    kept: Kept,
    jobs: int,
    ahead: Ahead | None = None,
) -> dict[str, Verdict]:
    """The verdicts on the claims of `order`, in which each follows what it depends on."""
    found = kept.entries()
    entries = {key: entry for key, (_, entry) in found.items()}
    replayed = ahead.finished({key: seal for key, (seal, _) in found.items()}) if ahead else set[str]()
    statements = {key: c.statement for key, c in claims.items() if c.statement is not None}
    bench, waiting = Bench(claims, judge, entries, statements, replayed), list[str]()
    costs, fresh = ahead.costs() if ahead else {}, dict[str, Verdict]()
    sorter = TopologicalSorter({key: uses(claims[key]) for key in order})
    sorter.prepare()

    def ready(most: int) -> list[Question]:
        waiting.extend(sorter.get_ready())
        while here := [key for key in waiting if key in replayed]:
            waiting[:] = [key for key in waiting if key not in replayed]
            for question in map(bench.question, here):
                hear(question, bench.work(*question))
            waiting.extend(sorter.get_ready())
        waiting.sort(key=lambda key: -costs.get(key, 0.0))  # the longest first, so that all end together
        handed = [waiting.pop(0) for _ in waiting[:most]]
        return [bench.question(key) for key in handed]

    def hear(question: Question, answer: Answer) -> None:
        key, (verdict, seconds, rejected) = question[0], answer
        if rejected:
            kept.cache.ignore(rejected)
        if verdict is not None:
            fresh[key] = verdict
        bench.verdicts[key] = verdict or verdict_of(claims[key], entries[key], costs.get(key, seconds))
        sorter.done(key)
        on_verdict(key, bench.verdicts[key])

    rest = [key for key in order if key not in replayed and key in statements]
    answers(bench.work, jobs if len(rest) >= FEWEST else 1, ready, hear)
    kept.keep(fresh)
    if len(order) == len(claims):
        kept.remember(bench.verdicts)
    return bench.verdicts
