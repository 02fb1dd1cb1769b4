"""Another paper's claims, measured on the sources that its folder brings.

`python -m oubli.checks.measure.paper FOLDER [KEY…] [--out report]` draws instances from them as for the
shipped paper, takes hypotheses and bounds from the records, prints the table and writes what `oubli check
--paper FOLDER --out report` takes into its report. Exit status 1 if an erratum stands or anything else falls.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from oubli.checks.measure import empirical
from oubli.checks.measure.check import outcome
from oubli.checks.measure.empirical import Document
from oubli.checks.measure.judging import ViolatedError, complaint, record, scale
from oubli.checks.report.folder import publish, writable
from oubli.papers import paper
from oubli.theory.records.claim import Claim
from oubli.theory.records.paper import Paper


def measured(found: Paper, keys: Sequence[str] = ()) -> list[Document]:
    """The records of a paper's claims on its own sources; ViolatedError if one does not come out as judged.

    Args:
        found: The paper.
        keys: Which claims; all that have sources by default.

    Returns:
        One record for each claim and source.
    """
    sources, claims = found.sources(), {claim.key: claim for claim in found.claims()}
    wanted = [key for key in claims if key in sources and (not keys or key in keys)]
    return [one(claims[key], source) for key in wanted for source in sources[key]]


def one(claim: Claim, source: object) -> Document:
    """The record of a claim on one source."""
    item = outcome(claim, source, scale())  # type: ignore[arg-type]
    wrong = claim.repaired_by is not None
    if item.broken is not None and not wrong:
        raise ViolatedError(complaint(claim, item))
    if item.broken is None and wrong:
        raise ViolatedError(f"{claim.key} has an erratum, but is not violated by {item.source}")
    return record(item, violated=wrong)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m oubli.checks.measure.paper", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("keys", nargs="*", metavar="KEY")
    parser.add_argument("--out", type=Path, default=Path("report"))
    asked = parser.parse_args(arguments)
    try:
        rows = empirical.combined(measured(paper(asked.folder), asked.keys))
    except ViolatedError as why:
        print(why)
        return 1
    for row in rows.values():
        says = "violated" if row["violated"] else "stands"
        print(f"{row['key']:<24} {says:<9} {row['cases']:>6} cases, worst ratio {row['worst_ratio']:.4g}")
    publish(writable(asked.out), {empirical.FILE: empirical.dumps(rows)})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
