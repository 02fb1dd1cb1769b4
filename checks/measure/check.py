"""One claim against one source of instances: how often tried, how tight, what broke it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from oubli.checks.measure.completed import completed
from oubli.checks.measure.explain import explained
from oubli.checks.measure.relation import Judged, Letters, judged
from oubli.checks.measure.shrink import shrunk
from oubli.checks.measure.source import Batch, Instance, Source, rows
from oubli.errors import optional
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import Claim

BATCH = 128
# How many times the wanted number of cases may be drawn before a source counts as barren.
PATIENCE = 12
MOST = 1e12
# What is attained below this is rounding.
LEAST = 1e-9


@dataclass(frozen=True)
class Outcome:
    """A claim on a number of cases; `broken` is a small instance that violates it, if there is one.

    Ratios are attained / claimed, rounded so that every machine writes the same report.
    """

    key: str
    cases: int
    worst_ratio: float
    confidence: float
    instance: Mapping[str, float]
    source: str
    broken: Mapping[str, float] | None = None
    why: str = ""
    explanation: tuple[str, ...] = ()


def source_for(claim: Claim, base: Source | None) -> Source:
    """The base source with the claim's remaining letters drawn from their domains and hypotheses."""
    assert claim.statement is not None
    return _source_for(claim.key, claim.statement, base)


@cache
def _source_for(key: str, statement: Statement, base: Source | None) -> Source:
    known = _known(base) if base else frozenset()
    if base is not None and {s.name for s in statement.says.free_symbols} <= known:
        return base
    return completed(statement, base, known, f"{base.name} for {key}" if base else key)


@cache
def _known(source: Source) -> frozenset[str]:
    middle = {name: axis.place(np.array([0.5])) for name, axis in source.space.items()}
    return frozenset(source.measure(middle).values)


@cache
def pool(source: Source, scale: int) -> tuple[Batch, Letters]:
    """The instances of a source that meet the drawn hypotheses, measured once per process."""
    kept: list[tuple[Batch, Letters]] = []
    for attempt in range(PATIENCE):
        for batch, letters in _measured(source, scale, attempt):
            good = np.flatnonzero(letters.kept())
            if len(good):
                kept.append(({n: v[good] for n, v in batch.items()}, letters.take(good)))
        if sum(letters.size for _, letters in kept) >= source.cases * scale:
            break
    return joined(kept)


def _measured(source: Source, scale: int, attempt: int) -> Iterator[tuple[Batch, Letters]]:
    with optional("test", "drawing instances"):
        from oubli.checks.measure.drawing import drawn
    name = f"{source.name} {attempt}"
    if source.base is None or source.extend is None:
        size = min(BATCH, source.cases)
        for batch in drawn(source.space, name, size, -(-source.cases * scale // size)):
            yield batch, source.measure(batch)
        return
    first, letters = pool(source.base, scale)
    more = {n: axis for n, axis in source.space.items() if n not in source.base.space}
    for batch in drawn(more, name, letters.size, 1):
        yield {**first, **batch}, source.extend(letters, batch)


def joined(parts: Sequence[tuple[Batch, Letters]]) -> tuple[Batch, Letters]:
    """Batches end to end."""
    if not parts:
        return {}, Letters({"none": np.empty(0)})
    batch = {n: np.concatenate([b[n] for b, _ in parts]) for n in parts[0][0]}
    values = {n: np.concatenate([x.values[n] for _, x in parts]) for n in parts[0][1].values}
    errors = {n: np.concatenate([(x.errors or {})[n] for _, x in parts]) for n in parts[0][1].errors or {}}
    return batch, Letters(values, errors)


def outcome(claim: Claim, source: Source, scale: int = 1) -> Outcome:
    """The claim on the source's pool; a violation is shrunk to a small instance."""
    assert claim.statement is not None
    batch, letters = pool(source, scale)
    if not batch:
        return Outcome(claim.key, 0, 0.0, source.confidence, {}, source.name, why="no instance was drawn")
    found = judged(claim.statement, letters)
    bad, why = _worst_failure(found)
    instances = rows(batch)
    top = int(np.argmax(found.says.ratio))
    small = shrunk(instances[bad], source, claim.statement) if bad is not None else None
    return Outcome(
        claim.key,
        letters.size,
        rounded(float(found.says.ratio[top])),
        source.confidence,
        instances[top],
        source.name,
        small,
        why,
        explained(claim, source.letters(small)) if small is not None else (),
    )


def rounded(ratio: float) -> float:
    """A ratio in ten digits, cut where it only says that the bound is nearly 0: the same on every machine.

    >>> rounded(1 - 1e-13), rounded(float("inf")), rounded(-1e-12)
    (1.0, 1000000000000.0, 0.0)
    """
    if abs(ratio) < LEAST:
        return 0.0
    return float(f"{min(max(ratio, -MOST), MOST):.9e}")


def _worst_failure(found: Judged) -> tuple[int | None, str]:
    for relation, fails in found.unmet.items():
        return int(np.argmax(fails)), f"the hypothesis {relation} does not hold where it was measured"
    if found.says.fails.any():
        excess = np.where(found.says.fails, found.says.ratio, -np.inf)
        return int(np.argmax(excess)), "the conclusion does not hold"
    return None, ""


def replayed(statement: Statement, source: Source, instance: Instance) -> Judged:
    """The claim at one instance."""
    return judged(statement, source.letters(instance))
