"""The deep profile: twenty times as many cases of every claim, in as many processes as there are cores.

`python -m checks.deep [KEY…]` (`make check-deep`) can be stopped at any moment and goes on where it was: each
claim is kept as soon as it is measured. Claims that share a source are measured by one process, one after the
other, so that their instances are drawn once.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from checks import empirical
from checks.empirical import Document
from checks.judging import PROFILES, Violated, falls, stands
from checks.measure.registry import MEASURED, ledger, sources_of
from checks.report.folder import publish
from checks.summary import expected_keys, notes, table
from checks.worst import load as worst_instances
from checks.worst import stored_record

STORE = Path("report") / "deep"
ROOT = Path(__file__).parents[1]
STAMP = "code"
LOOK = 0.2
# What a claim costs that needs no measurement, in seconds: reading its record and drawing its letters.
LEAST = 0.5

Family = tuple[str, ...]


def families(keys: Sequence[str]) -> list[Family]:
    """The claims, put together where the same sources measure them.

    >>> families(["tv_dp", "e0.value", "tv_dp.sharp"])
    [('tv_dp', 'tv_dp.sharp'), ('e0.value',)]
    """
    found: dict[object, list[str]] = {}
    for key in keys:
        found.setdefault(MEASURED.get(key, key), []).append(key)
    return [tuple(family) for family in found.values()]


def cost(family: Family) -> float:
    """Seconds that a family will take, from a few instances of its sources."""
    scale, tried = PROFILES["deep"], 4
    total = LEAST * len(family)
    for source in sources_of(ledger().claims[family[0]]):
        base = source.base or source
        middle = {n: axis.draw(np.random.default_rng(0), tried) for n, axis in base.space.items()}
        start = time.perf_counter()
        base.measure(middle)
        total += (time.perf_counter() - start) / tried * base.cases * scale
    return total


def measured(key: str) -> list[Document]:
    """The records of one claim in the deep profile; Violated if it does not come out as its erratum says."""
    claim = ledger().claims[key]
    return falls(claim) if claim.repaired_by is not None else stands(claim)


def _measure_family(task: tuple[Family, Path]) -> list[str]:
    """Measure the claims of a family that are not kept yet; what they are violated by."""
    family, store = task
    complaints = []
    for key in family:
        try:
            publish(store, {f"{key}.json": json.dumps(measured(key))})
        except Violated as why:
            complaints.append(str(why))
    return complaints


def _quiet() -> None:
    """A worker: the interruption is its parent's, the profile is the deep one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OUBLI_PROFILE"] = "deep"


def kept(store: Path) -> dict[str, list[Document]]:
    """What was measured so far."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(store.glob("*.json"))}


def prepared(store: Path) -> Path:
    """The store, emptied if it was filled by other code: numbers of two programs do not go together."""
    stamp = code_digest()
    file = store / STAMP
    if store.exists() and (not file.exists() or file.read_text(encoding="utf-8") != stamp):
        print("the code has changed since: all claims are measured again", file=sys.stderr, flush=True)
        shutil.rmtree(store)
    store.mkdir(parents=True, exist_ok=True)
    publish(store, {STAMP: stamp})
    return store


def code_digest() -> str:
    """A name for the code that measures."""
    found = hashlib.sha256()
    for path in sorted(p for part in ("checks", "sim", "theory") for p in (ROOT / part).rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def deepen(keys: Sequence[str], store: Path, jobs: int) -> list[str]:
    """Measure every claim that is not kept; afterwards the store holds all that stand; the complaints."""
    prepared(store)
    left = [key for key in keys if key not in kept(store)]
    if len(left) < len(keys):
        print(f"{len(keys) - len(left)} of {len(keys)} claims are measured already", file=sys.stderr)
    costs = {family: cost(family) for family in families(left)}
    order = sorted(costs, key=lambda family: -costs[family])
    with multiprocessing.get_context("spawn").Pool(jobs, _quiet) as pool:
        found = pool.map_async(_measure_family, [(family, store) for family in order], chunksize=1)
        bar = Bar(len(keys), {key: costs[f] / len(f) for f in order for key in f}, jobs)
        while not found.ready():
            found.wait(LOOK)
            bar.look(store)
        bar.look(store)
        return [line for complaints in found.get() for line in complaints]


class Bar:
    """One line per claim that is done, with the time left."""

    def __init__(self, total: int, costs: dict[str, float], jobs: int) -> None:
        self.total, self.costs, self.jobs = total, costs, jobs
        self.waiting, self.start = dict(costs), time.monotonic()

    def look(self, store: Path) -> None:
        """Tell of the claims that came since the last look."""
        for key in [key for key in self.waiting if (store / f"{key}.json").exists()]:
            del self.waiting[key]
            number = self.total - len(self.waiting)
            cases = sum(item["cases"] for item in json.loads((store / f"{key}.json").read_text()))
            line = f"[{number}/{self.total}] {key}: {cases:,} cases; {self.left()}"
            print(line, file=sys.stderr, flush=True)

    def left(self) -> str:
        """The time left: the estimate, corrected by how it fared so far."""
        done = sum(self.costs.values()) - sum(self.waiting.values())
        speed = done / max(time.monotonic() - self.start, 1e-9)
        seconds = sum(self.waiting.values()) / max(speed, 1e-9)
        return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"


def records(store: Path) -> dict[str, Document]:
    """What is kept, one record per claim, with the stored worst instances."""
    found = kept(store)
    worst = [stored_record(item) for key, item in worst_instances().items() if key in found]
    return empirical.combined([item for items in found.values() for item in items] + worst)


def main(keys: Sequence[str]) -> int:
    """Measure, print the table; a whole run leaves report/empirical.json. 1 if a claim fared otherwise."""
    wanted = list(keys) or expected_keys()
    if unknown := sorted(set(wanted) - set(expected_keys())):
        print(f"{', '.join(unknown)}: nothing measures that; see `oubli claims`", file=sys.stderr)
        return 2
    os.environ["OUBLI_PROFILE"] = "deep"
    complaints = deepen(wanted, STORE, len(os.sched_getaffinity(0)))
    found = {key: item for key, item in records(STORE).items() if key in wanted}
    print("\n".join([*table(found), *([] if keys else notes(found)), *complaints]))
    if not keys and not complaints:
        publish(STORE.parent, {empirical.FILE: empirical.dumps(found)})
        shutil.rmtree(STORE)
    return 1 if complaints else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
