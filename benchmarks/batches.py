"""A million questions in one CSV: the goal is a minute, and how much slower the decision in balls is.

Run:  python benchmarks/batches.py            (about a minute)
Exits with 1 if the goal is missed.
"""

import csv
import sys
import tempfile
import time
from pathlib import Path

# Run as a script, its neighbour sim.py would hide the package of that name.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np

from oubli.answers.answer import Setting
from oubli.answers.batch import answer_file

ROWS, DECIDED = 1_000_000, 4_000


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


def seconds(folder: Path, rows: int, decided: bool) -> float:
    """How long a batch takes, reading and writing included."""
    write(folder / "rows.csv", rows)
    began = time.perf_counter()
    answer_file(folder / "rows.csv", folder / "answers.csv", Setting(), decided=decided)
    return time.perf_counter() - began


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        fast = seconds(Path(name), ROWS, decided=False)
        slow = seconds(Path(name), DECIDED, decided=True)
    ratio = (slow / DECIDED) / (fast / ROWS)
    print(f"{ROWS:,} rows with --fast: {fast:.0f} s (goal: under 60 s)")
    print(f"deciding each row in ball arithmetic takes {ratio:.0f} times as long")
    return 0 if fast < 60 else 1


if __name__ == "__main__":
    sys.exit(main())
