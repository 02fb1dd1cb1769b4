"""The worst ratio of each bound: a search, and the best instance found, stored and replayed on every run.

Hypothesis draws the first instances and aims at a large ratio; from the best of them an evolution over the
instance's own numbers goes on. `python -m oubli.checks.measure.worst [KEY…]` searches again, keeps what
got better, and can be stopped and resumed at any time: every claim is written as soon as it is done.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from oubli.checks.measure.check import pool, replayed, rounded
from oubli.checks.measure.empirical import Document, in_letters
from oubli.checks.measure.registry import GROUPS, MEASURED, fallen, ledger, sources_of, standing
from oubli.checks.measure.relation import Judged, NotMeasuredError, judged
from oubli.checks.measure.shrink import allowed, candidates
from oubli.checks.measure.source import Batch, Source, rows
from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.code import code_digest
from oubli.checks.runs.files import replace_file
from oubli.checks.runs.resume import resume
from oubli.checks.runs.store import drop, open_pieces
from oubli.errors import optional
from oubli.theory.records.claim import Claim

STORE = Path(__file__).parent / "data" / "worst.json"
# What an unfinished search has found so far.
PIECES = Path("report") / "worst"
PARENTS, CHILDREN, GENERATIONS, EXAMPLES = 8, 48, 12, 6
# A replay may lose this much to another machine's rounding.
REPLAY = 1e-6


def load(path: Path = STORE) -> dict[str, Document]:
    """The stored instances by claim."""
    if not path.exists():
        return {}
    return {item["key"]: item for item in json.loads(path.read_text(encoding="utf-8"))["claims"]}


def dumps(found: Mapping[str, Document]) -> str:
    """The stored file: sorted, one number per line."""
    return json.dumps({"claims": [found[key] for key in sorted(found)]}, indent=1, ensure_ascii=False) + "\n"


def ratios(claim: Claim, source: Source, batch: Batch) -> np.ndarray[Any, np.dtype[np.float64]]:
    """attained / claimed for each instance of a batch; what is no case counts as 0."""
    assert claim.statement is not None
    letters = source.measure(batch)
    good = np.flatnonzero(letters.kept())
    found = np.zeros(letters.size)
    if len(good):
        try:
            found[good] = judged(claim.statement, letters.take(good)).says.ratio
        except NotMeasuredError:
            return found
    return np.where(np.isfinite(found), found, 0.0)


def effort(source: Source, most: int) -> int:
    """How many rounds a source gets: as many as its number of cases says that it is cheap, at least two.

    >>> from oubli.checks.measure.trivial import FLOOR, NOISE_RUN
    >>> effort(FLOOR, 12), effort(NOISE_RUN, 12)
    (12, 2)
    """
    return max(2, min(most, most * source.cases // 1024))


def search(claim: Claim, source: Source) -> Document:
    """The best instance that the search finds, with its ratio."""
    batch, ratio = _first(claim, source)
    rng, width = np.random.default_rng(0), 0.1
    for _ in range(effort(source, GENERATIONS)):
        if ratio[0] >= 1 - REPLAY:
            break
        parents = {n: np.resize(v, CHILDREN) for n, v in batch.items()}
        change = rng.random(CHILDREN) < 0.5
        children = {
            n: np.where(change & (rng.random(CHILDREN) < 0.5), axis.near(parents[n], width, rng), parents[n])
            for n, axis in source.space.items()
        }
        batch, ratio = _best(batch, ratio, children, ratios(claim, source, children))
        width *= 0.8
    instance, best = polished(claim, source, rows(batch)[0], float(ratio[0]))
    return {"key": claim.key, "source": source.name, "ratio": best, "instance": instance}


def polished(
    claim: Claim, source: Source, instance: dict[str, float], ratio: float
) -> tuple[dict[str, float], float]:
    """The instance with single numbers replaced by simple ones or corners wherever that loses nothing.

    Bounds are attained at round numbers that an evolution only comes close to; two rounds, because one number
    can be in the way of another.
    """
    for name, axis in [*source.space.items()] * 2:
        if ratio >= 1 - REPLAY:
            break
        simple = [*axis.corners, *candidates(instance[name])]
        options = np.array([value for value in simple if allowed(source, name, value)])
        tried = {n: np.full(len(options), v) for n, v in instance.items()} | {name: options}
        found = ratios(claim, source, tried)
        if found.max() >= ratio:
            instance, ratio = {**instance, name: float(options[found.argmax()])}, float(found.max())
    return instance, ratio


def _first(claim: Claim, source: Source) -> tuple[Batch, Any]:
    """The best of the pool; unless that attains the bound, also of what Hypothesis finds when it aims."""
    kept: list[tuple[Batch, Any]] = []
    whole, _ = pool(source, 1)
    if whole:
        kept.append((whole, _on_pool(claim, source)))

    def visit(batch: Batch) -> float:
        kept.append((batch, ratios(claim, source, batch)))
        return float(kept[-1][1].max())

    if not kept or kept[0][1].max() < 1 - REPLAY:
        with optional("test", "the search"):
            from oubli.checks.measure.drawing import batches, explore
        explore(batches(source.space, CHILDREN), f"worst {claim.key}", effort(source, EXAMPLES), visit)
    names = list(source.space)
    merged = {n: np.concatenate([b[n] for b, _ in kept]) for n in names}
    return _best(merged, np.concatenate([r for _, r in kept]), {n: np.empty(0) for n in names}, np.empty(0))


def _on_pool(claim: Claim, source: Source) -> Any:
    assert claim.statement is not None
    ratio = judged(claim.statement, pool(source, 1)[1]).says.ratio
    return np.where(np.isfinite(ratio), ratio, 0.0)


def _best(batch: Batch, ratio: Any, more: Batch, others: Any) -> tuple[Batch, Any]:
    every = {n: np.concatenate([batch[n], more[n]]) for n in batch}
    together = np.concatenate([ratio, others])
    order = np.argsort(-together, kind="stable")[:PARENTS]
    return {n: v[order] for n, v in every.items()}, together[order]


def attained(item: Mapping[str, Any]) -> float:
    """The ratio of a stored instance, measured now."""
    return float(again(ledger().claims[item["key"]], item)[1].says.ratio[0])


def again(claim: Claim, item: Mapping[str, Any]) -> tuple[Source, Judged]:
    """A claim at the stored instance, and the source that makes it."""
    source = next(s for s in sources_of(claim) if s.name == item["source"])
    assert claim.statement is not None
    return source, replayed(claim.statement, source, item["instance"])


def stored_record(item: Mapping[str, Any]) -> Document:
    """A stored instance as a record of the run: it counts for the ratio, and is no further case."""
    source, found = again(ledger().claims[item["key"]], item)
    return {
        "key": item["key"],
        "cases": 0,
        "worst_ratio": rounded(float(found.says.ratio[0])),
        "violated": bool(found.says.fails[0]),
        "confidence": source.confidence,
        "source": source.name,
        "instance": in_letters(item["instance"]),
    }


def wanted() -> list[str]:
    """The claims with a bound to approach: all that stand, and the errata whose letters somebody measures.

    What another erratum attains is what its stored witness shows: letters drawn freely would attain anything.
    """
    return [
        key for group in GROUPS for key in (*standing(group), *(k for k in fallen(group) if k in MEASURED))
    ]


@dataclass(frozen=True)
class Search:
    """The search of one claim as a piece of the run."""

    claim: str
    stored: str

    @property
    def key(self) -> str:
        """The claim's key."""
        return self.claim

    @property
    def cost(self) -> float:
        """Rounds of the search, each as expensive as few cases say."""
        sources = sources_of(ledger().claims[self.claim])
        return float(sum(effort(source, GENERATIONS) * 1024 / source.cases for source in sources))

    def run(self) -> Document:
        """The better of a new search and the stored instance."""
        return better(self.claim, json.loads(self.stored))


def improve(keys: list[str], path: Path = STORE, folder: Path = PIECES, jobs: int = 1) -> None:
    """Search each claim and keep what is better than stored; a stopped search goes on."""
    stored = load(path)
    pieces = [Search(key, json.dumps(stored.get(key))) for key in keys]
    definition = {"what": "worst", "code": code_digest(), "stored": dumps(stored)}
    store = open_pieces(folder, definition, JSON, drop)
    with closing(store):
        found = resume(store, pieces, jobs, what="searching")
        replace_file(path, dumps({**stored, **found}).encode())
        for key, item in found.items():
            print(f"{key}: {item['ratio']:.9g}", file=sys.stderr)
        store.remove()


def better(key: str, stored: Document | None) -> Document:
    """The better of a new search and the stored instance, measured again: its claim may have changed."""
    found = best_of(key)
    if stored is None:
        return found
    try:
        known = {**stored, "ratio": attained(stored)}
    except (StopIteration, KeyError, NotMeasuredError):
        # Its source is gone, or has other axes now.
        return found
    return found if found["ratio"] > known["ratio"] else known


def best_of(key: str) -> Document:
    """The best instance that any of a claim's sources yields."""
    claim = ledger().claims[key]
    return max((search(claim, source) for source in sources_of(claim)), key=lambda item: float(item["ratio"]))


if __name__ == "__main__":
    try:
        improve(sys.argv[1:] or wanted(), jobs=len(os.sched_getaffinity(0)))
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
