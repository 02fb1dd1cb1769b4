"""The deep profile: twenty times as many cases of every claim, in as many processes as there are cores.

`python -m oubli.checks.measure.deep [KEY…]` (`make check-deep`) can be stopped at any moment and resumes:
each family of claims is kept as soon as it is measured. Claims that share a source are measured by one
process, one after the other, so that their instances are drawn once.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from oubli.checks.measure import empirical
from oubli.checks.measure.empirical import Document
from oubli.checks.measure.judging import PROFILES, ViolatedError, falls, stands
from oubli.checks.measure.registry import MEASURED, ledger, sources_of
from oubli.checks.measure.summary import expected_keys, notes, table
from oubli.checks.measure.worst import load as worst_instances
from oubli.checks.measure.worst import stored_record
from oubli.checks.report.folder import publish
from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.code import code_digest
from oubli.checks.runs.files import digest
from oubli.checks.runs.resume import resume
from oubli.checks.runs.store import drop, open_pieces
from oubli.errors import InputError

STORE = Path("report") / "deep"
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


def measured(key: str, scale: int) -> list[Document]:
    """The records of one claim over `scale` times the quick number of cases; or ViolatedError."""
    claim = ledger().claims[key]
    return falls(claim, scale) if claim.repaired_by is not None else stands(claim, scale)


@dataclass(frozen=True)
class FamilyPiece:
    """A family as a piece of the run: its records, and the sentences about what is violated."""

    family: Family

    @property
    def key(self) -> str:
        """The first claim, and a digest of all of them."""
        return f"{self.family[0]}-{digest(' '.join(self.family).encode())[:12]}"

    @cached_property
    def cost(self) -> float:
        """Seconds that the family will take, from a few instances of its sources."""
        tried, total = 4, LEAST * len(self.family)
        for source in sources_of(ledger().claims[self.family[0]]):
            base = source.base or source
            middle = {n: axis.draw(np.random.default_rng(0), tried) for n, axis in base.space.items()}
            start = time.perf_counter()
            base.measure(middle)
            total += (time.perf_counter() - start) / tried * base.cases * PROFILES["deep"]
        return total

    def run(self) -> dict[str, list[Any]]:
        """Measure the claims, one after the other."""
        records: list[Document] = []
        complaints = []
        for key in self.family:
            try:
                records += measured(key, PROFILES["deep"])
            except ViolatedError as why:
                complaints.append(str(why))
        return {"records": records, "complaints": complaints}


def deepen(keys: Sequence[str], folder: Path, jobs: int) -> dict[str, dict[str, list[Any]]]:
    """The results of every family, the expensive ones first; the folder keeps them until they are removed."""
    pieces = sorted((FamilyPiece(family) for family in families(keys)), key=lambda piece: -piece.cost)
    store = open_pieces(folder, {"what": "deep", "code": code_digest()}, JSON, drop)
    try:
        return resume(store, pieces, jobs, what="measuring")
    finally:
        store.close()


def combined(results: Mapping[str, Mapping[str, list[Any]]]) -> dict[str, Document]:
    """One record per claim, with the stored worst instances."""
    records = [item for result in results.values() for item in result["records"]]
    found = {item["key"] for item in records}
    worst = [stored_record(item) for key, item in worst_instances().items() if key in found]
    return empirical.combined(records + worst)


def main(keys: Sequence[str]) -> int:
    """Measure, print the table; a whole run leaves report/empirical.json. 1 if a claim fared otherwise."""
    wanted = list(keys) or expected_keys()
    if unknown := sorted(set(wanted) - set(expected_keys())):
        raise InputError(f"{', '.join(unknown)}: nothing measures that; see `oubli claims`")
    results = deepen(wanted, STORE, len(os.sched_getaffinity(0)))
    found = combined(results)
    complaints = [line for result in results.values() for line in result["complaints"]]
    print("\n".join([*table(found), *([] if keys else notes(found)), *complaints]))
    if not keys and not complaints:
        publish(STORE.parent, {empirical.FILE: empirical.dumps(found)})
        open_pieces(STORE, {}, JSON, drop).remove()
    return 1 if complaints else 0


if __name__ == "__main__":
    # Other processes load the pieces by the name of their module, which a script does not have.
    from oubli.checks.measure.deep import main as main_by_name

    try:
        sys.exit(main_by_name(sys.argv[1:]))
    except InputError as why:
        print(why, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
