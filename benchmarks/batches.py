"""A million questions in one CSV as `oubli regime --batch` answers them: the goal is a minute on two cores.

Run:  python benchmarks/batches.py            (about a minute)
Exits with 1 if the goal is missed.
"""

import csv
import os
import sys
import tempfile
import time
from pathlib import Path

# Run as a script, its neighbour sim.py would hide the package of that name.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np

from oubli.answers.answer import Setting
from oubli.answers.batch import Decides, answer_file, every_row, some_rows

ROWS, DECIDED = 1_000_000, 4_000
LIMIT = 60.0


def write(path: Path, rows: int) -> None:
    """Random questions over everything the diagram shows, and beyond."""
    rng = np.random.default_rng(0)
    columns = {
        "rf": 10 ** rng.uniform(-5, -0.1, rows),
        "eps": 10 ** rng.uniform(-2, 2, rows),
        "delta": 10 ** rng.uniform(-9, -1, rows),
        "dim": rng.integers(1, 200, rows),
        "target": 10 ** rng.uniform(-4, 0, rows),
    }
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def seconds(folder: Path, rows: int, decided: Decides) -> tuple[float, float]:
    """Wall and processor seconds of a batch, reading and writing included."""
    write(folder / "rows.csv", rows)
    began, before = time.perf_counter(), os.times()
    answer_file(folder / "rows.csv", folder / "answers.csv", Setting(), decided=decided)
    spent = sum(os.times()[:4]) - sum(before[:4])
    return time.perf_counter() - began, spent


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        wall, spent = seconds(Path(name), ROWS, some_rows)
        _, every = seconds(Path(name), DECIDED, every_row)
    peer = every / DECIDED * ROWS
    # Two free cores take half of the processor's time; on busy ones the wall clock says little.
    kept = min(wall, spent / 2) <= LIMIT
    print(
        f"| a batch of {ROWS:,} rows | {spent:.0f} s of processor, {wall:.0f} s | every row in balls, "
        f"{peer:.0f} s of processor | {peer / spent:.0f}×, "
        f"limit {LIMIT:g} s: {'kept' if kept else 'MISSED'} |"
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
